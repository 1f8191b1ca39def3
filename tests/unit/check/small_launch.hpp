// A launch of a few waves that do what a test says, under LaunchCheck.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "check/launch_check.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::check {

/// The first row for which `wanted` holds.
template <class Wanted>
const isa::Row* find_row(Wanted wanted) {
  const auto rows = isa::catalogue();
  const auto found = std::find_if(rows.begin(), rows.end(), wanted);
  return found == rows.end() ? nullptr : &*found;
}

/// What waves can do. An addition gives no result, a swap does.
enum class Does : std::uint8_t { kLoad, kStore, kAdd, kSwap, kAtomicLoad, kAtomicStore };

class SmallLaunch {
 public:
  static constexpr unsigned kBytes = 4096;  ///< of memory, and of each workgroup's LDS

  SmallLaunch(unsigned groups, unsigned waves, LaunchFacts facts)
      : memory_(std::move(*machine::DeviceMemory::reserve(1 << 20))),
        facts_([&] {
          facts.groups = groups;
          return facts;
        }()),
        check_(history_, undefined_, facts_) {
    begin_ =
        reinterpret_cast<std::uint64_t>(*memory_->allocate(kBytes, machine::MemoryKind::kDevice));
    environment_.memory = memory_.get();
    environment_.listener = &check_;
    registers_.resize(std::size_t{64} * 8);
    lds_.resize(kBytes);
    for (unsigned i = 0; i < groups; ++i) start_group(i, waves);
  }

  /// All lanes of a wave touch four bytes each, side by side from `byte` on. `site` names the
  /// instruction, from 1.
  void access(unsigned group, unsigned wave, Does does, machine::MemorySpace space,
              std::uint64_t byte, std::uint32_t site = 1, unsigned lanes = 64,
              bool nontemporal = false) {
    machine::StepFacts& facts = instructions_.emplace_back();
    facts.index = site;
    facts.space = space;
    facts.returns = does == Does::kLoad || does == Does::kSwap || does == Does::kAtomicLoad;
    facts.glc = nontemporal || does == Does::kAtomicLoad || does == Does::kAtomicStore;
    facts.slc = nontemporal;
    facts.scc = facts.glc && facts_.stores_show_atomicity;
    facts.port =
        space == machine::MemorySpace::kLds ? machine::Port::kLds : machine::Port::kVectorMemory;
    facts.row = row_of(does, space);
    machine::Step step;
    step.facts = &facts;
    step.lanes = lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
    step.access_bytes = 4;
    const std::uint64_t base = space == machine::MemorySpace::kLds ? 0 : begin_;
    for (unsigned lane = 0; lane < 64; ++lane) step.address.slot(lane) = base + byte + 4 * lane;
    check_.on_instruction(wave_of(group, wave), facts, step);
  }
  /// The same of memory, by a load that is not worth caching.
  void access_nontemporal(unsigned group, unsigned wave, std::uint64_t byte, std::uint32_t site) {
    access(group, wave, Does::kLoad, machine::MemorySpace::kGlobal, byte, site, 64, true);
  }
  /// s_waitcnt for everything.
  void wait(unsigned group, unsigned wave) {
    machine::StepFacts facts;
    facts.row = find_row([](const isa::Row& row) { return row.pause == isa::Pause::kWait; });
    facts.is_waitcnt = true;
    facts.vmcnt_limit = facts.lgkmcnt_limit = 0;
    check_.on_instruction(wave_of(group, wave), facts, {});
  }
  /// A wave calls a function at `site`, which comes back to an address, or jumps to one.
  void call(unsigned group, unsigned wave, std::uint32_t site, std::uint64_t back) {
    machine::StepFacts facts;
    facts.index = site;
    check_.on_call(wave_of(group, wave), facts, back);
  }
  void jump(unsigned group, unsigned wave, std::uint64_t target) {
    check_.on_jump(wave_of(group, wave), target);
  }
  /// __threadfence() or __threadfence_system(): its instructions have the sites from `site` on.
  void fence(unsigned group, unsigned wave, std::uint32_t site, bool of_system = false) {
    const bool is_gfx942 = facts_.stores_show_atomicity;
    if (is_gfx942 || of_system) cache_control(group, wave, true, site, of_system);
    wait(group, wave);
    cache_control(group, wave, false, site + 1, of_system);
  }
  /// buffer_wbl2, or buffer_inv or buffer_wbinvl1_vol.
  void cache_control(unsigned group, unsigned wave, bool writes_back, std::uint32_t site,
                     bool of_system = false) {
    machine::StepFacts& facts = instructions_.emplace_back();
    facts.index = site;
    facts.port = machine::Port::kVectorMemory;
    facts.scc = facts_.stores_show_atomicity;
    facts.glc = facts.scc && of_system;
    facts.row = find_row([&](const isa::Row& row) {
      return writes_back ? row.memory.writes_back_l2 : row.memory.invalidates_l1;
    });
    check_.on_instruction(wave_of(group, wave), facts, {});
  }
  /// All waves of a workgroup come to a barrier.
  void barrier(unsigned group) {
    machine::StepFacts facts;
    facts.index = 1000;
    facts.row = find_row([](const isa::Row& row) { return row.pause == isa::Pause::kBarrier; });
    for (machine::Wave& wave : groups_[group].waves) {
      check_.on_instruction(wave, facts, {});
      wave.stop = machine::Stop::kBarrier;
    }
    check_.on_barrier(groups_[group].workgroup, groups_[group].waves);
    for (machine::Wave& wave : groups_[group].waves) wave.stop = machine::Stop::kRunning;
  }
  /// A wave comes to ds_gws_barrier.
  void arrive_at_global_barrier(unsigned group, unsigned wave) {
    machine::StepFacts& facts = instructions_.emplace_back();
    facts.index = 1001;
    facts.space = machine::MemorySpace::kLds;
    facts.row = find_row(
        [](const isa::Row& row) { return row.memory.special == isa::MemorySpecial::kGwsBarrier; });
    machine::Step step;
    step.access_count = 0;
    check_.on_instruction(wave_of(group, wave), facts, step);
  }
  /// All workgroups have come to ds_gws_barrier; to be called for each.
  void global_barrier(unsigned group) { check_.on_global_barrier(groups_[group].workgroup); }
  LaunchCheck& check() { return check_; }
  /// Nothing but that LDS begins undefined, which is not what these launches are about.
  bool found_nothing() const {
    const std::vector<Finding> all = check_.findings().sorted();
    return std::all_of(all.begin(), all.end(),
                       [](const Finding& one) { return one.kind == Kind::kUndefined; });
  }
  std::uint64_t address() const { return begin_; }

 private:
  struct Running {
    machine::Workgroup workgroup;
    std::vector<machine::Wave> waves;
  };

  static const isa::Row* row_of(Does does, machine::MemorySpace space) {
    using isa::AtomicOperation;
    using isa::MemoryAction;
    MemoryAction action = MemoryAction::kLoad;
    AtomicOperation atomic = AtomicOperation::kNone;
    if (does == Does::kStore || does == Does::kAtomicStore) action = MemoryAction::kStore;
    if (does == Does::kAdd) atomic = AtomicOperation::kAdd;
    if (does == Does::kSwap) atomic = AtomicOperation::kSwap;
    if (atomic != AtomicOperation::kNone) action = MemoryAction::kAtomic;
    const isa::Format format =
        space == machine::MemorySpace::kLds ? isa::Format::kDs : isa::Format::kFlat;
    return find_row([&](const isa::Row& row) {
      return row.encoding.format == format && row.memory.action == action &&
             row.memory.atomic == atomic && row.memory.element_bytes == 4 &&
             row.memory.element_count == 1 && row.memory.special == isa::MemorySpecial::kNone;
    });
  }
  machine::Wave& wave_of(unsigned group, unsigned wave) { return groups_[group].waves[wave]; }
  void start_group(unsigned index, unsigned waves) {
    Running& group = groups_.emplace_back();
    group.workgroup.lds = lds_.data();
    group.workgroup.lds_bytes = kBytes;
    group.waves.resize(waves);
    for (unsigned i = 0; i < waves; ++i) {
      machine::Wave& wave = group.waves[i];
      wave.id_in_group = i;
      wave.workgroup = &group.workgroup;
      wave.environment = &environment_;
      wave.vgpr = registers_.data();
      wave.set_exec(~std::uint64_t{0});
    }
    check_.on_group(group.workgroup, index, group.waves);
  }

  std::unique_ptr<machine::DeviceMemory> memory_;
  std::uint64_t begin_ = 0;
  Memory history_;
  UndefinedMemory undefined_{0, 0};
  const LaunchFacts facts_;
  LaunchCheck check_;
  machine::Environment environment_;
  std::vector<std::uint32_t> registers_;
  std::vector<std::byte> lds_;
  std::deque<Running> groups_;
  std::deque<machine::StepFacts> instructions_;  ///< checks may keep what they know of them
};

}  // namespace wavetank::check
