// Runs per-lane vector instructions: operands into strips, the row's body on them, results out
// under EXEC.
#pragma once

#include "execute/handlers.hpp"
#include "execute/registry.hpp"
#include "execute/scalar_source.hpp"
#include "execute/vector/each.hpp"
#include "execute/vector/strip.hpp"
#include "isa/define.hpp"

namespace wavetank::execute::WAVETANK_HOST {

using machine::Wave;

inline constexpr std::size_t kFull32 = hn::MaxLanes(hn::ScalableTag<std::uint32_t>());

template <class T>
constexpr bool is_wide() {
  if constexpr (std::is_same_v<T, isa::Mask> || std::is_void_v<T>)
    return false;
  else
    return kIs64<T>;
}
/// Loads L lanes of a vector register; a half's shift is 0 or 16.
template <class T, std::size_t L>
HWY_INLINE Strip<T, L> load_lanes(const std::uint32_t* row, int half_shift = 0) {
  using S = Strip<T, L>;
  const hn::CappedTag<std::uint32_t, L> d32;
  if constexpr (kIs64<T>) {
    const hn::CappedTag<std::uint64_t, L> d64;
    const auto low = hn::PromoteTo(d64, hn::Load(d32, row));
    const auto high = hn::PromoteTo(d64, hn::Load(d32, row + 64));
    return {hn::BitCast(typename S::D(), hn::Or(low, hn::ShiftLeft<32>(high)))};
  } else if constexpr (kIs16<T>) {
    auto bits = hn::Load(d32, row);
    if (half_shift != 0) bits = hn::ShiftRight<16>(bits);
    return S::wrap(hn::BitCast(typename S::D(), hn::And(bits, hn::Set(d32, 0xffffu))));
  } else {
    return {hn::BitCast(typename S::D(), hn::Load(d32, row))};
  }
}

/// Stores those of L lanes that `mask` has.
template <class T, std::size_t L>
HWY_INLINE void store_lanes(Strip<T, L> value, std::uint32_t* row, std::uint64_t mask) {
  const hn::CappedTag<std::uint32_t, L> d32;
  const auto lanes = StripMask<std::uint32_t, L>::from_bits(mask).m;
  const auto put = [&](auto bits, std::uint32_t* to) { hn::BlendedStore(bits, lanes, d32, to); };
  if constexpr (kIs64<T>) {
    const hn::CappedTag<std::uint64_t, L> d64;
    const auto bits = hn::BitCast(d64, value.v);
    put(hn::TruncateTo(d32, bits), row);
    put(hn::TruncateTo(d32, hn::ShiftRight<32>(bits)), row + 64);
  } else if constexpr (std::is_same_v<T, I16>) {
    put(hn::And(hn::BitCast(d32, value.v), hn::Set(d32, 0xffffu)), row);
  } else {
    put(hn::BitCast(d32, value.v), row);
  }
}

/// Bits of a scalar or constant source.
template <bool kWide>
HWY_INLINE std::uint64_t uniform_bits(const Wave& wave, const Op* op, unsigned index) {
  return kWide ? scalar_source64(wave, op, index) : scalar_source32(wave, op, index);
}

/// std::apply that is certain to be inlined: an argument that any call keeps in memory costs more
/// than most instructions.
template <class F, class... R, std::size_t... I>
HWY_INLINE decltype(auto) spread_at(const F& f, const std::tuple<R...>& readers,
                                    std::index_sequence<I...>) {
  return f(std::get<I>(readers)...);
}
template <class F, class... R>
HWY_INLINE decltype(auto) spread(const F& f, const std::tuple<R...>& readers) {
  return spread_at(f, readers, std::index_sequence_for<R...>{});
}

/// A vector register without modifiers, or its upper halves; of a pair the second register.
template <class T, std::size_t L, bool kHigh = false>
class RowReader {
 public:
  HWY_INLINE RowReader(const Wave& wave, std::uint32_t offset)
      : row_(vector_at(wave, offset) + (!kIs16<T> && kHigh ? 64 : 0)) {}
  HWY_INLINE Strip<T, L> operator()(std::size_t lane) const {
    return load_lanes<T, L>(row_ + lane, kIs16<T> && kHigh ? 16 : 0);
  }

 private:
  const std::uint32_t* row_;
};

/// What VOP3 and VOP3P can ask of one source.
struct SourceModifiers {
  bool high = false;  ///< the upper half; of a pair of f32 the second register
  bool absolute = false;
  bool negated = false;
};

/// One source of any kind, with modifiers. A 32-bit type read `high` is half of a register pair.
/// A uniform value is spread over one strip of memory, so that reading needs no branch.
template <class T, std::size_t L>
class SourceReader {
 public:
  HWY_INLINE SourceReader(const Wave& wave, const Op* op, unsigned index,
                          SourceModifiers modifiers) {
    if constexpr (kIs16<T>) half_shift_ = modifiers.high ? 16 : 0;
    if (op->kind[index] == Source::kVector) {
      row_ = vector_at(wave, op->src[index]) + (!kIs16<T> && modifiers.high ? 64 : 0);
      lane_mask_ = ~std::size_t{0};
    } else if (!kIs16<T> && modifiers.high) {
      spread(uniform_bits<true>(wave, op, index) >> 32);
    } else {
      spread(uniform_bits<kIs64<T>>(wave, op, index));
    }
    constexpr unsigned kSignBit = kIs16<T> ? 15 : 8 * sizeof(Bits) - 1;
    keep_ = static_cast<Bits>(~(Bits{modifiers.absolute} << kSignBit));
    flip_ = static_cast<Bits>(Bits{modifiers.negated} << kSignBit);
  }
  // Points into itself.
  SourceReader(const SourceReader&) = delete;
  SourceReader& operator=(const SourceReader&) = delete;

  HWY_INLINE Strip<T, L> operator()(std::size_t lane) const {
    const auto value = load_lanes<T, L>(row_ + (lane & lane_mask_), half_shift_);
    if constexpr (kIsFloat<T>) {
      const typename Strip<T, L>::DBits d;
      const auto bits = hn::And(hn::BitCast(d, value.v), hn::Set(d, keep_));
      return {hn::BitCast(typename Strip<T, L>::D(), hn::Xor(bits, hn::Set(d, flip_)))};
    } else {
      return value;
    }
  }

 private:
  using Bits = typename Strip<T, L>::Bits;
  HWY_INLINE void spread(std::uint64_t bits) {
    const hn::CappedTag<std::uint32_t, L> d32;
    hn::Store(hn::Set(d32, static_cast<std::uint32_t>(bits)), d32, strip_);
    if constexpr (kIs64<T>) {
      hn::Store(hn::Set(d32, static_cast<std::uint32_t>(bits >> 32)), d32, strip_ + 64);
    }
    row_ = strip_;
  }

  const std::uint32_t* row_ = nullptr;
  std::size_t lane_mask_ = 0;
  int half_shift_ = 0;
  Bits keep_ = static_cast<Bits>(~Bits{0});
  Bits flip_ = 0;
  HWY_ALIGN std::uint32_t strip_[kIs64<T> ? 64 + L : L];
};

/// A lane mask source: VCC or an SGPR pair.
template <std::size_t L, bool kWide>
class MaskReader {
 public:
  HWY_INLINE explicit MaskReader(std::uint64_t bits) : bits_(bits) {}
  HWY_INLINE auto operator()(std::size_t lane) const {
    using Bits = std::conditional_t<kWide, std::uint64_t, std::uint32_t>;
    return StripMask<Bits, L>::from_bits(bits_ >> lane);
  }

 private:
  std::uint64_t bits_;
};

/// The lanes' numbers.
template <std::size_t L>
struct LaneReader {
  HWY_INLINE Strip<U32, L> operator()(std::size_t lane) const {
    return {hn::Iota(hn::CappedTag<std::uint32_t, L>(), static_cast<std::uint32_t>(lane))};
  }
};

/// Sources of mixed() rows that op_sel and op_sel_hi choose from; see valu_packed.hpp.
template <class T>
inline constexpr bool kIsChosen =
    kIsPair<T> || std::is_same_v<T, isa::MixF32> || std::is_same_v<T, isa::WordOfPair>;
template <class T, std::size_t L, unsigned kIndex>
class ChosenReader;

/// The clamp modifier of a float: into [+0, 1], NaN to +0. On bit patterns, everything above
/// infinity is negative or NaN. (omod does nothing under IEEE mode, which strips assume.)
template <class T, std::size_t L>
HWY_INLINE Strip<T, L> modify_result(Strip<T, L> value, const Op* op) {
  if constexpr (kIsFloat<T>) {
    if (HWY_UNLIKELY(op->clamp)) {
      using B = typename Strip<T, L>::Bits;
      const typename Strip<T, L>::DBits d;
      const auto bits = hn::BitCast(d, value.v);
      const auto one = hn::Set(d, B{FormatOf<T>::kOne});
      const auto stopped = hn::IfThenElse(hn::Gt(bits, one), one, bits);
      const auto above = hn::Gt(bits, hn::Set(d, B{FormatOf<T>::kInfinity}));
      value = {hn::BitCast(typename Strip<T, L>::D(), hn::IfThenZeroElse(above, stopped))};
    }
  }
  return value;
}

/// Stores a 16-bit result where op_sel and keeps_high_half say.
template <bool kHigh, class T, std::size_t L>
HWY_INLINE void store_half(Strip<T, L> value, std::uint32_t* row, std::uint64_t mask,
                           const Op* op) {
  const hn::CappedTag<std::uint32_t, L> d32;
  auto bits = hn::And(hn::BitCast(d32, value.v), hn::Set(d32, 0xffffu));
  const auto old = hn::Load(d32, row);
  if (kHigh || (op->op_sel & 8) != 0) {
    bits = hn::Or(hn::And(old, hn::Set(d32, 0xffffu)), hn::ShiftLeft<16>(bits));
  } else if (op->keeps_high_half) {
    bits = hn::Or(hn::And(old, hn::Set(d32, 0xffff0000u)), bits);
  }
  store_lanes(Strip<U32, L>{bits}, row, mask);
}

template <class Definition, class Signature>
struct ValuRunner;

/// The handler of one table line.
template <class Definition, class R, class... P>
struct ValuRunner<Definition, R(P...)> {
  using Result = typename isa::ResultOf<R>::Value;
  using Saturating = typename Definition::SaturatingBody;
  static constexpr bool kMaskResult = isa::ResultOf<R>::mask;
  static constexpr bool kWide = is_wide<Result>() || (is_wide<isa::ValueOf<P>>() || ...);
  static constexpr std::size_t L = kWide ? kFull32 / 2 : kFull32;
  static constexpr unsigned kCount = sizeof...(P);

  template <unsigned kSource, class Q>
  static HWY_INLINE auto reader(const Wave& wave, const Op* op) {
    using V = isa::ValueOf<Q>;
    if constexpr (Definition::shape == isa::Shape::kMixed && kIsChosen<V>) {
      return ChosenReader<V, L, kSource>(wave, op);
    } else if constexpr (isa::OperandOf<Q>::value.role == isa::Role::kImplicitVcc) {
      return MaskReader<L, kWide>(wave.vcc());
    } else if constexpr (isa::OperandOf<Q>::value.role == isa::Role::kLaneNumber) {
      return LaneReader<L>();
    } else if constexpr (std::is_same_v<V, isa::Mask>) {
      return MaskReader<L, kWide>(uniform_bits<true>(wave, op, kSource));
    } else if constexpr (isa::OperandOf<Q>::value.role == isa::Role::kAccumulator) {
      return RowReader<V, L>(wave, op->dst);
    } else {
      const auto has_bit = [](unsigned bits) { return ((bits >> kSource) & 1) != 0; };
      return SourceReader<V, L>(
          wave, op, kSource, {kIs16<V> && has_bit(op->op_sel), has_bit(op->abs), has_bit(op->neg)});
    }
  }

  template <class Readers>
  static HWY_INLINE void loop(Wave& wave, const Op* op, const Readers& readers) {
    const std::uint64_t exec = wave.exec();
    std::uint64_t mask_bits = 0;
    std::uint32_t* const row = std::is_void_v<Result> ? nullptr : vector_at(wave, op->dst);
    for (std::size_t lane = 0; lane < 64; lane += L) {
      const auto result =
          spread([&](const auto&... read)
                     __attribute__((always_inline)) { return evaluate(op, read(lane)...); },
                 readers);
      if constexpr (std::is_void_v<Result>) {
        mask_bits |= result.to_bits() << lane;
      } else if constexpr (kMaskResult) {
        mask_bits |= result.mask.to_bits() << lane;
        put(result.value, row + lane, exec >> lane, op);
      } else {
        put(result, row + lane, exec >> lane, op);
      }
    }
    if constexpr (kMaskResult) {
      wave.set_scalar64(op->sdst, mask_bits & exec);
      if constexpr (std::is_void_v<Result>) {
        if (row_of(*op).exec_result) wave.set_exec(mask_bits & exec);
      }
    }
  }
  template <class... S>
  static HWY_INLINE auto evaluate([[maybe_unused]] const Op* op, S... values) {
    if constexpr (!std::is_void_v<Saturating>) {
      if (HWY_UNLIKELY(op->clamp)) return Saturating{}(values...);
    }
    return typename Definition::Body{}(values...);
  }
  template <class S>
  static HWY_INLINE void put(S value, std::uint32_t* row, std::uint64_t mask, const Op* op) {
    static_assert(std::is_same_v<typename S::Type, Result>, "the body's result has another type");
    value = modify_result(value, op);
    if constexpr (std::is_same_v<R, isa::ByteResult>) {
      const unsigned place = 8 * (op->op_sel >> 2);
      const auto kept = load_lanes<U32, L>(row) & Strip<U32, L>(~(0xffu << place));
      value = kept | (value << Strip<U32, L>(place));
    }
    if constexpr (kIs16<Result>)
      store_half<isa::kIsHighHalf<R>>(value, row, mask, op);
    else
      store_lanes(value, row, mask);
  }

  template <class... Readers>
  static HWY_INLINE const Op* run_with(Wave& wave, const Op* op, const Readers&... reader) {
    const std::tuple<const Readers&...> readers(reader...);
    loop(wave, op, readers);
    return op + op->dwords;
  }
  template <std::size_t... I>
  static HWY_INLINE const Op* run_indices(Wave& wave, const Op* op, std::index_sequence<I...>) {
    return run_with(wave, op, reader<isa::source_of_parameter<P...>(I), P>(wave, op)...);
  }
  static const Op* run(Wave& wave, const Op* op) {
    return run_indices(wave, op, std::make_index_sequence<kCount>{});
  }
};

/// The handler of a table line, for append() in registry.hpp.
inline constexpr auto kValu = []<class Definition>() {
  return HandlerSet{ValuRunner<Definition, typename Definition::Signature>::run};
};

}  // namespace wavetank::execute::WAVETANK_HOST
