// Draws ops: a graph of what a run computes on a strip of 16 lanes, and the registers that it takes
// its values from and leaves them in.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "execute/jit/graph.hpp"
#include "execute/jit/row_drawing.hpp"
#include "execute/op.hpp"
#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {

/// Does an op with DPP take lanes from other rows of 16? It is drawn only where it is a run's first
/// op, and must be its only one: registers are as the run finds them in all lanes.
bool crosses_rows(const Op& op);

/// Vector registers are known by their number, lane masks by their lower SGPR.
class Sketch {
 public:
  static constexpr unsigned kVectors = 512, kScalars = isa::operand::kScalarFile;

  Sketch();
  /// Forgets everything.
  void clear();

  /// The registers that the ops drawn last touch: since clear() or forget_touched().
  struct Touched {
    std::vector<unsigned> vector_reads, vector_writes;
    std::vector<unsigned> scalar_reads;  ///< as values: each dword
    std::vector<unsigned> mask_reads, mask_writes;
  };
  const Touched& touched() const { return touched_; }
  void forget_touched() { touched_ = {}; }

  /// Draws a per-lane op of the run's place `number`. False if it has no drawing, in this form.
  bool draw(const Op& op, const isa::Row& row, unsigned number);

  /// Present values.
  Id vector(unsigned name);
  Id lane_mask(unsigned sgpr);
  /// Gives a register another value, when the op is done.
  void set_vector(unsigned name, Id value);
  void set_lane_mask(unsigned sgpr, Id value);
  void finish_op();

  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }
  /// What registers and lane masks were given, last values.
  std::span<const unsigned> written_vectors() const { return written_vectors_; }
  std::span<const unsigned> written_masks() const { return written_masks_; }
  Id value_of_vector(unsigned name) const { return vectors_[name]; }
  Id value_of_mask(unsigned sgpr) const { return masks_[sgpr]; }

 private:
  using Operands = std::array<DrawnOperand, 4>;
  DrawnOperand bits(const Op& op, unsigned source, unsigned dwords);
  DrawnOperand plain_source(const Op& op, unsigned source, isa::Type type);
  DrawnOperand packed_source(const Op& op, unsigned source, isa::Type type, bool high);
  DrawnOperand mixed_source(const Op& op, unsigned source, const reference::Parameter& parameter);
  DrawnOperand mask_source(const Op& op, unsigned source);
  DrawnOperand accumulator(const Op& op, isa::Type type, bool high_of_pair);
  Operands operands(const Op& op, const RowDrawing& drawing, bool high);
  DrawnOutcome body(const Op& op, const RowDrawing& drawing, bool high);
  Id halves_source(const Op& op, unsigned source, bool real);
  bool draw_halves(const Op& op, const RowDrawing& drawing);
  void keep(const Op& op, const RowDrawing& drawing, DrawnOutcome result);
  void keep_packed(const Op& op, const RowDrawing& drawing, DrawnOutcome low, DrawnOutcome high);
  DrawnOutcome clamped(DrawnOutcome result, isa::Type type);
  DrawnOutcome stopped_double(DrawnOutcome result);
  Id modified(Id word, unsigned sign_bit, bool absolute, bool negated);
  Id flushed(isa::Type type, Id word);
  Id half(Id word, bool high, isa::Type type);
  Id controlled(const Op& op, unsigned source, Id word);
  Id of_rows(const Op& op, Id word);
  Id valid_lanes(const Op& op);
  Id valid_rows(const Op& op);
  Id lanes_of_rows(Id rows);
  Id enabled_lanes(const Op& op);
  Id merged(const Op& op, Id result, Id old);

  Graph graph_;
  std::array<Id, kVectors> vectors_;
  std::array<Id, kScalars> masks_;
  std::vector<unsigned> written_vectors_, written_masks_;
  Touched touched_;
  struct Change {
    unsigned name;
    Id value;
  };
  std::vector<Change> vector_changes_, mask_changes_;
  bool flushes_ = false;  ///< the present op flushes f32 denormals
  /// How the present op's lanes are chosen and put together.
  enum class Control : std::uint8_t { kNone, kSdwa, kDpp } control_ = Control::kNone;
};

}  // namespace wavetank::execute::jit
