// The vector files of tests/vectors: one instruction each, operands and result in hexadecimal, and
// who says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wavetank::tests {

/// One line.
struct Vector {
  std::vector<std::uint64_t> operands;
  std::uint64_t result = 0;
  std::uint64_t last_high = 0, result_high = 0;  ///< bits 127:64 of the last operand, of the result
  unsigned sources = 0;    ///< references that gave it, or a row of DEVIATIONS.md that says why not
  bool explained = false;  ///< one of these is a row of DEVIATIONS.md
  std::string text;
};
/// One file.
struct VectorFile {
  std::string name;                ///< of the instruction
  std::string result;              ///< kind: u16 ... u128, f64, mask
  std::vector<std::string> kinds;  ///< of the operands; pk is a packed register, pair two
  std::vector<Vector> vectors;
  std::string error;  ///< what is wrong with the file, or empty
  /// Lines that two or more references agree on.
  std::size_t confirmed() const;
  /// Those that differ from a reference for a reason that DEVIATIONS.md gives.
  std::size_t explained() const;
};

/// Reads a file; a malformed one has an error.
VectorFile read_vector_file(const std::string& path);
/// The files of a folder whose names begin with `prefix`, by name.
std::vector<std::string> vector_files(const std::string& folder, const std::string& prefix = "v_");
/// Bits of an operand kind.
unsigned width_of(const std::string& kind);

}  // namespace wavetank::tests
