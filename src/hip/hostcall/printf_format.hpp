// Formats what device code printed: a format string and its arguments as 64-bit words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace wavetank::hip {

/// Formats like printf. `arguments` holds one word per integer, pointer or float (as double), and a
/// zero-terminated string padded to words for %s. %n consumes its word and does nothing. Missing
/// arguments end the text; nothing outside `arguments` is read.
std::string format_device_printf(std::string_view format,
                                 std::span<const std::uint64_t> arguments);

/// Formats a message that begins with its format string (zero-terminated, padded to words).
std::string format_device_message(std::span<const std::uint64_t> message);

}  // namespace wavetank::hip
