#include "cli/check/run.hpp"

#include <stdlib.h>

#include <algorithm>

#include "toolchain/process.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::cli {

std::uint64_t CheckedRun::launch_count() const {
  std::uint64_t count = 0;
  for (const auto& [kernel, launches_of_it] : launches) count += launches_of_it;
  return count;
}

std::size_t CheckedRun::count_of(check::Level level) const {
  return static_cast<std::size_t>(std::ranges::count_if(findings, [&](const Judged& judged) {
    return !judged.suppressed && judged.diagnosis.level == level;
  }));
}

std::size_t CheckedRun::suppressed_count() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      findings, [](const Judged& judged) { return judged.suppressed.has_value(); }));
}

Result<CheckedRun> run_checked(const std::vector<std::string>& words, const check::Change& change,
                               bool quiet) {
  const Result<toolchain::TemporaryFolder> folder = toolchain::TemporaryFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  const std::string file = (folder->path() / "findings.jsonl").string();
  if (!change.empty()) {
    if (auto done = check::write_change(file, change); !done) return tl::unexpected(done.error());
  }
  setenv("WAVETANK_CHECK", file.c_str(), 1);
  const toolchain::Uninterrupted lives;
  const auto finished = quiet ? toolchain::run_quietly(words) : toolchain::run_process(words);
  if (!finished) return tl::unexpected(finished.error());
  Result<check::CheckFile> found = check::read_check_file(file);
  if (!found) return tl::unexpected(found.error());
  CheckedRun run{words,
                 finished->exit_status,
                 found->ended,
                 std::move(found->checked.launches),
                 std::move(found->checked.sources),
                 {}};
  for (check::Diagnosis& one : found->diagnoses) run.findings.push_back({std::move(one)});
  return run;
}

}  // namespace wavetank::cli
