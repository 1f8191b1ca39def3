#include "execute/jit/avx2_moves.hpp"

#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

using Xbyak::RegExp, Xbyak::Xmm, Xbyak::Ymm;

constexpr unsigned kLanes = 8, kHalf = 4;
/// Shuffles of two registers with pairs of words: their first words and their second ones; and of
/// pairs, the middle two exchanged.
constexpr std::uint8_t kFirstWords = 0x88, kSecondWords = 0xdd, kMiddleExchanged = 0xd8;

const Ymm kScratch(Avx2Strip::kVectors), kInactive(Avx2Strip::kInactive);
Xmm xmm(Vector value) { return Xmm(value.getIdx()); }
Ymm ymm(Vector value) { return Ymm(value.getIdx()); }

/// Where a lane's place is among those of two registers of doubles, in order.
int slot_of(unsigned lane) {
  const unsigned within = (lane & 1) | (lane >> 2) << 1;
  return static_cast<int>(8 * within + ((lane & 2) != 0 ? 32 : 0));
}

}  // namespace

// ---- where lanes lie

void Avx2Moves::emit_any_active(Label& none) {
  code_.vmovmskps(code_.r12d, kInactive);
  code_.cmp(code_.r12d, Avx2Strip::kAllLanes);
  code_.je(none, HostCode::T_NEAR);
}

void Avx2Moves::emit_first_active(StripCode&) {
  code_.vmovmskps(code_.r12d, kInactive);
  code_.xor_(code_.r12d, Avx2Strip::kAllLanes);
  code_.tzcnt(code_.r12d, code_.r12d);
}

void Avx2Moves::emit_first(StripCode& strip, Vector words, Vector spare, const Xbyak::Reg32& to) {
  if (!strip.masked()) return code_.vmovd(to, xmm(words));
  emit_first_active(strip);
  code_.vmovd(xmm(kScratch), code_.r12d);
  code_.vpermd(ymm(spare), kScratch, words);
  code_.vmovd(to, xmm(spare));
}

void Avx2Moves::broadcast(Vector to, const Xbyak::Reg32& from) {
  code_.vmovd(xmm(to), from);
  code_.vpbroadcastd(to, xmm(to));
}
void Avx2Moves::broadcast_pair(Vector to, const Xbyak::Reg64& from) {
  code_.vmovq(xmm(to), from);
  code_.vpbroadcastq(to, xmm(to));
}

void Avx2Moves::emit_equal(StripCode& strip, Vector lanes, Vector expected, Label& otherwise) {
  code_.vpxor(kScratch, lanes, expected);
  if (strip.masked()) code_.vpandn(kScratch, kInactive, kScratch);
  code_.vptest(kScratch, kScratch);
  code_.jne(otherwise, HostCode::T_NEAR);
}

/// Keeps the lanes' places in the arena, of inactive ones those of the vector registers, which are
/// there; leaves the strip where an active one is not inside.
Avx2Moves::PlaceOf Avx2Moves::emit_places(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  if (!a.high) c.vpxor(a.spare, a.spare, a.spare);
  c.vpunpckldq(a.lower, a.low, a.high.value_or(a.spare));
  c.vpunpckhdq(a.upper, a.low, a.high.value_or(a.spare));
  c.mov(c.rax, c.rbx);
  add_shared(a);
  broadcast_pair(kScratch, c.rax);
  c.vpaddq(a.lower, a.lower, kScratch);
  c.vpaddq(a.upper, a.upper, kScratch);
  leave_outside(strip, a);
  if (strip.masked()) {
    c.lea(c.r12, c.ptr[c.rdx + c.rbx]);
    broadcast_pair(kScratch, c.r12);
    c.vpunpckldq(a.spare, kInactive, kInactive);
    c.vblendvpd(a.lower, a.lower, kScratch, a.spare);
    c.vpunpckhdq(a.spare, kInactive, kInactive);
    c.vblendvpd(a.upper, a.upper, kScratch, a.spare);
  }
  c.vmovdqu(c.ptr[c.rsp - 128], a.lower);
  c.vmovdqu(c.ptr[c.rsp - 96], a.upper);
  c.mov(c.rax, c.rbx);
  c.neg(c.rax);
  return [&c](unsigned lane) {
    c.mov(c.r12, c.ptr[c.rsp - 128 + slot_of(lane)]);
    return c.rax + c.r12;
  };
}

/// Places are unsigned: those with a sign are too large, too.
void Avx2Moves::leave_outside(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  c.lea(c.rax, c.ptr[c.rbp + (static_cast<int>(kLineBytes) - reach_of_lane(a))]);
  broadcast_pair(kScratch, c.rax);
  c.vpcmpgtq(a.spare, a.lower, kScratch);
  c.vpor(a.spare, a.spare, a.lower);
  c.vpcmpgtq(kScratch, a.upper, kScratch);
  c.vpor(kScratch, kScratch, a.upper);
  c.vshufps(a.spare, a.spare, kScratch, kSecondWords);
  if (strip.masked()) c.vpandn(a.spare, kInactive, a.spare);
  c.vmovmskps(c.r12d, a.spare);
  c.test(c.r12d, c.r12d);
  c.jne(strip.exit(), HostCode::T_NEAR);
}

void Avx2Moves::leave_above(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  broadcast(kScratch, c.r12d);
  c.vpminud(a.spare, a.low, kScratch);
  c.vpcmpeqd(a.spare, a.spare, a.low);
  if (strip.masked()) c.vpor(a.spare, a.spare, kInactive);
  c.vmovmskps(c.r12d, a.spare);
  c.cmp(c.r12d, Avx2Strip::kAllLanes);
  c.jne(strip.exit(), HostCode::T_NEAR);
}

/// The same of LDS; inactive lanes are at its beginning.
Avx2Moves::PlaceOf Avx2Moves::emit_lds_places(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  emit_greatest_place(strip, a);
  leave_above(strip, a);
  if (strip.masked()) c.vpandn(a.spare, kInactive, a.low);
  c.vmovdqu(c.ptr[c.rsp - 32], strip.masked() ? a.spare : a.low);
  return [&c](unsigned lane) {
    c.mov(c.r12d, c.ptr[c.rsp - 32 + 4 * static_cast<int>(lane)]);
    return c.r13 + c.r12;
  };
}

// ---- loads

void Avx2Moves::load_side_by_side(StripCode&, const Access& a) {
  HostCode& c = code_;
  const unsigned words = a.move.words();
  for (unsigned element = 0; element < a.move.elements; ++element) {
    const RegExp from = c.rax + offset_of(a, element);
    const Vector* const to = &a.words[element * words];
    if (words > 2) {
      load_pieces(a, [&](unsigned lane) { return from + lane * a.move.bytes; });
    } else if (words == 2) {
      c.vmovdqu(kScratch, c.ptr[from]);
      c.vshufps(to[0], kScratch, c.ptr[from + 32], kFirstWords);
      c.vshufps(to[1], kScratch, c.ptr[from + 32], kSecondWords);
      for (const unsigned i : {0u, 1u}) c.vpermq(ymm(to[i]), ymm(to[i]), kMiddleExchanged);
    } else if (a.move.bytes == 4) {
      c.vmovdqu(to[0], c.ptr[from]);
    } else {
      a.move.bytes == 2 ? c.vpmovzxwd(to[0], c.ptr[from]) : c.vpmovzxbd(to[0], c.ptr[from]);
    }
  }
}

void Avx2Moves::load_anywhere(StripCode& strip, const Access& a) {
  const bool lds = a.move.space == MoveSpace::kLds;
  const PlaceOf begin_of = lds ? emit_lds_places(strip, a) : emit_places(strip, a);
  const unsigned words = a.move.words();
  for (unsigned element = 0; element < a.move.elements; ++element) {
    const Vector* const to = &a.words[element * words];
    const PlaceOf place_of = [&](unsigned lane) { return begin_of(lane) + offset_of(a, element); };
    if (words > 2) {
      load_pieces(a, place_of);
    } else if (words == 2) {
      load_pairs(to[0], to[1], place_of);
    } else {
      load_words(to[0], place_of);
    }
    if (a.move.bytes >= 4) continue;
    const std::uint64_t mask = a.move.bytes == 2 ? 0x0000ffff0000ffff : 0x000000ff000000ff;
    code_.vpand(to[0], to[0], code_.ptr[code_.whole(mask)]);
  }
}

void Avx2Moves::load_words(Vector to, const PlaceOf& place_of) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Xmm part = lane < kHalf ? xmm(to) : xmm(kScratch);
    const auto from = code_.ptr[place_of(lane)];
    if (lane % kHalf == 0)
      code_.vmovd(part, from);
    else
      code_.vpinsrd(part, part, from, static_cast<std::uint8_t>(lane % kHalf));
  }
  code_.vinserti128(ymm(to), ymm(to), xmm(kScratch), 1);
}

/// Two words of each lane: first those of lanes 0, 1, 4 and 5, and of the others.
void Avx2Moves::load_pairs(Vector low, Vector high, const PlaceOf& place_of) {
  for (const unsigned first : {0u, 2u}) {
    const Vector to = first == 0 ? low : high;
    for (const unsigned lane : {first, first + kHalf}) {
      const Xmm part = lane < kHalf ? xmm(to) : xmm(kScratch);
      code_.vmovq(part, code_.ptr[place_of(lane)]);
      code_.vpinsrq(part, part, code_.ptr[place_of(lane + 1)], 1);
    }
    code_.vinserti128(ymm(to), ymm(to), xmm(kScratch), 1);
  }
  code_.vshufps(kScratch, low, high, kSecondWords);
  code_.vshufps(low, low, high, kFirstWords);
  code_.vmovdqa(high, kScratch);
}

/// 16 bytes of each lane, which become the first words of lanes, the second and so on.
void Avx2Moves::load_pieces(const Access& a, const PlaceOf& place_of) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Vector piece = a.words[lane % kHalf];
    const auto from = code_.ptr[place_of(lane)];
    if (lane < kHalf)
      code_.vmovdqu(xmm(piece), from);
    else
      code_.vinserti128(ymm(piece), ymm(piece), from, 1);
  }
  words_to_columns(a, kScratch);
}

// ---- stores

void Avx2Moves::store_side_by_side(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  const RegExp to = c.rax + offset_of(a, 0);
  const PlaceOf place_of = [&](unsigned lane) { return to + lane * a.move.bytes; };
  if (a.move.bytes == 8) return store_pairs(strip, a, place_of, true);
  if (a.move.bytes > 8) return store_rows(strip, a, place_of);
  if (a.move.bytes == 4) return store_words(strip, a);
  if (!strip.masked()) return store_parts(a, to);
  store_small(strip, a, place_of);
}

/// The lower bytes or halves of active lanes' words.
void Avx2Moves::store_small(StripCode& strip, const Access& a, const PlaceOf& place_of) {
  HostCode& c = code_;
  for (const unsigned first : {0u, kHalf}) {
    if (first != 0) c.vextracti128(xmm(kScratch), ymm(a.words[0]), 1);
    const Xmm part = first == 0 ? xmm(a.words[0]) : xmm(kScratch);
    for_active(strip, first, kHalf, [&](unsigned lane) {
      const auto place = c.ptr[place_of(lane)];
      const auto word = static_cast<std::uint8_t>(lane % kHalf);
      if (a.move.bytes == 1) return c.vpextrb(place, part, static_cast<std::uint8_t>(4 * word));
      c.vpextrw(place, part, static_cast<std::uint8_t>(2 * word));
    });
  }
}

/// Words of active lanes, element by element.
void Avx2Moves::store_words(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  if (strip.masked()) {
    c.vpcmpeqd(kScratch, kScratch, kScratch);
    c.vpxor(kScratch, kScratch, kInactive);
  }
  for (unsigned i = 0; i < a.move.elements; ++i) {
    const auto place = c.ptr[c.rax + offset_of(a, i)];
    strip.masked() ? c.vpmaskmovd(place, kScratch, a.words[i]) : c.vmovdqu(place, a.words[i]);
  }
}

/// Lower halves or bytes of all lanes' words.
void Avx2Moves::store_parts(const Access& a, RegExp to) {
  HostCode& c = code_;
  constexpr std::uint64_t kLowHalves = 0x0d0c090805040100, kLowBytes = 0x0c0804000c080400;
  constexpr std::uint8_t kFirstAndThird = 0x08;
  c.vpshufb(kScratch, a.words[0], c.ptr[c.whole(a.move.bytes == 2 ? kLowHalves : kLowBytes)]);
  if (a.move.bytes == 2) {
    c.vpermq(kScratch, kScratch, kFirstAndThird);
    return c.vmovdqu(c.ptr[to], xmm(kScratch));
  }
  c.vmovd(c.ptr[to], xmm(kScratch));
  c.vextracti128(xmm(kScratch), kScratch, 1);
  c.vmovd(c.ptr[to + 4], xmm(kScratch));
}

/// Two words of each lane, whose places may be known to lie side by side.
void Avx2Moves::store_pairs(StripCode& strip, const Access& a, const PlaceOf& place_of,
                            bool side_by_side) {
  HostCode& c = code_;
  c.vpunpckldq(a.lower, a.words[0], a.words[1]);
  c.vpunpckhdq(a.upper, a.words[0], a.words[1]);
  for (const unsigned first : {0u, 2u, kHalf, kHalf + 2}) {
    const Vector both = first % kHalf == 0 ? a.lower : a.upper;
    if (first >= kHalf) c.vextracti128(xmm(kScratch), ymm(both), 1);
    const Xmm two = first < kHalf ? xmm(both) : xmm(kScratch);
    if (side_by_side && !strip.masked()) {
      c.vmovdqu(c.ptr[place_of(first)], two);
      continue;
    }
    for_active(strip, first, 2, [&](unsigned lane) {
      const auto place = c.ptr[place_of(lane)];
      lane == first ? c.vmovq(place, two) : c.vmovhps(place, two);
    });
  }
}

/// Four words of each lane.
void Avx2Moves::store_rows(StripCode& strip, const Access& a, const PlaceOf& place_of) {
  const Rows rows = columns_to_rows(a, kScratch);
  for_active(strip, 0, kLanes, [&](unsigned lane) {
    const auto place = code_.ptr[place_of(lane)];
    const Vector row = rows[lane % kHalf];
    lane < kHalf ? code_.vmovdqu(place, xmm(row)) : code_.vextracti128(place, ymm(row), 1);
  });
}

/// The last of lanes that share bytes comes last.
void Avx2Moves::store_anywhere(StripCode& strip, const Access& a) {
  const bool lds = a.move.space == MoveSpace::kLds;
  const PlaceOf begin_of = lds ? emit_lds_places(strip, a) : emit_places(strip, a);
  for (unsigned element = 0; element < a.move.elements; ++element) {
    const PlaceOf place_of = [&](unsigned lane) { return begin_of(lane) + offset_of(a, element); };
    switch (a.move.bytes) {
      case 4: scatter_words(strip, a.words[element], place_of); break;
      case 8: store_pairs(strip, a, place_of, false); break;
      case 16: store_rows(strip, a, place_of); break;
      default: store_small(strip, a, place_of); break;
    }
  }
}

void Avx2Moves::scatter_words(StripCode& strip, Vector data, const PlaceOf& place_of) {
  HostCode& c = code_;
  for (const unsigned first : {0u, kHalf}) {
    if (first != 0) c.vextracti128(xmm(kScratch), ymm(data), 1);
    const Xmm part = first == 0 ? xmm(data) : xmm(kScratch);
    for_active(strip, first, kHalf, [&](unsigned lane) {
      const auto place = c.ptr[place_of(lane)];
      const auto word = static_cast<std::uint8_t>(lane % kHalf);
      word == 0 ? c.vmovd(place, part) : c.vpextrd(place, part, word);
    });
  }
}

}  // namespace wavetank::execute::jit
