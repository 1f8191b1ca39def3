// What is worth knowing of a kernel before it runs, as the compiler's kernel-resource-usage remarks
// put it, with the reason for its occupancy.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "code_object/code_object.hpp"
#include "target/occupancy.hpp"

namespace wavetank::cli {

/// One line of `wavetank inspect`.
struct KernelReport {
  std::string name;    ///< demangled, without parameters when that is unambiguous to a reader
  std::string symbol;  ///< as in the code object
  std::uint32_t sgprs = 0;
  std::uint32_t arch_vgprs = 0;  ///< without AccVGPRs exact; with them rounded up to 4
  std::uint32_t acc_vgprs = 0;
  std::uint32_t sgpr_spills = 0;
  std::uint32_t vgpr_spills = 0;
  std::uint32_t scratch_bytes = 0;  ///< per work-item
  bool dynamic_stack = false;
  std::uint32_t lds_bytes = 0;      ///< static, per workgroup
  std::uint32_t max_workgroup = 0;  ///< work-items that the kernel was compiled for
  target::CompilerOccupancy compiler;
  target::Occupancy resident;  ///< with workgroups of `resident_workgroup` work-items
  std::uint32_t resident_workgroup = 0;
};

/// Reports on a kernel for a device of its processor. `workgroup` is the launch's size, 0 for the
/// largest that the kernel was compiled for; `dynamic_lds_bytes` is what the launch adds.
/// Errors: kUsage when the launch or the kernel exceeds the device.
Result<KernelReport> report_kernel(const code_object::Kernel& kernel, const target::Device& device,
                                   std::uint32_t workgroup, std::uint32_t dynamic_lds_bytes);

/// "8 VGPRs less": the least that gains a wave per SIMD; "" at full occupancy.
std::string gain_text(const KernelReport& kernel);

/// True if the kernel's name, as in the code object or demangled, contains `wanted`.
bool is_called(const code_object::Kernel& kernel, const std::string& wanted);

/// A C++ symbol as a reader writes it, "transpose<float>", or the symbol itself.
std::string demangled(const std::string& symbol);

}  // namespace wavetank::cli
