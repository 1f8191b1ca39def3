// The commands. Each lives in a file of its own and adds itself to the command line; its callback
// leaves the exit code in `exit_code`.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "base/error.hpp"

namespace wavetank::cli {

/// Index in argv where the program of `wavetank run [options] [--] program ...` (or profile)
/// starts; what follows is the program's own and is kept from the option parser.
int first_word_of_program(int argc, char** argv);

/// Each adds one subcommand to `app`. `exit_code` must outlive the parse.
void add_run(CLI::App& app, int& exit_code, std::vector<std::string> program);
void add_profile(CLI::App& app, int& exit_code, std::vector<std::string> program);
void add_report(CLI::App& app, int& exit_code);
void add_diff(CLI::App& app, int& exit_code);
void add_cc(CLI::App& app, int& exit_code);
void add_inspect(CLI::App& app, int& exit_code);
void add_occupancy(CLI::App& app, int& exit_code);
void add_devices(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);
void add_isa(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);

/// Gives `app` the project's way of showing help: `examples` (lines of shell) first.
void prepare(CLI::App& app, const std::string& examples);

/// A subcommand whose --help starts with `examples`.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary,
                      const std::string& examples);

/// False when the first word of a command line is neither an option nor a command of `app`.
bool is_command_or_option(const CLI::App& app, const std::string& word);

/// The error for such a word.
Error unknown_command(const std::string& word);

/// Prints what is wrong with a command line, and where help is; gives exit code 2.
int report_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace wavetank::cli
