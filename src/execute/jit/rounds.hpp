// Loops of which a round is one run, with scalar ops around it: the run's registers stay in those
// of the host from round to round, of all strips, and addresses that rise evenly are followed as
// scalars. It is tried before the code that the loop has anyway, which takes over wherever this one
// does not go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "execute/jit/block.hpp"
#include "execute/jit/lane_moves.hpp"
#include "execute/jit/round_places.hpp"
#include "execute/jit/scalar_code.hpp"

namespace wavetank::execute::jit {

/// A loop that begins at its chain's first op and ends with a branch to that.
struct Loop {
  const Op* first = nullptr;
  std::vector<const Op*> before, behind;  ///< the scalar ops before the run, and those behind it
  const Op* branch = nullptr;
  std::uint32_t bytes_of(const Op* op) const {
    return static_cast<std::uint32_t>(reinterpret_cast<const std::byte*>(op) -
                                      reinterpret_cast<const std::byte*>(first));
  }
};

/// Where a loop's code leaves it.
struct LoopExits {
  const std::uint8_t* refused;  ///< the code that the loop has anyway
  Label* strip_failed;          ///< that of its run for strips that are left: RunCode::left()
};

/// The code of such a loop for waves with all lanes active.
class LoopCode {
 public:
  LoopCode(const VectorUnit& unit, HostCode& code, const Loop& loop, const Run& run, Sketch& sketch,
           ScalarSketch& scalar_sketch)
      : unit_(unit),
        code_(code),
        loop_(loop),
        run_(run),
        sketch_(sketch),
        scalar_sketch_(scalar_sketch),
        moves_(unit.new_moves(code, run)) {}

  /// False if it does not fit, and what was emitted is of no use. block.guard gets positions in the
  /// code, to become addresses.
  bool emit(Block& block, const LoopExits& exits);

 private:
  /// Loads of a strip by addresses that are followed.
  class Moves;
  bool draw();
  bool draw_without(const std::vector<unsigned>& others);
  bool needs_followed(std::vector<unsigned>& others) const;
  bool results_fit() const;
  bool emit_scalars(const std::vector<const Op*>& ops);
  void emit_frame(const machine::AccessGuard& guard);
  void emit_frame_end();
  void emit_entry_tests();
  void emit_lane_test(const FollowedRegister& followed, std::size_t number, unsigned strip);
  void emit_shared_test(unsigned name, unsigned strip);
  void emit_forgiveness(machine::AccessGuard& guard);
  void emit_loads_of_pins();
  bool emit_strips();
  void emit_advance(unsigned strip);
  void emit_address(const FollowedPlace& place, unsigned strip);
  void emit_write_back();
  void emit_followed_lanes(const FollowedRegister& followed, std::size_t number, unsigned strip);
  void emit_failures(Block& block, const LoopExits& exits);
  void emit_refusal(Block& block, const LoopExits& exits);
  void emit_handler(const Op* op);

  Xbyak::Address lanes_of(unsigned name, unsigned strip) const;
  Xbyak::Address kinds() const { return code_.dword[code_.rsp]; }
  static int slot_of(std::size_t followed, unsigned strip) {
    return static_cast<int>(8 * (1 + kStrips * followed + strip));
  }
  static std::uint32_t bit_of(std::size_t followed, unsigned strip) {
    return 1u << (kStrips * followed + strip);
  }
  int frame_bytes() const { return slot_of(followed_.registers.size(), 0); }
  StripCode::Pin pin_of(std::size_t result, unsigned strip) const;

  static constexpr unsigned kStrips = 4;

  const VectorUnit& unit_;
  HostCode& code_;
  const Loop& loop_;
  const Run& run_;
  Sketch& sketch_;
  ScalarSketch& scalar_sketch_;
  std::unique_ptr<LaneMoves> moves_;
  FollowedPlaces followed_;
  Plan plan_;
  struct Failure {
    std::unique_ptr<Label> label;  ///< never copied: that defines it
    std::size_t begin = 0, end = 0;
  };
  std::vector<Failure> failures_;
  std::deque<HandlerExit> exits_;
  Label write_back_, refusal_, busy_refusal_;
};

}  // namespace wavetank::execute::jit
