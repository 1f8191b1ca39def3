// HIP API: streams that write and wait for values in memory, and the profiler's switches.
#include <algorithm>
#include <span>
#include <utility>

#include "hip/api/entry.hpp"
#include "hip/runtime/memory_operation.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

Status submit(Stream& stream, const void* address, HostOperation operation) {
  wait_until_open(stream, address);
  return submit_operation(stream, std::move(operation), Blocking::kNo);
}

Status write_value(void* handle, void* address, std::uint64_t value, MemoryWidth width) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    if (!is_memory_word(address, width, RangeUse::kWritten)) return Status::kInvalidValue;
    return submit(stream, address, memory_write(stream.device(), address, value, width));
  });
}

Status wait_value(void* handle, void* address, std::uint64_t value, unsigned flags,
                  std::uint64_t mask, MemoryWidth width) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    const bool known = is_memory_word(address, width, RangeUse::kRead);
    if (!known || flags > kLastCompare) return Status::kInvalidValue;
    const MemoryWait wait{address, value, mask, static_cast<MemoryCompare>(flags), width};
    return submit(stream, address, memory_wait(stream.device(), wait));
  });
}

}  // namespace

WAVETANK_API Status hipStreamWriteValue32(void* stream, void* address, std::uint32_t value,
                                          unsigned) {
  return write_value(stream, address, value, MemoryWidth::k32);
}
WAVETANK_API Status hipStreamWriteValue64(void* stream, void* address, std::uint64_t value,
                                          unsigned) {
  return write_value(stream, address, value, MemoryWidth::k64);
}
WAVETANK_API Status hipStreamWaitValue32(void* stream, void* address, std::uint32_t value,
                                         unsigned flags, std::uint32_t mask) {
  return wait_value(stream, address, value, flags, mask, MemoryWidth::k32);
}
WAVETANK_API Status hipStreamWaitValue64(void* stream, void* address, std::uint64_t value,
                                         unsigned flags, std::uint64_t mask) {
  return wait_value(stream, address, value, flags, mask, MemoryWidth::k64);
}

WAVETANK_API Status hipStreamBatchMemOp(void* handle, unsigned count,
                                        const abi::BatchOperation* operations, unsigned) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    if (operations == nullptr || count == 0 || count > kMostBatchOperations) {
      return Status::kInvalidValue;
    }
    const std::span batch(operations, count);
    if (!std::ranges::all_of(batch, is_valid_operation)) return Status::kInvalidValue;
    for (const abi::BatchOperation& operation : batch) {
      const Status status =
          submit(stream, operation.address, memory_operation(stream.device(), operation));
      if (status != Status::kSuccess) return status;
    }
    return Status::kSuccess;
  });
}

// AMD's runtime deprecated its profiler switches in favour of external tools; so here.
WAVETANK_API Status hipProfilerStart() {
  return api::call([] { return Status::kNotSupported; });
}
WAVETANK_API Status hipProfilerStop() {
  return api::call([] { return Status::kNotSupported; });
}
