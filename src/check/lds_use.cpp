#include "check/lds_use.hpp"

namespace wavetank::check {

void LdsUse::pass_barrier() {
  if (begin_ < end_) {
    for (unsigned i = 0; i < kSorts * (waves_ + 2); ++i) {
      const bool is_own = i < kSorts * waves_;
      if (is_own && (used_[i / kSorts] >> i % kSorts & 1) == 0) continue;
      std::fill(&maps_[i * words_ + begin_], &maps_[i * words_] + end_, 0);
    }
  }
  used_.fill(0);
  begin_ = ~std::size_t{0};
  end_ = 0;
}

bool LdsUse::meets(AccessKind kind, unsigned wave, const DwordBits& dwords) {
  const Sort sort = sort_of(kind);
  std::uint64_t met = 0;
  for (std::size_t i = 0; i < dwords.bits.size(); ++i) {
    const std::uint64_t bits = dwords.bits[i];
    const std::size_t word = dwords.first + i;
    const auto of_others = [&](Sort other) {
      return several(other)[word] | (any(other)[word] & ~own(other, wave)[word]);
    };
    std::uint64_t others = of_others(kWrite);
    if (sort != kAtomic) others |= of_others(kAtomic);
    if (sort != kRead) others |= of_others(kRead);
    met |= bits & others;
    several(sort)[word] |= bits & any(sort)[word] & ~own(sort, wave)[word];
    any(sort)[word] |= bits;
    own(sort, wave)[word] |= bits;
  }
  used_[wave] |= static_cast<std::uint8_t>(1u << sort);
  begin_ = std::min(begin_, dwords.first);
  end_ = std::max(end_, dwords.first + dwords.bits.size());
  return met != 0;
}

bool LdsUse::covers(AccessKind kind, unsigned wave, const DwordBits& dwords) const {
  const std::uint64_t* const mine = own(sort_of(kind), wave);
  for (std::size_t i = 0; i < dwords.bits.size(); ++i) {
    if ((dwords.bits[i] & ~mine[dwords.first + i]) != 0) return false;
  }
  return true;
}

}  // namespace wavetank::check
