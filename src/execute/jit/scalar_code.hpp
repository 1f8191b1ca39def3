// Host code for scalar ops: SALU, scalar loads and branches between the vector runs of a chain.
#pragma once

#include <deque>
#include <memory>

#include "execute/jit/host_code.hpp"
#include "execute/jit/scalar_drawn.hpp"
#include "execute/op.hpp"
#include "isa/operand_code.hpp"
#include "isa/row.hpp"

namespace wavetank::execute::jit {

/// Bytes of the wave before EXEC.
inline constexpr int kExecOffset = 4 * isa::operand::kExec;

/// A way out of a chain that its code takes rarely: the handler of the op at `op_bytes` from the
/// chain's first op goes on.
struct HandlerExit {
  std::unique_ptr<Xbyak::Label> label;  ///< never copied: that defines it
  std::uint32_t op_bytes;
  Handler handler;
};

/// What a scalar op's code does next.
enum class Flow : std::uint8_t {
  kUnknown,  ///< nothing was emitted: the op has no host code
  kOn,       ///< goes on to the op after it
  kEnds,     ///< never does
};

/// Where a scalar op is.
struct ScalarPlace {
  std::uint32_t op_bytes = 0;   ///< from the chain's first op
  bool spoils_vectors = false;  ///< code before it has used vector registers
  bool scc_is_read = true;      ///< behind it
};

/// Emits one scalar op, drawing it into `sketch`.
Flow emit_scalar(HostCode& code, ScalarSketch& sketch, const Op& op, const isa::Row& row,
                 const ScalarPlace& place, std::deque<HandlerExit>& exits);

/// Emits the condition of a branch, drawing it into `sketch`: goes to `otherwise` where it is not
/// taken. False, and what was emitted is of no use, if there is none.
bool emit_condition(HostCode& code, ScalarSketch& sketch, const Op& op, const isa::Row& row,
                    Xbyak::Label& otherwise);

/// Does the op that was drawn last write EXEC?
bool changes_exec(const ScalarSketch& sketch, const Op& op);

/// Goes on with the op at `op_bytes` from the chain's first op, as the executor's loop would.
void emit_go_on(HostCode& code, std::int64_t op_bytes, bool spoils_vectors);
/// Gives that op to who called the chain.
void emit_give(HostCode& code, std::uint32_t op_bytes, bool spoils_vectors);

}  // namespace wavetank::execute::jit
