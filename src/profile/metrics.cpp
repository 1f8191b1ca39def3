#include "profile/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "profile/counter_names.hpp"

namespace wavetank::profile {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

/// How formulas begin the names of counters at the port to the fabric.
constexpr std::string_view kPort = "TCC_EA_";

std::string port_of(const isa::Target& target) {
  return fmt::format("TCC_{}_", target.fabric_port);
}

/// A counter as one processor names it.
std::string counter_on(const isa::Target& target, std::string_view name) {
  if (!name.starts_with(kPort)) return std::string(name);
  return port_of(target) + std::string(name.substr(kPort.size()));
}

MetricValue reduce(std::string_view function, const CounterValue& counter) {
  if (function == "max") return {counter.max, {}};
  if (function == "avr") {
    if (counter.instances == 0) return {std::nullopt, "a counter without instances"};
    return {counter.sum / counter.instances, {}};
  }
  return {counter.sum, {}};
}

/// Splits "TCC_HIT_avr" into avr and TCC_HIT; other names are sums of themselves.
std::pair<std::string_view, std::string_view> split_reduction(std::string_view name) {
  for (const std::string_view function : {"sum", "max", "avr"}) {
    if (ends_with(name, function) && ends_with(name.substr(0, name.size() - 3), "_")) {
      const std::string_view counter = name.substr(0, name.size() - 4);
      if (find_counter(counter) != nullptr) return {function, counter};
    }
  }
  return {"sum", name};
}

class Evaluation {
 public:
  Evaluation(const LaunchProfile& launch, const target::Device& device)
      : launch_(launch), device_(device) {}

  MetricValue counter(std::string_view function, std::string_view name) const {
    const std::string there = counter_on(*device_.target, name);
    const auto found = launch_.counters.find(there);
    if (found != launch_.counters.end()) return reduce(function, found->second);
    return {std::nullopt, counts(*device_.target, there)
                              ? fmt::format("{} is not counted", there)
                              : fmt::format("{} has no {}", device_.gfx(), there)};
  }

  MetricValue metric(const Metric& metric) {
    if (++depth_ > 8) return {std::nullopt, "a metric that needs itself"};
    const MetricValue result = evaluate(
        formula_for(metric, *device_.target),
        [this](std::string_view function, std::string_view name) { return look(function, name); });
    --depth_;
    return result;
  }

 private:
  MetricValue look(std::string_view function, std::string_view name) {
    if (!function.empty()) return counter(function, name);
    if (name == "CU_NUM") return {device_.compute_units, {}};
    if (name == "SIMD_NUM") return {1.0 * device_.simds_per_cu * device_.compute_units, {}};
    if (name == "SE_NUM") return {device_.shader_engines, {}};
    if (name == "XCC_NUM") return {device_.xcds, {}};
    if (const Metric* other = find_metric(name)) return metric(*other);
    return {std::nullopt, fmt::format("nothing is called {}", name)};
  }

  const LaunchProfile& launch_;
  const target::Device& device_;
  unsigned depth_ = 0;
};

}  // namespace

const Metric* find_metric(std::string_view name) {
  const auto all = metrics();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Metric& m) { return m.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string formula_for(const Metric& metric, const isa::Target& target) {
  std::string formula(metric.later.since <= target.version ? metric.later.formula : metric.formula);
  const std::string port = port_of(target);
  for (std::size_t at = 0; (at = formula.find(kPort, at)) != std::string::npos;) {
    formula.replace(at, kPort.size(), port);
    at += port.size();
  }
  return formula;
}

MetricValue value_of(std::string_view name, const LaunchProfile& launch,
                     const target::Device& device) {
  Evaluation evaluation(launch, device);
  if (const Metric* metric = find_metric(name)) return evaluation.metric(*metric);
  const auto [function, counter] = split_reduction(name);
  return evaluation.counter(function, counter);
}

Result<std::vector<std::string>> counters_of(std::string_view name, const isa::Target& target) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view counter) {
    if (std::find(names.begin(), names.end(), counter) == names.end()) names.emplace_back(counter);
  };
  const Metric* metric = find_metric(name);
  if (metric == nullptr) {
    const std::string_view counter = split_reduction(name).second;
    if (!counts(target, counter)) {
      return fail(ErrorCode::kUsage,
                  fmt::format("{} has no counter or metric {}", target.name, name), {},
                  "`wavetank shell -- rocprofv3 -L` lists them");
    }
    add(counter);
    return names;
  }
  // Every name of the formula has the value 1 here: only the names matter.
  const Lookup collect = [&](std::string_view function, std::string_view part) -> MetricValue {
    if (!function.empty()) add(part);
    if (const Metric* other = function.empty() ? find_metric(part) : nullptr; other != nullptr) {
      if (const auto more = counters_of(other->name, target)) {
        for (const std::string& counter : *more) add(counter);
      }
    }
    return {1.0, {}};
  };
  evaluate(formula_for(*metric, target), collect);
  return names;
}

}  // namespace wavetank::profile
