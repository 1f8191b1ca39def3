#include "hip/runtime/operation_run.hpp"

#include <string>
#include <variant>

#include <fmt/format.h>

#include "hip/hostcall/printf_buffer.hpp"
#include "hip/runtime/activity.hpp"
#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/checked/operation_name.hpp"
#include "hip/runtime/code/kernarg.hpp"
#include "hip/runtime/device_access.hpp"
#include "hip/runtime/device_failure.hpp"
#include "hip/runtime/failure.hpp"
#include "hip/runtime/timed/timed_device.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

/// Memory of the device itself; everything else is reached over the link to the host.
bool is_on_device(const VirtualDevice& device, const void* address) {
  const auto allocation = device.memory().find(address);
  return allocation && allocation->kind == machine::MemoryKind::kDevice;
}

using profile::Transfer;

Transfer::Kind kind_of(bool from_device, bool to_device) {
  if (to_device) return from_device ? Transfer::Kind::kInDevice : Transfer::Kind::kToDevice;
  return from_device ? Transfer::Kind::kFromDevice : Transfer::Kind::kOfHost;
}

void pass(VirtualDevice& device, const Transfer& transfer, bool over_host_link) {
  const auto done = device.timed()->pass_transfer(transfer, over_host_link);
  if (!done) report_error(done.error());
}

void time_copy(const CopyOperation& copy, VirtualDevice& device, std::uint64_t stream_id) {
  const Transfer::Kind kind =
      kind_of(is_on_device(device, copy.source.address), is_on_device(device, copy.target.address));
  pass(device, {kind, stream_id, copy.bytes()}, kind != Transfer::Kind::kInDevice);
}

void time_fill(const FillOperation& fill, VirtualDevice& device, std::uint64_t stream_id) {
  pass(device, {Transfer::Kind::kFill, stream_id, fill.bytes()},
       !is_on_device(device, fill.target.address));
}

/// What an operation does, for a diagnostic.
std::string text_of(const CopyOperation& copy) {
  return fmt::format("a copy of {} bytes from {} to {}", copy.bytes(),
                     fmt::ptr(copy.source.address), fmt::ptr(copy.target.address));
}

std::string text_of(const FillOperation& fill) {
  return fmt::format("a fill of {} bytes at {}", fill.bytes(), fmt::ptr(fill.target.address));
}

Result<void> run_launch(const dispatch::Launch& launch, VirtualDevice& device,
                        std::uint64_t stream_id) {
  if (device.checker() != nullptr)
    return device.checker()->run(device.engine(), device.description(), launch);
  if (device.timed() == nullptr) return device.engine().run(launch);
  return device.timed()->run(device.engine(), launch, stream_id);
}

/// The same with a buffer for what the kernel prints; that is printed however the kernel ends.
Result<void> run_printing(const dispatch::Launch& launch, VirtualDevice& device,
                          std::uint64_t stream_id) {
  const auto buffer = device.printf_buffers().take();
  if (!buffer) return tl::unexpected(buffer.error());
  set_printf_buffer(*launch.kernel, *buffer, launch.kernarg);
  auto outcome = run_launch(launch, device, stream_id);
  device.printf_buffers().print_and_return(*buffer, launch.code->object);
  return outcome;
}

void run_kernel(const KernelOperation& operation, VirtualDevice& device, std::uint64_t stream_id) {
  const dispatch::Launch& launch = operation.launch;
  const bool prints = prints_into_buffer(launch.code->object, *launch.kernel);
  const auto outcome =
      prints ? run_printing(launch, device, stream_id) : run_launch(launch, device, stream_id);
  if (!outcome) report_device_failure(device, outcome.error());
}

void run_host(const HostOperation& operation, VirtualDevice& device) {
  Checker* const checker = device.checker();
  if (checker != nullptr && operation.calls_program) {
    checker->call_program(operation.call);
  } else {
    operation.call();
  }
  if (checker != nullptr) checker->note(operation.touches);
}

/// Tells what the operation under way has touched.
void note(Checker& checker, const check::TouchedRanges& ranges, const char* name) {
  name_operation(name);
  checker.note(ranges);
}

}  // namespace

void run_operation(const Operation& operation, VirtualDevice& device, std::uint64_t stream_id) {
  const Activity activity(operation, device, stream_id);
  std::visit(
      Overloaded{
          [](const MarkerOperation&) {},
          [&](const KernelOperation& kernel) { run_kernel(kernel, device, stream_id); },
          [&](const CopyOperation& copy) {
            if (device.checker() != nullptr) device.checker()->on_copy(copy);
            run_device_access(device, [&] { run_copy(copy); }, [&] { return text_of(copy); });
            if (device.timed() != nullptr) time_copy(copy, device, stream_id);
            if (device.checker() != nullptr) note(*device.checker(), touched_by(copy), "a copy");
          },
          [&](const FillOperation& fill) {
            if (device.checker() != nullptr) device.checker()->on_fill(fill);
            run_device_access(device, [&] { run_fill(fill); }, [&] { return text_of(fill); });
            if (device.timed() != nullptr) time_fill(fill, device, stream_id);
            if (device.checker() != nullptr) note(*device.checker(), touched_by(fill), "a fill");
          },
          [&](const HostOperation& host) { run_host(host, device); },
      },
      operation);
}

}  // namespace wavetank::hip
