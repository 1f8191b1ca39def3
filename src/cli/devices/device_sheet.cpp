#include "cli/devices/device_sheet.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <string_view>
#include <vector>

#include "cli/output/terminal.hpp"
#include "target/device_file.hpp"
#include "target/parameter_table.hpp"
#include "target/peaks.hpp"

namespace wavetank::cli {
namespace {

using target::Device;
using target::Evidence;
using target::known;
using target::Parameter;
using target::PeakBandwidth;
using target::PeakRate;
using target::Vocabulary;

constexpr std::uint32_t kBytesPerRegister = 4;
constexpr std::uint32_t kLanesPerWave = 64;

std::string kind_text(Evidence evidence) { return std::string(target::to_text(evidence)); }

/// The numbers of one device, for lines that name several.
struct Numbers {
  const Device& device;

  const Parameter* find(std::string_view name) const { return device.find(name); }
  double value(std::string_view name) const { return device.value(name); }
  bool has(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      if (find(name) == nullptr) return false;
    }
    return true;
  }
  std::string kind(std::initializer_list<std::string_view> names) const {
    Evidence weakest = Evidence::kMeasured;
    for (const std::string_view name : names) {
      if (const Parameter* p = find(name)) weakest = target::weaker(weakest, p->evidence);
    }
    return kind_text(weakest);
  }
  /// What is often quoted under this key, as the end of a line; empty if nothing is.
  std::string quoted(std::string_view key) const {
    const Parameter* parameter = find(fmt::format("quoted.{}", key));
    if (parameter == nullptr) return {};
    return fmt::format("often quoted: {} ({})", value_text(*parameter), parameter->note);
  }
};

/// A part of the sheet: label, text, evidence; below it what is often quoted.
class Part {
 public:
  explicit Part(const Numbers& numbers) : numbers_(numbers) {
    for (int i = 0; i < 3; ++i) table_.column("", Table::Align::kLeft);
  }
  /// Left out if the description lacks one of the numbers `names`.
  void line(const std::string& label, std::string text,
            std::initializer_list<std::string_view> names, std::string_view quoted_key = {}) {
    if (!numbers_.has(names)) return;
    table_.row({label, std::move(text), numbers_.kind(names)});
    if (const std::string quoted = numbers_.quoted(quoted_key); !quoted.empty()) {
      notes_ += fmt::format("  {}, {}\n", label, quoted);
    }
  }
  std::string text(const Style& style) const { return table_.to_text(style) + notes_; }

 private:
  const Numbers& numbers_;
  Table table_;
  std::string notes_;
};

/// "8 (1 per XCD)": a count of the device, and of one XCD where there are several.
std::string per_xcd(const Device& device, std::uint32_t count) {
  if (device.xcds == 1) return std::to_string(count);
  return fmt::format("{} ({} per XCD)", count, count / device.xcds);
}

std::string topology(const Numbers& n, Vocabulary vocabulary, const Style& style) {
  const Device& d = n.device;
  const auto words = [&](std::string_view text) { return target::in_terms(text, vocabulary); };
  Part part(n);
  part.line("dies (XCDs)", std::to_string(d.xcds), {known("compute.xcds")});
  part.line("shader engines", per_xcd(d, d.shader_engines), {known("compute.shader_engines")});
  part.line("compute units", per_xcd(d, d.compute_units), {known("compute.units")});
  part.line("SIMDs per CU", fmt::format("{} of 16 lanes", d.simds_per_cu),
            {known("compute.simds_per_unit")});
  const std::uint32_t slots = d.wave_slots_per_simd * d.simds_per_cu;
  part.line(words("{wave} slots"),
            fmt::format("{} per SIMD, {} per CU, {} in all", d.wave_slots_per_simd, slots,
                        slots * d.compute_units),
            {known("occupancy.wave_slots_per_simd")}, "wave_slots");
  part.line(words("largest {workgroup}"),
            fmt::format("{} {}", d.max_workgroup_work_items, words("{threads}")),
            {known("occupancy.max_workgroup_size")});
  const std::uint64_t file = std::uint64_t{d.vgprs_per_simd} * kLanesPerWave * kBytesPerRegister;
  part.line("vector registers",
            fmt::format("{} of 32 bits per lane and SIMD, {} per CU", d.vgprs_per_simd,
                        bytes_text(file * d.simds_per_cu)),
            {known("occupancy.vgprs_per_simd")}, "vgprs");
  part.line("scalar registers", fmt::format("{} per SIMD", d.sgprs_per_simd),
            {known("occupancy.sgprs_per_simd")});
  part.line(words("{lds}"),
            fmt::format("{} per CU, {} banks of 4 bytes", bytes_text(d.lds_bytes_per_cu),
                        number_text(n.value(known("lds.banks")))),
            {known("lds.capacity_per_unit"), known("lds.banks")});
  return part.text(style);
}

std::string clocks(const Numbers& n, const Style& style) {
  const Device& d = n.device;
  Part part(n);
  part.line("engine", fmt::format("{} MHz", number_text(d.engine_clock_mhz)),
            {known("compute.engine_clock")});
  if (const Parameter* sustained = n.find(known("compute.sustained_clock"))) {
    part.line("sustained", value_text(*sustained), {known("compute.sustained_clock")});
  }
  part.line("memory", fmt::format("{} MHz", number_text(d.memory_clock_mhz)),
            {known("memory.clock")});
  part.line("wall_clock64()", fmt::format("{} MHz", d.timestamp_hz / 1e6),
            {known("compute.timestamp_clock")});
  return part.text(style);
}

/// One line of the memory table.
struct MemoryLevel {
  std::string_view name;
  std::string_view size;     ///< parameter; empty: lds.capacity_per_unit and the like
  std::string_view scope;    ///< what has one
  std::string_view line;     ///< parameter
  std::string_view ways;     ///< parameter
  std::string_view latency;  ///< parameter
  std::string_view peak;     ///< key of PeakBandwidth, or empty
  std::string_view quoted;
};

constexpr MemoryLevel kLevels[] = {
    {"{lds}", known("lds.capacity_per_unit"), "CU", "", "", known("lds.latency_b32"), "lds",
     "lds_bandwidth"},
    {"instruction L1", known("cache.l1_instruction"), "2 CUs", known("fetch.line"),
     known("fetch.ways"), known("fetch.hit_latency"), "", ""},
    {"scalar L1", known("cache.l1_scalar"), "2 CUs", known("smem.line"), known("smem.ways"),
     known("smem.hit_latency"), "", ""},
    {"vector L1", known("cache.l1_vector"), "CU", known("cache.l1_vector_line"),
     known("l1_vector.ways"), known("vmem.hit_latency"), "l1", ""},
    {"L2", known("cache.l2_per_xcd"), "XCD", known("cache.l2_line"), known("l2.ways"),
     known("l2.hit_latency"), "l2", "l2"},
    {"Infinity Cache", known("cache.infinity_cache"), "device", known("mall.line"),
     known("mall.ways"), known("mall.hit_latency"), "mall", "infinity_cache"},
    {"HBM", known("memory.capacity"), "device", "", "", known("hbm.latency"), "hbm", ""},
};

std::string optional_number(const Numbers& n, std::string_view name) {
  return n.find(name) == nullptr ? std::string() : number_text(n.value(name));
}

std::string memory(const Numbers& n, Vocabulary vocabulary, const Style& style) {
  const std::vector<PeakBandwidth> peaks = target::peak_bandwidths(n.device);
  Table table;
  table.column("level", Table::Align::kLeft);
  table.column("size");
  table.column("per", Table::Align::kLeft);
  for (const char* heading : {"line", "ways", "latency", "peak"}) table.column(heading);
  table.column("latency, peak are", Table::Align::kLeft);
  std::string notes;
  for (const MemoryLevel& level : kLevels) {
    const Parameter* size = n.find(level.size);
    if (size == nullptr) continue;
    std::string peak;
    std::string kind = n.kind({level.latency});
    for (const PeakBandwidth& p : peaks) {
      if (p.key != level.peak) continue;
      peak = fmt::format("{:.2f} TB/s", p.bytes_per_second * 1e-12);
      if (kind != kind_text(p.evidence)) kind += ", " + kind_text(p.evidence);
    }
    const std::string name = target::in_terms(level.name, vocabulary);
    table.row({name, value_text(*size), std::string(level.scope), optional_number(n, level.line),
               optional_number(n, level.ways),
               n.find(level.latency) ? number_text(n.value(level.latency)) + " clk" : "", peak,
               n.find(level.latency) ? kind : ""});
    if (const std::string quoted = n.quoted(level.quoted); !quoted.empty()) {
      notes += fmt::format("  {}, {}\n", name, quoted);
    }
  }
  return table.to_text(style) + notes;
}

std::string peaks(const Numbers& n, const Style& style) {
  const std::vector<PeakBandwidth> levels = target::peak_bandwidths(n.device);
  Table table;
  table.column("peak", Table::Align::kLeft);
  table.column("T(FL)OP/s");
  for (const PeakBandwidth& level : levels) {
    table.column(level.key == "mall" ? "Inf.Cache" : std::string(level.name));
  }
  table.column("kind", Table::Align::kLeft);
  std::string notes;
  for (const PeakRate& rate : target::peak_rates(n.device)) {
    std::vector<std::string> cells = {std::string(rate.name),
                                      fmt::format("{:.1f}", rate.flop_per_second * 1e-12)};
    Evidence weakest = rate.evidence;
    for (const PeakBandwidth& level : levels) {
      cells.push_back(fmt::format("{:.1f}", target::ridge_point(rate, level)));
      weakest = target::weaker(weakest, level.evidence);
    }
    cells.push_back(rate.evidence == weakest
                        ? kind_text(weakest)
                        : fmt::format("{}, {}", kind_text(rate.evidence), kind_text(weakest)));
    table.row(std::move(cells));
    if (const std::string quoted = n.quoted(rate.key); !quoted.empty()) {
      notes += fmt::format("  {}, {}\n", rate.name, quoted);
    }
  }
  if (const std::string quoted = n.quoted("ridge_f16_hbm"); !quoted.empty()) {
    notes += fmt::format("  FP16 matrix ridge of HBM, {}\n", quoted);
  }
  return table.to_text(style) + notes;
}

}  // namespace

std::string number_text(double value) {
  const std::string text = fmt::format("{:.6f}", value);
  const std::size_t last = text.find_last_not_of('0');
  return text.substr(0, text[last] == '.' ? last : last + 1);
}

std::string number_text(const Parameter& parameter) {
  if (parameter.unit != target::kMaskUnit) return number_text(parameter.value);
  return fmt::format("{:#x}", static_cast<std::uint64_t>(parameter.value));
}

std::string value_text(const Parameter& parameter) {
  constexpr std::string_view kBytes = "bytes";
  if (parameter.unit == kBytes) return bytes_text(static_cast<std::uint64_t>(parameter.value));
  if (parameter.unit.starts_with("bytes per")) {
    return bytes_text(static_cast<std::uint64_t>(parameter.value)) +
           parameter.unit.substr(kBytes.size());
  }
  return fmt::format("{} {}", number_text(parameter), parameter.unit);
}

std::string device_sheet(const Device& device, Vocabulary vocabulary) {
  const Style style(Stream::kStdout);
  const Numbers numbers{device};
  std::string text =
      fmt::format("{}  {}, {}{}\n", style.bold(device.name), device.marketing_name, device.gfx(),
                  device.unified_memory ? ", shares memory with the host" : "");
  text += fmt::format("\n{}\n{}", style.bold("Topology"), topology(numbers, vocabulary, style));
  text += fmt::format("\n{}\n{}", style.bold("Clocks"), clocks(numbers, style));
  text += fmt::format("\n{}\n{}", style.bold("Memory"), memory(numbers, vocabulary, style));
  text += fmt::format("\n{}\n{}", style.bold("Peaks, and ridge points in FLOP per byte"),
                      peaks(numbers, style));
  text += "\nNext: add --all for every number with its source.\n";
  return text;
}

Json derived_json(const Device& device) {
  Json json = {{"peaks", Json::object()}, {"bandwidths", Json::object()}};
  const std::vector<PeakBandwidth> levels = target::peak_bandwidths(device);
  for (const PeakBandwidth& level : levels) {
    json["bandwidths"][std::string(level.key)] = {{"bytes_per_second", level.bytes_per_second},
                                                  {"kind", target::to_text(level.evidence)}};
  }
  for (const PeakRate& rate : target::peak_rates(device)) {
    Json& entry = json["peaks"][std::string(rate.key)];
    entry = {{"operations_per_second", rate.flop_per_second},
             {"kind", target::to_text(rate.evidence)}};
    for (const PeakBandwidth& level : levels) {
      entry["ridge_points"][std::string(level.key)] = target::ridge_point(rate, level);
    }
  }
  return json;
}

}  // namespace wavetank::cli
