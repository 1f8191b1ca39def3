// Loads and stores side by side that one wider instruction could do.
#include <fmt/format.h>

#include <algorithm>

#include "lint/access.hpp"
#include "lint/rules/rules.hpp"

namespace wavetank::lint {
namespace {

/// Bytes that a lane moves by one instruction at most.
constexpr unsigned kMostBytes = 16;

/// Units that the offsets of ds_read2 and ds_write2 count up to (8 bits each).
constexpr std::int64_t kMostUnits = 255;

/// True if one instruction with two offsets can do both accesses to LDS, from the first's register.
bool is_pair_of_lds(const Subject& subject, const Access& first, const Access& second) {
  const std::int64_t unit = first.bytes;
  const std::int64_t near = subject.code.instructions[first.step].offset;
  const std::int64_t far = near + second.address.offset - first.address.offset;
  const auto fits = [&](std::int64_t offset) {
    return offset >= 0 && offset % unit == 0 && offset / unit <= kMostUnits;
  };
  return fits(near) && fits(far);
}

/// Accesses of one block that may be joined with a later one, in groups side by side.
class Groups {
 public:
  Groups(const Subject& subject, Findings& findings) : subject_(subject), findings_(findings) {}

  void pass(std::uint32_t step) {
    const machine::FlowStep& flow = subject_.code.flow[step];
    if (orders_memory(flow)) return flush();
    close_those_used_by(flow.facts);
    const std::uint8_t touched = touched_memory(flow.facts);
    const auto access = touched == kTouchesNothing ? std::nullopt : access_of(subject_, step);
    const bool stores = flow.facts.row->memory.action == isa::MemoryAction::kStore;
    if (touched != kTouchesNothing) close_those_in_the_way_of(touched, stores, access);
    if (access && access->bytes >= 4 && access->bytes < kMostBytes) add(*access);
  }

  /// Reports what is left.
  void flush() {
    for (const Group& group : groups_) report(group);
    groups_.clear();
  }

 private:
  struct Group {
    std::vector<Access> accesses;  ///< in the order of execution
    std::int64_t begin = 0, end = 0;
    ValueId lanes = 0;
  };

  template <class Closes>
  void close_if(const Closes& closes) {
    for (const Group& group : groups_) {
      if (closes(group)) report(group);
    }
    std::erase_if(groups_, closes);
  }

  /// Together they would take more registers than they do one by one from where a result is used,
  /// or the data of a store is replaced.
  void close_those_used_by(const machine::StepFacts& facts) {
    close_if([&](const Group& group) {
      return std::ranges::any_of(group.accesses, [&](const Access& access) {
        const machine::StepFacts& own = subject_.code.flow[access.step].facts;
        const machine::RegisterRange held = access.stores ? own.stored : own.vector_writes.range[0];
        const auto overlaps = [&](const machine::RegisterRange& r) { return r.overlaps(held); };
        return std::ranges::any_of(facts.vector_writes, overlaps) ||
               (!access.stores && std::ranges::any_of(facts.vector_reads, overlaps));
      });
    });
  }

  /// Accesses of which one stores keep their order, unless they surely are to different bytes.
  void close_those_in_the_way_of(std::uint8_t touched, bool stores,
                                 const std::optional<Access>& access) {
    close_if([&](const Group& group) {
      const Access& first = group.accesses.front();
      const std::uint8_t own = first.lds ? kTouchesLds : kTouchesGlobal;
      if ((own & touched) == 0 || (!stores && !first.stores)) return false;
      const bool apart =
          access && access->lds == first.lds && access->address.same_base(first.address) &&
          std::ranges::none_of(group.accesses,
                               [&](const Access& other) { return other.overlaps(*access); });
      return !apart;
    });
  }

  void add(const Access& access) {
    const ValueId lanes = subject_.values->exec(access.step);
    const std::int64_t begin = access.address.offset, end = begin + access.bytes;
    for (Group& group : groups_) {
      const Access& first = group.accesses.front();
      const bool alike = first.stores == access.stores && first.lds == access.lds &&
                         first.bytes == access.bytes && group.lanes == lanes &&
                         first.address.same_base(access.address);
      const bool beside = begin == group.end || end == group.begin;
      if (!alike || !beside || group.end - group.begin + access.bytes > kMostBytes) continue;
      // More than two need LDS addresses that are multiples of all their bytes.
      const bool fits =
          !access.lds || (group.accesses.size() == 1 && is_pair_of_lds(subject_, first, access));
      if (!fits) continue;
      group.accesses.push_back(access);
      group.begin = std::min(group.begin, begin);
      group.end = std::max(group.end, end);
      return;
    }
    groups_.push_back({{access}, begin, end, lanes});
  }

  void report(const Group& group) {
    if (group.accesses.size() < 2) return;
    const Access& first = group.accesses.front();
    Finding finding;
    finding.step = first.step;
    for (std::size_t i = 1; i < group.accesses.size(); ++i) {
      finding.others.push_back(group.accesses[i].step);
    }
    finding.what =
        fmt::format("{} {} of {} bytes side by side {} could be one of {}", group.accesses.size(),
                    first.stores ? "stores" : "loads", first.bytes,
                    first.lds ? "in LDS" : "in memory", group.end - group.begin);
    finding.note = "if the source does not want them apart (volatile, atomic)";
    findings_.push_back(std::move(finding));
  }

  const Subject& subject_;
  Findings& findings_;
  std::vector<Group> groups_;
};

}  // namespace

void find_narrow_access(const Subject& subject, Findings& findings) {
  if (subject.values == nullptr) return;
  for (const Block& block : subject.blocks.blocks) {
    Groups groups(subject, findings);
    for (std::uint32_t step = block.first; step < block.end; ++step) groups.pass(step);
    groups.flush();
  }
}

}  // namespace wavetank::lint
