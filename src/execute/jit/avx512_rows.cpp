// Loads and stores of lanes that lie side by side.
#include "execute/jit/avx512_moves.hpp"

namespace wavetank::execute::jit {

void Avx512Moves::emit_any_active(Label& none) {
  code_.kortestw(kExec, kExec);
  code_.je(none, HostCode::T_NEAR);
}

void Avx512Moves::emit_first_active(StripCode&) {
  code_.kmovw(code_.r12d, kExec);
  code_.tzcnt(code_.r12d, code_.r12d);
}

void Avx512Moves::emit_first(StripCode& strip, Vector words, Vector spare, const Xbyak::Reg32& to) {
  if (strip.masked()) code_.vpcompressd(spare | kExec | code_.T_z, words);
  code_.vmovd(to, xmm(strip.masked() ? spare : words));
}

void Avx512Moves::emit_equal(StripCode& strip, Vector lanes, Vector expected, Label& otherwise) {
  const Opmask found = strip.masked() ? kFound | kExec : kFound;
  code_.vpcmpd(found, lanes, expected, kDiffer);
  code_.kortestw(kFound, kFound);
  code_.jne(otherwise, HostCode::T_NEAR);
}

void Avx512Moves::load_side_by_side(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  const unsigned words = a.move.words();
  for (unsigned element = 0; element < a.move.elements; ++element) {
    const auto from = c.rax + offset_of(a, element);
    const Vector* const to = &a.words[element * words];
    if (words > 2) {
      load_pieces(a, [&](unsigned lane) { return from + static_cast<int>(lane * a.move.bytes); });
    } else if (words == 2) {
      c.vmovdqu32(kScratch, c.ptr[from]);
      words_of_pairs(to[0], to[1], c.ptr[from + 64]);
    } else if (a.move.bytes == 4) {
      strip.masked() ? c.vmovdqu32(to[0] | kExec | code_.T_z, c.ptr[from])
                     : c.vmovdqu32(to[0], c.ptr[from]);
    } else {
      a.move.bytes == 2 ? c.vpmovzxwd(to[0], c.ptr[from]) : c.vpmovzxbd(to[0], c.ptr[from]);
    }
  }
}

/// even, odd = the words of eight pairs in the scratch register and eight in `upper`.
void Avx512Moves::words_of_pairs(Vector even, Vector odd, const Xbyak::Operand& upper) {
  code_.vmovdqa32(even, code_.ptr[code_.lanes(LaneOrder::kEven)]);
  code_.vmovdqa32(odd, code_.ptr[code_.lanes(LaneOrder::kOdd)]);
  code_.vpermi2d(even, kScratch, upper);
  code_.vpermi2d(odd, kScratch, upper);
}

/// Loads 16 bytes for each lane from `place_of(lane)` and makes them the first words of its lanes,
/// the second and so on.
void Avx512Moves::load_pieces(const Access& a, const PlaceOf& place_of) {
  HostCode& c = code_;
  const Vector* const to = a.words.data();
  for (unsigned lane = 0; lane < kAvx512Unit.lanes; ++lane) {
    const Vector piece = to[lane % 4];
    const unsigned quarter = lane / 4;
    if (const auto from = place_of(lane); quarter == 0)
      c.vmovdqu32(xmm(piece), c.ptr[from]);
    else
      c.vinserti32x4(zmm(piece), zmm(piece), c.ptr[from], static_cast<std::uint8_t>(quarter));
  }
  words_to_columns(a, kScratch);
}

void Avx512Moves::store_side_by_side(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  const auto to = c.rax + offset_of(a, 0);
  const Vector first = a.words[0];
  const auto put = [&](const auto& instruction, const Xbyak::Address& place) {
    strip.masked() ? instruction(place | kExec) : instruction(place);
  };
  switch (a.move.bytes) {
    case 1: return put([&](const auto& at) { c.vpmovdb(at, first); }, c.ptr[to]);
    case 2: return put([&](const auto& at) { c.vpmovdw(at, first); }, c.ptr[to]);
    case 4:
      for (unsigned i = 0; i < a.move.elements; ++i) {
        put([&](const auto& at) { c.vmovdqu32(at, a.words[i]); }, c.ptr[c.rax + offset_of(a, i)]);
      }
      return;
    case 8: return store_pairs(strip, a);
    default: break;
  }
  const Rows rows = columns_to_rows(a, kScratch);
  for (unsigned lane = 0; lane < kAvx512Unit.lanes; ++lane) {
    const Vector row = rows[lane % 4];
    c.vextracti32x4(c.ptr[to + 16 * lane], zmm(row), static_cast<std::uint8_t>(lane / 4));
  }
}

/// The pairs of eight lanes come into the scratch register.
void Avx512Moves::join_pairs(const Vector* words, LaneOrder order) {
  code_.vmovdqa32(kScratch, code_.ptr[code_.lanes(order)]);
  code_.vpermi2d(kScratch, words[0], words[1]);
}

/// Two words of each lane.
void Avx512Moves::store_pairs(StripCode& strip, const Access& a) {
  HostCode& c = code_;
  join_pairs(a.words.data(), LaneOrder::kJoinLower);
  const auto lower = c.ptr[c.rax + offset_of(a, 0)], upper = c.ptr[c.rax + offset_of(a, 0) + 64];
  strip.masked() ? c.vmovdqu64(lower | kExec, kScratch) : c.vmovdqu64(lower, kScratch);
  join_pairs(a.words.data(), LaneOrder::kJoinUpper);
  if (!strip.masked()) return c.vmovdqu64(upper, kScratch);
  c.kmovw(c.r12d, kChosen);
  choose_lanes(strip, true);
  c.vmovdqu64(upper | kChosen, kScratch);
  c.kmovw(kChosen, c.r12d);
}

}  // namespace wavetank::execute::jit
