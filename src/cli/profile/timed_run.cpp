#include "cli/profile/timed_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>

#include "toolchain/process.hpp"

namespace wavetank::cli {
namespace {

/// What the runtime in the program's process reads (`wavetank explain environment`).
void set_timing(const TimedRun& run) {
  setenv("WAVETANK_TIMED", "1", 1);
  // What the model keeps of waves and requests is tens of MB, read all over: large pages for it
  // (mallopt has no such option; a setting of the user's behind it wins).
  prepend_path("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
  setenv("WAVETANK_PROFILE", run.path.c_str(), 1);
  if (run.exact) setenv("WAVETANK_EXACT", "1", 1);
  if (run.every_launch) setenv("WAVETANK_EVERY_LAUNCH", "1", 1);
  if (!run.clocks.empty()) setenv("WAVETANK_CLOCKS", run.clocks.c_str(), 1);
  if (!run.trace.empty()) {
    setenv("WAVETANK_TRACE", fmt::format("{}:{}", run.trace, run.trace_cu).c_str(), 1);
  }
  if (run.what_if.empty()) return;
  setenv("WAVETANK_WHAT_IF", fmt::format("{}", fmt::join(run.what_if, ",")).c_str(), 1);
  setenv("WAVETANK_WHAT_IF_KERNEL", run.what_if_kernel.c_str(), 1);
  setenv("WAVETANK_WHAT_IF_TOP", std::to_string(run.what_if_top).c_str(), 1);
}

}  // namespace

Result<int> run_timed(TimedRun run) {
  const Result<std::string> program = find_program_to_run(run.words.front(), run.command);
  if (!program) return tl::unexpected(program.error());
  namespace fs = std::filesystem;
  std::error_code ignored;
  // The run appends to the file, and it is read afterwards: /dev/null is none, and would be gone.
  if (fs::exists(run.path, ignored) && !fs::is_regular_file(run.path, ignored)) {
    return fail(ErrorCode::kUsage, "a profile cannot be written there: it is no regular file",
                run.path, "name a file (-o FILE)");
  }
  fs::remove(run.path, ignored);
  // The runtime is preloaded into whatever is started from here on: nothing but the program is.
  if (const Result<void> set = set_up_runtime(run.runtime, *program); !set) {
    return tl::unexpected(set.error());
  }
  set_timing(run);
  run.words.front() = *program;
  const toolchain::Uninterrupted lives;
  const Result<toolchain::Finished> finished = toolchain::run_process(run.words);
  if (!finished) return tl::unexpected(finished.error());
  return finished->exit_status;
}

}  // namespace wavetank::cli
