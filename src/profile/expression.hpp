// The formulas of derived metrics: arithmetic over counters and properties of the device.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace wavetank::profile {

/// A number, or the reason why there is none.
struct MetricValue {
  std::optional<double> value;
  std::string why_not;  ///< "TCC_HIT is not counted", "divides by SQ_WAVES, which is 0"
};

/// Looks up `name` of `function(name)`, or of a bare name with an empty function.
using Lookup = std::function<MetricValue(std::string_view function, std::string_view name)>;

/// Evaluates numbers, + - * / and parentheses over what `lookup` gives: "100*sum(A)/CU_NUM". A
/// division by zero and a malformed text give no value.
MetricValue evaluate(std::string_view expression, const Lookup& lookup);

}  // namespace wavetank::profile
