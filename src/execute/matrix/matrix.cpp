// All matrix rows.
#include "execute/matrix/kernels.hpp"

namespace wavetank::execute::WAVETANK_HOST {

void append_matrix(Entries& entries) {
  append_matrix_chains(entries);
  append_matrix_pairwise(entries);
  append_matrix_fused(entries);
  append_matrix_integer(entries);
}

}  // namespace wavetank::execute::WAVETANK_HOST
