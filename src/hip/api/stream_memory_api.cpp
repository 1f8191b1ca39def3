// HIP API: streams that write and wait for values in memory, and the profiler's switches.
#include <atomic>
#include <chrono>
#include <thread>

#include "hip/api/entry.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

/// hipStreamWaitValue's comparisons.
enum class Compare : unsigned { kGreaterOrEqual = 0, kEqual = 1, kAnd = 2, kNor = 3 };

template <class Value>
bool holds(Compare compare, Value memory, Value value) {
  switch (compare) {
    // The difference is signed, so that counters may wrap around.
    case Compare::kGreaterOrEqual:
      return static_cast<std::make_signed_t<Value>>(memory - value) >= 0;
    case Compare::kEqual: return memory == value;
    case Compare::kAnd: return (memory & value) != 0;
    case Compare::kNor: return static_cast<Value>(~(memory | value)) != 0;
  }
  return true;
}

template <class Value>
Status write_value(void* handle, void* address, Value value) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    if (address == nullptr) return Status::kInvalidValue;
    HostOperation operation;
    operation.call = [=] {
      std::atomic_ref(*static_cast<Value*>(address)).store(value, std::memory_order_release);
    };
    return submit_operation(stream, std::move(operation), Blocking::kNo);
  });
}

template <class Value>
Status wait_value(void* handle, void* address, Value value, unsigned flags, Value mask) {
  return api::call_with_stream(handle, [&](Stream& stream) {
    if (address == nullptr || flags > static_cast<unsigned>(Compare::kNor)) {
      return Status::kInvalidValue;
    }
    const auto compare = static_cast<Compare>(flags);
    HostOperation operation;
    operation.call = [=] {
      const std::atomic_ref memory(*static_cast<Value*>(address));
      while (!holds<Value>(compare, memory.load(std::memory_order_acquire) & mask, value & mask)) {
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      }
    };
    return submit_operation(stream, std::move(operation), Blocking::kNo);
  });
}

}  // namespace

WAVETANK_API Status hipStreamWriteValue32(void* stream, void* address, std::uint32_t value,
                                          unsigned) {
  return write_value(stream, address, value);
}
WAVETANK_API Status hipStreamWriteValue64(void* stream, void* address, std::uint64_t value,
                                          unsigned) {
  return write_value(stream, address, value);
}
WAVETANK_API Status hipStreamWaitValue32(void* stream, void* address, std::uint32_t value,
                                         unsigned flags, std::uint32_t mask) {
  return wait_value(stream, address, value, flags, mask);
}
WAVETANK_API Status hipStreamWaitValue64(void* stream, void* address, std::uint64_t value,
                                         unsigned flags, std::uint64_t mask) {
  return wait_value(stream, address, value, flags, mask);
}

// AMD's runtime deprecated its profiler switches in favour of external tools; so here.
WAVETANK_API Status hipProfilerStart() {
  return api::call([] { return Status::kNotSupported; });
}
WAVETANK_API Status hipProfilerStop() {
  return api::call([] { return Status::kNotSupported; });
}
