// Runs that load and store: compiled for waves with all lanes active, whose accesses lie side by
// side in each strip. Whatever else comes is left to the code or the handlers that the chain has
// without them, so that this code only has to be right where it goes on.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "execute/jit/block.hpp"
#include "execute/jit/moves.hpp"

namespace wavetank::execute::jit {

/// Where a wave goes that a memory run does not serve: code, or a handler.
struct Otherwise {
  const std::uint8_t* code = nullptr;
  Handler handler = nullptr;  ///< nullptr: there is code
};

class MemoryRunCode {
 public:
  /// `stores_last`: the run ends its wave (find_last_run). Its strips' data and addresses wait
  /// until all strips are known to be well, and nothing else is kept.
  MemoryRunCode(HostCode& code, const Run& run, bool stores_last)
      : code_(code),
        run_(run),
        drawing_(run),
        moves_(code, run, drawing_),
        stores_last_(stores_last) {}

  /// Emits the run, `op_bytes` of ops long; false if it does not fit, and what was emitted is of no
  /// use. block.guard gets positions in the code, to become addresses.
  bool emit(std::size_t op_bytes, Block& block, const Otherwise& otherwise,
            const Op* (*finish)(machine::Wave&, const Op*, unsigned, const Block*));

 private:
  /// The code of a strip, for who leaves it.
  struct Strip {
    std::size_t begin, end;
    unsigned index;
    std::unique_ptr<Label> exit;  ///< never copied: that defines it
    bool leaves;
  };
  void emit_guard(machine::AccessGuard* guard);
  bool emit_strips();
  bool emit_strip(unsigned index);
  void emit_kept_stores();
  void emit_otherwise(const Otherwise& otherwise);
  void emit_miss(const machine::AccessGuard* guard, const Otherwise& otherwise);
  void emit_failure(Block& block, const Otherwise& otherwise,
                    const Op* (*finish)(machine::Wave&, const Op*, unsigned, const Block*));

  HostCode& code_;
  const Run& run_;
  MoveSketch drawing_;
  MoveCode moves_;
  bool stores_last_;
  Sketch sketch_;
  Plan plan_;
  std::vector<Strip> strips_;
  Label refusal_;
};

}  // namespace wavetank::execute::jit
