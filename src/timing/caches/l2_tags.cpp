#include "timing/caches/l2_tags.hpp"

#include <utility>

namespace wavetank::timing {

L2Tags::L2Tags(const TimingSpec& spec, const AddressMap& map, const HostLink& host)
    : spec_(spec),
      map_(map),
      host_(host),
      tags_(spec.l2.bytes / spec.l2.channels / spec.l2.line_bytes, spec.l2.ways) {}

void L2Tags::start_launch() {
  tags_.start_launch();
  coming_.clear();
}

void L2Tags::invalidate() {
  tags_.invalidate();
  dirty_lines_ = 0;
}

void L2Tags::take(L2Tags&& other) {
  if (tags_.take(std::move(other.tags_))) dirty_lines_ = other.dirty_lines_;
}

void L2Tags::forget(std::uint64_t address) {
  CacheLine* const line = tags_.find(map_.l2_set(address), map_.line(address));
  if (line != nullptr) line->valid = 0;
}

void L2Tags::settle(std::span<const L2Lookup> window) {
  for (CacheLine* line : coming_) {
    if (!line->ready.known()) line->ready = window[line->ready.request()].ready;
  }
  coming_.clear();
}

std::vector<L2Tags::Dirty> L2Tags::clean() {
  std::vector<Dirty> all;
  if (is_clean()) return all;
  all.reserve(dirty_lines_);
  tags_.for_each([&](CacheLine& line) {
    if (line.dirty == 0) return;
    all.push_back({line.tag, line.dirty});
    line.dirty = 0;
  });
  dirty_lines_ = 0;
  return all;
}

CacheLine& L2Tags::line_for(LinePlace at, L2Lookup& found) {
  CacheLine* const line = tags_.find(at.set, at.line);
  found.found = line != nullptr;
  if (line != nullptr) return *line;
  CacheLine evicted;
  CacheLine& place = tags_.replace(at.set, at.line, evicted);
  found.evicted = evicted.tag != CacheLine::kNone;
  if (found.evicted) {
    found.victim = evicted.tag;
    found.victim_dirty = evicted.dirty;
    if (evicted.dirty != 0) --dirty_lines_;
  }
  return place;
}

void L2Tags::fill(CacheLine& line, std::uint64_t address, unsigned bytes, Fill what,
                  L2Lookup& found) {
  constexpr unsigned kBoth = 3;
  const unsigned wanted = bytes > kHalfLineBytes ? kBoth : 1u << (address / kHalfLineBytes % 2);
  found.hit = (wanted & ~line.valid) == 0;
  if (found.hit) return;
  const unsigned brought = what == Fill::kWholeLine ? kBoth : wanted;
  found.missing = static_cast<std::uint8_t>(brought & ~line.valid);
  if (keeps(address)) line.valid |= found.missing;
}

void L2Tags::mark_dirty(CacheLine& line, std::uint8_t sectors) {
  if (line.dirty == 0) ++dirty_lines_;
  line.dirty |= sectors;
}

L2Lookup L2Tags::look_up(const MemoryRequest& request, LinePlace place, std::uint32_t number) {
  using Kind = MemoryRequest::Kind;
  const std::uint64_t address = request.address;
  const std::uint64_t sector = address / kSectorBytes % 4;
  L2Lookup found;
  if (request.kind == Kind::kAtomic && spec_.atomic.at_memory) return found;
  CacheLine& line = line_for(place, found);
  found.ready = line.ready;
  switch (request.kind) {
    case Kind::kRead: fill(line, address, request.amount, Fill::kWholeLine, found); break;
    case Kind::kSmallRead: fill(line, address, request.amount, Fill::kAskedFor, found); break;
    case Kind::kWrite:
      found.hit = found.found;
      mark_dirty(line, static_cast<std::uint8_t>(request.amount << sector));
      for (unsigned half = 0; half < 2; ++half) {
        if (((line.dirty >> (2 * half)) & 3) == 3)
          line.valid |= static_cast<std::uint8_t>(1u << half);
      }
      break;
    case Kind::kAtomic:
      fill(line, address, kHalfLineBytes, Fill::kWholeLine, found);
      mark_dirty(line, static_cast<std::uint8_t>(1u << sector));
      break;
    case Kind::kWriteBack: break;
  }
  const bool may_stream = request.kind == Kind::kRead || request.kind == Kind::kWrite;
  if (may_stream && request.scope.streaming) tags_.let_go(line);
  if (!found.hit) {
    line.ready = Due::with(number);
    coming_.push_back(&line);
  }
  return found;
}

}  // namespace wavetank::timing
