// Loads and stores of strips with AVX2 (lane_moves.hpp). Lanes that lie anywhere go one by one:
// gathers of such hosts take as long, and scatters there are none.
#pragma once

#include <functional>

#include "execute/jit/avx2_strip.hpp"
#include "execute/jit/lane_moves.hpp"

namespace wavetank::execute::jit {

/// Places of lanes that lie anywhere are kept below the stack pointer, where signals leave 128
/// bytes alone.
class Avx2Moves : public LaneMoves {
 public:
  Avx2Moves(HostCode& code, const Run& run) : LaneMoves(kAvx2Unit, code, run) {}

 private:
  using PlaceOf = std::function<Xbyak::RegExp(unsigned lane)>;

  void emit_any_active(Label& none) override;
  void emit_first_active(StripCode& strip) override;
  void emit_first(StripCode& strip, Vector words, Vector spare, const Xbyak::Reg32& to) override;
  void broadcast(Vector to, const Xbyak::Reg32& from) override;
  void emit_equal(StripCode& strip, Vector lanes, Vector expected, Label& otherwise) override;
  void load_side_by_side(StripCode& strip, const Access& a) override;
  void store_side_by_side(StripCode& strip, const Access& a) override;
  void load_anywhere(StripCode& strip, const Access& a) override;
  void store_anywhere(StripCode& strip, const Access& a) override;
  void leave_above(StripCode& strip, const Access& a) override;

  PlaceOf emit_places(StripCode& strip, const Access& a);
  PlaceOf emit_lds_places(StripCode& strip, const Access& a);
  void leave_outside(StripCode& strip, const Access& a);
  void broadcast_pair(Vector to, const Xbyak::Reg64& from);
  void load_words(Vector to, const PlaceOf& place_of);
  void load_pairs(Vector low, Vector high, const PlaceOf& place_of);
  void load_pieces(const Access& a, const PlaceOf& place_of);
  void store_pairs(StripCode& strip, const Access& a, const PlaceOf& place_of, bool side_by_side);
  void store_rows(StripCode& strip, const Access& a, const PlaceOf& place_of);
  void store_small(StripCode& strip, const Access& a, const PlaceOf& place_of);
  void scatter_words(StripCode& strip, Vector data, const PlaceOf& place_of);
  void store_words(StripCode& strip, const Access& a);
  void store_parts(const Access& a, Xbyak::RegExp to);
};

}  // namespace wavetank::execute::jit
