// The case files of tests/vectors/memory: one instruction each, as bytes, with the state it starts
// from and all that it changes. tests/vectors/README.md describes the format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/target.hpp"

namespace wavetank::tests {

/// Where the AccVGPRs of a case's wave begin among its VGPRs.
inline constexpr unsigned kFirstAccVgpr = 16;

/// Registers or memory, before or after: what a line of a case lists.
struct Place {
  enum class Kind : std::uint8_t {
    kVector,   ///< a VGPR: one value for each of the case's lanes
    kScalar,   ///< SGPRs from `at` on
    kLds,      ///< dwords of LDS from byte `at` on
    kMemory,   ///< dwords of memory from address `at` on
    kPrivate,  ///< dwords of one lane's scratch from byte `at` on
    kMode,     ///< MODE
    kClock,    ///< both dwords of s_memtime's clock, then of s_memrealtime's
    kScc,      ///< SCC
    kPc,       ///< `at` is the program counter less the address of the case's code
    kStop,     ///< the machine::Stop of the wave
  };
  Kind kind;
  unsigned lane = 0;  ///< kPrivate
  std::uint64_t at = 0;
  std::vector<std::uint32_t> values;
};

/// One case.
struct MemoryCase {
  std::string title;
  std::vector<const isa::Target*> targets;  ///< those that it holds for
  std::vector<std::string> sources;         ///< references that gave this outcome
  std::vector<std::uint32_t> code;          ///< of the instruction
  std::string assembly;
  std::vector<unsigned> lanes;       ///< set in EXEC
  std::vector<Place> before, after;  ///< what is not in `after` must not change
};

/// One file.
struct MemoryFile {
  std::string name;  ///< the mnemonic
  std::vector<MemoryCase> cases;
  std::string error;  ///< what is wrong with the file, or empty
  /// Cases that two or more references agree on.
  std::size_t confirmed() const;
  /// The references of all confirmed cases, sorted.
  std::vector<std::string> references() const;
};

/// Reads a file; a malformed one has an error.
MemoryFile read_memory_file(const std::string& path);

}  // namespace wavetank::tests
