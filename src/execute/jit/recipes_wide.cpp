// 64-bit integers in register pairs, and wide products.
#include "execute/jit/recipes.hpp"

namespace wavetank::execute::jit {
namespace {

void emit_move_pair(StripCode& c, const Recipe&) {
  for (const unsigned part : {0u, 1u}) {
    const Operand a = c.operand(0, part);
    c.code.vector(c.is_vector(0) ? kVmovdqa32 : kVpbroadcastd, c.result(part), Zmm{}, a);
  }
}

std::uint8_t amount_byte(unsigned amount) { return static_cast<std::uint8_t>(amount); }

/// {high, low} << amount, 0 to 63, into `high` and `low` of the result.
void shift_left(StripCode& c, unsigned source, unsigned amount, Zmm low, Zmm high) {
  const Zmm from_low = c.source(source, 0), from_high = c.source(source, 1);
  if (amount >= 32) {
    c.code.vector(kVpslld, high, Zmm{}, from_low, amount_byte(amount - 32));
    c.code.vector(kVpxord, low, low, low);
    return;
  }
  const Zmm moved = c.temporary();
  c.code.vector(kVpslld, low, Zmm{}, from_low, amount_byte(amount));
  c.code.vector(kVpslld, high, Zmm{}, from_high, amount_byte(amount));
  c.code.vector(kVpsrld, moved, Zmm{}, from_low, amount_byte(32 - amount));
  c.code.vector(kVpord, high, high, moved);
}
void emit_left(StripCode& c, const Recipe&) {
  if (!c.is_constant(0)) return c.decline();
  const Zmm low = c.result(0), high = c.result(1);
  shift_left(c, 1, c.constant(0) & 63, low, high);
}
/// Right shifts; `immediate` 1 keeps the sign.
void emit_right(StripCode& c, const Recipe& recipe) {
  if (!c.is_constant(0)) return c.decline();
  const unsigned amount = c.constant(0) & 63;
  const Opcode right = recipe.immediate != 0 ? kVpsrad : kVpsrld;
  const Zmm low = c.result(0), high = c.result(1), from_high = c.source(1, 1);
  if (amount >= 32) {
    c.code.vector(right, low, Zmm{}, from_high, amount_byte(amount - 32));
    if (recipe.immediate != 0)
      c.code.vector(kVpsrad, high, Zmm{}, from_high, 31);
    else
      c.code.vector(kVpxord, high, high, high);
    return;
  }
  const Zmm moved = c.temporary();
  c.code.vector(kVpsrld, low, Zmm{}, c.source(1, 0), amount_byte(amount));
  c.code.vector(kVpslld, moved, Zmm{}, from_high, amount_byte(32 - amount));
  c.code.vector(kVpord, low, low, moved);
  c.code.vector(right, high, Zmm{}, from_high, amount_byte(amount));
}

/// {high, low} += source, and the carries out of it into `carry` if that is not k0.
void add_pair(StripCode& c, unsigned source, Zmm low, Zmm high, KMask carry) {
  const KMask from_low = c.mask_temporary();
  const Zmm addend_low = c.source(source, 0), addend_high = c.source(source, 1);
  c.code.vector(kVpaddd, low, low, addend_low);
  c.code.compare(kVpcmpud, from_low, low, addend_low, kLess);
  c.code.vector(kVpaddd, high, high, addend_high);
  if (carry.number != 0) c.code.compare(kVpcmpud, carry, high, addend_high, kLess);
  c.code.vector(kVpaddd, high, high, Operand::bits(1), {from_low});
  if (carry.number == 0) return;
  c.code.test(kVptestnmd, from_low, high, high, from_low);
  c.code.mask_op(kMaskOr, carry, carry, from_low);
  if (c.masked()) c.code.mask_op(kMaskAnd, carry, carry, StripCode::kExec);
}
void emit_left_add(StripCode& c, const Recipe&) {
  if (!c.is_constant(1)) return c.decline();
  const Zmm low = c.result(0), high = c.result(1);
  shift_left(c, 0, c.constant(1) & 7, low, high);
  add_pair(c, 2, low, high, KMask{0});
}

/// Products of the even and of the odd lanes, 64 bits each.
struct Products {
  Zmm even, odd;
};
Products multiply(StripCode& c, bool is_signed) {
  const Opcode opcode = is_signed ? kVpmuldq : kVpmuludq;
  const Zmm a = c.source(0), b = c.source(1);
  const Products products{c.temporary(), c.temporary()};
  const Zmm odd_b = c.temporary();
  c.code.vector(kVpsrlq, products.odd, Zmm{}, a, 32);
  c.code.vector(kVpsrlq, odd_b, Zmm{}, b, 32);
  c.code.vector(opcode, products.odd, products.odd, odd_b);
  c.code.vector(opcode, products.even, a, b);
  return products;
}
constexpr std::uint64_t kUpperHalf = 0xffffffff00000000;
/// (A & C) | B, and (A & ~C) | B: vpternlog's truth tables.
constexpr std::uint8_t kMaskedOr = 0xec, kUnmaskedOr = 0xdc;

/// The products' upper halves, at their lanes; spoils `even`.
void upper_halves(StripCode& c, Products products, Zmm dst) {
  c.code.vector(kVpsrlq, products.even, Zmm{}, products.even, 32);
  c.code.vector(kVmovdqa32, dst, Zmm{}, products.odd);
  c.code.vector(kVpternlogq, dst, products.even, Operand::bits(kUpperHalf), kMaskedOr);
}
void emit_multiply_high(StripCode& c, const Recipe& recipe) {
  const Products products = multiply(c, recipe.immediate != 0);
  upper_halves(c, products, c.result());
}
void emit_mad_u64(StripCode& c, const Recipe&) {
  const Products products = multiply(c, false);
  const Zmm low = c.result(0), high = c.result(1), odd_low = c.temporary();
  c.code.vector(kVpsllq, odd_low, Zmm{}, products.odd, 32);
  c.code.vector(kVmovdqa32, low, Zmm{}, products.even);
  c.code.vector(kVpternlogq, low, odd_low, Operand::bits(kUpperHalf), kUnmaskedOr);
  upper_halves(c, products, high);
  const bool adds = !c.is_constant(2) || c.op().constant[2] != 0;
  const KMask carry = c.mask_needed() ? c.mask_result() : KMask{0};
  if (!adds) {
    if (carry.number != 0) c.code.mask_op(kMaskXor, carry, carry, carry);
  } else {
    add_pair(c, 2, low, high, carry);
  }
}

constexpr Recipe kRecipes[] = {
    {"v_mov_b64", emit_move_pair},
    {.name = "v_lshlrev_b64", .emit = emit_left, .follows = Follows::kShiftPair},
    {"v_lshrrev_b64", emit_right, {}, 0},
    {"v_ashrrev_i64", emit_right, {}, 1},
    {.name = "v_lshl_add_u64", .emit = emit_left_add, .follows = Follows::kShiftAddPair},
    {"v_mul_hi_u32", emit_multiply_high, {}, 0},
    {"v_mul_hi_i32", emit_multiply_high, {}, 1},
    {"v_mad_u64_u32", emit_mad_u64},
};

}  // namespace

std::span<const Recipe> wide_recipes() { return kRecipes; }

}  // namespace wavetank::execute::jit
