// Which registers an op reads and writes.
#pragma once

#include <vector>

#include "execute/op.hpp"
#include "isa/row.hpp"

namespace wavetank::execute::jit {

/// Register names of one op. Vector registers by index in the unified file, scalar ones by SGPR
/// index; a lane mask is named by its lower SGPR.
struct Access {
  std::vector<unsigned> vector_reads, vector_writes;
  std::vector<unsigned> scalar_reads;  ///< as values: each dword
  std::vector<unsigned> mask_reads, mask_writes;
};

/// The registers of a per-lane op.
Access access_of(const Op& op, const isa::Row& row);

}  // namespace wavetank::execute::jit
