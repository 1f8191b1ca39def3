// Prints docs/advice.md: the tips of a table with the rules that answer them, and what each rule
// says.
//
//   advice_page TABLE        tip: chapter, tab, sentence, tab, rules, tab, why there is none
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "lint/rule_list.hpp"
#include "profile/advice.hpp"

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    parts.push_back(part.substr(std::min(part.find_first_not_of(' '), part.size())));
  }
  return parts;
}

/// "[id](explain/id.md)", or nothing if there is no such rule.
std::string link_of(const std::string& rule) {
  constexpr std::string_view kLint = "lint:";
  const bool is_lint = rule.starts_with(kLint);
  const std::string id = is_lint ? rule.substr(kLint.size()) : rule;
  const auto is_this = [&](const auto& row) { return row.id == id; };
  const bool known = is_lint ? std::ranges::any_of(wavetank::lint::rules(), is_this)
                             : std::ranges::any_of(wavetank::profile::finding_rules(), is_this);
  return known ? fmt::format("{}[{}](explain/{}.md)", is_lint ? "lint " : "", id, id) : "";
}

/// The line of a tip. Gives an empty one if it has neither a known rule nor a reason.
std::string row_of(const std::vector<std::string>& tip) {
  std::string answer;
  for (const std::string& rule : split(tip.size() > 2 ? tip[2] : "", ',')) {
    const std::string link = link_of(rule);
    if (link.empty()) return {};
    answer += (answer.empty() ? "" : ", ") + link;
  }
  if (answer.empty() && tip.size() > 3) answer = tip[3];
  return answer.empty() ? "" : fmt::format("| {} | {} |\n", tip[1], answer);
}

void print_rules() {
  std::cout << "\n## The rules of a profile\n\n"
               "A rule looks at what a run gave, and applies from its threshold on.\n\n"
               "What it gains is the answer to a question (`wavetank what-if --list`): the launch "
               "is timed again\nwithout the cause.\n\n"
               "| rule | from | what to do | without it |\n|---|---|---|---|\n";
  for (const auto& rule : wavetank::profile::finding_rules()) {
    std::cout << fmt::format(
        "| [{}](explain/{}.md) | {:.4g} {} | {} | {} |\n", rule.id, rule.id, rule.threshold,
        rule.unit, rule.remedy,
        rule.change.empty() ? "its own, or an estimate" : fmt::format("`{}`", rule.change));
  }
  std::cout << "\n## The rules of a lint\n\n"
               "What code tells without a run (`wavetank lint`).\n\n"
               "| rule | what is wrong | what to do |\n|---|---|---|\n";
  for (const auto& rule : wavetank::lint::rules()) {
    std::cout << fmt::format("| [{}](explain/{}.md) | {} | {} |\n", rule.id, rule.id, rule.says,
                             rule.remedy);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::ifstream table(argc > 1 ? argv[1] : "");
  if (!table) {
    std::cerr << "no table of tips\n";
    return 2;
  }
  std::cout
      << "# Advice, and what it rests on\n\n"
         "What is said about making kernels fast on CDNA devices, and what here tells when it "
         "applies, where,\nand what it would gain. Made by `ninja update_advice` from "
         "[advice.tsv](advice.tsv) and the rules.\n";
  std::string chapter;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> tip = split(line, '\t');
    const std::string row = tip.size() > 1 ? row_of(tip) : "";
    if (row.empty()) {
      std::cerr << "neither a rule nor a reason: " << line << "\n";
      return 1;
    }
    if (tip[0] != chapter) {
      chapter = tip[0];
      std::cout << fmt::format("\n## {}\n\n| what is said | what answers it |\n|---|---|\n",
                               chapter);
    }
    std::cout << row;
  }
  print_rules();
  return 0;
}
