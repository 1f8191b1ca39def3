#include "execute/jit/assembler.hpp"

#include <cstring>
#include <map>

namespace wavetank::execute::jit {
namespace {

constexpr int kNoImmediate = -1;

}  // namespace

void Assembler::bytes(std::initializer_list<std::uint8_t> values) {
  code_.insert(code_.end(), values);
}
void Assembler::bytes(std::span<const std::uint8_t> values) {
  code_.insert(code_.end(), values.begin(), values.end());
}
void Assembler::dword(std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) code_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}
void Assembler::qword(std::uint64_t value) {
  dword(static_cast<std::uint32_t>(value));
  dword(static_cast<std::uint32_t>(value >> 32));
}

void Assembler::memory_operand(std::uint8_t reg, const Operand& operand, unsigned unit_bytes) {
  const auto reg_field = static_cast<std::uint8_t>((reg & 7) << 3);
  if (operand.kind == Operand::Kind::kConstant) {
    code_.push_back(0x05 | reg_field);
    references_.push_back({code_.size(), 0, operand.constant});
    return dword(0);
  }
  const auto base = static_cast<std::uint8_t>(operand.base);
  const std::int32_t units = operand.displacement / static_cast<std::int32_t>(unit_bytes);
  const bool whole = units * static_cast<std::int32_t>(unit_bytes) == operand.displacement;
  if (whole && units >= -128 && units <= 127) {
    bytes({static_cast<std::uint8_t>(0x40 | reg_field | base), static_cast<std::uint8_t>(units)});
  } else {
    code_.push_back(static_cast<std::uint8_t>(0x80 | reg_field | base));
    dword(static_cast<std::uint32_t>(operand.displacement));
  }
}

void Assembler::encode(Opcode opcode, std::uint8_t reg, std::uint8_t first, const Operand& last,
                       Masking masking, int immediate) {
  const bool in_register = last.is_register();
  const bool element =
      last.kind == Operand::Kind::kBroadcast || last.kind == Operand::Kind::kConstant;
  const std::uint8_t rm = in_register ? last.reg.number : 0;
  const auto inverted = [](unsigned bit, unsigned place) {
    return static_cast<std::uint8_t>((bit & 1) == 0 ? 1u << place : 0);
  };
  const auto p0 =
      static_cast<std::uint8_t>(inverted(reg >> 3, 7) | inverted(rm >> 4, 6) |
                                inverted(rm >> 3, 5) | inverted(reg >> 4, 4) | opcode.map);
  const auto p1 =
      static_cast<std::uint8_t>((opcode.wide ? 0x80 : 0) | (~first & 15) << 3 | 4 | opcode.prefix);
  constexpr std::uint8_t k512Bits = 2 << 5;
  const auto p2 = static_cast<std::uint8_t>((masking.zeroing ? 0x80 : 0) | k512Bits |
                                            (element && !opcode.one_element ? 0x10 : 0) |
                                            inverted(first >> 4, 3) | masking.mask.number);
  bytes({0x62, p0, p1, p2, opcode.code});
  const std::size_t waiting = references_.size();
  if (in_register) {
    code_.push_back(static_cast<std::uint8_t>(0xc0 | (reg & 7) << 3 | (rm & 7)));
  } else {
    memory_operand(reg, last, element ? (opcode.wide ? 8 : 4) : 64);
  }
  if (immediate != kNoImmediate) code_.push_back(static_cast<std::uint8_t>(immediate));
  if (references_.size() > waiting) references_.back().end = code_.size();
}

void Assembler::vector(Opcode opcode, Zmm dst, Zmm first, const Operand& last, Masking masking) {
  encode(opcode, dst.number, first.number, last, masking, kNoImmediate);
}
void Assembler::vector(Opcode opcode, Zmm dst, Zmm first, const Operand& last,
                       std::uint8_t immediate, Masking masking) {
  if (opcode.digit >= 0) {
    encode(opcode, static_cast<std::uint8_t>(opcode.digit), dst.number, last, masking, immediate);
  } else {
    encode(opcode, dst.number, first.number, last, masking, immediate);
  }
}
void Assembler::compare(Opcode opcode, KMask dst, Zmm first, const Operand& last,
                        std::uint8_t immediate, KMask among) {
  encode(opcode, dst.number, first.number, last, {among}, immediate);
}
void Assembler::test(Opcode opcode, KMask dst, Zmm first, const Operand& last, KMask among) {
  encode(opcode, dst.number, first.number, last, {among}, kNoImmediate);
}
void Assembler::store(Base base, std::int32_t displacement, Zmm value, KMask mask) {
  constexpr Opcode kStore{1, 1, false, 0x7f};  // vmovdqa32
  encode(kStore, value.number, 0, Operand::memory(base, displacement), {mask}, kNoImmediate);
}

/// vmovd eax, xmm and vmovq rax, xmm in their EVEX form, which reaches all registers.
void Assembler::first_lane(Zmm value, bool wide) {
  const auto high_bits = static_cast<std::uint8_t>(((value.number >> 3) & 1) == 0 ? 0x80 : 0);
  const auto highest_bit = static_cast<std::uint8_t>((value.number >> 4) == 0 ? 0x10 : 0);
  bytes({0x62, static_cast<std::uint8_t>(0x61 | high_bits | highest_bit),
         static_cast<std::uint8_t>(wide ? 0xfd : 0x7d), 0x08, 0x7e,
         static_cast<std::uint8_t>(0xc0 | (value.number & 7) << 3)});
}

void Assembler::load_mask(KMask dst, Base base, std::int32_t displacement) {
  bytes({0xc5, 0xf8, 0x90});
  memory_operand(dst.number, Operand::memory(base, displacement), 1);
}
void Assembler::mask_op(std::uint8_t opcode, KMask dst, KMask first, KMask last) {
  bytes({0xc5, static_cast<std::uint8_t>(0x84 | (~first.number & 15) << 3), opcode,
         static_cast<std::uint8_t>(0xc0 | dst.number << 3 | last.number)});
}
void Assembler::test_mask(KMask mask) {
  bytes({0xc5, 0xf8, 0x98, static_cast<std::uint8_t>(0xc0 | mask.number << 3 | mask.number)});
}

void Assembler::jump_back(std::uint8_t condition, std::size_t target) {
  bytes({0x0f, condition});
  dword(static_cast<std::uint32_t>(target - (position() + 4)));
}
std::size_t Assembler::jump_ahead(std::uint8_t condition) {
  bytes({0x0f, condition});
  dword(0);
  return position();
}
std::size_t Assembler::jump_ahead() {
  bytes({0xe9});
  dword(0);
  return position();
}
void Assembler::bind(std::size_t jump) {
  const auto distance = static_cast<std::uint32_t>(position() - jump);
  std::memcpy(&code_[jump - 4], &distance, 4);
}

void Assembler::place_constants() {
  while (code_.size() % 8 != 0) code_.push_back(0xcc);
  std::map<std::uint64_t, std::size_t> places;
  for (const Reference& reference : references_) {
    const auto [place, added] = places.emplace(reference.constant, code_.size());
    if (added) qword(reference.constant);
    const auto distance = static_cast<std::uint32_t>(place->second - reference.end);
    std::memcpy(&code_[reference.at], &distance, 4);
  }
  references_.clear();
}

void Assembler::rewind(std::size_t position) {
  code_.resize(position);
  std::erase_if(references_, [&](const Reference& r) { return r.at >= position; });
}

}  // namespace wavetank::execute::jit
