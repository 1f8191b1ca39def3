// Buffer loads and stores that convert between registers and a memory format, and the store whose
// data comes from LDS (CDNA3 ISA guide, "Buffer Data Formats" and "Buffer Resource Descriptor").
//
//   texel in memory --load_texel--> values x y z w --DST_SEL--> registers
//
// MTBUF rows name the format themselves and leave the components where they are; MUBUF rows take
// both from the resource. A texel is in range as a whole or not at all.
#include "execute/memory/buffer_format.hpp"

#include <array>
#include <cstring>

#include "execute/memory/address.hpp"
#include "execute/registry.hpp"
#include "number/data_format.hpp"

namespace wavetank::execute {
namespace {

using isa::MemoryAction;
using isa::MemorySpecial;
using machine::for_each_lane;
using machine::Wave;
using number::NumberFormat;

/// DST_SEL from here on names a component.
constexpr std::uint8_t kFirst = 4;

/// What an access converts to or from.
struct Format {
  number::DataFormat texel;
  NumberFormat number;
  std::array<std::uint8_t, 4> select;  ///< DST_SEL of x, y, z, w

  static Format of(const Wave& wave, const Op* op, const isa::Row& row) {
    const bool typed = row.encoding.format == isa::Format::kMtbuf;
    const std::uint32_t word = wave.sgpr[op->memory.scalar_base + 3u];
    const unsigned data = typed ? op->memory.buffer_format & 15u : (word >> 15) & 15;
    const unsigned number = typed ? op->memory.buffer_format >> 4 : (word >> 12) & 7;
    Format format{number::data_format(data), static_cast<NumberFormat>(number), {4, 5, 6, 7}};
    for (unsigned i = 0; i < 4 && !typed; ++i) {
      format.select[i] = static_cast<std::uint8_t>((word >> (3 * i)) & 7);
    }
    return format;
  }
};

/// How the values of a row lie in its registers.
struct Registers {
  unsigned count;  ///< components
  bool halves;     ///< 16-bit values, two in a register
  bool high;       ///< a single one, in bits 31:16

  static Registers of(const isa::Row& row) {
    const isa::MemoryShape& shape = row.memory;
    return {shape.components, shape.d16, shape.d16_high};
  }
  unsigned dwords() const { return halves ? (count + 1) / 2 : count; }
};

/// The values of one lane's texel before DST_SEL; components that the format lacks are 0, 0, 0, 1.
std::array<std::uint32_t, 4> load_texel(Wave& wave, const Op* op, unsigned lane,
                                        const Format& format) {
  std::byte texel[16] = {};
  if (!buffer_in_range(wave, op, lane, format.texel.bytes)) return {};
  read_lane(wave, op, Segment::kBuffer, lane, texel, format.texel.bytes);
  auto values = number::load_texel(texel, format.texel, format.number);
  if (format.texel.components() < 4) values[3] = one_of(format.number);
  return values;
}

/// One lane's registers.
std::array<std::uint32_t, 4> load_lane(Wave& wave, const Op* op, unsigned lane,
                                       const Format& format, const Registers& registers) {
  const auto values = load_texel(wave, op, lane, format);
  std::array<std::uint32_t, 4> result = {};
  for (unsigned i = 0; i < registers.count; ++i) {
    const std::uint32_t value = selected(values, format.select[i], format.number);
    if (!registers.halves) {
      result[i] = value;
    } else {
      const bool high = registers.high || i % 2 != 0;
      result[i / 2] |= half_of(value, format.number) << (high ? 16 : 0);
    }
  }
  return result;
}

/// Lane's dword of LDS: M0 + offset + 4 * lane; nullptr beyond the allocation.
std::byte* lds_of_lane(const Wave& wave, const Op* op, unsigned lane) {
  const std::uint64_t at = lds_target(wave, op->memory, true) + 4 * lane;
  return at + 4 <= wave.workgroup->lds_bytes ? wave.workgroup->lds + at : nullptr;
}

const Op* run_load(Wave& wave, const Op* op) {
  wave.current = op;
  const isa::Row& row = row_of(*op);
  const Format format = Format::of(wave, op, row);
  const Registers registers = Registers::of(row);
  for_each_lane(wave.exec(), [&](unsigned lane) {
    const auto result = load_lane(wave, op, lane, format, registers);
    if (op->memory.lds) {
      if (std::byte* const to = lds_of_lane(wave, op, lane)) std::memcpy(to, result.data(), 4);
      return;
    }
    for (unsigned i = 0; i < registers.dwords(); ++i) {
      wave.vector(op->memory.result + i)[lane] = result[i];
    }
  });
  return op + op->dwords;
}

/// A component of the texel comes from the first register whose DST_SEL names it.
const Op* run_store(Wave& wave, const Op* op) {
  wave.current = op;
  const isa::Row& row = row_of(*op);
  const Format format = Format::of(wave, op, row);
  const Registers registers = Registers::of(row);
  if (format.texel.bytes == 0) return op + op->dwords;
  for_each_lane(wave.exec(), [&](unsigned lane) {
    if (!buffer_in_range(wave, op, lane, format.texel.bytes)) return;
    std::array<std::uint32_t, 4> raw = {};
    for (unsigned i = registers.count; i-- > 0;) {
      if (format.select[i] < kFirst) continue;
      const unsigned index = registers.halves ? i / 2 : i;
      const std::uint32_t dword = wave.vector(op->memory.data + index)[lane];
      const bool high = registers.high || i % 2 != 0;
      const std::uint32_t value =
          registers.halves ? from_half(dword >> (high ? 16 : 0), format.number) : dword;
      const unsigned to = format.select[i] - kFirst;
      if (to >= format.texel.components()) continue;
      raw[to] = store_component(value, format.texel.bits[to], format.number, to);
    }
    std::byte texel[16];
    pack_texel(raw, format.texel, texel);
    write_lane(wave, op, Segment::kBuffer, lane, texel, format.texel.bytes);
  });
  return op + op->dwords;
}

/// buffer_store_lds_dword: what lies beyond the LDS allocation counts as zero.
const Op* run_store_from_lds(Wave& wave, const Op* op) {
  wave.current = op;
  for_each_lane(wave.exec(), [&](unsigned lane) {
    const std::uint32_t zero = 0;
    const std::byte* const from = lds_of_lane(wave, op, lane);
    write_lane(wave, op, Segment::kBuffer, lane,
               from != nullptr ? static_cast<const void*>(from) : &zero, 4);
  });
  return op + op->dwords;
}

Handler handler_of(const isa::Row& row) {
  const isa::Format format = row.encoding.format;
  if (format != isa::Format::kMubuf && format != isa::Format::kMtbuf) return nullptr;
  const bool store = row.memory.action == MemoryAction::kStore;
  if (row.memory.special == MemorySpecial::kFormat) return store ? run_store : run_load;
  return row.memory.special == MemorySpecial::kFromLds ? run_store_from_lds : nullptr;
}

}  // namespace

unsigned texel_bytes(const Wave& wave, const Op* op) {
  return Format::of(wave, op, row_of(*op)).texel.bytes;
}

void append_buffer_formats(Entries& entries) { append_rows(entries, handler_of); }

}  // namespace wavetank::execute
