#include "cli/command.hpp"

#include <fmt/format.h>

#include <sstream>

#include "cli/exit_code.hpp"

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
