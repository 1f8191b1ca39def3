// rocRAND's distributions through its host API: uniform and normal ones value by value from the
// words of the published generators, Poisson's by chi-square.
#include <hip/hip_fp16.h>

#include "rocrand/device_sequence.hpp"

using device_sequence::Draws;
using device_sequence::Generator;
using libraries::Judge;

constexpr size_t kCount = device_sequence::kEngines + 1000;  // a second round of the engines

// The formulas of the programmer's guide (and of the headers rocRAND installs).
float uniform(uint32_t word) { return 0x1p-32f + static_cast<float>(word) * 0x1p-32f; }
double uniform_double(uint32_t low, uint32_t high) {
  const uint64_t bits = low | static_cast<uint64_t>(high >> 11) << 32;
  return 0x1p-53 + static_cast<double>(bits) * 0x1p-53;
}
double mrg_uniform(uint32_t number) { return number / 4294967087.0; }

// Box and Muller's pair of normal values: sine first.
std::array<double, 2> normal_pair(double radius, double turn) {
  const double length = std::sqrt(-2 * std::log(radius));
  return {std::sin(2 * M_PI * turn) * length, std::cos(2 * M_PI * turn) * length};
}
std::array<double, 2> normal_double_pair(const std::array<uint32_t, 4>& draw) {
  const uint64_t first = draw[0] ^ static_cast<uint64_t>(draw[1]) << 21;
  const uint64_t second = draw[2] ^ static_cast<uint64_t>(draw[3]) << 21;
  return normal_pair(0x1p-53 + static_cast<double>(first) * 0x1p-53,
                     0x1p-53 + static_cast<double>(second) * 0x1p-53);
}

// `per_draw` values of `make(draw, k)` for each draw, cut to kCount.
template <typename T, typename Make>
std::vector<T> spread(const Draws& draws, int per_draw, Make make) {
  std::vector<T> values;
  for (const auto& draw : draws) {
    for (int k = 0; k < per_draw; ++k) values.push_back(static_cast<T>(make(draw, k)));
  }
  return values;
}

constexpr double kMean = 2.5;
constexpr double kDeviation = 0.75;

const auto kNormal = [](rocrand_generator g, float* out, size_t n) {
  return rocrand_generate_normal(g, out, n, static_cast<float>(kMean),
                                 static_cast<float>(kDeviation));
};
const auto kNormalDouble = [](rocrand_generator g, double* out, size_t n) {
  return rocrand_generate_normal_double(g, out, n, kMean, kDeviation);
};
const auto kLogNormal = [](rocrand_generator g, float* out, size_t n) {
  return rocrand_generate_log_normal(g, out, n, static_cast<float>(kMean),
                                     static_cast<float>(kDeviation));
};
const auto kLogNormalDouble = [](rocrand_generator g, double* out, size_t n) {
  return rocrand_generate_log_normal_double(g, out, n, kMean, kDeviation);
};

// Calls with the first values of a new generator of this type.
template <typename T, typename Call>
std::vector<T> first_values(Judge& judge, rocrand_rng_type type, const std::string& name,
                            size_t count, Call call) {
  Generator generator(type);
  return generator.values<T>(judge, name, count, call);
}

// Normal and log-normal values of a generator, from its pairs; float within the error of the
// hardware's sine and logarithm, double within that of the device library.
void normals(Judge& judge, rocrand_rng_type type, const std::string& name,
             const std::vector<double>& floats, const std::vector<double>& doubles) {
  const auto scale = [](std::vector<double> values, bool logarithmic) {
    for (double& value : values) {
      value = kMean + kDeviation * value;
      if (logarithmic) value = std::exp(value);
    }
    return values;
  };
  judge.close(first_values<float>(judge, type, name + " normal", floats.size(), kNormal),
              scale(floats, false), 5e-6, name + " normal");
  judge.close(first_values<float>(judge, type, name + " log-normal", floats.size(), kLogNormal),
              scale(floats, true), 2e-5, name + " log-normal");
  judge.close(
      first_values<double>(judge, type, name + " normal double", doubles.size(), kNormalDouble),
      scale(doubles, false), 1e-14, name + " normal double");
  judge.close(first_values<double>(judge, type, name + " log-normal double", doubles.size(),
                                   kLogNormalDouble),
              scale(doubles, true), 1e-14, name + " log-normal double");
}

using Draw = std::array<uint32_t, 4>;

void philox(Judge& judge) {
  const auto type = ROCRAND_RNG_PSEUDO_PHILOX4_32_10;
  const Draws draws = device_sequence::philox_draws(kCount / 4);
  judge.same(first_values<float>(judge, type, "philox uniform", kCount, rocrand_generate_uniform),
             spread<float>(draws, 4, [](const Draw& d, int k) { return uniform(d[k]); }),
             "philox uniform");
  judge.same(
      first_values<double>(judge, type, "philox uniform double", kCount / 2,
                           rocrand_generate_uniform_double),
      spread<double>(draws, 2,
                     [](const Draw& d, int k) { return uniform_double(d[2 * k], d[2 * k + 1]); }),
      "philox uniform double");
  judge.same(
      first_values<uint8_t>(judge, type, "philox bytes", kCount * 4, rocrand_generate_char),
      spread<uint8_t>(draws, 16, [](const Draw& d, int k) { return d[k / 4] >> (k % 4 * 8); }),
      "philox bytes");
  judge.same(
      first_values<uint16_t>(judge, type, "philox shorts", kCount * 2, rocrand_generate_short),
      spread<uint16_t>(draws, 8, [](const Draw& d, int k) { return d[k / 2] >> (k % 2 * 16); }),
      "philox shorts");
  normals(judge, type, "philox",
          spread<double>(draws, 4,
                         [](const Draw& d, int k) {
                           const int first = k / 2 * 2;
                           return normal_pair(uniform(d[first]), uniform(d[first + 1]))[k % 2];
                         }),
          spread<double>(draws, 2, [](const Draw& d, int k) { return normal_double_pair(d)[k]; }));
}

void xorwow(Judge& judge) {
  const auto type = ROCRAND_RNG_PSEUDO_XORWOW;
  const auto draws = [](size_t count, int width) {
    return device_sequence::draws<generators::Xorwow>(count, width);
  };
  judge.same(first_values<float>(judge, type, "xorwow uniform", kCount, rocrand_generate_uniform),
             spread<float>(draws(kCount, 1), 1, [](const Draw& d, int) { return uniform(d[0]); }),
             "xorwow uniform");
  judge.same(first_values<double>(judge, type, "xorwow uniform double", kCount,
                                  rocrand_generate_uniform_double),
             spread<double>(draws(kCount, 2), 1,
                            [](const Draw& d, int) { return uniform_double(d[0], d[1]); }),
             "xorwow uniform double");
  normals(judge, type, "xorwow",
          spread<double>(
              draws(kCount, 2), 2,
              [](const Draw& d, int k) { return normal_pair(uniform(d[0]), uniform(d[1]))[k]; }),
          spread<double>(draws(kCount, 4), 2,
                         [](const Draw& d, int k) { return normal_double_pair(d)[k]; }));
}

void mrg32k3a(Judge& judge) {
  const auto type = ROCRAND_RNG_PSEUDO_MRG32K3A;
  const auto draws = [](size_t count, int width) {
    return device_sequence::draws<generators::Mrg32k3a>(count, width);
  };
  // The double uniform follows the constant of the header, a rounded 1 / m1.
  const Draws single = draws(kCount, 1);
  judge.close(
      first_values<float>(judge, type, "mrg32k3a uniform", kCount, rocrand_generate_uniform),
      spread<double>(single, 1, [](const Draw& d, int) { return mrg_uniform(d[0]); }), 4e-8,
      "mrg32k3a uniform");
  judge.close(first_values<double>(judge, type, "mrg32k3a uniform double", kCount,
                                   rocrand_generate_uniform_double),
              spread<double>(single, 1, [](const Draw& d, int) { return mrg_uniform(d[0]); }),
              4e-16, "mrg32k3a uniform double");
  const std::vector<double> pairs = spread<double>(draws(kCount, 2), 2, [](const Draw& d, int k) {
    return normal_pair(static_cast<float>(mrg_uniform(d[0])),
                       static_cast<float>(mrg_uniform(d[1])))[k];
  });
  normals(judge, type, "mrg32k3a", pairs, pairs);
}

// Pearson's statistic of Poisson values against the exact probabilities, cells of 10 and more.
bool poisson_fits(const std::vector<uint32_t>& values, double lambda) {
  std::vector<double> seen(static_cast<size_t>(lambda * 3 + 100), 0);
  for (const uint32_t value : values) ++seen[std::min<size_t>(value, seen.size() - 1)];
  double statistic = 0, cell_seen = 0, cell_wanted = 0;
  int cells = 0;
  for (size_t k = 0; k < seen.size(); ++k) {
    const double exponent = static_cast<double>(k) * std::log(lambda) - lambda -
                            std::lgamma(static_cast<double>(k) + 1);
    cell_seen += seen[k];
    cell_wanted += std::exp(exponent) * static_cast<double>(values.size());
    if (cell_wanted < 10) continue;
    statistic += (cell_seen - cell_wanted) * (cell_seen - cell_wanted) / cell_wanted;
    cell_seen = cell_wanted = 0;
    ++cells;
  }
  // Mean `cells`, variance twice that: five standard deviations.
  return statistic < cells + 5 * std::sqrt(2.0 * cells);
}

void poisson(Judge& judge) {
  const std::pair<rocrand_rng_type, const char*> types[] = {
      {ROCRAND_RNG_PSEUDO_XORWOW, "xorwow"},
      {ROCRAND_RNG_PSEUDO_MRG32K3A, "mrg32k3a"},
      {ROCRAND_RNG_PSEUDO_MTGP32, "mtgp32"},
      {ROCRAND_RNG_PSEUDO_PHILOX4_32_10, "philox"},
      {ROCRAND_RNG_QUASI_SOBOL32, "sobol32"}};
  for (const auto& [type, name] : types) {
    for (const double lambda : {0.3, 1.0, 12.5, 100.0, 1000.0}) {
      const std::string what = std::string(name) + " poisson";
      const auto call = [&](rocrand_generator g, uint32_t* out, size_t n) {
        return rocrand_generate_poisson(g, out, n, lambda);
      };
      judge.note(poisson_fits(first_values<uint32_t>(judge, type, what, 100000, call), lambda),
                 what + " lambda " + std::to_string(lambda));
    }
  }
}

// Sobol's points through the uniform and normal distributions; the normal one by Winitzki's
// approximation of the inverse error function, which the library uses ("A handy approximation for
// the error function and its inverse", 2008, a = 0.147).
double sobol_normal(double uniform_value) {
  const double x = 2 * uniform_value - 1;
  const double logarithm = std::log((1 - x) * (1 + x));
  const double half = 2 / (M_PI * 0.147) + logarithm / 2;
  const double root = std::sqrt(std::sqrt(half * half - logarithm / 0.147) - half);
  return M_SQRT2 * (x < 0 ? -root : root);
}

void sobol(Judge& judge) {
  constexpr size_t points = 20000;
  std::vector<float> uniform_want;
  std::vector<double> double_want, normal_want;
  for (size_t i = 0; i < points; ++i) {
    uniform_want.push_back(uniform(generators::Sobol<uint32_t>(0).word(i)));
    const uint64_t word = generators::Sobol<uint64_t>(0).word(i);
    double_want.push_back(0x1p-53 + static_cast<double>(word >> 11) * 0x1p-53);
    // Word 0 is a corner: the logarithm of 0 or, rounded to float, of a value near 0.
    normal_want.push_back(kMean + kDeviation * sobol_normal(uniform_want.back()));
  }
  const auto type = ROCRAND_RNG_QUASI_SOBOL32;
  judge.same(first_values<float>(judge, type, "sobol32 uniform", points, rocrand_generate_uniform),
             uniform_want, "sobol32 uniform");
  judge.same(first_values<double>(judge, ROCRAND_RNG_QUASI_SOBOL64, "sobol64 uniform double",
                                  points, rocrand_generate_uniform_double),
             double_want, "sobol64 uniform double");
  std::vector<float> normal = first_values<float>(judge, type, "sobol32 normal", points, kNormal);
  normal.erase(normal.begin());
  normal_want.erase(normal_want.begin());
  judge.close(normal, normal_want, 1e-3, "sobol32 normal");
}

// Half precision: one word gives two values.
void half_precision(Judge& judge) {
  Generator generator(ROCRAND_RNG_PSEUDO_PHILOX4_32_10);
  const auto got =
      generator.values<__half>(judge, "philox uniform half", 8000, rocrand_generate_uniform_half);
  bool right = true;
  const generators::Philox philox(device_sequence::kSeed);
  for (size_t i = 0; i < got.size(); ++i) {
    const uint32_t part = philox.word(i / 2) >> (i % 2 * 16) & 0xffff;
    right &= __half2float(got[i]) ==
             __half2float(__float2half(0x1p-16f + static_cast<float>(part) * 0x1p-16f));
  }
  judge.note(right, "philox uniform half");
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  philox(judge);
  xorwow(judge);
  mrg32k3a(judge);
  sobol(judge);
  half_precision(judge);
  poisson(judge);
  return judge.verdict();
}
