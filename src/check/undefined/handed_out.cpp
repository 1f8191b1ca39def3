#include "check/undefined/handed_out.hpp"

#include <algorithm>

namespace wavetank::check {
namespace {

/// Longer than the padding of any structure that is aligned to a cache line.
constexpr std::uint64_t kLongBytes = 64;

std::optional<HandedOut> find_in_range(const UndefinedMemory& memory, const ByteRange& range) {
  std::uint64_t whole_bytes = 0;  // in one stretch up to `last`, stored by lanes that had no other
  std::uint64_t last = range.begin;
  for (std::uint64_t at = memory.bytes.find(range.begin, range.end); at < range.end;
       at = memory.bytes.find(at + 1, range.end)) {
    const auto number = memory.bytes.tag_at(at);
    if (!number) continue;
    const UndefinedStore store = memory.stores.at(*number);
    if (!store.is_whole) continue;
    if (store.origin.computed) return HandedOut{at, false, number};
    whole_bytes = last + 1 == at ? whole_bytes + 1 : 1;
    last = at;
    if (whole_bytes >= kLongBytes) return HandedOut{at + 1 - kLongBytes, false, number};
  }
  return std::nullopt;
}

}  // namespace

std::optional<HandedOut> find_handed_out(const UndefinedMemory& memory,
                                         std::span<const ByteRange> copied) {
  if (memory.bytes.none() || copied.empty()) return std::nullopt;
  const bool is_all = std::ranges::all_of(copied, [&](const ByteRange& range) {
    return memory.bytes.find_defined(range.begin, range.end) == range.end;
  });
  if (is_all) {
    const std::uint64_t first = copied.front().begin;
    return HandedOut{first, true, memory.bytes.tag_at(first)};
  }
  for (const ByteRange& range : copied) {
    if (auto found = find_in_range(memory, range)) return found;
  }
  return std::nullopt;
}

}  // namespace wavetank::check
