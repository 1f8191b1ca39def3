// A finding in words, and the file in which `wavetank check` gets them from the program's process.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/source_line.hpp"
#include "check/edges.hpp"
#include "check/findings.hpp"

namespace wavetank::check {

/// One place in the program that a finding is about.
struct Spot {
  SourceLine source;       ///< unknown without debug information
  std::string code_place;  ///< the kernel and an offset; may be empty for the host's code
  std::string code;        ///< the instruction; empty for the host's code
  std::string what;        ///< "written by work-item (1, 4, 0) of workgroup (0, 0, 0)"
  AccessKind access = AccessKind::kRead;
  /// Where edges may stand beside the instruction (dispatch::EdgePlaces).
  std::vector<std::uint64_t> before = {}, after = {};

  /// "race.hip:13", or the place in the code.
  std::string place() const { return source.is_known() ? source.short_text() : code_place; }
};

/// What would order two operations, if an event can.
struct Remedy {
  OperationOrder order;  ///< empty: none is known
  std::string words;     ///< "stream 3 waiting for ..."
};

struct Diagnosis {
  Level level = Level::kError;
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::vector<Spot> spots;
  std::string kernel;         ///< as its programmer wrote it
  std::string kernel_symbol;  ///< empty where no kernel has a part in it
  bool in_one_group = false;  ///< both accesses are of one workgroup
  std::uint64_t count = 1;    ///< occurrences in all launches
  std::string note;           ///< may be empty
  Remedy remedy = {};         ///< of unordered operations
};

/// What was checked, in processes that came to their end.
struct Checked {
  std::map<std::string, std::uint64_t> launches;  ///< by their kernels' names
  std::set<std::string> sources;                  ///< the program's files that kernels came from
};

/// What a checked program left behind.
struct CheckFile {
  Checked checked;
  bool ended = false;  ///< a process came to its end
  std::vector<Diagnosis> diagnoses;
};

/// Begins a file: the program that is checked is to behave as if it were changed so. Errors:
/// kFileUnreadable.
Result<void> write_change(const std::string& path, const Change& change);
/// The change of a file; none if it is not there. Errors: kFileUnreadable.
Result<Change> read_change(const std::string& path);
/// Appends a diagnosis of this process. Errors: kFileUnreadable.
Result<void> append_to_file(const std::string& path, const Diagnosis& diagnosis);
/// Appends what is known at the process's end, and how often each of its diagnoses occurred, in
/// their order. Errors: kFileUnreadable.
Result<void> append_end(const std::string& path, const Checked& checked,
                        const std::vector<std::uint64_t>& counts);
/// Reads a file; one that is not there holds nothing. Errors: kFileUnreadable with the line that is
/// wrong.
Result<CheckFile> read_check_file(const std::string& path);

/// "error", "note".
std::string_view name_of(Level level);
/// "E0310".
std::string code_text(ErrorCode code);

}  // namespace wavetank::check
