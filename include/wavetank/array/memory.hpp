// Device memory for arrays: from the device's pool, in the order of the stream, so that freeing and
// allocating again costs no wait. Counted, so that a program can see what it allocates.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "stream.hpp"

namespace wavetank {

/// What arrays have asked of the device's pool since the program started.
struct memory_use {
  std::uint64_t allocations = 0;    ///< how many blocks
  std::uint64_t bytes_in_use = 0;   ///< bytes of the blocks that are alive
  std::uint64_t bytes_at_most = 0;  ///< the largest bytes_in_use so far
};

namespace detail {

struct memory_counters {
  std::atomic<std::uint64_t> allocations{0}, in_use{0}, at_most{0};
};
inline memory_counters memory_count;

/// Lets the pool of the current device keep what was freed: by default it gives memory back at
/// every wait. A device without pools says so at the first allocation.
inline void keep_pool_memory() {
  static thread_local int prepared_device = -1;
  int device = 0;
  check(hipGetDevice(&device), "asking for the current device");
  if (device == prepared_device) return;
  hipMemPool_t pool{};
  check(hipDeviceGetDefaultMemPool(&pool, device), "asking for the device's memory pool");
  std::uint64_t all = UINT64_MAX;
  check(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &all),
        "setting what the memory pool keeps");
  prepared_device = device;
}

/// One block of device memory, freed in the order of the stream on which it was allocated.
class storage {
 public:
  explicit storage(std::size_t bytes) : bytes_(bytes), stream_(current_stream()) {
    if (bytes == 0) return;
    keep_pool_memory();
    check(hipMallocAsync(&data_, bytes, stream_),
          ("allocating " + std::to_string(bytes) + " bytes of device memory").c_str());
    ++memory_count.allocations;
    const std::uint64_t now = memory_count.in_use += bytes;
    std::uint64_t most = memory_count.at_most;
    while (most < now && !memory_count.at_most.compare_exchange_weak(most, now)) {
    }
  }
  storage(const storage&) = delete;
  storage& operator=(const storage&) = delete;
  ~storage() {
    if (!data_) return;
    memory_count.in_use -= bytes_;
    // A destructor cannot report; the next call on the stream does.
    static_cast<void>(hipFreeAsync(data_, stream_));
  }

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
  hipStream_t stream_;
};

/// One value in device memory, read by the host.
template <class T>
T fetch(const storage& memory) {
  T value;
  check(hipMemcpyAsync(&value, memory.data(), sizeof(T), hipMemcpyDeviceToHost, current_stream()),
        "reading a result");
  synchronize();
  return value;
}

}  // namespace detail

/// What arrays have asked of the device's pool so far, over all threads.
inline memory_use memory_used() {
  const detail::memory_counters& count = detail::memory_count;
  return {count.allocations, count.in_use, count.at_most};
}

}  // namespace wavetank
