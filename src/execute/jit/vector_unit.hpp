// The host's vector unit: what compiled code has to know of it.
#pragma once

#include <cstdint>
#include <memory>

#include "execute/jit/host_code.hpp"
#include "execute/jit/plan.hpp"

namespace wavetank::execute::jit {

/// A vector register of the host, as wide as its unit's are.
using Vector = Xbyak::Xmm;

/// By Predicate, what vcmpps calls it; and the same with operands exchanged (Intel's manual,
/// "CMPPS", table of comparison predicates).
inline constexpr std::uint8_t kFloatPredicate[] = {0x00, 0x11, 0x12, 0x04, 0x15, 0x16, 0x07, 0x03};
inline constexpr std::uint8_t kExchangedFloat[] = {0x00, 0x1e, 0x1d, 0x04, 0x1a, 0x19, 0x07, 0x03};

class StripCode;
class LaneMoves;
struct Run;

/// What a register is, how many there are, and what is called otherwise on each host.
struct VectorUnit {
  using Three = void (HostCode::*)(const Vector&, const Vector&, const Xbyak::Operand&);
  using Load = void (HostCode::*)(const Vector&, const Xbyak::Operand&);
  using Store = void (HostCode::*)(const Xbyak::Address&, const Vector&);
  using Round = void (HostCode::*)(const Vector&, const Xbyak::Operand&, std::uint8_t);

  Xbyak::Operand::Kind kind;
  unsigned lanes;    ///< of a strip: words of a register
  unsigned vectors;  ///< registers for values; the one behind them is for code in between
  unsigned masks;    ///< registers for lane masks; 0: masks are words of all ones or zeros
  bool ternary;      ///< has operations on bits of three words
  bool last_runs;    ///< has code for runs that end a wave
  Load load;
  Store store;
  Three bit_and, bit_or, bit_xor;
  Round round_words, round_doubles;
  /// Code of a strip, `strip` beyond that which rdx and rcx point to. Without `masked` all its
  /// lanes are active. There is room for `spill_places` registers at rsp.
  std::unique_ptr<StripCode> (*new_strip)(HostCode& host, const Graph& graph, const Plan& plan,
                                          bool masked, unsigned strip, unsigned spill_places);
  /// Code of a run's loads and store.
  std::unique_ptr<LaneMoves> (*new_moves)(HostCode& host, const Run& run);

  unsigned strip_bytes() const { return 4 * lanes; }
  unsigned mask_bytes() const { return lanes / 8; }
};

/// AVX-512: a word is a zmm, a double two of lanes 0 to 7 and 8 to 15, a mask a k register.
extern const VectorUnit kAvx512Unit;
/// AVX2 with FMA and F16C: a word is a ymm, a mask too; a double is two ymm, of lanes 0, 1, 4, 5
/// and of the others, as the host's shuffles have it.
extern const VectorUnit kAvx2Unit;

/// That of the handlers' host; nullptr if there is no code for it.
const VectorUnit* vector_unit();

}  // namespace wavetank::execute::jit
