// Views: a part of an array, or the array in another arrangement, without a copy. A view shares the
// memory of its array and keeps it alive. Assigning to a view writes the elements that it shows.
#pragma once

#include <cstdlib>
#include <memory>
#include <ranges>
#include <vector>

#include "assign.hpp"
#include "memory.hpp"
#include "scalar_access.hpp"

namespace wavetank {

namespace detail {
template <int Rank>
void require_count(std::size_t count, const extents<Rank>& shape) {
  if (static_cast<std::int64_t>(count) != shape.count())
    throw shape_error(std::to_string(count) +
                      " elements on the host do not fit an array of shape " + to_string(shape));
}
}  // namespace detail

/// Rank dimensions of elements T somewhere in device memory. As with std::span, `const` says
/// nothing about the elements.
template <class T, int Rank>
class view {
 public:
  using wavetank_expression = void;
  using value_type = T;
  static constexpr int rank = Rank;
  using strides_type = std::array<std::int64_t, Rank>;

  view() = default;
  /// What `shape` and `strides` (in elements) show from `data` on; `memory` is kept alive.
  view(std::shared_ptr<const detail::storage> memory, T* data, const extents<Rank>& shape,
       const strides_type& strides)
      : memory_(std::move(memory)), data_(data), shape_(shape), strides_(strides) {}
  view(const view&) = default;

  /// Writes the elements of `other` into those that this view shows: one kernel.
  view& operator=(const view& other) {
    set(other);
    return *this;
  }
  /// Computes `e` into the elements that this view shows: one kernel; two and an intermediate array
  /// if `e` uses elements of this view in another order.
  template <expression E>
  view& operator=(const E& e) {
    set(e);
    return *this;
  }
  template <scalar S>
  view& operator=(const S& value) {
    return fill(static_cast<T>(value));
  }
  /// What the assignments do: computes `e` into the elements that this view shows.
  template <class E>
  void set(const E& e) const {
    static_assert(std::is_convertible_v<value_type_of<E>, T>,
                  "the expression's elements do not convert to those of the array");
    static_assert(!(std::is_integral_v<T> && std::is_floating_point_v<value_type_of<E>>),
                  "fractions would be lost: assign cast<T>(expression)");
    detail::require_assignable(shape_, e.shape());
    const detail::leaf_facts facts = detail::facts_of(*this, e);
    if (!facts.in_the_way) return detail::launch_assign(*this, e, facts);
    const view values = temporary();
    values.set(e);
    set(values);
  }
  /// Sets every element.
  view& fill(const T& value) {
    set(detail::constant<T>{value});
    return *this;
  }

  const extents<Rank>& shape() const { return shape_; }
  std::int64_t extent(int dimension) const { return shape_[dimension]; }
  std::int64_t size() const { return shape_.count(); }
  const strides_type& strides() const { return strides_; }
  /// The first element, in device memory.
  T* data() const { return data_; }
  /// Whether the elements lie side by side in row-major order.
  bool is_contiguous() const { return size() <= 1 || has_strides_of_shape(); }

  /// One element on the host: a slow access that must be allowed (scalar_access.hpp).
  template <std::integral... Index>
    requires(sizeof...(Index) == Rank)
  element_reference<T> operator()(Index... index) const {
    const extents<Rank> at{index...};
    std::int64_t offset = 0;
    for (int d = 0; d < Rank; ++d) {
      if (at[d] < 0 || at[d] >= shape_[d])
        throw shape_error("element " + to_string(at) + " is outside of an array of shape " +
                          to_string(shape_));
      offset += at[d] * strides_[d];
    }
    return element_reference<T>(data_ + offset);
  }
  template <std::integral Index>
    requires(Rank == 1)
  element_reference<T> operator[](Index index) const {
    return (*this)(index);
  }

  /// Copies the elements to the host, in row-major order, to where size() of them have room.
  void copy_to(T* to) const {
    if (size() == 0) return;
    const view from = side_by_side();
    check(
        hipMemcpyAsync(to, from.data_, size() * sizeof(T), hipMemcpyDeviceToHost, current_stream()),
        "copying an array to the host");
    synchronize();
  }
  /// Copies the elements to a range on the host of the same size.
  template <std::ranges::contiguous_range Range>
    requires std::is_same_v<std::ranges::range_value_t<Range>, T>
  void copy_to(Range&& to) const {
    detail::require_count(std::ranges::size(to), shape_);
    copy_to(std::ranges::data(to));
  }
  /// Copies the elements of a range on the host, in row-major order, into this view.
  template <std::ranges::contiguous_range Range>
    requires std::is_same_v<std::ranges::range_value_t<Range>, T>
  void copy_from(const Range& from) const {
    detail::require_count(std::ranges::size(from), shape_);
    copy_from(std::ranges::data(from));
  }
  /// Copies size() elements from the host, in row-major order, into this view.
  void copy_from(const T* from) const {
    if (size() == 0) return;
    const view to = is_contiguous() ? *this : temporary();
    check(
        hipMemcpyAsync(to.data_, from, size() * sizeof(T), hipMemcpyHostToDevice, current_stream()),
        "copying an array to the device");
    if (to.data_ != data_) set(to);
    synchronize();
  }
  /// The elements on the host, in row-major order.
  std::vector<T> to_vector() const {
    if constexpr (std::is_same_v<T, bool>) {  // whose vector holds bits
      const auto values = std::make_unique<bool[]>(size());
      copy_to(values.get());
      return std::vector<bool>(values.get(), values.get() + size());
    } else {
      std::vector<T> values(size());
      copy_to(values.data());
      return values;
    }
  }

  /// What keeps the elements alive.
  const std::shared_ptr<const detail::storage>& memory() const { return memory_; }

  view as_operand() const { return *this; }
  detail::neighbours<T> lower(detail::side_by_side_t) const { return {data_}; }
  detail::leaf<T, Rank> lower(detail::anyhow_t) const {
    detail::leaf<T, Rank> result{{data_}, {}};
    for (int d = 0; d < Rank; ++d) result.strides[d] = shape_[d] == 1 ? 0 : strides_[d];
    return result;
  }
  template <class F>
  void for_each_leaf(F&& f) const {
    f(*this);
  }

 protected:
  bool has_strides_of_shape() const {
    std::int64_t step = 1;
    for (int d = Rank - 1; d >= 0; step *= shape_[d--])
      if (shape_[d] != 1 && strides_[d] != step) return false;
    return true;
  }

  /// An array of its own of this shape, without values.
  view temporary() const {
    auto memory = std::make_shared<const detail::storage>(size() * sizeof(T));
    return view(memory, static_cast<T*>(memory->data()), shape_, shape_.strides());
  }
  view side_by_side() const {
    if (is_contiguous()) return *this;
    view copy = temporary();
    copy.set(*this);
    return copy;
  }

  std::shared_ptr<const detail::storage> memory_;
  T* data_ = nullptr;
  extents<Rank> shape_{};
  strides_type strides_{};
};

}  // namespace wavetank
