// Where the variables of code objects lie, which share one allocation.
#pragma once

#include <cstdint>
#include <optional>

namespace wavetank::check {

/// Bytes [begin, begin + size_bytes).
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t size_bytes = 0;
  bool holds(std::uint64_t first, std::uint64_t end) const {
    return first - begin < size_bytes && end - begin <= size_bytes;
  }
};

class Variables {
 public:
  virtual ~Variables() = default;
  /// The variable that holds an address.
  virtual std::optional<Extent> variable_at(std::uint64_t address) const = 0;
  /// True if a variable begins in some bytes.
  virtual bool has_variable_in(const Extent& bytes) const = 0;
};

}  // namespace wavetank::check
