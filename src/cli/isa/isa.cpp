// wavetank isa: the card of an instruction, or the lists of what there is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <tuple>

#include "cli/command.hpp"
#include "cli/isa/card.hpp"
#include "cli/isa/words.hpp"
#include "cli/output/exit_code.hpp"
#include "isa/absent.hpp"
#include "isa/catalogue.hpp"
#include "isa/mnemonic.hpp"

namespace wavetank::cli {
namespace {

using isa::Row;

struct IsaOptions {
  std::string name;
  std::string target;
  bool list = false;
  bool all = false;
  bool json = false;
};

bool wanted(const isa::Lifetime& lifetime, const std::string& target) {
  return target.empty() || isa::find_target(target)->has(lifetime);
}

std::set<std::string> all_mnemonics(const std::string& target) {
  std::set<std::string> names;
  for (const Row& row : isa::catalogue()) {
    if (!wanted(row.lifetime, target)) continue;
    for (std::string& name : isa::mnemonics(row)) names.insert(std::move(name));
  }
  return names;
}

/// Prints the mnemonics, one a line; only those with `part` in their name.
int list(const std::string& part, const std::string& target, bool as_json) {
  Json json = Json::array();
  for (const std::string& name : all_mnemonics(target)) {
    if (name.find(part) == std::string::npos) continue;
    json.push_back(name);
    if (!as_json) std::printf("%s\n", name.c_str());
  }
  if (as_json) print_json(json);
  return kOk;
}

struct Family {
  std::vector<unsigned> counts = std::vector<unsigned>(isa::targets().size());
  std::string example = {};

  void add(const isa::Lifetime& lifetime) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += isa::targets()[i].has(lifetime);
  }
};

/// Families in the order of the catalogue's formats.
std::vector<std::pair<std::string, Family>> count_families() {
  std::vector<std::pair<std::string, Family>> families;
  for (const Row& row : isa::catalogue()) {
    const std::vector<std::string> names = isa::mnemonics(row);
    for (const std::string& name : names) {
      std::string title = format_name(row);
      if (names.size() > 1) {
        title = name.substr(0, name.find('_'));
        for (char& c : title) c = static_cast<char>(c - 'a' + 'A');
      }
      auto at = std::find_if(families.begin(), families.end(),
                             [&](const auto& family) { return family.first == title; });
      if (at == families.end()) at = families.insert(at, {title, Family{.example = name}});
      at->second.add(row.lifetime);
    }
  }
  return families;
}

/// One line of the table of families.
void show_family(const std::string& title, const Family& family, Table& table) {
  std::vector<std::string> cells = {title};
  for (const unsigned count : family.counts) cells.push_back(std::to_string(count));
  cells.push_back(family.example);
  table.row(cells);
}

Json family_json(const std::string& title, const Family& family) {
  Json json = {{"family", title}};
  for (std::size_t i = 0; i < family.counts.size(); ++i) {
    json[std::string(isa::targets()[i].name)] = family.counts[i];
  }
  return json;
}

int show_families(bool as_json) {
  Json json = Json::array();
  Table table;
  table.column("family", Table::Align::kLeft);
  for (const std::string& name : isa::target_names()) table.column(name);
  table.column("such as", Table::Align::kLeft);
  Family sum;
  for (const auto& [title, family] : count_families()) {
    show_family(title, family, table);
    json.push_back(family_json(title, family));
    for (std::size_t i = 0; i < sum.counts.size(); ++i) sum.counts[i] += family.counts[i];
  }
  show_family("all", sum, table);
  Family absent{.example = std::string(isa::absent_instructions().front().mnemonic)};
  for (const isa::AbsentInstruction& one : isa::absent_instructions()) absent.add(one.lifetime);
  show_family("absent, with a reason", absent, table);
  json.push_back(family_json("absent", absent));
  if (as_json) {
    print_json(json);
    return kOk;
  }
  std::printf("%s", table.to_text(Style(Stream::kStdout), 0).c_str());
  std::printf(
      "\n`wavetank isa v_add_f32` is the card of one; `wavetank isa --list` prints all names.\n");
  return kOk;
}

/// Insertions, deletions and replacements from one word to another.
unsigned distance(std::string_view from, std::string_view to) {
  std::vector<unsigned> row(to.size() + 1);
  for (unsigned j = 0; j <= to.size(); ++j) row[j] = j;
  for (unsigned i = 1; i <= from.size(); ++i) {
    unsigned diagonal = row[0];
    row[0] = i;
    for (unsigned j = 1; j <= to.size(); ++j) {
      const unsigned replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

/// Up to five names that are like `word`, the likest first: few letters away, or containing it.
std::vector<std::string> near(const std::string& word) {
  std::vector<std::pair<unsigned, std::string>> ranked;
  for (const std::string& name : all_mnemonics("")) {
    const bool contains = word.size() > 2 && name.find(word) != std::string::npos;
    const unsigned steps = distance(word, name);
    const std::size_t allowed = 1 + std::min<std::size_t>(word.size() / 4, 3);
    if (contains || steps <= allowed) ranked.emplace_back(contains ? 0 : steps, name);
  }
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.first, a.second.size(), a.second) <
           std::tuple(b.first, b.second.size(), b.second);
  });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < ranked.size() && i < 5; ++i) names.push_back(ranked[i].second);
  return names;
}

/// "neither gfx90a nor gfx942".
std::string none_of_targets() {
  const std::vector<std::string> names = isa::target_names();
  if (names.size() == 2) return fmt::format("neither {} nor {}", names[0], names[1]);
  return fmt::format("none of {}", fmt::join(names, ", "));
}

int report_unknown(const std::string& word) {
  std::string matches;
  for (const std::string& name : near(word)) matches += (matches.empty() ? "" : ", ") + name;
  return report({ErrorCode::kUsage,
                 fmt::format("{} has an instruction \"{}\"", none_of_targets(), word),
                 {},
                 matches.empty() ? "" : "near: " + matches,
                 "`wavetank isa --list` prints all names"});
}

/// The card of an instruction without a row: why there is none.
int show_absent(const isa::AbsentInstruction& absent, bool as_json) {
  const isa::AbsentReason& reason = *absent.reason;
  const std::string name(absent.mnemonic), targets = isa::names_of(absent.lifetime);
  if (as_json) {
    const Json json = {{"name", name},
                       {"targets", targets},
                       {"absent", isa::absence_text(reason.absence)},
                       {"reason", {{"title", reason.title}, {"text", reason.text}}}};
    print_json(json);
    return kOk;
  }
  Card card{name, "refused (E0103): " + std::string(reason.title), targets, {}, {}};
  card.semantics = {std::string(reason.text),
                    fmt::format("{} A launch that contains it stops with E0103.",
                                isa::absence_text(reason.absence))};
  std::printf("%s", to_text(card, Style(Stream::kStdout)).c_str());
  return kOk;
}

/// Every card, one below the other, or as a JSON array.
int show_all(const std::string& target, bool as_json) {
  Json json = Json::array();
  for (const std::string& name : all_mnemonics(target)) {
    const auto instruction = find_instruction(name);
    if (!instruction) continue;
    const Result<Card> card = make_card(*instruction);
    if (!card) return report(card.error());
    if (as_json) {
      json.push_back(to_json(*card));
    } else {
      std::printf("%s\n", to_text(*card, Style(Stream::kStdout)).c_str());
    }
  }
  if (as_json) print_json(json);
  return kOk;
}

int show(const IsaOptions& options) {
  if (options.all) return show_all(options.target, options.json);
  if (options.list) return list(base_mnemonic(options.name), options.target, options.json);
  if (options.name.empty()) return show_families(options.json);
  const auto instruction = find_instruction(options.name);
  if (!instruction) {
    const std::string name = base_mnemonic(options.name);
    for (const isa::Target& target : isa::targets()) {
      const isa::AbsentInstruction* absent = isa::find_absent(name, target);
      if (absent != nullptr) return show_absent(*absent, options.json);
    }
    return report_unknown(name);
  }
  const Result<Card> card = make_card(*instruction);
  if (!card) return report(card.error());
  if (options.json) {
    print_json(to_json(*card));
  } else {
    std::printf("%s", to_text(*card, Style(Stream::kStdout)).c_str());
  }
  return kOk;
}

}  // namespace

void add_isa(CommandLine& line) {
  Command command =
      line.add("isa", "The card of an instruction: what it does, costs, rests on",
               "wavetank isa v_mfma_f32_32x32x8_f16\n"
               "wavetank isa ds_read2_b32\n"
               "wavetank isa --list --target gfx942 v_cvt    # names with v_cvt in them\n"
               "wavetank isa                                 # the families");
  auto options = std::make_shared<IsaOptions>();
  command.argument("NAME", options->name, "A mnemonic, with or without _e32, _e64, _sdwa, _dpp");
  command.flag("--list", options->list, "Print all names, or those with NAME in them");
  command.flag("--all", options->all, "Print every card");
  const std::vector<std::string> targets = isa::target_names();
  command
      .value("--target GFX", options->target,
             fmt::format("Only names of {}", fmt::join(targets, " or ")))
      .one_of(targets);
  command.flag("--json", options->json, "Print JSON");
  command.does([=] { return show(*options); });
}

}  // namespace wavetank::cli
