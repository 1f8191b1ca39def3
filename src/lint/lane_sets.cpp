#include "lint/lane_sets.hpp"

#include <algorithm>
#include <vector>

#include "isa/row.hpp"

namespace wavetank::lint {
namespace {

using isa::Meaning;
using Kind = Value::Kind;

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

/// Lanes that join in a loop are lanes of a mask if those that enter the loop are, and those that
/// come back are as long as the ones before them were.
bool LaneSets::join_is_subset(ValueId lanes, ValueId of) {
  if (std::ranges::find(assumed_, lanes) != assumed_.end()) return true;
  const std::size_t assumed_before = assumed_.size();
  assumed_.push_back(lanes);
  const Value& join = values_[lanes];
  const std::vector<std::uint32_t>& before = values_.blocks().blocks[join.a].before;
  const bool begins = join.a == values_.blocks().order.front();
  const bool holds = !begins && std::ranges::all_of(before, [&](std::uint32_t from) {
    return is_subset(values_.at_end(from, join.b).value, of);
  });
  // What was found by an assumption that is wrong need not be true either.
  if (!holds) assumed_.resize(assumed_before);
  return holds;
}

bool LaneSets::source_is_subset(std::uint32_t step, unsigned source, ValueId of) {
  const auto value = values_.source(step, source);
  return value && is_subset(*value, of);
}

bool LaneSets::result_is_subset(const Value& lanes, ValueId of) {
  const std::uint32_t step = lanes.a;
  const isa::Row& row = values_.code().row(step);
  const bool whole = row.mask_result || isa::dwords_of(row.result.type) == 2;
  if (!whole) return false;
  const auto exec_is_subset = [&] { return is_subset(values_.exec(step), of); };
  switch (row.meaning) {
    case Meaning::kCompare: return exec_is_subset();
    case Meaning::kAnd: return source_is_subset(step, 0, of) || source_is_subset(step, 1, of);
    case Meaning::kAndNot: return source_is_subset(step, 0, of);
    case Meaning::kOr: return source_is_subset(step, 0, of) && source_is_subset(step, 1, of);
    case Meaning::kXor: return source_is_subset(step, 0, of) && source_is_subset(step, 1, of);
    case Meaning::kAndSaveExec: return source_is_subset(step, 0, of) || exec_is_subset();
    case Meaning::kAndNotSaveExec: return source_is_subset(step, 0, of);
    case Meaning::kNotAndSaveExec: return exec_is_subset();
    case Meaning::kOrSaveExec: return source_is_subset(step, 0, of) && exec_is_subset();
    default: return false;
  }
}

bool LaneSets::is_subset(ValueId lanes, ValueId of) {
  if (lanes == of || values_.constant(of) == ~0u || values_.constant(lanes) == 0u) return true;
  if (budget_ == 0) return false;
  --budget_;
  const Value& value = values_[lanes];
  if (value.kind == Kind::kJoin) return join_is_subset(lanes, of);
  return value.kind == Kind::kResult && result_is_subset(value, of);
}

}  // namespace

bool were_active(const Values& values, std::uint32_t at, std::uint32_t before) {
  const Values* const masks = values.masks();
  return masks == nullptr || LaneSets(*masks).is_subset(masks->exec(at), masks->exec(before));
}

}  // namespace wavetank::lint
