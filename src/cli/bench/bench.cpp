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
#include "cli/bench/mechanism_report.hpp"
#include "cli/bench/mechanisms.hpp"
#include "cli/bench/plot.hpp"
#include "cli/bench/report.hpp"
#include "cli/bench/runs.hpp"
#include "cli/bench/suite.hpp"
#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/output/text_output.hpp"
#include "toolchain/process.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::cli {

/// bench/accuracy/measured.csv, compiled in.
std::span<const EmbeddedFile> accuracy_tables();

namespace {

namespace fs = std::filesystem;

struct BenchOptions {
  std::string suite;
  std::vector<std::string> families;
  std::string device;
  std::string keep;  ///< folder of the programs' outputs and profiles; empty: not kept
  bool json = false;
  bool markdown = false;
  bool mechanisms = false;
  std::string plot;  ///< file of the picture; empty: none is made
};

bool is_wanted(const AccuracyRow& row, const BenchOptions& options) {
  if (!options.device.empty() && row.device.find(options.device) == std::string::npos) return false;
  for (const std::string& family : options.families) {
    if (row.family == family) return true;
  }
  return options.families.empty();
}

/// The rows that were asked for. Errors: kUsage if there are none.
Result<std::vector<AccuracyRow>> wanted_rows(const BenchOptions& options) {
  Result<std::vector<AccuracyRow>> rows = read_measured(accuracy_tables().front().text);
  if (!rows) return rows;
  std::erase_if(*rows, [&](const AccuracyRow& row) { return !is_wanted(row, options); });
  if (!rows->empty()) return rows;
  return fail(ErrorCode::kUsage, "no published measurement is of that family and device", {},
              "`wavetank bench --help` starts with examples");
}

/// Prints the rows as asked for, and draws them.
Result<void> show_rows(const std::vector<AccuracyRow>& rows, const BenchOptions& options) {
  const Result<std::string> text = options.json       ? json_text(accuracy_json(rows))
                                   : options.markdown ? accuracy_markdown(rows)
                                                      : accuracy_text(rows);
  if (!text) return tl::unexpected(text.error());
  std::printf("%s", text->c_str());
  if (options.plot.empty()) return {};
  return write_text(options.plot, accuracy_svg(rows));
}

/// Measures the mechanisms against the rows, and prints their table as asked for.
Result<void> show_mechanisms(const fs::path& folder, const std::vector<AccuracyRow>& rows,
                             const BenchOptions& options) {
  const auto effects = measure_mechanisms(folder / "without", rows);
  if (!effects) return tl::unexpected(effects.error());
  const AccuracyMean with = summarize(rows).overall;
  const std::string text = options.json       ? json_text(mechanisms_json(*effects, with))
                           : options.markdown ? mechanisms_markdown(*effects, with)
                                              : mechanisms_text(*effects, with);
  std::printf("%s", text.c_str());
  return {};
}

int accuracy(const BenchOptions& options) {
  Result<std::vector<AccuracyRow>> rows = wanted_rows(options);
  if (!rows) return report(rows.error());
  Result<toolchain::TemporaryFolder> temporary = toolchain::TemporaryFolder::make();
  if (!temporary) return report(temporary.error());
  const fs::path folder = options.keep.empty() ? temporary->path() : fs::absolute(options.keep);
  if (const auto done = run_accuracy(folder, {}, *rows); !done) return report(done.error());
  const bool goes_on = !toolchain::Uninterrupted::was_asked_to_end();
  const auto shown = options.mechanisms && goes_on ? show_mechanisms(folder, *rows, options)
                                                   : show_rows(*rows, options);
  if (!shown) return report(shown.error());
  return summarize(*rows).overall.missing == 0 ? kOk : kProgramFailed;
}

}  // namespace

void add_bench(CommandLine& line) {
  Command command = line.add("bench", "Hold the cycle model to published measurements",
                             "wavetank bench accuracy\n"
                             "wavetank bench accuracy transpose mxv\n"
                             "wavetank bench accuracy --device mi210 --json\n"
                             "wavetank bench accuracy chase --mechanisms");
  auto options = std::make_shared<BenchOptions>();
  command.argument("SUITE", options->suite, "accuracy").required().one_of({"accuracy"});
  command.argument("FAMILY", options->families, "Only these families");
  command.value("--device TEXT", options->device, "Only devices whose name contains this");
  command.value("--keep DIR", options->keep,
                "Keep outputs and profiles here; what is there from before is not run again");
  command.flag("--json", options->json, "Print JSON");
  command.flag("--mechanisms", options->mechanisms,
               "Run again without each mechanism of the model, and say what it contributes");
  command.flag("--markdown", options->markdown,
               "Print docs/accuracy.md, or docs/mechanisms.md with --mechanisms");
  command.value("--plot FILE", options->plot, "Write docs/accuracy.svg there");
  command.does([=] { return accuracy(*options); });
}

}  // namespace wavetank::cli
