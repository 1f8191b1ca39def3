#include "execute/jit/loop_places.hpp"

#include <algorithm>
#include <tuple>

namespace wavetank::execute::jit {
namespace {

/// What a run adds to registers.
class Additions {
 public:
  explicit Additions(const Sketch& sketch) : sketch_(sketch), graph_(sketch.graph()) {}

  std::optional<SharedWord> to(unsigned name) const { return to(name, value_of(name)); }
  /// The words that are added to a pair, of which both are written.
  std::optional<std::pair<SharedWord, SharedWord>> to_pair(unsigned name) const {
    const auto low = to(name);
    if (!low) return std::nullopt;
    Id upper = value_of(name + 1);
    if (low->where != SharedWord::Where::kConstant || low->bits != 0) {
      const Node& sum = graph_[upper];
      if (sum.what != Do::kAddWhere || !graph_.is(sum.in[1], 1)) return std::nullopt;
      if (!is_carry_of(sum.in[2], value_of(name))) return std::nullopt;
      upper = sum.in[0];
    }
    const auto high = to(name + 1, upper);
    return high ? std::optional(std::pair(*low, *high)) : std::nullopt;
  }

 private:
  std::optional<SharedWord> to(unsigned name, Id value) const {
    const Node& node = graph_[value];
    if (is_begin_of(name, value)) return SharedWord();
    if (!is_word(node, Do::kAdd)) return std::nullopt;
    if (is_begin_of(name, node.in[0])) return shared(node.in[1]);
    if (is_begin_of(name, node.in[1])) return shared(node.in[0]);
    return std::nullopt;
  }
  bool is_carry_of(Id mask, Id sum) const {
    const Node& test = graph_[mask];
    return test.what == Do::kCompareU && Predicate{test.variant} == Predicate::kLess &&
           test.in[0] == sum &&
           (test.in[1] == graph_[sum].in[0] || test.in[1] == graph_[sum].in[1]);
  }
  bool is_begin_of(unsigned name, Id id) const {
    return graph_[id].what == Do::kRegister && graph_[id].bits == name;
  }
  std::optional<SharedWord> shared(Id id) const {
    const Node& node = graph_[id];
    const auto bits = static_cast<std::uint32_t>(node.bits);
    if (node.kind != Kind::kWord) return std::nullopt;
    switch (node.what) {
      case Do::kConstant: return SharedWord{SharedWord::Where::kConstant, bits};
      case Do::kScalar: return SharedWord{SharedWord::Where::kWave, bits};
      case Do::kRegister: return SharedWord{SharedWord::Where::kRegister, bits};
      default: return std::nullopt;
    }
  }
  Id value_of(unsigned name) const { return sketch_.value_of_vector(name); }

  const Sketch& sketch_;
  const Graph& graph_;
};

}  // namespace

const FollowedPlace* FollowedPlaces::at(std::size_t run, unsigned op) const {
  const auto found = std::ranges::find_if(
      places, [&](const FollowedPlace& one) { return one.run == run && one.op == op; });
  return found == places.end() ? nullptr : &*found;
}

bool FollowedPlaces::holds(unsigned name) const {
  return std::ranges::any_of(registers,
                             [&](const FollowedRegister& one) { return one.holds(name); });
}

std::set<unsigned> FollowedPlaces::shared_registers() const {
  std::set<unsigned> names;
  for (const FollowedRegister& one : registers) {
    for (const SharedWord& word : {one.low, one.high}) {
      if (word.where == SharedWord::Where::kRegister) names.insert(word.bits);
    }
  }
  for (const FollowedPlace& one : places) {
    if (one.line.upper_word) names.insert(*one.line.upper_word);
  }
  return names;
}

void LoopPlaces::add_run(const Sketch& sketch, const Run& run, std::span<const LaneStore> stores) {
  const Graph& graph = sketch.graph();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph[static_cast<Id>(i)];
    if (node.what != Do::kPlace) continue;
    add_place(graph, run, static_cast<unsigned>(node.bits), node.in[0], node.in[1]);
  }
  for (const LaneStore& store : stores) add_place(graph, run, store.op, store.low, store.high);
  const auto& written = sketch.written_vectors();
  const Additions additions(sketch);
  for (const unsigned name : written) {
    const auto [place, is_new] = changes_.try_emplace(name);
    Change& change = place->second;
    change.again = !is_new;
    change.run = runs_;
    change.added = additions.to(name);
    const bool is_pair = std::ranges::find(written, name + 1) != written.end();
    if (is_pair) change.added_to_pair = additions.to_pair(name);
  }
  ++runs_;
}

void LoopPlaces::add_place(const Graph& graph, const Run& run, unsigned op, Id low, Id high) {
  const Move move = move_of(run.ops[op]);
  if (move.space != MoveSpace::kGlobal && move.space != MoveSpace::kLds) return;
  const auto line = high == kNoValue ? rising_word(graph, low, move.bytes)
                                     : rising_line(graph, low, high, move.bytes);
  if (line) places_.push_back({runs_, op, *line, line->step(move.bytes), 0});
}

FollowedPlaces LoopPlaces::find(const std::set<unsigned>& others) const {
  constexpr std::size_t kMost = 8;  // as many bytes for their strips as a word has
  FollowedPlaces found;
  for (FollowedPlace place : places_) {
    if (place.line.upper_word && changes(*place.line.upper_word)) continue;
    const auto wanted = follow(place.line, place.rise);
    if (!wanted || others.contains(wanted->name) ||
        (wanted->pair && others.contains(wanted->name + 1))) {
      continue;
    }
    const auto shares = [&](const FollowedRegister& one) {
      return one.holds(wanted->name) || (wanted->pair && one.holds(wanted->name + 1));
    };
    const auto known = std::ranges::find_if(found.registers, shares);
    place.by = static_cast<std::size_t>(known - found.registers.begin());
    if (known == found.registers.end()) {
      if (found.registers.size() == kMost) continue;
      found.registers.push_back(*wanted);
    } else if (known->name != wanted->name || known->pair != wanted->pair ||
               known->rise != wanted->rise) {
      continue;
    }
    found.places.push_back(place);
  }
  return found;
}

/// The register that a line goes by, if a round changes it by what all lanes share.
std::optional<FollowedRegister> LoopPlaces::follow(const Line& line, unsigned rise) const {
  FollowedRegister followed;
  followed.name = line.ramp.index;
  followed.pair = line.extension == Extension::kPair;
  followed.rise = rise;
  const auto low = changes_.find(followed.name), high = changes_.find(followed.name + 1);
  if (followed.pair && (low == changes_.end()) != (high == changes_.end())) return std::nullopt;
  if (low == changes_.end()) return followed;
  const Change& change = low->second;
  followed.run = change.run;
  if (change.again) return std::nullopt;
  if (followed.pair) {
    if (high->second.again || high->second.run != change.run || !change.added_to_pair) {
      return std::nullopt;
    }
    std::tie(followed.low, followed.high) = *change.added_to_pair;
  } else {
    if (!change.added) return std::nullopt;
    followed.low = *change.added;
  }
  return is_kept(followed.low) && is_kept(followed.high) ? std::optional(followed) : std::nullopt;
}

}  // namespace wavetank::execute::jit
