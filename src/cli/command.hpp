// The commands. Each lives in a file of its own and adds itself to the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"

namespace wavetank::cli {

/// Index in argv where the program of `wavetank run [options] [--] program ...` (or profile)
/// starts; what follows is the program's own and is kept from the option parser.
int first_word_of_program(int argc, char** argv);

/// Each adds one command; `program` are the words of the program to run.
void add_run(CommandLine& line, std::vector<std::string> program);
void add_profile(CommandLine& line, std::vector<std::string> program);
/// `words` are changes, then the program's words, behind -- if that was written.
void add_what_if(CommandLine& line, std::vector<std::string> words);
void add_check(CommandLine& line, std::vector<std::string> program);
void add_shell(CommandLine& line, std::vector<std::string> program);
void add_report(CommandLine& line);
void add_diff(CommandLine& line);
void add_cc(CommandLine& line);
void add_inspect(CommandLine& line);
void add_lint(CommandLine& line);
void add_occupancy(CommandLine& line);
void add_devices(CommandLine& line);
void add_bench(CommandLine& line);
void add_doctor(CommandLine& line);
void add_isa(CommandLine& line);
void add_explain(CommandLine& line);

}  // namespace wavetank::cli
