// wavetank inspect: what a program's kernels need, what limits them, and their instructions.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "cli/code/input.hpp"
#include "cli/code/isa_view.hpp"
#include "cli/code/kernel_report.hpp"
#include "cli/command.hpp"
#include "cli/lint/text.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/output/json_output.hpp"
#include "cli/output/terminal.hpp"
#include "target/load_device.hpp"
#include "toolchain/process.hpp"
#include "toolchain/source_lines.hpp"

namespace wavetank::cli {
namespace {

using code_object::CodeObject;
using code_object::Kernel;

/// Kernels of one code object that are shown unless --all or --kernel says otherwise.
constexpr std::size_t kMaxKernels = 30;

struct InspectOptions {
  std::string file;
  std::string kernel;
  CompileOptions compile;
  std::uint32_t workgroup = 0;
  std::uint32_t dynamic_lds_bytes = 0;
  bool isa = false;
  bool ir = false;
  bool all = false;
  bool json = false;
};

bool wanted(const InspectOptions& options, const Kernel& kernel) {
  return is_called(kernel, options.kernel);
}

std::string spills_text(const KernelReport& k) {
  if (k.sgpr_spills == 0 && k.vgpr_spills == 0) return "0";
  std::string text;
  if (k.vgpr_spills != 0) text = fmt::format("{} V", k.vgpr_spills);
  if (k.sgpr_spills != 0) text += fmt::format("{}{} S", text.empty() ? "" : " ", k.sgpr_spills);
  return text;
}

/// Long template names would push the numbers off the screen.
std::string short_name(const std::string& name) {
  constexpr std::size_t kWidest = 36;
  return name.size() <= kWidest ? name : name.substr(0, kWidest - 3) + "...";
}

Table kernel_table(const std::vector<KernelReport>& kernels, bool with_workgroup) {
  Table table;
  table.column("kernel", Table::Align::kLeft);
  for (const char* heading : {"SGPR", "VGPR", "AGPR", "spilled", "scratch", "LDS", "waves/SIMD"}) {
    table.column(heading);
  }
  if (with_workgroup) table.column("waves/CU");
  table.column("limited by", Table::Align::kLeft);
  table.column("one wave more", Table::Align::kLeft);
  for (const KernelReport& k : kernels) {
    std::vector<std::string> cells = {
        short_name(k.name),
        std::to_string(k.sgprs),
        std::to_string(k.arch_vgprs),
        std::to_string(k.acc_vgprs),
        spills_text(k),
        k.dynamic_stack ? fmt::format("{}+", k.scratch_bytes) : std::to_string(k.scratch_bytes),
        std::to_string(k.lds_bytes),
        std::to_string(k.compiler.waves_per_simd)};
    if (with_workgroup) {
      cells.push_back(fmt::format("{}/{}", k.resident.waves_per_cu, k.resident.max_waves_per_cu));
    }
    const bool limited = k.compiler.limiter != target::Limiter::kWaveSlots;
    cells.push_back(limited ? std::string(target::to_text(k.compiler.limiter)) : "");
    cells.push_back(gain_text(k));
    table.row(std::move(cells));
  }
  return table;
}

Json kernel_json(const KernelReport& k) {
  Json json = {{"name", k.name},
               {"symbol", k.symbol},
               {"sgprs", k.sgprs},
               {"vgprs", k.arch_vgprs},
               {"agprs", k.acc_vgprs},
               {"sgpr_spills", k.sgpr_spills},
               {"vgpr_spills", k.vgpr_spills},
               {"scratch_bytes", k.scratch_bytes},
               {"dynamic_stack", k.dynamic_stack},
               {"lds_bytes", k.lds_bytes},
               {"max_workgroup", k.max_workgroup},
               {"waves_per_simd", k.compiler.waves_per_simd},
               {"limited_by", nullptr},
               {"one_wave_more", Json::object()},
               {"workgroup", k.resident_workgroup},
               {"waves_per_cu", k.resident.waves_per_cu},
               {"workgroups_per_cu", k.resident.workgroups_per_cu}};
  if (k.compiler.limiter != target::Limiter::kWaveSlots) {
    json["limited_by"] = target::to_text(k.compiler.limiter);
  }
  constexpr const char* kNames[] = {"vgprs", "sgprs", "lds_bytes"};
  for (std::size_t i = 0; i < k.compiler.give_up.size(); ++i) {
    const auto& amount = k.compiler.give_up[i];
    json["one_wave_more"][kNames[i]] = amount ? Json(*amount) : Json(nullptr);
  }
  return json;
}

Result<std::vector<KernelReport>> report_object(const CodeObject& object,
                                                const InspectOptions& options) {
  const Result<target::Device> device = target::default_device_for(object.target.processor);
  if (!device) return tl::unexpected(device.error());
  std::vector<KernelReport> reports;
  for (const Kernel& kernel : object.kernels) {
    if (!wanted(options, kernel)) continue;
    auto report = report_kernel(kernel, *device, options.workgroup, options.dynamic_lds_bytes);
    if (!report) {
      report.error().where = demangled(kernel.name);
      return tl::unexpected(std::move(report.error()));
    }
    reports.push_back(std::move(*report));
  }
  return reports;
}

/// Libraries hold code for many processors; those that Wavetank does not run are only named.
bool is_foreign(const CodeObject& object) {
  return !target::default_device_for(object.target.processor).has_value();
}

int print_foreign(const CodeObject& object, const InspectOptions& options, Json& json) {
  if (options.json) {
    json.push_back({{"target", object.target.to_text()}, {"supported", false}});
  } else {
    std::printf("%s, %s: not a processor that Wavetank runs\n", object.target.to_text().c_str(),
                count_text(object.kernels.size(), "kernel").c_str());
  }
  return kOk;
}

/// What `wavetank lint` finds in the kernels of a table, in a line each.
void print_lints(const CodeObject& object, const std::vector<KernelReport>& reports,
                 const std::string& file, const Style& style) {
  std::vector<const Kernel*> kernels;
  for (const KernelReport& k : reports) kernels.push_back(object.find_kernel(k.symbol));
  LintRun run;
  lint_kernels(object, kernels, run);
  if (run.finding_count() == 0) return;
  for (const LintedKernel& kernel : run.kernels) {
    if (kernel.findings.empty()) continue;
    std::printf("  %s %s: %s\n", style.dim("lint").c_str(), short_name(kernel.name).c_str(),
                lint_brief(kernel).c_str());
  }
  std::printf("  %s\n", style.dim(fmt::format("`wavetank lint {}` says where", file)).c_str());
}

int print_table(const CodeObject& object, const InspectOptions& options, Json& json) {
  Result<std::vector<KernelReport>> reports = report_object(object, options);
  if (!reports) return report(reports.error());
  if (options.json) {
    Json kernels = Json::array();
    for (const KernelReport& k : *reports) kernels.push_back(kernel_json(k));
    json.push_back({{"target", object.target.to_text()},
                    {"supported", true},
                    {"code_object_version", object.version},
                    {"kernels", std::move(kernels)}});
    return kOk;
  }
  const Style style(Stream::kStdout);
  const std::size_t count = reports->size();
  std::printf("%s, code object version %u, %s\n", style.bold(object.target.to_text()).c_str(),
              object.version, count_text(count, "kernel").c_str());
  if (!options.all && options.kernel.empty() && count > kMaxKernels) reports->resize(kMaxKernels);
  if (!reports->empty()) {
    const bool with_workgroup = options.workgroup != 0 || options.dynamic_lds_bytes != 0;
    std::printf("%s", kernel_table(*reports, with_workgroup).to_text(style).c_str());
    print_lints(object, *reports, options.file, style);
  }
  if (reports->size() < count) {
    std::printf("  ... and %zu more: --kernel NAME selects, --all shows all\n",
                count - reports->size());
  }
  return kOk;
}

/// Prints instructions with a source line above those that it became.
void print_lines(const std::vector<IsaLine>& lines,
                 const std::map<std::uint64_t, SourceLine>& sources, const Style& style) {
  SourceText files;
  SourceLine current;
  for (const IsaLine& line : lines) {
    if (!line.label.empty()) std::printf("%s:\n", style.bold(line.label).c_str());
    const auto source = sources.find(line.address);
    if (source != sources.end() && !source->second.is_line_of(current)) {
      current = source->second;
      const std::string* const code = files.line_of(current);
      const std::string text =
          fmt::format("  {}  {}", current.short_text(), code != nullptr ? *code : "");
      std::printf("%s\n", style.dim(text).c_str());
    }
    std::printf("    %6llx  %s\n", static_cast<unsigned long long>(line.address),
                line.text.c_str());
  }
}

Json lines_json(const std::vector<IsaLine>& lines,
                const std::map<std::uint64_t, SourceLine>& sources) {
  Json json = Json::array();
  for (const IsaLine& line : lines) {
    Json entry = {{"address", line.address}, {"words", line.words}, {"text", line.text}};
    if (!line.label.empty()) entry["label"] = line.label;
    if (const auto source = sources.find(line.address); source != sources.end()) {
      entry["file"] = source->second.file;
      entry["line"] = source->second.line;
    }
    json.push_back(std::move(entry));
  }
  return json;
}

Result<void> print_kernel_isa(const CodeObject& object, const Kernel& kernel,
                              const encoding::Decoder& decoder, const InspectOptions& options,
                              Json& json) {
  const Result<std::vector<IsaLine>> lines = disassemble_kernel(object, kernel, decoder);
  if (!lines) return tl::unexpected(lines.error());
  std::map<std::uint64_t, SourceLine> sources;
  if (toolchain::has_debug_information(object.image)) {
    std::vector<std::uint64_t> addresses;
    for (const IsaLine& line : *lines) addresses.push_back(line.address);
    auto found = toolchain::find_source_lines(object.image, addresses);
    if (!found) return tl::unexpected(found.error());
    sources = std::move(*found);
  }
  if (options.json) {
    json.push_back({{"target", object.target.to_text()},
                    {"symbol", kernel.name},
                    {"instructions", lines_json(*lines, sources)}});
    return {};
  }
  const Style style(Stream::kStdout);
  const auto unknown =
      std::count_if(lines->begin(), lines->end(), [](const IsaLine& line) { return !line.known; });
  std::printf("%s  %s, %s%s\n", style.bold(demangled(kernel.name)).c_str(),
              object.target.to_text().c_str(), count_text(lines->size(), "instruction").c_str(),
              unknown == 0 ? "" : fmt::format(", {} of them not known", unknown).c_str());
  print_lines(*lines, sources, style);
  return {};
}

int print_isa(const CodeObject& object, const InspectOptions& options, Json& json) {
  const Result<const isa::Target*> target = isa_target(object.target.processor);
  if (!target) return report(target.error());
  const encoding::Decoder& decoder = encoding::decoder_of(**target);
  for (const Kernel& kernel : object.kernels) {
    if (!wanted(options, kernel)) continue;
    const Result<void> printed = print_kernel_isa(object, kernel, decoder, options, json);
    if (!printed) return report(printed.error());
  }
  return kOk;
}

int print_ir(const InspectOptions& options) {
  if (!is_hip_source(options.file)) {
    return report({ErrorCode::kUsage,
                   "LLVM IR is shown for a HIP source",
                   options.file,
                   {},
                   "a compiled program no longer holds it; --isa shows its instructions"});
  }
  CompileOptions compile = options.compile;
  compile.rest.insert(compile.rest.end(), {"--cuda-device-only", "-S", "-emit-llvm",
                                           "-fno-discard-value-names", options.file, "-o", "-"});
  const auto command = compile_command(compile);
  if (!command) return report(command.error());
  const Result<toolchain::Finished> finished = toolchain::run_process(*command);
  if (!finished) return report(finished.error());
  return finished->exit_status == 0 ? kOk : kProgramFailed;
}

int inspect(const InspectOptions& options) {
  if (options.ir) return print_ir(options);
  CompileOptions compile = options.compile;
  if (options.isa) compile.rest.insert(compile.rest.begin(), "-g");
  const Result<InspectInput> input = read_inspect_input(options.file, compile);
  if (!input) return report(input.error());
  int exit_code = kOk;
  for (const Error& error : input->unreadable) exit_code = report(error);
  Json json = Json::array();
  std::size_t shown = 0;
  for (const CodeObject& object : input->objects) {
    const auto any = std::any_of(object.kernels.begin(), object.kernels.end(),
                                 [&](const Kernel& kernel) { return wanted(options, kernel); });
    if (!any) continue;
    if (shown++ != 0 && !options.json) std::printf("\n");
    const int code = is_foreign(object) ? print_foreign(object, options, json)
                     : options.isa      ? print_isa(object, options, json)
                                        : print_table(object, options, json);
    exit_code = std::max(exit_code, code);
  }
  if (options.json) print_json(json);
  if (shown == 0 && exit_code == kOk) {
    return report({ErrorCode::kUsage,
                   options.kernel.empty() ? "there is no kernel in this file"
                                          : fmt::format("no kernel is called {}", options.kernel),
                   options.file});
  }
  return exit_code;
}

}  // namespace

void add_inspect(CommandLine& line) {
  Command command =
      line.add("inspect", "Registers, LDS, spills, occupancy and instructions of kernels",
               "wavetank inspect ./vadd\n"
               "wavetank inspect --isa --kernel transpose_tiled ./transpose\n"
               "wavetank inspect --ir --device mi300x vadd.hip");
  auto options = std::make_shared<InspectOptions>();
  command
      .argument("FILE", options->file,
                "Executable, object, library, .hsaco, compiler's .s or HIP source")
      .required();
  command.value("--kernel NAME", options->kernel, "Only kernels whose name contains this");
  command
      .value("--workgroup N", options->workgroup,
             "Add waves per CU for launches of this many work-items")
      .between(1, 1024);
  command.value("--dynamic-lds BYTES", options->dynamic_lds_bytes,
                "LDS bytes that the launch adds, for waves per CU");
  command.flag("--isa", options->isa,
               "Print the instructions, under their source lines if built with -g");
  command.flag("--ir", options->ir, "Print the LLVM IR of a HIP source");
  command.flag("--all", options->all, "Show every kernel of a large library");
  command.value("--device DEVICE", options->compile.devices, "Device to compile a source for")
      .one_word();
  command.value("--rocm-path FOLDER", options->compile.rocm_path,
                "ROCm headers to compile a source with");
  command.flag("--json", options->json, "Print JSON");
  command.does([=] { return inspect(*options); });
}

}  // namespace wavetank::cli
