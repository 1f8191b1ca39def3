// Instructions by their assembly text, for tests of what looks at programs. Their dwords are in
// instructions.inc, which assemble.py writes with LLVM's assembler.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "machine/step.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing::testing {

/// The parameters of a built-in device ("mi210", "mi300x"); read once.
const TimingSpec& spec_of(std::string_view device);

/// The dwords of an instruction for one target. A text that instructions.inc lacks ends the test
/// program: run assemble.py.
std::vector<std::uint32_t> dwords_of(std::string_view text, const isa::Target& target);

/// The facts of an instruction as the device's target decodes it.
machine::StepFacts assembled(std::string_view text, const TimingSpec& spec);

}  // namespace wavetank::timing::testing
