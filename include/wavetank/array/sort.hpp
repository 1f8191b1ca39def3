// Sorting by rocPRIM's radix sort, together with the map that feeds it.
#pragma once

#include "element.hpp"

namespace wavetank {

/// Which elements come first.
enum class order { ascending, descending };

/// The elements of one dimension in order. Of floating-point numbers, -0.0 comes before 0.0.
template <expression E>
array<value_type_of<E>, 1> sort(const E& e, order by = order::ascending) {
  static_assert(E::rank == 1, "sort takes one dimension: flatten(a)");
  using T = value_type_of<E>;
  array<T, 1> result(e.shape());
  const std::size_t count = result.size();
  if (count == 0) return result;
  const auto input = detail::element_iterator<T>(e);
  detail::with_storage("sorting an array", [&](void* memory, std::size_t& bytes) {
    return by == order::ascending
               ? rocprim::radix_sort_keys(memory, bytes, input, result.data(), count, 0,
                                          8 * sizeof(T), current_stream())
               : rocprim::radix_sort_keys_desc(memory, bytes, input, result.data(), count, 0,
                                               8 * sizeof(T), current_stream());
  });
  return result;
}

/// The places of the elements in the order in which sort() puts them; equal ones keep theirs.
template <expression E>
array<std::int64_t, 1> argsort(const E& e) {
  static_assert(E::rank == 1, "argsort takes one dimension: flatten(a)");
  using T = value_type_of<E>;
  array<std::int64_t, 1> places(e.shape());
  const std::size_t count = places.size();
  if (count == 0) return places;
  const detail::storage keys(count * sizeof(T));
  detail::with_storage("sorting an array", [&](void* memory, std::size_t& bytes) {
    return rocprim::radix_sort_pairs(memory, bytes, detail::element_iterator<T>(e),
                                     static_cast<T*>(keys.data()),
                                     rocprim::counting_iterator<std::int64_t>(0), places.data(),
                                     count, 0, 8 * sizeof(T), current_stream());
  });
  return places;
}

}  // namespace wavetank
