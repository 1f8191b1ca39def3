#include "execute/jit/follow.hpp"

#include <algorithm>
#include <bitset>
#include <map>
#include <optional>

#include "execute/jit/line_code.hpp"
#include "execute/jit/recipes.hpp"

namespace wavetank::execute::jit {
namespace {

constexpr unsigned kScalarRegisters = 104;  ///< SGPRs and FLAT_SCRATCH

/// What is known of a vector register's present value.
struct Value {
  enum class Kind : std::uint8_t {
    kOther,
    kRamp,    ///< `ramp`
    kSign,    ///< of `ramp`, in all bits
    kScalar,  ///< SGPR `number`
    kZero,
    kLow,   ///< the lower half of sum `number`
    kHigh,  ///< the upper one
  };
  Kind kind = Kind::kOther;
  unsigned number = 0;
  Ramp ramp;
};
using Kind = Value::Kind;

/// Follows the run's values from op to op.
class Follower {
 public:
  /// The line of a load's or store's address, if it is known and may rise by 4.
  std::optional<Line> line_of(const Op& op) const {
    constexpr unsigned kNoBase = 0x7f;
    const MemoryOperands& memory = op.memory;
    std::optional<Line> line;
    if (memory.scalar_base == kNoBase) {
      line = pair(value_of(memory.address), value_of(memory.address + 1u));
    } else {
      line = pair(value_of(memory.address), Value{Kind::kZero, 0, {}});
      if (line) line->bases.push_back(memory.scalar_base);
    }
    return line && line->step() != 0 ? line : std::nullopt;
  }

  /// Takes the results of an op.
  void pass(const RunOp& step) {
    Result result = result_of(step);
    for (const unsigned name : step.access.vector_writes) values_[name] = {};
    for (const unsigned sgpr : step.access.mask_writes) carries_.erase(sgpr);
    const std::size_t parts = std::min(result.parts.size(), step.access.vector_writes.size());
    for (std::size_t i = 0; i < parts; ++i) {
      values_[step.access.vector_writes[i]] = std::move(result.parts[i]);
    }
    if (result.carry && !step.access.mask_writes.empty()) {
      carries_[step.access.mask_writes[0]] = *result.carry;
    }
  }

 private:
  /// An op's results, from the lower register on, and the sum whose carry its lane mask is.
  struct Result {
    std::vector<Value> parts;
    std::optional<unsigned> carry;
  };
  /// A sum of 64 bits: at first its low half alone, of `low` and an SGPR.
  struct Sum {
    Value low;
    unsigned base = 0;
    std::optional<Line> line;
  };

  Value value_of(unsigned name) const {
    const auto found = values_.find(name);
    if (found != values_.end()) return found->second;
    return {Kind::kRamp, 0, Ramp{name, {}, 0}};
  }
  Value source(const Op& op, unsigned index, unsigned part) const {
    switch (op.kind[index]) {
      case Source::kVector: return value_of(op.src[index] / 256 + part);
      case Source::kScalar: {
        const unsigned sgpr = op.src[index] / 4 + part;
        return sgpr < kScalarRegisters ? Value{Kind::kScalar, sgpr, {}} : Value{};
      }
      case Source::kConstant: break;
    }
    const bool zero = static_cast<std::uint32_t>(op.constant[index] >> (32 * part)) == 0;
    return zero ? Value{Kind::kZero, 0, {}} : Value{};
  }
  std::optional<unsigned> constant(const Op& op, unsigned index) const {
    if (op.kind[index] != Source::kConstant) return std::nullopt;
    return static_cast<std::uint32_t>(op.constant[index]);
  }

  /// The 64-bit value of two halves.
  std::optional<Line> pair(const Value& low, const Value& high) const {
    if (low.kind == Kind::kLow && high.kind == Kind::kHigh && low.number == high.number) {
      return sums_[low.number].line;
    }
    if (low.kind != Kind::kRamp) return std::nullopt;
    if (high.kind == Kind::kZero) return Line{low.ramp, Extension::kZeros, 0, {}};
    if (high.kind == Kind::kSign && high.ramp == low.ramp && low.ramp.shift == 0) {
      return Line{low.ramp, Extension::kSign, 0, {}};
    }
    const bool neighbours =
        high.kind == Kind::kRamp && high.ramp == Ramp{low.ramp.index + 1, {}, 0};
    if (!neighbours || low.ramp != Ramp{low.ramp.index, {}, 0}) return std::nullopt;
    return Line{low.ramp, Extension::kPair, 0, {}};
  }
  std::optional<Line> pair(const Op& op, unsigned index) const {
    return pair(source(op, index, 0), source(op, index, 1));
  }
  Result halves_of(Line line) {
    const auto number = static_cast<unsigned>(sums_.size());
    sums_.push_back({{}, 0, std::move(line)});
    return {{{Kind::kLow, number, {}}, {Kind::kHigh, number, {}}}, std::nullopt};
  }

  static Result one(Value value) { return {{std::move(value)}, std::nullopt}; }

  Result result_of(const RunOp& step) {
    const Op& op = *step.op;
    if (move_space(op, *step.row) != MoveSpace::kNone) return {};
    switch (recipe_of(*step.row)->follows) {
      case Follows::kMove: return one(source(op, 0, 0));
      case Follows::kAdd: return added(op);
      case Follows::kShift: return shifted(op);
      case Follows::kSign: return sign(op);
      case Follows::kShiftPair: return shifted_pair(op);
      case Follows::kShiftAddPair: return shifted_sum(op);
      case Follows::kAddLow: return low_sum(op);
      case Follows::kAddHigh: return high_sum(step);
      case Follows::kNothing: break;
    }
    return {};
  }

  /// Of two sources the one that holds an SGPR, and the other.
  static std::optional<std::pair<unsigned, Value>> with_scalar(const Value& a, const Value& b) {
    if (a.kind == Kind::kScalar) return std::pair(a.number, b);
    if (b.kind == Kind::kScalar) return std::pair(b.number, a);
    return std::nullopt;
  }
  Result added(const Op& op) const {
    auto terms = with_scalar(source(op, 0, 0), source(op, 1, 0));
    if (!terms || terms->second.kind != Kind::kRamp || terms->second.ramp.shift != 0) return {};
    terms->second.ramp.addends.push_back(terms->first);
    return one(std::move(terms->second));
  }
  Result shifted(const Op& op) const {
    Value value = source(op, 1, 0);
    const auto amount = constant(op, 0);
    if (!amount || value.kind != Kind::kRamp) return {};
    value.ramp.shift += *amount & 31;
    return value.ramp.shift <= 2 ? one(std::move(value)) : Result{};
  }
  Result sign(const Op& op) const {
    Value value = source(op, 1, 0);
    const auto amount = constant(op, 0);
    if (!amount || (*amount & 31) != 31 || value.kind != Kind::kRamp) return {};
    value.kind = Kind::kSign;
    return one(std::move(value));
  }
  Result shifted_pair(const Op& op) {
    auto line = pair(op, 1);
    const auto amount = constant(op, 0);
    if (!line || !amount || !line->bases.empty()) return {};
    line->shift += *amount & 63;
    return halves_of(std::move(*line));
  }
  /// (source 0 << source 1) + source 2.
  Result shifted_sum(const Op& op) {
    const auto amount = constant(op, 1);
    if (!amount) return {};
    const unsigned shift = *amount & 7;
    for (const unsigned index : {0u, 2u}) {
      const Value low = source(op, 2 - index, 0), high = source(op, 2 - index, 1);
      auto line = pair(op, index);
      if (!line || low.kind != Kind::kScalar || high.kind != Kind::kScalar) continue;
      if (high.number != low.number + 1 || (index == 2 && shift != 0)) continue;
      if (index == 0 && shift != 0 && !line->bases.empty()) continue;
      if (index == 0) line->shift += shift;
      line->bases.push_back(low.number);
      return halves_of(std::move(*line));
    }
    return {};
  }
  Result low_sum(const Op& op) {
    auto terms = with_scalar(source(op, 0, 0), source(op, 1, 0));
    if (!terms) return {};
    const auto number = static_cast<unsigned>(sums_.size());
    sums_.push_back({std::move(terms->second), terms->first, std::nullopt});
    return {{{Kind::kLow, number, {}}}, number};
  }
  /// The upper half of a sum whose lower half's carry it takes.
  Result high_sum(const RunOp& step) {
    if (step.access.mask_reads.empty()) return {};
    const auto carry = carries_.find(step.access.mask_reads[0]);
    if (carry == carries_.end()) return {};
    Sum& sum = sums_[carry->second];
    const auto terms = with_scalar(source(*step.op, 0, 0), source(*step.op, 1, 0));
    if (!terms || terms->first != sum.base + 1 || sum.line) return {};
    sum.line = pair(sum.low, terms->second);
    if (!sum.line) return {};
    sum.line->bases.push_back(sum.base);
    return one({Kind::kHigh, carry->second, {}});
  }

  std::map<unsigned, Value> values_;      ///< of registers that the run has written
  std::map<unsigned, unsigned> carries_;  ///< lane masks that are carries of sums
  std::vector<Sum> sums_;
};

/// Ops whose results are read, from the run's end on.
std::vector<bool> find_needed(const Run& run) {
  std::bitset<Uses::kNames> live;
  std::vector<bool> needed(run.ops.size());
  for (std::size_t i = run.ops.size(); i-- > 0;) {
    const Access& access = run.ops[i].access;
    needed[i] = move_space(*run.ops[i].op, *run.ops[i].row) != MoveSpace::kNone;
    for (const unsigned name : access.vector_writes) needed[i] = needed[i] || live.test(name);
    for (const unsigned sgpr : access.mask_writes) {
      needed[i] = needed[i] || live.test(Uses::kMaskNames + sgpr);
    }
    if (!needed[i]) continue;
    for (const unsigned name : access.vector_writes) live.reset(name);
    for (const unsigned sgpr : access.mask_writes) live.reset(Uses::kMaskNames + sgpr);
    for (const unsigned name : access.vector_reads) live.set(name);
    for (const unsigned sgpr : access.mask_reads) live.set(Uses::kMaskNames + sgpr);
  }
  return needed;
}

}  // namespace

void follow_addresses(Run& run) {
  Follower follower;
  for (RunOp& step : run.ops) {
    if (move_space(*step.op, *step.row) == MoveSpace::kGlobal) {
      step.line = follower.line_of(*step.op);
      if (indices_of(run.ops).size() > kMostIndices) step.line.reset();
      if (step.line) step.access = access_of_data(*step.op, *step.row);
    }
    follower.pass(step);
  }
  const std::vector<bool> needed = find_needed(run);
  Run kept;
  for (std::size_t i = 0; i < run.ops.size(); ++i) {
    if (!needed[i]) continue;
    kept.ops.push_back(std::move(run.ops[i]));
    kept.ends.push_back(run.ends[i]);
  }
  run.ops = std::move(kept.ops);
  run.ends = std::move(kept.ends);
}

}  // namespace wavetank::execute::jit
