// What a row computes, as far as those who read code ask: how addresses and lane masks are made,
// and which rows are the parts of a longer operation.
#pragma once

#include <cstdint>

namespace wavetank::isa {

/// Sources are s0, s1, s2 in the row's order; the row's types tell the width.
enum class Meaning : std::uint8_t {
  kOther,
  kMove,                ///< s0
  kAdd,                 ///< s0 + s1; the carry is the row's mask, or SCC
  kAddCarry,            ///< s0 + s1 + carry
  kAdd3,                ///< s0 + s1 + s2
  kSubtract,            ///< s0 - s1
  kSubtractReversed,    ///< s1 - s0
  kShiftLeft,           ///< s0 << s1
  kShiftLeftReversed,   ///< s1 << s0
  kShiftLeftAdd,        ///< (s0 << s1) + s2
  kAddShiftLeft,        ///< (s0 + s1) << s2
  kShiftRight,          ///< s0 >> s1, of unsigned numbers
  kShiftRightReversed,  ///< s1 >> s0, of unsigned numbers
  kShiftLeftOr,         ///< (s0 << s1) | s2
  kTestBit,             ///< whether bit s1 of s0 is 1, or 0
  kExtendByte,          ///< s0[7:0], as a signed number
  kExtendHalf,          ///< s0[15:0], as a signed number
  kBitField,            ///< bits of s0: their number is s1[22:16], the first s1[4:0]
  kAnd,                 ///< s0 & s1
  kAndNot,              ///< s0 & ~s1
  kOr,                  ///< s0 | s1
  kXor,                 ///< s0 ^ s1
  kMultiply,            ///< s0 * s1
  kMinimum,
  kMaximum,
  kAndSaveExec,     ///< EXEC; it becomes s0 & EXEC
  kAndNotSaveExec,  ///< EXEC; it becomes s0 & ~EXEC
  kNotAndSaveExec,  ///< EXEC; it becomes ~s0 & EXEC
  kOrSaveExec,      ///< EXEC; it becomes s0 | EXEC
  kProgramCounter,  ///< the address of the following instruction
  kFirstLane,       ///< the same value for the wave, of one of its lanes
  kAccumulatorWrite,
  kAccumulatorRead,
  kFused,              ///< s0 * s1 + s2
  kConvert,            ///< from one number format to another
  kReciprocal,         ///< 1 / s0, roughly
  kReciprocalInteger,  ///< the same, as the first step of a division of integers
  kSquareRoot,         ///< roughly
  kDivideScale,        ///< the parts of a division of floats that is right to the last bit
  kDivideFuse,
  kDivideFixup,
  kCompare,
  kSwap,             ///< exchanges the result's register and s0's
  kRegisterIndexed,  ///< M0 says which register is read or written
};

}  // namespace wavetank::isa
