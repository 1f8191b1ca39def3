// What hipRTC asks the HIP runtime for: the device that it compiles for unless told.
#pragma once

#include <optional>
#include <string>

namespace wavetank::hip::rtc {

/// The target id of the calling thread's device ("gfx90a:sramecc+:xnack-"), asked of the
/// libamdhip64.so.N of our own version, which is loaded if the program has not done so.
std::optional<std::string> current_target_id();

}  // namespace wavetank::hip::rtc
