// What of a process's device memory is undefined, and which kernels stored such values.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "check/findings.hpp"
#include "check/undefined/undefined_bytes.hpp"
#include "machine/undefined_registers.hpp"

namespace wavetank::check {

/// A kernel's store of something undefined; many such stores share one.
struct UndefinedStore {
  machine::UndefinedOrigin origin;
  Access store;
  std::uint32_t launch = 0;
  bool is_whole = false;  ///< the lane stored nothing defined with it: it is no padding
};

/// Safe from several threads.
class UndefinedStores {
 public:
  /// The number of a store, for UndefinedBytes; those of the same instructions have one number, and
  /// the first workgroup's stands for them.
  std::uint32_t number_of(const UndefinedStore& store);
  UndefinedStore at(std::uint32_t number) const;
  /// The stores of one launch, from a number on.
  std::vector<UndefinedStore> from(std::uint32_t number) const;
  std::uint32_t count() const;

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool, bool>;
  mutable std::mutex mutex_;
  std::map<Key, std::uint32_t> numbers_;
  std::vector<UndefinedStore> stores_;
};

struct UndefinedMemory {
  UndefinedMemory(std::uint64_t begin, std::uint64_t size_bytes) : bytes(begin, size_bytes) {}
  UndefinedBytes bytes;
  UndefinedStores stores;
  std::atomic<std::uint32_t> launches = 0;
};

}  // namespace wavetank::check
