// What a trial puts where bits are undefined.
#pragma once

#include <cstdint>

#include "execute/op.hpp"

namespace wavetank::execute {

/// One trial's bits. Registers and lanes get different ones: two values that nobody defined need
/// not be equal, though both may read as zero here.
class Filling {
 public:
  /// Trials of an op: the complement of what is there, some constants, random bits, and the values
  /// of its other operands, without which no comparison would ever find two values equal.
  static constexpr unsigned kConstants = 10, kRandoms = 4, kPeers = 3, kPeerForms = 3;
  static constexpr unsigned kTrials = 1 + kConstants + kRandoms + kPeers * kPeerForms;

  /// The filling of the `trial`th trial of an op that `handler` executes, whose operands are as
  /// they are in `wave`.
  Filling(const machine::Wave& wave, const Op* op, Handler handler, unsigned trial);

  /// False if the op has no such operand: the trial would show nothing.
  bool exists() const { return exists_; }
  /// True of random bits. The last of their trials has the exclusive or of the others' bits, so
  /// that the results of all of them together are zero if bits were only moved, or combined so.
  bool is_random() const { return kind_ == Kind::kRandom; }
  /// True of the complement, by which every bit that is only moved changes.
  bool is_complement() const { return kind_ == Kind::kComplement; }
  /// True if its bits tell a copy from all else.
  bool tells_copies() const { return is_random() && number_ == 0; }
  /// The bits for a lane of a vector register, or for a scalar one, whose value is `value`.
  std::uint32_t vector(unsigned index, unsigned lane, std::uint32_t value) const;
  std::uint32_t scalar(unsigned index, std::uint32_t value) const;

 private:
  enum class Kind : std::uint8_t { kComplement, kConstant, kRandom, kPeer };
  std::uint32_t bits(Source file, unsigned index, unsigned lane, std::uint32_t value) const;
  std::uint32_t of_peer(unsigned dword, unsigned lane) const;

  const machine::Wave& wave_;
  const Op* const op_;
  const bool has_lane_control_;
  Kind kind_ = Kind::kComplement;
  unsigned number_ = 0;  ///< of its kind; of a peer the operand
  unsigned form_ = 0;    ///< of a peer: its dword, its low half twice, its low byte four times
  bool exists_ = true;
};

}  // namespace wavetank::execute
