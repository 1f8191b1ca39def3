// rocm_smi.h: starting and ending, versions, the words for a status.
#include <sys/utsname.h>

#include <cstdio>

#include "smi/abi/generation.hpp"
#include "smi/api/entry.hpp"

namespace wavetank::smi {

using abi::Status;

namespace {

struct Words {
  Status status;
  const char* text;
};

// In our own words behind the name, which is what programs print.
constexpr Words kWords[] = {
    {Status::kSuccess, "RSMI_STATUS_SUCCESS: the call did what was asked"},
    {Status::kInvalidArgs, "RSMI_STATUS_INVALID_ARGS: an argument is null or out of range"},
    {Status::kNotSupported, "RSMI_STATUS_NOT_SUPPORTED: the device or library cannot tell this"},
    {Status::kInitError, "RSMI_STATUS_INIT_ERROR: the library is not initialised"},
    {Status::kNotFound, "RSMI_STATUS_NOT_FOUND: there is no such item"},
    {Status::kInsufficientSize, "RSMI_STATUS_INSUFFICIENT_SIZE: the result does not fit"},
};

}  // namespace

WAVETANK_SMI_API Status rsmi_init(std::uint64_t) {
  const Result<void> opened = Machine::instance().open();
  if (opened) return Status::kSuccess;
  std::fputs(opened.error().to_text().c_str(), stderr);
  return Status::kInitError;
}

WAVETANK_SMI_API Status rsmi_shut_down() {
  return Machine::instance().close() ? Status::kSuccess : Status::kInitError;
}

WAVETANK_SMI_API Status rsmi_num_monitor_devices(std::uint32_t* count) {
  return api::give(count, Machine::instance().card_count());
}

WAVETANK_SMI_API Status rsmi_version_get(abi::Version* version) {
  return api::give(version, abi::version_of(abi::layout_of_process()));
}

/// The driver's version: without one, the kernel's release, as AMD's library does.
WAVETANK_SMI_API Status rsmi_version_str_get(std::uint32_t component, char* text,
                                             std::uint32_t length) {
  if (component != 0) return Status::kInvalidArgs;
  utsname host{};
  uname(&host);
  return api::give_text(text, length, host.release);
}

WAVETANK_SMI_API Status rsmi_status_string(Status status, const char** text) {
  if (text == nullptr) return Status::kInvalidArgs;
  *text = "RSMI_STATUS_UNKNOWN_ERROR: a status that Wavetank does not give";
  for (const Words& words : kWords) {
    if (words.status == status) *text = words.text;
  }
  return Status::kSuccess;
}

}  // namespace wavetank::smi
