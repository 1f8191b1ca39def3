// Copies and fills as the API asks for them: checked, then run in their place of a stream's order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hip/abi/status.hpp"
#include "hip/abi/types.hpp"
#include "hip/runtime/operation.hpp"
#include "hip/runtime/stream.hpp"

namespace wavetank::hip {

class Event;

/// Whether a call returns before its work is done. kForHost waits where the host can look at the
/// memory: a copy or fill inside of the stream's device returns at once, unless SYNC_MEMOPS is set
/// for the memory. kUntilRead waits until the source was read, which is not the end.
enum class Blocking : std::uint8_t { kNo, kYes, kForHost, kUntilRead };

/// Whether the host waits for a copy of rows: not if the call says that both memories are the
/// device's, whatever they are (ROCm/clr, hip_memory.cpp, ihipMemcpyParam3D). hipMemcpyDefault says
/// nothing, and copies of arrays wait.
constexpr Blocking blocking_of_rows(bool says_inside_of_device) {
  return says_inside_of_device ? Blocking::kNo : Blocking::kYes;
}
constexpr bool says_inside_of_device(abi::MemcpyKind kind) {
  return kind == abi::MemcpyKind::kDeviceToDevice || kind == abi::MemcpyKind::kDeviceToDeviceNoCu;
}

/// Before the host uses memory of a pool in the order of a stream that is not behind the memory's
/// allocation: lets the stream wait for that, since the pages may be closed until then.
void wait_until_open(Stream& stream, const void* address);

/// True for host memory that no device was told of; a copy to it has finished when its call
/// returns.
bool is_pageable(const machine::DeviceMemory& memory, const void* address);

/// Puts an operation on a stream (into its graph while it captures), and waits if asked to.
/// Gives the device's sticky status.
abi::Status submit_operation(Stream& stream, Operation operation, Blocking blocking);

/// Records an event behind all that the stream was given. While the stream captures, `external`
/// makes the record a node of the graph.
abi::Status record(Stream& stream, Event& event, bool external = false);

/// Makes the stream's later operations wait for what the event recorded. An event recorded in a
/// capture takes the stream into it; `external` makes the wait a node of the stream's graph.
abi::Status wait_for_event(Stream& stream, Event& event, bool external = false);

/// Checks a copy: kInvalidValue (null pointers, ends of allocations), kInvalidMemcpyDirection,
/// kInvalidPitchValue.
abi::Status check_copy(machine::DeviceMemory& memory, const CopyOperation& copy,
                       abi::MemcpyKind kind);

/// Checks a fill: kInvalidValue (not device-visible, ends of allocations, rows beyond the pitch).
abi::Status check_fill(machine::DeviceMemory& memory, const FillOperation& fill);

/// When a copy that does not block may read a pageable source.
enum class SourceAccess : std::uint8_t { kDuringCall, kInStreamOrder };

/// Checks a copy (null pointers, direction, ends of allocations) and submits it. A copy from
/// pageable memory has read it when the call returns, unless `access` allows it to read later; one
/// to pageable memory has finished, and so has one from pinned to pinned memory on the null stream.
abi::Status submit_copy(Stream& stream, CopyOperation copy, abi::MemcpyKind kind, Blocking blocking,
                        SourceAccess access = SourceAccess::kDuringCall);

/// Checks a fill and submits it.
abi::Status submit_fill(Stream& stream, const FillOperation& fill, Blocking blocking);

/// What a range is checked for.
enum class RangeUse : std::uint8_t { kRead, kWritten };

/// True if [address, address + size_bytes) lies in no device range, or inside one allocation (or
/// mapped range) that allows the use.
bool range_is_valid(machine::DeviceMemory& memory, const void* address, std::size_t size_bytes,
                    RangeUse use = RangeUse::kRead);

}  // namespace wavetank::hip
