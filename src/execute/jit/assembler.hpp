// Writes AVX-512 host code: only the encodings that compiled blocks need (Intel 64 and IA-32
// Architectures Software Developer's Manual, volume 2, "EVEX" and "VEX" encodings).
//
// All vector instructions are 512 bits wide, 16 lanes of 32 bits or 8 of 64. Memory operands are a
// base register and a displacement; constants lie behind the code and are addressed from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace wavetank::execute::jit {

/// zmm0 to zmm31.
struct Zmm {
  std::uint8_t number = 0;
};
/// k0 to k7. As a write mask k0 means no mask.
struct KMask {
  std::uint8_t number = 0;
};

/// General registers, with what compiled blocks keep in them.
enum class Base : std::uint8_t {
  kAddress = 0,    ///< rax: where a load or store goes
  kMaskWords = 1,  ///< rcx: the wave, two bytes further for each strip
  kVector = 2,     ///< rdx: the strip's lanes of VGPR 0
  kOp = 6,         ///< rsi: the op that is run
  kWave = 7,       ///< rdi: the wave
};

/// The last operand of a vector instruction: a register, memory, one dword or qword of memory for
/// all lanes, or a constant for all lanes.
struct Operand {
  enum class Kind : std::uint8_t { kRegister, kMemory, kBroadcast, kConstant };
  Kind kind = Kind::kRegister;
  Zmm reg;
  Base base = Base::kVector;
  std::int32_t displacement = 0;
  std::uint64_t constant = 0;

  Operand(Zmm value) : reg(value) {}  // NOLINT: registers are operands
  static Operand memory(Base base, std::int32_t displacement) {
    return {Kind::kMemory, base, displacement, 0};
  }
  static Operand broadcast(Base base, std::int32_t displacement) {
    return {Kind::kBroadcast, base, displacement, 0};
  }
  static Operand bits(std::uint64_t value) { return {Kind::kConstant, Base::kVector, 0, value}; }
  bool is_register() const { return kind == Kind::kRegister; }

 private:
  Operand(Kind k, Base b, std::int32_t d, std::uint64_t c)
      : kind(k), base(b), displacement(d), constant(c) {}
};

/// A vector instruction's opcode: map 1 (0F), 2 (0F38) or 3 (0F3A), prefix 0, 1 (66), 2 (F3) or
/// 3 (F2), and whether its elements have 64 bits (W).
struct Opcode {
  std::uint8_t map, prefix;
  bool wide;
  std::uint8_t code;
  /// The ModRM.reg digit of shifts by an immediate.
  std::int8_t digit = -1;
  /// The memory operand is one element (vpbroadcastd), not a vector.
  bool one_element = false;
};

/// How a vector instruction treats lanes: those outside `mask` keep their value, or become zero.
struct Masking {
  KMask mask;
  bool zeroing = false;
};

/// A growing piece of code. Positions are offsets from its start.
class Assembler {
 public:
  /// dst = opcode(first, last); `first` is zmm0 where an instruction has one source.
  void vector(Opcode opcode, Zmm dst, Zmm first, const Operand& last, Masking masking = {});
  /// The same with an immediate byte.
  void vector(Opcode opcode, Zmm dst, Zmm first, const Operand& last, std::uint8_t immediate,
              Masking masking = {});
  /// A comparison: dst takes the lanes that hold, among those of `among` unless it is k0.
  void compare(Opcode opcode, KMask dst, Zmm first, const Operand& last, std::uint8_t immediate,
               KMask among = {});
  /// A test without immediate (vptestmd, vpmovd2m).
  void test(Opcode opcode, KMask dst, Zmm first, const Operand& last, KMask among = {});
  /// memory = value, in the lanes of the mask.
  void store(Base base, std::int32_t displacement, Zmm value, KMask mask = {});

  /// rax = the first lane's dword (zero-extended) or (wide) qword.
  void first_lane(Zmm value, bool wide);

  void load_mask(KMask dst, Base base, std::int32_t displacement);
  /// kandw, kandnw, korw, kxorw, kxnorw by their opcode byte: dst = first op last.
  void mask_op(std::uint8_t opcode, KMask dst, KMask first, KMask last);
  /// Sets ZF if no lane of the mask is set, CF if all 16 are.
  void test_mask(KMask mask);

  /// Any bytes: the few general instructions.
  void bytes(std::initializer_list<std::uint8_t> values);
  void bytes(std::span<const std::uint8_t> values);
  void dword(std::uint32_t value);
  void qword(std::uint64_t value);
  /// A conditional jump (second opcode byte) to a known position, or one that bind() fills in.
  void jump_back(std::uint8_t condition, std::size_t target);
  [[nodiscard]] std::size_t jump_ahead(std::uint8_t condition);
  [[nodiscard]] std::size_t jump_ahead();
  void bind(std::size_t jump);

  /// Puts the constants here. The code before may be used after this.
  void place_constants();
  std::size_t position() const { return code_.size(); }
  /// Forgets everything from a position on; no constant may be waiting since before it.
  void rewind(std::size_t position);
  const std::vector<std::uint8_t>& code() const { return code_; }

 private:
  struct Reference {
    std::size_t at;   ///< the displacement's place
    std::size_t end;  ///< the following instruction, from which it counts
    std::uint64_t constant;
  };
  void encode(Opcode opcode, std::uint8_t reg, std::uint8_t first, const Operand& last,
              Masking masking, int immediate);
  void memory_operand(std::uint8_t reg, const Operand& operand, unsigned unit_bytes);

  std::vector<std::uint8_t> code_;
  std::vector<Reference> references_;
};

/// Second opcode bytes of jumps.
inline constexpr std::uint8_t kNotEqual = 0x85, kNotCarry = 0x83, kIfCarry = 0x82, kIfEqual = 0x84,
                              kIfNotAbove = 0x86, kIfAbove = 0x87, kIfGreater = 0x8f;
inline constexpr std::uint8_t kMaskAnd = 0x41, kMaskAndNot = 0x42, kMaskOr = 0x45, kMaskXnor = 0x46,
                              kMaskXor = 0x47;

}  // namespace wavetank::execute::jit
