// What all matrix kernels share: operands out of registers, the walk over rows of D, the result
// back into registers. A row of D and a row of B are consecutive lanes of one register.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "execute/op.hpp"
#include "isa/matrix_shape.hpp"
#include "machine/wave.hpp"

namespace wavetank::execute::WAVETANK_HOST {

using isa::MatrixElement;
using isa::MatrixShape;

/// Elements of A or B by element of the lane, then lane.
template <class T>
struct alignas(64) Elements {
  static constexpr unsigned kMost = 16;
  T at[kMost * 64];
};

/// The running instruction.
struct MatrixOp {
  machine::Wave& wave;
  const Op* op;
  const MatrixShape& shape;

  unsigned cbsz() const { return op->op_sel; }
  unsigned abid() const { return op->op_sel_hi; }
  unsigned blgp() const { return op->neg; }
  std::uint32_t* registers(std::uint32_t offset) const {
    return reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(wave.vgpr) + offset);
  }
  const std::uint32_t* source(unsigned index) const { return registers(op->src[index]); }
};

/// The registers of B, with lanes exchanged as BLGP says; `copy` holds them then.
inline const std::uint32_t* swizzled_b(const MatrixOp& in, std::uint32_t (&copy)[4 * 64]) {
  const std::uint32_t* b = in.source(1);
  if (in.blgp() == 0 || !in.shape.swizzles_b) return b;
  for (unsigned dword = 0; dword < in.shape.b_dwords(); ++dword) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      copy[dword * 64 + lane] = b[dword * 64 + isa::swizzled_lane(lane, in.blgp())];
    }
  }
  return copy;
}

/// Calls convert(element bits, place in Elements) for all elements of up to 32 bits.
template <class Convert>
inline void for_each_element(const std::uint32_t* registers, unsigned per_lane, unsigned bits,
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

/// For one row of D: where its factors are, in the order of k.
struct RowPlaces {
  std::uint16_t a[32];  ///< index in Elements
  std::uint16_t b[32];  ///< index of the row's first lane
};

/// Calls visit(places, row of D) for every row of every block.
template <class T, class Visit>
inline void for_each_row(const MatrixOp& in, T* d, Visit visit) {
  const MatrixShape& s = in.shape;
  const unsigned stored_k = s.stored_k(), a_per_lane = s.a_per_lane(), b_per_lane = s.b_per_lane();
  const std::uint32_t* index = s.sparse ? in.source(2) : nullptr;
  const auto b_place = [&](unsigned k, unsigned block) {
    const isa::MatrixPlace place = isa::input_place(s.n, s.blocks, b_per_lane, 0, k, block);
    return static_cast<std::uint16_t>(place.element * 64 + place.lane);
  };
  for (unsigned block = 0; block < s.blocks; ++block) {
    const unsigned a_block =
        s.sparse ? block : isa::broadcast_block(block, in.cbsz(), in.abid());
    RowPlaces first, row;
    for (unsigned k = 0; k < stored_k; ++k) {
      const isa::MatrixPlace place = isa::input_place(s.m, s.blocks, a_per_lane, 0, k, a_block);
      first.a[k] = static_cast<std::uint16_t>(place.element * 64 + place.lane);
      if (!s.sparse) row.b[k] = b_place(k, block);
    }
    for (unsigned i = 0; i < s.m; ++i) {
      for (unsigned k = 0; k < stored_k; ++k) {
        row.a[k] = static_cast<std::uint16_t>(first.a[k] + i);
        if (!s.sparse) continue;
        const std::uint32_t bits = index[row.a[k] % 64];
        row.b[k] = b_place(isa::sparse_row(s, k, bits, in.cbsz(), in.abid()), block);
      }
      const isa::MatrixPlace place = isa::output_place(s, i, 0, block);
      visit(static_cast<const RowPlaces&>(row), d + place.element * 64 + place.lane);
    }
  }
}

/// C as 32-bit elements: registers, a constant, or D itself for a sparse A.
inline void load_c(const MatrixOp& in, void* d) {
  const unsigned count = in.shape.c_dwords() * 64;
  if (in.shape.sparse) {
    std::memcpy(d, in.registers(in.op->dst), count * 4);
  } else if (in.op->kind[2] == Source::kVector) {
    std::memcpy(d, in.source(2), count * 4);
  } else {
    std::fill_n(static_cast<std::uint32_t*>(d), count,
                static_cast<std::uint32_t>(in.op->constant[2]));
  }
}

inline void store_d(const MatrixOp& in, const void* d) {
  std::memcpy(in.registers(in.op->dst), d, in.shape.c_dwords() * 256);
}

}  // namespace wavetank::execute::WAVETANK_HOST
