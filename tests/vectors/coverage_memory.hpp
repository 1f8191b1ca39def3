// What tests/vectors/memory proves of a memory row.
#pragma once

#include <map>
#include <string>

#include "isa/row.hpp"
#include "unit/execute/memory_case.hpp"

namespace wavetank::tests {

/// The case files by mnemonic; `error` says what is wrong with one of them, or is empty.
struct MemoryFiles {
  std::map<std::string, MemoryFile> by_name;
  std::string error;
};

/// Reads the case files of a folder.
MemoryFiles read_memory_files(const std::string& folder);

/// Cases of a row on its targets, over all its mnemonics (a FLAT row is flat_, global_ and, unless
/// an atomic, scratch_).
struct MemoryProof {
  std::size_t cases = 0, confirmed = 0;
  /// Each mnemonic has confirmed cases on each target of the row.
  bool complete = false;
  std::string references;  ///< of the confirmed cases: "exact, llvm"
};
MemoryProof memory_proof(const isa::Row& row, const MemoryFiles& files);

/// Why a row that touches memory has no cases.
std::string reason_without_cases(const isa::Row& row);

}  // namespace wavetank::tests
