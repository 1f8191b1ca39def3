// What a fuzzed sequence of HIP calls takes its handles from: those that earlier calls gave, alive
// or not.
#pragma once

#include <hip/hip_runtime_api.h>

#include <array>
#include <cstdint>
#include <vector>

#include "fuzz_input.hpp"

namespace wavetank::fuzz {

/// Handles of one type. A pick is mostly a live one, sometimes a stale one, null or a wild number.
template <class Handle>
class Handles {
 public:
  /// Keeps the handle that a call gave.
  void add(hipError_t status, Handle handle) {
    if (status == hipSuccess && handle != nullptr) live_.push_back(handle);
  }
  /// Marks a handle as gone when the call that ends it succeeded.
  void end(hipError_t status, Handle handle) {
    if (status != hipSuccess) return;
    std::erase(live_, handle);
    stale_ = handle;
  }
  Handle pick(Input& input) const {
    const std::uint8_t choice = input.byte();
    if (choice == 0) return nullptr;
    if (choice == 1) return stale_;
    if (choice == 2) return reinterpret_cast<Handle>(std::uintptr_t{0x123456789a0});
    return live_.empty() ? nullptr : live_[choice % live_.size()];
  }
  /// Ends all that live: end(handle) for each.
  template <class End>
  void clear(End end) {
    for (const Handle handle : live_) end(handle);
    live_.clear();
    stale_ = nullptr;
  }

 private:
  std::vector<Handle> live_;
  Handle stale_ = nullptr;
};

inline constexpr std::size_t kHostBytes = 65536;
/// Each may double a graph.
inline constexpr int kMostChildGraphs = 8;

struct Session {
  explicit Session(Input bytes) : input(bytes) {}

  Input input;
  Handles<void*> memory;  ///< device, pinned and managed
  Handles<hipStream_t> streams;
  Handles<hipEvent_t> events;
  Handles<hipGraph_t> graphs;
  Handles<hipGraphNode_t> nodes;
  Handles<hipGraphExec_t> executables;
  Handles<hipMemPool_t> pools;
  Handles<hipArray*> arrays;
  Handles<hipMemGenericAllocationHandle_t> pages;
  Handles<void*> ranges;  ///< reserved addresses
  int child_graphs = 0;
  std::vector<std::uint8_t> host = std::vector<std::uint8_t>(kHostBytes);

  /// A size, from nothing to more than any device has.
  std::size_t size() {
    constexpr std::size_t kSizes[] = {0,     1,       4,       100,          4096,
                                      65536, 1 << 20, 1 << 22, 1ull << 40,   ~0ull,
                                      8192,  16,      12288,   ~0ull - 4095, 1ull << 63};
    return input.any(kSizes);
  }
  /// A size that the host's buffer has.
  std::size_t host_size() {
    constexpr std::size_t kSizes[] = {0, 1, 4, 100, 4096, 65536};
    return input.any(kSizes);
  }
  /// An address in a device's range: inside an allocation, at its start, behind it, or none.
  void* address() {
    auto* base = static_cast<char*>(memory.pick(input));
    if (base == nullptr || base == reinterpret_cast<char*>(0x123456789a0)) return nullptr;
    constexpr std::ptrdiff_t kOffsets[] = {0, 0, 0, 1, 4, 4095, 4096, 1 << 20, 2};
    return base + input.any(kOffsets);
  }
  int device() { return static_cast<std::int8_t>(input.byte()) % 3; }
  unsigned flags() {
    constexpr unsigned kFlags[] = {0, 1, 2, 4, 6, 8, 0x80, 0x8000'0000, ~0u};
    return input.any(kFlags);
  }
  hipMemcpyKind kind() { return static_cast<hipMemcpyKind>(input.byte() % 6); }
  hipStream_t stream() {
    const std::uint8_t choice = input.byte();
    if (choice < 64) return nullptr;
    if (choice < 72) return hipStreamPerThread;
    return streams.pick(input);
  }
};

/// Makes one call that the input chooses.
void call_something(Session& session);
/// Ends whatever the session made.
void clean_up(Session& session);

}  // namespace wavetank::fuzz
