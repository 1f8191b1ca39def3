#include "profile/result_number.hpp"

#include <bit>
#include <concepts>
#include <functional>
#include <string>
#include <type_traits>

#include "profile/profile_fields.hpp"

namespace wavetank::profile {
namespace {

/// A number for all fields that it is shown.
class Digest {
 public:
  template <class T>
  void operator()(const char* /*key*/, const T& value) {
    add(value);
  }
  std::uint64_t number() const { return number_; }

 private:
  template <class T>
  void add(const T& value) {
    if constexpr (std::floating_point<T>) {
      mix(std::bit_cast<std::uint64_t>(double{value}));
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      mix(static_cast<std::uint64_t>(value));
    } else if constexpr (std::is_pointer_v<T>) {
      mix(reinterpret_cast<std::uintptr_t>(value));
    } else if constexpr (std::same_as<T, std::string>) {
      mix(std::hash<std::string>()(value));
    } else if constexpr (std::same_as<T, Dim3>) {
      for (const std::uint32_t size : {value.x, value.y, value.z}) mix(size);
    } else if constexpr (requires { typename T::mapped_type; }) {
      mix(value.size());
      for (const auto& [name, item] : value) {
        add(name);
        add(item);
      }
    } else if constexpr (requires { typename T::value_type; }) {
      mix(value.size());
      for (const auto& item : value) add(item);
    } else {
      visit_fields(*this, value, value);
    }
  }
  void mix(std::uint64_t value) {
    // Each value gives each number another one. The multiplier is 2^64 by the golden ratio (Knuth,
    // "The Art of Computer Programming" 6.4); the shift brings the upper bits, in which small
    // doubles differ, down again.
    constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;
    number_ = (number_ ^ value) * kMultiplier;
    number_ ^= number_ >> 32;
  }

  std::uint64_t number_ = 0;
};

}  // namespace

std::uint64_t result_number(const LaunchProfile& launch) {
  LaunchProfile result = launch;
  result.dispatch_id = result.stream_id = 0;
  result.begin_ns = result.end_ns = 0;
  result.timed_before = false;
  result.repeats = {};
  result.stays = {};
  result.arrays.clear();
  for (auto& [name, value] : result.counters) value.max = 0;
  for (LevelTraffic& level : result.levels) {
    level.busy_percent = 0;
    level.channels = {};
    level.rows = {};
  }
  Digest digest;
  digest("launch", result);
  return digest.number();
}

}  // namespace wavetank::profile
