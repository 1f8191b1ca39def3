// Pages that can stand at several addresses and in several processes: what virtual memory
// management maps and what processes share. They are an anonymous file (memfd_create), so nothing
// of them outlives the last process that holds them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "base/error.hpp"

namespace wavetank::machine {

class PhysicalMemory {
 public:
  /// Zero-filled pages; none is committed before it is used. `released` runs when the last user
  /// lets go. Errors: kOutOfMemory.
  static Result<std::shared_ptr<PhysicalMemory>> create(
      std::size_t size_bytes, std::function<void()> released = nullptr);
  /// Takes over a descriptor that another process (or descriptor() of this one) gave. Errors:
  /// kUsage when it is no file of whole pages; the descriptor is closed then, too.
  static Result<std::shared_ptr<PhysicalMemory>> adopt(int descriptor);

  ~PhysicalMemory();
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;

  std::size_t size_bytes() const { return size_bytes_; }
  /// Belongs to this object; duplicate it to pass it on.
  int descriptor() const { return descriptor_; }

 private:
  PhysicalMemory(int descriptor, std::size_t size_bytes, std::function<void()> released)
      : descriptor_(descriptor), size_bytes_(size_bytes), released_(std::move(released)) {}

  int descriptor_;
  std::size_t size_bytes_;
  std::function<void()> released_;
};

}  // namespace wavetank::machine
