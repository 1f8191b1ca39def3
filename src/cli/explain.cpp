// wavetank explain: one page for each diagnostic and topic (docs/explain, compiled in).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <span>
#include <sstream>

#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/output/explain_pages.hpp"
#include "cli/output/json_output.hpp"
#include "cli/output/terminal.hpp"

namespace wavetank::cli {

namespace {

bool is_code(std::string_view name) {
  return name.size() == 5 && name[0] == 'E' &&
         std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "e103", "E0103" and "103" mean E0103; topics are taken as they are, in lower case.
std::string canonical(std::string word) {
  std::string digits = word;
  if (!digits.empty() && (digits[0] == 'E' || digits[0] == 'e')) digits.erase(0, 1);
  const bool number = !digits.empty() && digits.size() <= 4 &&
                      std::all_of(digits.begin(), digits.end(),
                                  [](unsigned char c) { return std::isdigit(c) != 0; });
  if (number) return fmt::format("E{:0>4}", digits);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

int list(bool as_json) {
  Json json = Json::array();
  Table table;
  table.column("", Table::Align::kLeft);
  table.column("", Table::Align::kLeft);
  for (const bool codes : {false, true}) {
    for (const EmbeddedFile& page : explain_pages()) {
      if (is_code(page.name) != codes) continue;
      const std::string text = title_of(page);
      json.push_back({{"name", page.name}, {"title", text}});
      const std::size_t colon = codes ? text.find(": ") : std::string::npos;
      table.row(
          {std::string(page.name), colon == std::string::npos ? text : text.substr(colon + 2)});
    }
  }
  if (as_json) {
    print_json(json);
  } else {
    std::printf("%s", table.to_text(Style(Stream::kStdout), 0).c_str());
  }
  return kOk;
}

int show(const std::string& word, bool as_json) {
  const EmbeddedFile* const page = explain_page(canonical(word));
  if (page == nullptr) {
    return report({ErrorCode::kUsage,
                   fmt::format("there is no page \"{}\"", word),
                   {},
                   {},
                   "`wavetank explain` lists the pages"});
  }
  if (as_json) {
    print_json({{"name", page->name}, {"title", title_of(*page)}, {"text", page->text}});
    return kOk;
  }
  const Style style(Stream::kStdout);
  std::istringstream lines{std::string(page->text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t mark = line.find_first_not_of('#');
    const bool heading = mark != 0 && mark != std::string::npos;
    std::printf("%s\n", heading ? style.bold(line.substr(mark + 1)).c_str() : line.c_str());
  }
  return kOk;
}

}  // namespace

const EmbeddedFile* explain_page(std::string_view name) {
  const std::span<const EmbeddedFile> pages = explain_pages();
  const auto page = std::ranges::find(pages, name, &EmbeddedFile::name);
  return page == pages.end() ? nullptr : &*page;
}

std::string title_of(const EmbeddedFile& page) {
  const std::string_view line = page.text.substr(0, page.text.find('\n'));
  return std::string(line.substr(std::min<std::size_t>(line.size(), 2)));
}

void add_explain(CommandLine& line) {
  Command command = line.add("explain", "One page on a diagnostic or a topic",
                             "wavetank explain E0103\n"
                             "wavetank explain occupancy\n"
                             "wavetank explain                # the list");
  struct Options {
    std::string name;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  command.argument("PAGE", options->name, "A diagnostic (E0103) or a topic (occupancy)");
  command.flag("--json", options->json, "Print JSON");
  command.does([=] {
    return options->name.empty() ? list(options->json) : show(options->name, options->json);
  });
}

}  // namespace wavetank::cli
