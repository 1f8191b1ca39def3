// What is known to be done, of each line of operations (a stream, a chain of a graph's nodes, the
// host) how many: a vector clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

namespace wavetank::check {

class OrderClock {
 public:
  /// True if the `number`th operation of a line is known to be done.
  bool covers(std::uint64_t line, std::uint64_t number) const {
    const auto at = done_.find(line);
    return at != done_.end() && number <= at->second;
  }
  void learn(std::uint64_t line, std::uint64_t number) {
    std::uint64_t& done = done_[line];
    done = std::max(done, number);
  }
  void learn(const OrderClock& other) {
    for (const auto& [line, number] : other.done_) learn(line, number);
  }

 private:
  std::map<std::uint64_t, std::uint64_t> done_;
};

}  // namespace wavetank::check
