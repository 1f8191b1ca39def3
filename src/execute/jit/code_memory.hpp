// Memory for the host's code, which is never writable and executable at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wavetank::execute::jit {

class CodeMemory {
 public:
  /// Room to write into; only what is written is ever there. None if the host gives none.
  explicit CodeMemory(std::size_t bytes);
  ~CodeMemory();
  CodeMemory(CodeMemory&& other) noexcept;
  CodeMemory& operator=(CodeMemory&&) = delete;

  std::uint8_t* begin() const { return begin_; }
  /// Gives back what is behind `used` bytes; the rest may be run from now on, and no longer be
  /// written. False if the host forbids it.
  bool seal(std::size_t used);

 private:
  std::uint8_t* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace wavetank::execute::jit
