// Host code for the loads and the store of a run that ends its wave (last_run.hpp): one check finds
// whether a strip's lanes lie side by side in the arena, and one host instruction moves them. Other
// strips are left.
#pragma once

#include <span>
#include <vector>

#include "execute/jit/access.hpp"
#include "execute/jit/avx512_strip.hpp"
#include "execute/jit/line.hpp"

namespace wavetank::execute::jit {

/// Registers that the code of such a run keeps: 4 * lane, and what strips before have left.
inline constexpr unsigned kSteps = 30, kFirstKept = 26;

/// Such a run, drawn for strips whose lanes are all active.
class MoveSketch {
 public:
  explicit MoveSketch(const Run& run) : run_(run) {}
  /// False if an op has no drawing after all.
  bool draw(Sketch& sketch);

  /// The value that the run's store takes.
  Id stored() const { return stored_; }
  /// Of each op the line of its address, where it is known as one.
  const std::optional<Line>& line(std::size_t op) const { return lines_[op]; }
  /// The lines that differ in more than their bases.
  std::span<const Line> indices() const { return indices_; }
  std::size_t index_of(const Line& line) const;

 private:
  void draw_move(Sketch& sketch, unsigned number);
  std::optional<Line> find_line(Sketch& sketch, const Op& op);

  const Run& run_;
  std::vector<std::optional<Line>> lines_;
  std::vector<Line> indices_;
  Id stored_ = kNoValue;
};

/// The code of its loads and its store on its strips.
class MoveCode : public StripMoves {
 public:
  MoveCode(HostCode& code, const Run& run, const MoveSketch& sketch)
      : code_(code), run_(run), sketch_(sketch) {}

  /// Loads what the moves need: 4 * lane in zmm30, and in r9 and r10 the arena's first address,
  /// negated, and the last offset at which a strip may begin. Spoils rax.
  void emit_constants();
  /// Loads what a store needs that ends its wave: bits in r8 of which an address that it may write
  /// past the caches has none. Spoils rax.
  void emit_streaming_mask();
  /// Leaves the strip unless each index rises evenly with the lane, and so does its line; keeps the
  /// first lane's value of each, without bases, below the stack pointer. Spoils rax and r11.
  void emit_indices(StripCode& strip);
  /// The run's store to the place that rax says, once all tests have passed.
  void emit_store(Vector data);
  /// From rsp, the place of a number that the strips keep, 0 to 15: below it, where signals leave
  /// 128 bytes alone.
  Xbyak::Address kept_number(unsigned number);

  void emit_load(StripCode& strip, Id id, const Node& place) override;

 private:
  void emit_lanes(StripCode& strip, const Node& place);
  void emit_lane_tests(StripCode& strip, const Line& line);
  void emit_ramp(StripCode& strip, const Line& line);
  void emit_index(StripCode& strip, const Line& line);
  void emit_place(StripCode& strip, const Node& place);
  void emit_line(const Line& line);
  void emit_add_pair(unsigned sgpr);

  HostCode& code_;
  const Run& run_;
  const MoveSketch& sketch_;
};

}  // namespace wavetank::execute::jit
