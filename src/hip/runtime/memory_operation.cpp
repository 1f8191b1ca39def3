#include "hip/runtime/memory_operation.hpp"
#include "hip/runtime/checked/checker.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "hip/runtime/checked/operation_name.hpp"
#include "hip/runtime/device_access.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/runtime.hpp"

namespace wavetank::hip {
namespace {

using enum abi::BatchOperationType;

template <class Value>
bool holds(MemoryCompare compare, Value memory, Value value) {
  switch (compare) {
    // The difference is signed, so that counters may wrap around.
    case MemoryCompare::kGreaterOrEqual:
      return static_cast<std::make_signed_t<Value>>(memory - value) >= 0;
    case MemoryCompare::kEqual: return memory == value;
    case MemoryCompare::kAnd: return (memory & value) != 0;
    case MemoryCompare::kNor: return static_cast<Value>(~(memory | value)) != 0;
  }
  return true;
}

template <class Value>
void write(void* address, std::uint64_t value) {
  std::atomic_ref(*static_cast<Value*>(address))
      .store(static_cast<Value>(value), std::memory_order_release);
}

template <class Value>
void wait_for(const MemoryWait& wait) {
  const std::atomic_ref memory(*static_cast<Value*>(wait.address));
  const auto mask = static_cast<Value>(wait.mask);
  const auto value = static_cast<Value>(wait.value) & mask;
  while (!holds<Value>(wait.compare, memory.load(std::memory_order_acquire) & mask, value)) {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

HostOperation guarded(VirtualDevice& device, std::function<void()> access, std::string_view what,
                      const void* address) {
  return {[&device, access = std::move(access), what, address] {
    run_device_access(device, access,
                      [&] { return fmt::format("{} at {}", what, fmt::ptr(address)); });
  }};
}

/// The operation under way has written a word, or waited for one.
void publish(const void* word) {
  if (const OrderedPtr& now = OrderScope::current()) now->order.publish(*now, word);
}
void learn_from(const void* word) {
  if (const OrderedPtr& now = OrderScope::current()) now->order.learn_from(*now, word);
}

bool is_wait(const abi::BatchOperation& operation) {
  return operation.type == kWaitValue32 || operation.type == kWaitValue64;
}

bool is_write(const abi::BatchOperation& operation) {
  return operation.type == kWriteValue32 || operation.type == kWriteValue64;
}

MemoryWidth width_of(const abi::BatchOperation& operation) {
  const bool narrow = operation.type == kWaitValue32 || operation.type == kWriteValue32;
  return narrow ? MemoryWidth::k32 : MemoryWidth::k64;
}

}  // namespace

bool is_memory_word(const void* address, MemoryWidth width, RangeUse use) {
  const std::size_t bytes = width == MemoryWidth::k32 ? 4 : 8;
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  machine::DeviceMemory& memory = Runtime::instance().memory();
  if (address == nullptr || number % bytes != 0 || !find_allocation(memory, address)) return false;
  return range_is_valid(memory, address, bytes, use);
}

HostOperation memory_write(VirtualDevice& device, void* address, std::uint64_t value,
                           MemoryWidth width) {
  const auto store = width == MemoryWidth::k32 ? write<std::uint32_t> : write<std::uint64_t>;
  Checker* const checker = device.checker();
  const std::size_t bytes = width == MemoryWidth::k32 ? 4 : 8;
  HostOperation operation = guarded(
      device,
      [=] {
        name_operation("a write of a stream's value");
        publish(address);
        store(address, value);
        if (checker != nullptr) checker->on_defined_memory(address, bytes);
      },
      "a write of a stream's value", address);
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  operation.touches = {{begin, begin + bytes, check::AccessKind::kAtomic, 0}};
  return operation;
}

HostOperation memory_wait(VirtualDevice& device, const MemoryWait& wait) {
  const auto poll =
      wait.width == MemoryWidth::k32 ? wait_for<std::uint32_t> : wait_for<std::uint64_t>;
  HostOperation operation = guarded(
      device,
      [=] {
        poll(wait);
        learn_from(wait.address);
      },
      "a stream's wait for a value", wait.address);
  operation.may_wait = true;
  return operation;
}

bool is_valid_operation(const abi::BatchOperation& operation) {
  const RangeUse use = is_write(operation) ? RangeUse::kWritten : RangeUse::kRead;
  if (!is_memory_word(operation.address, width_of(operation), use)) return false;
  return is_write(operation) || (is_wait(operation) && operation.flags <= kLastCompare);
}

HostOperation memory_operation(VirtualDevice& device, const abi::BatchOperation& operation) {
  const MemoryWidth width = width_of(operation);
  if (is_write(operation)) return memory_write(device, operation.address, operation.value, width);
  return memory_wait(device, {.address = operation.address,
                              .value = operation.value,
                              .compare = static_cast<MemoryCompare>(operation.flags),
                              .width = width});
}

}  // namespace wavetank::hip
