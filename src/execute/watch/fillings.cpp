#include "execute/watch/fillings.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>

#include "execute/lane_control.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute {
namespace {

using machine::Wave;

/// Extremes of the number formats, so that an order that can go both ways does: integers, f32 and
/// f64 (large and infinite), pairs of f16.
constexpr std::array<std::uint32_t, Filling::kConstants> kExtremes = {0,
                                                                      0xffff'ffffu,
                                                                      0x7fff'ffffu,
                                                                      0x8000'0000u,
                                                                      0x7f80'0000u,
                                                                      0xff80'0000u,
                                                                      0x7fe0'0000u,
                                                                      0xffe0'0000u,
                                                                      0x7c00'7c00u,
                                                                      0xfc00'fc00u};

/// Bits without a pattern (the finalizer of MurmurHash3).
std::uint32_t scrambled(std::uint64_t number) {
  number = (number ^ number >> 33) * 0xff51'afd7'ed55'8ccdu;
  number = (number ^ number >> 33) * 0xc4ce'b9fe'1a85'ec53u;
  return static_cast<std::uint32_t>(number ^ number >> 33);
}

constexpr unsigned kVectorBytes = 256, kScalarBytes = 4;

/// Which dword of operand `operand` a register is.
std::optional<unsigned> dword_of(const Op* op, unsigned operand, Source file, unsigned index) {
  if (op->kind[operand] != file) return std::nullopt;
  const unsigned first = op->src[operand] / (file == Source::kVector ? kVectorBytes : kScalarBytes);
  const unsigned dwords = isa::dwords_of(row_of(*op).sources[operand].type);
  return index - first < dwords ? std::optional(index - first) : std::nullopt;
}

}  // namespace

Filling::Filling(const Wave& wave, const Op* op, Handler handler, unsigned trial)
    : wave_(wave), op_(op), has_lane_control_(handler == run_sdwa || handler == run_dpp) {
  if (trial == 0) return;
  number_ = trial - 1;
  kind_ = Kind::kConstant;
  if (number_ < kConstants) return;
  number_ -= kConstants;
  kind_ = Kind::kRandom;
  if (number_ < kRandoms) return;
  number_ -= kRandoms;
  kind_ = Kind::kPeer;
  form_ = number_ % kPeerForms;
  number_ /= kPeerForms;
  const isa::Row& row = row_of(*op);
  exists_ = row.memory.action == isa::MemoryAction::kNone && number_ < row.source_count() &&
            row.source_count() > 1;
}

std::uint32_t Filling::of_peer(unsigned dword, unsigned lane) const {
  std::uint32_t value = 0;
  switch (op_->kind[number_]) {
    case Source::kVector:
      value = wave_.vgpr[op_->src[number_] / 4 + std::size_t{machine::kLanes} * dword + lane];
      break;
    case Source::kScalar:
      std::memcpy(&value,
                  reinterpret_cast<const std::byte*>(&wave_) + op_->src[number_] + 4 * dword, 4);
      break;
    case Source::kConstant: {
      const std::uint64_t all = has_lane_control_ ? op_->src[number_] : op_->constant[number_];
      value = static_cast<std::uint32_t>(all >> (32 * (dword & 1)));
      break;
    }
  }
  if (form_ == 1) value = (value & 0xffff) * 0x1'0001u;
  if (form_ == 2) value = (value & 0xff) * 0x101'0101u;
  return value;
}

std::uint32_t Filling::bits(Source file, unsigned index, unsigned lane, std::uint32_t value) const {
  switch (kind_) {
    case Kind::kComplement: return ~value;
    case Kind::kConstant: return kExtremes[number_];
    case Kind::kRandom: {
      const std::uint64_t place = (std::uint64_t{index} << 8 | lane) << 8;
      const auto random = [&](unsigned number) {
        return scrambled(file == Source::kVector ? place + number + 1 : ~(place + number));
      };
      if (number_ + 1 < kRandoms) return random(number_);
      std::uint32_t all = 0;
      for (unsigned i = 0; i + 1 < kRandoms; ++i) all ^= random(i);
      return all;
    }
    case Kind::kPeer: break;
  }
  if (dword_of(op_, number_, file, index)) return value;
  unsigned dword = 0;
  for (unsigned operand = 0; operand < kPeers; ++operand) {
    dword = dword_of(op_, operand, file, index).value_or(dword);
  }
  return of_peer(dword, lane);
}

std::uint32_t Filling::vector(unsigned index, unsigned lane, std::uint32_t value) const {
  return bits(Source::kVector, index, lane, value);
}

std::uint32_t Filling::scalar(unsigned index, std::uint32_t value) const {
  return bits(Source::kScalar, index, 0, value);
}

}  // namespace wavetank::execute
