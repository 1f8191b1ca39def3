// The host's code as it grows, and the constants that lie behind it.
#pragma once

#include <xbyak/xbyak.h>

#include <cstdint>
#include <deque>
#include <map>

namespace wavetank::execute::jit {

/// Lanes of two registers of words: those of two words' lower or upper eight lanes side by side,
/// and every second one. Or, instead of lanes, the bit that each has in a mask.
enum class LaneOrder : std::uint8_t { kJoinLower, kJoinUpper, kEven, kOdd, kBits };

/// Code is written where it will run. Constants are addressed from it.
class HostCode : public Xbyak::CodeGenerator {
 public:
  HostCode(void* memory, std::size_t bytes) : Xbyak::CodeGenerator(bytes, memory) {}

  /// The address of 64 bits, of which words and doubles take as much as they need.
  Xbyak::RegRip constant(std::uint64_t bits) { return rip + pool().words[bits]; }
  /// The address of 32 bytes that are these 64 bits, again and again.
  Xbyak::RegRip whole(std::uint64_t bits) { return rip + pool().wholes[bits]; }
  /// The address of 16 words, each four bits of these.
  Xbyak::RegRip nibbles(std::uint64_t bits) { return rip + pool().nibbles[bits]; }
  /// The address of 16 words that say an order of lanes.
  Xbyak::RegRip lanes(LaneOrder order) { return rip + pool().orders[order]; }
  /// The address of 16 words: 0, `step`, twice that and so on.
  Xbyak::RegRip multiples(std::uint32_t step) { return rip + pool().multiples[step]; }
  /// Starts a part that rewind() may take back.
  void begin_part() { pools_.push_back({getSize(), {}, {}, {}, {}, {}}); }
  /// Puts the constants of all parts here. The code before may be used after this.
  void place_constants();
  /// Forgets everything from a position on: where a part begins.
  void rewind(std::size_t position);

  /// vpand and others as they are called for zmm: with two registers and an operand.
  void and_words(const Xbyak::Xmm& to, const Xbyak::Xmm& a, const Xbyak::Operand& b) {
    vpand(to, a, b);
  }
  void or_words(const Xbyak::Xmm& to, const Xbyak::Xmm& a, const Xbyak::Operand& b) {
    vpor(to, a, b);
  }
  void xor_words(const Xbyak::Xmm& to, const Xbyak::Xmm& a, const Xbyak::Operand& b) {
    vpxor(to, a, b);
  }

  std::size_t position() const { return getSize(); }
  /// Is there room for another `bytes`?
  bool has_room(std::size_t bytes) const { return getSize() + bytes <= maxSize_; }

 private:
  /// The constants of a part. Labels that nobody places are forgotten with what asked for them.
  struct Pool {
    std::size_t begin;
    std::map<std::uint64_t, Xbyak::Label> words, wholes, nibbles;
    std::map<std::uint32_t, Xbyak::Label> multiples;
    std::map<LaneOrder, Xbyak::Label> orders;
  };
  Pool& pool() {
    if (pools_.empty()) begin_part();
    return pools_.back();
  }
  void place(Pool& pool);

  std::deque<Pool> pools_;
};

}  // namespace wavetank::execute::jit
