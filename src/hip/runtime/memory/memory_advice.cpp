#include "hip/runtime/memory/memory_advice.hpp"

#include <algorithm>
#include <iterator>

namespace wavetank::hip {
namespace {

void apply(PageAdvice& page, Advice advice, int device) {
  switch (advice) {
    case Advice::kSetReadMostly: page.read_mostly = true; break;
    case Advice::kUnsetReadMostly: page.read_mostly = false; break;
    case Advice::kSetPreferredLocation: page.preferred_location = device; break;
    case Advice::kUnsetPreferredLocation: page.preferred_location = kInvalidDeviceId; break;
    case Advice::kSetAccessedBy: page.accessed_by.insert(device); break;
    case Advice::kUnsetAccessedBy: page.accessed_by.erase(device); break;
    case Advice::kSetCoarseGrain: page.coherency = Coherency::kCoarseGrain; break;
    case Advice::kUnsetCoarseGrain: page.coherency = Coherency::kFineGrain; break;
  }
}

/// Leaves in `common` what it shares with a page.
void keep_common(PageAdvice& common, const PageAdvice& page) {
  common.read_mostly = common.read_mostly && page.read_mostly;
  if (common.preferred_location != page.preferred_location) {
    common.preferred_location = kInvalidDeviceId;
  }
  if (common.last_prefetch_location != page.last_prefetch_location) {
    common.last_prefetch_location = kInvalidDeviceId;
  }
  std::erase_if(common.accessed_by, [&](int device) { return !page.accessed_by.contains(device); });
  if (common.coherency != page.coherency) common.coherency = Coherency::kIndeterminate;
}

}  // namespace

MemoryAdvice& MemoryAdvice::instance() {
  static auto* advice = new MemoryAdvice;
  return *advice;
}

MemoryAdvice::Pages MemoryAdvice::pages_of(const void* address, std::size_t size_bytes) {
  constexpr std::uint64_t kPageBytes = 4096;
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t end = begin + std::max<std::size_t>(size_bytes, 1);
  return {begin / kPageBytes * kPageBytes, (end + kPageBytes - 1) / kPageBytes * kPageBytes};
}

/// The span that begins at an address, after the one around it was cut there.
MemoryAdvice::Spans::iterator MemoryAdvice::split_at(std::uint64_t address) {
  const auto next = spans_.upper_bound(address);
  const auto around = std::prev(next);
  if (around->first == address) return around;
  return spans_.emplace_hint(next, address, around->second);
}

template <class Change>
void MemoryAdvice::change(const void* address, std::size_t size_bytes, Change change_page) {
  const auto [begin, end] = pages_of(address, size_bytes);
  const std::lock_guard lock(mutex_);
  const auto last = split_at(end);
  const auto first = split_at(begin);
  for (auto span = first; span != last; ++span) change_page(span->second);
  // Neighbours that have become alike are one span.
  const auto behind = std::next(last);
  for (auto span = first; span != behind;) {
    const bool alike = span != spans_.begin() && std::prev(span)->second == span->second;
    span = alike ? spans_.erase(span) : std::next(span);
  }
}

void MemoryAdvice::advise(const void* address, std::size_t size_bytes, Advice advice, int device) {
  change(address, size_bytes, [&](PageAdvice& page) { apply(page, advice, device); });
}

void MemoryAdvice::prefetch(const void* address, std::size_t size_bytes, int device) {
  change(address, size_bytes, [&](PageAdvice& page) { page.last_prefetch_location = device; });
}

void MemoryAdvice::forget(const void* address, std::size_t size_bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (spans_.size() == 1) return;
  }
  change(address, size_bytes, [](PageAdvice& page) { page = {}; });
}

PageAdvice MemoryAdvice::common(const void* address, std::size_t size_bytes) const {
  const auto [begin, end] = pages_of(address, size_bytes);
  const std::lock_guard lock(mutex_);
  auto span = std::prev(spans_.upper_bound(begin));
  PageAdvice common = span->second;
  for (++span; span != spans_.end() && span->first < end; ++span) keep_common(common, span->second);
  return common;
}

}  // namespace wavetank::hip
