#include "timing/units/bank_cycles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "timing/granule.hpp"

namespace wavetank::timing {
namespace {

/// Lanes that are served together (tingqli/pyhip bank-conflict measurements on gfx942; Composable
/// Kernel, ck_tile hardware notes): pairs of halves for dwords, quarters for 8 bytes, and for
/// 16-byte reads interleaved eighths.
constexpr std::array<std::uint64_t, 2> kDwordGroups = {0x00000000ffffffff, 0xffffffff00000000};
constexpr std::array<std::uint64_t, 4> kQwordGroups = {0x000000000000ffff, 0x00000000ffff0000,
                                                       0x0000ffff00000000, 0xffff000000000000};
constexpr std::array<std::uint64_t, 8> kWideReadGroups = {
    0x0000000000f0000f, 0x00000000000f00f0, 0x00000000f0000f00, 0x000000000f00f000,
    0x00f0000f00000000, 0x000f00f000000000, 0xf0000f0000000000, 0x0f00f00000000000};
constexpr std::array<std::uint64_t, 8> kWideWriteGroups = {
    0x00000000000000ff, 0x000000000000ff00, 0x0000000000ff0000, 0x00000000ff000000,
    0x000000ff00000000, 0x0000ff0000000000, 0x00ff000000000000, 0xff00000000000000};

std::span<const std::uint64_t> groups_of(unsigned bytes, bool write) {
  if (bytes <= 4) return kDwordGroups;
  if (bytes == 8) return kQwordGroups;
  return write ? std::span<const std::uint64_t>(kWideWriteGroups) : kWideReadGroups;
}

/// How many different dwords each bank is asked for.
class BankLoads {
 public:
  explicit BankLoads(std::uint32_t banks) : bank_of_(banks) {}
  /// More than kMost different ones are not counted: no group of lanes has as many.
  void ask(std::uint64_t dword) {
    const std::uint64_t bank = bank_of_.rest(dword);
    for (unsigned i = newest_[bank]; i != 0; i = asked_[i].older) {
      if (asked_[i].dword == dword) return;
    }
    if (count_ == kMost) return;
    asked_[++count_] = {dword, newest_[bank]};
    newest_[bank] = static_cast<std::uint8_t>(count_);
    worst_ = std::max(worst_, ++loads_[bank]);
  }
  /// Of the bank with the most; 1 if there are none.
  std::uint32_t worst() const { return worst_; }

 private:
  static constexpr unsigned kMost = 64;
  struct Asked {
    std::uint64_t dword;
    std::uint8_t older;  ///< of the same bank; 0: none
  };
  Granule bank_of_;
  std::array<std::uint8_t, kMostLdsBanks> newest_ = {};
  std::array<std::uint32_t, kMostLdsBanks> loads_ = {};
  std::array<Asked, kMost + 1> asked_;  // from 1 on
  unsigned count_ = 0;
  std::uint32_t worst_ = 1;
};

/// Cycles of one group: the bank with the most distinct dwords.
std::uint32_t group_cycles(const machine::Step& step, std::uint64_t lanes, std::int64_t offset,
                           const LdsSpec& lds) {
  if (!lds.banks_conflict) return 1;
  BankLoads loads(lds.banks);
  const unsigned wide = (step.access_bytes + 3) / 4;
  for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t address = step.address[lane] + static_cast<std::uint64_t>(offset);
    if (address >= lds.bytes) continue;  // nothing is there: no bank works for it
    for (unsigned i = 0; i < wide; ++i) loads.ask(address / 4 + i);
  }
  return loads.worst();
}

std::uint32_t same_address_cycles(const machine::Step& step, std::uint64_t lanes) {
  std::array<std::uint64_t, 64> addresses;
  unsigned count = 0;
  for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
    addresses[count++] = step.address[static_cast<unsigned>(std::countr_zero(rest))];
  }
  std::sort(addresses.begin(), addresses.begin() + count);
  std::uint32_t longest = 0, run = 0;
  for (unsigned i = 0; i < count; ++i) {
    run = i > 0 && addresses[i] == addresses[i - 1] ? run + 1 : 1;
    longest = std::max(longest, run);
  }
  return longest > 0 ? longest - 1 : 0;
}

}  // namespace

BankCycles count_bank_cycles(const machine::Step& step, std::uint64_t lanes, const LdsSpec& lds) {
  BankCycles cycles;
  const isa::MemoryAction action = step.facts->row->memory.action;
  const bool write = action == isa::MemoryAction::kStore;
  for (unsigned access = 0; access < step.access_count; ++access) {
    for (const std::uint64_t group : groups_of(step.access_bytes, write)) {
      if ((lanes & group) == 0) continue;
      const std::uint32_t cost =
          group_cycles(step, lanes & group, access * step.access_stride, lds);
      cycles.total += cost;
      cycles.conflict += cost - 1;
    }
  }
  if (action == isa::MemoryAction::kAtomic) {
    cycles.same_address = same_address_cycles(step, lanes);
  }
  return cycles;
}

}  // namespace wavetank::timing
