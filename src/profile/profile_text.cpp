#include "profile/profile_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.hpp"
#include "isa/catalogue.hpp"
#include "isa/mnemonic.hpp"
#include "profile/launch_repeats.hpp"
#include "profile/profile_fields.hpp"

namespace wavetank::profile {
namespace {

/// By the first key of its line a transfer is known.
constexpr std::string_view kTransferStart = "{\"transfer\":";

template <class Visit, class T>
void visit_fields(Visit&& visit, const TransferLine&, T& l) {
  visit("transfer", l.transfer);
  visit("left_out", l.left_out);
}

/// By the first key of its line a merged launch is known.
constexpr std::string_view kMergedStart = "{\"into\":";

template <class Visit, class T>
void visit_fields(Visit&& visit, const MergedLine&, T& l) {
  visit("into", l.into);
  visit("launch", l.launch);
  visit("places", l.changes.places);
  visit("values", l.changes.values);
}

template <class T>
Json json_of(const T& value);
Json json_of(const ReasonCycles& cycles);
Json json_of(const isa::Row* row);

/// An object with room for so many members: one that grows copies all that it has.
Json object_for(std::size_t members) {
  Json json = Json::object();
  json.get_ref<Json::object_t&>().reserve(members);
  return json;
}

/// Adds a member that is not there yet, without a search for it.
void add_member(Json& json, std::string_view key, Json value) {
  json.get_ref<Json::object_t&>().emplace_back(key, std::move(value));
}

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
      add_member(json, key, std::move(item));
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
  Json json = object_for(kReasonCount);
  for (std::size_t r = 0; r < kReasonCount; ++r) {
    if (cycles[r] != 0) add_member(json, key_of(static_cast<Reason>(r)), cycles[r]);
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
    Json json = object_for(value.size());
    for (const auto& [name, item] : value) add_member(json, name, json_of(item));
    return json;
  } else if constexpr (requires { typename T::value_type; }) {
    Json json = Json::array();
    for (const auto& item : value) json.push_back(json_of(item));
    return json;
  } else {
    std::size_t fields = 0;
    visit_fields([&](const char*, const auto&) { ++fields; }, value, value);
    Json json = kIsRow<T> ? Json::array() : object_for(fields);
    visit_fields(Writer{json, kIsRow<T>}, value, value);
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
