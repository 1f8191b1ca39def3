// Derived metrics under rocprofiler's names, as formulas over raw counters. Every name works for
// all processors, also where AMD's own file defines it for one only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "profile/expression.hpp"
#include "profile/launch_profile.hpp"
#include "target/device.hpp"

namespace wavetank::profile {

/// What a metric is from some processor on.
struct LaterFormula {
  std::string_view formula;
  isa::Version since = isa::Version{0xffff};
  constexpr LaterFormula(const char* same) : formula(same) {}
  constexpr LaterFormula(isa::Version first, const char* text) : formula(text), since(first) {}
};

/// A derived metric. A formula names counters as sum(X), max(X), avr(X) over their instances or
/// accumulate(X) (the integral of a level over clocks), other metrics, and CU_NUM, SIMD_NUM,
/// SE_NUM, XCC_NUM. TCC_EA_* stands for the counters of
/// the processor's port to the fabric (isa::Target::fabric_port).
struct Metric {
  std::string_view name;  ///< "VALUBusy"
  std::string_view unit;  ///< "%", "KiB", "bytes/cycle", "per wave", "cycles", ...
  std::string_view formula;
  LaterFormula later;        ///< another formula on later processors; empty: the same
  std::string_view meaning;  ///< one line
};

/// All metrics (source: rocprofiler-sdk counter_defs.yaml; metrics.xml of rocprof where that file
/// leaves one out).
std::span<const Metric> metrics();

/// The metric with this name; nothing if there is none.
const Metric* find_metric(std::string_view name);

/// The formula that holds for a processor, with the counters' names there.
std::string formula_for(const Metric& metric, const isa::Target& target);

/// The value of a metric, of a counter ("SQ_WAVES": the sum), or of a reduction ("TCC_HIT_sum",
/// "TA_TA_BUSY_max", "TCC_HIT_avr"). There is none, with the reason, for what the model did not
/// count.
MetricValue value_of(std::string_view name, const LaunchProfile& launch,
                     const target::Device& device);

/// The counters that a metric or counter rests on, each once. Errors: kUsage for a name that is
/// neither a metric nor a counter of the processor.
Result<std::vector<std::string>> counters_of(std::string_view name, const isa::Target& target);

}  // namespace wavetank::profile
