// Which lane masks are parts of others, as far as the instructions that made them tell.
#pragma once

#include <vector>

#include "lint/values.hpp"

namespace wavetank::lint {

/// Answers one question.
class LaneSets {
 public:
  explicit LaneSets(const Values& values) : values_(values) {}

  /// True if all lanes of a mask surely are in the other one. Both are the lower halves of masks.
  bool is_subset(ValueId lanes, ValueId of);

 private:
  bool result_is_subset(const Value& lanes, ValueId of);
  bool source_is_subset(std::uint32_t step, unsigned source, ValueId of);
  bool join_is_subset(ValueId lanes, ValueId of);

  const Values& values_;
  std::vector<ValueId> assumed_;  ///< joins that are, or are being looked at
  unsigned budget_ = 100;         ///< masks that are still looked at
};

}  // namespace wavetank::lint
