// Careful code: strips with NaNs, and with operands that have no number for a result, are its own.
#include <gtest/gtest.h>

#include <random>

#include "execute/jit/row_drawing.hpp"
#include "isa/catalogue.hpp"
#include "jit_sequence.hpp"
#include "value_grid.hpp"

namespace wavetank::execute::testing {
namespace {

bool is_of_floats(const isa::Row& row) {
  bool floats = false;
  for (const isa::Operand& source : row.sources) {
    if (source.type == isa::Type::kNone) break;
    if (source.type == isa::Type::kMask || source.role == isa::Role::kLiteral) return false;
    floats = floats || isa::is_float(source.type) || source.type == isa::Type::kPkF16;
  }
  return floats;
}

/// Numbers around 1 or, one of eight, NaNs, infinities and zeros.
std::uint64_t value_of(isa::Type type, std::mt19937_64& random) {
  const std::uint64_t sign = random() % 2, any = random(), payload = any % 3 == 0 ? 1 : any;
  const auto of = [&](unsigned bits, unsigned mantissa, std::uint64_t one) {
    const std::uint64_t low = (std::uint64_t{1} << mantissa) - 1;
    const std::uint64_t infinity = ((std::uint64_t{1} << (bits - 1)) - 1) & ~low;
    std::uint64_t value = one | (any & low);
    if (random() % 8 == 0) value = infinity | (payload & low);
    if (random() % 32 == 0) value = infinity;
    if (random() % 32 == 0) value = 0;
    return value | sign << (bits - 1);
  };
  switch (type) {
    case isa::Type::kF64: return of(64, 52, 0x3ff0000000000000u);
    case isa::Type::kF16:
    case isa::Type::kPkF16: return of(16, 10, 0x3c00) << 16 | of(16, 10, 0x3c00);
    case isa::Type::kF32: return of(32, 23, 0x3f800000u);
    default: return random() % 64;
  }
}

TEST_F(JitSequence, SpellsTheNansOfEveryRow) {
  std::mt19937_64 random(1);
  for (const isa::Row& row : isa::catalogue()) {
    const jit::RowDrawing* const drawing = jit::drawing_of(row);
    if (drawing == nullptr || !is_of_floats(row)) continue;
    if (handlers()[row.id].usual == nullptr) continue;
    jit::Sketch sketch;
    if (!sketch.draw(plain_op(row), row, 0)) continue;
    BothWays both(std::vector<Op>{plain_op(row), plain_op(row)});
    both.be_careful();
    for (unsigned trial = 0; trial < 64 && !HasFailure(); ++trial) {
      const auto fill = [&](std::uint32_t* vgpr) {
        for (unsigned lane = 0; lane < 64; ++lane) {
          for (unsigned i = 0; i < 3; ++i) {
            put_wide(vgpr + std::size_t{128} * i, lane, value_of(row.sources[i].type, random));
          }
        }
      };
      both.expect_same(fill, trial % 2 == 0 ? ~std::uint64_t{0} : random());
    }
    if (HasFailure()) FAIL() << row.name;
    EXPECT_LE(both.misses(), 1u) << row.name;
  }
}

/// Results that are denormals, too large, or were denormals.
TEST_F(JitSequence, CarefulCodeScalesDoublesByAnyPower) {
  BothWays both(Code{0xd2840004, 0x00020500});  // v_ldexp_f64 v[4:5], v[0:1], v2
  both.expect_same_in_careful_code([](std::uint32_t* vgpr, std::mt19937_64& random) {
    const bool any = random() % 2 == 0;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const std::uint64_t exponent = random() % 2048;
      put_wide(vgpr, lane, random() % 8 == 0 ? random() % 4 : any_wide(random, exponent, 1));
      const auto to_the_ends =
          static_cast<std::uint32_t>((random() % 2 == 0 ? 2046 : 0) - exponent);
      vgpr[128 + lane] = any ? static_cast<std::uint32_t>(random() >> random() % 64)
                             : to_the_ends + static_cast<std::uint32_t>(random() % 64) - 60;
    }
  });
}

/// Of arguments below 2^55 a segment's digits of 2/pi are one number.
TEST_F(JitSequence, DigitsThatArgumentsBelow2To55AskForAreCompiled) {
  BothWays both(Code{0xd2920006, 0x00010300});  // v_trig_preop_f64 v[6:7], v[0:1], 1
  std::mt19937_64 random(3);
  const auto of_exponents = [&](std::uint64_t least, std::uint64_t count) {
    both.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane)
        put_wide(vgpr, lane, any_wide(random, least, count));
    });
  };
  constexpr std::uint64_t kLast = 1077;
  for (unsigned trial = 0; trial < 100; ++trial) of_exponents(0, kLast + 1);
  EXPECT_EQ(both.misses(), 0u);
  of_exponents(kLast + 1, 1);
  EXPECT_EQ(both.misses(), 1u);
}

/// They have no careful form: those ops are handlers' in the middle of careful code.
TEST_F(JitSequence, CarefulCodeCallsTheHandlersOfOpsWithoutACarefulForm) {
  BothWays both(Code{
      0xd2800004, 0x00020500,  // v_add_f64 v[4:5], v[0:1], v[2:3]
      0xd2920006, 0x00010304,  // v_trig_preop_f64 v[6:7], v[4:5], 1
      0xd1cc0008, 0x04120506,  // v_fma_f64 v[8:9], v[6:7], v[2:3], v[4:5]
      0xd292000a, 0x00010108,  // v_trig_preop_f64 v[10:11], v[8:9], 0
      0xd281000c, 0x00020d0a,  // v_mul_f64 v[12:13], v[10:11], v[6:7]
  });
  both.expect_same_in_careful_code([](std::uint32_t* vgpr, std::mt19937_64& random) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      put_wide(vgpr, lane, maybe_wide_number(random));
      put_wide(vgpr + 128, lane, any_wide(random, 1000, 900));
    }
  });
}

}  // namespace
}  // namespace wavetank::execute::testing
