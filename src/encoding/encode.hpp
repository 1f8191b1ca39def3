// The parts of the encoder, one function per format. Private to src/encoding.
#pragma once

#include <cstdint>

#include "encoding/instruction.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::encoding {

/// Each gives the two dwords of the instruction (the second is 0 or a literal where it has one).
std::uint64_t encode_sop(const Instruction& in);
std::uint64_t encode_smem(const Instruction& in);
std::uint64_t encode_vop(const Instruction& in);
std::uint64_t encode_vop3(const Instruction& in);
std::uint64_t encode_ds(const Instruction& in);
std::uint64_t encode_flat(const Instruction& in, const isa::Target& target);
std::uint64_t encode_buffer(const Instruction& in);
std::uint64_t encode_image(const Instruction& in);

}  // namespace wavetank::encoding
