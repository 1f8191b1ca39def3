// JSON as files and commands write it: members keep their order.
#pragma once

#include <nlohmann/json.hpp>

namespace wavetank {

using Json = nlohmann::ordered_json;

}  // namespace wavetank
