// Elements that fulfil a condition, and how many lie where, by rocPRIM, together with the map that
// feeds it: filter, find, histogram.
#pragma once

#include "element.hpp"
#include "slice.hpp"

namespace wavetank {
namespace detail {

/// What `flags` lets through of `input`; waits, to know how many there are.
template <class T, class Input, class Flags>
array<T, 1> let_through(const Input& input, const Flags& flags, std::int64_t count) {
  if (count == 0) return array<T, 1>(extents{0});
  const array<T, 1> passed(extents{count});
  const storage how_many(sizeof(std::size_t));
  with_storage("filtering an array", [&](void* memory, std::size_t& bytes) {
    return rocprim::select(memory, bytes, input, element_iterator<bool>(flags), passed.data(),
                           static_cast<std::size_t*>(how_many.data()),
                           static_cast<std::size_t>(count), current_stream());
  });
  const std::int64_t found = static_cast<std::int64_t>(fetch<std::size_t>(how_many));
  return array<T, 1>(slice(passed, range{0, found}));
}

}  // namespace detail

/// The elements of `e` where `condition` holds, in row-major order: `filter(a, a > 0)`.
template <expression E, expression Condition>
array<value_type_of<E>, 1> filter(const E& e, const Condition& condition) {
  if constexpr (E::rank == Condition::rank)
    if (e.shape() == condition.shape())
      return detail::let_through<value_type_of<E>>(detail::element_iterator<value_type_of<E>>(e),
                                                   condition, e.shape().count());
  throw shape_error("filter takes arrays of one shape, not " + to_string(e.shape()) + " and " +
                    to_string(condition.shape()));
}

/// The places, in row-major order, where `condition` holds.
template <expression Condition>
array<std::int64_t, 1> find(const Condition& condition) {
  return detail::let_through<std::int64_t>(rocprim::counting_iterator<std::int64_t>(0), condition,
                                           condition.shape().count());
}

/// How many elements of `e` lie in each of `bins` intervals of equal width from `low` to below
/// `high`; elements outside are not counted.
template <expression E>
array<unsigned int, 1> histogram(const E& e, int bins, value_type_of<E> low,
                                 value_type_of<E> high) {
  if (bins < 1 || !(low < high))
    throw array_error("a histogram has at least one bin, and its low end is below the high one");
  array<unsigned int, 1> counts(extents{bins});
  const std::int64_t count = e.shape().count();
  if (count == 0) {
    counts = 0u;
    return counts;
  }
  if (count > std::numeric_limits<unsigned int>::max())
    throw array_error(
        "a histogram of more than 2^32 - 1 elements is more than rocPRIM's counts hold");
  detail::with_storage("counting elements", [&](void* memory, std::size_t& bytes) {
    return rocprim::histogram_even(memory, bytes, detail::element_iterator<value_type_of<E>>(e),
                                   static_cast<unsigned int>(count), counts.data(),
                                   static_cast<unsigned int>(bins + 1), low, high,
                                   current_stream());
  });
  return counts;
}

}  // namespace wavetank
