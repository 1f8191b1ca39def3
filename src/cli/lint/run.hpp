// Kernels of files under the rules of src/lint, with what reports say of the findings.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/source_line.hpp"
#include "code_object/code_object.hpp"
#include "lint/rule.hpp"

namespace wavetank::cli {

/// An instruction that a finding is about.
struct LintPlace {
  std::uint64_t address = 0;  ///< inside the code object
  std::uint64_t offset = 0;   ///< bytes from the kernel's entry
  std::string instruction;    ///< as the disassembler writes it
  SourceLine source;          ///< unknown without debug information
};

struct LintFinding {
  const lint::Rule* rule = nullptr;
  std::string what, note, remedy;  ///< the note may be empty
  unsigned loop_depth = 0;
  bool of_kernel = false;         ///< about all of it
  std::vector<LintPlace> places;  ///< the first is the finding's own
};

/// A kernel.
struct LintedKernel {
  std::string name;    ///< demangled, without parameters
  std::string symbol;  ///< as in the code object
  std::string target;  ///< "gfx90a:xnack-"
  std::vector<LintFinding> findings;
  bool values_unknown = false;  ///< what its registers hold is not known (lint::KernelLint)
};

/// What was found.
struct LintRun {
  std::vector<std::string> files;
  std::vector<LintedKernel> kernels;  ///< those that were looked at, in the files' order
  std::vector<Error> refused;         ///< kernels and code objects that could not be read
  std::size_t foreign_kernels = 0;    ///< of processors that Wavetank does not run

  std::size_t finding_count() const;
};

/// Looks at kernels of a code object, on all host threads, and adds what was found, without source
/// lines.
void lint_kernels(const code_object::CodeObject& object,
                  const std::vector<const code_object::Kernel*>& kernels, LintRun& run);

/// Looks at the kernels of a code object whose names contain `wanted`. Source lines are looked up
/// where there is debug information.
void lint_object(const code_object::CodeObject& object, const std::string& wanted, LintRun& run);

/// The findings that a page of code scanning knows again: of each, in order, the kernel's and
/// finding's digest and its number among those of the same.
std::vector<std::string> lint_fingerprints(const LintRun& run, SourceText& sources);

/// Reports for other programs. Files inside of `root` are told relative to it.
std::string lint_json(const LintRun& run, SourceText& sources);
std::string lint_sarif(const LintRun& run, const std::string& root, SourceText& sources);

}  // namespace wavetank::cli
