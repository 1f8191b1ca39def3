// Atomic updates of host memory, which all worker threads share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "execute/handler_set.hpp"
#include "isa/atomics.hpp"

namespace wavetank::execute {

/// Applies the operation to the aligned element at `host`, atomically for all host threads; gives
/// the old value.
template <isa::AtomicOperation kOperation, class T>
T atomic_update(std::byte* host, T data, T data2, const isa::Modes& modes) {
  using A = isa::AtomicOperation;
  constexpr int kOrder = __ATOMIC_ACQ_REL;
  T* const memory = reinterpret_cast<T*>(host);
  if constexpr (kOperation == A::kAdd) return __atomic_fetch_add(memory, data, kOrder);
  else if constexpr (kOperation == A::kSub) return __atomic_fetch_sub(memory, data, kOrder);
  else if constexpr (kOperation == A::kAnd) return __atomic_fetch_and(memory, data, kOrder);
  else if constexpr (kOperation == A::kOr) return __atomic_fetch_or(memory, data, kOrder);
  else if constexpr (kOperation == A::kXor) return __atomic_fetch_xor(memory, data, kOrder);
  else if constexpr (kOperation == A::kSwap) return __atomic_exchange_n(memory, data, kOrder);
  T old = __atomic_load_n(memory, __ATOMIC_ACQUIRE);
  while (!__atomic_compare_exchange_n(memory, &old,
                                      isa::atomic_result<kOperation, T>(old, data, data2, modes),
                                      false, kOrder, __ATOMIC_ACQUIRE)) {
  }
  return old;
}

/// What make<Operation>() gives for an operation that has a row of `kBytes` in a place; nullptr if
/// it has none.
template <isa::AtomicPlace kPlace, std::size_t kBytes, class Make>
Handler handler_of_atomic(isa::AtomicOperation operation, Make make) {
  Handler handler = nullptr;
  isa::with_operation(operation, [&]<isa::AtomicOperation kOperation>() {
    if constexpr (isa::exists_in(kPlace, kOperation, kBytes)) {
      handler = make.template operator()<kOperation>();
    }
  });
  return handler;
}

}  // namespace wavetank::execute
