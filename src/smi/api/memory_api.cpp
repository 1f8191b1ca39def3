// rocm_smi.h: memory, and the processes that use it.
#include <fmt/format.h>

#include "smi/api/entry.hpp"
#include "smi/process_runtime.hpp"

namespace wavetank::smi {

using abi::Status;

WAVETANK_SMI_API Status rsmi_dev_memory_total_get(std::uint32_t index, abi::Memory kind,
                                                  std::uint64_t* bytes) {
  return api::on_card(index, [&](const Card& card) {
    if (kind == abi::Memory::kGtt) return Status::kNotSupported;  // that is host memory
    return api::give(bytes, card.device.memory_bytes);
  });
}

/// What this process holds through HIP; other processes have virtual cards of their own.
WAVETANK_SMI_API Status rsmi_dev_memory_usage_get(std::uint32_t index, abi::Memory kind,
                                                  std::uint64_t* bytes) {
  return api::on_card(index, [&](const Card& card) {
    if (kind == abi::Memory::kGtt) return Status::kNotSupported;
    const target::PciAddress pci = target::pci_address(card.slot);
    const std::string bus_id =
        fmt::format("{:04x}:{:02x}:{:02x}.0", pci.domain, pci.bus, pci.device);
    return api::give(bytes, hip_used_bytes(bus_id).value_or(0));
  });
}

/// No process uses a card that another one could see.
WAVETANK_SMI_API Status rsmi_compute_process_info_get(void*, std::uint32_t* count) {
  return api::give(count, 0);
}

WAVETANK_SMI_API Status rsmi_compute_process_info_by_pid_get(std::uint32_t, void* process) {
  return process == nullptr ? Status::kInvalidArgs : Status::kNotFound;
}

WAVETANK_SMI_API Status rsmi_compute_process_info_by_device_get(std::uint32_t, std::uint32_t index,
                                                                void* process) {
  return api::on_card(index, [&](const Card&) {
    return process == nullptr ? Status::kInvalidArgs : Status::kNotFound;
  });
}

WAVETANK_SMI_API Status rsmi_compute_process_gpus_get(std::uint32_t, std::uint32_t*,
                                                      std::uint32_t* count) {
  return api::give(count, 0);
}

}  // namespace wavetank::smi
