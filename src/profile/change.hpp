// What could be otherwise: causes of a launch's time, each of which can be taken away. A launch
// that is timed again without one shows what that cause costs (LaunchProfile::what_if); the cycle
// model says what each is to it (timing/scenario.cpp).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/amount.hpp"
#include "base/error.hpp"
#include "profile/launch_profile.hpp"

namespace wavetank::profile {

/// A cause by name.
struct ChangeRow {
  std::string_view name;     ///< "lds.conflicts"
  std::string_view value;    ///< that takes the cause away: "off"
  std::string_view meaning;  ///< how it would be then: "no bank conflicts in the LDS"
  bool takes_amount;         ///< a number beside `value`: a multiple as in "2x", or waves of a SIMD
  /// False for a launch that surely takes as long without it.
  bool (*matters)(const LaunchProfile& launch);
  Amount without = {};  ///< what `value` stands for, where numbers can be said
};

/// All rows, the nearest to the program first.
std::span<const ChangeRow> change_rows();
/// nullptr for a name that no row has.
const ChangeRow* find_change(std::string_view name);
/// "lds.conflicts=off".
std::string text_of(const ChangeRow& row);

/// The text that stands for all rows at once: what is left is the work itself.
inline constexpr std::string_view kAllChanges = "all";
/// The name whose value is code that takes no time: "code=40-e4:100-104", bytes from the kernel's
/// first instruction, of which vector and scalar arithmetic goes.
inline constexpr std::string_view kFreeCode = "code";
/// The name whose value is another device for the same code.
inline constexpr std::string_view kOtherDevice = "device";

/// One of the parts of a change.
struct ChangePart {
  std::string name, value;
  const ChangeRow* row = nullptr;  ///< nullptr: a number of the device, another device, or all
  Amount amount = {};              ///< of a row
  std::vector<std::pair<std::uint64_t, std::uint64_t>> code = {};  ///< of kFreeCode: [begin, end)
  /// True for a number of the device, and for another device.
  bool is_number() const { return row == nullptr && name != kAllChanges && name != kFreeCode; }
};

/// The parts of "lds.conflicts=off+hbm.bandwidth=2x": rows, numbers of a device description,
/// kOtherDevice, kAllChanges. Errors: kUsage.
Result<std::vector<ChangePart>> parse_change(std::string_view text);

/// True for a text whose parts are known names and values, as in "lanes=all": what a command line
/// takes for a change. A name alone is a word like others, and so is kAllChanges.
bool names_change(std::string_view text);

/// The part of a launch's time that a change saves, in percent; negative if it takes longer.
double gain_percent(const LaunchProfile& launch, const WhatIf& answer);

/// A change in words: "no bank conflicts in the LDS, and ...".
std::string in_words(std::string_view change);

}  // namespace wavetank::profile
