// Compares our reading of instruction words with LLVM's and puts each comparison into one class.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "encoding/decoder.hpp"
#include "unit/encoding/oracle.hpp"
#include "unit/encoding/report.hpp"

namespace wavetank::test {

/// The comparisons of one target so far.
class Campaign {
 public:
  explicit Campaign(const isa::Target& target);
  /// Reads each item (two dwords) both ways.
  void compare(std::span<const Dwords> items);
  /// How many items each class has; classes of differences are the lines of deviations.txt.
  const std::map<std::string, std::uint64_t>& classes() const { return classes_; }
  /// Differences that no class explains.
  const Report& unexplained() const { return unexplained_; }
  /// The classes with their counts, one a line, the largest first.
  std::string text() const;

 private:
  /// Both readings of an item: texts, empty where it is no instruction.
  struct Readings {
    Dwords item;
    std::string ours, theirs, rest, error;
    bool absent = false;  ///< we say that the instruction exists and is not run
    bool crash = false;   ///< LLVM gave up
  };
  Readings our_reading(const Dwords& item) const;
  /// The class, or empty for an unexplained difference.
  std::string class_of(const Readings& readings) const;
  bool same_with_reserved_bits(const Readings& readings) const;

  const isa::Target& target_;
  encoding::Decoder decoder_;
  std::map<std::string, std::uint64_t> classes_;
  Report unexplained_;
};

}  // namespace wavetank::test
