// Runs one matrix row on matrices given by element, with the handlers of every host vector unit
// that this machine has, and says where elements are.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "execute/handlers.hpp"
#include "isa/catalogue.hpp"
#include "machine/wave.hpp"

namespace wavetank::execute::testing {

/// All matrix rows.
inline std::vector<const isa::Row*> matrix_rows() {
  std::vector<const isa::Row*> rows;
  for (const isa::Row& row : isa::catalogue()) {
    if (row.matrix.present()) rows.push_back(&row);
  }
  return rows;
}

/// First registers of the operands; D and C differ, so that C's survival can be seen.
inline constexpr unsigned kA = 0, kB = 4, kIndex = 8, kC = 16, kD = 64, kMatrixRegisters = 112;

/// Handlers of all host vector units, best first.
inline const std::vector<std::vector<HandlerSet>>& handlers_of_hosts() {
  static const auto all = [] {
    std::vector<std::vector<HandlerSet>> sets;
    for (const HostSimd host : host_simds()) sets.push_back(make_handlers(host));
    return sets;
  }();
  return all;
}

/// A wave and one op of `row` on it.
class MatrixMachine {
 public:
  explicit MatrixMachine(const isa::Row& r) : row(r), shape(r.matrix) {
    wave.vgpr = registers->at;
    wave.vgpr_count = kMatrixRegisters;
    wave.mode.bits = 0x3f0;
    wave.set_exec(~std::uint64_t{0});
    op.row = row.id;
    op.dwords = 2;
    op.src[0] = kA * 256, op.src[1] = kB * 256;
    op.src[2] = (shape.sparse ? kIndex : kC) * 256;
    op.dst = (shape.sparse ? kC : kD) * 256;
  }
  void set_modifiers(unsigned cbsz, unsigned abid, unsigned blgp) {
    op.cbsz = static_cast<std::uint8_t>(cbsz);
    op.abid = static_cast<std::uint8_t>(abid);
    op.blgp = static_cast<std::uint8_t>(blgp);
  }
  /// Runs the op with the handler of each unit, which must leave the same registers; gives the op
  /// after it.
  const Op* run() {
    const Registers before = *registers;
    std::optional<Registers> first;
    const Op* next = nullptr;
    for (const auto& sets : handlers_of_hosts()) {
      *registers = before;
      op.run = sets[row.id].usual;
      next = op.run(wave, &op);
      if (!first) first = *registers;
      EXPECT_EQ(std::memcmp(first->at, registers->at, sizeof first->at), 0)
          << "host vector unit " << &sets - handlers_of_hosts().data() << " differs from the first";
    }
    return next;
  }
  unsigned result_register() const { return shape.sparse ? kC : kD; }

  /// Bits of an element of `bits` bits that start at register `first`.
  std::uint64_t get(unsigned first, unsigned bits, isa::MatrixPlace place) const {
    const std::uint32_t* at = registers->at + first * 64;
    if (bits == 64) {
      const std::uint32_t* low = at + place.element * 128 + place.lane;
      return low[0] | std::uint64_t{low[64]} << 32;
    }
    const std::uint32_t dword = at[place.element * bits / 32 * 64 + place.lane];
    return dword >> place.element * bits % 32 & (bits == 32 ? ~0u : (1u << bits) - 1);
  }
  void set(unsigned first, unsigned bits, isa::MatrixPlace place, std::uint64_t value) {
    std::uint32_t* at = registers->at + first * 64;
    if (bits == 64) {
      at[place.element * 128 + place.lane] = static_cast<std::uint32_t>(value);
      at[place.element * 128 + 64 + place.lane] = static_cast<std::uint32_t>(value >> 32);
      return;
    }
    std::uint32_t& dword = at[place.element * bits / 32 * 64 + place.lane];
    const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
    const unsigned shift = place.element * bits % 32;
    dword = (dword & ~(mask << shift)) | (static_cast<std::uint32_t>(value) & mask) << shift;
  }

  isa::MatrixPlace a_place(unsigned i, unsigned k, unsigned block) const {
    return isa::input_place(shape.m, shape.blocks, shape.a_per_lane(), i, k, block);
  }
  isa::MatrixPlace b_place(unsigned k, unsigned j, unsigned block) const {
    return isa::input_place(shape.n, shape.blocks, shape.b_per_lane(), j, k, block);
  }
  /// Factors of D[i][j] as the running modifiers choose them; k counts stored columns.
  std::uint64_t a_factor(unsigned i, unsigned k, unsigned block) const {
    const unsigned from = shape.sparse ? block : isa::broadcast_block(block, op.cbsz, op.abid);
    return get(kA, isa::bits_of(shape.a), a_place(i, k, from));
  }
  std::uint64_t b_factor(unsigned i, unsigned k, unsigned j, unsigned block) const {
    const unsigned row_of_b =
        shape.sparse ? isa::sparse_row(shape, k, registers->at[kIndex * 64 + a_place(i, k, 0).lane],
                                       op.cbsz, op.abid)
                     : k;
    isa::MatrixPlace place = b_place(row_of_b, j, block);
    if (shape.swizzles_b) place.lane = isa::swizzled_lane(place.lane, op.blgp);
    return get(kB, isa::bits_of(shape.b), place);
  }
  std::uint64_t c(unsigned i, unsigned j, unsigned block) const {
    return get(kC, isa::bits_of(shape.c), isa::output_place(shape, i, j, block));
  }
  std::uint64_t d(unsigned i, unsigned j, unsigned block) const {
    return get(result_register(), isa::bits_of(shape.c), isa::output_place(shape, i, j, block));
  }

  /// Gives every C the same bits.
  void fill_c(std::uint64_t bits) {
    for_each([&](unsigned i, unsigned j, unsigned block) {
      set(kC, isa::bits_of(shape.c), isa::output_place(shape, i, j, block), bits);
    });
  }
  /// Moves exponents of floats near 1 (`closeness` 1: within 2^8, 2: 2^4, 3: 2^2), or makes a few
  /// elements denormal.
  template <class Random>
  void limit_exponents(unsigned closeness, Random& random) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      limit(kA, shape.a, shape.a_per_lane(), lane, closeness, random);
      limit(kB, shape.b, shape.b_per_lane(), lane, closeness, random);
      limit(kC, shape.c, shape.c_dwords() * 32 / isa::bits_of(shape.c), lane, closeness, random);
    }
  }

  /// Calls visit(i, j, block) for each element of D.
  template <class Visit>
  void for_each(Visit visit) const {
    for (unsigned block = 0; block < shape.blocks; ++block) {
      for (unsigned i = 0; i < shape.m; ++i) {
        for (unsigned j = 0; j < shape.n; ++j) visit(i, j, block);
      }
    }
  }

  struct Exponent {
    unsigned low, bits;
  };
  static Exponent exponent_of(isa::MatrixElement element) {
    switch (element) {
      case isa::MatrixElement::kF64: return {52, 11};
      case isa::MatrixElement::kF16: return {10, 5};
      case isa::MatrixElement::kBf16: return {7, 8};
      case isa::MatrixElement::kFp8: return {3, 4};
      case isa::MatrixElement::kBf8: return {2, 5};
      default: return {23, 8};
    }
  }
  template <class Random>
  void limit(unsigned first, isa::MatrixElement element, unsigned count, unsigned lane,
             unsigned closeness, Random& random) {
    if (element == isa::MatrixElement::kI8 || element == isa::MatrixElement::kI32) return;
    const Exponent field = exponent_of(element);
    const unsigned bias = (1u << (field.bits - 1)) - 1;
    const unsigned reach = std::min(16u >> closeness, bias / 2);
    for (unsigned at = 0; at < count; ++at) {
      const isa::MatrixPlace place{at, lane};
      std::uint64_t bits = get(first, isa::bits_of(element), place);
      const std::uint64_t exponent = random() % 32 == 0 ? 0 : bias - reach + random() % (2 * reach);
      bits &= ~(((std::uint64_t{1} << field.bits) - 1) << field.low);
      set(first, isa::bits_of(element), place, bits | exponent << field.low);
    }
  }

  struct alignas(64) Registers {
    std::uint32_t at[kMatrixRegisters * 64] = {};
  };
  std::unique_ptr<Registers> registers = std::make_unique<Registers>();
  machine::Wave wave;
  Op op;
  const isa::Row& row;
  const isa::MatrixShape& shape;
};

}  // namespace wavetank::execute::testing
