#include "cli/isa/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "encoding/layout.hpp"
#include "isa/atomics.hpp"
#include "isa/formula.hpp"

namespace wavetank::cli {

using encoding::Form;
using isa::AtomicOperation;
using isa::Format;
using isa::MemoryAction;
using isa::MemorySpecial;
using isa::Row;
using isa::Type;

std::string format_name(const Row& row) {
  if (row.matrix.present()) return "VOP3P-MAI";
  constexpr const char* kNames[] = {"SOP1", "SOP2",   "SOPK",    "SOPC",  "SOPP",  "SMEM",
                                    "VOP1", "VOP2",   "VOPC",    "VOP3",  "VOP3P", "DS",
                                    "FLAT", "GLOBAL", "SCRATCH", "MUBUF", "MTBUF", "MIMG"};
  return kNames[static_cast<unsigned>(row.encoding.format)];
}

std::string type_name(Type type) {
  constexpr const char* kNames[] = {"",        "u16",      "i16",      "f16",      "u32",
                                    "i32",     "f32",      "u64",      "i64",      "f64",
                                    "2 x f16", "2 x i16",  "2 x u16",  "2 x f32",  "lane mask",
                                    "96 bits", "128 bits", "256 bits", "512 bits", "1024 bits"};
  return kNames[static_cast<unsigned>(type)];
}

std::string_view element_name(isa::MatrixElement element) {
  constexpr std::string_view kNames[] = {"",     "f64", "f32", "xf32", "f16",
                                         "bf16", "fp8", "bf8", "i8",   "i32"};
  return kNames[static_cast<unsigned>(element)];
}

std::string_view unit_name(isa::Unit unit) {
  constexpr std::string_view kNames[] = {
      "SALU",        "branch", "sequencer",     "scalar memory",        "VALU",
      "matrix core", "LDS",    "vector memory", "vector memory (FLAT)", "message"};
  return kNames[static_cast<unsigned>(unit)];
}

std::string_view rate_name(isa::Rate rate) {
  constexpr std::string_view kNames[] = {"full", "double", "quarter", "transcendental"};
  return kNames[static_cast<unsigned>(rate)];
}

std::string form_name(const Row& row, Form form) {
  switch (form) {
    case Form::kVop3: return "e64";
    case Form::kSdwa: return "SDWA";
    case Form::kDpp: return "DPP";
    case Form::kPlain: break;
  }
  return isa::has_long_forms(row.encoding.format) ? "e32" : format_name(row);
}

std::vector<Form> forms_of(const Row& row) {
  std::vector<Form> forms = {Form::kPlain};
  if (!isa::has_long_forms(row.encoding.format)) return forms;
  if (!row.encoding.no_vop3) forms.push_back(Form::kVop3);
  if (!row.encoding.no_sdwa) forms.push_back(Form::kSdwa);
  if (!row.encoding.no_dpp) forms.push_back(Form::kDpp);
  return forms;
}

std::string by_target(std::string_view separator,
                      const std::function<std::string(const isa::Target&)>& text_on) {
  std::string text, last;
  for (const isa::Target& target : isa::targets()) {
    std::string own = text_on(target);
    if (own == last) continue;
    text += text.empty() ? own : fmt::format("{}{}: {}", separator, target.name, own);
    last = std::move(own);
  }
  return text;
}

std::string targets_text(const isa::Lifetime& lifetime) {
  const bool everywhere = std::ranges::all_of(
      isa::targets(), [&](const isa::Target& target) { return target.has(lifetime); });
  return everywhere ? "all" : isa::names_of(lifetime);
}

namespace {

/// "GLC (gfx942: SC0)": what lets an atomic return the old value.
std::string returning_bit() {
  std::string text = by_target(" (", [](const isa::Target& target) {
    std::string bit(target.policy_names[0]);
    for (char& c : bit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return bit;
  });
  return text.find(" (") == std::string::npos ? text : text + ")";
}

/// The value that an atomic leaves in memory.
std::string atomic_text(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::kAppend: return "old + number of active lanes   once for the wave";
    case AtomicOperation::kConsume: return "old - number of active lanes   once for the wave";
    default: return isa::atomic_formula(operation);
  }
}

std::string_view address_formula(const Row& row) {
  if (row.memory.special == MemorySpecial::kThreadAddress) return "M0 + offset + 4 * lane";
  switch (row.encoding.format) {
    case Format::kSmem:
      return encoding::smem_layout(row).base_dwords == 4 ? "SBASE.base + offset" : "SBASE + offset";
    case Format::kDs: return "ADDR + offset";
    case Format::kFlat: return "VADDR (+ SADDR) + offset";
    case Format::kGlobal: return "VADDR (+ SADDR) + offset";
    case Format::kScratch: return "scratch base + VADDR (+ SADDR) + offset";
    default: return "SRSRC.base + SOFFSET + offset + VADDR as OFFEN, IDXEN and the swizzle say";
  }
}

/// The memory that a row works on.
const char* memory_name(const Row& row) {
  return row.encoding.format == Format::kDs ? "LDS" : "MEM";
}

std::string load_text(const Row& row) {
  const isa::MemoryShape& m = row.memory;
  const char* extension = m.sign_extend         ? "   sign-extended"
                          : m.element_bytes < 4 ? "   zero-extended"
                                                : "";
  if (m.element_count == 2) {
    const unsigned unit = m.element_bytes * (m.stride64 ? 64u : 1u);
    return fmt::format("D = LDS[ADDR + {0} * offset0], LDS[ADDR + {0} * offset1]   {1} bytes each",
                       unit, m.element_bytes);
  }
  const std::string_view place = m.d16_high ? "D[31:16]" : m.d16 ? "D[15:0]" : "D";
  return fmt::format("{} = {}[address]   {} byte{}{}", place, memory_name(row), m.element_bytes,
                     m.element_bytes == 1 ? "" : "s", extension);
}

std::string store_text(const Row& row) {
  const isa::MemoryShape& m = row.memory;
  if (m.element_count == 2) {
    const unsigned unit = m.element_bytes * (m.stride64 ? 64u : 1u);
    return fmt::format("LDS[ADDR + {0} * offset0] = DATA0; LDS[ADDR + {0} * offset1] = DATA1",
                       unit);
  }
  const bool part = m.element_bytes < 4;
  const unsigned low = m.d16_high ? 16 : 0;
  const std::string bits =
      part ? fmt::format("[{}:{}]", low + 8 * m.element_bytes - 1, low) : std::string();
  return fmt::format("{}[address] = DATA{}   {} byte{}", memory_name(row), bits, m.element_bytes,
                     m.element_bytes == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string> memory_pseudo_code(const Row& row) {
  const isa::MemoryShape& m = row.memory;
  const bool plain =
      m.special == MemorySpecial::kNone || m.special == MemorySpecial::kThreadAddress;
  const bool moves = m.action != MemoryAction::kNone && m.action != MemoryAction::kCacheControl;
  if (!plain || !moves) return {};
  std::vector<std::string> lines;
  const bool wave_counter =
      m.atomic == AtomicOperation::kAppend || m.atomic == AtomicOperation::kConsume;
  if (m.element_count == 1 && !wave_counter) {
    lines.push_back(fmt::format("address = {}", address_formula(row)));
  }
  switch (m.action) {
    case MemoryAction::kLoad: lines.push_back(load_text(row)); break;
    case MemoryAction::kStore: lines.push_back(store_text(row)); break;
    case MemoryAction::kLoadToLds:
      lines.push_back(fmt::format("LDS[M0 + offset + 4 * lane] = MEM[address]   {} byte{}",
                                  m.element_bytes, m.element_bytes == 1 ? "" : "s"));
      break;
    case MemoryAction::kAtomic: {
      if (m.element_count == 2) break;
      const std::string place =
          wave_counter ? "LDS[M0 + offset]" : std::string(memory_name(row)) + "[address]";
      lines.push_back(fmt::format("old = {}   {} bytes, atomically", place, m.element_bytes));
      if (row.encoding.format == Format::kDs && isa::compares(m.atomic)) {
        lines.push_back("comparand, data = DATA0, DATA1");
      }
      lines.push_back(fmt::format("{} = {}", place, atomic_text(m.atomic)));
      if (row.encoding.format != Format::kDs) lines.push_back("D = old   if " + returning_bit());
      if (row.encoding.format == Format::kDs && m.always_returns) lines.push_back("D = old");
      break;
    }
    default: break;
  }
  return lines;
}

std::vector<std::string> semantic_notes(const Row& row) {
  std::vector<std::string> notes;
  const bool valu = row.unit == isa::Unit::kValu;
  const Type type = row.result.type;
  const bool wide = type == Type::kF64 || type == Type::kF16 || type == Type::kPkF16;
  if (valu && encoding::has_output_modifier(row)) {
    notes.push_back(wide ? "MODE's f64/f16 fields give rounding and denormals."
                         : "MODE's f32 fields give rounding and denormals.");
  }
  const bool packed =
      type == Type::kPkF16 || type == Type::kPkI16 || type == Type::kPkU16 || type == Type::kPkF32;
  if (valu && packed && row.encoding.format == Format::kVop3p) {
    notes.push_back("Done on two values; op_sel and op_sel_hi choose their sources' halves.");
  }
  if (row.integer_clamp == isa::IntegerClamp::kSaturates) {
    notes.push_back("With clamp the exact result stops at the ends of its type.");
  }
  if (encoding::ignores_clamp(row)) notes.push_back("The clamp bit does nothing.");
  const bool half = type == Type::kF16 || type == Type::kU16 || type == Type::kI16;
  if (valu && half) {
    notes.push_back(row.keeps_high_half ? "The other half of D's register stays as it is."
                                        : "Bits 31:16 of D become 0.");
  }
  if (row.memory.d16 && row.memory.result_dwords != 0) {
    notes.push_back("The other half of the register becomes 0: both targets run with SRAM ECC.");
  }
  if (row.scalar_result) notes.push_back("D is an SGPR.");
  if (row.goes_on.never()) notes.push_back("What follows is not reached from here.");
  if (row.goes_on.mask != 0) {
    notes.push_back(fmt::format("What follows is reached if SIMM16 & 0x{:x} is {}.",
                                row.goes_on.mask, row.goes_on.value));
  }
  if (row.memory.writes_back_l2) notes.push_back("Dirty lines of the L2 go to memory.");
  if (row.memory.invalidates_l1) notes.push_back("The vector L1 forgets its lines.");
  return notes;
}

}  // namespace wavetank::cli
