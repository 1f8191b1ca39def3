#include "cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "cli/exit_code.hpp"
#include "profile/metrics.hpp"

namespace wavetank::cli {
namespace {

/// Help as the project shows it: what the command does, its examples, its options.
class ExamplesFirst : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    if (mode == CLI::AppFormatMode::Sub) return CLI::Formatter::make_help(app, name, mode);
    std::string text = app->get_description() + "\n\n";
    const bool has_subcommands = !app->get_subcommands({}).empty();
    text += has_subcommands ? "Example:\n" : "Examples:\n";
    std::istringstream examples(app->get_footer());
    for (std::string line; std::getline(examples, line);) text += "  " + line + "\n";
    text += make_subcommands(app, mode);
    text += make_positionals(app) + make_groups(app, mode);
    if (has_subcommands) text += "\n`wavetank COMMAND --help` starts with examples.\n";
    return text;
  }
};

/// A word of --pmc: the name of a counter, of its reduction, or of a metric.
bool is_counter_word(std::string_view word) {
  return profile::counters_of(word, "gfx90a").has_value() ||
         profile::counters_of(word, "gfx942").has_value();
}

}  // namespace

void prepare(CLI::App& app, const std::string& examples) {
  auto formatter = std::make_shared<ExamplesFirst>();
  formatter->column_width(26);
  formatter->label("SUBCOMMAND", "COMMAND");
  formatter->label("Subcommands", "Commands");
  app.formatter(std::move(formatter));
  app.footer(examples);
  app.set_help_flag("--help", "Show this text");
}

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary,
                      const std::string& examples) {
  CLI::App* command = app.add_subcommand(name, summary);
  prepare(*command, examples);
  command->group("Commands");
  return command;
}

int first_word_of_program(int argc, char** argv) {
  // Options that take a word of their own; --pmc takes all words up to the next option or "--".
  constexpr std::string_view kWithValue[] = {
      "--device",           "--threads",       "-o",      "-d",   "-f",     "--output",
      "--output-directory", "--output-format", "--trace", "--cu", "--terms"};
  int at = 2;
  while (at < argc) {
    const std::string_view word = argv[at];
    if (word == "--") return at;
    if (word.empty() || word[0] != '-') break;
    const bool value =
        std::find(std::begin(kWithValue), std::end(kWithValue), word) != std::end(kWithValue);
    at += value ? 2 : 1;
    if (word != "--pmc") continue;
    while (at < argc && is_counter_word(argv[at])) ++at;
  }
  return std::min(at, argc);
}

bool is_command_or_option(const CLI::App& app, const std::string& word) {
  if (word.rfind('-', 0) == 0) return true;
  const auto commands = app.get_subcommands([&](const CLI::App* c) { return c->check_name(word); });
  return !commands.empty();
}

Error unknown_command(const std::string& word) {
  return {ErrorCode::kUsage,
          fmt::format("there is no command \"{}\"", word),
          {},
          {},
          "`wavetank --help` lists the commands"};
}

int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  for (const CLI::App* parsed : app.get_subcommands()) command = parsed;
  const std::string name =
      command == &app ? "wavetank" : fmt::format("wavetank {}", command->get_name());
  return report({ErrorCode::kUsage,
                 error.what(),
                 {},
                 {},
                 fmt::format("`{} --help` starts with examples", name)});
}

}  // namespace wavetank::cli
