// The readable sheet of one device: what it is made of, how far away memory is, what its peaks are.
#pragma once

#include <string>

#include "cli/output/json_output.hpp"
#include "target/device.hpp"
#include "target/glossary.hpp"

namespace wavetank::cli {

/// The sheet, each line with the kind of evidence that its weakest number has, in the words of
/// `vocabulary`. Where a figure is often quoted that means something else, both are shown.
std::string device_sheet(const target::Device& device, target::Vocabulary vocabulary);

/// What the sheet derives from the numbers: peaks, bandwidths and ridge points.
Json derived_json(const target::Device& device);

/// "110", "5324.8": no trailing zeros, no exponent for the sizes that occur.
std::string number_text(double value);

/// The same, and address masks in hexadecimal.
std::string number_text(const target::Parameter& parameter);

/// A value in the unit a reader wants: sizes in bytes as KiB, MiB or GiB.
std::string value_text(const target::Parameter& parameter);

}  // namespace wavetank::cli
