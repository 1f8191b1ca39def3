#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <sstream>
#include <utility>

#include "cli/output/exit_code.hpp"

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

/// Gives `app` the project's way of showing help.
void prepare(CLI::App& app, const std::string& examples) {
  auto formatter = std::make_shared<ExamplesFirst>();
  formatter->column_width(26);
  formatter->label("SUBCOMMAND", "COMMAND");
  formatter->label("Subcommands", "Commands");
  app.formatter(std::move(formatter));
  app.footer(examples);
  app.set_help_flag("--help", "Show this text");
}

/// False when the first word is neither an option nor a command of `app`.
bool is_command_or_option(const CLI::App& app, const std::string& word) {
  if (word.rfind('-', 0) == 0) return true;
  return !app.get_subcommands([&](const CLI::App* c) { return c->check_name(word); }).empty();
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

/// "--terms WORDS" in its two parts.
std::pair<std::string, std::string> names_and_word(const std::string& names) {
  const std::size_t space = names.find(' ');
  if (space == std::string::npos) return {names, " "};
  return {names.substr(0, space), names.substr(space + 1)};
}

template <typename T>
Value add(CLI::App& app, const std::string& names, T& variable, const std::string& help) {
  const auto [flags, word] = names_and_word(names);
  return Value(app.add_option(flags, variable, help)->option_text(word));
}

}  // namespace

Value& Value::required() {
  option_->required();
  return *this;
}

Value& Value::one_of(std::vector<std::string> words) {
  option_->check(CLI::IsMember(std::move(words)));
  return *this;
}

Value& Value::between(std::uint32_t lowest, std::uint32_t highest) {
  option_->check(CLI::Range(lowest, highest));
  return *this;
}

Value& Value::bytes() {
  option_->transform(CLI::AsSizeValue(false));
  return *this;
}

Value& Value::one_word() {
  option_->allow_extra_args(false);
  return *this;
}

Value& Value::split_at_commas() {
  option_->delimiter(',');
  return *this;
}

void Command::flag(const std::string& names, bool& there, const std::string& help) {
  app_->add_flag(names, there, help);
}

Value Command::value(const std::string& names, std::string& variable, const std::string& help) {
  return add(*app_, names, variable, help);
}

Value Command::value(const std::string& names, std::uint32_t& variable, const std::string& help) {
  return add(*app_, names, variable, help);
}

Value Command::value(const std::string& names, std::vector<std::string>& variable,
                     const std::string& help) {
  return add(*app_, names, variable, help);
}

Value Command::argument(const std::string& name, std::string& variable, const std::string& help) {
  return add(*app_, name, variable, help);
}

Value Command::argument(const std::string& name, std::vector<std::string>& variable,
                        const std::string& help) {
  return add(*app_, name, variable, help);
}

void Command::keep_rest(std::vector<std::string>& rest) {
  app_->allow_extras();
  rest_ = &rest;
}

void Command::does(std::function<int()> action) {
  app_->callback([app = app_, exit_code = exit_code_, rest = rest_, action = std::move(action)] {
    if (rest != nullptr) *rest = app->remaining();
    *exit_code = action();
  });
}

CommandLine::CommandLine(const std::string& purpose, const std::string& examples,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(purpose, "wavetank")) {
  prepare(*app_, examples);
  app_->require_subcommand(1);
  app_->set_version_flag("--version", version);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add(const std::string& name, const std::string& summary,
                         const std::string& examples) {
  CLI::App* command = app_->add_subcommand(name, summary);
  prepare(*command, examples);
  command->group("Commands");
  return {command, exit_code_};
}

std::string CommandLine::help() const { return app_->help(); }

int CommandLine::run(int words, char** argv) {
  if (words > 1 && !is_command_or_option(*app_, argv[1])) {
    return report({ErrorCode::kUsage,
                   fmt::format("there is no command \"{}\"", argv[1]),
                   {},
                   {},
                   "`wavetank --help` lists the commands"});
  }
  try {
    app_->parse(words, argv);
  } catch (const CLI::Success& help) {
    return app_->exit(help);
  } catch (const CLI::ParseError& error) {
    return report_usage(*app_, error);
  }
  return exit_code_;
}

}  // namespace wavetank::cli
