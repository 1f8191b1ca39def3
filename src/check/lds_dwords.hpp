// The dwords of LDS that an instruction touches, a bit for each, worked out of its address
// register.
#pragma once

#include <cstdint>
#include <vector>

#include "check/lds_use.hpp"
#include "machine/step.hpp"

namespace wavetank::check {

class LdsDwords {
 public:
  /// False if lanes go beyond the LDS, or their addresses are in no register.
  bool collect(const machine::Step& step, std::uint64_t lanes, std::uint32_t lds_bytes);
  DwordBits bits() const { return {first_word_, words_}; }

 private:
  void add(std::uint32_t begin, std::uint32_t end);

  std::size_t first_word_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace wavetank::check
