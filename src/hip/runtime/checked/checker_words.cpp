#include "hip/runtime/checked/checker_words.hpp"

#include <utility>

#include <fmt/format.h>

#include "code_object/symbol_name.hpp"

namespace wavetank::hip {

using check::InstructionWords;
using check::LaunchWords;
using dispatch::ListenedLaunch;
using dispatch::SteppedInstruction;

LaunchWords words_of(const ListenedLaunch& launch) {
  return {code_object::demangled(launch.kernel_name()), launch.kernel_name(), launch.groups(),
          launch.workgroup_work_items()};
}

InstructionWords words_of(const SteppedInstruction& instruction, const LaunchWords& launch,
                          dispatch::EdgePlaces places) {
  return {instruction.source,
          fmt::format("kernel \"{}\" {}", launch.kernel,
                      dispatch::offset_text(instruction.offset_bytes)),
          instruction.text, std::move(places.before), std::move(places.after)};
}

}  // namespace wavetank::hip
