#include "dispatch/step_table.hpp"

#include <sys/mman.h>

#include "execute/private_op.hpp"
#include "execute/step_facts.hpp"

namespace wavetank::dispatch {
/// The code of one program, as it runs in one mode: a place for each of its dwords, mostly
/// untouched.
struct StepTable::Section {
  using Count = std::atomic<std::uint32_t>;

  Section(const execute::ProgramSpec& spec, Section* older)
      : older(older),
        code(reinterpret_cast<std::uint64_t>(spec.code)),
        code_bytes(spec.code_bytes),
        skips_vectors(spec.skips_vectors),
        reserved_bytes((spec.code_bytes / 4 + 1) * (sizeof(*places) + sizeof(*straight))) {
    void* memory = mmap(nullptr, reserved_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    places = static_cast<Place*>(memory);
    straight = reinterpret_cast<Count*>(places + spec.code_bytes / 4 + 1);
  }
  ~Section() {
    if (places != nullptr) munmap(places, reserved_bytes);
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  bool holds(std::uint64_t address, bool skips) const {
    return address - code < code_bytes && skips == skips_vectors;
  }
  Place& place(std::uint64_t address) { return places[(address - code) / 4]; }
  /// Private instructions from an op on, one behind the other; found for those behind it as well.
  unsigned straight_from(const execute::Op* op, std::uint64_t address) {
    Count* const first = &straight[(address - code) / 4];
    const unsigned known = first->load(std::memory_order_relaxed);
    if (known != 0) return known - 1;
    unsigned count = 0;
    Count* end = first;
    for (const execute::Op* at = op; *end == 0 && execute::is_private(*at); at += at->dwords) {
      ++count;
      end += at->dwords;
    }
    if (*end == 0) *end = 1;
    count += *end - 1;
    const unsigned all = count;
    for (Count* at = first; at != end; at += op->dwords, op += op->dwords) *at = 1 + count--;
    return all;
  }

  Section* const older;
  const std::uint64_t code, code_bytes;
  const bool skips_vectors;
  const std::size_t reserved_bytes;
  Place* places = nullptr;    ///< zeroed by the host; nullptr: no address space is left
  Count* straight = nullptr;  ///< straight_from() and one, 0: not known yet
};

StepTable::StepTable(const execute::ProgramSpec& own)
    : first_code_(reinterpret_cast<std::uint64_t>(own.code)), decoder_(*own.target) {}

StepTable::~StepTable() = default;

StepTable::Section* StepTable::find(const execute::Program& program, std::uint64_t address) const {
  const bool skips = program.spec().skips_vectors;
  Section* section = newest_.load(std::memory_order_acquire);
  while (section != nullptr && !section->holds(address, skips)) section = section->older;
  return section;
}

Result<StepTable::Section*> StepTable::section_of(const execute::Program& program,
                                                  std::uint64_t address) {
  if (Section* const known = find(program, address)) return known;
  if (!program.holds(address)) return fail(ErrorCode::kBadElf, "a wave left its code");
  auto made = std::make_unique<Section>(program.spec(), newest_.load());
  if (made->places == nullptr) {
    return fail(ErrorCode::kOutOfMemory, "no address space for step facts");
  }
  sections_.push_back(std::move(made));
  newest_.store(sections_.back().get(), std::memory_order_release);
  return sections_.back().get();
}

const StepTable::Place* StepTable::place(const execute::Program& program,
                                         std::uint64_t address) const {
  Section* const section = find(program, address);
  return section == nullptr ? nullptr : &section->place(address);
}

Result<const machine::StepFacts*> StepTable::at(const execute::Program& program,
                                                std::uint64_t address) {
  const Place* const seen = place(program, address);
  const machine::StepFacts* const known = seen == nullptr ? nullptr : seen->load();
  return known == nullptr ? add(program, address) : known;
}

unsigned StepTable::straight_from(const execute::Program& program, const execute::Op* op) const {
  const std::uint64_t address = program.address_of(op);
  Section* const section = find(program, address);
  return section == nullptr ? 0 : section->straight_from(op, address);
}

Result<const machine::StepFacts*> StepTable::add(const execute::Program& program,
                                                 std::uint64_t address) {
  const std::lock_guard lock(adding_);
  auto found = section_of(program, address);
  if (!found) return tl::unexpected(found.error());
  Section& section = **found;
  Place& place = section.place(address);
  if (const machine::StepFacts* const known = place.load()) return known;
  const std::span<const std::uint32_t> dwords(reinterpret_cast<const std::uint32_t*>(address),
                                              (section.code + section.code_bytes - address) / 4);
  auto instruction = decoder_.decode(dwords, address);
  if (!instruction) return tl::unexpected(instruction.error());
  auto facts =
      std::make_unique<machine::StepFacts>(execute::step_facts(*instruction, program.spec()));
  facts->offset_bytes = address - first_code_;
  facts->index = static_cast<std::uint32_t>(seen_.size());
  seen_.push_back(std::move(facts));
  place.store(seen_.back().get(), std::memory_order_release);
  return seen_.back().get();
}

}  // namespace wavetank::dispatch
