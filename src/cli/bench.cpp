// wavetank bench accuracy: runs the programs behind published measurements on the cycle model and
// says how far off it is.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/embedded_file.hpp"
#include "cli/accuracy_plot.hpp"
#include "cli/accuracy_report.hpp"
#include "cli/accuracy_runs.hpp"
#include "cli/accuracy_suite.hpp"
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/rocprof_output.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::cli {

/// bench/accuracy/measured.csv, compiled in.
std::span<const EmbeddedFile> accuracy_tables();

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string suite;
  std::vector<std::string> families;
  std::string device;
  std::string keep;  ///< folder of the programs' outputs and profiles; empty: not kept
  bool json = false;
  bool markdown = false;
  std::string plot;  ///< file of the picture; empty: none is made
};

bool is_wanted(const AccuracyRow& row, const Options& options) {
  if (!options.device.empty() && row.device.find(options.device) == std::string::npos) return false;
  for (const std::string& family : options.families) {
    if (row.family == family) return true;
  }
  return options.families.empty();
}

int accuracy(const Options& options) {
  Result<std::vector<AccuracyRow>> rows = read_measured(accuracy_tables().front().text);
  if (!rows) return report(rows.error());
  std::erase_if(*rows, [&](const AccuracyRow& row) { return !is_wanted(row, options); });
  if (rows->empty()) {
    return report({ErrorCode::kUsage,
                   "no published measurement is of that family and device",
                   {},
                   {},
                   "`wavetank bench --help` starts with examples"});
  }
  Result<toolchain::TemporaryFolder> temporary = toolchain::TemporaryFolder::make();
  if (!temporary) return report(temporary.error());
  const fs::path folder = options.keep.empty() ? temporary->path() : fs::absolute(options.keep);
  if (const auto done = run_accuracy(folder, {}, *rows); !done) return report(done.error());
  if (!options.plot.empty()) {
    const auto written = write_text(options.plot, accuracy_svg(*rows));
    if (!written) return report(written.error());
  }
  if (options.json) {
    print_json(accuracy_json(*rows));
  } else {
    std::printf("%s", (options.markdown ? accuracy_markdown(*rows) : accuracy_text(*rows)).c_str());
  }
  return summarize(*rows).overall.missing == 0 ? kOk : kProgramFailed;
}

}  // namespace

void add_bench(CommandLine& line) {
  Command command = line.add("bench", "Hold the cycle model to published measurements",
                             "wavetank bench accuracy\n"
                             "wavetank bench accuracy transpose mxv\n"
                             "wavetank bench accuracy --device mi210 --json");
  auto options = std::make_shared<Options>();
  command.argument("SUITE", options->suite, "accuracy").required().one_of({"accuracy"});
  command.argument("FAMILY", options->families, "Only these families");
  command.value("--device TEXT", options->device, "Only devices whose name contains this");
  command.value("--keep DIR", options->keep,
                "Keep outputs and profiles here; what is there from before is not run again");
  command.flag("--json", options->json, "Print JSON");
  command.flag("--markdown", options->markdown, "Print docs/accuracy.md");
  command.value("--plot FILE", options->plot, "Write docs/accuracy.svg there");
  command.does([=] { return accuracy(*options); });
}

}  // namespace wavetank::cli
