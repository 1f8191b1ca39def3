#include "execute/jit/scalar_rows.hpp"

#include <type_traits>
#include <utility>
#include <vector>

#include "execute/row_index.hpp"
#include "execute/scalar_parameter.hpp"
#include "isa/catalogue.hpp"
#include "isa/sop.hpp"
#include "isa/sopp.hpp"
#include "isa/whole_wave.hpp"

namespace wavetank::execute::jit {

/// Of bodies of s_brev: halves change places, then theirs. Compilers write constants so.
template <class T>
DrawnScalar<T> reversed(DrawnScalar<T> a) {
  using Bits = typename T::Bits;
  const Node& known = scalar_graph()[a.id];
  if (known.what == Do::kConstant) {
    return DrawnScalar<T>(isa::reversed(static_cast<Bits>(known.bits)));
  }
  auto places = static_cast<Bits>(~Bits{0});
  for (int step = 4 * sizeof(Bits); step > 0; step /= 2) {
    places ^= static_cast<Bits>(places << step);
    const DrawnScalar<T> lower(places);
    a = ((a >> step) & lower) | ((a & lower) << step);
  }
  return a;
}

namespace {

using Draw = void (*)(const Op&);

template <class P>
auto operand(const Op& op, unsigned source) {
  using V = DrawnScalar<typename ScalarParameter<P>::Value>;
  if (!ScalarParameter<P>::encoded) return V(scalar_graph().leaf(Do::kScalar, V::kKind, op.dst));
  if (op.kind[source] == Source::kConstant) return V(op.constant[source]);
  return V(scalar_graph().leaf(Do::kScalar, V::kKind, op.src[source]));
}

template <class Definition, class Signature>
struct ScalarDrawing;
template <class Definition, class R, class... P>
struct ScalarDrawing<Definition, R(P...)> {
  template <std::size_t... I>
  static void draw_with(const Op& op, std::index_sequence<I...>) {
    DrawnWave wave;
    const auto call = [&] {
      return typename Definition::Body{}(wave, operand<P>(op, source_of_parameter<P...>(I))...);
    };
    if constexpr (std::is_void_v<R>) {
      call();
    } else {
      scalar_pen->result = extended<R>(call()).id;
    }
  }
  static void draw(const Op& op) { draw_with(op, std::index_sequence_for<P...>{}); }
};

/// The lanes of an op that reads or writes one of them; those of all are not drawn.
class DrawnLanes {
 public:
  using Word = DrawnScalar<isa::U32>;
  explicit DrawnLanes(const Op& op) : op_(op) {}

  static DrawnScalar<isa::U64> exec() { return DrawnWave().exec(); }
  Word uniform(unsigned index) const {
    if (op_.kind[index] == Source::kVector) return source(index, Word(0));
    return operand<isa::U32>(op_, index);
  }
  Word source(unsigned index, Word lane) const {
    if (op_.kind[index] != Source::kVector) return uniform(index);
    return Word(scalar_graph().make(Do::kLaneOf, Kind::kWord, lane.id, kNoValue, kNoValue, 0,
                                    op_.src[index]));
  }
  void set(Word lane, Word value) {
    scalar_pen->lane = lane.id;
    scalar_pen->lane_value = value.id;
  }
  void set_scalar(Word value) { scalar_pen->result = value.id; }

  template <class Visit>
  void for_each(Visit) {
    scalar_pen->declined = true;
  }
  Word result(unsigned) const { return declined(Word(0)); }
  void set_source(unsigned, unsigned, Word) { scalar_pen->declined = true; }

 private:
  const Op& op_;
};

template <class Definition>
void draw_lanes(const Op& op) {
  DrawnLanes lanes(op);
  typename Definition::Body{}(lanes);
}

/// A branch at a distance that the instruction holds.
template <class Definition>
void draw_branch(const Op&) {
  DrawnWave wave;
  const DrawnOp op;
  typename Definition::Body{}(wave, &op);
}

/// Drawings by row number.
class Index {
 public:
  Index() : rows_(isa::catalogue().size()), branches_(isa::catalogue().size()) {
    isa::for_each_line(isa::kSopTables, [&]<class Line>(const Line& line) {
      const auto id = id_of_line(line.row);
      if (id) rows_[*id] = ScalarDrawing<Line, typename Line::Signature>::draw;
    });
    isa::for_each_line(isa::kWholeWaveTables, [&]<class Line>(const Line& line) {
      if (const auto id = id_of_line(line.row)) rows_[*id] = draw_lanes<Line>;
    });
    isa::for_each_line(isa::kSoppTables, [&]<class Line>(const Line& line) {
      if constexpr (std::is_same_v<typename Line::Signature, void(isa::BranchOffset)>) {
        if (const auto id = id_of_line(line.row)) branches_[*id] = draw_branch<Line>;
      }
    });
    forget_declined();
  }
  Draw row(const isa::Row& row) const { return rows_[row.id]; }
  Draw branch(const isa::Row& row) const { return branches_[row.id]; }

 private:
  /// Rows that ask for what cannot be drawn do so whatever their operands are.
  void forget_declined() {
    ScalarSketch sketch;
    for (Draw& draw : rows_) {
      if (draw == nullptr) continue;
      sketch.clear();
      scalar_pen = &sketch;
      draw(Op());
      const bool does_something = sketch.result != kNoValue || sketch.scc != kNoValue ||
                                  sketch.exec != kNoValue || sketch.lane != kNoValue;
      if (sketch.declined || !does_something) draw = nullptr;
    }
  }

  std::vector<Draw> rows_, branches_;
};

const Index& index() {
  static const auto& rows = *new Index;
  return rows;
}

}  // namespace

bool draw_scalar(ScalarSketch& sketch, const Op& op, const isa::Row& row) {
  const Draw branch = index().branch(row);
  const Draw draw = branch != nullptr ? branch : index().row(row);
  if (draw == nullptr) return false;
  sketch.clear();
  scalar_pen = &sketch;
  draw(op);
  return branch == nullptr || sketch.jumps != kNoValue;
}

bool is_used_by_name(unsigned sgpr) {
  return sgpr + 2 <= isa::operand::kFlatScratch || sgpr == isa::operand::kVcc;
}

bool draws_scalar(const isa::Row& row) { return index().row(row) != nullptr; }

}  // namespace wavetank::execute::jit
