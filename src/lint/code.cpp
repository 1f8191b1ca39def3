#include "lint/code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <unordered_set>

#include "execute/step_facts.hpp"
#include "isa/flow.hpp"

namespace wavetank::lint {
namespace {

using encoding::Instruction;
using machine::FlowStep;

/// The longest instruction.
constexpr std::size_t kMostDwords = 4;

/// An executable segment.
struct Segment {
  std::span<const std::byte> bytes;
  std::uint64_t address = 0;
  bool holds(std::uint64_t at) const { return at - address < bytes.size() / 4 * 4; }
};

struct Found {
  std::uint64_t address;
  Instruction instruction;
};

std::uint64_t target_of(const Found& found) {
  return found.address + 4 * found.instruction.dwords +
         4 * static_cast<std::uint64_t>(std::int64_t{found.instruction.imm});
}

/// Follows code from an address on.
class Walk {
 public:
  Walk(const Segment& segment, const encoding::Decoder& decoder)
      : segment_(segment), decoder_(decoder) {}

  Result<std::vector<Found>> from(std::uint64_t entry) {
    pending_.push_back(entry);
    while (!pending_.empty()) {
      const std::uint64_t address = pending_.back();
      pending_.pop_back();
      const Result<void> followed = follow(address);
      if (!followed) return tl::unexpected(followed.error());
    }
    std::ranges::sort(found_, {}, &Found::address);
    return std::move(found_);
  }

 private:
  /// Decodes up to where the code does not go on, or is known.
  Result<void> follow(std::uint64_t address) {
    while (seen_.insert(address).second) {
      const Result<Instruction> instruction = decode(address);
      if (!instruction) return tl::unexpected(instruction.error());
      found_.push_back({address, *instruction});
      const isa::Row& row = *instruction->row;
      if (isa::branches(row) && !isa::calls(row)) pending_.push_back(target_of(found_.back()));
      if (row.ends_flow(instruction->imm) && !isa::calls(row)) break;
      address += 4 * instruction->dwords;
    }
    return {};
  }

  Result<Instruction> decode(std::uint64_t address) const {
    if (!segment_.holds(address)) {
      return fail(ErrorCode::kBadElf, fmt::format("code leads to {:#x}, out of it", address));
    }
    const std::size_t offset = address - segment_.address;
    std::uint32_t dwords[kMostDwords];
    const std::size_t count = std::min(kMostDwords, (segment_.bytes.size() - offset) / 4);
    std::memcpy(dwords, segment_.bytes.data() + offset, 4 * count);
    return decoder_.decode(std::span(dwords, count), address, encoding::Reserved::kIgnore);
  }

  const Segment segment_;
  const encoding::Decoder& decoder_;
  std::vector<Found> found_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<std::uint64_t> pending_;
};

/// Numbers what was found and links it.
Code link(const std::vector<Found>& found, std::uint64_t entry, std::uint32_t accum_offset) {
  Code code;
  code.accum_offset = accum_offset;
  const auto number = [&](std::uint64_t address) {
    const auto at = std::ranges::lower_bound(found, address, {}, &Found::address);
    const bool known = at != found.end() && at->address == address;
    return known ? static_cast<std::uint32_t>(at - found.begin()) : FlowStep::kNowhere;
  };
  for (const Found& one : found) {
    const isa::Row& row = *one.instruction.row;
    FlowStep step;
    step.facts = execute::step_facts(one.instruction, accum_offset);
    step.facts.offset_bytes = one.address - entry;
    step.leaves = isa::leaves(row);
    if (!row.ends_flow(one.instruction.imm) || isa::calls(row)) {
      step.following = number(one.address + 4 * one.instruction.dwords);
    }
    if (isa::branches(row) && !isa::calls(row)) step.target = number(target_of(one));
    code.calls = code.calls || isa::calls(row);
    code.unknown_jumps = code.unknown_jumps || (row.indirect_flow && !isa::calls(row));
    code.flow.push_back(step);
    code.instructions.push_back(one.instruction);
    code.addresses.push_back(one.address);
  }
  code.entry = number(entry);
  return code;
}

Result<Code> decode_segment(const Segment& segment, std::uint64_t entry, std::uint32_t accum_offset,
                            const encoding::Decoder& decoder) {
  const Result<std::vector<Found>> found = Walk(segment, decoder).from(entry);
  if (!found) return tl::unexpected(found.error());
  return link(*found, entry, accum_offset);
}

}  // namespace

Result<Code> decode_kernel(const code_object::CodeObject& object, const code_object::Kernel& kernel,
                           const encoding::Decoder& decoder) {
  for (const code_object::Segment& s : object.segments) {
    const bool inside = s.executable && kernel.entry_address - s.address < s.file_size_bytes;
    if (!inside || s.file_offset > object.image.size()) continue;
    const std::size_t size =
        std::min<std::uint64_t>(s.file_size_bytes, object.image.size() - s.file_offset);
    const Segment segment{object.image.subspan(s.file_offset, size), s.address};
    return decode_segment(segment, kernel.entry_address, kernel.descriptor.accum_offset, decoder);
  }
  return fail(ErrorCode::kBadElf, fmt::format("the code of {} lies outside the file", kernel.name));
}

Result<Code> decode_words(std::span<const std::uint32_t> words, std::uint32_t accum_offset,
                          const encoding::Decoder& decoder) {
  return decode_segment({std::as_bytes(words), 0}, 0, accum_offset, decoder);
}

}  // namespace wavetank::lint
