// Writes docs/isa: a page for each family with every row of the catalogue, what it does, costs and
// rests on; coverage.md, which counts them; absent.md, what has no row and why.
// Usage: isa_coverage FOLDER-OF-VECTOR-FILES FOLDER-OF-PAGES
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "cli/isa/card.hpp"
#include "cli/isa/timing.hpp"
#include "cli/isa/words.hpp"
#include "coverage_memory.hpp"
#include "execute/handlers.hpp"
#include "isa/absent.hpp"
#include "isa/catalogue.hpp"
#include "isa/target.hpp"
#include "unit/execute/vector_file.hpp"

namespace {

using namespace wavetank;

/// A page: rows of some formats.
struct Section {
  const char* file;
  const char* title;
  isa::Format first, last;
};
constexpr Section kSections[] = {
    {"vop1", "VOP1: vector instructions of one source", isa::Format::kVop1, isa::Format::kVop1},
    {"vop2", "VOP2: vector instructions of two sources", isa::Format::kVop2, isa::Format::kVop2},
    {"vopc", "VOPC: vector comparisons", isa::Format::kVopc, isa::Format::kVopc},
    {"vop3", "VOP3: vector instructions of up to three sources", isa::Format::kVop3,
     isa::Format::kVop3},
    {"vop3p", "VOP3P: packed and matrix instructions", isa::Format::kVop3p, isa::Format::kVop3p},
    {"scalar", "SOP1, SOP2, SOPK, SOPC, SOPP: scalar instructions", isa::Format::kSop1,
     isa::Format::kSopp},
    {"smem", "SMEM: scalar memory", isa::Format::kSmem, isa::Format::kSmem},
    {"ds", "DS: local data share", isa::Format::kDs, isa::Format::kDs},
    {"flat", "FLAT, GLOBAL, SCRATCH", isa::Format::kFlat, isa::Format::kScratch},
    {"buffer", "MUBUF, MTBUF: buffers", isa::Format::kMubuf, isa::Format::kMtbuf},
    {"image", "MIMG: images", isa::Format::kMimg, isa::Format::kMimg}};

struct Files {
  std::map<std::string, tests::VectorFile> values;
  tests::MemoryFiles memory, wave;
};

enum class State { kConfirmed, kPartly, kPending, kNotRun };

struct Proof {
  State state;
  std::string text;
};

/// Matrix rows: the test `matrix` runs tests/vectors/matrix and exact integer products.
Proof matrix_proof(const isa::MatrixShape& shape) {
  const bool integer = shape.rule == isa::MatrixRule::kInteger;
  if (integer) return {State::kConfirmed, "confirmed: exact integers, AMD's matrix calculator"};
  if (!shape.sparse) return {State::kConfirmed, "confirmed: MMA-Sim, AMD's matrix calculator"};
  return {State::kPartly,
          "confirmed: exact integers, AMD's matrix calculator; rounding assumed as in dense rows"};
}

/// A row without any handler: decoded and printed, but refused before a launch writes anything.
bool runs(const isa::Row& row) {
  const execute::HandlerSet& set = execute::handlers()[row.id];
  return set.usual != nullptr || set.global != nullptr || set.scratch != nullptr ||
         set.exact != nullptr;
}

bool touches_memory(isa::Format format) {
  return format == isa::Format::kSmem ||
         (format >= isa::Format::kDs && format <= isa::Format::kMimg);
}

/// Rows with whole cases: of data and addresses in memory, or of a wave's state.
Proof proof_by_cases(const isa::Row& row, const tests::MemoryFiles& files) {
  const tests::MemoryProof proof = tests::memory_proof(row, files);
  const std::string total = std::to_string(proof.cases);
  if (row.encoding.format == isa::Format::kMimg) {
    return {State::kPending, "pending: only the guide's text, in unit tests; no second reference"};
  }
  if (proof.cases == 0) return {State::kPending, "pending: " + tests::reason_without_cases(row)};
  if (proof.confirmed == 0 || !proof.complete) {
    return {State::kPending, "pending: " + std::to_string(proof.confirmed) + " of " + total +
                                 " cases have two references"};
  }
  if (proof.confirmed == proof.cases) {
    return {State::kConfirmed, "confirmed: " + total + " cases (" + proof.references + ")"};
  }
  return {State::kPartly, "confirmed: " + std::to_string(proof.confirmed) + " of " + total +
                              " cases (" + proof.references + "); one reference for the rest"};
}

Proof proof_of(const isa::Row& row, const Files& files) {
  if (!runs(row)) return {State::kNotRun, "not run: refused by name (E0103)"};
  if (row.matrix.present()) return matrix_proof(row.matrix);
  if (touches_memory(row.encoding.format)) return proof_by_cases(row, files.memory);
  if (files.wave.by_name.contains(std::string(row.name))) return proof_by_cases(row, files.wave);
  std::size_t total = 0, both = 0, explained = 0;
  // Rows have a file for each thing they write.
  for (const char* effect : {"", ".scc", ".exec", ".vcc"}) {
    const auto file = files.values.find(std::string(row.name) + effect);
    if (file == files.values.end()) continue;
    total += file->second.vectors.size(), both += file->second.confirmed();
    explained += file->second.explained();
  }
  if (total == 0) return {State::kPending, "pending: no vector file"};
  if (both == total) {
    const std::string rest =
        explained == 0 ? "" : ", " + std::to_string(explained) + " of them by DEVIATIONS.md";
    return {State::kConfirmed, "confirmed: " + std::to_string(total) + " vectors" + rest};
  }
  if (both == 0) {
    return {State::kPending, "pending: one reference for " + std::to_string(total) + " vectors"};
  }
  return {State::kPartly, "confirmed: " + std::to_string(both) + " of " + std::to_string(total) +
                              " vectors; one reference for the rest"};
}

/// Text that may stand in a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

/// "e32 0x1, e64 0x101, SDWA, DPP".
std::string encodings_of(const isa::Row& row) {
  std::string text;
  for (const encoding::Form form : cli::forms_of(row)) {
    char opcode[16] = "";
    const bool e64 = form == encoding::Form::kVop3;
    if (form == encoding::Form::kPlain || e64) {
      std::snprintf(opcode, sizeof opcode, " 0x%x",
                    unsigned{e64 ? vop3_opcode(row.encoding) : row.encoding.opcode});
    }
    text += (text.empty() ? "" : ", ") + cli::form_name(row, form) + opcode;
  }
  return text;
}

std::string semantics_of(const isa::Row& row) {
  std::string text = cell(std::string(row.summary));
  std::string formula;
  for (const std::string& line : cli::formula_of(row)) {
    formula += (formula.empty() ? "" : "; ") + line;
  }
  return formula.empty() ? text : text + " `" + cell(formula) + "`";
}

/// Unit, rate and the first line of the timing section; its sources go to `sources`.
std::string cost_of(const isa::Row& row, std::set<std::string>& sources) {
  const auto sections = cli::timing_sections(cli::instruction_of(row));
  std::string text(cli::unit_name(row.unit));
  if (row.unit == isa::Unit::kValu) text += ", " + std::string(cli::rate_name(row.rate));
  if (!sections || sections->front().rows.empty()) return text;
  const cli::CardSection& timing = sections->front();
  // The path is the first line of a matrix row, its passes the second.
  const auto& line = timing.rows[row.matrix.present() ? 1 : 0];
  std::string last;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (line[i] == "-" || line[i] == last) continue;
    text += (last.empty() ? ": " : ", ") + line[i];
    last = line[i];
  }
  for (const std::string& note : timing.notes) {
    const std::size_t mark = note.find("] ");
    if (mark == std::string::npos ||
        line.back().find(note.substr(0, mark + 1)) == std::string::npos) {
      continue;
    }
    sources.insert(note.substr(mark + 2));
  }
  return text;
}

/// Rows by State.
struct Counts {
  unsigned of[4] = {};
  unsigned total() const { return of[0] + of[1] + of[2] + of[3]; }
};

constexpr const char* kNote =
    "Generated by `isa_coverage`; the test `isa_coverage` fails when this page is out of date\n"
    "(`ninja update_isa_coverage` writes it).";

Counts write_page(const Section& section, const Files& files, const std::string& folder) {
  Counts counts;
  std::string rows;
  std::set<std::string> sources;
  for (const isa::Row& row : isa::catalogue()) {
    const isa::Format format = row.encoding.format;
    if (format < section.first || format > section.last) continue;
    const Proof proof = proof_of(row, files);
    ++counts.of[static_cast<int>(proof.state)];
    rows += "| `" + std::string(row.name) + "` | " + cli::targets_text(row.lifetime) + " | " +
            encodings_of(row) + " | " + semantics_of(row) + " | " + cost_of(row, sources) + " | " +
            proof.text + " |\n";
  }
  std::ofstream page(folder + "/" + section.file + ".md");
  page << "# " << section.title << "\n\n"
       << kNote
       << " `wavetank isa NAME` prints more of\neach: operands, examples with bytes, wait states, "
          "layouts.\n\n";
  if (section.first == isa::Format::kFlat) {
    page << "A row of FLAT encoding exists as flat_, global_ and, unless an atomic, scratch_.\n\n";
  }
  page << counts.of[0] << " confirmed, " << counts.of[1] << " in part, " << counts.of[2]
       << " pending, " << counts.of[3]
       << " not run; [coverage.md](coverage.md) says what that means.\n\n"
       << "| instruction | targets | encodings | semantics | unit and cost | proof |\n"
       << "|---|---|---|---|---|---|\n"
       << rows << "\nThe costs rest on:\n\n";
  for (const std::string& source : sources) page << "- " << source << "\n";
  return counts;
}

/// "gfx90a or gfx942".
std::string any_target() {
  std::string text;
  for (const std::string& name : isa::target_names()) text += (text.empty() ? "" : " or ") + name;
  return text;
}

void write_absent(const std::string& folder) {
  std::ofstream page(folder + "/absent.md");
  page << "# Instructions without a row\n\n"
       << kNote << " LLVM 19 decodes these\nmnemonics for "
       << any_target()
       << " and Wavetank has no row for them. The test `isa_mnemonics` fails if a\nmnemonic of "
          "LLVM's has neither a row nor a "
          "line here. A launch whose code contains one is refused\nby name (E0103) before "
          "anything is written.\n\n";
  const isa::AbsentReason* reason = nullptr;
  for (const isa::AbsentInstruction& absent : isa::absent_instructions()) {
    if (absent.reason != reason) {
      page << (reason == nullptr ? "" : "\n") << "## " << absent.reason->title << "\n\n"
           << absent.reason->text << " **" << isa::absence_text(absent.reason->absence)
           << "**\n\n| mnemonic | targets |\n|---|---|\n";
      reason = absent.reason;
    }
    page << "| `" << absent.mnemonic << "` | " << isa::names_of(absent.lifetime) << " |\n";
  }
}

constexpr const char* kPreface =
    "*Confirmed* means that two references which are independent of this code and of each other "
    "give\n"
    "the same result: LLVM's constant folding, exact rational or integer arithmetic in Python, "
    "AMD's\n"
    "pseudo-code, MPFR, the host's libm (tests/vectors/README.md); or that the row of "
    "DEVIATIONS.md\n"
    "which a vector names says why a reference differs. Every vector is run on the lane-by-lane\n"
    "reference and on strips; the test `valu` then holds every host target to that reference on "
    "the\n"
    "value grid, with all source kinds, modifiers and EXEC masks. Scalar rows have vectors for D, "
    "SCC\n"
    "and EXEC each (the test `scalar`), rows of control flow and of whole waves cases "
    "(`wave_vectors`).\n"
    "Memory rows have cases of data and addresses in whole states of registers and memory (the\n"
    "test `memory_vectors`): both targets, every address form, every mnemonic of a FLAT row.\n"
    "Matrix rows have MMA-Sim for values (a model fitted to devices bit by bit) and AMD's\n"
    "matrix instruction calculator for places and cycles. *Pending* says what is missing. No\n"
    "vector comes from a device yet. *Not run*: decoded and printed, but a launch that contains\n"
    "it is refused by name.\n"
    "\n"
    "What LLVM 19 decodes and has no row is on [absent.md](absent.md), with the reason.\n"
    "\n";

void write_pages(const Files& files, const std::string& folder) {
  std::ofstream page(folder + "/coverage.md");
  page << "# What each instruction's results rest on\n\n" << kNote << "\n\n" << kPreface;
  page << "| page | rows | confirmed | in part | pending | not run |\n"
          "|---|---|---|---|---|---|\n";
  Counts all;
  for (const Section& section : kSections) {
    const Counts counts = write_page(section, files, folder);
    page << "| [" << section.title << "](" << section.file << ".md) | " << counts.total();
    for (int i = 0; i < 4; ++i) {
      page << " | " << counts.of[i];
      all.of[i] += counts.of[i];
    }
    page << " |\n";
  }
  page << "| all | " << all.total() << " | " << all.of[0] << " | " << all.of[1] << " | "
       << all.of[2] << " | " << all.of[3] << " |\n";
  write_absent(folder);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: isa_coverage VECTORS PAGES\n");
    return 2;
  }
  Files files;
  const std::string vectors = argv[1];
  auto paths = tests::vector_files(vectors);
  for (std::string& path : tests::vector_files(vectors + "/scalar", "s_")) paths.push_back(path);
  for (const std::string& path : paths) {
    tests::VectorFile file = tests::read_vector_file(path);
    if (!file.error.empty()) {
      std::fprintf(stderr, "%s\n", file.error.c_str());
      return 1;
    }
    files.values.emplace(file.name, std::move(file));
  }
  files.memory = tests::read_memory_files(vectors + "/memory");
  files.wave = tests::read_memory_files(vectors + "/wave");
  for (const std::string& error : {files.memory.error, files.wave.error}) {
    if (error.empty()) continue;
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  write_pages(files, argv[2]);
  return 0;
}
