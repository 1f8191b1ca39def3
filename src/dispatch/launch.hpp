// One kernel launch, as its program asks for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/dim3.hpp"
#include "code_object/loader.hpp"

namespace wavetank::dispatch {

/// One kernel launch, as an AQL packet states it.
struct Launch {
  std::shared_ptr<const code_object::LoadedCodeObject> code;
  const code_object::Kernel* kernel = nullptr;  ///< belongs to `code`
  Dim3 grid_work_items;                         ///< need not be a multiple of the workgroup
  Dim3 workgroup_work_items;
  std::uint32_t dynamic_lds_bytes = 0;
  std::byte* kernarg =
      nullptr;               ///< device-visible, 16-aligned, explicit and hidden arguments filled
  bool cooperative = false;  ///< all workgroups resident together
  std::uint64_t dispatch_id = 0;

  /// That a workgroup asks for, static and dynamic.
  std::uint32_t lds_bytes() const { return kernel->group_segment_bytes + dynamic_lds_bytes; }
  /// Where the kernel's code stands on the device.
  std::uint64_t entry_address() const {
    return reinterpret_cast<std::uint64_t>(code->address_of(kernel->entry_address));
  }
};

/// Answers what device code asks of the host while a kernel runs (hostcall: printf, malloc).
/// Called from a worker thread whenever a wave sends MSG_INTERRUPT or spins.
using HostService = std::function<void()>;

}  // namespace wavetank::dispatch
