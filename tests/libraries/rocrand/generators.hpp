// The generators of rocRAND, written from their publications; nothing here comes from the library.
// What rocRAND itself chooses (seeding, which engine gives which element) is stated where it
// enters.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace generators {

// Philox4x32-10. Source: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3",
// SC'11, section 3.3 and table 2.
class Philox {
 public:
  using Block = std::array<uint32_t, 4>;

  explicit Philox(uint64_t key) : key_(key) {}

  // The four words at `counter`, whose upper half is `subsequence`.
  Block block(uint64_t counter, uint64_t subsequence = 0) const {
    Block x = {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32),
               static_cast<uint32_t>(subsequence), static_cast<uint32_t>(subsequence >> 32)};
    uint32_t k0 = static_cast<uint32_t>(key_);
    uint32_t k1 = static_cast<uint32_t>(key_ >> 32);
    for (int round = 0; round < 10; ++round) {
      const uint64_t p0 = uint64_t{0xD2511F53} * x[0];
      const uint64_t p1 = uint64_t{0xCD9E8D57} * x[2];
      x = {static_cast<uint32_t>(p1 >> 32) ^ x[1] ^ k0, static_cast<uint32_t>(p1),
           static_cast<uint32_t>(p0 >> 32) ^ x[3] ^ k1, static_cast<uint32_t>(p0)};
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
    return x;
  }
  // Word `index` of the sequence.
  uint32_t word(uint64_t index) const { return block(index / 4)[index % 4]; }

 private:
  uint64_t key_;
};

// XORWOW. Source: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003,
// section 3.1.
class Xorwow {
 public:
  // rocRAND's seeding (rocRAND Programmer's Guide; rocrand_xorwow.h): Marsaglia's start values,
  // mixed with the two halves of the seed.
  explicit Xorwow(uint64_t seed) {
    const uint32_t t0 = 1228688033u * (static_cast<uint32_t>(seed) ^ 0x2c7f967fu);
    const uint32_t t1 = 2073658381u * (static_cast<uint32_t>(seed >> 32) ^ 0xa03697cbu);
    x_ = {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0};
    d_ = 6615241u + t1 + t0;
  }

  uint32_t next() {
    step(x_);
    d_ += 362437;
    return d_ + x_[4];
  }
  // Goes 2^67 numbers on: the step is linear over GF(2), so 67 squarings of its 160 by 160 matrix
  // give the jump. The counter d is the same again: 2^32 divides 2^67.
  void jump_subsequence() { x_ = apply(subsequence_jump(), x_); }

 private:
  using State = std::array<uint32_t, 5>;
  using Matrix = std::vector<State>;  // 160 columns: the images of the unit vectors

  static void step(State& x) {
    const uint32_t t = x[0] ^ (x[0] >> 2);
    const uint32_t last = (x[4] ^ (x[4] << 4)) ^ (t ^ (t << 1));
    x = {x[1], x[2], x[3], x[4], last};
  }
  static State apply(const Matrix& matrix, const State& x) {
    State sum = {};
    for (int bit = 0; bit < 160; ++bit) {
      if ((x[bit / 32] >> (bit % 32) & 1) == 0) continue;
      for (int word = 0; word < 5; ++word) sum[word] ^= matrix[bit][word];
    }
    return sum;
  }
  static const Matrix& subsequence_jump() {
    static const Matrix jump = [] {
      Matrix power(160);
      for (int bit = 0; bit < 160; ++bit) {
        State unit = {};
        unit[bit / 32] = uint32_t{1} << (bit % 32);
        step(unit);
        power[bit] = unit;
      }
      for (int squaring = 0; squaring < 67; ++squaring) {
        Matrix square(160);
        for (int bit = 0; bit < 160; ++bit) square[bit] = apply(power, power[bit]);
        power = std::move(square);
      }
      return power;
    }();
    return jump;
  }

  State x_;
  uint32_t d_;
};

// MRG32k3a. Source: L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive
// Random Number Generators", Operations Research 47 (1), 1999, figure I.
class Mrg32k3a {
 public:
  // rocRAND's seeding (rocrand_mrg32k3a.h): two masks of the seed, each times the seed. Only for
  // seeds of 32 bits: the library's products of longer ones wrap around.
  explicit Mrg32k3a(uint32_t seed) {
    const uint64_t x = seed ^ 0x55555555u;
    const uint64_t y = 0xAAAAAAAAu;
    first_ = {times(x, seed, kM1), times(y, seed, kM1), times(x, seed, kM1)};
    second_ = {times(y, seed, kM2), times(x, seed, kM2), times(y, seed, kM2)};
  }

  // A number from 1 to m1.
  uint32_t next() {
    const uint64_t p1 =
        (times(1403580, first_[1], kM1) + times(kM1 - 810728, first_[0], kM1)) % kM1;
    const uint64_t p2 =
        (times(527612, second_[2], kM2) + times(kM2 - 1370589, second_[0], kM2)) % kM2;
    first_ = {first_[1], first_[2], p1};
    second_ = {second_[1], second_[2], p2};
    return static_cast<uint32_t>(p1 > p2 ? p1 - p2 : p1 + kM1 - p2);
  }
  // Goes 2^76 numbers on (L'Ecuyer's substream; the library's text says 2^67, its tables hold
  // 2^76), by 76 squarings of the two matrices.
  void jump_subsequence() {
    static const Matrix jump1 = power76({{{0, 1, 0}, {0, 0, 1}, {kM1 - 810728, 1403580, 0}}}, kM1);
    static const Matrix jump2 = power76({{{0, 1, 0}, {0, 0, 1}, {kM2 - 1370589, 0, 527612}}}, kM2);
    first_ = apply(jump1, first_, kM1);
    second_ = apply(jump2, second_, kM2);
  }

  static constexpr uint64_t kM1 = 4294967087u;
  static constexpr uint64_t kM2 = 4294944443u;

 private:
  using Vector = std::array<uint64_t, 3>;
  using Matrix = std::array<Vector, 3>;

  static uint64_t times(uint64_t left, uint64_t right, uint64_t modulus) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(left) * right % modulus);
  }
  static Vector apply(const Matrix& matrix, const Vector& vector, uint64_t modulus) {
    Vector result = {};
    for (int row = 0; row < 3; ++row) {
      for (int k = 0; k < 3; ++k) {
        result[row] = (result[row] + times(matrix[row][k], vector[k], modulus)) % modulus;
      }
    }
    return result;
  }
  static Matrix power76(Matrix matrix, uint64_t modulus) {
    for (int squaring = 0; squaring < 76; ++squaring) {
      Matrix square = {};
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
          for (int k = 0; k < 3; ++k) {
            square[row][column] =
                (square[row][column] + times(matrix[row][k], matrix[k][column], modulus)) % modulus;
          }
        }
      }
      matrix = square;
    }
    return matrix;
  }

  Vector first_;
  Vector second_;
};

// Sobol's sequence with the direction numbers of Joe and Kuo, "Constructing Sobol sequences with
// better two-dimensional projections", SIAM J. Sci. Comput. 30, 2008 (file new-joe-kuo-6.21201, its
// first ten dimensions), in Gray-code order as Antonov and Saleev give it.
template <typename Word>
class Sobol {
 public:
  static constexpr int kDimensions = 10;

  explicit Sobol(int dimension) {
    constexpr int bits = 8 * sizeof(Word);
    direction_.resize(bits);
    const Row& row = rows()[dimension];
    for (int i = 0; i < bits; ++i) {
      if (dimension == 0) {
        direction_[i] = Word{1} << (bits - 1 - i);
      } else if (i < row.degree) {
        direction_[i] = static_cast<Word>(row.initial[i]) << (bits - 1 - i);
      } else {
        Word value = direction_[i - row.degree] ^ (direction_[i - row.degree] >> row.degree);
        for (int k = 1; k < row.degree; ++k) {
          if (row.polynomial >> (row.degree - 1 - k) & 1) value ^= direction_[i - k];
        }
        direction_[i] = value;
      }
    }
  }

  // The direction number of bit `bit` of the Gray code.
  Word direction(unsigned bit) const { return direction_[bit]; }
  // Element `index` of the sequence.
  Word word(uint64_t index) const {
    Word sum = 0;
    uint64_t gray = index ^ (index >> 1);
    for (int bit = 0; gray != 0; ++bit, gray >>= 1) {
      if (gray & 1) sum ^= direction_[bit];
    }
    return sum;
  }

 private:
  struct Row {
    int degree;
    unsigned polynomial;
    std::array<unsigned, 5> initial;
  };
  static const std::array<Row, kDimensions>& rows() {
    static const std::array<Row, kDimensions> all = {{{0, 0, {}},
                                                      {1, 0, {1}},
                                                      {2, 1, {1, 3}},
                                                      {3, 1, {1, 3, 1}},
                                                      {3, 2, {1, 1, 1}},
                                                      {4, 1, {1, 1, 3, 3}},
                                                      {4, 4, {1, 3, 5, 13}},
                                                      {5, 2, {1, 1, 5, 5, 17}},
                                                      {5, 4, {1, 1, 5, 5, 5}},
                                                      {5, 7, {1, 1, 7, 11, 19}}}};
    return all;
  }
  std::vector<Word> direction_;
};

}  // namespace generators
