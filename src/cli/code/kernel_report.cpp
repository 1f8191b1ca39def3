#include "cli/code/kernel_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "cli/output/terminal.hpp"
#include "code_object/symbol_name.hpp"
#include "lint/resources.hpp"

namespace wavetank::cli {
namespace {

/// Cuts the parameter list off "void f<float>(float*)", and a result type before the name.
std::string without_parameters(std::string text) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) {
      text.erase(i);
      break;
    }
  }
  depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == '>') ++depth;
    if (text[i] == '<') --depth;
    if (text[i] == ' ' && depth == 0) return text.substr(i + 1);
  }
  return text;
}

}  // namespace

std::string demangled(const std::string& symbol) {
  const std::string name = code_object::demangled(symbol);
  return name == symbol ? symbol : without_parameters(name);
}

bool is_called(const code_object::Kernel& kernel, const std::string& wanted) {
  return wanted.empty() || kernel.name.find(wanted) != std::string::npos ||
         demangled(kernel.name).find(wanted) != std::string::npos;
}

Result<KernelReport> report_kernel(const code_object::Kernel& kernel, const target::Device& device,
                                   std::uint32_t workgroup, std::uint32_t dynamic_lds_bytes) {
  KernelReport report;
  report.name = demangled(kernel.name);
  report.symbol = kernel.name;
  report.sgprs = kernel.sgpr_count;
  report.acc_vgprs = std::min(kernel.agpr_count, kernel.vgpr_count);
  report.arch_vgprs = kernel.vgpr_count - report.acc_vgprs;
  report.sgpr_spills = kernel.sgpr_spill_count;
  report.vgpr_spills = kernel.vgpr_spill_count;
  report.scratch_bytes = kernel.private_segment_bytes;
  report.dynamic_stack = kernel.uses_dynamic_stack;
  report.lds_bytes = kernel.group_segment_bytes;
  report.max_workgroup = kernel.max_flat_workgroup_size;
  report.resident_workgroup = workgroup != 0 ? workgroup : kernel.max_flat_workgroup_size;

  target::Resources resources = lint::resources_of(kernel, device);
  auto compiler = target::compiler_occupancy(device, resources);
  if (!compiler) return tl::unexpected(std::move(compiler).error());
  report.compiler = *compiler;
  resources.lds_bytes += dynamic_lds_bytes;
  resources.workgroup_work_items = report.resident_workgroup;
  auto resident = target::occupancy(device, resources);
  if (!resident) return tl::unexpected(std::move(resident).error());
  report.resident = *resident;
  return report;
}

std::string gain_text(const KernelReport& kernel) {
  if (kernel.compiler.limiter == target::Limiter::kWaveSlots) return "";
  constexpr std::string_view kUnits[] = {"VGPR", "SGPR", "byte"};
  std::string text;
  for (std::size_t i = 0; i < kernel.compiler.give_up.size(); ++i) {
    const auto& amount = kernel.compiler.give_up[i];
    if (!amount) return "not possible";
    if (*amount == 0) continue;
    text += (text.empty() ? "" : ", ") + count_text(*amount, kUnits[i]);
    if (i == 2) text += " of LDS";
  }
  return text + " less";
}

}  // namespace wavetank::cli
