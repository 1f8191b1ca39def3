// The numbers of the built-in devices by how they are known.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/output/json_output.hpp"
#include "target/device.hpp"

namespace wavetank::cli {

/// A number of one kind of evidence.
struct NumberOfKind {
  std::string name;                                      ///< "hbm.banks"
  std::vector<std::optional<target::Parameter>> values;  ///< by device; none where the kind differs
};

/// All numbers of one kind, by name. Figures that are only quoted are left out.
struct NumbersOfKind {
  target::Evidence kind = target::Evidence::kAssumed;
  std::vector<std::string> devices;
  std::vector<NumberOfKind> numbers;

  /// Numbers of one device.
  std::size_t count(std::size_t device) const;
  /// How many values there are to choose: one for all devices that share it.
  std::size_t free_values() const;
};

/// The numbers of the built-in devices. Errors: kBadDevice.
Result<NumbersOfKind> numbers_of_kind(target::Evidence kind);

/// For a terminal: a line for each number, with its values and the source of the first.
std::string evidence_text(const NumbersOfKind& numbers);
Json evidence_json(const NumbersOfKind& numbers);

/// For docs/accuracy.md: how many numbers are of which kind, and those that are fitted.
Result<std::string> evidence_markdown();

}  // namespace wavetank::cli
