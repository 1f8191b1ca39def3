// Runs to the store that ends their wave: compiled for waves with all lanes active, whose accesses
// lie side by side in each strip. Whatever else comes is left to the code or the handlers that are
// there without this code, so that it only has to be right where it goes on.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "execute/jit/block.hpp"
#include "execute/jit/last_moves.hpp"
#include "execute/jit/tried_code.hpp"

namespace wavetank::execute::jit {

/// The code of a run that find_last_run() found. Its strips' data and addresses wait until all
/// strips are known to be well, and nothing else is kept.
class LastRunCode {
 public:
  LastRunCode(HostCode& code, const Run& run)
      : code_(code), run_(run), drawing_(run), moves_(code, run, drawing_) {}

  /// Emits the run, `op_bytes` of ops long; false if it does not fit, and what was emitted is of no
  /// use. block.guard gets positions in the code, to become addresses.
  bool emit(std::size_t op_bytes, Block& block, const Otherwise& otherwise);

 private:
  /// The code of a strip, for who leaves it.
  struct Strip {
    std::size_t begin, end;
    std::unique_ptr<Label> exit;  ///< never copied: that defines it
    bool leaves;
  };
  void emit_guard(machine::AccessGuard& guard);
  bool emit_strip(unsigned index);
  void emit_kept_stores();
  void emit_failure(Block& block, const Otherwise& otherwise);

  HostCode& code_;
  const Run& run_;
  MoveSketch drawing_;
  MoveCode moves_;
  Sketch sketch_;
  Plan plan_;
  std::vector<Strip> strips_;
  Label refusal_;
};

}  // namespace wavetank::execute::jit
