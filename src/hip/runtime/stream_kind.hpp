// How a stream takes part in the implicit order of its device's streams (stream_order.hpp).
#pragma once

#include <cstdint>

namespace wavetank::hip {

/// The legacy stream, one of hipStreamCreate, one of hipStreamNonBlocking.
enum class StreamKind : std::uint8_t { kNull, kBlocking, kNonBlocking };

}  // namespace wavetank::hip
