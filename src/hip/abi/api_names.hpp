// The functions of the API by the numbers that tracing tools know them by.
#pragma once

#include <cstdint>

namespace wavetank::hip::abi {

/// The name of a function by its hip_api_id_t, as the soname's generation numbers them; "unknown"
/// for a number that is none's.
const char* api_name(std::uint32_t id);

}  // namespace wavetank::hip::abi
