// The `wavetank` program: finds the command and runs it.
#include <cstdio>
#include <exception>
#include <string_view>

#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/rocm/tool.hpp"

namespace {

constexpr const char* kPurpose =
    "Run and understand AMD Instinct kernels with no GPU in the machine.";
constexpr const char* kExample =
    "wavetank cc vadd.hip -o vadd && wavetank run --device mi300x ./vadd";

int run_command_line(int argc, char** argv) {
  using namespace wavetank::cli;
  if (const auto code = run_rocm_tool(argc, argv)) return *code;
  CommandLine line(kPurpose, kExample, WAVETANK_VERSION);
  const std::string_view verb = argc > 1 ? argv[1] : "";
  const bool runs =
      verb == "run" || verb == "profile" || verb == "what-if" || verb == "check" || verb == "shell";
  const int own_words = runs ? first_word_of_program(argc, argv) : argc;
  const bool separated = own_words < argc && std::string_view(argv[own_words]) == "--";
  const std::vector<std::string> program(argv + own_words + (separated ? 1 : 0), argv + argc);
  add_run(line, program);
  add_profile(line, program);
  add_what_if(line, {argv + own_words, argv + argc});
  add_check(line, program);
  add_shell(line, program);
  add_report(line);
  add_diff(line);
  add_cc(line);
  add_inspect(line);
  add_lint(line);
  add_occupancy(line);
  add_devices(line);
  add_bench(line);
  add_doctor(line);
  add_isa(line);
  add_explain(line);
  if (argc < 2) {
    std::fputs(line.help().c_str(), stderr);
    return kUsageError;
  }
  return line.run(own_words, argv);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command_line(argc, argv);
  } catch (const std::exception& error) {
    return wavetank::cli::report({wavetank::ErrorCode::kInternal, error.what()});
  }
}
