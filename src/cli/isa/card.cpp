#include "cli/isa/card.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "base/embedded_file.hpp"
#include "cli/isa/example.hpp"
#include "cli/isa/matrix.hpp"
#include "cli/isa/operands.hpp"
#include "cli/isa/timing.hpp"
#include "cli/isa/words.hpp"
#include "isa/catalogue.hpp"
#include "isa/formula.hpp"
#include "isa/mnemonic.hpp"

namespace wavetank::cli {

/// docs/isa/coverage.md, which says what each row's results rest on.
std::span<const EmbeddedFile> isa_pages();

using isa::Format;
using isa::Row;
using isa::Targets;

namespace {

/// The matrix row of the other target that computes the same product, or nullptr.
const Row* counterpart(const Row& row, Targets target) {
  if (!row.matrix.present()) return nullptr;
  for (const Row& other : isa::catalogue()) {
    const isa::MatrixShape &x = row.matrix, &y = other.matrix;
    if (isa::has_target(other.targets, target) && x.m == y.m && x.n == y.n && x.k == y.k &&
        x.blocks == y.blocks && x.a == y.a && x.b == y.b && x.sparse == y.sparse) {
      return &other;
    }
  }
  return nullptr;
}

std::string segment_name(Format segment) {
  return segment == Format::kGlobal ? "GLOBAL" : segment == Format::kScratch ? "SCRATCH" : "FLAT";
}

}  // namespace

std::vector<std::pair<const Row*, std::string>> InstructionPair::versions() const {
  if (on_gfx90a == on_gfx942) return {{on_gfx942, "gfx90a gfx942"}};
  std::vector<std::pair<const Row*, std::string>> result;
  if (on_gfx90a != nullptr) result.emplace_back(on_gfx90a, "gfx90a");
  if (on_gfx942 != nullptr) result.emplace_back(on_gfx942, "gfx942");
  return result;
}

std::string base_mnemonic(std::string_view mnemonic) {
  std::string name(mnemonic);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string_view suffix : {"_e32", "_e64", "_sdwa", "_dpp"}) {
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  }
  return name;
}

std::optional<InstructionPair> find_instruction(std::string_view mnemonic) {
  InstructionPair pair;
  pair.name = base_mnemonic(mnemonic);
  pair.on_gfx90a = isa::find_row(pair.name, Targets::kGfx90a);
  pair.on_gfx942 = isa::find_row(pair.name, Targets::kGfx942);
  if (pair.on_gfx90a == nullptr && pair.on_gfx942 == nullptr) return {};
  if (pair.on_gfx90a == nullptr) pair.on_gfx90a = counterpart(pair.any(), Targets::kGfx90a);
  if (pair.on_gfx942 == nullptr) pair.on_gfx942 = counterpart(pair.any(), Targets::kGfx942);
  return pair;
}

std::vector<std::string> formula_of(const Row& row) {
  if (row.matrix.present()) return matrix_pseudo_code(row.matrix);
  if (row.memory.action != isa::MemoryAction::kNone) return memory_pseudo_code(row);
  return isa::formula(row);
}

namespace {

/// Summary, formula and notes; once for each target where the rows differ.
std::vector<std::string> semantics_of(const InstructionPair& pair) {
  std::vector<std::string> lines;
  const auto versions = pair.versions();
  const bool differ =
      versions.size() == 2 && versions[0].first->summary != versions[1].first->summary;
  for (const auto& [row, targets] : versions) {
    if (!differ && row != versions.back().first) continue;
    lines.push_back(differ ? fmt::format("{}: {}", targets, row->summary)
                           : std::string(row->summary));
    for (const std::string& line : formula_of(*row)) lines.push_back("    " + line);
    for (std::string& note : semantic_notes(*row)) lines.push_back(std::move(note));
  }
  for (const auto& [row, targets] : versions) {
    if (!row->matrix.present()) continue;
    lines.push_back(fmt::format("Sum on {}: {}.", targets, matrix_rule_text(row->matrix)));
  }
  return lines;
}

/// The lines of one form: one for all `targets` if its example is the same on each.
void add_encoding(const Row& row, encoding::Form form, Format segment, const std::string& targets,
                  CardSection& section) {
  const bool e64 = form == encoding::Form::kVop3;
  const unsigned opcode = e64 ? vop3_opcode(row.encoding) : row.encoding.opcode;
  const bool own_segment = segment == row.encoding.format;
  const std::string name = own_segment ? form_name(row, form) : segment_name(segment);
  std::vector<std::string> last;
  for (const Targets target : {Targets::kGfx90a, Targets::kGfx942}) {
    const std::string on = targets_text(target);
    if (targets.find(on) == std::string::npos) continue;
    const auto example = isa_example(row, form, segment, target);
    std::vector<std::string> cells = {name, on, fmt::format("{:#x}", opcode), "", ""};
    if (example) {
      cells[3] = fmt::format("{:08x}", fmt::join(example->words, " "));
      cells[4] = example->text;
    }
    if (!last.empty() && last[3] == cells[3] && last[4] == cells[4]) {
      section.rows.back()[1] = targets;
    } else {
      section.rows.push_back(cells);
    }
    last = std::move(cells);
  }
}

CardSection encoding_section(const InstructionPair& pair) {
  CardSection section{"Encodings", {"form", "target", "opcode", "words", "example"}, {}, {}};
  for (const auto& [row, targets] : pair.versions()) {
    for (const encoding::Form form : forms_of(*row)) {
      add_encoding(*row, form, isa::segment_of(*row, pair.name), targets, section);
    }
  }
  return section;
}

/// The last cell of the row's line in the page of proofs.
std::string proof_of(const Row& row) {
  const std::string name = fmt::format("| `{}` | ", row.name);
  const std::string targets = row.targets == Targets::kBoth ? "both" : targets_text(row.targets);
  for (const EmbeddedFile& page : isa_pages()) {
    const std::string start = "\n" + name + targets + " | ";
    const std::size_t at = page.text.find(start);
    if (at == std::string_view::npos) continue;
    const std::string_view line = page.text.substr(at + 1, page.text.find('\n', at + 1) - at - 1);
    const std::size_t end = line.rfind(" |"), cell = line.rfind(" | ", end - 1);
    return std::string(line.substr(cell + 3, end - cell - 3));
  }
  return "not on docs/isa/coverage.md";
}

CardSection proof_section(const InstructionPair& pair) {
  CardSection section{"Proof", {"", ""}, {}, {}};
  for (const auto& [row, targets] : pair.versions()) {
    section.rows.push_back({targets, proof_of(*row)});
  }
  section.rows.push_back({"encoding", "llvm-mc-19 encodes and prints every operand kind alike"});
  return section;
}

}  // namespace

Result<Card> make_card(const InstructionPair& pair) {
  const Row& row = pair.any();
  Card card;
  card.name = pair.name;
  const Format segment = isa::segment_of(row, pair.name);
  card.encoding = segment == row.encoding.format ? format_name(row) : segment_name(segment);
  const auto versions = pair.versions();
  const bool renamed = versions.size() == 2 && versions[0].first->name != versions[1].first->name;
  for (const auto& [version, targets] : versions) {
    card.targets += card.targets.empty() ? "" : renamed ? ", " : " ";
    card.targets += renamed ? fmt::format("{}: {}", targets, version->name) : targets;
  }
  card.semantics = semantics_of(pair);
  if (proof_of(row).starts_with("not run")) {
    card.semantics.push_back("Wavetank does not run it: a launch that contains it stops (E0103).");
  }
  card.sections.push_back(operand_section(row, isa::segment_of(row, pair.name)));
  card.sections.push_back(encoding_section(pair));
  auto timing = timing_sections(pair);
  if (!timing) return tl::unexpected(timing.error());
  for (CardSection& section : *timing) card.sections.push_back(std::move(section));
  if (row.matrix.present()) {
    for (CardSection& section : matrix_layout(row.matrix)) {
      card.sections.push_back(std::move(section));
    }
  }
  card.sections.push_back(proof_section(pair));
  return card;
}

namespace {

/// Breaks a line at words, at most `width` columns; later lines are indented by `hang`.
std::string wrapped(const std::string& text, std::size_t width, std::size_t hang) {
  if (text.size() <= width) return text + "\n";
  std::size_t cut = text.rfind(' ', width);
  if (cut == std::string::npos || cut <= hang) cut = text.find(' ', width);
  if (cut == std::string::npos) return text + "\n";
  const std::string rest = std::string(hang, ' ') + text.substr(cut + 1);
  return text.substr(0, cut) + "\n" + wrapped(rest, width, hang);
}

constexpr std::size_t kWidth = 96;

}  // namespace

std::string to_text(const Card& card, const Style& style) {
  std::string text =
      fmt::format("{}   {}   {}\n\n", style.bold(card.name), card.encoding, card.targets);
  for (const std::string& line : card.semantics) {
    text += wrapped(line, kWidth, line.starts_with(" ") ? 6 : 0);
  }
  for (const CardSection& section : card.sections) {
    if (section.rows.empty() && section.notes.empty()) continue;
    text += "\n" + style.bold(section.title) + "\n";
    Table table;
    for (const std::string& heading : section.headings) table.column(heading, Table::Align::kLeft);
    for (const auto& row : section.rows) table.row(row);
    if (!section.rows.empty()) text += table.to_text(style);
    for (const std::string& note : section.notes) text += wrapped("  " + note, kWidth, 6);
  }
  return text;
}

Json to_json(const Card& card) {
  Json json = {{"name", card.name},
               {"encoding", card.encoding},
               {"targets", card.targets},
               {"semantics", card.semantics}};
  for (const CardSection& section : card.sections) {
    Json rows = Json::array();
    for (const auto& cells : section.rows) {
      Json line = Json::object();
      for (std::size_t i = 0; i < cells.size() && i < section.headings.size(); ++i) {
        const std::string& heading = section.headings[i];
        line[heading.empty() ? (i == 0 ? "what" : "text") : heading] = cells[i];
      }
      rows.push_back(std::move(line));
    }
    json["sections"][section.title] = {{"rows", std::move(rows)}, {"notes", section.notes}};
  }
  return json;
}

}  // namespace wavetank::cli
