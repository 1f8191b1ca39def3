// wavetank lint: what is wrong with kernels as their machine code alone tells.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/code/input.hpp"
#include "cli/command.hpp"
#include "cli/lint/text.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/output/json_output.hpp"
#include "cli/output/sarif.hpp"
#include "cli/output/text_output.hpp"
#include "lint/rule_list.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

/// Findings that are shown in full unless --all or --kernel says otherwise.
constexpr std::size_t kMaxFindings = 20;

struct LintOptions {
  std::vector<std::string> files;
  std::string kernel;
  CompileOptions compile;
  std::string sarif_file;  ///< "-": stdout; empty: not wanted
  bool all = false;
  bool json = false;
  bool rules = false;
};

void show(const LintRun& run, const LintOptions& options, SourceText& sources) {
  const Style style(Stream::kStdout);
  const std::size_t all = run.finding_count();
  const bool whole = options.all || !options.kernel.empty();
  const std::size_t most = whole ? all : std::min(all, kMaxFindings);
  std::size_t shown = 0;
  for (const LintedKernel& kernel : run.kernels) {
    for (const LintFinding& finding : kernel.findings) {
      if (shown == most) break;
      if (shown++ != 0) std::printf("\n");
      std::printf("%s", lint_text(kernel, finding, sources, style).c_str());
    }
  }
  if (all != 0) std::printf("\n%s", lint_table(run, style).c_str());
  if (shown < all) {
    std::printf("%zu findings are not shown: --kernel NAME selects, --all shows all\n",
                all - shown);
  }
  std::printf("%s%s\n", all != 0 ? "\n" : "", lint_summary(run, style).c_str());
}

Result<void> write_sarif(const LintOptions& options, const LintRun& run, SourceText& sources) {
  if (options.sarif_file.empty()) return {};
  const std::string text = lint_sarif(run, source_root(fs::current_path()).string(), sources);
  return write_text(options.sarif_file, text);
}

/// The rules, for --rules.
int list_rules(bool as_json) {
  Json json = Json::array();
  Table table;
  table.column("rule", Table::Align::kLeft);
  table.column("", Table::Align::kLeft);
  table.column("what it says", Table::Align::kLeft);
  for (const lint::Rule& rule : lint::rules()) {
    table.row({std::string(rule.id), std::string(name_of(rule.severity)), std::string(rule.says)});
    json.push_back({{"id", rule.id},
                    {"severity", name_of(rule.severity)},
                    {"says", rule.says},
                    {"remedy", rule.remedy}});
  }
  if (as_json) {
    print_json(json);
  } else {
    std::printf("%s", table.to_text(Style(Stream::kStdout), 0).c_str());
  }
  return kOk;
}

int lint_files(const LintOptions& options) {
  if (options.rules) return list_rules(options.json);
  if (options.files.empty()) {
    return report({ErrorCode::kUsage,
                   "no file to look at",
                   {},
                   {},
                   "`wavetank lint --help` starts with examples"});
  }
  CompileOptions compile = options.compile;
  compile.rest.insert(compile.rest.begin(), "-g");
  int exit_code = kOk;
  LintRun run;
  run.files = options.files;
  for (const std::string& file : options.files) {
    const Result<InspectInput> input = read_inspect_input(file, compile);
    if (!input) return report(input.error());
    for (const Error& error : input->unreadable) exit_code = report(error);
    for (const code_object::CodeObject& object : input->objects) {
      lint_object(object, options.kernel, run);
    }
  }
  for (const Error& error : run.refused) exit_code = std::max(exit_code, report(error));
  if (run.kernels.empty() && run.refused.empty() && run.foreign_kernels == 0 && exit_code == kOk) {
    return report({ErrorCode::kUsage,
                   options.kernel.empty() ? "there is no kernel in these files"
                                          : fmt::format("no kernel is called {}", options.kernel),
                   options.files.front()});
  }
  SourceText sources;
  if (options.json) {
    std::fputs(lint_json(run, sources).c_str(), stdout);
  } else if (options.sarif_file != "-") {
    show(run, options, sources);
  }
  if (const auto done = write_sarif(options, run, sources); !done) return report(done.error());
  return exit_code;
}

}  // namespace

void add_lint(CommandLine& line) {
  Command command = line.add("lint", "What is wrong with kernels as their code alone tells",
                             "wavetank lint ./app\n"
                             "wavetank lint --kernel transpose app.hip      # compiled with -g\n"
                             "wavetank lint --sarif lint.sarif libapp.so\n"
                             "wavetank lint --rules                         # the list");
  auto options = std::make_shared<LintOptions>();
  command.argument("FILE", options->files,
                   "Executable, object, library, .hsaco, compiler's .s or HIP source");
  command.value("--kernel NAME", options->kernel, "Only kernels whose name contains this");
  command.flag("--all", options->all, "Show every finding in full");
  command.flag("--rules", options->rules, "List the rules");
  command.value("--device DEVICE", options->compile.devices, "Device to compile a source for")
      .one_word();
  command.value("--rocm-path FOLDER", options->compile.rocm_path,
                "ROCm headers to compile a source with");
  command.flag("--json", options->json, "Print JSON");
  command.value("--sarif FILE", options->sarif_file,
                "Write the findings as SARIF 2.1.0 ('-': to stdout)");
  command.does([=] { return lint_files(*options); });
}

}  // namespace wavetank::cli
