#include "lint/rule.hpp"

#include <array>

#include "lint/rules/rules.hpp"

namespace wavetank::lint {
namespace {

constexpr std::array kRules = {
    Rule{"spill-in-loop", Severity::kWarning, "registers are spilled to memory in a loop",
         "give the compiler more registers with __launch_bounds__(work-items of a workgroup), or "
         "keep less alive in the loop: unroll less, split it",
         find_spill_in_loop},
    Rule{"occupancy-step", Severity::kNote, "a few registers or bytes of LDS cost a wave",
         "use a little less: shorter-lived values, smaller types, less padding",
         find_occupancy_step},
    Rule{"launch-bounds", Severity::kWarning,
         "registers are spilled for workgroups of 1024 work-items",
         "if the kernel's workgroups are smaller, say so: __launch_bounds__(work-items)",
         find_launch_bounds},
};

}  // namespace

std::span<const Rule> rules() { return kRules; }

std::string_view name_of(Severity severity) {
  return severity == Severity::kWarning ? "warning" : "note";
}

}  // namespace wavetank::lint
