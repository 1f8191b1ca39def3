// Arrays as text: a line with shape and type, then the elements in columns; long ones are shortened
// in the middle. `std::cout << a`.
#pragma once

#include <charconv>
#include <complex>
#include <ostream>

#include "array.hpp"

namespace wavetank {

/// The name of an element type, as declarations write it: "float", "int64_t".
template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else if constexpr (std::is_same_v<T, float>)
    return "float";
  else if constexpr (std::is_same_v<T, double>)
    return "double";
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return "std::complex<float>";
  else if constexpr (std::is_same_v<T, std::complex<double>>)
    return "std::complex<double>";
  else if constexpr (std::is_same_v<T, int>)
    return "int";
  else if constexpr (std::is_integral_v<T>)
    return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T)) + "_t";
  else
    return "struct of " + std::to_string(sizeof(T)) + " bytes";
}

namespace detail {

/// The shortest text that reads back as the same number; fractions always show that they are some.
template <class T>
std::string element_text(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    std::string result(text, end);
    if (result.find_first_of(".en") == std::string::npos) result += ".0";
    return result;
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (requires { value.real() + value.imag(); }) {
    const std::string imaginary = element_text(value.imag());
    return element_text(value.real()) + (imaginary[0] == '-' ? "" : "+") + imaginary + "i";
  } else {
    return "?";
  }
}

/// How many first and last entries of `count` are shown, if not all are.
struct shown_part {
  std::int64_t first, last;
  shown_part(std::int64_t count, std::int64_t most_first, std::int64_t most_last)
      : first(count), last(0) {
    if (count > most_first + most_last + 1) first = most_first, last = most_last;
  }
  std::int64_t rows() const { return first + last; }
  bool cut() const { return last != 0; }
};
inline constexpr int kFirstRows = 13, kLastRows = 12, kFirstColumns = 7, kLastColumns = 6;

/// Cells of a column, aligned at the decimal point.
inline void align_column(std::vector<std::string>& cells) {
  const auto point = [](const std::string& cell) {
    return std::min(cell.find_first_of(".e+i", 1), cell.size());
  };
  std::size_t left = 0, width = 0;
  for (const std::string& cell : cells) left = std::max(left, point(cell));
  for (std::string& cell : cells) {
    cell.insert(0, left - point(cell), ' ');
    width = std::max(width, cell.size());
  }
  for (std::string& cell : cells) cell.append(width - cell.size(), ' ');
}

/// Rows of a matrix of texts, given by cell(row, column).
template <class Cell>
std::string matrix_text(std::int64_t rows, std::int64_t columns, Cell&& cell) {
  const shown_part row_part(rows, kFirstRows, kLastRows);
  const shown_part column_part(columns, kFirstColumns, kLastColumns);
  const auto at = [](const shown_part& part, std::int64_t n, std::int64_t count) {
    return n < part.first ? n : count - part.rows() + n;
  };
  std::vector<std::string> lines(row_part.rows());
  for (std::int64_t c = 0; c < column_part.rows(); ++c) {
    std::vector<std::string> cells;
    for (std::int64_t r = 0; r < row_part.rows(); ++r)
      cells.push_back(cell(at(row_part, r, rows), at(column_part, c, columns)));
    align_column(cells);
    for (std::size_t r = 0; r < cells.size(); ++r) {
      if (column_part.cut() && c == column_part.first) lines[r] += r % 10 ? "   " : "  …";
      lines[r] += (c ? "  " : " ") + cells[r];
    }
  }
  std::string text;
  for (std::int64_t r = 0; r < row_part.rows(); ++r) {
    if (row_part.cut() && r == row_part.first) text += "\n ⋮";
    lines[r].erase(lines[r].find_last_not_of(' ') + 1);
    text += "\n" + lines[r];
  }
  return text;
}

}  // namespace detail

/// An array as text.
template <class T, int Rank>
std::string to_string(const view<T, Rank>& a) {
  const auto element = [values = a.to_vector()](std::int64_t n) {
    return detail::element_text(static_cast<T>(values[n]));
  };
  const std::string type = " array<" + type_name<T>() + ", " + std::to_string(Rank) + ">";
  if constexpr (Rank == 1) {
    return std::to_string(a.size()) + "-element" + type + (a.size() ? ":" : "") +
           detail::matrix_text(a.size(), 1, [&](auto r, auto) { return element(r); });
  } else {
    std::string text;
    for (int d = 0; d < Rank; ++d) text += (d ? "×" : "") + std::to_string(a.extent(d));
    text += type + (a.size() ? ":" : "");
    const std::int64_t rows = a.extent(Rank - 2), columns = a.extent(Rank - 1);
    const std::int64_t matrices = a.size() == 0 ? 0 : a.size() / (rows * columns);
    for (std::int64_t m = 0; m < matrices; ++m) {
      if (Rank > 2) text += "\nmatrix " + std::to_string(m) + ":";
      text += detail::matrix_text(
          rows, columns, [&](auto r, auto c) { return element((m * rows + r) * columns + c); });
    }
    return text;
  }
}

/// The values of an expression as text; where it is no array, they are computed for it.
template <expression E>
std::string to_string(const E& e) {
  using View = view<value_type_of<E>, E::rank>;
  if constexpr (std::is_convertible_v<const E&, const View&>)
    return to_string(static_cast<const View&>(e));
  else
    return to_string(static_cast<const View&>(evaluate(e)));
}

template <expression E>
std::ostream& operator<<(std::ostream& out, const E& e) {
  return out << to_string(e);
}

}  // namespace wavetank
