// What straight code computes for each lane, as a graph of values: the form between the bodies of
// rows, which make it (drawn.hpp), and the host's code, which is made of it (strip_code.hpp).
// Nothing here knows an instruction of the GPU or of a host.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace wavetank::execute::jit {

/// A value of a graph: the index of its node.
using Id = std::uint16_t;
inline constexpr Id kNoValue = 0xffff;

/// What a value is in each lane.
enum class Kind : std::uint8_t {
  kWord,    ///< 32 bits
  kHalves,  ///< the same, of an operation on two halves of 16 bits beside each other
  kDouble,  ///< 64 bits, of which arithmetic makes an f64
  kLong,    ///< 64 bits as an integer: of scalars only
  kMask,    ///< one bit
  kEffect,  ///< nothing: the node is there for what it does
};

/// What a node does. Words are integers or f32, as the operation says; 64-bit integers are two
/// words, or pairs: of the even lanes in one value of a word's size, of the odd lanes in another.
enum class Do : std::uint8_t {
  // Leaves, which can be had again at any time. `bits` says which.
  kRegister,   ///< a vector register, as the code finds it
  kRowSource,  ///< of each row of 16 one lane of such a register, or its own: a RowSource
  kScalar,     ///< bytes of the wave at an offset: a word or a double for all lanes
  kConstant,   ///< these bits in all lanes; of a mask the lanes of 16
  kLaneMask,   ///< the lane mask in an SGPR pair, as the code finds it
  kActive,     ///< EXEC
  kAll,        ///< the mask of all lanes
  kNone,       ///< the mask of no lane
  // Integer words. Amounts of shifts beyond 31 shift everything out.
  kAdd,
  kSub,
  kMul,
  kAnd,
  kOr,
  kXor,
  kShl,
  kShr,
  kSar,
  kMin,
  kMax,
  kMinU,
  kMaxU,
  // Sums and differences of halves that stop at the ends of their type.
  kAddStop,
  kAddStopU,
  kSubStop,
  kSubStopU,
  kTernary,     ///< of each bit of three words what the table in `bits` says (bitwise.hpp)
  kAddWhere,    ///< in[0] + in[1] where the mask in[2] is set, otherwise in[0]
  kLaneNumber,  ///< of each lane, in its wave
  // Pairs. From words to pairs and back is the same: the rows of a square become its columns.
  kEvenOfBoth,  ///< words of in[0]'s even lanes, each with that of in[1] behind it
  kOddOfBoth,   ///< the same of the odd lanes
  kOddFirst,    ///< each odd lane's word in the even lane before it
  kMulEven,     ///< pairs: products of the even lanes' words ...
  kMulEvenU,    ///< ... as unsigned numbers
  kAddPairs,
  kSumHalves,  ///< the sum of the products of both signed halves
  // Floats, f32 words or doubles.
  kFAdd,
  kFSub,
  kFMul,
  kFDiv,
  kFSqrt,
  kFma,       ///< in[0] * in[1] + in[2]; `variant` has kNegatesProduct, kSubtractsAddend
  kFmaToOdd,  ///< the same of f32 with an exact product, rounded towards zero, with the last bit
              ///< set if that is not exact
  kFMin,
  kFMax,       ///< of operands that are no NaN; -0 is below +0
  kFRound,     ///< to an integer; `variant` is a Rounding
  kNanOf,      ///< in[0] with its quiet bit set where it is a NaN, otherwise in[1]
  kUnlessNan,  ///< in[0], or in[1] where in[0] is a NaN
  // Conversions. Floats to integers truncate; what does not fit is the host's.
  kFloatOfInt,
  kFloatOfUint,
  kDoubleOfInt,
  kDoubleOfFloat,
  kFloatOfDouble,
  kIntOfFloat,
  kUintOfFloat,
  kIntOfDouble,
  kFlush,        ///< an f32, of denormals zeros of their sign
  kFloatOfHalf,  ///< of the low 16 bits, exactly
  kHalfOfFloat,  ///< to the low 16 bits, the upper ones are 0; `variant`: kNearest or kTowardsZero
  kRoundToHalf,  ///< there and back
  // Of scalars. Leading and trailing zeros of 0 are as many as it has bits.
  kZeroExtend,
  kSignExtend,
  kCountOnes,
  kTrailingZeros,
  kLeadingZeros,
  kLaneOf,  ///< what lane in[0] has in the vector register at the offset `bits`, in bytes
  // Of lanes 0 to 7, or 8 to 15, both halves as f32 side by side; and back, rounded to nearest.
  // Their lanes are not the strip's.
  kWidenLower,
  kWidenUpper,
  kNarrow,
  kJoin,
  kLow,
  kHigh,  ///< two words as a double, and its words
  // Masks. Comparisons have a Predicate as `variant`.
  kCompare,
  kCompareU,
  kFCompare,
  kMaskAnd,
  kMaskOr,
  kMaskXor,
  kMaskNot,
  kSelect,  ///< in[0] where the mask in[2] is set, otherwise in[1]
  kGiven,   ///< in[0], which is right where the mask in[1] is set
  // Lanes of a row of 16: lane i takes that of bits 4i to 4i + 3 of `bits`.
  kPermute,
  kPermuteMask,
  // Effects.
  kRequire,  ///< leaves the strip where the mask in[0] is clear in an active lane, if anything asks
             ///< for in[1], or there is none
  kOrdered,  ///< leaves it where one of two floats is a NaN in an active lane
  kPlace,    ///< where op `bits` of the run goes to memory, to load the words behind it
  kLoad,     ///< a word of the place before it; `variant` counts them
};

/// Of a kFma.
inline constexpr std::uint8_t kNegatesProduct = 1, kSubtractsAddend = 2;
enum class Rounding : std::uint8_t { kNearest, kDown, kUp, kTowardsZero };
/// What holds between two values. The last two are for floats: neither, or either is a NaN.
/// All others are false for NaNs but kNotEqual and those that are negations of others.
enum class Predicate : std::uint8_t {
  kEqual,
  kLess,
  kAtMost,
  kNotEqual,
  kNotLess,
  kNotAtMost,
  kOrdered,
  kUnordered,
};

/// What `bits` of a kRowSource say.
struct RowSource {
  static constexpr std::uint8_t kOwnLanes = 0xff;
  unsigned name = 0;                         ///< of the register
  std::array<std::uint8_t, 4> lane_of = {};  ///< by row, a lane for all of its lanes
  std::uint64_t bits() const {
    return std::bit_cast<std::uint32_t>(lane_of) | std::uint64_t{name} << 32;
  }
  static RowSource of(std::uint64_t bits) {
    const auto lanes = static_cast<std::uint32_t>(bits);
    return {static_cast<unsigned>(bits >> 32), std::bit_cast<std::array<std::uint8_t, 4>>(lanes)};
  }
};

struct Node {
  Do what{};
  Kind kind{};
  std::uint8_t variant = 0;
  std::uint16_t op = 0;  ///< the op of the run that first asked for it
  std::array<Id, 3> in = {kNoValue, kNoValue, kNoValue};
  std::uint64_t bits = 0;
  bool operator==(const Node& other) const {
    return what == other.what && kind == other.kind && variant == other.variant && in == other.in &&
           bits == other.bits;
  }
};

/// True of an operation on whole words, not on their halves.
inline bool is_word(const Node& node, Do what) {
  return node.what == what && node.kind == Kind::kWord;
}

/// True of floats' arithmetic whose result is a NaN if an operand is.
bool carries_nan(Do what);

/// Values in the order in which they were asked for; the same value has one node. What can be said
/// of constants, and cheaper forms of the same, are found as nodes are made.
class Graph {
 public:
  Graph();
  void clear();

  /// The op of the run that asks for values now.
  void set_op(std::uint16_t op) { op_ = op; }
  /// EXEC is known to be full.
  void set_all_active() { all_active_ = true; }
  bool all_active() const { return all_active_; }
  /// Arithmetic that is made from now on gives the NaNs that the GPU gives, with nodes of their
  /// own. In other graphs strips with a NaN are left.
  void set_spells_nans(bool spells) { spells_nans_ = spells; }
  bool spells_nans() const { return spells_nans_; }

  Id word(std::uint32_t bits);
  Id leaf(Do what, Kind kind, std::uint64_t bits = 0);
  Id make(Do what, Kind kind, Id a, Id b = kNoValue, Id c = kNoValue, std::uint8_t variant = 0,
          std::uint64_t bits = 0);
  /// A word of the kinds that most are.
  Id word_of(Do what, Id a, Id b = kNoValue, Id c = kNoValue) {
    return make(what, Kind::kWord, a, b, c);
  }
  Id mask_of(Do what, Id a, Id b = kNoValue) { return make(what, Kind::kMask, a, b); }
  Id compare(Do what, Predicate predicate, Id a, Id b) {
    return make(what, Kind::kMask, a, b, kNoValue, static_cast<std::uint8_t>(predicate));
  }
  Id select(Id mask, Id a, Id b);
  /// A float whose NaNs are the first NaN among the operands, quieted, or the default NaN (negative
  /// on demand), if the graph spells NaNs (number/arithmetic.hpp).
  Id spelled(Id result, std::initializer_list<Id> operands, bool negative = false);
  /// What spelled() was given, or the value itself.
  Id as_computed(Id id) const { return nodes_[id].what == Do::kUnlessNan ? nodes_[id].in[0] : id; }
  /// The mask of certain lanes of 16.
  Id lanes(std::uint32_t bits);
  /// Adds a kRequire or kOrdered, unless it has been asked for.
  void require(Do what, Id a, Id b = kNoValue);
  /// A value that is right where the mask is set; whoever asks for it leaves other strips.
  Id given(Id value, Id mask);
  /// Adds a kRequire for all that ask for a value.
  void require_for(Id value, Id mask);
  /// Words from `low` on; behind the greatest comes 0.
  struct Words {
    std::uint32_t low, count;
  };
  /// The strip is left where a word is none of these in an active lane.
  void require_among(Id word, const Words& words);
  /// Is it known to be one of them, as far as such requirements say?
  bool is_among(Id word, const Words& words) const;
  /// Adds another effect.
  void effect(Do what, Id a, Id b = kNoValue, std::uint64_t bits = 0);
  /// Adds a node that is not the same as any other.
  Id fresh(Do what, Kind kind, std::uint8_t variant, std::uint64_t bits);

  /// A place asks for no address any more: it is known otherwise.
  void forget_address(Id place) { nodes_[place].in = {kNoValue, kNoValue, kNoValue}; }
  /// A node becomes a kTernary. Nothing may be asked of the graph afterwards.
  void join(Id id, const std::array<Id, 3>& in, std::uint8_t table) {
    nodes_[id].what = Do::kTernary;
    nodes_[id].in = in;
    nodes_[id].bits = table;
  }

  struct Quotient {
    Id numerator, denominator;
  };
  /// What is divided where fma(error, reciprocal, estimate) is the last step of a division as LLVM
  /// writes it (SITargetLowering::LowerFDIV32 and 64). Nothing if it is not. The result is the
  /// quotient rounded to nearest, unless anything overflows or gets lost below the smallest number
  /// (docs/decisions/0036).
  std::optional<Quotient> quotient(Id error, Id reciprocal, Id estimate) const;
  /// What the root is taken of where fma(error, half, estimate) is the last step of an f64 root as
  /// LLVM writes it (SITargetLowering::lowerFSQRTF64), and the estimate of its reciprocal that the
  /// steps begin with; the same as above holds.
  struct Root {
    Id operand, reciprocal;
  };
  std::optional<Root> root(Id error, Id half, Id estimate) const;

  const Node& operator[](Id id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }
  bool is_constant(Id id) const { return nodes_[id].what == Do::kConstant; }
  std::uint32_t constant(Id id) const { return static_cast<std::uint32_t>(nodes_[id].bits); }
  bool is(Id id, std::uint32_t bits) const {
    return nodes_[id].what == Do::kConstant && nodes_[id].kind == Kind::kWord &&
           nodes_[id].bits == bits;
  }
  /// Too much for one graph: values are of no use.
  bool full() const { return full_; }
  /// Something is required that never holds.
  bool impossible() const { return impossible_; }

 private:
  Id add(const Node& node);
  Id make_once(Do what, Kind kind, Id a, Id b, Id c, std::uint8_t variant, std::uint64_t bits = 0);
  bool may_be_nan(Id id) const;
  const Node& computed(Id id) const { return nodes_[as_computed(id)]; }
  Id simpler(const Node& node);
  Id simpler_word(const Node& node);
  Id simpler_flush(Id id);
  Id simpler_half(const Node& node);
  Id simpler_pairs(const Node& node);
  Id simpler_float(const Node& node);
  Id simpler_mask(const Node& node);
  Id same_words(Do what, Id a, Id b);
  bool flips_sign(Id id) const;
  bool corrects_root(const Node& node) const;
  Id corrected(Id id, Id n, Id d, Id factor) const;

  struct Among {
    Id word;
    Words words;
  };

  std::vector<Node> nodes_;
  std::vector<Among> among_;
  std::vector<Id> table_;
  std::vector<std::uint16_t> taken_;  ///< places in the table that are not empty
  std::uint16_t op_ = 0;
  bool all_active_ = false, spells_nans_ = false, full_ = false, impossible_ = false;
};

/// While it lives, arithmetic needs no NaNs spelled: who makes it looks after them.
class PlainArithmetic {
 public:
  explicit PlainArithmetic(Graph& graph) : graph_(graph), spells_nans_(graph.spells_nans()) {
    graph_.set_spells_nans(false);
  }
  ~PlainArithmetic() { graph_.set_spells_nans(spells_nans_); }
  PlainArithmetic(const PlainArithmetic&) = delete;
  PlainArithmetic& operator=(const PlainArithmetic&) = delete;

 private:
  Graph& graph_;
  const bool spells_nans_;
};

}  // namespace wavetank::execute::jit
