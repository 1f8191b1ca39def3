// Loads and stores of lanes that lie anywhere.
#include "execute/jit/avx512_moves.hpp"

namespace wavetank::execute::jit {
/// k1 = the lanes to move: all, or the upper eight as the lower. They cannot be of k0.
void Avx512Moves::choose_lanes(StripCode& strip, bool upper) {
  if (!strip.masked())
    code_.kxnorw(kChosen, kChosen, kChosen);
  else if (upper)
    code_.kshiftrw(kChosen, kExec, 8);
  else
    code_.kmovw(kChosen, kExec);
}

/// Places of the lanes in the arena, in two registers of eight; leaves the strip where an active
/// one is not inside.
void Avx512Moves::emit_places(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  if (a.high) {
    c.vmovdqa32(a.lower, c.ptr[c.lanes(LaneOrder::kJoinLower)]);
    c.vmovdqa32(a.upper, c.ptr[c.lanes(LaneOrder::kJoinUpper)]);
    c.vpermi2d(a.lower, a.low, *a.high);
    c.vpermi2d(a.upper, a.low, *a.high);
  } else {
    c.vpmovzxdq(a.lower, ymm(a.low));
    c.vextracti64x4(ymm(kScratch), zmm(a.low), 1);
    c.vpmovzxdq(a.upper, ymm(kScratch));
  }
  c.mov(c.rax, c.rbx);
  add_shared(a);
  c.vpbroadcastq(kScratch, c.rax);
  c.vpaddq(a.lower, a.lower, kScratch);
  c.vpaddq(a.upper, a.upper, kScratch);
  c.lea(c.rax, c.ptr[c.rbp + (static_cast<int>(kLineBytes) - reach_of_lane(a))]);
  c.vpbroadcastq(kScratch, c.rax);
  c.kmovw(c.r12d, kChosen);
  choose_lanes(strip, true);
  c.vpcmpuq(kChosen | kChosen, a.upper, kScratch, kAbove);
  c.vpcmpuq(strip.masked() ? kFound | kExec : kFound, a.lower, kScratch, kAbove);
  c.korw(kFound, kFound, kChosen);
  c.kmovw(kChosen, c.r12d);
  c.kortestw(kFound, kFound);
  c.jne(strip.exit(), HostCode::T_NEAR);
  c.mov(c.rax, c.rbx);
  c.neg(c.rax);
}

void Avx512Moves::leave_above(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  c.vpbroadcastd(kScratch, c.r12d);
  c.vpcmpud(strip.masked() ? kFound | kExec : kFound, a.low, kScratch, kAbove);
  c.kortestw(kFound, kFound);
  c.jne(strip.exit(), HostCode::T_NEAR);
}

/// Leaves the strip where an active lane is not inside of LDS.
void Avx512Moves::emit_lds_places(StripCode& strip, const Access& a) {
  emit_greatest_place(strip, a);
  leave_above(strip, a);
}

void Avx512Moves::load_anywhere(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  const bool lds = a.move.space == MoveSpace::kLds;
  lds ? emit_lds_places(strip, a) : emit_places(strip, a);
  const unsigned words = a.move.words();
  if (words > 2) return lds ? load_lds_pieces(strip, a) : load_global_pieces(strip, a);
  c.kmovw(c.r12d, kChosen);
  for (unsigned element = 0; element < a.move.elements; ++element) {
    const Vector* const to = &a.words[element * words];
    lds ? gather_lds(strip, a, to, offset_of(a, element))
        : gather(strip, a, to, offset_of(a, element));
    if (words == 2) {
      c.vmovdqa32(kScratch, to[0]);
      c.vmovdqa32(a.spare, to[1]);
      words_of_pairs(to[0], to[1], a.spare);
    }
    if (a.move.bytes >= 4) continue;
    const std::uint64_t mask = a.move.bytes == 2 ? 0x0000ffff0000ffff : 0x000000ff000000ff;
    c.vpandd(to[0], to[0], c.ptr_b[c.constant(mask)]);
  }
  c.kmovw(kChosen, c.r12d);
}

/// Words of the lanes, or the pairs of eight and eight.
void Avx512Moves::gather(StripCode& strip, const Access& a, const Vector* to, int offset) {
  HostCode& c = code_;
  const auto lower = c.ptr[c.rax + a.lower + offset], upper = c.ptr[c.rax + a.upper + offset];
  choose_lanes(strip, false);
  if (a.move.words() == 2) {
    c.vpgatherqq(to[0] | kChosen, lower);
    choose_lanes(strip, true);
    return c.vpgatherqq(to[1] | kChosen, upper);
  }
  c.vpgatherqd(ymm(to[0]) | kChosen, lower);
  choose_lanes(strip, true);
  c.vpgatherqd(ymm(kScratch) | kChosen, upper);
  c.vinserti64x4(zmm(to[0]), zmm(to[0]), ymm(kScratch), 1);
}

void Avx512Moves::gather_lds(StripCode& strip, const Access& a, const Vector* to, int offset) {
  HostCode& c = code_;
  choose_lanes(strip, false);
  if (a.move.words() == 1) return c.vpgatherdd(to[0] | kChosen, c.ptr[c.r13 + a.low + offset]);
  c.vpgatherdq(to[0] | kChosen, c.ptr[c.r13 + ymm(a.low) + offset]);
  c.vextracti64x4(ymm(kScratch), zmm(a.low), 1);
  choose_lanes(strip, true);
  c.vpgatherdq(to[1] | kChosen, c.ptr[c.r13 + ymm(kScratch) + offset]);
}

/// Inactive lanes load the vector registers, which are there.
void Avx512Moves::load_global_pieces(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  if (strip.masked()) {
    c.lea(c.r12, c.ptr[c.rdx + c.rbx]);
    c.vpbroadcastq(kScratch, c.r12);
    c.vmovdqa64(a.spare, kScratch);
    c.vmovdqa64(kScratch | kExec, a.lower);
    c.kmovw(c.r12d, kChosen);
    choose_lanes(strip, true);
    c.vmovdqa64(a.spare | kChosen, a.upper);
    c.kmovw(kChosen, c.r12d);
  }
  const bool masked = strip.masked();
  load_pieces(a, keep_places(masked ? kScratch : a.lower, masked ? a.spare : a.upper));
}

/// Places are read one by one below the stack pointer, where signals leave 128 bytes alone.
Avx512Moves::PlaceOf Avx512Moves::keep_places(Vector lower, Vector upper) {
  HostCode& c = code_;
  c.vmovdqu64(c.ptr[c.rsp - 128], lower);
  c.vmovdqu64(c.ptr[c.rsp - 64], upper);
  return [&c](unsigned lane) {
    c.mov(c.r12, c.ptr[c.rsp - 128 + 8 * static_cast<int>(lane)]);
    return c.rax + c.r12;
  };
}
Avx512Moves::PlaceOf Avx512Moves::keep_lds_places(const Access& a, Vector places) {
  HostCode& c = code_;
  c.vmovdqu32(c.ptr[c.rsp - 64], places);
  return [&c, offset = offset_of(a, 0)](unsigned lane) {
    c.mov(c.r12d, c.ptr[c.rsp - 64 + 4 * static_cast<int>(lane)]);
    return c.r13 + c.r12 + offset;
  };
}

/// Inactive lanes load LDS's first bytes.
void Avx512Moves::load_lds_pieces(StripCode& strip, const Access& a) {
  if (strip.masked()) code_.vmovdqa32(a.spare | kExec | code_.T_z, a.low);
  load_pieces(a, keep_lds_places(a, strip.masked() ? a.spare : a.low));
}

/// The last of lanes that share bytes comes last.
void Avx512Moves::store_anywhere(StripCode& strip, const Access& a) {
  const bool lds = a.move.space == MoveSpace::kLds;
  lds ? emit_lds_places(strip, a) : emit_places(strip, a);
  if (a.move.bytes < 4 || a.move.bytes > 8) return store_lanes(strip, a);
  code_.kmovw(code_.r12d, kChosen);
  for (unsigned element = 0; element < a.move.elements; ++element) {
    const Vector* const words = &a.words[element * a.move.words()];
    lds ? scatter_lds(strip, a, words) : scatter(strip, a, words, offset_of(a, element));
  }
  code_.kmovw(kChosen, code_.r12d);
}

/// Words of each lane, or pairs.
void Avx512Moves::scatter(StripCode& strip, const Access& a, const Vector* words, int offset) {
  HostCode& c = code_;
  const auto lower = c.ptr[c.rax + a.lower + offset], upper = c.ptr[c.rax + a.upper + offset];
  choose_lanes(strip, false);
  if (a.move.words() == 2) {
    join_pairs(words, LaneOrder::kJoinLower);
    c.vpscatterqq(lower | kChosen, kScratch);
    choose_lanes(strip, true);
    join_pairs(words, LaneOrder::kJoinUpper);
    return c.vpscatterqq(upper | kChosen, kScratch);
  }
  c.vpscatterqd(lower | kChosen, ymm(words[0]));
  choose_lanes(strip, true);
  c.vextracti64x4(ymm(kScratch), zmm(words[0]), 1);
  c.vpscatterqd(upper | kChosen, ymm(kScratch));
}

void Avx512Moves::scatter_lds(StripCode& strip, const Access& a, const Vector* words) {
  HostCode& c = code_;
  const int offset = offset_of(a, 0);
  choose_lanes(strip, false);
  if (a.move.words() == 1) return c.vpscatterdd(c.ptr[c.r13 + a.low + offset] | kChosen, words[0]);
  join_pairs(words, LaneOrder::kJoinLower);
  c.vpscatterdq(c.ptr[c.r13 + ymm(a.low) + offset] | kChosen, kScratch);
  choose_lanes(strip, true);
  c.vextracti64x4(ymm(a.upper), zmm(a.low), 1);
  join_pairs(words, LaneOrder::kJoinUpper);
  c.vpscatterdq(c.ptr[c.r13 + ymm(a.upper) + offset] | kChosen, kScratch);
}

/// Bytes, halves and rows of four words, one lane after the other.
void Avx512Moves::store_lanes(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  const PlaceOf place_of =
      a.move.space == MoveSpace::kLds ? keep_lds_places(a, a.low) : keep_places(a.lower, a.upper);
  constexpr unsigned kLanes = 16;
  if (a.move.bytes == 1) {
    c.vpmovdb(xmm(kScratch), a.words[0]);
    return for_active(strip, 0, kLanes, [&](unsigned lane) {
      c.vpextrb(c.ptr[place_of(lane)], xmm(kScratch), static_cast<std::uint8_t>(lane));
    });
  }
  if (a.move.bytes == 2) {
    c.vpmovdw(ymm(kScratch), a.words[0]);
    c.vextracti32x4(xmm(a.spare), ymm(kScratch), 1);
    return for_active(strip, 0, kLanes, [&](unsigned lane) {
      const auto part = lane < kLanes / 2 ? xmm(kScratch) : xmm(a.spare);
      c.vpextrw(c.ptr[place_of(lane)], part, static_cast<std::uint8_t>(lane % (kLanes / 2)));
    });
  }
  const Rows rows = columns_to_rows(a, kScratch);
  for_active(strip, 0, kLanes, [&](unsigned lane) {
    const Vector row = rows[lane % 4];
    const auto place = c.ptr[place_of(lane)];
    if (lane < 4) return c.vmovdqu32(place, xmm(row));
    c.vextracti32x4(place, zmm(row), static_cast<std::uint8_t>(lane / 4));
  });
}

}  // namespace wavetank::execute::jit
