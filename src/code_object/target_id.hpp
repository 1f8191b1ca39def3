// Target ids: "gfx90a:sramecc+:xnack-" (AMDGPUUsage, "Target ID").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace wavetank::code_object {

/// A feature of a target id: not mentioned (runs either way), off or on.
enum class Feature : std::uint8_t { kAny, kOff, kOn };

/// A processor and its two features.
struct TargetId {
  std::string processor;  ///< "gfx90a"
  Feature sramecc = Feature::kAny;
  Feature xnack = Feature::kAny;

  /// Canonical text, "gfx90a:sramecc+:xnack-".
  std::string to_text() const;
  /// True if code for this id may run on a device with that (fully specified) id.
  bool runs_on(const TargetId& device) const;
  friend bool operator==(const TargetId&, const TargetId&) = default;
};

/// Reads "gfx90a[:sramecc+|-][:xnack+|-]", also behind "amdgcn-amd-amdhsa--" or a "hipv4-" prefix.
/// Errors: kBadBundle.
Result<TargetId> parse_target_id(std::string_view text);

}  // namespace wavetank::code_object
