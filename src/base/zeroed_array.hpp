// Memory that the host hands out when it is first touched, with zeros in it: for tables of which a
// short program touches little.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace wavetank {

/// `count` values whose bytes are zeros until they are written, on a line of the host's caches.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit ZeroedArray(std::size_t count)
      : count_(count), memory_(fresh(bytes()), Free{bytes()}) {
    if (memory_ == nullptr) throw std::bad_alloc();
    const auto begin = reinterpret_cast<std::uintptr_t>(memory_.get());
    const std::size_t ahead = (kAlignment - begin % kAlignment) % kAlignment;
    values_ = reinterpret_cast<T*>(static_cast<std::byte*>(memory_.get()) + ahead);
  }

  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T* data() { return values_; }
  const T* data() const { return values_; }
  void clear() { std::memset(static_cast<void*>(values_), 0, count_ * sizeof(T)); }

 private:
  static constexpr std::size_t kAlignment = 64;
  static_assert(alignof(T) <= kAlignment);
  /// Arrays of so many bytes and more are mapped: into what malloc had from the host before calloc
  /// writes zeros (docs/decisions/0044).
  static constexpr std::size_t kMappedBytes = std::size_t{16} << 10;

  std::size_t bytes() const { return count_ * sizeof(T) + kAlignment; }
  static void* fresh(std::size_t bytes) {
    if (bytes < kMappedBytes) return std::calloc(bytes, 1);
    void* const pages =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? nullptr : pages;
  }
  struct Free {
    std::size_t bytes = 0;
    void operator()(void* memory) const {
      if (bytes < kMappedBytes)
        std::free(memory);
      else
        munmap(memory, bytes);
    }
  };
  std::size_t count_;
  std::unique_ptr<void, Free> memory_;
  T* values_;
};

}  // namespace wavetank
