// Compares what a library gave with what the host says, and times the library's calls.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "common/check.hpp"

namespace libraries {

// Sizes around the wave, the block and the tile of a device-wide algorithm.
inline const std::vector<size_t> kSizes = {0,   1,   2,    63,   64,     65,     255,
                                           256, 257, 1000, 4097, 100000, 1000003};

template <typename T>
const char* type_name() {
  if (std::is_same_v<T, int>) return "int";
  if (std::is_same_v<T, unsigned>) return "unsigned";
  if (std::is_same_v<T, float>) return "float";
  if (std::is_same_v<T, double>) return "double";
  if (std::is_same_v<T, uint8_t>) return "uint8";
  if (std::is_same_v<T, int64_t>) return "int64";
  if (std::is_same_v<T, uint64_t>) return "uint64";
  return "other";
}

// A value as text for a message.
template <typename T>
std::string text(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) return std::to_string(value);
  return "another value";
}

// A fixed sequence of well-mixed words: Marsaglia's xorshift64*, with Vigna's multiplier.
class Words {
 public:
  explicit Words(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  uint64_t operator()() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1Du;
  }

 private:
  uint64_t state_;
};

// `count` values between 0 and `limit` - 1 (with a limit of at most
// 16 the sum of a million of them is exact in binary32, in any order).
template <typename T>
std::vector<T> small_values(size_t count, uint64_t limit, uint64_t seed = 1) {
  Words words(seed);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>((words() >> 20) % limit);
  return values;
}

// `count` values over the whole range of T, of both signs; no NaN, no infinity.
template <typename T>
std::vector<T> wide_values(size_t count, uint64_t seed = 1) {
  Words words(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    const uint64_t word = words();
    if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(std::ldexp(static_cast<double>(static_cast<int64_t>(word)),
                                        static_cast<int>(word % 60) - 100));
    } else {
      value = static_cast<T>(word >> 8);
    }
  }
  return values;
}

// Collects the verdicts and times of a program.
class Judge {
 public:
  // A program started with the argument `quick` tries few cases.
  Judge(int argc, char** argv) : quick_(argc > 1 && std::string(argv[1]) == "quick") {}
  bool quick() const { return quick_; }

  // Notes whether `right`; the first wrong cases are printed.
  void note(bool right, const std::string& what) {
    ++cases_;
    if (right) return;
    if (++wrong_ <= 20) std::printf("WRONG %s\n", what.c_str());
  }

  // Whether both hold the same values; says where they first differ.
  template <typename T>
  void same(const std::vector<T>& got, const std::vector<T>& want, const std::string& what) {
    size_t at = 0;
    const size_t common = std::min(got.size(), want.size());
    while (at < common && got[at] == want[at]) ++at;
    const bool right = got.size() == want.size() && at == common;
    std::string place;
    if (!right && at < common) {
      place = " at " + text(at) + ": got " + text(got[at]) + ", host says " + text(want[at]);
    } else if (!right) {
      place =
          ": " + std::to_string(got.size()) + " values, host says " + std::to_string(want.size());
    }
    note(right, what + place);
  }

  // Whether each value is within `tolerance`, relative to 1 + |want|.
  template <typename T, typename Wanted>
  void close(const std::vector<T>& got, const std::vector<Wanted>& want, double tolerance,
             const std::string& what) {
    for (size_t at = 0; at < want.size(); ++at) {
      const double value = static_cast<double>(got[at]);
      const double wanted = static_cast<double>(want[at]);
      if (example::close(value, wanted, tolerance)) continue;
      note(false, what + " at " + std::to_string(at) + ": got " + std::to_string(value) +
                      ", host says " + std::to_string(wanted));
      return;
    }
    note(true, what);
  }

  // Runs `call()` and waits for the device; keeps the time of the largest `elements` of `what`.
  template <typename Call>
  void timed(const std::string& what, size_t elements, Call call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    HIP_CHECK(hipDeviceSynchronize());
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    for (Time& time : times_) {
      if (time.what != what) continue;
      if (elements >= time.elements) time = {what, elements, spent.count()};
      return;
    }
    times_.push_back({what, elements, spent.count()});
  }

  // A rocPRIM call, `call(storage, bytes)`: asks for the size of its storage, then runs it.
  template <typename Call>
  void with_storage(const std::string& what, size_t elements, Call call) {
    size_t bytes = 0;
    HIP_CHECK(call(static_cast<void*>(nullptr), bytes));
    example::DeviceArray<char> storage(std::max<size_t>(bytes, 1));
    timed(what, elements, [&] { HIP_CHECK(call(static_cast<void*>(storage.data()), bytes)); });
  }

  // Prints times, counts and verdict; gives the exit code.
  int verdict() const {
    for (const Time& time : times_) {
      std::printf(
          "  %-34s %9zu elements %9.2f ms %9.1f ns/element\n", time.what.c_str(), time.elements,
          time.milliseconds,
          time.milliseconds * 1e6 / static_cast<double>(std::max<size_t>(time.elements, 1)));
    }
    std::printf("%d of %d cases right\n", cases_ - wrong_, cases_);
    return example::verdict(wrong_ == 0 && cases_ > 0);
  }

 private:
  struct Time {
    std::string what;
    size_t elements;
    double milliseconds;
  };
  bool quick_;
  int cases_ = 0;
  int wrong_ = 0;
  std::vector<Time> times_;
};

// The host's answer, with the wrap-around of T and no signed overflow.
template <typename T>
T add(T left, T right) {
  if constexpr (std::is_integral_v<T>) {
    using Bits = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Bits>(static_cast<Bits>(left) + static_cast<Bits>(right)));
  } else {
    return left + right;
  }
}

template <typename T>
std::string label(const char* what, size_t count) {
  return std::string(what) + " " + type_name<T>() + " n=" + std::to_string(count);
}

}  // namespace libraries
