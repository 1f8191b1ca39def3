#include "hip/runtime/settings.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/text.hpp"

namespace wavetank::hip {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

bool is_on(const char* name) {
  const std::string_view value = variable(name);
  return !value.empty() && value != "0";
}

/// ROCm reads ordinals up to the first entry that is none (a negative number hides the rest).
std::vector<int> ordinals(std::string_view list) {
  std::vector<int> result;
  for (const std::string& item : split_at_commas(list)) {
    int ordinal = -1;
    const auto parsed = std::from_chars(item.data(), item.data() + item.size(), ordinal);
    if (parsed.ec != std::errc{} || ordinal < 0) break;
    result.push_back(ordinal);
  }
  return result;
}

WhatIfSettings read_what_if() {
  WhatIfSettings what_if;
  for (std::string& change : split_at_commas(variable("WAVETANK_WHAT_IF"))) {
    if (change == "list")
      what_if.whole_list = true;
    else if (change == "numbers")
      what_if.numbers = true;
    else
      what_if.changes.push_back(std::move(change));
  }
  what_if.kernel = variable("WAVETANK_WHAT_IF_KERNEL");
  const std::string_view top = variable("WAVETANK_WHAT_IF_TOP");
  std::from_chars(top.data(), top.data() + top.size(), what_if.top);
  return what_if;
}

TimingSettings read_timing() {
  TimingSettings timing;
  timing.timed = is_on("WAVETANK_TIMED");
  timing.profile_path = variable("WAVETANK_PROFILE");
  timing.exact = is_on("WAVETANK_EXACT");
  timing.every_launch = is_on("WAVETANK_EVERY_LAUNCH");
  timing.sustained_clock = variable("WAVETANK_CLOCKS") == "sustained";
  const std::string_view trace = variable("WAVETANK_TRACE");
  const auto colon = trace.rfind(':');
  timing.trace_kernel = trace.substr(0, colon);
  if (colon != std::string_view::npos) {
    std::from_chars(trace.data() + colon + 1, trace.data() + trace.size(), timing.trace_cu);
  }
  timing.what_if = read_what_if();
  return timing;
}

}  // namespace

Settings read_settings() {
  Settings settings;
  settings.devices = split_at_commas(variable("WAVETANK_DEVICE"));
  for (const char* name : {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"}) {
    if (std::getenv(name) == nullptr) continue;
    settings.visible_devices = ordinals(variable(name));
    settings.visible_devices_given = true;
    break;
  }
  const std::string_view threads = variable("WAVETANK_THREADS");
  std::from_chars(threads.data(), threads.data() + threads.size(), settings.worker_threads);
  settings.continue_after_unsupported = is_on("WAVETANK_CONTINUE");
  settings.xnack = is_on("HSA_XNACK");
  settings.launch_blocking = is_on("HIP_LAUNCH_BLOCKING");
  settings.host_coherent = is_on("HIP_HOST_COHERENT");
  settings.timing = read_timing();
  settings.check_path = variable("WAVETANK_CHECK");
  return settings;
}

}  // namespace wavetank::hip
