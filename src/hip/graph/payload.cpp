#include "hip/graph/payload.hpp"

#include "hip/runtime/code/fat_binary.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/memory/copy_description.hpp"
#include "hip/runtime/memory_operation.hpp"
#include "hip/runtime/runtime.hpp"
#include "hip/runtime/transfer.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

using abi::MemcpyKind;
using abi::Status;

PitchedBytes linear(const void* memory, std::size_t size_bytes) {
  return {static_cast<std::byte*>(const_cast<void*>(memory)), size_bytes, size_bytes};
}

abi::PitchedPointer pitched_pointer(const PitchedBytes& box, std::size_t width_bytes) {
  const std::size_t rows = box.pitch_bytes == 0 ? 1 : box.slice_bytes / box.pitch_bytes;
  return {.pointer = box.address, .pitch = box.pitch_bytes, .width = width_bytes, .height = rows};
}

Status finish(CopyPayload made, VirtualDevice& device, CopyPayload& payload) {
  const CopyOperation& copy = made.copy;
  if (copy.width_bytes * copy.height * copy.depth == 0) return Status::kInvalidValue;
  const Status status = check_copy(device.memory(), copy, made.kind);
  if (status == Status::kSuccess) payload = std::move(made);
  return status;
}

/// Where memory is, as far as the direction of a copy depends on it. Pinned and managed memory is
/// on both sides.
enum class Side : std::uint8_t { kPageable, kEither, kDevice };

Side side_of(VirtualDevice& device, const void* address) {
  const auto allocation = find_allocation(device.memory(), address);
  if (!allocation) return Side::kPageable;
  return allocation->kind == machine::MemoryKind::kDevice ? Side::kDevice : Side::kEither;
}

bool is_direction(MemcpyKind kind, Side source, Side target) {
  const bool from_host = source != Side::kDevice, from_device = source != Side::kPageable;
  const bool to_host = target != Side::kDevice, to_device = target != Side::kPageable;
  switch (kind) {
    case MemcpyKind::kHostToHost: return from_host && to_host;
    case MemcpyKind::kHostToDevice: return from_host && to_device;
    case MemcpyKind::kDeviceToHost: return from_device && to_host;
    case MemcpyKind::kDeviceToDevice:
    case MemcpyKind::kDeviceToDeviceNoCu: return from_device && to_device;
    case MemcpyKind::kDefault: return true;
  }
  return false;
}

constexpr std::int32_t kAllocationTypePinned = 1;

}  // namespace

CopyPayload captured_copy(const CopyOperation& copy, MemcpyKind kind) {
  CopyPayload payload{.kind = kind, .copy = copy};
  payload.parameters.source = pitched_pointer(copy.source, copy.width_bytes);
  payload.parameters.target = pitched_pointer(copy.target, copy.width_bytes);
  payload.parameters.extent = {copy.width_bytes, copy.height, copy.depth};
  payload.parameters.kind = kind;
  return payload;
}

Status make_copy(const abi::Memcpy3d& parameters, VirtualDevice& device, CopyPayload& payload) {
  CopyPayload made{.kind = parameters.kind, .copy = {}, .parameters = parameters};
  const Status status = describe_copy(parameters, made.copy);
  return status == Status::kSuccess ? finish(std::move(made), device, payload) : status;
}

Status make_copy_1d(void* target, const void* source, std::size_t size_bytes, MemcpyKind kind,
                    VirtualDevice& device, CopyPayload& payload) {
  CopyPayload made = captured_copy({.target = linear(target, size_bytes),
                                    .source = linear(source, size_bytes),
                                    .width_bytes = size_bytes},
                                   kind);
  made.form = CopyForm::k1d;
  CopyPayload checked;
  const Status status = finish(std::move(made), device, checked);
  if (status != Status::kSuccess) return status;
  const Side from = side_of(device, source), to = side_of(device, target);
  const bool pageable = from == Side::kPageable || to == Side::kPageable;
  if (pageable && !is_direction(kind, from, to)) return Status::kInvalidValue;
  payload = std::move(checked);
  return Status::kSuccess;
}

Status make_driver_copy(const abi::DriverMemcpy3dWide& parameters, VirtualDevice& device,
                        CopyPayload& payload) {
  CopyOperation copy;
  const Status status = describe_driver_copy(parameters, copy);
  if (status != Status::kSuccess) return status;
  CopyPayload made = captured_copy(copy, MemcpyKind::kDefault);
  made.driver = parameters;
  const Status checked = finish(std::move(made), device, payload);
  return checked == Status::kInvalidPitchValue ? Status::kInvalidValue : checked;
}

Status make_symbol_copy(CopyForm form, void* other, const SymbolRange& range, MemcpyKind kind,
                        VirtualDevice& device, CopyPayload& payload) {
  if (range.symbol == nullptr) return Status::kInvalidSymbol;
  if (other == nullptr) return Status::kInvalidValue;
  const bool from = form == CopyForm::kFromSymbol;
  const MemcpyKind wrong = from ? MemcpyKind::kHostToDevice : MemcpyKind::kDeviceToHost;
  if (kind == wrong || kind == MemcpyKind::kHostToHost) return Status::kInvalidMemcpyDirection;
  const auto place = Registry::instance().variable(range.symbol, device);
  if (!place) return Status::kInvalidSymbol;
  if (range.offset_bytes > place->size_bytes ||
      range.size_bytes > place->size_bytes - range.offset_bytes) {
    return Status::kInvalidValue;
  }
  const PitchedBytes inside = linear(place->address + range.offset_bytes, range.size_bytes);
  const PitchedBytes outside = linear(other, range.size_bytes);
  CopyPayload made = captured_copy({.target = from ? outside : inside,
                                    .source = from ? inside : outside,
                                    .width_bytes = range.size_bytes},
                                   kind);
  made.form = form;
  return finish(std::move(made), device, payload);
}

Status change_symbol_copy(CopyForm form, void* other, const SymbolRange& range, MemcpyKind kind,
                          VirtualDevice& device, CopyPayload& payload) {
  if (other != nullptr && Registry::instance().variable(other, device)) {
    return Status::kInvalidValue;
  }
  CopyPayload made;
  const Status status = make_symbol_copy(form, other, range, kind, device, made);
  if (status != Status::kSuccess) return status;
  const bool from = form == CopyForm::kFromSymbol;
  const Side outside = side_of(device, other);
  if (!is_direction(kind, from ? Side::kDevice : outside, from ? outside : Side::kDevice)) {
    return from ? Status::kInvalidMemcpyDirection : Status::kInvalidValue;
  }
  payload = std::move(made);
  return Status::kSuccess;
}

FillPayload captured_fill(const FillOperation& fill) {
  return {.fill = fill,
          .parameters = {.target = fill.target.address,
                         .element_bytes = fill.element_bytes,
                         .height = fill.height,
                         .pitch = fill.target.pitch_bytes,
                         .value = fill.value,
                         .width = fill.width_elements}};
}

Status make_fill(const abi::MemsetNodeParameters& parameters, VirtualDevice& device,
                 FillPayload& payload) {
  const abi::MemsetNodeParameters& p = parameters;
  if (p.target == nullptr || p.width == 0 || p.height == 0) return Status::kInvalidValue;
  if (p.element_bytes != 1 && p.element_bytes != 2 && p.element_bytes != 4) {
    return Status::kInvalidValue;
  }
  const FillOperation fill{
      .target = {static_cast<std::byte*>(p.target), p.pitch, p.pitch * p.height},
      .value = p.value,
      .element_bytes = p.element_bytes,
      .width_elements = p.width,
      .height = p.height};
  // The runtime's own error for a row beyond the pitch is another than the graph functions'.
  if (check_fill(device.memory(), fill) != Status::kSuccess) return Status::kInvalidValue;
  payload = {.fill = fill, .parameters = parameters};
  return Status::kSuccess;
}

Status make_host(const abi::HostNodeParameters& parameters, HostPayload& payload) {
  if (parameters.function == nullptr) return Status::kInvalidValue;
  payload = {.operation = {HostCall{parameters.function, parameters.user_data}, {}, true},
             .parameters = parameters};
  return Status::kSuccess;
}

Status make_allocation(abi::MemAllocNodeParameters& parameters, AllocationPayload& payload) {
  parameters.address = nullptr;
  const abi::MemPoolProperties& pool = parameters.pool;
  if (parameters.size_bytes == 0 || pool.allocation_type != kAllocationTypePinned ||
      pool.location.type != abi::MemLocationType::kDevice) {
    return Status::kInvalidValue;
  }
  VirtualDevice* device = Runtime::instance().device(pool.location.id);
  if (device == nullptr) return Status::kInvalidValue;
  if (parameters.access_count != 0 && parameters.access == nullptr) return Status::kInvalidValue;
  AllocationPayload made{.allocation = nullptr, .parameters = parameters};
  const Status status = reserve_graph_memory(*device, parameters.size_bytes, made.allocation);
  if (status != Status::kSuccess) return status;
  parameters.address = made.parameters.address = made.allocation->address();
  payload = std::move(made);
  return Status::kSuccess;
}

Status make_free(void* address, FreePayload& payload) {
  auto allocation = address == nullptr ? nullptr : find_graph_memory(address);
  if (allocation == nullptr || allocation->has_free_node) return Status::kInvalidValue;
  payload.allocation = std::move(allocation);
  return Status::kSuccess;
}

Status make_batch(const abi::BatchNodeParameters& parameters, BatchPayload& payload) {
  if (parameters.operations == nullptr || parameters.count == 0 ||
      parameters.count > kMostBatchOperations) {
    return Status::kInvalidValue;
  }
  BatchPayload made{.operations = {}, .parameters = parameters};
  made.operations.assign(parameters.operations, parameters.operations + parameters.count);
  for (const abi::BatchOperation& operation : made.operations) {
    if (!is_valid_operation(operation)) return Status::kInvalidValue;
  }
  payload = std::move(made);
  return Status::kSuccess;
}

}  // namespace wavetank::hip
