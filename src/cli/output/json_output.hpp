// JSON, the same way for every command.
#pragma once

#include <cstdio>

#include "base/json.hpp"

namespace wavetank::cli {

/// `json`, indented by two, with a newline. Names come from files that may hold anything: bytes
/// that are no UTF-8 become U+FFFD.
inline std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Prints it.
inline void print_json(const Json& json) { std::printf("%s", json_text(json).c_str()); }

}  // namespace wavetank::cli
