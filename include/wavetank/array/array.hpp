// The container: an array in device memory. `array<float, 2> a(extents{10, 20});`
#pragma once

#include <initializer_list>

#include "view.hpp"

namespace wavetank {

/// What std::mdspan offers, and what looks like it.
template <class M>
concept mdspan_like = !expression<M> && requires(const M& m) {
  { M::rank() } -> std::convertible_to<std::size_t>;
  m.extent(std::size_t{});
  m.stride(std::size_t{});
  *m.data_handle();
};

/// Rank dimensions of T in device memory of its own, row-major and without gaps. Copying an array
/// copies its elements; moving hands them over. Slices and other arrangements are views.
template <class T, int Rank = 1>
class array : public view<T, Rank> {
  static_assert(Rank >= 1, "an array has at least one dimension");
  static_assert(std::is_trivially_copyable_v<T>, "the elements of an array are copied as bytes");

 public:
  array() = default;
  /// Elements that nobody has set.
  explicit array(const extents<Rank>& shape) { allocate(shape); }
  /// The elements of a list, copied to the device.
  array(std::initializer_list<T> values)
    requires(Rank == 1)
      : array(extents<1>{values.size()}) {
    this->copy_from(std::data(values));
  }
  /// The rows of a list, which must have the same length.
  array(std::initializer_list<std::initializer_list<T>> rows)
    requires(Rank == 2)
      : array(extents<2>{rows.size(), rows.size() ? rows.begin()->size() : 0}) {
    std::vector<T> values;
    for (const auto& row : rows) {
      if (static_cast<std::int64_t>(row.size()) != this->extent(1))
        throw shape_error("the rows of a matrix have " + std::to_string(this->extent(1)) + " and " +
                          std::to_string(row.size()) + " elements");
      values.insert(values.end(), row.begin(), row.end());
    }
    this->copy_from(values);
  }
  /// The elements of a contiguous range on the host, copied to the device.
  template <std::ranges::contiguous_range Range>
    requires(Rank == 1 && !expression<Range> &&
             std::is_same_v<std::ranges::range_value_t<Range>, T>)
  explicit array(const Range& values) : array(extents<1>{std::ranges::size(values)}) {
    this->copy_from(values);
  }
  /// The elements of a contiguous range on the host, in row-major order, as an array of `shape`.
  template <std::ranges::contiguous_range Range>
    requires(!expression<Range> && std::is_same_v<std::ranges::range_value_t<Range>, T>)
  array(const Range& values, const extents<Rank>& shape) : array(shape) {
    this->copy_from(values);
  }
  /// The elements of a std::mdspan on the host, copied to the device.
  template <mdspan_like Span>
    requires(Span::rank() == Rank)
  explicit array(const Span& values) {
    extents<Rank> shape;
    for (int d = 0; d < Rank; ++d) shape[d] = values.extent(d);
    std::vector<T> gathered;
    detail::for_each_offset(shape, [&](const auto& at) {
      std::int64_t offset = 0;
      for (int d = 0; d < Rank; ++d) offset += at[d] * static_cast<std::int64_t>(values.stride(d));
      gathered.push_back(values.data_handle()[offset]);
    });
    allocate(shape);
    this->copy_from(gathered);
  }
  /// The values of an expression: one kernel, one allocation.
  template <expression E>
  array(const E& e) : array(e.shape()) {
    this->set(e);
  }
  array(const array& other) : view<T, Rank>() { *this = other; }
  array(array&& other) noexcept : view<T, Rank>() { swap(other); }

  /// Takes over the shape and the elements of `other`.
  array& operator=(const array& other) {
    if (this == &other) return *this;
    if (this->shape_ != other.shape_ || !this->memory_) allocate(other.shape_);
    if (this->size() != 0) this->set(static_cast<const view<T, Rank>&>(other));
    return *this;
  }
  array& operator=(array&& other) noexcept {
    swap(other);
    return *this;
  }
  /// Computes `e` into this array: one kernel, in place also where `e` uses this array. The shape
  /// stays; an array that was only declared takes that of `e`.
  template <expression E>
  array& operator=(const E& e) {
    if constexpr (E::rank == Rank)
      if (!this->memory_) allocate(e.shape());
    this->set(e);
    return *this;
  }
  /// Sets every element.
  template <scalar S>
  array& operator=(const S& value) {
    this->fill(static_cast<T>(value));
    return *this;
  }

 private:
  void allocate(const extents<Rank>& shape) {
    detail::require_extents(shape);
    this->memory_ = std::make_shared<const detail::storage>(shape.count() * sizeof(T));
    this->data_ = static_cast<T*>(this->memory_->data());
    this->shape_ = shape;
    this->strides_ = shape.strides();
  }
  void swap(array& other) noexcept {
    std::swap(this->memory_, other.memory_);
    std::swap(this->data_, other.data_);
    std::swap(this->shape_, other.shape_);
    std::swap(this->strides_, other.strides_);
  }
};

template <class T>
array(std::initializer_list<T>) -> array<T, 1>;
template <class T>
array(std::initializer_list<std::initializer_list<T>>) -> array<T, 2>;
template <expression E>
array(const E&) -> array<value_type_of<E>, E::rank>;
template <std::ranges::contiguous_range Range>
  requires(!expression<Range>)
array(const Range&) -> array<std::ranges::range_value_t<Range>, 1>;
template <std::ranges::contiguous_range Range, int Rank>
array(const Range&, const extents<Rank>&) -> array<std::ranges::range_value_t<Range>, Rank>;

/// An array with the values of `e`.
template <expression E>
array<value_type_of<E>, E::rank> evaluate(const E& e) {
  return array<value_type_of<E>, E::rank>(e);
}

}  // namespace wavetank
