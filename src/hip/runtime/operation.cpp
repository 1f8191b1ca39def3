#include "hip/runtime/operation.hpp"

#include <algorithm>
#include <cstring>

#include "hip/runtime/failure.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

bool is_contiguous(const PitchedBytes& box, std::size_t row_bytes, std::size_t height,
                   std::size_t depth) {
  const bool rows_touch = height <= 1 || box.pitch_bytes == row_bytes;
  const bool slices_touch = depth <= 1 || box.slice_bytes == row_bytes * height;
  return rows_touch && slices_touch;
}

void fill_elements(std::byte* address, std::uint32_t value, std::uint32_t element_bytes,
                   std::size_t count) {
  if (element_bytes == 1) {
    std::memset(address, static_cast<int>(value & 0xff), count);
    return;
  }
  if (element_bytes == 2) {
    const auto half = static_cast<std::uint16_t>(value);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(address + i * 2, &half, 2);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) std::memcpy(address + i * 4, &value, 4);
}

void run_kernel(const KernelOperation& operation, VirtualDevice& device) {
  const auto outcome = device.engine().run(operation.launch);
  if (!outcome) report_kernel_failure(device, outcome.error());
}

}  // namespace

void run_copy(const CopyOperation& copy) {
  const std::size_t total = copy.width_bytes * copy.height * copy.depth;
  if (is_contiguous(copy.target, copy.width_bytes, copy.height, copy.depth) &&
      is_contiguous(copy.source, copy.width_bytes, copy.height, copy.depth)) {
    std::memmove(copy.target.address, copy.source.address, total);
    return;
  }
  for (std::size_t slice = 0; slice < copy.depth; ++slice) {
    for (std::size_t row = 0; row < copy.height; ++row) {
      std::memmove(copy.target.address + slice * copy.target.slice_bytes +
                       row * copy.target.pitch_bytes,
                   copy.source.address + slice * copy.source.slice_bytes +
                       row * copy.source.pitch_bytes,
                   copy.width_bytes);
    }
  }
}

void run_fill(const FillOperation& fill) {
  for (std::size_t slice = 0; slice < fill.depth; ++slice) {
    for (std::size_t row = 0; row < fill.height; ++row) {
      fill_elements(
          fill.target.address + slice * fill.target.slice_bytes + row * fill.target.pitch_bytes,
          fill.value, fill.element_bytes, fill.width_elements);
    }
  }
}

void run_operation(const Operation& operation, VirtualDevice& device) {
  std::visit(Overloaded{
                 [](const MarkerOperation&) {},
                 [&](const KernelOperation& kernel) { run_kernel(kernel, device); },
                 [](const CopyOperation& copy) { run_copy(copy); },
                 [](const FillOperation& fill) { run_fill(fill); },
                 [](const HostOperation& host) { host.call(); },
             },
             operation);
}

}  // namespace wavetank::hip
