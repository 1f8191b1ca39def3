#include "execute/jit/sketch.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "execute/lane_control.hpp"
#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

using isa::Type;
using reference::From;
using reference::To;

bool bit(unsigned bits, unsigned index) { return ((bits >> index) & 1) != 0; }
bool is_half(Type type) { return type == Type::kU16 || type == Type::kI16 || type == Type::kF16; }

/// Where the lanes of a row of 16 come from, four bits each, and which of them come from anywhere.
struct DppRow {
  std::uint64_t from = 0;
  std::uint32_t exists = 0;
  explicit DppRow(unsigned ctrl) {
    for (unsigned lane = 0; lane < 16; ++lane) {
      const int chosen = dpp_source_lane(ctrl, lane);
      from |= std::uint64_t{chosen < 0 ? lane : static_cast<unsigned>(chosen)} << (4 * lane);
      if (chosen >= 0) exists |= 1u << lane;
    }
  }
};

/// Does DPP take each row's lanes from the same row?
bool stays_in_rows(unsigned ctrl) {
  constexpr unsigned kQuads = 0xff, kRowShift = 0x100, kPastRotation = 0x130, kMirror = 0x140,
                     kHalfMirror = 0x141, kNewBroadcast = 0x150;
  const bool shifts = ctrl >= kRowShift && ctrl < kPastRotation;
  return ctrl <= kQuads || shifts || ctrl == kMirror || ctrl == kHalfMirror ||
         (ctrl & ~15u) == kNewBroadcast;
}

/// The lanes that rows take, where each takes one or its own (row_bcast).
std::optional<RowSource> row_source(unsigned ctrl) {
  RowSource source;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    const auto from = static_cast<unsigned>(dpp_source_lane(ctrl, lane));
    const auto chosen = static_cast<std::uint8_t>(from == lane ? RowSource::kOwnLanes : from);
    if (lane % 16 == 0) source.lane_of[lane / 16] = chosen;
    if (source.lane_of[lane / 16] != chosen) return std::nullopt;
  }
  return source;
}

void note(std::vector<unsigned>& list, unsigned name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

}  // namespace

bool crosses_rows(const Op& op) { return op.run == run_dpp && !stays_in_rows(op.lanes.dpp_ctrl); }

Sketch::Sketch() { clear(); }

void Sketch::clear() {
  graph_.clear();
  vectors_.fill(kNoValue);
  masks_.fill(kNoValue);
  written_vectors_.clear();
  written_masks_.clear();
  forget_touched();
}

// ---- registers

Id Sketch::vector(unsigned name) {
  note(touched_.vector_reads, name);
  Id& value = vectors_[name % kVectors];
  if (value == kNoValue) value = graph_.leaf(Do::kRegister, Kind::kWord, name);
  return value;
}
Id Sketch::lane_mask(unsigned sgpr) {
  note(touched_.mask_reads, sgpr);
  Id& value = masks_[sgpr % kScalars];
  if (value == kNoValue) value = graph_.leaf(Do::kLaneMask, Kind::kMask, sgpr);
  return value;
}
void Sketch::set_vector(unsigned name, Id value) {
  note(touched_.vector_writes, name);
  vector_changes_.push_back({name, value});
}
void Sketch::set_lane_mask(unsigned sgpr, Id value) {
  note(touched_.mask_writes, sgpr);
  mask_changes_.push_back({sgpr, value});
}
void Sketch::finish_op() {
  for (const Change& change : vector_changes_) {
    vectors_[change.name % kVectors] = change.value;
    note(written_vectors_, change.name);
  }
  for (const Change& change : mask_changes_) {
    masks_[change.name % kScalars] = change.value;
    note(written_masks_, change.name);
  }
  vector_changes_.clear();
  mask_changes_.clear();
}

// ---- sources

/// A source's words.
DrawnOperand Sketch::bits(const Op& op, unsigned source, unsigned dwords) {
  const bool two = dwords == 2;
  DrawnOperand value;
  switch (op.kind[source]) {
    case Source::kVector: {
      const unsigned name = op.src[source] / machine::kRegisterBytes;
      value = {vector(name), two ? vector(name + 1) : Id{0}};
      break;
    }
    case Source::kScalar: {
      const std::uint32_t offset = op.src[source];
      for (unsigned i = 0; i < dwords && offset / 4 + i < kScalars; ++i) {
        note(touched_.scalar_reads, offset / 4 + i);
      }
      value = {graph_.leaf(Do::kScalar, Kind::kWord, offset),
               two ? graph_.leaf(Do::kScalar, Kind::kWord, offset + 4) : Id{0}};
      break;
    }
    case Source::kConstant: {
      const std::uint64_t constant =
          control_ == Control::kSdwa ? op.src[source] : op.constant[source];
      value = {graph_.word(static_cast<std::uint32_t>(constant)),
               two ? graph_.word(static_cast<std::uint32_t>(constant >> 32)) : Id{0}};
      break;
    }
  }
  value.low = controlled(op, source, value.low);
  if (two) value.high = controlled(op, source, value.high);
  return value;
}

/// The lanes or bits that DPP or SDWA choose of a source's word.
Id Sketch::controlled(const Op& op, unsigned source, Id word) {
  if (control_ == Control::kDpp && source == 0) {
    if (crosses_rows(op)) return graph_.select(valid_lanes(op), of_rows(op, word), graph_.word(0));
    const std::uint64_t from = DppRow(op.lanes.dpp_ctrl).from;
    const Id moved = graph_.make(Do::kPermute, Kind::kWord, word, kNoValue, kNoValue, 0, from);
    return graph_.select(valid_lanes(op), moved, graph_.word(0));
  }
  if (control_ != Control::kSdwa || source > 1) return word;
  const unsigned select = source == 0 ? op.lanes.src0_sel : op.lanes.src1_sel;
  const SdwaField field(select);
  const Id up = graph_.word_of(Do::kShl, word, graph_.word(32 - field.shift - field.width));
  const Id down = graph_.word(32 - field.width);
  if (bit(op.lanes.sext, source)) return graph_.word_of(Do::kSar, up, down);
  if (field.width == 32) return word;
  const Id lower = graph_.word_of(Do::kShr, word, graph_.word(field.shift));
  return graph_.word_of(Do::kAnd, lower, graph_.word((1u << field.width) - 1));
}

/// What an op that crosses rows takes of a register.
Id Sketch::of_rows(const Op& op, Id word) {
  RowSource source = *row_source(op.lanes.dpp_ctrl);
  source.name = static_cast<unsigned>(graph_[word].bits);
  return graph_.leaf(Do::kRowSource, Kind::kWord, source.bits());
}

/// Lanes whose source lane exists and is active, as far as they are active themselves.
Id Sketch::valid_lanes(const Op& op) {
  const Id active = graph_.leaf(Do::kActive, Kind::kMask);
  if (crosses_rows(op)) return graph_.all_active() ? active : lanes_of_rows(valid_rows(op));
  const DppRow row(op.lanes.dpp_ctrl);
  const Id moved =
      graph_.make(Do::kPermuteMask, Kind::kMask, active, kNoValue, kNoValue, 0, row.from);
  return graph_.mask_of(Do::kMaskAnd, moved, graph_.lanes(row.exists));
}
/// A bit for each row: EXEC's of the lane that it takes, or 1 of its own.
Id Sketch::valid_rows(const Op& op) {
  const RowSource source = *row_source(op.lanes.dpp_ctrl);
  std::uint32_t own = 0;
  Id rows = graph_.word(0);
  for (unsigned row = 0; row < source.lane_of.size(); ++row) {
    const unsigned from = source.lane_of[row];
    if (from == RowSource::kOwnLanes) {
      own |= 1u << row;
      continue;
    }
    const Id exec = graph_.leaf(Do::kScalar, Kind::kWord, 4 * (isa::operand::kExec + from / 32));
    const Id shifted = graph_.word_of(Do::kShr, exec, graph_.word(from % 32));
    const Id is_active = graph_.word_of(Do::kAnd, shifted, graph_.word(1));
    rows = graph_.word_of(Do::kOr, rows, graph_.word_of(Do::kShl, is_active, graph_.word(row)));
  }
  return graph_.word_of(Do::kOr, rows, graph_.word(own));
}
/// The lanes of some rows, a bit each.
Id Sketch::lanes_of_rows(Id rows) {
  if (graph_.is(rows, 0xf)) return graph_.leaf(Do::kAll, Kind::kMask);
  const Id lane = graph_.word_of(Do::kLaneNumber, kNoValue);
  const Id row = graph_.word_of(Do::kShr, lane, graph_.word(4));
  const Id bit = graph_.word_of(Do::kAnd, graph_.word_of(Do::kShr, rows, row), graph_.word(1));
  return graph_.compare(Do::kCompare, Predicate::kNotEqual, bit, graph_.word(0));
}
/// Lanes that an op with DPP writes, if they are active.
Id Sketch::enabled_lanes(const Op& op) {
  std::uint32_t banks = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if (bit(op.lanes.bank_mask, i)) banks |= 0xfu << (4 * i);
  }
  const Id rows = lanes_of_rows(graph_.word(op.lanes.row_mask));
  const Id selected = graph_.mask_of(Do::kMaskAnd, graph_.lanes(banks), rows);
  return op.lanes.bound_ctrl ? selected : graph_.mask_of(Do::kMaskAnd, selected, valid_lanes(op));
}

Id Sketch::modified(Id word, unsigned sign_bit, bool absolute, bool negated) {
  if (absolute) word = graph_.word_of(Do::kAnd, word, graph_.word(sign_bit - 1));
  if (negated) word = graph_.word_of(Do::kXor, word, graph_.word(sign_bit));
  return word;
}

/// An f32 on its way into a row or out of it, as the op's MODE has it.
Id Sketch::flushed(Type type, Id word) {
  if (!flushes_ || (type != Type::kF32 && type != Type::kPkF32)) return word;
  return jit::flushed(Drawn<F32>(word)).id;
}

Id Sketch::half(Id word, bool high, Type type) {
  const Id places = graph_.word(16);
  if (type == Type::kI16) {
    if (!high) word = graph_.word_of(Do::kShl, word, places);
    return graph_.word_of(Do::kSar, word, places);
  }
  return high ? graph_.word_of(Do::kShr, word, places)
              : graph_.word_of(Do::kAnd, word, graph_.word(0xffff));
}

/// A source of an ordinary row.
DrawnOperand Sketch::plain_source(const Op& op, unsigned source, Type type) {
  DrawnOperand value = bits(op, source, isa::dwords_of(type));
  const bool absolute = bit(op.abs, source), negated = bit(op.neg, source);
  if (is_half(type)) {
    value.low = half(value.low, bit(op.op_sel, source), type);
    if (type == Type::kF16) value.low = modified(value.low, 0x8000u, absolute, negated);
  } else if (type == Type::kF32) {
    value.low = modified(flushed(type, value.low), 0x80000000u, absolute, negated);
  } else if (type == Type::kF64) {
    value.high = modified(value.high, 0x80000000u, absolute, negated);
  }
  return value;
}

/// The low or high half (of f32: register) of a packed source.
DrawnOperand Sketch::packed_source(const Op& op, unsigned source, Type type, bool high_result) {
  const bool high = bit(high_result ? op.op_sel_hi : op.op_sel, source);
  const bool negated = bit(high_result ? op.abs : op.neg, source);
  if (is_half(type)) {
    const Id chosen = half(bits(op, source, 1).low, high, type);
    return {type == Type::kF16 ? modified(chosen, 0x8000u, false, negated) : chosen, 0};
  }
  // The register that is not chosen is not read.
  Op one = op;
  if (high && op.kind[source] != Source::kConstant) {
    one.src[source] += op.kind[source] == Source::kVector ? machine::kRegisterBytes : 4;
  } else if (high) {
    one.constant[source] >>= 32;
  }
  const bool flips = negated && type == Type::kF32;
  return {modified(flushed(type, bits(one, source, 1).low), 0x80000000u, false, flips), 0};
}

DrawnOperand Sketch::mixed_source(const Op& op, unsigned source,
                                  const reference::Parameter& parameter) {
  if (parameter.from == From::kWord) return packed_source(op, source, Type::kU32, false);
  const Id whole = bits(op, source, 1).low;
  if (parameter.from == From::kMix) {
    const bool absolute = bit(op.abs, source), negated = bit(op.neg, source);
    if (!bit(op.op_sel_hi, source)) {
      return {modified(flushed(Type::kF32, whole), 0x80000000u, absolute, negated), 0};
    }
    const Id chosen = half(whole, bit(op.op_sel, source), Type::kF16);
    return {graph_.word_of(Do::kFloatOfHalf, modified(chosen, 0x8000u, absolute, negated)), 0};
  }
  return {halves_source(op, source, parameter.type == Type::kPkF16), 0};
}

/// The halves of a source that op_sel and op_sel_hi name, in one word.
Id Sketch::halves_source(const Op& op, unsigned source, bool real) {
  Id word = bits(op, source, 1).low;
  const bool low_is_high = bit(op.op_sel, source), high_is_high = bit(op.op_sel_hi, source);
  if (low_is_high || !high_is_high) {
    const Id lower = half(word, low_is_high, Type::kU16);
    const Id upper = high_is_high ? graph_.word_of(Do::kAnd, word, graph_.word(0xffff0000u))
                                  : graph_.word_of(Do::kShl, word, graph_.word(16));
    word = graph_.word_of(Do::kOr, lower, upper);
  }
  const std::uint32_t signs =
      (bit(op.neg, source) ? 0x8000u : 0u) | (bit(op.abs, source) ? 0x80000000u : 0u);
  return real && signs != 0 ? graph_.word_of(Do::kXor, word, graph_.word(signs)) : word;
}

DrawnOperand Sketch::mask_source(const Op& op, unsigned source) {
  if (op.kind[source] != Source::kScalar || op.src[source] / 4 + 1 >= kScalars) {
    pen.declined = true;
    return {};
  }
  return {lane_mask(op.src[source] / 4), 0};
}

DrawnOperand Sketch::accumulator(const Op& op, Type type, bool high_of_pair) {
  const unsigned name = op.dst / machine::kRegisterBytes;
  if (is_half(type)) return {half(vector(name), high_of_pair, type), 0};
  if (type == Type::kF32) return {flushed(type, vector(name)), 0};
  return {vector(name), isa::dwords_of(type) == 2 ? vector(name + 1) : Id{0}};
}

Sketch::Operands Sketch::operands(const Op& op, const RowDrawing& drawing, bool high) {
  Operands result;
  unsigned source = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const reference::Parameter& parameter = drawing.row.parameters[i];
    switch (parameter.from) {
      case From::kNothing: break;
      case From::kRegister:
        result[i] = drawing.row.packed ? packed_source(op, source, parameter.type, high)
                                       : plain_source(op, source, parameter.type);
        ++source;
        break;
      case From::kPair:
      case From::kMix:
      case From::kWord: result[i] = mixed_source(op, source++, parameter); break;
      case From::kAccumulator:
        result[i] = accumulator(op, parameter.type, drawing.row.packed && high);
        break;
      case From::kMask: result[i] = mask_source(op, source++); break;
      case From::kVcc: result[i] = {lane_mask(isa::operand::kVcc), 0}; break;
      case From::kLaneNumber: result[i] = {graph_.word_of(Do::kLaneNumber, kNoValue), 0}; break;
    }
  }
  return result;
}

// ---- results

/// Into [+0, 1] by the bits: everything above infinity is negative or a NaN.
DrawnOutcome Sketch::clamped(DrawnOutcome result, Type type) {
  if (type == Type::kF64) return stopped_double(result);
  const bool half = type == Type::kF16;
  const Id one = graph_.word(half ? 0x3c00u : 0x3f800000u);
  const Id infinity = graph_.word(half ? 0x7c00u : 0x7f800000u);
  const Id stopped = graph_.word_of(Do::kMinU, result.low, one);
  const Id above = graph_.compare(Do::kCompareU, Predicate::kLess, infinity, result.low);
  result.low = graph_.select(above, graph_.word(0), stopped);
  return result;
}
DrawnOutcome Sketch::stopped_double(DrawnOutcome result) {
  const auto constant = [&](std::uint64_t bits) {
    return graph_.leaf(Do::kConstant, Kind::kDouble, bits);
  };
  const Id value = graph_.make(Do::kJoin, Kind::kDouble, result.low, result.high);
  const Id one = constant(0x3ff0000000000000), zero = constant(0);
  const Id above = graph_.compare(Do::kFCompare, Predicate::kLess, one, value);
  const Id positive = graph_.compare(Do::kFCompare, Predicate::kLess, zero, value);
  const Id stopped = graph_.select(above, one, graph_.select(positive, value, zero));
  result.low = graph_.word_of(Do::kLow, stopped);
  result.high = graph_.word_of(Do::kHigh, stopped);
  return result;
}

DrawnOutcome Sketch::body(const Op& op, const RowDrawing& drawing, bool high) {
  const bool saturates = op.clamp && drawing.saturating != nullptr;
  const Operands inputs = operands(op, drawing, high);
  DrawnOutcome result = saturates ? drawing.saturating(inputs) : drawing.draw(inputs);
  if (result.low != kNoValue) result.low = flushed(drawing.row.result, result.low);
  if (op.clamp && isa::is_float(drawing.row.result)) result = clamped(result, drawing.row.result);
  return result;
}

/// The word that a destination takes, of SDWA: in a part of it.
Id Sketch::merged(const Op& op, Id result, Id old) {
  if (control_ != Control::kSdwa) return result;
  constexpr unsigned kSignExtend = 1, kPreserve = 2;
  const SdwaField field(op.lanes.dst_sel);
  const std::uint32_t mask = field.mask();
  Id word = graph_.word_of(Do::kShl, result, graph_.word(field.shift));
  word = graph_.word_of(Do::kAnd, word, graph_.word(mask));
  if (op.lanes.dst_unused == kPreserve) {
    const Id kept = graph_.word_of(Do::kAnd, old, graph_.word(~mask));
    word = graph_.word_of(Do::kOr, word, kept);
  } else if (op.lanes.dst_unused == kSignExtend) {
    const Id top = graph_.word_of(Do::kShl, result, graph_.word(32 - field.width));
    const Id sign = graph_.word_of(Do::kSar, top, graph_.word(31));
    const Id above = graph_.word_of(Do::kAnd, sign, graph_.word(~(mask | (mask - 1))));
    word = graph_.word_of(Do::kOr, word, above);
  }
  return word;
}

void Sketch::keep(const Op& op, const RowDrawing& drawing, DrawnOutcome result) {
  const unsigned name = op.dst / machine::kRegisterBytes;
  const Type type = drawing.row.result;
  const auto old = [&] { return vector(name); };
  const auto give = [&](unsigned to, Id value, Id before) {
    value = merged(op, value, before);
    if (control_ == Control::kDpp) value = graph_.select(enabled_lanes(op), value, before);
    set_vector(to, value);
  };
  const bool partial = control_ != Control::kNone;
  if (drawing.row.to == To::kByte) {
    const unsigned place = 8 * (op.op_sel >> 2);
    const Id kept = graph_.word_of(Do::kAnd, old(), graph_.word(~(0xffu << place)));
    const Id byte = graph_.word_of(Do::kShl, result.low, graph_.word(place));
    set_vector(name, graph_.word_of(Do::kOr, kept, byte));
  } else if (is_half(type)) {
    const Id low = graph_.word_of(Do::kAnd, result.low, graph_.word(0xffff));
    Id value = low;
    if (drawing.row.to == To::kHighHalf || bit(op.op_sel, 3)) {
      const Id kept = graph_.word_of(Do::kAnd, old(), graph_.word(0xffff));
      value = graph_.word_of(Do::kOr, kept, graph_.word_of(Do::kShl, low, graph_.word(16)));
    } else if (op.keeps_high_half) {
      const Id kept = graph_.word_of(Do::kAnd, old(), graph_.word(0xffff0000u));
      value = graph_.word_of(Do::kOr, kept, low);
    }
    give(name, value, partial ? old() : Id{0});
  } else if (type != Type::kNone) {
    give(name, result.low, partial ? old() : Id{0});
    if (isa::dwords_of(type) == 2) give(name + 1, result.high, partial ? vector(name + 1) : Id{0});
  }
  if (!drawing.row.mask_result) return;
  Id mask = graph_.mask_of(Do::kMaskAnd, result.mask, graph_.leaf(Do::kActive, Kind::kMask));
  if (control_ == Control::kDpp) mask = graph_.mask_of(Do::kMaskAnd, mask, enabled_lanes(op));
  set_lane_mask(op.sdst, mask);
}

void Sketch::keep_packed(const Op& op, const RowDrawing& drawing, DrawnOutcome low,
                         DrawnOutcome high) {
  const unsigned name = op.dst / machine::kRegisterBytes;
  if (!is_half(drawing.row.result)) {
    set_vector(name, low.low);
    return set_vector(name + 1, high.low);
  }
  const Id lower = graph_.word_of(Do::kAnd, low.low, graph_.word(0xffff));
  const Id upper = graph_.word_of(Do::kShl, high.low, graph_.word(16));
  set_vector(name, graph_.word_of(Do::kOr, lower, upper));
}

// ---- ops

/// A packed op of 16-bit halves as one of words, if it has such a form. Halves as floats are in
/// lanes of their own, whose NaNs are those of active lanes only if all are active; spelled, they
/// are nobody's concern.
bool Sketch::draw_halves(const Op& op, const RowDrawing& drawing) {
  const bool real = drawing.row.result == Type::kF16;
  const bool saturates = op.clamp && !real && drawing.saturating != nullptr;
  const DrawRow form = saturates ? drawing.saturating_halves : drawing.halves;
  const bool any_lanes = graph_.all_active() || graph_.spells_nans();
  if (form == nullptr || (real && (op.clamp || !any_lanes))) return false;
  Operands words;
  unsigned source = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const From from = drawing.row.parameters[i].from;
    if (from == From::kRegister) words[i].low = halves_source(op, source++, real);
    if (from == From::kAccumulator) words[i].low = vector(op.dst / machine::kRegisterBytes);
  }
  const Id result = form(words).low;
  if (std::exchange(pen.declined, false)) return false;
  set_vector(op.dst / machine::kRegisterBytes, result);
  return true;
}

bool Sketch::draw(const Op& op, const isa::Row& row, unsigned number) {
  const RowDrawing* const drawing = drawing_of(row);
  if (drawing == nullptr) return false;
  control_ = Control::kNone;
  if (op.run == run_sdwa) control_ = Control::kSdwa;
  if (op.run == run_dpp) control_ = Control::kDpp;
  if (crosses_rows(op) && (number != 0 || !row_source(op.lanes.dpp_ctrl))) return false;
  graph_.set_op(static_cast<std::uint16_t>(number));
  pen = {&graph_, false, !op.is_not_ieee};
  flushes_ = op.flushes_f32 && !row.keeps_denormals;
  // What only some MODEs know is left to handlers.
  if (op.omod != 0 && op.is_not_ieee && op.flushes_f32) return false;
  if (op.clamp && op.clamps_no_nan && isa::is_float(drawing->row.result)) return false;
  if (drawing->row.packed) {
    if (draw_halves(op, *drawing)) {
      finish_op();
      return !graph_.full();
    }
    const DrawnOutcome low = body(op, *drawing, false);
    keep_packed(op, *drawing, low, body(op, *drawing, true));
  } else {
    keep(op, *drawing, body(op, *drawing, false));
  }
  finish_op();
  return !pen.declined && !graph_.full() && !graph_.impossible();
}

}  // namespace wavetank::execute::jit
