// The words of a command line: commands with their flags, values and arguments, read by CLI11.
// CLI11 is seen by command_line.cpp alone; its templates take the compiler ten seconds a file.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace wavetank::cli {

/// A value or argument of a command; each function narrows what it takes.
class Value {
 public:
  explicit Value(CLI::Option* option) : option_(option) {}

  Value& required();
  Value& one_of(std::vector<std::string> words);
  /// A number from `lowest` to `highest`.
  Value& between(std::uint32_t lowest, std::uint32_t highest);
  /// Also 48k, 48KiB or 48kb: each 1024 bytes.
  Value& bytes();
  /// For lists: the option takes one word each time it stands, not all that follow.
  Value& one_word();
  /// For lists: a word is several with commas between.
  Value& split_at_commas();

 private:
  CLI::Option* option_;
};

/// One command. The variables that it fills must outlive the parse.
class Command {
 public:
  Command(CLI::App* app, int& exit_code) : app_(app), exit_code_(&exit_code) {}

  /// "--json": there or not.
  void flag(const std::string& names, bool& there, const std::string& help);

  /// `names` ends with the word that help shows for the value: "-o,--output FILE".
  Value value(const std::string& names, std::string& variable, const std::string& help);
  Value value(const std::string& names, std::uint32_t& variable, const std::string& help);
  Value value(const std::string& names, std::vector<std::string>& variable,
              const std::string& help);

  /// A word by its place; `name` is for help.
  Value argument(const std::string& name, std::string& variable, const std::string& help);
  Value argument(const std::string& name, std::vector<std::string>& variable,
                 const std::string& help);

  /// Puts the words that are neither flags nor values of this command into `rest`.
  void keep_rest(std::vector<std::string>& rest);

  /// What the command does; the function gives the exit code.
  void does(std::function<int()> action);

 private:
  CLI::App* app_;
  int* exit_code_;
  std::vector<std::string>* rest_ = nullptr;
};

/// All commands.
class CommandLine {
 public:
  /// `purpose` and `examples` (lines of shell) head the help; `version` answers --version.
  CommandLine(const std::string& purpose, const std::string& examples, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// A new command, whose --help starts with `examples`.
  Command add(const std::string& name, const std::string& summary, const std::string& examples);

  /// The help of the program itself.
  std::string help() const;

  /// Runs the command that the first `words` words name and gives its exit code. Help and the
  /// version are printed; what is wrong with the words is reported, with exit code 2.
  int run(int words, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  int exit_code_ = 0;
};

}  // namespace wavetank::cli
