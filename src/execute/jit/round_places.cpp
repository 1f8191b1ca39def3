#include "execute/jit/round_places.hpp"

#include <algorithm>

namespace wavetank::execute::jit {
namespace {

bool is_among(std::span<const unsigned> list, unsigned name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Looks for them.
class Finder {
 public:
  Finder(const Sketch& sketch, const Run& run, std::span<const unsigned> others)
      : sketch_(sketch), graph_(sketch.graph()), run_(run), others_(others) {}

  FollowedPlaces find() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (graph_[static_cast<Id>(i)].what == Do::kPlace) add(static_cast<Id>(i));
    }
    return std::move(found_);
  }

 private:
  void add(Id id) {
    const Node& place = graph_[id];
    const Move move = move_of(run_.ops[place.bits]);
    if (move.space != MoveSpace::kGlobal || move.elements != 1) return;
    const auto line = place.in[1] == kNoValue
                          ? rising_word(graph_, place.in[0], move.bytes)
                          : rising_line(graph_, place.in[0], place.in[1], move.bytes);
    if (!line || (line->upper_word && is_written(*line->upper_word))) return;
    const auto by = number_of(*line, line->step(move.bytes));
    if (by) found_.places.push_back({id, *by, *line});
  }

  /// The number of the register that the line goes by.
  std::optional<std::size_t> number_of(const Line& line, unsigned rise) {
    const unsigned name = line.ramp.index;
    const bool pair = line.extension == Extension::kPair;
    for (std::size_t i = 0; i < found_.registers.size(); ++i) {
      const FollowedRegister& one = found_.registers[i];
      if (one.name == name && one.pair == pair && one.rise == rise) return i;
      if (one.holds(name) || (pair && one.holds(name + 1))) return std::nullopt;
    }
    constexpr std::size_t kMost = 8;  // as many bits for the strips of each as a word has
    const auto moves = changes_of(name, pair);
    if (!moves || found_.registers.size() == kMost) return std::nullopt;
    found_.registers.push_back({name, pair, rise, moves->first, moves->second});
    return found_.registers.size() - 1;
  }

  /// What a round adds to the register or pair; nothing if it does something else.
  std::optional<std::pair<SharedWord, SharedWord>> changes_of(unsigned name, bool pair) const {
    if (is_among(others_, name) || (pair && is_among(others_, name + 1))) return std::nullopt;
    const auto low = added_to(name, value_of(name));
    if (!pair) return low ? std::optional(std::pair(*low, SharedWord())) : std::nullopt;
    if (!low) return std::nullopt;
    Id upper = value_of(name + 1);
    if (!adds_nothing(*low)) {
      const Node& carried = graph_[upper];
      if (carried.what != Do::kAddWhere || !graph_.is(carried.in[1], 1)) return std::nullopt;
      if (!is_carry_of(carried.in[2], value_of(name))) return std::nullopt;
      upper = carried.in[0];
    }
    const auto high = added_to(name + 1, upper);
    return high ? std::optional(std::pair(*low, *high)) : std::nullopt;
  }
  static bool adds_nothing(const SharedWord& word) {
    return word.where == SharedWord::Where::kConstant && word.bits == 0;
  }
  bool is_carry_of(Id mask, Id sum) const {
    const Node& test = graph_[mask];
    return test.what == Do::kCompareU && Predicate{test.variant} == Predicate::kLess &&
           test.in[0] == sum &&
           (test.in[1] == graph_[sum].in[0] || test.in[1] == graph_[sum].in[1]);
  }
  /// What `value` has beyond that of the register at the round's begin.
  std::optional<SharedWord> added_to(unsigned name, Id value) const {
    const Node& node = graph_[value];
    if (is_begin_of(name, value)) return SharedWord();
    if (!is_word(node, Do::kAdd)) return std::nullopt;
    if (is_begin_of(name, node.in[0])) return shared(node.in[1]);
    if (is_begin_of(name, node.in[1])) return shared(node.in[0]);
    return std::nullopt;
  }
  bool is_begin_of(unsigned name, Id id) const {
    return graph_[id].what == Do::kRegister && graph_[id].bits == name;
  }
  std::optional<SharedWord> shared(Id id) const {
    const Node& node = graph_[id];
    const auto bits = static_cast<std::uint32_t>(node.bits);
    if (node.kind != Kind::kWord) return std::nullopt;
    if (node.what == Do::kConstant) return SharedWord{SharedWord::Where::kConstant, bits};
    if (node.what == Do::kScalar) return SharedWord{SharedWord::Where::kWave, bits};
    if (node.what != Do::kRegister || is_written(bits)) return std::nullopt;
    return SharedWord{SharedWord::Where::kRegister, bits};
  }
  bool is_written(unsigned name) const { return is_among(sketch_.written_vectors(), name); }
  /// The register's value at the round's end; kNoValue if nothing asked for it.
  Id value_of(unsigned name) const { return sketch_.value_of_vector(name); }

  const Sketch& sketch_;
  const Graph& graph_;
  const Run& run_;
  std::span<const unsigned> others_;
  FollowedPlaces found_;
};

}  // namespace

const FollowedPlace* FollowedPlaces::at(Id place) const {
  const auto found = std::find_if(places.begin(), places.end(),
                                  [&](const FollowedPlace& one) { return one.place == place; });
  return found == places.end() ? nullptr : &*found;
}

bool FollowedPlaces::holds(unsigned name) const {
  return std::any_of(registers.begin(), registers.end(),
                     [&](const FollowedRegister& one) { return one.holds(name); });
}

std::vector<unsigned> FollowedPlaces::shared_registers() const {
  std::vector<unsigned> names;
  const auto add = [&](unsigned name) {
    if (!is_among(names, name)) names.push_back(name);
  };
  for (const FollowedRegister& one : registers) {
    for (const SharedWord& word : {one.low, one.high}) {
      if (word.where == SharedWord::Where::kRegister) add(word.bits);
    }
  }
  for (const FollowedPlace& one : places) {
    if (one.line.upper_word) add(*one.line.upper_word);
  }
  return names;
}

FollowedPlaces find_followed(const Sketch& sketch, const Run& run,
                             std::span<const unsigned> others) {
  return Finder(sketch, run, others).find();
}

}  // namespace wavetank::execute::jit
