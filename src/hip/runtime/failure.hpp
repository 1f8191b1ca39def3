// What a program is told of errors: a diagnostic on stderr, and a status of HIP.
#pragma once

#include <string>

#include "base/error.hpp"
#include "hip/abi/status.hpp"

namespace wavetank::hip {

/// Prints a diagnostic on stderr (a launch that exceeds a limit, a code object that does not fit
/// the device).
void report_error(const Error& error);

/// Prints a text there, which is seen at once.
void print_on_stderr(const std::string& text);

/// The HIP status for an error of the lower layers.
abi::Status status_of(const Error& error);

}  // namespace wavetank::hip
