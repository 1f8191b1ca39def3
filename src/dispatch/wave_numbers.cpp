#include "dispatch/wave_numbers.hpp"

#include <array>
#include <span>

namespace wavetank::dispatch {
namespace {

/// Sums that the host's multiplier forms side by side.
struct StateSum {
  void add(std::span<const std::uint32_t> words) {
    for (std::size_t i = 0; i + parts.size() <= words.size(); i += parts.size()) {
      for (std::size_t j = 0; j < parts.size(); ++j) parts[j] = (parts[j] + words[i + j]) * kFactor;
    }
  }
  std::uint64_t total() const {
    std::uint64_t total = 0;
    for (const std::uint64_t part : parts) total = (total ^ part >> 32 ^ part) * kFactor;
    return total;
  }
  /// Odd, so that no product loses what was there: 2^64 over the golden ratio.
  static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  std::array<std::uint64_t, 8> parts{};
};

}  // namespace

std::uint64_t scalar_number(const machine::Wave& wave) {
  StateSum sum;
  sum.parts[0] = reinterpret_cast<std::uintptr_t>(wave.next) + wave.scc;
  sum.add(wave.sgpr);
  return sum.total();
}

std::uint64_t vector_number(const machine::Wave& wave) {
  StateSum sum;
  sum.add({wave.vgpr, std::size_t{machine::kLanes} * wave.vgpr_count});
  return sum.total();
}

}  // namespace wavetank::dispatch
