// JSON on stdout, the same way for every command.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>

namespace wavetank::cli {

using Json = nlohmann::ordered_json;

/// Prints `json`, indented by two. Names come from files that may hold anything: bytes that are no
/// UTF-8 become U+FFFD.
inline void print_json(const Json& json) {
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);
  std::printf("%s\n", text.c_str());
}

}  // namespace wavetank::cli
