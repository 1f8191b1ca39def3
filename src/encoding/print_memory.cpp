// DS, FLAT, GLOBAL, SCRATCH, MUBUF and MTBUF in words.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "encoding/layout.hpp"
#include "encoding/print.hpp"
#include "encoding/text.hpp"

namespace wavetank::encoding {

using isa::Format;

namespace {

void print_register(Line& line, std::uint16_t code, unsigned dwords) {
  if (code != operand::kNone) line.operand(register_text(code, dwords));
}

/// An address, or that there is none.
void print_address(Line& line, std::uint16_t code, unsigned dwords) {
  line.operand(code == operand::kNone ? "off" : register_text(code, dwords));
}

/// The cache policy in the target's words.
void print_cache_policy(Line& line, const Instruction& in) {
  line.flag(in.glc, line.target.policy_names[0]);
  line.flag(in.slc, line.target.policy_names[1]);
  line.flag(in.scc, line.target.policy_names[2]);
}

void print_offset(Line& line, std::int32_t offset) {
  if (offset != 0) line.modifier("offset:" + std::to_string(offset));
}

constexpr std::string_view kDataFormats[16] = {
    "INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10", "10_10_10_2",
    "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
constexpr std::string_view kNumberFormats[8] = {"UNORM", "SNORM", "USCALED", "SSCALED",
                                                "UINT", "SINT", "RESERVED_6", "FLOAT"};

/// The format of a typed buffer access; parts that are default (8, UNORM) are left out.
void print_buffer_format(Line& line, std::uint8_t format) {
  const unsigned data = format & 15u, number = format >> 4;
  std::vector<std::string> parts;
  if (data != 1) parts.push_back(fmt::format("BUF_DATA_FORMAT_{}", kDataFormats[data]));
  if (number != 0) parts.push_back(fmt::format("BUF_NUM_FORMAT_{}", kNumberFormats[number]));
  line.flag(!parts.empty(), fmt::format("format:[{}]", fmt::join(parts, ",")));
}

}  // namespace

void print_ds(Line& line, const Instruction& in) {
  const DsLayout layout = ds_layout(*in.row);
  print_register(line, in.dst, layout.result_dwords);
  print_register(line, in.address, 1);
  print_register(line, in.data, layout.data_dwords);
  print_register(line, in.data2, layout.data2_dwords);
  const auto offset = static_cast<std::uint32_t>(in.offset);
  if (layout.two_offsets) {
    line.flag((offset & 0xff) != 0, fmt::format("offset0:{}", offset & 0xff));
    line.flag(offset >> 8 != 0, fmt::format("offset1:{}", offset >> 8));
  } else if (layout.swizzle && offset != 0) {
    line.modifier("offset:" + swizzle_text(static_cast<std::uint16_t>(offset)));
  } else {
    print_offset(line, in.offset);
  }
  line.flag(in.gds, "gds");
}

void print_flat(Line& line, const Instruction& in) {
  const VectorMemoryLayout layout = vector_memory_layout(*in.row);
  const unsigned saddr = saddr_dwords(in.segment);
  print_register(line, in.dst, layout.result_dwords);
  print_address(line, in.address, address_dwords(in));
  print_register(line, in.data, layout.data_dwords);
  if (saddr != 0) print_address(line, in.scalar_base, saddr);
  print_offset(line, in.offset);
  print_cache_policy(line, in);
}

void print_buffer(Line& line, const Instruction& in) {
  const VectorMemoryLayout layout = vector_memory_layout(*in.row);
  if (layout.no_operands) {
    // Where they are no scope the compiler sets policy bits here too, but they have no spelling.
    if (line.target.has_scope_bits) print_cache_policy(line, in);
    return;
  }
  const bool has_data = in.data != operand::kNone;
  print_register(line, has_data ? in.data : in.dst,
                 has_data ? layout.data_dwords : layout.result_dwords);
  if (!layout.from_lds) print_address(line, in.address, address_dwords(in));
  line.operand(register_text(in.scalar_base, 4));
  line.operand(source_text(in.scalar_offset, isa::Type::kU32, 0));
  if (in.row->encoding.format == Format::kMtbuf) print_buffer_format(line, in.buffer_format);
  line.flag(in.idxen, "idxen");
  line.flag(in.offen, "offen");
  print_offset(line, in.offset);
  // The store from LDS is never without the word, so it comes before the options.
  line.flag(in.lds && layout.from_lds, "lds");
  print_cache_policy(line, in);
  line.flag(in.lds && !layout.from_lds, "lds");
}

}  // namespace wavetank::encoding
