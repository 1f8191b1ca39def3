// A list of values of different types, as std::tuple is one. Tables of instructions have hundreds
// of lines, each of its own type, for which a tuple's constructors take the compiler half of the
// time of a source that includes them.
#pragma once

#include <cstddef>
#include <utility>

namespace wavetank::isa {

template <std::size_t kIndex, class T>
struct ListItem {
  T value;
};

template <class Indices, class... T>
struct ListOf;
template <std::size_t... kIndex, class... T>
struct ListOf<std::index_sequence<kIndex...>, T...> : ListItem<kIndex, T>... {
  constexpr explicit ListOf(const T&... value) : ListItem<kIndex, T>{value}... {}

  static constexpr std::size_t kSize = sizeof...(T);
  /// Calls f with all values.
  template <class F>
  constexpr decltype(auto) apply(F f) const {
    return f(static_cast<const ListItem<kIndex, T>&>(*this).value...);
  }
};

template <class... T>
struct List : ListOf<std::index_sequence_for<T...>, T...> {
  using ListOf<std::index_sequence_for<T...>, T...>::ListOf;
};
template <class... T>
List(const T&...) -> List<T...>;

/// The value at an index.
template <std::size_t kIndex, class T>
constexpr const T& get(const ListItem<kIndex, T>& item) {
  return item.value;
}

}  // namespace wavetank::isa
