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
  GeneralReader<U32, L> whole_;
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
  GeneralReader<F32, L> whole_;
  GeneralReader<F16, L> half_;
};

/// A register of a pair.
template <std::size_t L, unsigned kIndex>
class ChosenReader<isa::WordOfPair, L, kIndex> : public GeneralReader<U32, L> {
 public:
  HWY_INLINE ChosenReader(const Wave& wave, const Op* op)
      : GeneralReader<U32, L>(wave, op, kIndex, {((op->op_sel >> kIndex) & 1) != 0}) {}
};

template <class Definition, class Signature>
struct PackedRunner;

/// The handlers of a packed table line.
template <class Definition, class R, class... P>
struct PackedRunner<Definition, R(P...)> {
  using Saturating = typename Definition::SaturatingBody;
  static constexpr std::size_t L = kFull32;
  static constexpr unsigned kAllSources = (1u << sizeof...(P)) - 1;

  template <bool kGeneral, bool kHigh, unsigned kIndex, class Q>
  static HWY_INLINE auto reader(const Wave& wave, const Op* op) {
    using V = isa::ValueOf<Q>;
    if constexpr (isa::OperandOf<Q>::value.role == isa::Role::kAccumulator) {
      return RowReader<V, L, kHigh>(wave, op->dst);
    } else if constexpr (kGeneral) {
      const unsigned select = kHigh ? op->op_sel_hi : op->op_sel;
      const unsigned negate = kHigh ? op->neg_hi : op->neg_lo;
      return GeneralReader<V, L>(
          wave, op, kIndex, {((select >> kIndex) & 1) != 0, false, ((negate >> kIndex) & 1) != 0});
    } else {
      return RowReader<V, L, kHigh>(wave, op->src[kIndex]);
    }
  }
  template <bool kGeneral, class Readers>
  static HWY_INLINE Strip<R, L> evaluate(const Op* op, const Readers& readers, std::size_t lane) {
    return spread(
        [&](const auto&... read) __attribute__((always_inline)) -> Strip<R, L> {
          if constexpr (kGeneral && !std::is_void_v<Saturating>) {
            if (HWY_UNLIKELY(op->clamp)) return Saturating{}(read(lane)...);
          }
          const Strip<R, L> result = typename Definition::Body{}(read(lane)...);
          if constexpr (kGeneral) return modify_result(result, op);
          return result;
        },
        readers);
  }
  template <bool kMasked>
  static HWY_INLINE void put(Strip<R, L> low, Strip<R, L> high, std::uint32_t* row,
                             std::uint64_t mask) {
    if constexpr (kIs16<R>) {
      const hn::CappedTag<std::uint32_t, L> d32;
      const auto lower = hn::And(hn::BitCast(d32, low.v), hn::Set(d32, 0xffffu));
      const auto upper = hn::ShiftLeft<16>(hn::BitCast(d32, high.v));
      store_lanes<kMasked>(Strip<U32, L>{hn::Or(lower, upper)}, row, mask);
    } else {
      store_lanes<kMasked>(low, row, mask);
      store_lanes<kMasked>(high, row + 64, mask);
    }
  }
  static constexpr bool quick() {
    if constexpr (std::is_same_v<R, F32> && std::is_void_v<Saturating>) {
      return stays_quick<typename Definition::Body, std::conditional_t<true, Quick<R, L>, P>...>();
    } else {
      return false;
    }
  }
  /// Both halves of a strip, stored.
  template <bool kGeneral, class Readers, class HighReaders>
  static HWY_INLINE void one_strip(const Op* op, const Readers& low_readers,
                                   const HighReaders& high_readers, std::uint32_t* row,
                                   std::size_t lane, std::uint64_t exec, bool all) {
    const auto low = evaluate<kGeneral>(op, low_readers, lane);
    const auto high = evaluate<kGeneral>(op, high_readers, lane);
    if (HWY_LIKELY(all))
      put<false>(low, high, row + lane, 0);
    else
      put<true>(low, high, row + lane, exec >> lane);
  }
  /// Both halves of two strips with one test for NaN (quick.hpp).
  template <bool kGeneral, class Readers, class HighReaders>
  static HWY_INLINE void two_strips(const Op* op, const Readers& low_readers,
                                    const HighReaders& high_readers, std::uint32_t* row,
                                    std::size_t lane, std::uint64_t exec, bool all) {
    const auto at = [](const auto& readers, std::size_t first) __attribute__((always_inline)) {
      return spread(
          [&](const auto&... read) __attribute__((always_inline)) {
            return typename Definition::Body{}(quick_of(read(first))...);
          },
          readers);
    };
    const Quick<R, L> results[4] = {at(low_readers, lane), at(high_readers, lane),
                                    at(low_readers, lane + L), at(high_readers, lane + L)};
    if (HWY_UNLIKELY(any_bad(results[0], results[1], results[2], results[3])) ||
        (kGeneral && op->clamp)) {
      one_strip<kGeneral>(op, low_readers, high_readers, row, lane, exec, all);
      one_strip<kGeneral>(op, low_readers, high_readers, row, lane + L, exec, all);
    } else if (HWY_LIKELY(all)) {
      put<false>(results[0], results[1], row + lane, 0);
      put<false>(results[2], results[3], row + lane + L, 0);
    } else {
      put<true>(results[0], results[1], row + lane, exec >> lane);
      put<true>(results[2], results[3], row + lane + L, exec >> (lane + L));
    }
  }
  template <bool kGeneral, std::size_t... I>
  static HWY_INLINE const Op* run_with(Wave& wave, const Op* op, std::index_sequence<I...>) {
    return run_halves<kGeneral>(wave, op,
                                std::forward_as_tuple(reader<kGeneral, false, I, P>(wave, op)...),
                                std::forward_as_tuple(reader<kGeneral, true, I, P>(wave, op)...));
  }
  template <bool kGeneral, class Low, class High>
  static HWY_INLINE const Op* run_halves(Wave& wave, const Op* op, const Low& low_readers,
                                         const High& high_readers) {
    const std::uint64_t exec = wave.exec();
    std::uint32_t* const row = vector_at(wave, op->dst);
    const bool all = exec == ~std::uint64_t{0};
    if constexpr (quick()) {
      for (std::size_t lane = 0; lane < 64; lane += 2 * L) {
        two_strips<kGeneral>(op, low_readers, high_readers, row, lane, exec, all);
      }
    } else {
      for (std::size_t lane = 0; lane < 64; lane += L) {
        one_strip<kGeneral>(op, low_readers, high_readers, row, lane, exec, all);
      }
    }
    return op + op->dwords;
  }
  static const Op* general(Wave& wave, const Op* op) {
    return run_with<true>(wave, op, std::make_index_sequence<sizeof...(P)>{});
  }
  /// Both results from the halves of the same place. VOP2's v_pk_fmac_f16 has no op_sel_hi.
  static const Op* plain(Wave& wave, const Op* op) {
    const bool has_fields = !((isa::OperandOf<P>::value.role == isa::Role::kAccumulator) || ...);
    if (has_fields && (op->op_sel_hi & kAllSources) != kAllSources) return general(wave, op);
    return run_with<false>(wave, op, std::make_index_sequence<sizeof...(P)>{});
  }
};

/// Handlers of a table line that may be packed.
inline constexpr auto kValuOrPacked = []<class Definition>() {
  if constexpr (Definition::shape == isa::Shape::kPacked) {
    using Runner = PackedRunner<Definition, typename Definition::Signature>;
    return HandlerSet{Runner::plain, Runner::general, Runner::general};
  } else {
    return kValu.operator()<Definition>();
  }
};

}  // namespace wavetank::execute::WAVETANK_HOST
