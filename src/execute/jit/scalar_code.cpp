#include "execute/jit/scalar_code.hpp"

#include <cstddef>
#include <map>
#include <string_view>

namespace wavetank::execute::jit {
namespace {

using machine::Wave;

using Binary = void (Xbyak::CodeGenerator::*)(const Xbyak::Operand&, const Xbyak::Operand&);
using Shift = void (Xbyak::CodeGenerator::*)(const Xbyak::Operand&, const Xbyak::Reg8&);
using Set = void (Xbyak::CodeGenerator::*)(const Xbyak::Operand&);
using C = Xbyak::CodeGenerator;

/// A scalar op's operands. rdi holds the wave, rsi the chain's first op; rax, rcx and rdx are free.
class ScalarCode {
 public:
  ScalarCode(HostCode& host, const Op& op) : code(host), op_(op) {}

  HostCode& code;
  const Op& op() const { return op_; }

  Xbyak::Reg first(bool wide) const { return wide ? Xbyak::Reg(code.rax) : Xbyak::Reg(code.eax); }
  Xbyak::Reg second(bool wide) const { return wide ? Xbyak::Reg(code.rcx) : Xbyak::Reg(code.ecx); }
  Xbyak::Address wave(std::size_t offset) const {
    return code.ptr[code.rdi + static_cast<int>(offset)];
  }
  Xbyak::Address sized(bool wide, std::size_t offset) const {
    return wide ? code.qword[code.rdi + static_cast<int>(offset)]
                : code.dword[code.rdi + static_cast<int>(offset)];
  }
  void load(bool wide, const Xbyak::Reg& reg, unsigned index) {
    if (op_.kind[index] != Source::kConstant) return code.mov(reg, wave(op_.src[index]));
    const std::uint64_t value = op_.constant[index];
    code.mov(reg, wide ? value : value & 0xffffffffu);
  }
  void store(const Xbyak::Reg& reg) { code.mov(wave(op_.dst), reg); }
  /// SCC = what `set` says of the host's flags; spoils rdx.
  void set_scc(Set set) {
    (code.*set)(code.dl);
    code.movzx(code.edx, code.dl);
    code.mov(wave(offsetof(Wave, scc)), code.edx);
  }

 private:
  const Op& op_;
};

struct ScalarRecipe {
  std::string_view name;
  void (*emit)(ScalarCode&, const ScalarRecipe&);
  Binary binary = nullptr;
  Set flag = nullptr;
  bool wide = false;
  bool inverts_second = false;
  Shift shift = nullptr;
};

void emit_move(ScalarCode& c, const ScalarRecipe& r) {
  c.load(r.wide, c.first(r.wide), 0);
  c.store(c.first(r.wide));
}
void emit_not(ScalarCode& c, const ScalarRecipe& r) {
  const Xbyak::Reg value = c.first(r.wide);
  c.load(r.wide, value, 0);
  c.code.not_(value);
  c.store(value);
  c.code.test(value, value);
  c.set_scc(&C::setne);
}
/// dst = a op b, and SCC from the host's flags.
void emit_binary(ScalarCode& c, const ScalarRecipe& r) {
  const Xbyak::Reg a = c.first(r.wide), b = c.second(r.wide);
  c.load(r.wide, a, 0);
  c.load(r.wide, b, 1);
  if (r.inverts_second) c.code.not_(b);
  (c.code.*r.binary)(a, b);
  c.store(a);
  c.set_scc(r.flag);
}
/// The same with SCC as carry or borrow: 0 - SCC carries if SCC is set.
void emit_with_carry(ScalarCode& c, const ScalarRecipe& r) {
  c.load(false, c.code.eax, 0);
  c.load(false, c.code.ecx, 1);
  c.code.xor_(c.code.edx, c.code.edx);
  c.code.cmp(c.code.edx, c.wave(offsetof(Wave, scc)));
  (c.code.*r.binary)(c.code.eax, c.code.ecx);
  c.store(c.code.eax);
  c.set_scc(r.flag);
}
void emit_multiply(ScalarCode& c, const ScalarRecipe&) {
  c.load(false, c.code.eax, 0);
  c.load(false, c.code.ecx, 1);
  c.code.imul(c.code.eax, c.code.ecx);
  c.store(c.code.eax);
}
/// The host takes as many bits of the amount as the GPU.
void emit_shift(ScalarCode& c, const ScalarRecipe& r) {
  const Xbyak::Reg value = c.first(r.wide);
  c.load(r.wide, value, 0);
  c.load(false, c.code.ecx, 1);
  (c.code.*r.shift)(value, c.code.cl);
  c.store(value);
  c.code.test(value, value);
  c.set_scc(&C::setne);
}
void emit_compare(ScalarCode& c, const ScalarRecipe& r) {
  c.load(r.wide, c.first(r.wide), 0);
  c.load(r.wide, c.second(r.wide), 1);
  c.code.cmp(c.first(r.wide), c.second(r.wide));
  c.set_scc(r.flag);
}
void emit_select(ScalarCode& c, const ScalarRecipe& r) {
  c.load(r.wide, c.first(r.wide), 0);
  c.load(r.wide, c.second(r.wide), 1);
  c.code.cmp(c.sized(false, offsetof(Wave, scc)), 0);
  c.code.cmove(c.first(r.wide), c.second(r.wide));
  c.store(c.first(r.wide));
}
/// EXEC = source op EXEC; the old EXEC is the result.
void emit_save_exec(ScalarCode& c, const ScalarRecipe& r) {
  constexpr std::size_t kExec = 4 * 126;
  c.load(true, c.code.rax, 0);
  c.code.mov(c.code.rcx, c.wave(kExec));
  (c.code.*r.binary)(c.code.rax, c.code.rcx);
  c.code.mov(c.wave(kExec), c.code.rax);
  c.store(c.code.rcx);
  c.set_scc(&C::setne);
}

constexpr bool kWide = true, kInverts = true;

constexpr ScalarRecipe kRecipes[] = {
    {.name = "s_mov_b32", .emit = emit_move},
    {.name = "s_movk_i32", .emit = emit_move},
    {.name = "s_mov_b64", .emit = emit_move, .wide = kWide},
    {.name = "s_not_b32", .emit = emit_not},
    {.name = "s_not_b64", .emit = emit_not, .wide = kWide},
    {.name = "s_add_u32", .emit = emit_binary, .binary = &C::add, .flag = &C::setc},
    {.name = "s_sub_u32", .emit = emit_binary, .binary = &C::sub, .flag = &C::setc},
    {.name = "s_add_i32", .emit = emit_binary, .binary = &C::add, .flag = &C::seto},
    {.name = "s_sub_i32", .emit = emit_binary, .binary = &C::sub, .flag = &C::seto},
    {.name = "s_addc_u32", .emit = emit_with_carry, .binary = &C::adc, .flag = &C::setc},
    {.name = "s_subb_u32", .emit = emit_with_carry, .binary = &C::sbb, .flag = &C::setc},
    {.name = "s_and_b32", .emit = emit_binary, .binary = &C::and_, .flag = &C::setne},
    {.name = "s_and_b64",
     .emit = emit_binary,
     .binary = &C::and_,
     .flag = &C::setne,
     .wide = kWide},
    {.name = "s_or_b32", .emit = emit_binary, .binary = &C::or_, .flag = &C::setne},
    {.name = "s_or_b64", .emit = emit_binary, .binary = &C::or_, .flag = &C::setne, .wide = kWide},
    {.name = "s_xor_b32", .emit = emit_binary, .binary = &C::xor_, .flag = &C::setne},
    {.name = "s_xor_b64",
     .emit = emit_binary,
     .binary = &C::xor_,
     .flag = &C::setne,
     .wide = kWide},
    {.name = "s_andn2_b32",
     .emit = emit_binary,
     .binary = &C::and_,
     .flag = &C::setne,
     .inverts_second = kInverts},
    {.name = "s_andn2_b64",
     .emit = emit_binary,
     .binary = &C::and_,
     .flag = &C::setne,
     .wide = kWide,
     .inverts_second = kInverts},
    {.name = "s_orn2_b32",
     .emit = emit_binary,
     .binary = &C::or_,
     .flag = &C::setne,
     .inverts_second = kInverts},
    {.name = "s_orn2_b64",
     .emit = emit_binary,
     .binary = &C::or_,
     .flag = &C::setne,
     .wide = kWide,
     .inverts_second = kInverts},
    {.name = "s_mul_i32", .emit = emit_multiply},
    {.name = "s_lshl_b32", .emit = emit_shift, .shift = &C::shl},
    {.name = "s_lshl_b64", .emit = emit_shift, .wide = kWide, .shift = &C::shl},
    {.name = "s_lshr_b32", .emit = emit_shift, .shift = &C::shr},
    {.name = "s_lshr_b64", .emit = emit_shift, .wide = kWide, .shift = &C::shr},
    {.name = "s_ashr_i32", .emit = emit_shift, .shift = &C::sar},
    {.name = "s_ashr_i64", .emit = emit_shift, .wide = kWide, .shift = &C::sar},
    {.name = "s_cselect_b32", .emit = emit_select},
    {.name = "s_cselect_b64", .emit = emit_select, .wide = kWide},
    {.name = "s_cmp_eq_i32", .emit = emit_compare, .flag = &C::sete},
    {.name = "s_cmp_lg_i32", .emit = emit_compare, .flag = &C::setne},
    {.name = "s_cmp_gt_i32", .emit = emit_compare, .flag = &C::setg},
    {.name = "s_cmp_ge_i32", .emit = emit_compare, .flag = &C::setge},
    {.name = "s_cmp_lt_i32", .emit = emit_compare, .flag = &C::setl},
    {.name = "s_cmp_le_i32", .emit = emit_compare, .flag = &C::setle},
    {.name = "s_cmp_eq_u32", .emit = emit_compare, .flag = &C::sete},
    {.name = "s_cmp_lg_u32", .emit = emit_compare, .flag = &C::setne},
    {.name = "s_cmp_gt_u32", .emit = emit_compare, .flag = &C::seta},
    {.name = "s_cmp_ge_u32", .emit = emit_compare, .flag = &C::setae},
    {.name = "s_cmp_lt_u32", .emit = emit_compare, .flag = &C::setb},
    {.name = "s_cmp_le_u32", .emit = emit_compare, .flag = &C::setbe},
    {.name = "s_cmp_eq_u64", .emit = emit_compare, .flag = &C::sete, .wide = kWide},
    {.name = "s_cmp_lg_u64", .emit = emit_compare, .flag = &C::setne, .wide = kWide},
    {.name = "s_and_saveexec_b64", .emit = emit_save_exec, .binary = &C::and_},
    {.name = "s_or_saveexec_b64", .emit = emit_save_exec, .binary = &C::or_},
    {.name = "s_xor_saveexec_b64", .emit = emit_save_exec, .binary = &C::xor_},
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

/// Scalar loads without an SGPR offset, from memory inside the arena; the handler takes the others.
bool emit_load(ScalarCode& scalar, unsigned dwords, std::uint32_t op_bytes,
               std::deque<HandlerExit>& exits) {
  const MemoryOperands& memory = scalar.op().memory;
  if (memory.scalar_offset < 128 || memory.scalar_base >= 106) return false;
  HostCode& c = scalar.code;
  exits.push_back({std::make_unique<Xbyak::Label>(), op_bytes, scalar.op().run});
  const Xbyak::Label& exit = *exits.back().label;
  c.mov(c.rax, scalar.wave(std::size_t{4} * memory.scalar_base));
  c.and_(c.rax, -4);
  c.add(c.rax, memory.offset & ~3);
  c.mov(c.rdx, scalar.wave(offsetof(Wave, environment)));
  c.mov(c.rcx, c.rax);
  c.sub(c.rcx, c.ptr[c.rdx + offsetof(machine::Environment, arena_begin)]);
  c.mov(c.rdx, c.ptr[c.rdx + offsetof(machine::Environment, arena_size_bytes)]);
  c.sub(c.rdx, c.rcx);  // bytes from the address to the arena's end
  c.jbe(exit, HostCode::T_NEAR);
  c.cmp(c.rdx, 4 * dwords);
  c.jb(exit, HostCode::T_NEAR);
  c.lea(c.rdx, c.ptr[c.rsi + static_cast<int>(op_bytes)]);  // for whoever reports a fault
  c.mov(scalar.wave(offsetof(Wave, current)), c.rdx);
  const Xbyak::Reg word = dwords > 1 ? Xbyak::Reg(c.rdx) : Xbyak::Reg(c.edx);
  for (unsigned at = 0; at < 4 * dwords; at += 8) {
    c.mov(word, c.ptr[c.rax + static_cast<int>(at)]);
    c.mov(scalar.wave(scalar.op().dst + at), word);
  }
  return true;
}

/// Forward branches return; backward ones are the handler's, which counts the time slice.
Flow emit_branch(ScalarCode& scalar, const Branch* branch, std::uint32_t op_bytes,
                 bool spoils_vectors, std::deque<HandlerExit>& exits) {
  HostCode& c = scalar.code;
  const std::int64_t target = op_bytes + (1 + scalar.op().branch) * std::int64_t{sizeof(Op)};
  if (branch == nullptr) {
    if (scalar.op().branch < 0) return Flow::kUnknown;
    emit_return(c, target, spoils_vectors);
    return Flow::kEnds;
  }
  c.cmp(scalar.sized(branch->wide, branch->offset), 0);
  if (scalar.op().branch < 0) {
    exits.push_back({std::make_unique<Xbyak::Label>(), op_bytes, scalar.op().run});
    const Xbyak::Label& taken = *exits.back().label;
    branch->if_zero ? c.je(taken, HostCode::T_NEAR) : c.jne(taken, HostCode::T_NEAR);
    return Flow::kOn;
  }
  Xbyak::Label not_taken;
  branch->if_zero ? c.jne(not_taken) : c.je(not_taken);
  emit_return(c, target, spoils_vectors);
  c.L(not_taken);
  return Flow::kOn;
}

}  // namespace

void emit_return(HostCode& code, std::int64_t op_bytes, bool spoils_vectors) {
  if (spoils_vectors) code.vzeroupper();
  code.lea(code.rax, code.ptr[code.rsi + static_cast<int>(op_bytes)]);
  code.ret();
}

bool knows_scalar(const isa::Row& row) { return find(row.name) != nullptr; }

Flow emit_scalar(HostCode& code, const Op& op, const isa::Row& row, std::uint32_t op_bytes,
                 bool spoils_vectors, std::deque<HandlerExit>& exits) {
  ScalarCode scalar(code, op);
  if (const ScalarRecipe* const recipe = find(row.name)) {
    recipe->emit(scalar, *recipe);
    return Flow::kOn;
  }
  if (row.name == "s_branch") {
    return emit_branch(scalar, nullptr, op_bytes, spoils_vectors, exits);
  }
  for (const Branch& branch : kBranches) {
    if (row.name == branch.name) {
      return emit_branch(scalar, &branch, op_bytes, spoils_vectors, exits);
    }
  }
  constexpr std::string_view kLoad = "s_load_dword";
  if (!row.name.starts_with(kLoad)) return Flow::kUnknown;
  return emit_load(scalar, row.memory.result_dwords, op_bytes, exits) ? Flow::kOn : Flow::kUnknown;
}

}  // namespace wavetank::execute::jit
