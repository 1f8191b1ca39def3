#include "hip/runtime/transfer.hpp"

#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "hip/runtime/event.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/memory/allocation_notes.hpp"
#include "hip/runtime/memory/pool_block.hpp"
#include "hip/runtime/shared_event.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

using abi::MemcpyKind;
using abi::Status;

/// Snapshots up to this size keep a copy from pageable memory asynchronous.
constexpr std::size_t kLargestSnapshotBytes = 256 * 1024;

/// Bytes from the box's address to its last byte; nothing for more than an address can hold.
std::optional<std::size_t> extent_bytes(const PitchedBytes& box, std::size_t row_bytes,
                                        std::size_t height, std::size_t depth) {
  if (row_bytes == 0 || height == 0 || depth == 0) return 0;
  std::size_t slices = 0;
  std::size_t rows = 0;
  std::size_t sum = 0;
  if (__builtin_mul_overflow(depth - 1, box.slice_bytes, &slices) ||
      __builtin_mul_overflow(height - 1, box.pitch_bytes, &rows) ||
      __builtin_add_overflow(slices, rows, &sum) || __builtin_add_overflow(sum, row_bytes, &sum)) {
    return std::nullopt;
  }
  return sum;
}

bool kind_is_known(MemcpyKind kind) {
  const auto number = static_cast<int>(kind);
  return (number >= 0 && number <= 4) || kind == MemcpyKind::kDeviceToDeviceNoCu;
}

bool pitches_hold(const PitchedBytes& box, std::size_t row_bytes, std::size_t height,
                  std::size_t depth) {
  if (height > 1 && box.pitch_bytes < row_bytes) return false;
  std::size_t slice_bytes = 0;
  if (depth <= 1) return true;
  return !__builtin_mul_overflow(box.pitch_bytes, height, &slice_bytes) &&
         box.slice_bytes >= slice_bytes;
}

std::size_t bytes_of(const CopyOperation& copy) {
  return copy.width_bytes * copy.height * copy.depth;
}

/// Copies the source into memory of our own, so that the caller may reuse it at once.
void take_snapshot(CopyOperation& copy) {
  const std::size_t bytes = bytes_of(copy);
  auto snapshot = std::make_shared<std::byte[]>(bytes);
  const PitchedBytes packed{snapshot.get(), copy.width_bytes, copy.width_bytes * copy.height};
  run_copy({.target = packed,
            .source = copy.source,
            .width_bytes = copy.width_bytes,
            .height = copy.height,
            .depth = copy.depth});
  copy.source = packed;
  copy.staged = std::move(snapshot);
}

bool is_pinned(const machine::DeviceMemory& memory, const void* address) {
  const auto allocation = find_allocation(memory, address);
  return allocation && allocation->kind == machine::MemoryKind::kHostPinned;
}

/// True for memory of the device that has no SYNC_MEMOPS.
bool is_for(const VirtualDevice& device, const std::optional<machine::Allocation>& allocation) {
  return allocation && allocation->kind == machine::MemoryKind::kDevice &&
         allocation->device == device.ordinal() && !sync_memops(*allocation);
}

/// What kForHost means for a copy.
Blocking for_host(const VirtualDevice& device, const CopyOperation& copy) {
  const bool inside = is_for(device, find_allocation(device.memory(), copy.target.address)) &&
                      is_for(device, find_allocation(device.memory(), copy.source.address));
  return inside ? Blocking::kNo : Blocking::kYes;
}

/// The same for a fill. Where it does not begin at the memory's begin AMD's runtime waits
/// (ROCm/clr, hip_memory.cpp).
Blocking for_host(const VirtualDevice& device, const FillOperation& fill) {
  const auto allocation = find_allocation(device.memory(), fill.target.address);
  const bool inside = is_for(device, allocation) && allocation->address == fill.target.address;
  return inside ? Blocking::kNo : Blocking::kYes;
}

/// Whether a copy that need not block does: what the memories ask for. One from pageable memory may
/// be given a snapshot to read from instead.
Blocking for_memories(const Stream& stream, CopyOperation& copy, SourceAccess access) {
  const machine::DeviceMemory& memory = stream.device().memory();
  if (is_pageable(memory, copy.target.address)) return Blocking::kYes;
  if (is_pageable(memory, copy.source.address)) {
    if (access == SourceAccess::kInStreamOrder) return Blocking::kNo;
    if (bytes_of(copy) > kLargestSnapshotBytes) return Blocking::kUntilRead;
    take_snapshot(copy);
    return Blocking::kNo;
  }
  const bool between_hosts =
      is_pinned(memory, copy.target.address) && is_pinned(memory, copy.source.address);
  return between_hosts && stream.kind() == StreamKind::kNull ? Blocking::kYes : Blocking::kNo;
}

/// The sticky error of the device, or what forbids an operation on the legacy stream now.
Status admit(const Stream& stream, Blocking blocking) {
  const Status sticky = stream.device().sticky_status();
  if (sticky != Status::kSuccess) return sticky;
  return check_legacy_stream(stream.kind(), blocking != Blocking::kNo);
}

Status perform(Stream& stream, Operation operation, Blocking blocking) {
  if (blocking == Blocking::kYes || blocking == Blocking::kUntilRead) {
    stream.run(operation, blocking == Blocking::kYes ? HostLearns::kYes : HostLearns::kNo);
  } else {
    stream.submit(std::move(operation));
  }
  return stream.device().sticky_status();
}

}  // namespace

bool is_pageable(const machine::DeviceMemory& memory, const void* address) {
  return !find_allocation(memory, address);
}

bool range_is_valid(machine::DeviceMemory& memory, const void* address, std::size_t size_bytes,
                    RangeUse use) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (begin < memory.arena_begin() || begin >= memory.arena_end()) return true;
  const auto allocation = find_allocation(memory, address);
  if (!allocation || (use == RangeUse::kWritten && !allocation->writable)) return false;
  const auto end = reinterpret_cast<std::uintptr_t>(allocation->address) + allocation->size_bytes;
  return size_bytes <= end - begin;
}

Status check_copy(machine::DeviceMemory& memory, const CopyOperation& copy, MemcpyKind kind) {
  if (copy.target.address == nullptr || copy.source.address == nullptr) {
    return Status::kInvalidValue;
  }
  if (!kind_is_known(kind)) return Status::kInvalidMemcpyDirection;
  for (const auto& [box, use] :
       {std::pair(copy.target, RangeUse::kWritten), std::pair(copy.source, RangeUse::kRead)}) {
    if (!pitches_hold(box, copy.width_bytes, copy.height, copy.depth)) {
      return Status::kInvalidPitchValue;
    }
    const auto bytes = extent_bytes(box, copy.width_bytes, copy.height, copy.depth);
    if (!bytes || !range_is_valid(memory, box.address, *bytes, use)) return Status::kInvalidValue;
  }
  return Status::kSuccess;
}

Status check_fill(machine::DeviceMemory& memory, const FillOperation& fill) {
  if (fill.target.address == nullptr) return Status::kInvalidValue;
  std::size_t row_bytes = 0;
  if (__builtin_mul_overflow(fill.width_elements, fill.element_bytes, &row_bytes)) {
    return Status::kInvalidValue;
  }
  if (!pitches_hold(fill.target, row_bytes, fill.height, fill.depth)) {
    return Status::kInvalidValue;
  }
  const auto bytes = extent_bytes(fill.target, row_bytes, fill.height, fill.depth);
  if (!bytes || !find_allocation(memory, fill.target.address)) return Status::kInvalidValue;
  const bool valid = range_is_valid(memory, fill.target.address, *bytes, RangeUse::kWritten);
  return valid ? Status::kSuccess : Status::kInvalidValue;
}

void wait_until_open(Stream& stream, const void* address) {
  if (stream.capture() != nullptr) return;
  CompletionPtr opening = pool_block_opening(address);
  if (opening != nullptr && opening->stream_id() != stream.id()) {
    stream.wait_for(std::move(opening));
  }
}

Status submit_operation(Stream& stream, Operation operation, Blocking blocking) {
  if (const Status status = admit(stream, blocking); status != Status::kSuccess) return status;
  if (const auto capture = stream.capture()) return capture->run(stream, operation);
  return perform(stream, std::move(operation), blocking);
}

Status record(Stream& stream, Event& event, bool external) {
  const Status status = check_legacy_stream(stream.kind(), false);
  if (status != Status::kSuccess) return status;
  if (const auto capture = stream.capture()) return capture->record(stream, event, external);
  if (const auto shared = event.shared()) {
    const std::uint64_t number = shared->record();
    event.record(stream.submit(HostOperation{[shared, number] { shared->complete(number); }}));
  } else {
    event.record(stream.submit(MarkerOperation{}));
  }
  return stream.device().sticky_status();
}

Status wait_for_event(Stream& stream, Event& event, bool external) {
  const auto capture = stream.capture();
  if (capture != nullptr && external) return capture->wait_external(stream, event);
  if (const auto point = event.captured()) {
    if (stream.kind() == StreamKind::kNull) return Status::kInvalidHandle;
    if (const auto other = point->capture.lock()) return other->join(stream, *point);
  }
  if (const auto shared = event.shared(); shared != nullptr && capture == nullptr) {
    const std::uint64_t number = shared->recorded();
    if (!shared->done(number)) {
      HostOperation waiting{[shared, number] { shared->wait(number); }};
      waiting.may_wait = true;
      stream.submit(std::move(waiting));
    }
    return stream.device().sticky_status();
  }
  CompletionPtr recorded = event.recorded();
  if (capture != nullptr) {
    if (recorded == nullptr || recorded->done()) return Status::kSuccess;
    capture->invalidate();
    return Status::kStreamCaptureIsolation;
  }
  if (recorded != nullptr) stream.wait_for(std::move(recorded));
  return stream.device().sticky_status();
}

Status submit_copy(Stream& stream, CopyOperation copy, MemcpyKind kind, Blocking blocking,
                   SourceAccess access) {
  if (copy.width_bytes == 0 || copy.height == 0 || copy.depth == 0) return Status::kSuccess;
  machine::DeviceMemory& memory = stream.device().memory();
  if (const Status status = admit(stream, blocking); status != Status::kSuccess) return status;
  if (const Status status = check_copy(memory, copy, kind); status != Status::kSuccess) {
    return status;
  }
  if (const auto capture = stream.capture()) return capture->copy(stream, copy, kind);
  wait_until_open(stream, copy.target.address);
  wait_until_open(stream, copy.source.address);
  if (blocking == Blocking::kForHost) blocking = for_host(stream.device(), copy);
  if (blocking == Blocking::kNo) blocking = for_memories(stream, copy, access);
  return perform(stream, std::move(copy), blocking);
}

Status submit_fill(Stream& stream, const FillOperation& fill, Blocking blocking) {
  if (fill.width_elements == 0 || fill.height == 0 || fill.depth == 0) return Status::kSuccess;
  const Status status = check_fill(stream.device().memory(), fill);
  if (status != Status::kSuccess) return status;
  if (const Status denied = admit(stream, blocking); denied != Status::kSuccess) return denied;
  if (const auto capture = stream.capture()) return capture->run(stream, fill);
  wait_until_open(stream, fill.target.address);
  if (blocking == Blocking::kForHost) blocking = for_host(stream.device(), fill);
  return perform(stream, fill, blocking);
}

}  // namespace wavetank::hip
