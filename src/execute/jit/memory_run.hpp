// Runs that load and store: compiled for waves with all lanes active, whose accesses lie side by
// side in each strip. Whatever else comes is left to the code or the handlers that the chain has
// without them, so that this code only has to be right where it goes on.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "execute/jit/block.hpp"
#include "execute/jit/moves.hpp"

namespace wavetank::execute::jit {

/// Where a wave goes that a memory run does not serve: code at a position, or a handler.
struct Otherwise {
  std::size_t position = 0;
  Handler handler = nullptr;  ///< nullptr: there is code
};

class MemoryRunCode {
 public:
  /// `stores_last`: the run ends its wave (find_last_run). Its strips' data and addresses wait
  /// until all strips are known to be well, and nothing else is kept.
  MemoryRunCode(Assembler& assembler, const Run& run, bool stores_last)
      : code_(assembler), run_(run), stores_last_(stores_last) {}

  /// Emits the run, `op_bytes` of ops long; false if it does not fit, and what was emitted is of no
  /// use. block.guard gets positions in the code, to become addresses.
  bool emit(std::size_t op_bytes, Block& block, const Otherwise& otherwise,
            const Op* (*finish)(machine::Wave&, const Op*, unsigned, const Block*));

 private:
  /// The code of a strip, for who leaves it.
  struct Strip {
    std::size_t begin, end;
    unsigned index;
    std::vector<std::size_t> exits;
  };
  void emit_guard(machine::AccessGuard* guard);
  bool emit_strips();
  bool emit_strip(const Uses& uses, unsigned index);
  void emit_kept_stores();
  void emit_otherwise(const Otherwise& otherwise);
  void emit_miss(const machine::AccessGuard* guard, const Otherwise& otherwise);
  void emit_failure(Block& block, const Otherwise& otherwise,
                    const Op* (*finish)(machine::Wave&, const Op*, unsigned, const Block*));

  Assembler& code_;
  const Run& run_;
  bool stores_last_;
  std::vector<Strip> strips_;
  std::size_t refusal_ = 0;  ///< a jump before the first strip
};

}  // namespace wavetank::execute::jit
