#include "cli/isa/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/devices/device_sheet.hpp"
#include "cli/isa/words.hpp"
#include "isa/matrix_wait.hpp"
#include "isa/vector_wait.hpp"
#include "target/device_file.hpp"
#include "target/load_device.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::cli {
namespace {

using isa::Row;
using target::Device;
using target::known;
using target::Parameter;

/// SIMDs of a CU, each with a matrix core.
constexpr unsigned kSimds = 4;

/// A number on one target, as text, and what it rests on.
struct Figure {
  std::string text;
  std::string evidence;  ///< "public: LLVM AMDGPU, SISchedule.td"
};

/// One target's row and device; the row may be missing.
struct Side {
  const Row* row;
  const Device& device;

  std::string evidence(std::string_view name) const {
    const Parameter* p = device.find(name);
    if (p == nullptr) return {};
    return fmt::format("{}: {}", target::to_text(p->evidence), p->source);
  }
  /// A parameter in wait states, and so many more; nothing if the description lacks it.
  Figure states(std::string_view name, int more) const {
    const Parameter* p = device.find(name);
    if (p == nullptr) return {};
    return {fmt::format("{}", static_cast<int>(p->value) + more), evidence(name)};
  }
  /// A parameter as it stands, with its unit.
  Figure parameter(std::string_view name) const {
    const Parameter* p = device.find(name);
    if (p == nullptr) return {};
    return {p->value == 1 && p->unit == "cycles" ? "1 cycle" : value_text(*p), evidence(name)};
  }
};

using Sides = std::vector<Side>;

/// A table of figures by target, with the sources as numbered notes.
class Figures {
 public:
  Figures(std::string title, const Sides& sides) : sides_(sides) {
    section_.title = std::move(title);
    section_.headings = {""};
    for (const Side& side : sides) section_.headings.push_back(side.device.gfx());
    section_.headings.emplace_back("rests on");
  }
  /// One line; `get(side)` gives a figure with empty text where there is none.
  template <class Get>
  void line(const std::string& label, Get get) {
    std::vector<std::string> cells(sides_.size() + 2, "-");
    cells.front() = label;
    cells.back().clear();
    bool any = false;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      if (sides_[i].row == nullptr) continue;
      const Figure figure = get(sides_[i]);
      if (figure.text.empty()) continue;
      any = true;
      cells[1 + i] = figure.text;
      const std::string mark = mark_of(figure.evidence);
      if (cells.back().find(mark) == std::string::npos) cells.back() += mark;
    }
    if (any) section_.rows.push_back(std::move(cells));
  }
  void parameter(const std::string& label, std::string_view name) {
    line(label, [&](const Side& side) { return side.parameter(name); });
  }
  CardSection take() { return std::move(section_); }

 private:
  std::string mark_of(const std::string& evidence) {
    if (evidence.empty()) return {};
    const auto [at, added] = numbers_.emplace(evidence, numbers_.size() + 1);
    if (added) section_.notes.push_back(fmt::format("[{}] {}", at->second, evidence));
    return fmt::format("[{}]", at->second);
  }
  const Sides& sides_;
  CardSection section_;
  std::map<std::string, std::size_t> numbers_;
};

constexpr const char* kPassesSource =
    "public: LLVM SISchedule.td and AMD matrix instruction calculator, which agree";

Figure matrix_figure(std::uint32_t value, const char* unit) {
  return {fmt::format("{} {}", value, unit), kPassesSource};
}

/// A pass takes four cycles (AMD matrix instruction calculator).
std::uint32_t matrix_cycles(const Side& side) { return 4u * side.row->matrix.passes; }

void matrix_lines(Figures& figures) {
  figures.line("path", [](const Side& s) {
    const bool f64 = s.row->matrix.c == isa::MatrixElement::kF64;
    return Figure{s.row->matrix.xdl ? "XDL"
                  : f64             ? "DGEMM"
                                    : "SGEMM",
                  "public: LLVM VOP3PInstructions.td, is_gfx940_xdl"};
  });
  figures.line("passes",
               [](const Side& s) { return matrix_figure(s.row->matrix.passes, "of 4 cycles"); });
  figures.line("matrix core busy",
               [](const Side& s) { return matrix_figure(matrix_cycles(s), "cycles"); });
  figures.line("VALU may issue after", [](const Side& s) {
    const std::uint32_t early = s.row->matrix.co_executes_after_cycles;
    return matrix_figure(early != 0 ? early : matrix_cycles(s), "cycles");
  });
  figures.line("operations",
               [](const Side& s) { return matrix_figure(s.row->matrix.operations(), "per wave"); });
  figures.line("peak per CU", [](const Side& s) {
    return matrix_figure(kSimds * s.row->matrix.operations() / std::max(1u, matrix_cycles(s)),
                         "per cycle");
  });
}

std::string_view valu_parameter(isa::Rate rate) {
  switch (rate) {
    case isa::Rate::kFull: return known("valu.full");
    case isa::Rate::kDouble: return known("valu.double");
    case isa::Rate::kQuarter: return known("valu.quarter");
    case isa::Rate::kTranscendental: return known("valu.transcendental");
  }
  return {};
}

std::string_view lds_latency(const Row& row) {
  const unsigned bytes = row.memory.element_bytes * row.memory.element_count;
  if (bytes <= 4) return known("lds.latency_b32");
  return bytes <= 8 ? known("lds.latency_b64") : known("lds.latency_b128");
}

void memory_lines(Figures& figures, const Row& row) {
  const bool loads = row.memory.always_returns;
  if (row.unit == isa::Unit::kLds) {
    if (loads) figures.parameter("latency without conflicts", lds_latency(row));
    figures.parameter("LDS, per pair of SIMDs", known("lds.bytes_per_cycle_per_pair"));
  } else if (row.unit == isa::Unit::kSmem && loads) {
    figures.parameter("latency, scalar L1 hit", known("smem.hit_latency"));
    figures.parameter("and more on a miss", known("smem.miss_latency"));
  } else if (row.memory.action == isa::MemoryAction::kLoad) {
    figures.parameter("latency, vector L1 hit", known("vmem.hit_latency"));
    figures.parameter("latency, L2 hit", known("l2.hit_latency"));
    figures.parameter("latency, HBM", known("hbm.latency"));
    figures.parameter("vector L1, per CU", known("vmem.bytes_per_cycle"));
  } else if (row.memory.action == isa::MemoryAction::kStore) {
    figures.parameter("until a store is acknowledged", known("vmem.store_latency"));
  } else if (row.memory.action == isa::MemoryAction::kAtomic) {
    figures.parameter("on one address, in the L2", known("atomic.l2_cycles_per_operation"));
    figures.parameter("on one address, in memory",
                      known("atomic.memory_side_cycles_per_operation"));
  }
}

CardSection cost_section(const Sides& sides, const Row& row) {
  Figures figures("Timing", sides);
  switch (row.unit) {
    case isa::Unit::kMatrix: matrix_lines(figures); break;
    case isa::Unit::kValu:
      figures.parameter("issue", valu_parameter(row.rate));
      figures.parameter("more, if 8 bytes long and misaligned", known("valu.misaligned_extra"));
      break;
    case isa::Unit::kBranch:
      figures.parameter("issue", known("salu.issue"));
      figures.parameter("until the next issue", known("issue.branch_latency"));
      break;
    case isa::Unit::kSalu: figures.parameter("issue", known("salu.issue")); break;
    default:
      figures.parameter("issue", known("issue.slot_period"));
      memory_lines(figures, row);
      break;
  }
  CardSection section = figures.take();
  const bool valu = row.unit == isa::Unit::kValu;
  std::string unit = fmt::format("unit: {}", unit_name(row.unit));
  if (valu) unit += fmt::format(", rate class: {}", rate_name(row.rate));
  section.notes.insert(section.notes.begin(), unit);
  return section;
}

/// Wait states from a matrix instruction to a use of its registers.
Figure after_matrix(const Side& side, isa::MatrixUse use) {
  const auto wait = isa::matrix_wait(side.row->matrix, use, side.row->matrix);
  if (!wait) return {"0", "public: LLVM GCNHazardRecognizer.cpp"};
  const isa::MatrixWait& rule = isa::kMatrixWaits[*wait];
  return side.states(rule.parameter, rule.after_passes ? side.row->matrix.passes : 0);
}

CardSection wait_section(const Sides& sides, const Row& row) {
  Figures figures("Wait states before", sides);
  if (row.matrix.present()) {
    const auto after = [&](const char* label, isa::MatrixUse use) {
      figures.line(label, [use](const Side& side) { return after_matrix(side, use); });
    };
    after("D as C of the next, same registers", isa::MatrixUse::kSameC);
    after("D as C, overlapping", isa::MatrixUse::kOverlappingC);
    after("D as A or B", isa::MatrixUse::kFactor);
    after("VALU reads or writes D", isa::MatrixUse::kVector);
    after("memory reads D", isa::MatrixUse::kMemory);
    after("VALU overwrites C", isa::MatrixUse::kOverwritesC);
  }
  for (const isa::VectorWait& wait : isa::kVectorWaits) {
    if (!isa::may_make_wait(row, wait.after)) continue;
    figures.line(std::string(wait.label),
                 [&](const Side& side) { return side.states(wait.parameter, 0); });
  }
  return figures.take();
}

}  // namespace

const Result<Device>& built_in_device_of(const isa::Target& target) {
  static auto& devices = *new std::map<isa::Version, Result<Device>>;
  const auto known = devices.find(target.version);
  if (known != devices.end()) return known->second;
  return devices.emplace(target.version, target::default_device_for(target.name)).first->second;
}

Result<std::vector<CardSection>> timing_sections(const Instruction& instruction,
                                                 const DeviceOf& device_of) {
  Sides sides;
  for (const auto& [target, row] : instruction.on) {
    const Result<Device>& device = device_of(*target);
    if (!device) return tl::unexpected(device.error());
    sides.push_back({row, *device});
  }
  std::vector<CardSection> sections = {cost_section(sides, instruction.any())};
  CardSection waits = wait_section(sides, instruction.any());
  if (!waits.rows.empty()) sections.push_back(std::move(waits));
  return sections;
}

}  // namespace wavetank::cli
