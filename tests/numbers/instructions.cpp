// Sweeps the approximate instructions, and those around them, against MPFR: every f16 operand; of
// f32 two million operands (without a word), every 64th (`page`) or every one (`long`). A mnemonic
// sweeps that one only. Prints the lines of docs/numbers.md and fails if one is beyond its bound.
#include <algorithm>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "number/round.hpp"
#include "number/transcendental.hpp"
#include "numbers/bounds.hpp"
#include "numbers/lane_runner.hpp"
#include "numbers/measure.hpp"
#include "unit/number/mpfr_oracle.hpp"

namespace wavetank::numbers {
namespace {

using namespace number;
using number::test::exact_double;
using number::test::Random;

template <Float T>
constexpr numbers::Format kFormat = sizeof(T) == 2 ? kHalf : sizeof(T) == 4 ? kSingle : kDouble;

/// A function of one operand: in double (f16, f32) or long double (f64), and in MPFR.
struct Function {
  long double (*wide)(long double);
  double (*fast)(double);
  void (*exact)(mpfr_t, mpfr_srcptr);
};

/// The operand of sine and cosine as a fraction of a revolution in [-1/2, 1/2], exactly.
template <class W>
W fraction(W x) {
  return std::isinf(x) ? std::numeric_limits<W>::quiet_NaN() : x - std::nearbyint(x);
}
template <class W>
W sine_of_turns(W x) {
  const W f = fraction(x);
  if (std::fabs(f) == W(0.5)) return 0;
  return std::sin(f * W(6.283185307179586476925286766559L));
}
template <class W>
W cosine_of_turns(W x) {
  const W f = std::fabs(fraction(x));
  if (f == W(0.25)) return 0;
  return std::cos(f * W(6.283185307179586476925286766559L));
}

void exact_turn(mpfr_t r, mpfr_srcptr x, bool cosine) {
  static thread_local Real angle, pi, whole;
  mpfr_rint(whole.v, x, MPFR_RNDN);
  mpfr_sub(angle.v, x, whole.v, MPFR_RNDN);
  mpfr_mul_2si(whole.v, angle.v, 2, MPFR_RNDN);
  if (mpfr_integer_p(whole.v)) {
    const long quarter = (mpfr_get_si(whole.v, MPFR_RNDN) + (cosine ? 1 : 0) + 4) % 4;
    mpfr_set_si(r, quarter == 1 ? 1 : (quarter == 3 ? -1 : 0), MPFR_RNDN);
    return;
  }
  mpfr_const_pi(pi.v, MPFR_RNDN);
  mpfr_mul(angle.v, angle.v, pi.v, MPFR_RNDN);
  mpfr_mul_2si(angle.v, angle.v, 1, MPFR_RNDN);
  cosine ? mpfr_cos(r, angle.v, MPFR_RNDN) : mpfr_sin(r, angle.v, MPFR_RNDN);
}

constexpr Function kRcp{[](long double x) { return 1 / x; }, [](double x) { return 1 / x; },
                        [](mpfr_t r, mpfr_srcptr x) { mpfr_ui_div(r, 1, x, MPFR_RNDN); }};
constexpr Function kRsq{[](long double x) { return 1 / std::sqrt(x); },
                        [](double x) { return 1 / std::sqrt(x); },
                        [](mpfr_t r, mpfr_srcptr x) { mpfr_rec_sqrt(r, x, MPFR_RNDN); }};
constexpr Function kSqrt{[](long double x) { return std::sqrt(x); },
                         [](double x) { return std::sqrt(x); },
                         [](mpfr_t r, mpfr_srcptr x) { mpfr_sqrt(r, x, MPFR_RNDN); }};
constexpr Function kExp{[](long double x) { return std::exp2(x); },
                        [](double x) { return std::exp2(x); },
                        [](mpfr_t r, mpfr_srcptr x) { mpfr_exp2(r, x, MPFR_RNDN); }};
constexpr Function kLog{[](long double x) { return std::log2(x); },
                        [](double x) { return std::log2(x); },
                        [](mpfr_t r, mpfr_srcptr x) { mpfr_log2(r, x, MPFR_RNDN); }};
constexpr Function kSin{[](long double x) { return sine_of_turns(x); },
                        [](double x) { return sine_of_turns(x); },
                        [](mpfr_t r, mpfr_srcptr x) { exact_turn(r, x, false); }};
constexpr Function kCos{[](long double x) { return cosine_of_turns(x); },
                        [](double x) { return cosine_of_turns(x); },
                        [](mpfr_t r, mpfr_srcptr x) { exact_turn(r, x, true); }};
/// x - floor(x), at most the largest number below 1 ("result clamped to 0x3f7fffff").
template <class W, int kMantissaBits>
W fract_of(W x) {
  if (std::isinf(x)) return std::numeric_limits<W>::quiet_NaN();
  return std::min(x - std::floor(x), 1 - std::ldexp(W(1), -kMantissaBits - 1));
}
template <int kMantissaBits>
void exact_fract(mpfr_t r, mpfr_srcptr x) {
  static thread_local Real floor, most;
  mpfr_floor(floor.v, x);
  mpfr_sub(r, x, floor.v, MPFR_RNDN);
  mpfr_set_d(most.v, 1 - std::ldexp(1.0, -kMantissaBits - 1), MPFR_RNDN);
  mpfr_min(r, r, most.v, MPFR_RNDN);
}
template <Float T>
constexpr Function kFract{fract_of<long double, kFormat<T>.mantissa_bits>,
                          fract_of<double, kFormat<T>.mantissa_bits>,
                          exact_fract<kFormat<T>.mantissa_bits>};

template <Float T>
double as_double(T a) {
  if constexpr (sizeof(T) == 8) return std::bit_cast<double>(a.bits);
  if constexpr (sizeof(T) == 4) return static_cast<double>(std::bit_cast<float>(a.bits));
  if constexpr (sizeof(T) == 2) return is_nan(a) ? std::nan("") : exact_double(a);
}

/// Takes one operand and its result. `flushes`: denormal operands and results count as zero.
template <Float T>
void take(Worst& worst, const Function& function, bool flushes, T a, double result) {
  const double x = as_double(flushes ? flush(a) : a);
  double rough;
  double slack;
  double tiny;
  if constexpr (sizeof(T) == 8) {
    const long double exact = function.wide(x);
    rough = error_ulps(result, exact, kFormat<T>);
    slack = 4e-3;
    tiny = static_cast<double>(exact);
  } else {
    tiny = function.fast(x);
    rough = error_ulps(result, tiny, kFormat<T>);
    slack = 1e-6;
  }
  if (flushes && result == 0 && std::fabs(tiny) < 0x1p-126) rough = 0;
  worst.add(rough, slack, x, 0, result, [&] {
    if (rough == 0 || rough == kFar) return rough;
    static thread_local Real operand, exact;
    mpfr_set_d(operand.v, x, MPFR_RNDN);
    function.exact(exact.v, operand.v);
    return error_ulps(result, exact, kFormat<T>);
  });
}

/// All operands of f16, all of f32, or a sample: every exponent and sign with the smallest, the
/// largest and random significands.
template <Float T>
std::vector<T> sample(unsigned per_exponent) {
  using F = number::Format<T>;
  std::vector<T> values;
  Random random(F::kMantissaBits + 1);
  for (std::uint64_t exponent = 0; exponent <= F::kMaxExponent; ++exponent) {
    for (unsigned i = 0; i < per_exponent; ++i) {
      const std::uint64_t mantissa =
          i < 4 ? i : (i < 8 ? F::kMantissaMask - (i - 4) : random.next() & F::kMantissaMask);
      const std::uint64_t bits = (exponent << F::kMantissaBits) | mantissa;
      values.push_back(from_bits<T>(bits));
      values.push_back(from_bits<T>(bits | F::kSign));
    }
  }
  return values;
}

/// Runs the instruction on `operand(index)` for all indices below `count`, on all cores. With
/// `both`, the handler that launches use must give the bits of the one that goes lane by lane.
template <Float T, class Operand>
Worst in_parallel(const char* name, std::uint64_t count, const Function& function, bool flushes,
                  bool both, Operand operand) {
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Worst> worsts(threads);
  const auto work = [&](Worst& worst, unsigned thread) {
    LaneRunner runner(name);
    for (std::uint64_t first = 64 * thread; first < count; first += 64 * threads) {
      Lanes lanes{};
      const std::uint64_t here = std::min<std::uint64_t>(64, count - first);
      for (unsigned i = 0; i < here; ++i) lanes[i] = operand(first + i).bits;
      runner.set(0, lanes);
      const Lanes results = runner.fast();
      if (both && runner.exact() != results) worst.ulps = kFar;
      for (unsigned i = 0; i < here; ++i) {
        take(worst, function, flushes, from_bits<T>(lanes[i]), as_double(from_bits<T>(results[i])));
      }
    }
    mpfr_free_cache();
  };
  std::vector<std::thread> workers;
  for (unsigned t = 0; t < threads; ++t) workers.emplace_back(work, std::ref(worsts[t]), t);
  for (std::thread& worker : workers) worker.join();
  Worst all;
  for (const Worst& worst : worsts) all.merge(worst);
  return all;
}

struct Options {
  unsigned f32_step = 0;  ///< takes every so many bit patterns of f32; 0: a sample
  std::string only;  ///< a mnemonic, or empty
};

class Sweeps {
 public:
  explicit Sweeps(Options options) : options_(std::move(options)) {}
  bool all_hold() const { return all_hold_; }

  template <Float T>
  void function(const char* name, const Function& function, bool flushes = false) {
    if (!wanted(name)) return;
    const bool big = options_.f32_step != 0;
    if (sizeof(T) == 2 || (sizeof(T) == 4 && big)) {
      const std::uint64_t step = sizeof(T) == 2 ? 1 : options_.f32_step;
      const std::uint64_t patterns = std::uint64_t{1} << (8 * sizeof(T) & 63);
      // A step of 64 goes through all low bits in turn. The order is scattered: in rising order
      // half the operands would be a little worse than the one before, and MPFR would see them all.
      const auto operand = [s = step, mask = patterns / step - 1](std::uint64_t i) {
        const std::uint64_t index = i * 2654435761 & mask;
        return from_bits<T>(s * index + index % s);
      };
      print(name, in_parallel<T>(name, patterns / step, function, flushes,
                                 step != 1 || sizeof(T) == 2, operand));
    } else {
      const auto values = sample<T>(sizeof(T) == 4 ? 4096 : big ? 1000 : 100);
      const auto operand = [&](std::uint64_t i) { return values[i]; };
      print(name, in_parallel<T>(name, values.size(), function, flushes, true, operand));
    }
  }

  /// v_ldexp and v_frexp_mant; the exponents of v_frexp_exp are checked along the way.
  template <Float T>
  void scaling(const char* ldexp_name, const char* frexp_name);
  void trig_preop();

 private:
  bool wanted(std::string_view name) const {
    return options_.only.empty() || options_.only == name;
  }
  void print(const char* name, const Worst& worst, int operands = 1) {
    const InstructionBound& bound = bound_of(kInstructionBounds, name);
    all_hold_ &= print_row(name, worst, operands, bound.ulps, std::string(bound.source));
  }

  Options options_;
  bool all_hold_ = true;
};

template <Float T>
void Sweeps::scaling(const char* ldexp_name, const char* frexp_name) {
  Worst scaled, split;
  const int range = 2 * kFormat<T>.greatest_exponent + 2 * kFormat<T>.mantissa_bits;
  for (const T a : sample<T>(sizeof(T) == 2 ? 64 : 12)) {
    const double x = as_double(a);
    int exponent = 0;
    const bool finite = std::isfinite(x);
    const double mantissa = finite ? std::frexp(x, &exponent) : x;
    const double part = as_double(frexp_mant(a, {}));
    const bool same = frexp_exp(a, {}) == exponent && (part == mantissa || std::isnan(x));
    split.add(same ? 0 : kFar, 0, x, 0, part, [&] { return same ? 0 : kFar; });
    for (int e = -range; e <= range; e += sizeof(T) == 8 ? 61 : 7) {
      const double result = as_double(ldexp(a, e, {}));
      const long double exact = std::ldexp(static_cast<long double>(x), e);
      const double rough = error_ulps(result, exact, kFormat<T>);
      scaled.add(rough, 0, x, e, result, [&] { return rough; });
    }
  }
  if (wanted(ldexp_name)) print(ldexp_name, scaled, 2);
  if (wanted(frexp_name)) print(frexp_name, split);
}

/// Every exponent and every segment: the 53 bits of 2/pi that the guide's pseudo-code takes from
/// its 1201-bit constant.
void Sweeps::trig_preop() {
  if (!wanted("v_trig_preop_f64")) return;
  mpfr_t fraction, part;
  mpfr_inits2(1500, fraction, part, nullptr);
  mpfr_const_pi(fraction, MPFR_RNDN);
  mpfr_ui_div(fraction, 2, fraction, MPFR_RNDN);
  mpfr_mul_2si(fraction, fraction, 1201, MPFR_RNDN);
  mpfr_floor(fraction, fraction);
  Worst worst;
  for (unsigned field = 0; field < 2047; ++field) {
    for (unsigned segment = 0; segment < 32; ++segment) {
      const int shift =
          static_cast<int>(segment) * 53 + (field > 1077 ? static_cast<int>(field) - 1077 : 0);
      mpfr_mul_2si(part, fraction, shift - 1201, MPFR_RNDN);
      mpfr_frac(part, part, MPFR_RNDN);
      mpfr_mul_2si(part, part, 53, MPFR_RNDN);
      mpfr_floor(part, part);
      const double expected =
          std::ldexp(mpfr_get_d(part, MPFR_RNDN), -53 - shift + (field >= 1968 ? 128 : 0));
      const f64 a{std::uint64_t{field} << 52};
      const double result = as_double(number::trig_preop(a, segment));
      const double rough = error_ulps(result, static_cast<long double>(expected), kDouble);
      worst.add(rough, 0, as_double(a), segment, result, [&] { return rough; });
    }
  }
  mpfr_clears(fraction, part, nullptr);
  print("v_trig_preop_f64", worst, 2);
}

void sweep_all(Sweeps& sweeps) {
  sweeps.function<f16>("v_rcp_f16", kRcp);
  sweeps.function<f16>("v_rsq_f16", kRsq);
  sweeps.function<f16>("v_sqrt_f16", kSqrt);
  sweeps.function<f16>("v_exp_f16", kExp);
  sweeps.function<f16>("v_log_f16", kLog);
  sweeps.function<f16>("v_sin_f16", kSin);
  sweeps.function<f16>("v_cos_f16", kCos);
  sweeps.function<f16>("v_fract_f16", kFract<f16>);
  sweeps.function<f32>("v_rcp_f32", kRcp, true);
  sweeps.function<f32>("v_rsq_f32", kRsq, true);
  sweeps.function<f32>("v_sqrt_f32", kSqrt, true);
  sweeps.function<f32>("v_exp_f32", kExp, true);
  sweeps.function<f32>("v_log_f32", kLog, true);
  sweeps.function<f32>("v_sin_f32", kSin);
  sweeps.function<f32>("v_cos_f32", kCos);
  sweeps.function<f32>("v_fract_f32", kFract<f32>);
  sweeps.function<f64>("v_rcp_f64", kRcp);
  sweeps.function<f64>("v_rsq_f64", kRsq);
  sweeps.function<f64>("v_sqrt_f64", kSqrt);
  sweeps.function<f64>("v_fract_f64", kFract<f64>);
  sweeps.scaling<f16>("v_ldexp_f16", "v_frexp_mant_f16");
  sweeps.scaling<f32>("v_ldexp_f32", "v_frexp_mant_f32");
  sweeps.scaling<f64>("v_ldexp_f64", "v_frexp_mant_f64");
  sweeps.trig_preop();
}

}  // namespace
}  // namespace wavetank::numbers

int main(int count, char** words) {
  wavetank::numbers::Options options;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(words[i], "long") == 0) options.f32_step = 1;
    else if (std::strcmp(words[i], "page") == 0) options.f32_step = 64;
    else options.only = words[i];
  }
  wavetank::numbers::Sweeps sweeps(options);
  wavetank::numbers::sweep_all(sweeps);
  std::puts(sweeps.all_hold() ? "PASS" : "FAIL: beyond its bound");
  return sweeps.all_hold() ? 0 : 1;
}
