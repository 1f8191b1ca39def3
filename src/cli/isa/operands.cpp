#include "cli/isa/operands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/isa/matrix.hpp"
#include "cli/isa/words.hpp"
#include "encoding/layout.hpp"
#include "isa/formula.hpp"
#include "isa/row.hpp"

namespace wavetank::cli {
namespace {

using encoding::Form;
using encoding::Slot;
using isa::Format;
using isa::Role;
using isa::Row;

bool is_vector(const Row& row) {
  return row.encoding.format >= Format::kVop1 && row.encoding.format <= Format::kVop3p;
}

/// What may stand in a source of a scalar row.
std::string scalar_kinds(const Row& row, unsigned index) {
  switch (row.sources[index].role) {
    case Role::kAccumulator: return "the destination's register";
    case Role::kLiteral: return "the dword behind the instruction";
    case Role::kImmediate: return "16-bit field of the instruction";
    default: return encoding::register_only_source(row) ? "SGPR" : "SGPR, constant, literal";
  }
}

std::string vector_kinds(const Row& row, unsigned index) {
  if (row.sources[index].role == Role::kLaneNumber) return "the lane's number";
  if (row.sources[index].registers == isa::RegisterClass::kAgpr) return "AccVGPR";
  const bool matrix = row.matrix.present();
  const unsigned bit = 1u << index;
  if (matrix) return index < 2 || row.matrix.sparse ? "VGPR, AccVGPR" : "VGPR, AccVGPR, constant";
  if ((encoding::scalar_only_sources(row) & bit) != 0) return "SGPR, M0, constant";
  if ((encoding::vector_only_sources(row) & bit) != 0) return "VGPR";
  const Slot plain = encoding::source_slots(row, Form::kPlain)[index];
  switch (plain) {
    case Slot::kDestination: return "the destination's register";
    case Slot::kLiteral: return "the dword behind the instruction";
    case Slot::kVcc:
      return row.sources[index].role == Role::kImplicitVcc ? "VCC" : "VCC; e64: SGPR pair";
    default: break;
  }
  if (row.encoding.format >= Format::kVop3) return "VGPR, SGPR, constant";
  if (plain == Slot::kSrc0) return "VGPR, SGPR, constant; e32: literal";
  return row.encoding.no_vop3 ? "VGPR" : "VGPR; e64: SGPR, constant";
}

std::string width_text(unsigned dwords) { return fmt::format("{}", dwords); }

/// Type and elements of a matrix operand.
std::string matrix_type_text(const Row& row, unsigned index) {
  const isa::MatrixShape& s = row.matrix;
  if (index == 0) return fmt::format("{} x {}", s.a_per_lane(), element_name(s.a));
  if (index == 1) return fmt::format("{} x {}", s.b_per_lane(), element_name(s.b));
  if (s.sparse && index == 2) return "2 bits per element";
  return fmt::format("{} x {}", s.c_dwords() * 32 / bits_of(s.c), element_name(s.c));
}

std::vector<std::string> result_line(const Row& row) {
  const bool matrix = row.matrix.present();
  std::string kind = "SGPR";
  if (is_vector(row) && !row.scalar_result) kind = encoding::writes_agpr(row) ? "AccVGPR" : "VGPR";
  if (matrix) kind = "VGPR, AccVGPR";
  return {"D", width_text(isa::dwords_of(row.result.type)),
          matrix ? matrix_type_text(row, 3) : type_name(row.result.type), kind};
}

void add_modifiers(const Row& row, CardSection& section) {
  if (row.matrix.present()) {
    for (std::string& line : matrix_modifiers(row.matrix)) section.notes.push_back(std::move(line));
    return;
  }
  if (!is_vector(row)) return;
  std::string text;
  const auto add = [&](bool has, std::string_view name) {
    if (has) text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
  };
  const bool packed = row.encoding.format == Format::kVop3p && !encoding::is_mixed_precision(row);
  const Form form = row.encoding.format < Format::kVop3 ? Form::kVop3 : Form::kPlain;
  const bool has_form = form == Form::kPlain || !row.encoding.no_vop3;
  const bool floats = has_form && encoding::float_modifier_mask(row, form) != 0;
  add(row.encoding.format == Format::kVop3p, "op_sel, op_sel_hi");
  add(floats && packed, "neg_lo, neg_hi");
  add(floats && !packed, "neg, abs");
  add(has_form && encoding::has_output_modifier(row) && row.encoding.format != Format::kVop3p,
      "omod");
  add(has_form && encoding::has_clamp(row), "clamp");
  add(encoding::has_half_select(row), "op_sel");
  if (!text.empty()) {
    const char* of = form == Form::kVop3 ? " of e64" : "";
    section.notes.push_back(fmt::format("modifiers{}: {}", of, text));
  }
}

void add_register_operands(const Row& row, CardSection& section) {
  if (row.result.type != isa::Type::kNone) section.rows.push_back(result_line(row));
  if (row.mask_result) {
    section.rows.push_back(
        {"SDST", "2", "lane mask",
         row.encoding.format < Format::kVop3 ? "VCC; e64: SGPR pair" : "SGPR pair"});
  }
  for (unsigned i = 0; i < row.source_count(); ++i) {
    const isa::Type type = row.sources[i].type;
    if (row.matrix.present() && row.sources[i].role == Role::kAccumulator) continue;
    section.rows.push_back({isa::source_name(row, i), width_text(isa::dwords_of(type)),
                            row.matrix.present() ? matrix_type_text(row, i) : type_name(type),
                            is_vector(row) ? vector_kinds(row, i) : scalar_kinds(row, i)});
  }
  add_modifiers(row, section);
}

/// Adds a line if there is such an operand.
void add_registers(CardSection& section, const char* name, unsigned dwords, const char* what,
                   const char* kind) {
  if (dwords != 0) section.rows.push_back({name, width_text(dwords), what, kind});
}

void add_ds_operands(const Row& row, CardSection& section) {
  const encoding::DsLayout layout = encoding::ds_layout(row);
  add_registers(section, "D", layout.result_dwords, "result", "VGPR, AccVGPR");
  if (layout.address) add_registers(section, "ADDR", 1, "byte address", "VGPR");
  add_registers(section, "DATA0", layout.data_dwords, "data", "VGPR, AccVGPR");
  add_registers(section, "DATA1", layout.data2_dwords, "data", "VGPR, AccVGPR");
  if (layout.two_offsets) {
    section.rows.push_back({"offset0, offset1", "", "8 bits each, count elements", "0 to 255"});
  } else if (layout.offset) {
    section.rows.push_back({"offset", "", layout.swizzle ? "lane pattern" : "bytes", "0 to 65535"});
  }
}

void add_flat_operands(const Row& row, Format segment, CardSection& section) {
  const encoding::VectorMemoryLayout layout = encoding::vector_memory_layout(row);
  const bool scratch = segment == Format::kScratch, flat = segment == Format::kFlat;
  add_registers(section, "D", layout.result_dwords,
                layout.returns_with_glc ? "old value, if GLC (SC0)" : "result", "VGPR, AccVGPR");
  add_registers(section, "VADDR", scratch ? 1 : 2,
                scratch ? "byte offset"
                : flat  ? "address"
                        : "address; 32-bit offset with SADDR",
                "VGPR");
  add_registers(section, "SADDR", encoding::saddr_dwords(segment), "base", "SGPR, off");
  add_registers(section, "DATA", layout.data_dwords, "data", "VGPR, AccVGPR");
  section.rows.push_back({"offset", "", "bytes", flat ? "0 to 4095" : "-4096 to 4095"});
  section.notes.push_back("cache policy: " + by_target("; ", [](const isa::Target& target) {
                            return fmt::format("{}", fmt::join(target.policy_names, ", "));
                          }));
}

void add_buffer_operands(const Row& row, CardSection& section) {
  const encoding::VectorMemoryLayout layout = encoding::vector_memory_layout(row);
  if (layout.no_operands) return;
  add_registers(section, "D", layout.result_dwords,
                layout.returns_with_glc ? "old value, if GLC (SC0)" : "result", "VGPR, AccVGPR");
  add_registers(section, "DATA", layout.data_dwords, "data", "VGPR, AccVGPR");
  section.rows.push_back({"VADDR", "0-2", "index, offset, as IDXEN and OFFEN say", "VGPR, off"});
  add_registers(section, "SRSRC", 4, "buffer resource", "SGPR");
  add_registers(section, "SOFFSET", 1, "bytes", "SGPR, M0, constant");
  section.rows.push_back({"offset", "", "bytes", "0 to 4095"});
  if (layout.may_set_lds) section.notes.push_back("lds: the target is LDS at M0, not D");
}

void add_image_operands(const Row& row, CardSection& section) {
  const isa::ImageShape shape = row.memory.image;
  const char* const width = shape.access == isa::ImageAccess::kAtomic ? "1-4" : "0-4";
  if (row.memory.result_dwords != 0) {
    const bool always = row.memory.always_returns;
    section.rows.push_back({"D", width, always ? "result" : "old value, if GLC", "VGPR, AccVGPR"});
  }
  if (row.memory.data_dwords != 0) {
    section.rows.push_back({"DATA", width, "data", "VGPR, AccVGPR"});
  }
  section.rows.push_back({"VADDR", "1-4", "coordinates, as the image's type says", "VGPR"});
  add_registers(section, "SRSRC", 8, "image resource", "SGPR");
  if (shape.access == isa::ImageAccess::kSample) {
    add_registers(section, "SSAMP", 4, "sampler", "SGPR");
  }
  section.rows.push_back({"dmask", "", "components that move", "0 to 15"});
  section.notes.push_back("unorm, da, a16, lwe, glc, slc, scc; d16 where the row converts");
}

void add_smem_operands(const Row& row, CardSection& section) {
  const encoding::SmemLayout layout = encoding::smem_layout(row);
  if (layout.data_dwords != 0) {
    section.rows.push_back({layout.writes_data ? "D" : "SDATA", width_text(layout.data_dwords),
                            layout.is_atomic ? "data; old value, if GLC" : "data", "SGPR"});
  }
  if (layout.base_dwords == 0) return;
  add_registers(section, "SBASE", layout.base_dwords,
                layout.base_dwords == 4 ? "buffer resource" : "address", "SGPR");
  section.rows.push_back({"offset", "", "bytes", "21 bits, signed; or SGPR, or both"});
}

}  // namespace

CardSection operand_section(const Row& row, Format segment) {
  CardSection section{"Operands", {"", "dwords", "type", "may be"}, {}, {}};
  switch (row.encoding.format) {
    case Format::kSmem: add_smem_operands(row, section); break;
    case Format::kDs: add_ds_operands(row, section); break;
    case Format::kFlat:
    case Format::kGlobal:
    case Format::kScratch: add_flat_operands(row, segment, section); break;
    case Format::kMubuf:
    case Format::kMtbuf: add_buffer_operands(row, section); break;
    case Format::kMimg: add_image_operands(row, section); break;
    default: add_register_operands(row, section); break;
  }
  return section;
}

}  // namespace wavetank::cli
