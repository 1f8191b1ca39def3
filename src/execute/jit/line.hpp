// Addresses that rise evenly with the lane, as a formula of one vector register and of SGPRs.
#pragma once

#include <optional>
#include <vector>

#include "execute/jit/graph.hpp"

namespace wavetank::execute::jit {

/// A 32-bit value: (register + SGPRs) << shift, of a vector register as the run finds it.
struct Ramp {
  unsigned index = 0;             ///< the vector register
  std::vector<unsigned> addends;  ///< SGPRs
  unsigned shift = 0;
  bool operator==(const Ramp&) const = default;
};

/// How a ramp becomes a 64-bit value: by zeros, by its sign, or it is the low half of a register
/// pair as the run finds it.
enum class Extension : unsigned char { kZeros, kSign, kPair };

/// A 64-bit value: the extended ramp << shift, and SGPR pairs.
struct Line {
  Ramp ramp;
  Extension extension = Extension::kZeros;
  unsigned shift = 0;
  std::vector<unsigned> bases;  ///< the lower SGPR of each pair
  /// Of the last base, where its upper word is not in an SGPR but in this vector register, which
  /// must be the same in all lanes and as the run finds it.
  std::optional<unsigned> upper_word;

  /// By how much the register must rise from lane to lane for the value to rise by `bytes`; 0: by
  /// no whole number.
  unsigned step(unsigned bytes = 4) const {
    constexpr unsigned kWordBits = 32;
    const unsigned all = ramp.shift + shift;
    return all < kWordBits && bytes >> all << all == bytes ? bytes >> all : 0;
  }
  /// Are both the same but for their bases?
  bool same_index(const Line& other) const {
    return ramp == other.ramp && extension == other.extension && shift == other.shift;
  }
};

/// The line of a value of two words, if the graph shows one that may rise by 4.
std::optional<Line> line_of(const Graph& graph, Id low, Id high);
/// One that may rise by `bytes`, whose last base may have an upper_word.
std::optional<Line> rising_line(const Graph& graph, Id low, Id high, unsigned bytes);
/// The same of a word that is extended by zeros.
std::optional<Line> rising_word(const Graph& graph, Id low, unsigned bytes);
/// The same of a word that is extended by zeros and added to an SGPR pair.
std::optional<Line> line_from(const Graph& graph, unsigned base, Id low);

}  // namespace wavetank::execute::jit
