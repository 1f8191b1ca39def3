#include "profile/profile_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <limits>

#include "base/json.hpp"
#include "isa/catalogue.hpp"
#include "isa/mnemonic.hpp"
#include "profile/launch_repeats.hpp"

namespace wavetank::profile {
namespace {

// One list of fields for each structure serves the writer and the reader.

template <class Visit, class T>
void visit_fields(Visit&& visit, CounterValue&, T& c) {
  visit("sum", c.sum);
  visit("max", c.max);
  visit("instances", c.instances);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, ChannelLoad&, T& load) {
  visit("channels", load.channels);
  visit("busiest_percent", load.busiest_percent);
  visit("moment_percent", load.moment_percent);
  visit("crowded", load.crowded);
  visit("crowded_percent", load.crowded_percent);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, RowUse&, T& rows) {
  visit("opened", rows.opened);
  visit("row_bytes", rows.row_bytes);
  visit("busy_percent", rows.busy_percent);
  visit("bus_percent", rows.bus_percent);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, LevelTraffic&, T& level) {
  visit("name", level.name);
  visit("bytes_read", level.bytes_read);
  visit("bytes_written", level.bytes_written);
  visit("peak_bytes_per_cycle", level.peak_bytes_per_cycle);
  visit("requests", level.requests);
  visit("hits", level.hits);
  visit("busy_percent", level.busy_percent);
  visit("peak_source", level.peak_source);
  visit("channels", level.channels);
  visit("rows", level.rows);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, UnitUse&, T& unit) {
  visit("name", unit.name);
  visit("busy_percent", unit.busy_percent);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, Operations&, T& o) {
  visit("f16", o.f16);
  visit("f32", o.f32);
  visit("f64", o.f64);
  visit("integer", o.integer);
  visit("matrix_f16", o.matrix_f16);
  visit("matrix_bf16", o.matrix_bf16);
  visit("matrix_f32", o.matrix_f32);
  visit("matrix_f64", o.matrix_f64);
  visit("matrix_f8", o.matrix_f8);
  visit("matrix_xf32", o.matrix_xf32);
  visit("matrix_i8", o.matrix_i8);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, LaneStride&, T& stride) {
  visit("least", stride.least);
  visit("greatest", stride.greatest);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, InstructionProfile&, T& i) {
  visit("offset", i.offset);
  visit("virtual_address", i.virtual_address);
  visit("text", i.text);
  visit("row", i.row);
  visit("file", i.file);
  visit("line", i.line);
  visit("hits", i.hits);
  visit("active_lanes", i.active_lanes);
  visit("lines_touched", i.lines_touched);
  visit("lines_needed", i.lines_needed);
  visit("strided_accesses", i.strided_accesses);
  visit("stride", i.stride);
  visit("array", i.array);
  visit("array_bytes", i.array_bytes);
  visit("access", i.access);
  visit("known_before", i.known_before);
  visit("private_accesses", i.private_accesses);
  visit("translation_misses", i.translation_misses);
  visit("lds_conflict_cycles", i.lds_conflict_cycles);
  visit("cycles", i.cycles);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, OccupancyProfile&, T& o) {
  visit("waves_per_simd_limit", o.waves_per_simd_limit);
  visit("wave_slots_per_simd", o.wave_slots_per_simd);
  visit("limited_by", o.limited_by);
  visit("achieved_waves_per_cu", o.achieved_waves_per_cu);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, Sampling&, T& s) {
  visit("sampled", s.sampled);
  visit("workgroups", s.workgroups);
  visit("simulated_workgroups", s.simulated_workgroups);
  visit("uncertainty_percent", s.uncertainty_percent);
  visit("rest_ratio", s.rest_ratio);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, TraceWave&, T& w) {
  visit("xcd", w.xcd);
  visit("se", w.se);
  visit("cu", w.cu);
  visit("simd", w.simd);
  visit("slot", w.slot);
  visit("workgroup", w.workgroup);
  visit("wave_in_group", w.wave_in_group);
  visit("begin_cycle", w.begin_cycle);
  visit("end_cycle", w.end_cycle);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, TraceIssue&, T& i) {
  visit("wave", i.wave);
  visit("instruction", i.instruction);
  visit("issue_cycle", i.issue_cycle);
  visit("issue_cycles", i.issue_cycles);
  visit("stall_cycles", i.stall_cycles);
  visit("stall_reason", i.stall_reason);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, ThreadTrace&, T& trace) {
  visit("waves", trace.waves);
  visit("issues", trace.issues);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, ArrayTraffic&, T& array) {
  visit("name", array.name);
  visit("bytes", array.bytes);
  visit("l2_read", array.l2_read);
  visit("l2_written", array.l2_written);
  visit("hbm_read", array.hbm_read);
  visit("hbm_written", array.hbm_written);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, WorkgroupStay&, T& stay) {
  visit("cu", stay.cu);
  visit("workgroup", stay.workgroup);
  visit("begin_cycle", stay.begin_cycle);
  visit("end_cycle", stay.end_cycle);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, WorkgroupStays&, T& stays) {
  visit("kept", stays.kept);
  visit("left_out", stays.left_out);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, Transfer&, T& transfer) {
  visit("kind", transfer.kind);
  visit("stream_id", transfer.stream_id);
  visit("bytes", transfer.bytes);
  visit("begin_ns", transfer.begin_ns);
  visit("end_ns", transfer.end_ns);
}

/// By the first key of its line a transfer is known.
constexpr std::string_view kTransferStart = "{\"transfer\":";

template <class Visit, class T>
void visit_fields(Visit&& visit, TransferLine&, T& l) {
  visit("transfer", l.transfer);
  visit("left_out", l.left_out);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, Repeats&, T& r) {
  visit("count", r.count);
  visit("dispatch_step", r.dispatch_step);
  visit("first_ns", r.first_ns);
  visit("step_ns", r.step_ns);
  visit("process_id", r.process_id);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, Merged&, T& m) {
  visit("id", m.id);
  visit("timed", m.timed);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, MergedLaunch&, T& l) {
  visit("dispatch_id", l.dispatch_id);
  visit("stream_id", l.stream_id);
  visit("begin_ns", l.begin_ns);
  visit("end_ns", l.end_ns);
  visit("cycles", l.cycles);
  visit("counters", l.counters);
}

/// By the first key of its line a merged launch is known.
constexpr std::string_view kMergedStart = "{\"into\":";

template <class Visit, class T>
void visit_fields(Visit&& visit, MergedLine&, T& l) {
  visit("into", l.into);
  visit("launch", l.launch);
  visit("places", l.changes.places);
  visit("values", l.changes.values);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, WhatIf&, T& w) {
  visit("change", w.change);
  visit("cycles", w.cycles);
  visit("problem", w.problem);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, LaunchProfile&, T& l) {
  visit("kernel_name", l.kernel_name);
  visit("mangled_name", l.mangled_name);
  visit("device", l.device);
  visit("dispatch_id", l.dispatch_id);
  visit("stream_id", l.stream_id);
  visit("grid_work_items", l.grid_work_items);
  visit("workgroup_work_items", l.workgroup_work_items);
  visit("vgprs", l.vgprs);
  visit("agprs", l.agprs);
  visit("sgprs", l.sgprs);
  visit("lds_bytes", l.lds_bytes);
  visit("scratch_bytes_per_lane", l.scratch_bytes_per_lane);
  visit("timed_before", l.timed_before);
  if (l.timed_before) visit("repeats", l.repeats);
  visit("merged", l.merged);
  visit("begin_ns", l.begin_ns);
  visit("end_ns", l.end_ns);
  visit("engine_clock_mhz", l.engine_clock_mhz);
  visit("cycles", l.cycles);
  visit("launch_cycles", l.launch_cycles);
  visit("write_back_cycles", l.write_back_cycles);
  visit("tail_cycles", l.tail_cycles);
  visit("wave_slots", l.wave_slots);
  visit("cycles_by_reason", l.cycles_by_reason);
  visit("dispatch_slot_cycles", l.dispatch_slot_cycles);
  visit("waves", l.waves);
  visit("occupancy", l.occupancy);
  visit("units", l.units);
  visit("levels", l.levels);
  visit("arrays", l.arrays);
  visit("operations", l.operations);
  visit("counters", l.counters);
  visit("instructions", l.instructions);
  visit("sampling", l.sampling);
  visit("evidence_percent", l.evidence_percent);
  visit("what_if", l.what_if);
  visit("not_repeatable", l.not_repeatable);
  visit("trace", l.trace);
  visit("stays", l.stays);
}

template <class T>
Json json_of(const T& value);
Json json_of(const ReasonCycles& cycles);
Json json_of(const isa::Row* row);

/// Leaves out what equals the default, and gives short rows to what comes in millions.
struct Writer {
  Json& json;
  bool as_row = false;

  template <class T>
  void operator()(const char* key, const T& value) {
    Json item = json_of(value);
    if (as_row) {
      json.push_back(std::move(item));
    } else if (!item.empty() && item != Json(0) && item != Json(false) && item != Json("")) {
      json[key] = std::move(item);
    }
  }
};

template <class T>
constexpr bool kIsRow =
    std::same_as<T, TraceIssue> || std::same_as<T, TraceWave> || std::same_as<T, MergedLaunch> ||
    std::same_as<T, WorkgroupStay> || std::same_as<T, Transfer>;

/// Whole numbers without ".0": most counters are.
Json json_of(double value) {
  constexpr double kMostExact = 9007199254740992;  // 2^53
  if (value >= 0 && value <= kMostExact && value == std::floor(value)) {
    return static_cast<std::uint64_t>(value);
  }
  return value;
}

Json json_of(const ReasonCycles& cycles) {
  Json json = Json::object();
  for (std::size_t r = 0; r < kReasonCount; ++r) {
    if (cycles[r] != 0) json[std::string(key_of(static_cast<Reason>(r)))] = cycles[r];
  }
  return json;
}

/// A row is its mnemonic, which outlives the catalogue's order.
Json json_of(const isa::Row* row) { return row == nullptr ? "" : isa::mnemonics(*row).front(); }

template <class T>
Json json_of(const T& value) {
  if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
    return value;
  } else if constexpr (std::same_as<T, Reason> || std::same_as<T, Transfer::Kind>) {
    return static_cast<unsigned>(value);
  } else if constexpr (std::same_as<T, Dim3>) {
    return Json::array({value.x, value.y, value.z});
  } else if constexpr (requires { typename T::mapped_type; }) {
    Json json = Json::object();
    for (const auto& [name, item] : value) json[name] = json_of(item);
    return json;
  } else if constexpr (requires { typename T::value_type; }) {
    Json json = Json::array();
    for (const auto& item : value) json.push_back(json_of(item));
    return json;
  } else {
    Json json = kIsRow<T> ? Json::array() : Json::object();
    T type;
    visit_fields(Writer{json, kIsRow<T>}, type, value);
    return json;
  }
}

template <class T>
bool take(const Json& json, T& value);
bool take(const Json& json, ReasonCycles& cycles);
bool take(const Json& json, Dim3& value);
bool take(const Json& json, Reason& value);
bool take(const Json& json, Transfer::Kind& value);
bool take(const Json& json, const isa::Row*& row);

/// Fills the fields that the JSON names; `problem` is the first key whose value does not fit.
struct Reader {
  const Json& json;
  std::string& problem;
  std::size_t at = 0;

  template <class T>
  void operator()(const char* key, T& value) {
    if (json.is_array()) {
      if (at < json.size() && !take(json[at], value) && problem.empty()) problem = key;
      ++at;
      return;
    }
    const auto found = json.find(key);
    if (found != json.end() && !take(*found, value) && problem.empty()) problem = key;
  }
};

template <std::unsigned_integral T>
bool take_number(const Json& json, T& value) {
  if (!json.is_number_unsigned()) return false;
  const auto number = json.get<std::uint64_t>();
  if (number > std::numeric_limits<T>::max()) return false;
  value = static_cast<T>(number);
  return true;
}

bool take(const Json& json, ReasonCycles& cycles) {
  if (!json.is_object()) return false;
  for (std::size_t r = 0; r < kReasonCount; ++r) {
    const auto found = json.find(std::string(key_of(static_cast<Reason>(r))));
    if (found != json.end() && !take_number(*found, cycles[r])) return false;
  }
  return true;
}

bool take(const Json& json, Dim3& value) {
  return json.is_array() && json.size() == 3 && take_number(json[0], value.x) &&
         take_number(json[1], value.y) && take_number(json[2], value.z);
}

bool take(const Json& json, Reason& value) {
  unsigned number = 0;
  if (!take_number(json, number) || number >= kReasonCount) return false;
  value = static_cast<Reason>(number);
  return true;
}

bool take(const Json& json, Transfer::Kind& value) {
  unsigned number = 0;
  if (!take_number(json, number)) return false;
  value = static_cast<Transfer::Kind>(number);
  return value <= Transfer::Kind::kFill;
}

/// Rows of one name differ in their encodings only, so that either target's says what it does. A
/// mnemonic that this program does not know gives none.
bool take(const Json& json, const isa::Row*& row) {
  if (!json.is_string()) return false;
  row = isa::find_row(json.get_ref<const std::string&>());
  return true;
}

template <class T>
bool take_map(const Json& json, T& map) {
  if (!json.is_object()) return false;
  for (const auto& [name, item] : json.items()) {
    if (!take(item, map[name])) return false;
  }
  return true;
}

template <class T>
bool take_list(const Json& json, T& list) {
  if (!json.is_array()) return false;
  list.resize(json.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!take(json[i], list[i])) return false;
  }
  return true;
}

template <class T>
bool take(const Json& json, T& value) {
  if constexpr (std::same_as<T, bool>) {
    if (!json.is_boolean()) return false;
    value = json.get<bool>();
  } else if constexpr (std::unsigned_integral<T>) {
    return take_number(json, value);
  } else if constexpr (std::floating_point<T>) {
    if (!json.is_number()) return false;
    value = json.get<T>();
  } else if constexpr (std::same_as<T, std::string>) {
    if (!json.is_string()) return false;
    value = json.get<std::string>();
  } else if constexpr (requires { typename T::mapped_type; }) {
    return take_map(json, value);
  } else if constexpr (requires { typename T::value_type; }) {
    return take_list(json, value);
  } else {
    if (kIsRow<T> ? !json.is_array() : !json.is_object()) return false;
    std::string problem;
    visit_fields(Reader{json, problem}, value, value);
    return problem.empty();
  }
  return true;
}

tl::unexpected<Error> misfit(std::string_view key) {
  return fail(ErrorCode::kFileUnreadable, fmt::format("the value of \"{}\" does not fit it", key));
}

template <class T>
Result<T> parsed(std::string_view line) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return fail(ErrorCode::kFileUnreadable, "the line is no JSON object");
  T value;
  std::string problem;
  visit_fields(Reader{json, problem}, value, value);
  if (!problem.empty()) return misfit(problem);
  return value;
}

}  // namespace

std::string to_line(const LaunchProfile& launch) {
  return json_of(launch).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_line(const MergedLine& launch) {
  return json_of(launch).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_line(const TransferLine& transfer) { return json_of(transfer).dump(); }

bool is_merged_line(std::string_view line) { return line.starts_with(kMergedStart); }
bool is_transfer_line(std::string_view line) { return line.starts_with(kTransferStart); }

Result<LaunchProfile> from_line(std::string_view line) {
  auto launch = parsed<LaunchProfile>(line);
  if (launch && !are_possible(launch->repeats)) return misfit("repeats");
  return launch;
}

Result<MergedLine> merged_from_line(std::string_view line) {
  auto launch = parsed<MergedLine>(line);
  if (launch && launch->changes.places.size() != launch->changes.values.size()) {
    return misfit("places");
  }
  return launch;
}

Result<TransferLine> transfer_from_line(std::string_view line) {
  return parsed<TransferLine>(line);
}

}  // namespace wavetank::profile
