#include "check/undefined/undefined_bytes.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

namespace wavetank::check {
namespace {

/// Bits [first, last) of a word.
constexpr std::uint64_t mask_of(std::uint64_t first, std::uint64_t last) {
  const std::uint64_t below = last == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << last) - 1;
  return below & ~((std::uint64_t{1} << first) - 1);
}

constexpr std::uint64_t kWholeByte = 0xff;

/// Four bits for each of 16.
constexpr std::uint64_t bytes_of_dwords(std::uint64_t dwords) {
  dwords = (dwords | dwords << 24) & 0x0000'00ff'0000'00ff;
  dwords = (dwords | dwords << 12) & 0x000f'000f'000f'000f;
  dwords = (dwords | dwords << 6) & 0x0303'0303'0303'0303;
  dwords = (dwords | dwords << 3) & 0x1111'1111'1111'1111;
  return dwords * 15;
}

}  // namespace

UndefinedBytes::UndefinedBytes(std::uint64_t begin, std::uint64_t size_bytes)
    : begin_(begin), size_bytes_((size_bytes + kPageBytes - 1) / kPageBytes * kPageBytes) {
  if (size_bytes_ == 0) return;
  reserved_bytes_ = size_bytes_ / 8 + size_bytes_ / kPageBytes;
  void* const memory = ::mmap(nullptr, reserved_bytes_, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  words_ = static_cast<std::atomic<std::uint64_t>*>(memory);
  states_ = reinterpret_cast<std::atomic<std::uint8_t>*>(words_ + size_bytes_ / kWordBytes);
}

UndefinedBytes::~UndefinedBytes() {
  if (words_ != nullptr) ::munmap(words_, reserved_bytes_);
}

/// Makes a range relative to the first byte; false if nothing of it is known here.
bool UndefinedBytes::clip(std::uint64_t& begin, std::uint64_t& end) const {
  if (words_ == nullptr || end <= begin_ || begin >= end) return false;
  begin = std::max(begin, begin_) - begin_;
  end = std::min(end - begin_, size_bytes_);
  return begin < end;
}

std::uint64_t UndefinedBytes::find_state(std::uint64_t begin, std::uint64_t end,
                                         bool undefined) const {
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t page = at / kPageBytes;
    const std::uint8_t state = states_[page].load(std::memory_order_acquire);
    if (state != kMixed) {
      if ((state == kUndefined) == undefined) return at;
      at = (page + 1) * kPageBytes;
      continue;
    }
    const std::uint64_t word = at / kWordBytes, word_end = std::min(end, (word + 1) * kWordBytes);
    const std::uint64_t bits = words_[word].load(std::memory_order_relaxed);
    const std::uint64_t found =
        (undefined ? bits : ~bits) & mask_of(at % kWordBytes, word_end - word * kWordBytes);
    if (found != 0) {
      return word * kWordBytes + static_cast<std::uint64_t>(std::countr_zero(found));
    }
    at = word_end;
  }
  return end;
}

bool UndefinedBytes::find_in_dwords(std::uint64_t first_word,
                                    std::span<const std::uint64_t> dwords) const {
  constexpr std::uint64_t kDwordWords = 4;  // a word of dwords is four of bytes
  for (std::uint64_t i = 0; i < dwords.size(); ++i) {
    if (dwords[i] == 0) continue;
    const std::uint64_t word = kDwordWords * (first_word + i);
    const std::uint8_t state = states_[word / kPageWords].load(std::memory_order_acquire);
    if (state == kUndefined) return true;
    for (std::uint64_t part = 0; state == kMixed && part < kDwordWords; ++part) {
      const std::uint64_t bytes = bytes_of_dwords(dwords[i] >> 16 * part & 0xffff);
      if ((words_[word + part].load(std::memory_order_relaxed) & bytes) != 0) return true;
    }
  }
  return false;
}

std::uint64_t UndefinedBytes::find(std::uint64_t begin, std::uint64_t end) const {
  std::uint64_t first = begin, last = end;
  if (none() || !clip(first, last)) return end;
  const std::uint64_t at = find_state(first, last, true);
  return at == last ? end : begin_ + at;
}

std::uint64_t UndefinedBytes::find_defined(std::uint64_t begin, std::uint64_t end) const {
  std::uint64_t first = begin, last = end;
  if (none() || !clip(first, last) || begin_ + first != begin) return begin;
  return begin_ + find_state(first, last, false);
}

/// Gives a page bits of its own, for holders of the lock.
void UndefinedBytes::open_page(std::uint64_t page) {
  const std::uint8_t state = states_[page].load(std::memory_order_relaxed);
  if (state == kMixed) return;
  const std::uint64_t bits = state == kUndefined ? ~std::uint64_t{0} : 0;
  for (std::uint64_t i = 0; i < kPageWords; ++i) {
    words_[page * kPageWords + i].store(bits, std::memory_order_relaxed);
  }
  if (state == kDefined) undefined_pages_.fetch_add(1, std::memory_order_relaxed);
  states_[page].store(kMixed, std::memory_order_release);
}

void UndefinedBytes::close_if_defined(std::uint64_t page) {
  const std::atomic<std::uint64_t>* const words = words_ + page * kPageWords;
  const auto is_clear = [&](std::uint64_t i) {
    return words[i].load(std::memory_order_relaxed) == 0;
  };
  if (!is_clear(0) || !is_clear(kPageWords - 1)) return;
  const std::lock_guard lock(mutex_);
  if (states_[page].load(std::memory_order_relaxed) != kMixed) return;
  for (std::uint64_t i = 0; i < kPageWords; ++i) {
    if (!is_clear(i)) return;
  }
  states_[page].store(kDefined, std::memory_order_release);
  undefined_pages_.fetch_sub(1, std::memory_order_relaxed);
}

/// Of a range in one page.
void UndefinedBytes::define_in_page(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t page = begin / kPageBytes;
  const std::uint8_t state = states_[page].load(std::memory_order_acquire);
  if (state == kDefined) return;
  if (state == kUndefined || end - begin == kPageBytes) {
    const std::lock_guard lock(mutex_);
    if (end - begin == kPageBytes) {
      if (states_[page].exchange(kDefined) != kDefined) undefined_pages_.fetch_sub(1);
      return;
    }
    open_page(page);
  }
  bool changed = false;
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t word = at / kWordBytes, word_end = std::min(end, (word + 1) * kWordBytes);
    const std::uint64_t mask = mask_of(at % kWordBytes, word_end - word * kWordBytes);
    if ((words_[word].load(std::memory_order_relaxed) & mask) != 0) {
      words_[word].fetch_and(~mask, std::memory_order_relaxed);
      changed = true;
    }
    at = word_end;
  }
  if (changed) close_if_defined(page);
}

void UndefinedBytes::define_some(std::uint64_t begin, std::uint64_t end) {
  if (!clip(begin, end)) return;
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t page_end = std::min(end, (at / kPageBytes + 1) * kPageBytes);
    define_in_page(at, page_end);
    at = page_end;
  }
}

/// Of a range in one page, for holders of the lock.
void UndefinedBytes::undefine_in_page(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t page = begin / kPageBytes;
  if (end - begin == kPageBytes) {
    if (states_[page].exchange(kUndefined) == kDefined) undefined_pages_.fetch_add(1);
    return;
  }
  if (states_[page].load(std::memory_order_relaxed) == kUndefined) return;
  open_page(page);
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t word = at / kWordBytes, word_end = std::min(end, (word + 1) * kWordBytes);
    words_[word].fetch_or(mask_of(at % kWordBytes, word_end - word * kWordBytes));
    at = word_end;
  }
}

/// Forgets parts and tags of a relative range, for holders of the lock.
void UndefinedBytes::forget(std::uint64_t begin, std::uint64_t end) {
  if (partial_.size() < end - begin) {
    std::erase_if(partial_, [&](const auto& one) { return one.first - begin < end - begin; });
  } else {
    for (std::uint64_t at = begin; at < end; ++at) partial_.erase(at);
  }
  const std::uint64_t first = begin / kWordBytes, lines = (end - 1) / kWordBytes - first + 1;
  const auto forget_in = [&](std::uint64_t line, Tag& tag) {
    const std::uint64_t at = line * kWordBytes;
    tag.bytes &= ~mask_of(std::max(begin, at) - at, std::min(end, at + kWordBytes) - at);
    return tag.bytes == 0;
  };
  if (tags_.size() < lines) {
    for (auto tag = tags_.begin(); tag != tags_.end();) {
      const bool gone = tag->first - first < lines && forget_in(tag->first, tag->second);
      tag = gone ? tags_.erase(tag) : std::next(tag);
    }
    return;
  }
  for (std::uint64_t line = first; line < first + lines; ++line) {
    const auto tag = tags_.find(line);
    if (tag != tags_.end() && forget_in(line, tag->second)) tags_.erase(tag);
  }
}

void UndefinedBytes::undefine(std::uint64_t begin, std::uint64_t end) {
  if (!clip(begin, end)) return;
  const std::lock_guard lock(mutex_);
  forget(begin, end);
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t page_end = std::min(end, (at / kPageBytes + 1) * kPageBytes);
    undefine_in_page(at, page_end);
    at = page_end;
  }
}

void UndefinedBytes::read(std::uint64_t begin, std::span<std::uint8_t> bits) const {
  std::ranges::fill(bits, std::uint8_t{0});
  const std::uint64_t end = begin + bits.size();
  std::uint64_t first = find(begin, end);
  if (first == end) return;
  const std::lock_guard lock(mutex_);
  while (first < end) {
    const auto part = partial_.find(first - begin_);
    bits[first - begin] = part == partial_.end() ? kWholeByte : part->second;
    first = find(first + 1, end);
  }
}

void UndefinedBytes::write(std::uint64_t begin, std::span<const std::uint8_t> bits,
                           std::uint32_t tag) {
  const std::uint64_t size = bits.size();
  std::uint64_t first = begin, last = begin + size;
  if (!clip(first, last) || last - first != size) return;
  define(begin, begin + size);
  const std::lock_guard lock(mutex_);
  for (std::uint64_t i = 0; i < size; ++i) {
    if (bits[i] == 0) continue;
    undefine_in_page(first + i, first + i + 1);
    if (bits[i] == kWholeByte)
      partial_.erase(first + i);
    else
      partial_[first + i] = bits[i];
    Tag& known = tags_[(first + i) / kWordBytes];
    if (known.number != tag) known = {tag, 0};
    known.bytes |= std::uint64_t{1} << ((first + i) % kWordBytes);
  }
}

void UndefinedBytes::copy(std::uint64_t target, std::uint64_t source, std::uint64_t bytes) {
  if (none()) return;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t from = source + done;
    const std::uint64_t undefined = find(from, source + bytes);
    if (undefined != from) {
      define(target + done, target + (undefined - source));
      done = undefined - source;
      continue;
    }
    done += copy_undefined(target + done, from, bytes - done);
  }
}

/// Copies what begins with an undefined byte: as much of it as has one tag, or none; its length.
std::uint64_t UndefinedBytes::copy_undefined(std::uint64_t target, std::uint64_t source,
                                             std::uint64_t bytes) {
  const std::uint64_t page_end = (source / kPageBytes + 1) * kPageBytes;
  const std::uint64_t in_page = std::min(bytes, page_end - source);
  if (states_[(source - begin_) / kPageBytes].load() == kUndefined && !has_tags()) {
    undefine(target, target + in_page);
    return in_page;
  }
  const std::uint64_t line_end = begin_ + ((source - begin_) / kWordBytes + 1) * kWordBytes;
  const auto tag = tag_at(source);
  std::uint64_t in_line = 1;
  while (in_line < std::min(bytes, line_end - source) && tag_at(source + in_line) == tag) ++in_line;
  std::array<std::uint8_t, kWordBytes> bits;
  const std::span<std::uint8_t> some = std::span(bits).first(in_line);
  read(source, some);
  if (tag) {
    write(target, some, *tag);
  } else {
    define(target, target + in_line);
    for (std::uint64_t i = 0; i < in_line; ++i) {
      if (some[i] != 0) undefine(target + i, target + i + 1);
    }
  }
  return in_line;
}

bool UndefinedBytes::has_tags() const {
  const std::lock_guard lock(mutex_);
  return !tags_.empty();
}

bool UndefinedBytes::has_tag_in_line(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  return tags_.contains((address - begin_) / kWordBytes);
}

std::optional<std::uint32_t> UndefinedBytes::tag_at(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto found = tags_.find((address - begin_) / kWordBytes);
  if (found == tags_.end()) return std::nullopt;
  const bool is_its = (found->second.bytes >> ((address - begin_) % kWordBytes) & 1) != 0;
  return is_its ? std::optional(found->second.number) : std::nullopt;
}

}  // namespace wavetank::check
