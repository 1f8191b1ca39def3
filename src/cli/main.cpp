// The `wavetank` program: finds the command and runs it.
#include <cstdio>
#include <exception>
#include <string_view>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"

namespace {

constexpr const char* kExample =
    "wavetank cc vadd.hip -o vadd && wavetank run --device mi300x ./vadd";

int run_command_line(int argc, char** argv) {
  using namespace wavetank::cli;
  CLI::App app("Run and understand AMD Instinct kernels with no GPU in the machine.", "wavetank");
  int exit_code = kOk;
  prepare(app, kExample);
  app.require_subcommand(1);
  app.set_version_flag("--version", WAVETANK_VERSION);
  const std::string_view verb = argc > 1 ? argv[1] : "";
  const bool runs = verb == "run" || verb == "profile";
  const int own_words = runs ? first_word_of_program(argc, argv) : argc;
  const bool separated = own_words < argc && std::string_view(argv[own_words]) == "--";
  const std::vector<std::string> program(argv + own_words + (separated ? 1 : 0), argv + argc);
  add_run(app, exit_code, program);
  add_profile(app, exit_code, program);
  add_report(app, exit_code);
  add_diff(app, exit_code);
  add_cc(app, exit_code);
  add_inspect(app, exit_code);
  add_occupancy(app, exit_code);
  add_devices(app, exit_code);
  add_bench(app, exit_code);
  add_doctor(app, exit_code);
  add_isa(app, exit_code);
  add_explain(app, exit_code);
  if (argc < 2) {
    std::fputs(app.help().c_str(), stderr);
    return kUsageError;
  }
  if (!is_command_or_option(app, argv[1])) return report(unknown_command(argv[1]));
  try {
    app.parse(own_words, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command_line(argc, argv);
  } catch (const std::exception& error) {
    return wavetank::cli::report({wavetank::ErrorCode::kInternal, error.what()});
  }
}
