// Reads the text of one device description. The built-in ones are devices/*.toml.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "target/device.hpp"

namespace wavetank::target {

/// Builds a Device from TOML text; `where` names the file in errors ("my.toml:12:3").
/// Every number must be `{ value =, unit =, kind =, source = }` with the unit that the program
/// expects of it, and all numbers that execution needs must be there. With `base = "mi300a"` the
/// text may leave numbers out: they are that built-in device's. Its processor must be among
/// `known`. Errors: kBadDevice.
Result<Device> parse_device(std::string_view text, std::string_view where,
                            std::span<const isa::Target> known = isa::targets());

/// The device with another value for one of its numbers: `value` is a number in the row's unit, or
/// a factor, as in "2x". Errors: kUsage for an unknown or missing number, or a value out of its
/// row's range.
Result<Device> with_number(Device device, std::string_view name, std::string_view value);

/// All kinds, the best first.
inline constexpr std::array kEvidences = {Evidence::kMeasured, Evidence::kPublic,
                                          Evidence::kDerived, Evidence::kFitted,
                                          Evidence::kAssumed};

/// "measured", "public", "derived", "fitted" or "assumed".
std::string_view to_text(Evidence evidence);

}  // namespace wavetank::target
