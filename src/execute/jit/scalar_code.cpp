#include "execute/jit/scalar_code.hpp"

#include <cstddef>
#include <map>
#include <string_view>

namespace wavetank::execute::jit {
namespace {

using machine::Wave;

/// General registers that scalar ops use; rdi holds the wave and rsi the chain's first op.
enum Reg : std::uint8_t { kRax = 0, kRcx = 1, kRdx = 2, kRdi = 7 };

/// Opcode bytes of "op r/m, r".
constexpr std::uint8_t kAdd = 0x01, kOr = 0x09, kAdc = 0x11, kSbb = 0x19, kAnd = 0x21, kSub = 0x29,
                       kXor = 0x31, kCompare = 0x39, kTest = 0x85;
/// The condition codes of set, jump (0x80 +) and cmov.
constexpr std::uint8_t kOverflow = 0x0, kCarry = 0x2, kNoCarry = 0x3, kZero = 0x4, kNotZero = 0x5,
                       kNotAbove = 0x6, kAbove = 0x7, kLessThan = 0xc, kAtLeast = 0xd,
                       kAtMost = 0xe, kGreater = 0xf;
constexpr std::uint8_t kNoFlag = 0xff;

class ScalarCode {
 public:
  ScalarCode(Assembler& assembler, const Op& op) : code(assembler), op_(op) {}

  Assembler& code;
  const Op& op() const { return op_; }

  /// 48 before an instruction makes it one of 64 bits.
  void rex(bool wide) {
    if (wide) code.bytes({0x48});
  }
  /// opcode reg, [base + displacement], or the reverse.
  void memory(bool wide, std::uint8_t opcode, Reg reg, Reg base, std::size_t displacement) {
    rex(wide);
    code.bytes({opcode, static_cast<std::uint8_t>(0x80 | reg << 3 | base)});
    code.dword(static_cast<std::uint32_t>(displacement));
  }
  void load(bool wide, Reg reg, unsigned index) {
    if (op_.kind[index] != Source::kConstant) return memory(wide, 0x8b, reg, kRdi, op_.src[index]);
    const std::uint64_t value = op_.constant[index];
    rex(wide);
    code.bytes({static_cast<std::uint8_t>(0xb8 | reg)});
    if (wide)
      code.qword(value);
    else
      code.dword(static_cast<std::uint32_t>(value));
  }
  void store(bool wide, Reg reg) { memory(wide, 0x89, reg, kRdi, op_.dst); }
  /// to = to op from.
  void arithmetic(bool wide, std::uint8_t opcode, Reg to, Reg from) {
    rex(wide);
    code.bytes({opcode, static_cast<std::uint8_t>(0xc0 | from << 3 | to)});
  }
  /// SCC = condition; spoils rdx.
  void set_scc(std::uint8_t condition) {
    code.bytes({0x0f, static_cast<std::uint8_t>(0x90 | condition), 0xc2});  // setcc dl
    code.bytes({0x0f, 0xb6, 0xd2});                                         // movzx edx, dl
    memory(false, 0x89, kRdx, kRdi, offsetof(Wave, scc));
  }
  /// Compares a dword or qword of the wave with 0.
  void compare_zero(bool wide, std::size_t displacement) {
    memory(wide, 0x83, Reg{7}, kRdi, displacement);
    code.bytes({0});
  }

 private:
  const Op& op_;
};

struct ScalarRecipe {
  std::string_view name;
  void (*emit)(ScalarCode&, const ScalarRecipe&);
  std::uint8_t opcode = 0;  ///< or for shifts the ModRM byte
  std::uint8_t flag = kNoFlag;
  bool wide = false;
  bool inverts_second = false;
};

void emit_move(ScalarCode& c, const ScalarRecipe& r) {
  c.load(r.wide, kRax, 0);
  c.store(r.wide, kRax);
}
void emit_not(ScalarCode& c, const ScalarRecipe& r) {
  c.load(r.wide, kRax, 0);
  c.rex(r.wide);
  c.code.bytes({0xf7, 0xd0});
  c.store(r.wide, kRax);
  c.arithmetic(r.wide, kTest, kRax, kRax);
  c.set_scc(kNotZero);
}
/// dst = a op b, and SCC from the host's flags.
void emit_binary(ScalarCode& c, const ScalarRecipe& r) {
  c.load(r.wide, kRax, 0);
  c.load(r.wide, kRcx, 1);
  if (r.inverts_second) {
    c.rex(r.wide);
    c.code.bytes({0xf7, 0xd1});
  }
  if (r.opcode == kAdc || r.opcode == kSbb) {
    c.code.bytes({0x31, 0xd2});  // 0 - SCC carries if SCC is set
    c.memory(false, 0x3b, kRdx, kRdi, offsetof(Wave, scc));
  }
  c.arithmetic(r.wide, r.opcode, kRax, kRcx);
  c.store(r.wide, kRax);
  c.set_scc(r.flag);
}
void emit_multiply(ScalarCode& c, const ScalarRecipe&) {
  c.load(false, kRax, 0);
  c.load(false, kRcx, 1);
  c.code.bytes({0x0f, 0xaf, 0xc1});
  c.store(false, kRax);
}
/// The host takes as many bits of the amount as the GPU.
void emit_shift(ScalarCode& c, const ScalarRecipe& r) {
  c.load(r.wide, kRax, 0);
  c.load(false, kRcx, 1);
  c.rex(r.wide);
  c.code.bytes({0xd3, r.opcode});
  c.store(r.wide, kRax);
  c.arithmetic(r.wide, kTest, kRax, kRax);
  c.set_scc(kNotZero);
}
void emit_compare(ScalarCode& c, const ScalarRecipe& r) {
  c.load(r.wide, kRax, 0);
  c.load(r.wide, kRcx, 1);
  c.arithmetic(r.wide, kCompare, kRax, kRcx);
  c.set_scc(r.flag);
}
void emit_select(ScalarCode& c, const ScalarRecipe& r) {
  c.load(r.wide, kRax, 0);
  c.load(r.wide, kRcx, 1);
  c.compare_zero(false, offsetof(Wave, scc));
  c.rex(r.wide);
  c.code.bytes({0x0f, 0x44, 0xc1});  // cmove rax, rcx
  c.store(r.wide, kRax);
}
/// EXEC = source op EXEC; the old EXEC is the result.
void emit_save_exec(ScalarCode& c, const ScalarRecipe& r) {
  constexpr std::size_t kExec = 4 * 126;
  c.load(true, kRax, 0);
  c.memory(true, 0x8b, kRcx, kRdi, kExec);
  c.arithmetic(true, r.opcode, kRax, kRcx);
  c.memory(true, 0x89, kRax, kRdi, kExec);
  c.store(true, kRcx);
  c.set_scc(kNotZero);
}

constexpr std::uint8_t kShl = 0xe0, kShr = 0xe8, kSar = 0xf8;

constexpr ScalarRecipe kRecipes[] = {
    {"s_mov_b32", emit_move},
    {"s_movk_i32", emit_move},
    {"s_mov_b64", emit_move, 0, kNoFlag, true},
    {"s_not_b32", emit_not},
    {"s_not_b64", emit_not, 0, kNoFlag, true},
    {"s_add_u32", emit_binary, kAdd, kCarry},
    {"s_sub_u32", emit_binary, kSub, kCarry},
    {"s_add_i32", emit_binary, kAdd, kOverflow},
    {"s_sub_i32", emit_binary, kSub, kOverflow},
    {"s_addc_u32", emit_binary, kAdc, kCarry},
    {"s_subb_u32", emit_binary, kSbb, kCarry},
    {"s_and_b32", emit_binary, kAnd, kNotZero},
    {"s_and_b64", emit_binary, kAnd, kNotZero, true},
    {"s_or_b32", emit_binary, kOr, kNotZero},
    {"s_or_b64", emit_binary, kOr, kNotZero, true},
    {"s_xor_b32", emit_binary, kXor, kNotZero},
    {"s_xor_b64", emit_binary, kXor, kNotZero, true},
    {"s_andn2_b32", emit_binary, kAnd, kNotZero, false, true},
    {"s_andn2_b64", emit_binary, kAnd, kNotZero, true, true},
    {"s_orn2_b32", emit_binary, kOr, kNotZero, false, true},
    {"s_orn2_b64", emit_binary, kOr, kNotZero, true, true},
    {"s_mul_i32", emit_multiply},
    {"s_lshl_b32", emit_shift, kShl},
    {"s_lshl_b64", emit_shift, kShl, kNoFlag, true},
    {"s_lshr_b32", emit_shift, kShr},
    {"s_lshr_b64", emit_shift, kShr, kNoFlag, true},
    {"s_ashr_i32", emit_shift, kSar},
    {"s_ashr_i64", emit_shift, kSar, kNoFlag, true},
    {"s_cselect_b32", emit_select},
    {"s_cselect_b64", emit_select, 0, kNoFlag, true},
    {"s_cmp_eq_i32", emit_compare, 0, kZero},
    {"s_cmp_lg_i32", emit_compare, 0, kNotZero},
    {"s_cmp_gt_i32", emit_compare, 0, kGreater},
    {"s_cmp_ge_i32", emit_compare, 0, kAtLeast},
    {"s_cmp_lt_i32", emit_compare, 0, kLessThan},
    {"s_cmp_le_i32", emit_compare, 0, kAtMost},
    {"s_cmp_eq_u32", emit_compare, 0, kZero},
    {"s_cmp_lg_u32", emit_compare, 0, kNotZero},
    {"s_cmp_gt_u32", emit_compare, 0, kAbove},
    {"s_cmp_ge_u32", emit_compare, 0, kNoCarry},
    {"s_cmp_lt_u32", emit_compare, 0, kCarry},
    {"s_cmp_le_u32", emit_compare, 0, kNotAbove},
    {"s_cmp_eq_u64", emit_compare, 0, kZero, true},
    {"s_cmp_lg_u64", emit_compare, 0, kNotZero, true},
    {"s_and_saveexec_b64", emit_save_exec, kAnd},
    {"s_or_saveexec_b64", emit_save_exec, kOr},
    {"s_xor_saveexec_b64", emit_save_exec, kXor},
};

const ScalarRecipe* find(std::string_view name) {
  static const auto& by_name = *[] {
    auto* map = new std::map<std::string_view, const ScalarRecipe*>;
    for (const ScalarRecipe& recipe : kRecipes) map->emplace(recipe.name, &recipe);
    return map;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

/// A branch's condition: a part of the wave is zero, or is not.
struct Branch {
  std::string_view name;
  std::size_t offset;
  bool wide, if_zero;
};
constexpr std::size_t kVcc = 4 * 106, kExec = 4 * 126;
constexpr Branch kBranches[] = {
    {"s_cbranch_scc0", offsetof(Wave, scc), false, true},
    {"s_cbranch_scc1", offsetof(Wave, scc), false, false},
    {"s_cbranch_vccz", kVcc, true, true},
    {"s_cbranch_vccnz", kVcc, true, false},
    {"s_cbranch_execz", kExec, true, true},
    {"s_cbranch_execnz", kExec, true, false},
};

constexpr std::uint8_t jump_if(std::uint8_t condition) { return 0x80 | condition; }

/// Scalar loads without an SGPR offset, from memory inside the arena; the handler takes the others.
bool emit_load(ScalarCode& c, unsigned dwords, std::uint32_t op_bytes,
               std::vector<HandlerExit>& exits) {
  const MemoryOperands& memory = c.op().memory;
  if (memory.scalar_offset < 128 || memory.scalar_base >= 106) return false;
  const auto leave_if = [&](std::uint8_t condition) {
    exits.push_back({c.code.jump_ahead(jump_if(condition)), op_bytes, c.op().run});
  };
  c.memory(true, 0x8b, kRax, kRdi, std::size_t{4} * memory.scalar_base);
  c.code.bytes({0x48, 0x83, 0xe0, 0xfc});  // and rax, -4
  c.code.bytes({0x48, 0x05});              // add rax, offset
  c.code.dword(static_cast<std::uint32_t>(memory.offset & ~3));
  c.memory(true, 0x8b, kRdx, kRdi, offsetof(Wave, environment));
  c.arithmetic(true, 0x89, kRcx, kRax);
  c.memory(true, 0x2b, kRcx, kRdx, offsetof(machine::Environment, arena_begin));
  c.memory(true, 0x8b, kRdx, kRdx, offsetof(machine::Environment, arena_size_bytes));
  c.arithmetic(true, kSub, kRdx, kRcx);  // bytes from the address to the arena's end
  leave_if(kNotAbove);
  c.code.bytes({0x48, 0x83, 0xfa, static_cast<std::uint8_t>(4 * dwords)});  // cmp rdx, bytes
  leave_if(kCarry);
  c.code.bytes({0x48, 0x8d, 0x96});  // lea rdx, [rsi + op]: for whoever reports a fault
  c.code.dword(op_bytes);
  c.memory(true, 0x89, kRdx, kRdi, offsetof(Wave, current));
  const bool wide = dwords > 1;
  for (unsigned at = 0; at < 4 * dwords; at += 8) {
    c.memory(wide, 0x8b, kRdx, kRax, at);
    c.memory(wide, 0x89, kRdx, kRdi, c.op().dst + at);
  }
  return true;
}

/// Forward branches return; backward ones are the handler's, which counts the time slice.
Flow emit_branch(ScalarCode& c, const Branch* branch, std::uint32_t op_bytes,
                 std::span<const std::uint8_t> leave, std::vector<HandlerExit>& exits) {
  const std::int64_t target = op_bytes + (1 + c.op().branch) * std::int64_t{sizeof(Op)};
  if (branch == nullptr) {
    if (c.op().branch < 0) return Flow::kUnknown;
    emit_return(c.code, target, leave);
    return Flow::kEnds;
  }
  c.compare_zero(branch->wide, branch->offset);
  const std::uint8_t taken = branch->if_zero ? kZero : kNotZero;
  if (c.op().branch < 0) {
    exits.push_back({c.code.jump_ahead(jump_if(taken)), op_bytes, c.op().run});
    return Flow::kOn;
  }
  const std::size_t not_taken = c.code.jump_ahead(jump_if(taken ^ 1));
  emit_return(c.code, target, leave);
  c.code.bind(not_taken);
  return Flow::kOn;
}

}  // namespace

void emit_return(Assembler& code, std::int64_t op_bytes, std::span<const std::uint8_t> leave) {
  code.bytes(leave);
  code.bytes({0x48, 0x8d, 0x86});  // lea rax, [rsi + op]
  code.dword(static_cast<std::uint32_t>(op_bytes));
  code.bytes({0xc3});
}

bool knows_scalar(const isa::Row& row) { return find(row.name) != nullptr; }

Flow emit_scalar(Assembler& code, const Op& op, const isa::Row& row, std::uint32_t op_bytes,
                 std::span<const std::uint8_t> leave, std::vector<HandlerExit>& exits) {
  ScalarCode scalar(code, op);
  if (const ScalarRecipe* const recipe = find(row.name)) {
    recipe->emit(scalar, *recipe);
    return Flow::kOn;
  }
  if (row.name == "s_branch") return emit_branch(scalar, nullptr, op_bytes, leave, exits);
  for (const Branch& branch : kBranches) {
    if (row.name == branch.name) return emit_branch(scalar, &branch, op_bytes, leave, exits);
  }
  constexpr std::string_view kLoad = "s_load_dword";
  if (!row.name.starts_with(kLoad)) return Flow::kUnknown;
  return emit_load(scalar, row.memory.result_dwords, op_bytes, exits) ? Flow::kOn : Flow::kUnknown;
}

}  // namespace wavetank::execute::jit
