// Rules of `wavetank lint`: each says what is wrong with code, and what to do, by looking at it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "code_object/code_object.hpp"
#include "lint/blocks.hpp"
#include "lint/code.hpp"
#include "lint/values.hpp"
#include "target/device.hpp"

namespace wavetank::lint {

/// How sure it is that a change pays.
enum class Severity : std::uint8_t {
  kWarning,  ///< costs time wherever it is executed
  kNote,     ///< may cost time, as the program's shape has it
};

struct Rule;

/// One place of a kernel that a rule is about.
struct Finding {
  const Rule* rule = nullptr;
  std::uint32_t step = 0;             ///< the instruction
  bool of_kernel = false;             ///< about all of it: `step` is its entry
  std::vector<std::uint32_t> others;  ///< further instructions of the same finding
  std::string what;                   ///< "2 loads of 4 bytes, 4 bytes apart, ..."
  std::string note;                   ///< what it depends on; may be empty
  std::string remedy;                 ///< empty: the rule's own
  unsigned loop_depth = 0;            ///< 0: in no loop
};

/// What rules look at.
struct Subject {
  const code_object::Kernel& kernel;
  const target::Device& device;  ///< of the kernel's processor
  const isa::Target& target;
  const Code& code;
  const Blocks& blocks;
  const Values* values;  ///< nullptr: what registers hold is not known (Numbering::values_of)
};

using Findings = std::vector<Finding>;

/// A rule. Its page of `wavetank explain` has its name.
struct Rule {
  std::string_view id;  ///< "spill-in-loop"
  Severity severity = Severity::kWarning;
  std::string_view says;    ///< what is wrong, in general
  std::string_view remedy;  ///< what to do
  void (*find)(const Subject& subject, Findings& findings) = nullptr;
};

/// "warning", "note".
constexpr std::string_view name_of(Severity severity) {
  return severity == Severity::kWarning ? "warning" : "note";
}

}  // namespace wavetank::lint
