// The drawing of a per-lane row: its facts, and a function that evaluates its body on values of a
// graph.
#pragma once

#include <array>
#include <utility>

#include "execute/jit/drawn_division.hpp"
#include "execute/jit/drawn_halves.hpp"
#include "execute/reference/lane_row.hpp"

namespace wavetank::execute::jit {

/// A parameter's words, or its mask as the low one.
struct DrawnOperand {
  Id low = 0, high = 0;
};
/// What a body gave: words of the result, the upper one of 64 bits only, and its mask.
struct DrawnOutcome {
  Id low = kNoValue, high = kNoValue, mask = kNoValue;
};
using DrawRow = DrawnOutcome (*)(const std::array<DrawnOperand, 4>&);

struct RowDrawing {
  reference::LaneRow row;
  DrawRow draw = nullptr;
  DrawRow saturating = nullptr;  ///< under the clamp bit of an integer row
  /// Of packed rows both halves of words at once; nullptr where the body has no such form.
  DrawRow halves = nullptr;
  DrawRow saturating_halves = nullptr;
};

template <class P>
auto drawn_input(const DrawnOperand& operand) {
  using Value = typename reference::ParameterOf<P>::Value;
  if constexpr (std::is_same_v<Value, isa::Mask>) {
    return DrawnMask{operand.low};
  } else if constexpr (std::is_same_v<Value, F64>) {
    return Drawn<F64>(graph().make(Do::kJoin, Kind::kDouble, operand.low, operand.high));
  } else {
    return Drawn<Value>(operand.low, operand.high);
  }
}

inline DrawnOutcome outcome(DrawnMask mask) { return {kNoValue, kNoValue, mask.id}; }
template <class T>
DrawnOutcome outcome(Drawn<T> value) {
  if constexpr (std::is_same_v<T, F64>) {
    return {word_of(Do::kLow, value.id), word_of(Do::kHigh, value.id), kNoValue};
  } else {
    return {value.id, kIsTwoWords<T> ? value.high : kNoValue, kNoValue};
  }
}
template <class T>
DrawnOutcome outcome(isa::Masked<Drawn<T>, DrawnMask> both) {
  DrawnOutcome result = outcome(both.value);
  result.mask = both.mask.id;
  return result;
}

template <class Body, class... P>
DrawnOutcome draw_body(const std::array<DrawnOperand, 4>& operands) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return outcome(Body{}(drawn_input<P>(operands[I])...));
  }(std::index_sequence_for<P...>());
}

/// The same of both halves.
template <class Body, class... P>
DrawnOutcome draw_halves(const std::array<DrawnOperand, 4>& operands) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    using reference::ParameterOf;
    const auto result = Body{}(DrawnHalves<typename ParameterOf<P>::Value>(operands[I].low)...);
    return DrawnOutcome{result.id, kNoValue, kNoValue};
  }(std::index_sequence_for<P...>());
}
/// nullptr if the body gives no halves.
template <class Body, class R, class... P>
constexpr DrawRow halves_form() {
  if constexpr (std::is_void_v<Body>) {
    return nullptr;
  } else {
    using Result =
        std::invoke_result_t<Body, DrawnHalves<typename reference::ParameterOf<P>::Value>...>;
    if constexpr (std::is_same_v<Result, DrawnHalves<R>>) return draw_halves<Body, P...>;
    return nullptr;
  }
}

template <class Definition, class Signature>
struct RowDrawingOf;
template <class Definition, class R, class... P>
struct RowDrawingOf<Definition, R(P...)> {
  static constexpr RowDrawing drawing() {
    using Saturating = typename Definition::SaturatingBody;
    RowDrawing result{reference::LaneRowOf<Definition, R(P...)>::facts(),
                      draw_body<typename Definition::Body, P...>};
    if constexpr (!std::is_void_v<Saturating>) result.saturating = draw_body<Saturating, P...>;
    constexpr bool packed = Definition::shape == isa::Shape::kPacked;
    if constexpr (packed && kIsHalfWord<R>) {
      result.halves = halves_form<typename Definition::Body, R, P...>();
      result.saturating_halves = halves_form<Saturating, R, P...>();
    }
    return result;
  }
  static constexpr RowDrawing kDrawing = drawing();
};

/// The drawing of a row of the catalogue; nullptr if it is not per lane, or writes EXEC.
const RowDrawing* drawing_of(const isa::Row& row);

/// Collects the drawings of tables' lines.
class Drawings {
 public:
  virtual ~Drawings() = default;
  virtual void add(const isa::Row& line, const RowDrawing& drawing) = 0;

  template <class Tables>
  void add_lines(const Tables& tables) {
    isa::for_each_line(tables, [&]<class Line>(const Line& line) {
      if (!line.row.exec_result) {
        add(line.row, RowDrawingOf<Line, typename Line::Signature>::kDrawing);
      }
    });
  }
};

}  // namespace wavetank::execute::jit
