// Loads and stores of strips with AVX-512 (lane_moves.hpp), and the registers that they use beside
// a strip's.
#pragma once

#include <functional>

#include "execute/jit/avx512_strip.hpp"
#include "execute/jit/lane_moves.hpp"

namespace wavetank::execute::jit {

/// Predicates of comparisons.
inline constexpr std::uint8_t kDiffer = 4, kAbove = 6;

inline const Zmm kScratch(static_cast<int>(Avx512Strip::kScratch));
inline const Opmask kFound(0), kChosen(1), kExec(static_cast<int>(Avx512Strip::kExec));
inline Xbyak::Xmm xmm(Vector value) { return Xbyak::Xmm(value.getIdx()); }

/// With gathers, and with scatters of dwords and pairs.
class Avx512Moves : public LaneMoves {
 public:
  Avx512Moves(HostCode& code, const Run& run) : LaneMoves(kAvx512Unit, code, run) {}

 private:
  void emit_any_active(Label& none) override;
  void emit_first_active(StripCode& strip) override;
  void emit_first(StripCode& strip, Vector words, Vector spare, const Xbyak::Reg32& to) override;
  void broadcast(Vector to, const Xbyak::Reg32& from) override { code_.vpbroadcastd(to, from); }
  void emit_equal(StripCode& strip, Vector lanes, Vector expected, Label& otherwise) override;
  void load_side_by_side(StripCode& strip, const Access& a) override;
  void store_side_by_side(StripCode& strip, const Access& a) override;
  void load_anywhere(StripCode& strip, const Access& a) override;
  void store_anywhere(StripCode& strip, const Access& a) override;
  void leave_above(StripCode& strip, const Access& a) override;

  void store_pairs(StripCode& strip, const Access& a);
  void words_of_pairs(Vector even, Vector odd, const Xbyak::Operand& upper);
  void join_pairs(const Vector* words, LaneOrder order);
  using PlaceOf = std::function<Xbyak::RegExp(unsigned lane)>;
  void load_pieces(const Access& a, const PlaceOf& place_of);

  void choose_lanes(StripCode& strip, bool upper);
  void emit_places(StripCode& strip, const Access& a);
  void emit_lds_places(StripCode& strip, const Access& a);
  void gather(StripCode& strip, const Access& a, const Vector* to, int offset);
  void gather_lds(StripCode& strip, const Access& a, const Vector* to, int offset);
  PlaceOf keep_places(Vector lower, Vector upper);
  PlaceOf keep_lds_places(const Access& a, Vector places);
  void scatter(StripCode& strip, const Access& a, const Vector* words, int offset);
  void scatter_lds(StripCode& strip, const Access& a, const Vector* words);
  void store_lanes(StripCode& strip, const Access& a);
  void load_global_pieces(StripCode& strip, const Access& a);
  void load_lds_pieces(StripCode& strip, const Access& a);
};

}  // namespace wavetank::execute::jit
