#include "hip/runtime/device_failure.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

#include "hip/runtime/failure.hpp"
#include "hip/runtime/timed/timed_device.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

constexpr int kExitUnsupported = 3;

/// What the program printed so far must not be lost. Another thread may be printing at this moment,
/// which is worth a wait, or may hold the lock for good, which is not: hence the bound.
void flush_stdout() {
  constexpr auto kLongestWait = std::chrono::seconds(1);
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (ftrylockfile(stdout) != 0) {
    if (std::chrono::steady_clock::now() >= end) return;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  fflush_unlocked(stdout);
  funlockfile(stdout);
}

/// The first line that ROCm's runtime prints, so that scripts which look for it find it.
std::string rocm_headline(VirtualDevice& device, const Error& error) {
  const int node = device.ordinal() + 1;
  if (error.code == ErrorCode::kMemoryFault) {
    const auto at = error.message.find("0x");
    std::string address = at == std::string::npos ? "(nil)" : error.message.substr(at);
    address.resize(std::min(address.find_first_not_of("0123456789abcdefx"), address.size()));
    return fmt::format(
        "Memory access fault by GPU node-{} (Agent handle: {}) on address {}. Reason: Page not "
        "present or supervisor privilege.\n",
        node, fmt::ptr(&device), address);
  }
  if (error.code == ErrorCode::kTrap) {
    return fmt::format(
        "Queue of GPU node-{} aborting with error : HSA_STATUS_ERROR_EXCEPTION: An HSAIL "
        "operation resulted in a hardware exception. code: 0x1016\n",
        node);
  }
  return {};
}

}  // namespace

void finish_profile(VirtualDevice& device) {
  if (device.timed() == nullptr) return;
  if (const auto done = device.timed()->finish(); !done) report_error(done.error());
}

void interrupt_profile(VirtualDevice& device) {
  if (device.timed() == nullptr) return;
  if (const auto done = device.timed()->interrupt(); !done) report_error(done.error());
}

void report_device_failure(VirtualDevice& device, const Error& error) {
  flush_stdout();
  finish_profile(device);
  print_on_stderr(rocm_headline(device, error) + error.to_text());
  switch (error.code) {
    case ErrorCode::kMemoryFault:
    case ErrorCode::kTrap:
    case ErrorCode::kDeadlock: std::abort();
    case ErrorCode::kUnknownInstruction:
    case ErrorCode::kUnsupportedInstruction:
      if (!device.continue_after_unsupported()) _exit(kExitUnsupported);
      device.set_sticky_status(abi::Status::kLaunchFailure);
      return;
    default: device.set_sticky_status(status_of(error));
  }
}

}  // namespace wavetank::hip
