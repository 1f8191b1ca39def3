#include "execute/jit/mask_ops.hpp"

#include "execute/jit/scalar_rows.hpp"
#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

/// The lane mask that a value of the scalar graph is; kNoValue if it is none.
Id lanes_of_scalar(Sketch& sketch, const Graph& scalar, Id id) {
  const Node& node = scalar[id];
  if (node.kind != Kind::kLong) return kNoValue;
  Graph& graph = sketch.graph();
  const auto sgpr = static_cast<unsigned>(node.bits / 4);
  switch (node.what) {
    case Do::kConstant:
      if (node.bits == ~std::uint64_t{0}) return graph.leaf(Do::kAll, Kind::kMask);
      return node.bits == 0 ? graph.leaf(Do::kNone, Kind::kMask) : kNoValue;
    case Do::kScalar:
      if (sgpr + 1 >= Sketch::kScalars || sgpr % 2 != 0) return kNoValue;
      return sketch.lane_mask(sgpr);
    case Do::kAnd:
    case Do::kOr:
    case Do::kXor: break;
    default: return kNoValue;
  }
  const Id a = lanes_of_scalar(sketch, scalar, node.in[0]);
  const Id b = lanes_of_scalar(sketch, scalar, node.in[1]);
  if (a == kNoValue || b == kNoValue) return kNoValue;
  const Do what = node.what == Do::kAnd  ? Do::kMaskAnd
                  : node.what == Do::kOr ? Do::kMaskOr
                                         : Do::kMaskXor;
  return graph.mask_of(what, a, b);
}

}  // namespace

bool draw_mask_op(Sketch& sketch, ScalarSketch& scalar, const Op& op, unsigned number) {
  const isa::Row& row = row_of(op);
  if (row.unit != isa::Unit::kSalu || row.pause != isa::Pause::kNone) return false;
  if (!draw_scalar(scalar, op, row) || scalar.result == kNoValue) return false;
  if (scalar.exec != kNoValue || scalar.jumps != kNoValue || scalar.lane != kNoValue) return false;
  if (!is_used_by_name(op.dst / 4)) return false;
  sketch.graph().set_op(static_cast<std::uint16_t>(number));
  const Id mask = lanes_of_scalar(sketch, scalar.graph, scalar.result);
  if (mask == kNoValue) return false;
  sketch.set_lane_mask(op.dst / 4, mask);
  sketch.finish_op();
  return !sketch.graph().full();
}

}  // namespace wavetank::execute::jit
