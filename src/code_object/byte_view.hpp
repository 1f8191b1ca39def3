// Bounds-checked reads from untrusted bytes. Every file format of this folder is read through it,
// so that no offset or size of a file is trusted anywhere else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace wavetank::code_object {

/// A span of bytes that is read at offsets in bytes; reads outside of it give nothing. Values are
/// little-endian, as are all the formats here and the hosts Wavetank runs on.
class ByteView {
 public:
  ByteView() = default;
  explicit ByteView(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint64_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }

  /// True if [offset, offset + size_bytes) lies inside, whatever the two numbers are.
  bool contains(std::uint64_t offset, std::uint64_t size_bytes) const {
    return offset <= bytes_.size() && size_bytes <= bytes_.size() - offset;
  }

  /// The value at an offset, which need not be aligned.
  template <class T>
  std::optional<T> read(std::uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!contains(offset, sizeof(T))) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  /// A part of the bytes.
  std::optional<std::span<const std::byte>> slice(std::uint64_t offset,
                                                  std::uint64_t size_bytes) const {
    if (!contains(offset, size_bytes)) return std::nullopt;
    return bytes_.subspan(offset, size_bytes);
  }

  /// `size_bytes` characters.
  std::optional<std::string_view> text(std::uint64_t offset, std::uint64_t size_bytes) const {
    if (!contains(offset, size_bytes)) return std::nullopt;
    return std::string_view(reinterpret_cast<const char*>(bytes_.data()) + offset, size_bytes);
  }

  /// The characters up to the next zero byte; nothing if there is none before the end.
  std::optional<std::string_view> c_string(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return std::nullopt;
    const auto* start = reinterpret_cast<const char*>(bytes_.data()) + offset;
    const void* end = std::memchr(start, 0, bytes_.size() - offset);
    if (end == nullptr) return std::nullopt;
    return std::string_view(start, static_cast<std::size_t>(static_cast<const char*>(end) - start));
  }

 private:
  std::span<const std::byte> bytes_;
};

/// a + b, or nothing when the sum does not fit.
inline std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

}  // namespace wavetank::code_object
