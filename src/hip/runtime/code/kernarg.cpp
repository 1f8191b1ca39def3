#include "hip/runtime/code/kernarg.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "dispatch/apertures.hpp"
#include "hip/hostcall/hostcall.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

using code_object::Argument;
using code_object::ArgumentKind;

Result<std::span<std::byte>> place_of(const code_object::Kernel& kernel, const Argument& argument,
                                      std::span<std::byte> segment) {
  if (argument.offset_bytes > segment.size() ||
      argument.size_bytes > segment.size() - argument.offset_bytes) {
    return fail(ErrorCode::kBadMetadata,
                fmt::format("argument \"{}\" of kernel \"{}\" lies outside the {} bytes of its "
                            "argument segment",
                            argument.name, kernel.name, segment.size()));
  }
  return segment.subspan(argument.offset_bytes, argument.size_bytes);
}

constexpr std::array<std::uint32_t, 3> axes(const Dim3& d) { return {d.x, d.y, d.z}; }

/// Which of x, y, z a kind stands for, counted from the kind for x.
std::size_t axis(ArgumentKind kind, ArgumentKind x) {
  return static_cast<std::size_t>(kind) - static_cast<std::size_t>(x);
}

std::uint32_t grid_dimensions(const Dim3& grid) { return grid.z > 1 ? 3 : grid.y > 1 ? 2 : 1; }

/// The value of a hidden argument; those this runtime has nothing for are zero.
Result<std::uint64_t> hidden_value(ArgumentKind kind, const HiddenArguments& hidden,
                                   VirtualDevice& device) {
  const auto grid = axes(hidden.grid_work_items);
  const auto group = axes(hidden.workgroup_work_items);
  using enum ArgumentKind;
  switch (kind) {
    case kHiddenBlockCountX:
    case kHiddenBlockCountY:
    case kHiddenBlockCountZ: {
      const std::size_t i = axis(kind, kHiddenBlockCountX);
      return grid[i] / group[i];
    }
    case kHiddenGroupSizeX:
    case kHiddenGroupSizeY:
    case kHiddenGroupSizeZ: return group[axis(kind, kHiddenGroupSizeX)];
    case kHiddenRemainderX:
    case kHiddenRemainderY:
    case kHiddenRemainderZ: {
      const std::size_t i = axis(kind, kHiddenRemainderX);
      return grid[i] % group[i];
    }
    case kHiddenGridDims: return grid_dimensions(hidden.grid_work_items);
    case kHiddenDynamicLdsSize: return hidden.dynamic_lds_bytes;
    case kHiddenMultigridSyncArg: return hidden.multigrid_sync;
    case kHiddenPrivateBase: return dispatch::kPrivateAperture >> 32;
    case kHiddenSharedBase: return dispatch::kSharedAperture >> 32;
    case kHiddenQueuePtr: {
      const auto queue = device.queue_descriptor();
      if (!queue) return tl::unexpected(queue.error());
      return std::bit_cast<std::uint64_t>(*queue);
    }
    case kHiddenHostcallBuffer: {
      const auto hostcall = device.hostcall();
      if (!hostcall) return tl::unexpected(hostcall.error());
      return std::bit_cast<std::uint64_t>((*hostcall)->buffer());
    }
    case kHiddenHeapV1: {
      const auto heap = device.device_heap();
      if (!heap) return tl::unexpected(heap.error());
      return std::bit_cast<std::uint64_t>(*heap);
    }
    default: return 0;
  }
}

}  // namespace

Result<void> pack_explicit(const code_object::Kernel& kernel, void* const* values,
                           std::span<std::byte> segment) {
  std::size_t index = 0;
  for (const Argument& argument : kernel.arguments) {
    if (!argument.is_explicit()) continue;
    const auto place = place_of(kernel, argument, segment);
    if (!place) return tl::unexpected(place.error());
    if (values == nullptr || values[index] == nullptr) {
      return fail(ErrorCode::kBadLaunch,
                  fmt::format("argument {} of kernel \"{}\" is missing", index, kernel.name));
    }
    std::memcpy(place->data(), values[index], place->size());
    ++index;
  }
  return {};
}

void pack_buffer(const code_object::Kernel& kernel, std::span<const std::byte> buffer,
                 std::span<std::byte> segment) {
  std::size_t explicit_bytes = 0;
  for (const Argument& argument : kernel.arguments) {
    if (!argument.is_explicit()) continue;
    explicit_bytes =
        std::max<std::size_t>(explicit_bytes, argument.offset_bytes + argument.size_bytes);
  }
  // Hand-written code objects may list no arguments at all; then the buffer is the whole segment.
  if (kernel.arguments.empty()) explicit_bytes = segment.size();
  std::memcpy(segment.data(), buffer.data(),
              std::min({buffer.size(), segment.size(), explicit_bytes}));
}

void set_printf_buffer(const code_object::Kernel& kernel, const std::byte* buffer,
                       std::byte* segment) {
  for (const Argument& argument : kernel.arguments) {
    if (argument.kind != ArgumentKind::kHiddenPrintfBuffer) continue;
    std::memcpy(segment + argument.offset_bytes, &buffer,
                std::min<std::size_t>(argument.size_bytes, sizeof buffer));
  }
}

Result<void> pack_hidden(const code_object::Kernel& kernel, const HiddenArguments& hidden,
                         VirtualDevice& device, std::span<std::byte> segment) {
  for (const Argument& argument : kernel.arguments) {
    if (argument.is_explicit()) continue;
    const auto place = place_of(kernel, argument, segment);
    if (!place) return tl::unexpected(place.error());
    const auto value = hidden_value(argument.kind, hidden, device);
    if (!value) return tl::unexpected(value.error());
    std::memcpy(place->data(), &*value, std::min(place->size(), sizeof *value));
  }
  return {};
}

}  // namespace wavetank::hip
