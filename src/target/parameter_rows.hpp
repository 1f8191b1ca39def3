// The rows of a device description's numbers, and how structures are filled by them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "target/device.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::target {

/// All rows: those of the table, wait states, and levels of clocks.
std::span<const ParameterRow> parameter_rows();

/// The row of a number; nullptr for a name that no row has.
const ParameterRow* find_row(std::string_view name);

/// True for figures that are only shown, whatever their names and units: the section [quoted].
bool is_quoted(std::string_view name);

/// The known name that is spelled most like this one.
std::string_view nearest_name(std::string_view name);

/// What is wrong with a number: its unit, or a value out of range. Empty if nothing is.
std::string problem_with(const ParameterRow& row, const Parameter& parameter);

/// "1 to 4096", "0 or 1".
std::string range_text(const ParameterRow& row);
std::string_view text_of(Need need);

/// A number and the member of S that takes it. Members hold whatever is in the row's range.
template <class S>
struct Binding {
  using Member = std::variant<bool S::*, std::uint32_t S::*, std::uint64_t S::*, double S::*>;

  template <class T>
  consteval Binding(std::string_view name, T S::* to) : row(&row_named(name)), member(to) {
    if (std::is_same_v<T, double>) return;
    const bool fits = row->lowest >= 0 && row->type == NumberType::kWhole &&
                      row->highest <= static_cast<double>(std::numeric_limits<T>::max());
    if (!fits) throw std::invalid_argument("the member cannot hold the row's numbers");
  }

  const ParameterRow* row;
  Member member;
};

/// Fills the members of a structure. Gives what is wrong with the first number that is missing or
/// bad; empty if none is.
template <class S, std::size_t N>
std::string fill(const Device& device, const std::array<Binding<S>, N>& bindings, S& to);

/// What fill() says of a device that lacks a number.
std::string missing_text(const ParameterRow& row);

template <class S, std::size_t N>
std::string fill(const Device& device, const std::array<Binding<S>, N>& bindings, S& to) {
  for (const Binding<S>& binding : bindings) {
    const Parameter* const found = device.find(binding.row->name);
    if (found == nullptr) return missing_text(*binding.row);
    std::string problem = problem_with(*binding.row, *found);
    if (!problem.empty()) return problem;
    std::visit(
        [&](auto member) {
          to.*member = static_cast<std::remove_reference_t<decltype(to.*member)>>(found->value);
        },
        binding.member);
  }
  return {};
}

}  // namespace wavetank::target
