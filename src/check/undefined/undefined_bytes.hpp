// Which bytes of a piece of memory nobody has given a value: all of a device's, or one workgroup's
// LDS. Bytes are defined until undefine() says otherwise, and cost nothing then: a page is either
// defined, or undefined as a whole, or has a bit for each byte.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>

namespace wavetank::check {

/// Safe from several threads; define() and any() take no lock where nothing is undefined.
class UndefinedBytes {
 public:
  /// For addresses [begin, begin + size_bytes). Others are always defined.
  UndefinedBytes(std::uint64_t begin, std::uint64_t size_bytes);
  ~UndefinedBytes();
  UndefinedBytes(const UndefinedBytes&) = delete;
  UndefinedBytes& operator=(const UndefinedBytes&) = delete;

  /// False if the host had no memory for the bits: then everything counts as defined.
  bool is_kept() const { return words_ != nullptr || size_bytes_ == 0; }
  /// True if nothing at all is undefined.
  bool none() const { return undefined_pages_.load(std::memory_order_relaxed) == 0; }
  /// True if a byte of [begin, end) is undefined.
  bool any(std::uint64_t begin, std::uint64_t end) const {
    return !none() && find(begin, end) != end;
  }
  /// The same of dwords of a piece of memory that begins at 0: a bit for each, from the
  /// 64 * first_word-th on. They must lie in it.
  bool any_in_dwords(std::uint64_t first_word, std::span<const std::uint64_t> dwords) const {
    return !none() && find_in_dwords(first_word, dwords);
  }
  /// The first undefined byte of [begin, end); `end` if there is none.
  std::uint64_t find(std::uint64_t begin, std::uint64_t end) const;
  /// The first byte of [begin, end) that is not undefined; `end` if there is none.
  std::uint64_t find_defined(std::uint64_t begin, std::uint64_t end) const;

  void define(std::uint64_t begin, std::uint64_t end) {
    if (!none()) define_some(begin, end);
  }
  /// Makes whole bytes undefined; what is known of them is forgotten.
  void undefine(std::uint64_t begin, std::uint64_t end);

  /// The undefined bits of the bytes from `begin` on.
  void read(std::uint64_t begin, std::span<std::uint8_t> bits) const;
  /// Sets them. `tag` says who stored them, if any is undefined; see tag_at().
  void write(std::uint64_t begin, std::span<const std::uint8_t> bits, std::uint32_t tag);
  /// Gives the bytes from `target` on the undefined bits of those from `source` on, which may
  /// overlap them.
  void copy(std::uint64_t target, std::uint64_t source, std::uint64_t bytes);
  /// What write() was told of an undefined byte; nothing if nobody wrote it, or others did so in
  /// the same line of 64 bytes later.
  std::optional<std::uint32_t> tag_at(std::uint64_t address) const;
  /// True if somebody wrote something undefined into the line of 64 bytes of an address.
  bool has_tag_in_line(std::uint64_t address) const;

 private:
  enum State : std::uint8_t { kDefined, kUndefined, kMixed };
  static constexpr std::uint64_t kPageBytes = 4096, kWordBytes = 64, kPageWords = 64;

  bool find_in_dwords(std::uint64_t first_word, std::span<const std::uint64_t> dwords) const;
  std::uint64_t find_state(std::uint64_t begin, std::uint64_t end, bool undefined) const;
  struct Tag {
    std::uint32_t number = 0;
    std::uint64_t bytes = 0;  ///< of the line, that it is for
  };

  void define_some(std::uint64_t begin, std::uint64_t end);
  void define_in_page(std::uint64_t begin, std::uint64_t end);
  void undefine_in_page(std::uint64_t begin, std::uint64_t end);
  void open_page(std::uint64_t page);
  void close_if_defined(std::uint64_t page);
  void forget(std::uint64_t begin, std::uint64_t end);
  std::uint64_t copy_undefined(std::uint64_t target, std::uint64_t source, std::uint64_t bytes);
  bool has_tags() const;
  bool clip(std::uint64_t& begin, std::uint64_t& end) const;

  const std::uint64_t begin_;
  const std::uint64_t size_bytes_;
  std::uint64_t reserved_bytes_ = 0;
  std::atomic<std::uint8_t>* states_ = nullptr;     ///< of pages
  std::atomic<std::uint64_t>* words_ = nullptr;     ///< a bit for each byte of a page with kMixed
  std::atomic<std::uint64_t> undefined_pages_ = 0;  ///< that are not kDefined
  mutable std::mutex mutex_;  ///< guards what follows, and changes of state but to kDefined
  std::unordered_map<std::uint64_t, std::uint8_t>
      partial_;                                  ///< bits of bytes that are undefined in part
  std::unordered_map<std::uint64_t, Tag> tags_;  ///< by line
};

}  // namespace wavetank::check
