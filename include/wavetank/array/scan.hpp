// Running reductions by rocPRIM, together with the map that feeds them.
#pragma once

#include "element.hpp"

namespace wavetank {

/// op of each element and all before it, of one dimension: `accumulate(rocprim::plus<int>(), a)`.
/// `op` must be associative.
template <class Op, expression E>
array<value_type_of<E>, 1> accumulate(const Op& op, const E& e) {
  static_assert(E::rank == 1, "accumulate goes along one dimension: flatten(a)");
  using T = value_type_of<E>;
  array<T, 1> result(e.shape());
  if (result.size() == 0) return result;
  detail::with_storage("accumulating an array", [&](void* memory, std::size_t& bytes) {
    return rocprim::inclusive_scan(memory, bytes, detail::element_iterator<T>(e), result.data(),
                                   static_cast<std::size_t>(result.size()), op, current_stream());
  });
  return result;
}
/// Running sums.
template <expression E>
auto cumulative_sum(const E& e) {
  return accumulate(rocprim::plus<value_type_of<E>>(), e);
}

}  // namespace wavetank
