// What all matrix kernels share: operands out of registers, the walk over rows of D, the result
// back into registers. A row of D and a row of B are consecutive lanes of one register. Kernels are
// templates on the shape, so that places are constants.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "execute/op.hpp"
#include "execute/registry.hpp"
#include "isa/mfma.hpp"
#include "machine/wave.hpp"

namespace wavetank::execute::WAVETANK_HOST {

using isa::MatrixElement;
using isa::MatrixShape;

/// Elements of A or B by element of the lane, then lane.
template <class T>
struct alignas(64) Elements {
  T at[16 * 64];
};

/// The running instruction.
struct MatrixOp {
  machine::Wave& wave;
  const Op* op;

  unsigned cbsz() const { return op->cbsz; }
  unsigned abid() const { return op->abid; }
  unsigned blgp() const { return op->blgp; }
  std::uint32_t* registers(std::uint32_t offset) const { return vector_at(wave, offset); }
  const std::uint32_t* source(unsigned index) const { return registers(op->src[index]); }
};

/// The registers of B, with lanes exchanged as BLGP says; `copy` holds them then.
template <MatrixShape kShape>
const std::uint32_t* swizzled_b(const MatrixOp& in, std::uint32_t* copy) {
  const std::uint32_t* b = in.source(1);
  if (!kShape.swizzles_b || in.blgp() == 0) return b;
  for (unsigned dword = 0; dword < kShape.b_dwords(); ++dword) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      copy[dword * 64 + lane] = b[dword * 64 + isa::swizzled_lane(lane, in.blgp())];
    }
  }
  return copy;
}

/// Calls convert(element bits, place in Elements) for all elements of up to 32 bits.
template <class Convert>
void for_each_element(const std::uint32_t* registers, unsigned per_lane, unsigned bits,
                      Convert convert) {
  const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  for (unsigned element = 0; element < per_lane; ++element) {
    const std::uint32_t* dwords = registers + element * bits / 32 * 64;
    const unsigned shift = element * bits % 32;
    for (unsigned lane = 0; lane < 64; ++lane) {
      convert(dwords[lane] >> shift & mask, element * 64 + lane);
    }
  }
}

/// Places of the factors of one row of D.
template <MatrixShape kShape>
struct RowPlaces {
  unsigned a_row;            ///< lane of A[i][0]
  unsigned b_block;          ///< lane of B[0][0]
  std::uint16_t sparse[32];  ///< of a sparse A: index of B's rows

  /// Index in Elements of A[i][k]; k counts stored columns.
  unsigned a(unsigned k) const {
    constexpr unsigned kPerLane = kShape.a_per_lane();
    return k % kPerLane * 64 + k / kPerLane * kShape.blocks * kShape.m + a_row;
  }
  /// Index in Elements of the row of B that meets it.
  unsigned b(unsigned k) const { return kShape.sparse ? sparse[k] : b_of_row(k) + b_block; }
  static constexpr unsigned b_of_row(unsigned k) {
    constexpr unsigned kPerLane = kShape.b_per_lane();
    return k % kPerLane * 64 + k / kPerLane * kShape.blocks * kShape.n;
  }
};

/// Calls visit(places, row of D) for every row of every block.
template <MatrixShape kShape, class T, class Visit>
void for_each_row(const MatrixOp& in, T* d, Visit visit) {
  const std::uint32_t* index = kShape.sparse ? in.source(2) : nullptr;
  RowPlaces<kShape> places;
  for (unsigned block = 0; block < kShape.blocks; ++block) {
    const unsigned a_block =
        kShape.sparse ? block : isa::broadcast_block(block, in.cbsz(), in.abid());
    places.b_block = block * kShape.n;
    for (unsigned i = 0; i < kShape.m; ++i) {
      places.a_row = a_block * kShape.m + i;
      if constexpr (kShape.sparse) {
        for (unsigned k = 0; k < kShape.stored_k(); ++k) {
          const std::uint32_t bits = index[places.a(k) % 64];
          const unsigned row = isa::sparse_row(kShape, k, bits, in.cbsz(), in.abid());
          places.sparse[k] = static_cast<std::uint16_t>(places.b_of_row(row));
        }
      }
      const isa::MatrixPlace place = isa::output_place(kShape, i, 0, block);
      visit(static_cast<const RowPlaces<kShape>&>(places), d + place.element * 64 + place.lane);
    }
  }
}

/// C as 32-bit elements: registers, a constant, or D itself for a sparse A.
template <MatrixShape kShape>
void load_c(const MatrixOp& in, void* d) {
  constexpr unsigned kCount = kShape.c_dwords() * 64;
  if (kShape.sparse) {
    std::memcpy(d, in.registers(in.op->dst), kCount * 4);
  } else if (in.op->kind[2] == Source::kVector) {
    std::memcpy(d, in.source(2), kCount * 4);
  } else {
    std::fill_n(static_cast<std::uint32_t*>(d), kCount,
                static_cast<std::uint32_t>(in.op->constant[2]));
  }
}

template <MatrixShape kShape>
void store_d(const MatrixOp& in, const void* d) {
  std::memcpy(in.registers(in.op->dst), d, kShape.c_dwords() * 256);
}

/// Columns of D that a kernel computes at once.
template <MatrixShape kShape>
inline constexpr unsigned kStrip = kShape.n < 16 ? kShape.n : 16;

/// The shape without what a kernel does not depend on, so that rows share kernels.
constexpr MatrixShape kernel_shape(MatrixShape shape) {
  shape.passes = shape.co_executes_after_cycles = 0;
  shape.xdl = shape.broadcasts_a = false;
  return shape;
}

/// Adds the rows of one table that follow a rule.
template <isa::MatrixRule kRule, std::size_t kTable, class Make>
void append_table(Entries& entries, Make make) {
  static constexpr const auto& kLines = isa::get<kTable>(isa::kMatrixTables);
  const auto add = [&]<std::size_t kLine>() {
    constexpr const auto& kRow = isa::get<kLine>(kLines).row;
    if constexpr (kRow.matrix.rule == kRule) {
      const Handler handler = make.template operator()<kernel_shape(kRow.matrix)>();
      entries.add(kRow, {handler, handler, handler, handler});
    }
  };
  [&]<std::size_t... kLine>(std::index_sequence<kLine...>) {
    (add.template operator()<kLine>(), ...);
  }(std::make_index_sequence<kLines.kSize>());
}

/// Adds the matrix rows that follow a rule, with make<shape>() as handler: it serves every operand
/// mix, MODE and EXEC, which matrix instructions ignore (CDNA3 ISA guide).
template <isa::MatrixRule kRule, class Make>
void append_matrix_rows(Entries& entries, Make make) {
  [&]<std::size_t... kTable>(std::index_sequence<kTable...>) {
    (append_table<kRule, kTable>(entries, make), ...);
  }(std::make_index_sequence<isa::kMatrixTables.kSize>());
}

}  // namespace wavetank::execute::WAVETANK_HOST
