// Runs VOP3P rows: packed ones, whose body sees one half at a time, and mixed ones, whose sources
// op_sel and op_sel_hi choose from (CDNA3 ISA guide, "VOP3P").
#pragma once

#include "execute/vector/valu.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// Source `kIndex` of a mixed row, put together from the halves that the modifiers name.
template <class T, std::size_t L, unsigned kIndex>
  requires kIsPair<T>
class ChosenReader<T, L, kIndex> {
 public:
  HWY_INLINE ChosenReader(const Wave& wave, const Op* op)
      : whole_(wave, op, kIndex, {}),
        low_shift_(((op->op_sel >> kIndex) & 1) != 0 ? 16 : 0),
        high_shift_(((op->op_sel_hi >> kIndex) & 1) != 0 ? 16 : 0) {
    if constexpr (std::is_same_v<T, isa::PkF16>) {
      flip_ = (((op->neg_lo >> kIndex) & 1) != 0 ? 0x8000u : 0u) |
              (((op->neg_hi >> kIndex) & 1) != 0 ? 0x80000000u : 0u);
    }
  }
  HWY_INLINE Strip<T, L> operator()(std::size_t lane) const {
    using U = Strip<U32, L>;
    const U whole = whole_(lane);
    const U low = (whole >> U(low_shift_)) & U(0xffffu);
    const U high = (whole >> U(high_shift_)) << U(16u);
    return as<T>((low | high) ^ U(flip_));
  }

 private:
  SourceReader<U32, L> whole_;
  std::uint32_t low_shift_, high_shift_, flip_ = 0;
};

/// A factor of v_fma_mix as f32.
template <std::size_t L, unsigned kIndex>
class ChosenReader<isa::MixF32, L, kIndex> {
 public:
  HWY_INLINE ChosenReader(const Wave& wave, const Op* op)
      : is_half_(((op->op_sel_hi >> kIndex) & 1) != 0),
        whole_(wave, op, kIndex, {false, absolute(op), negated(op)}),
        half_(wave, op, kIndex, {((op->op_sel >> kIndex) & 1) != 0, absolute(op), negated(op)}) {}
  HWY_INLINE Strip<F32, L> operator()(std::size_t lane) const {
    return is_half_ ? widen(half_(lane)) : whole_(lane);
  }

 private:
  static bool absolute(const Op* op) { return ((op->abs >> kIndex) & 1) != 0; }
  static bool negated(const Op* op) { return ((op->neg >> kIndex) & 1) != 0; }
  bool is_half_;
  SourceReader<F32, L> whole_;
  SourceReader<F16, L> half_;
};

/// A register of a pair.
template <std::size_t L, unsigned kIndex>
class ChosenReader<isa::WordOfPair, L, kIndex> : public SourceReader<U32, L> {
 public:
  HWY_INLINE ChosenReader(const Wave& wave, const Op* op)
      : SourceReader<U32, L>(wave, op, kIndex, {((op->op_sel >> kIndex) & 1) != 0}) {}
};

template <class Definition, class Signature>
struct PackedRunner;

/// The handler of a packed table line.
template <class Definition, class R, class... P>
struct PackedRunner<Definition, R(P...)> {
  using Saturating = typename Definition::SaturatingBody;
  static constexpr std::size_t L = kFull32;

  template <bool kHigh, unsigned kIndex, class Q>
  static HWY_INLINE auto reader(const Wave& wave, const Op* op) {
    using V = isa::ValueOf<Q>;
    if constexpr (isa::OperandOf<Q>::value.role == isa::Role::kAccumulator) {
      return RowReader<V, L, kHigh>(wave, op->dst);
    } else {
      const unsigned select = kHigh ? op->op_sel_hi : op->op_sel;
      const unsigned negate = kHigh ? op->neg_hi : op->neg_lo;
      return SourceReader<V, L>(
          wave, op, kIndex, {((select >> kIndex) & 1) != 0, false, ((negate >> kIndex) & 1) != 0});
    }
  }
  template <class Readers>
  static HWY_INLINE Strip<R, L> evaluate(const Op* op, const Readers& readers, std::size_t lane) {
    return spread(
        [&](const auto&... read) __attribute__((always_inline)) -> Strip<R, L> {
          if constexpr (!std::is_void_v<Saturating>) {
            if (HWY_UNLIKELY(op->clamp)) return Saturating{}(read(lane)...);
          }
          return modify_result(Strip<R, L>(typename Definition::Body{}(read(lane)...)), op);
        },
        readers);
  }
  static HWY_INLINE void put(Strip<R, L> low, Strip<R, L> high, std::uint32_t* row,
                             std::uint64_t mask) {
    if constexpr (kIs16<R>) {
      const hn::CappedTag<std::uint32_t, L> d32;
      const auto lower = hn::And(hn::BitCast(d32, low.v), hn::Set(d32, 0xffffu));
      const auto upper = hn::ShiftLeft<16>(hn::BitCast(d32, high.v));
      store_lanes(Strip<U32, L>{hn::Or(lower, upper)}, row, mask);
    } else {
      store_lanes(low, row, mask);
      store_lanes(high, row + 64, mask);
    }
  }
  template <class Low, class High>
  static HWY_INLINE const Op* run_halves(Wave& wave, const Op* op, const Low& low_readers,
                                         const High& high_readers) {
    const std::uint64_t exec = wave.exec();
    std::uint32_t* const row = vector_at(wave, op->dst);
    for (std::size_t lane = 0; lane < 64; lane += L) {
      const auto low = evaluate(op, low_readers, lane);
      const auto high = evaluate(op, high_readers, lane);
      put(low, high, row + lane, exec >> lane);
    }
    return op + op->dwords;
  }
  template <std::size_t... I>
  static HWY_INLINE const Op* run_indices(Wave& wave, const Op* op, std::index_sequence<I...>) {
    return run_halves(wave, op, std::forward_as_tuple(reader<false, I, P>(wave, op)...),
                      std::forward_as_tuple(reader<true, I, P>(wave, op)...));
  }
  static const Op* run(Wave& wave, const Op* op) {
    return run_indices(wave, op, std::make_index_sequence<sizeof...(P)>{});
  }
};

/// The handler of a table line that may be packed.
inline constexpr auto kValuOrPacked = []<class Definition>() {
  if constexpr (Definition::shape == isa::Shape::kPacked) {
    return HandlerSet{PackedRunner<Definition, typename Definition::Signature>::run};
  } else {
    return kValu.operator()<Definition>();
  }
};

}  // namespace wavetank::execute::WAVETANK_HOST
