// The words of rocprofv3. Source: ROCm/rocprofiler-sdk, source/bin/rocprofv3.py.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace wavetank::cli {

/// One run of the program under the profiler.
struct ProfilerJob {
  std::vector<std::string> formats;  ///< empty: csv
  std::vector<std::string> pmc;
  std::string include_regex, exclude_regex;  ///< of kernels' names; empty: no condition
  std::string folder;                        ///< -d; empty: this folder
  std::string file;                          ///< -o; empty: HOST/PID
  std::string sub_folder;  ///< "pmc_1" of an input file's lines, "pass_1" of its jobs
  bool kernel_trace = false;
  bool stats = false;
  bool mangled_names = false;    ///< -M: kernels by their mangled names
  bool truncated_names = false;  ///< -T: kernels by their names without scope and parameters
};

/// What rocprofv3 answers without running a program.
enum class ProfilerQuestion : unsigned char { kNone, kHelp, kCounters };

/// What rocprofv3 is asked.
struct ProfilerOptions {
  ProfilerQuestion question = ProfilerQuestion::kNone;
  std::vector<ProfilerJob> jobs;          ///< at least one, unless there is a question
  std::vector<std::string> program;       ///< with its arguments
  std::vector<std::string> not_recorded;  ///< traces that were asked for and that there is none of
};

/// Reads the words, and the input file (-i) that they name: pmc lines (.txt) or jobs (.json,
/// .yaml). Errors: kUsage naming the word, kFileUnreadable.
Result<ProfilerOptions> parse_profiler_words(const std::vector<std::string>& words);

/// The options in a few lines each, for --help.
std::string profiler_help();

}  // namespace wavetank::cli
