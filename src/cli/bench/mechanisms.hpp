// What each mechanism of the cycle model contributes: the accuracy suite on devices whose
// descriptions switch it off.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "cli/bench/suite.hpp"
#include "target/device.hpp"

namespace wavetank::cli {

/// A number of a device that has no effect of its own with this value: `value` and the sum of other
/// numbers of the device.
struct Neutral {
  std::string_view number;
  double value = 0;
  std::vector<std::string_view> plus = {};
};

/// Rows of the suite: those of a family whose kernel or parameters contain `filter`, the argument
/// of its program.
struct RowChoice {
  std::string_view family;
  std::string_view filter = {};
};

/// Something that the model does because of numbers that a device description can neutralise.
struct Mechanism {
  std::string_view name;
  std::string_view without;  ///< what the device is like without it
  std::vector<Neutral> numbers;
  std::vector<RowChoice> rows;  ///< in which it can show
};

/// All mechanisms that are numbers, in the order of a launch's way through the device.
std::span<const Mechanism> mechanisms();

/// The device without the mechanism. Numbers that it does not have stay away.
target::Device without(const Mechanism& mechanism, target::Device device);

/// A description that gives this device; parse_device() is its inverse.
std::string description_of(const target::Device& device);

/// The suite without one mechanism, or without all of them.
struct MechanismEffect {
  std::string name;                   ///< of the mechanism, "all of them"
  std::vector<std::string> families;  ///< with rows that were run anew
  AccuracyMean with, without;         ///< of those rows
  AccuracyMean overall;               ///< of all rows, without
};

/// Runs the rows that each mechanism can touch on devices without it, at the end without all.
/// `rows` have their values with all mechanisms. Outputs go into folders in `folder`, as those of
/// run_accuracy(). An interruption (SIGINT) ends with the effects that are known. Errors: the same.
Result<std::vector<MechanismEffect>> measure_mechanisms(const std::filesystem::path& folder,
                                                        const std::vector<AccuracyRow>& rows);

}  // namespace wavetank::cli
