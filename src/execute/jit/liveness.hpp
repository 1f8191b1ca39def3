// Which registers anybody reads after a place in a program: results that nobody does need not be
// computed.
#pragma once

#include <bitset>
#include <span>
#include <vector>

#include "execute/jit/access.hpp"
#include "execute/jit/scalar_drawn.hpp"
#include "execute/word_use.hpp"

namespace wavetank::execute::jit {

/// Registers whose values may be read; scalars with SCC behind them.
struct Live {
  static constexpr unsigned kScc = Sketch::kScalars;
  using Scalars = std::bitset<kScc + 1>;
  std::bitset<Sketch::kVectors> vectors;
  Scalars scalars;
};

/// The ops of a program, or of those of its functions that are compiled together, as blocks that
/// branches lead to and from. Where code goes on that is not among them, everything is read.
///
/// A vector register is overwritten only in the lanes that are active then. So an op's result ends
/// a value's life if EXEC has not changed since; after a change nothing does.
class Liveness {
 public:
  /// `slots` are those that hold an op, `leaders` begin blocks; both sorted. `facts_of` tells of
  /// ops that are not drawn; without it they may read everything.
  Liveness(OpTable& ops, std::span<const std::size_t> slots, std::span<const std::size_t> leaders,
           const FactsOf& facts_of);

  /// What may be read from a slot on.
  Live before(std::size_t slot);

 private:
  using Vectors = std::bitset<Sketch::kVectors>;
  using Scalars = Live::Scalars;
  /// What is read: of vector registers also without regard to results in between.
  struct State {
    Vectors vectors, ever;
    Scalars scalars;
    bool operator==(const State&) const = default;
    void operator|=(const State& other);
    static State all();
  };
  /// What stretches of ops make of a state behind them: parts of it stay, others come to it.
  struct Passage {
    State comes;
    Vectors stay = ~Vectors();
    Scalars scalars_stay = ~Scalars();
    bool exec_changes = false;  ///< what is behind is read `ever`
    State before(const State& behind) const;
  };
  struct Block {
    std::size_t begin, end;               ///< in slots_
    std::vector<std::size_t> successors;  ///< blocks
    bool escapes = false;                 ///< goes on where nothing is known
    Passage passage;
    State live;  ///< at its begin
  };
  /// What an op means.
  struct Effect {
    Vectors reads, overwrites;
    Scalars scalar_reads, scalar_writes;
    bool changes_exec = false, unknown = false;
  };

  void find_blocks(std::span<const std::size_t> leaders);
  std::size_t block_of(std::size_t slot) const;
  void connect(Block& block, std::size_t slot);
  void solve();
  State behind(const Block& block) const;
  void precede(Passage& passage, std::size_t slot);
  void look_into(std::size_t block);
  Effect effect_of(std::size_t slot);
  Effect effect_by_facts(std::size_t slot);
  void add_unnamed(Effect& effect, const Op& op);

  OpTable& ops_;
  std::span<const std::size_t> slots_;
  const FactsOf& facts_of_;
  ScalarSketch scalar_;  ///< what a scalar op does
  std::vector<Block> blocks_;
  std::size_t looked_into_;   ///< the block that `inside_` is of
  std::vector<Live> inside_;  ///< before each of its ops
};

}  // namespace wavetank::execute::jit
