#include "cli/isa/card.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/embedded_file.hpp"
#include "cli/isa/example.hpp"
#include "cli/isa/matrix.hpp"
#include "cli/isa/operands.hpp"
#include "cli/isa/words.hpp"
#include "isa/formula.hpp"
#include "isa/mnemonic.hpp"

namespace wavetank::cli {

/// docs/isa/coverage.md, which says what each row's results rest on.
std::span<const EmbeddedFile> isa_pages();

using isa::Format;
using isa::Row;
using isa::Target;

namespace {

std::string segment_name(Format segment) {
  return segment == Format::kGlobal ? "GLOBAL" : segment == Format::kScratch ? "SCRATCH" : "FLAT";
}

}  // namespace

std::vector<std::string> formula_of(const Row& row) {
  if (row.matrix.present()) return matrix_pseudo_code(row.matrix);
  if (row.memory.action != isa::MemoryAction::kNone) return memory_pseudo_code(row);
  return isa::formula(row);
}

namespace {

/// Summary, formula and notes; once for each target where the rows differ.
std::vector<std::string> semantics_of(const Instruction& instruction) {
  std::vector<std::string> lines;
  const auto versions = instruction.versions();
  const bool differ = std::ranges::any_of(versions, [&](const InstructionVersion& version) {
    return version.row->summary != versions.front().row->summary;
  });
  for (const InstructionVersion& version : versions) {
    const Row* const row = version.row;
    if (!differ && row != versions.back().row) continue;
    lines.push_back(differ ? fmt::format("{}: {}", version.names(), row->summary)
                           : std::string(row->summary));
    for (const std::string& line : formula_of(*row)) lines.push_back("    " + line);
    for (std::string& note : semantic_notes(*row)) lines.push_back(std::move(note));
  }
  for (const InstructionVersion& version : versions) {
    const isa::MatrixShape& shape = version.row->matrix;
    if (!shape.present()) continue;
    lines.push_back(fmt::format("Sum on {}: {}.", version.names(), matrix_rule_text(shape)));
  }
  return lines;
}

/// The lines of one form: one for all targets whose example is the same as the one before.
void add_encoding(const InstructionVersion& version, encoding::Form form, Format segment,
                  CardSection& section) {
  const Row& row = *version.row;
  const bool e64 = form == encoding::Form::kVop3;
  const unsigned opcode = e64 ? vop3_opcode(row.encoding) : row.encoding.opcode;
  const bool own_segment = segment == row.encoding.format;
  const std::string name = own_segment ? form_name(row, form) : segment_name(segment);
  std::vector<std::string> last;
  for (const Target* target : version.targets) {
    const auto example = isa_example(row, form, segment, *target);
    std::vector<std::string> cells = {name, std::string(target->name), fmt::format("{:#x}", opcode),
                                      "", ""};
    if (example) {
      cells[3] = fmt::format("{:08x}", fmt::join(example->words, " "));
      cells[4] = example->text;
    }
    if (!last.empty() && last[3] == cells[3] && last[4] == cells[4]) {
      section.rows.back()[1] += " " + cells[1];
    } else {
      section.rows.push_back(cells);
    }
    last = std::move(cells);
  }
}

CardSection encoding_section(const Instruction& instruction) {
  CardSection section{"Encodings", {"form", "target", "opcode", "words", "example"}, {}, {}};
  for (const InstructionVersion& version : instruction.versions()) {
    const Format segment = isa::segment_of(*version.row, instruction.name);
    for (const encoding::Form form : forms_of(*version.row)) {
      add_encoding(version, form, segment, section);
    }
  }
  return section;
}

/// The last cell of the row's line in the page of proofs.
std::string proof_of(const Row& row) {
  const std::string name = fmt::format("| `{}` | ", row.name);
  const std::string targets = targets_text(row.lifetime);
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

CardSection proof_section(const Instruction& instruction) {
  CardSection section{"Proof", {"", ""}, {}, {}};
  for (const InstructionVersion& version : instruction.versions()) {
    section.rows.push_back({version.names(), proof_of(*version.row)});
  }
  section.rows.push_back({"encoding", "llvm-mc-19 encodes and prints every operand kind alike"});
  return section;
}

}  // namespace

Result<Card> make_card(const Instruction& instruction, const DeviceOf& device_of) {
  const Row& row = instruction.any();
  Card card;
  card.name = instruction.name;
  const Format segment = isa::segment_of(row, instruction.name);
  card.encoding = segment == row.encoding.format ? format_name(row) : segment_name(segment);
  const auto versions = instruction.versions();
  const bool renamed = std::ranges::any_of(versions, [&](const InstructionVersion& version) {
    return version.row->name != versions.front().row->name;
  });
  for (const InstructionVersion& version : versions) {
    card.targets += card.targets.empty() ? "" : renamed ? ", " : " ";
    card.targets +=
        renamed ? fmt::format("{}: {}", version.names(), version.row->name) : version.names();
  }
  card.semantics = semantics_of(instruction);
  if (proof_of(row).starts_with("not run")) {
    card.semantics.push_back("Wavetank does not run it: a launch that contains it stops (E0103).");
  }
  card.sections.push_back(operand_section(row, isa::segment_of(row, instruction.name)));
  card.sections.push_back(encoding_section(instruction));
  auto timing = timing_sections(instruction, device_of);
  if (!timing) return tl::unexpected(timing.error());
  for (CardSection& section : *timing) card.sections.push_back(std::move(section));
  if (row.matrix.present()) {
    for (CardSection& section : matrix_layout(row.matrix)) {
      card.sections.push_back(std::move(section));
    }
  }
  card.sections.push_back(proof_section(instruction));
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
