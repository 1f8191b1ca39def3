#include "lint/provenance.hpp"

#include <algorithm>
#include <vector>

#include "isa/row.hpp"
#include "lint/lane_sets.hpp"

namespace wavetank::lint {
namespace {

namespace code = encoding::operand;

/// Follows one pointer back to where it comes from.
class Walk {
 public:
  Walk(const Subject& subject, std::uint32_t step) : subject_(subject), step_(step) {}

  std::optional<Origin> run(const Pair& pointer) {
    const Found found = follow(pointer);
    return found.kind == Kind::kKnown ? std::optional(found.origin) : std::nullopt;
  }

 private:
  /// kSame: that of the join that is being looked at, whatever it is.
  enum class Kind : std::uint8_t { kUnknown, kKnown, kSame };
  struct Found {
    Kind kind = Kind::kUnknown;
    Origin origin = {};
  };

  Found follow(const Pair& pointer) {
    if (budget_ == 0) return {};
    --budget_;
    if (is_lds_aperture(pointer.high)) return {Kind::kKnown, {true, 0}};
    if (const auto argument = pointer_argument(pointer)) return {Kind::kKnown, {false, *argument}};
    const Value &low = (*subject_.values)[pointer.low], &high = (*subject_.values)[pointer.high];
    const bool joined = low.kind == Value::Kind::kJoin && high.kind == Value::Kind::kJoin;
    if (joined && low.a == high.a) return follow_join(pointer, low, high);
    for (const Addends& addends : addends_of(subject_, pointer)) {
      const Found first = addends.first ? follow(*addends.first) : Found{};
      const Found second = addends.second ? follow(*addends.second) : Found{};
      const bool one = (first.kind == Kind::kUnknown) != (second.kind == Kind::kUnknown);
      if (one) return first.kind == Kind::kUnknown ? second : first;
    }
    return {};
  }

  /// A pointer that differs by the way to a block has an origin if it is the same on each way.
  Found follow_join(const Pair& pointer, const Value& low, const Value& high) {
    if (std::ranges::find(joins_, pointer) != joins_.end()) return {Kind::kSame, {}};
    if (low.a == subject_.blocks.order.front()) return {};
    joins_.push_back(pointer);
    Found all{Kind::kSame, {}};
    for (const std::uint32_t from : subject_.blocks.blocks[low.a].before) {
      const Content& first = subject_.values->at_end(from, low.b);
      const Content& second = subject_.values->at_end(from, high.b);
      if (!is_of_all(first) || !is_of_all(second)) return {};
      const Found found = follow({first.value, second.value});
      if (found.kind == Kind::kUnknown) return {};
      if (found.kind == Kind::kSame) continue;
      if (all.kind == Kind::kKnown && !(all.origin == found.origin)) return {};
      all = found;
    }
    return all;
  }

  /// True if the lanes at the instruction had all a part in writing a register.
  bool is_of_all(const Content& content) const {
    return content.writer == kNone || were_active(*subject_.values, step_, content.writer);
  }

  std::optional<std::uint32_t> pointer_argument(const Pair& pair) const {
    const auto low = subject_.values->argument(pair.low);
    const auto high = subject_.values->argument(pair.high);
    if (!low || !high || *high != *low + 4) return std::nullopt;
    const bool is_pointer =
        std::ranges::any_of(subject_.kernel.arguments, [&](const code_object::Argument& argument) {
          return argument.offset_bytes == *low && argument.size_bytes == 8 &&
                 argument.kind == code_object::ArgumentKind::kGlobalBuffer;
        });
    return is_pointer ? low : std::nullopt;
  }

  /// True if a value is the upper half of addresses in LDS.
  bool is_lds_aperture(ValueId high) const {
    const std::uint32_t step = subject_.values->result_of(high);
    if (step == kNone) return false;
    const isa::Row& row = subject_.code.row(step);
    return row.meaning == isa::Meaning::kMove &&
           subject_.code.instructions[step].src[0] == code::kSharedBase &&
           isa::dwords_of(row.result.type) == 2 && (*subject_.values)[high].b == 1;
  }

  const Subject& subject_;
  const std::uint32_t step_;
  std::vector<Pair> joins_;  ///< that are being looked at
  unsigned budget_ = 64;     ///< values that are still looked at
};

}  // namespace

std::optional<Origin> pointer_origin(const Subject& subject, std::uint32_t step) {
  if (subject.values == nullptr) return std::nullopt;
  const auto pointer = vector_pair(subject, step, subject.code.instructions[step].address);
  return pointer ? Walk(subject, step).run(*pointer) : std::nullopt;
}

std::optional<std::uint32_t> argument_accessed(const Subject& subject, std::uint32_t step) {
  const auto address = address_of(subject, step);
  if (!address || subject.code.row(step).encoding.format == isa::Format::kDs) return std::nullopt;
  const Pair& base = address->base[1].low == kNone ? address->base[0] : address->base[1];
  const auto origin = Walk(subject, step).run(base);
  return origin && !origin->lds ? std::optional(origin->argument) : std::nullopt;
}

}  // namespace wavetank::lint
