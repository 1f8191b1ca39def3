// MFMA: how long each keeps the matrix unit, and what the VALU may do meanwhile. Sources: AMD
// matrix instruction calculator, execution cycles and co-execution; tingqli/pyhip measurements.
#include <gtest/gtest.h>

#include <vector>

#include "scripted_wave.hpp"

namespace wavetank::timing::testing {
namespace {

struct Product {
  const char* text;
  std::uint64_t cycles;      ///< from one independent product to the next
  std::uint64_t valu_after;  ///< cycles until an independent VALU instruction may issue
};

void check(const char* device, const Product& product) {
  SCOPED_TRACE(std::string(device) + ": " + product.text);
  const TimingSpec& spec = spec_of(device);
  Script script(spec);
  // Two waves, so that no dependence of a wave on itself is in the way.
  script.then(product.text).then("s_endpgm");
  OneUnit products(spec);
  products.run_on_one_simd({&script, &script});
  EXPECT_EQ(products.issued(1, 0), product.cycles);
  Script vector(spec);
  vector.then("v_add_f32 v100, v101, v102").then("s_endpgm");
  OneUnit mixed(spec);
  mixed.run_on_one_simd({&script, &vector});
  EXPECT_EQ(mixed.issued(1, 0), product.valu_after);
  Script same_wave(spec);
  same_wave.then(product.text).then("v_add_f32 v100, v101, v102").then("s_endpgm");
  OneUnit alone(spec);
  alone.run({&same_wave});
  EXPECT_EQ(alone.issued(0, 1), product.valu_after) << "of the same wave";
}

TEST(MatrixRate, OfGfx90a) {
  const std::vector<Product> all = {
      {"v_mfma_f32_32x32x2f32 v[16:31], v0, v1, v[16:31]", 64, 4},
      {"v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]", 32, 4},
      {"v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]", 8, 4},
      {"v_mfma_f32_32x32x8f16 v[16:31], v[0:1], v[2:3], v[16:31]", 64, 4},
      {"v_mfma_i32_32x32x8i8 v[16:31], v0, v1, v[16:31]", 64, 4},
      {"v_mfma_f32_32x32x8bf16_1k v[16:31], v[0:1], v[2:3], v[16:31]", 64, 4},
      {"v_mfma_f32_16x16x16f16 v[8:11], v[0:1], v[2:3], v[8:11]", 32, 4},
      {"v_mfma_f32_4x4x4f16 v[8:11], v[0:1], v[2:3], v[8:11]", 8, 4},
      {"v_mfma_f32_32x32x4bf16 v[16:31], v0, v1, v[16:31]", 64, 4},
      {"v_mfma_f32_16x16x8bf16 v[8:11], v0, v1, v[8:11]", 32, 4},
      {"v_mfma_f64_16x16x4f64 v[8:15], v[0:1], v[2:3], v[8:15]", 32, 32},
      {"v_mfma_f64_4x4x4f64 v[8:9], v[0:1], v[2:3], v[8:9]", 16, 16}};
  for (const Product& product : all) check("mi210", product);
}

TEST(MatrixRate, OfGfx942) {
  const std::vector<Product> all = {
      {"v_mfma_f32_16x16x8_xf32 v[8:11], v[0:1], v[2:3], v[8:11]", 16, 4},
      {"v_mfma_f32_32x32x4_xf32 v[16:31], v[0:1], v[2:3], v[16:31]", 32, 4},
      {"v_mfma_f32_32x32x2f32 v[16:31], v0, v1, v[16:31]", 64, 64},
      {"v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]", 32, 32},
      {"v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]", 8, 8},
      {"v_mfma_f64_16x16x4f64 v[8:15], v[0:1], v[2:3], v[8:15]", 32, 32},
      {"v_mfma_f64_4x4x4f64 v[8:9], v[0:1], v[2:3], v[8:9]", 16, 16},
      {"v_mfma_f32_4x4x4f16 v[8:11], v[0:1], v[2:3], v[8:11]", 8, 4},
      {"v_mfma_f32_32x32x8_f16 v[16:31], v[0:1], v[2:3], v[16:31]", 32, 4},
      {"v_mfma_f32_16x16x16_bf16 v[8:11], v[0:1], v[2:3], v[8:11]", 16, 4},
      {"v_mfma_i32_32x32x16_i8 v[16:31], v[0:1], v[2:3], v[16:31]", 32, 4},
      {"v_mfma_f32_16x16x32_fp8_fp8 v[8:11], v[0:1], v[2:3], v[8:11]", 16, 4},
      {"v_smfmac_f32_16x16x32_f16 v[8:11], v[0:1], v[4:7], v12", 16, 8},
      {"v_smfmac_i32_32x32x32_i8 v[16:31], v[0:1], v[4:7], v12", 32, 8}};
  for (const Product& product : all) check("mi300x", product);
}

/// Cycles from a 16-cycle product to the next with `between` vector instructions of the same wave.
std::uint64_t to_next_product(const char* vector, unsigned between) {
  const TimingSpec& spec = spec_of("mi300x");
  Script script(spec);
  script.then("v_mfma_f32_16x16x16_bf16 v[8:11], v[0:1], v[2:3], v[8:11]");
  script.then(vector, between);
  script.then("v_mfma_f32_16x16x16_bf16 v[12:15], v[0:1], v[2:3], v[12:15]").then("s_endpgm");
  OneUnit unit(spec);
  unit.run({&script});
  return unit.issued(0, between + 1);
}

TEST(CoIssue, AProductOfSixteenCyclesHidesThreePlainVectorInstructions) {
  EXPECT_EQ(to_next_product("v_add_f32 v100, v101, v102", 0), 16u);
  EXPECT_EQ(to_next_product("v_add_f32 v100, v101, v102", 3), 16u);
  EXPECT_EQ(to_next_product("v_add_f32 v100, v101, v102", 4), 20u);
}

TEST(CoIssue, OverlapsTwelveOfTheSixteenCyclesOfATranscendental) {
  EXPECT_EQ(to_next_product("v_exp_f32 v100, v101", 1), 20u);
}

/// Cycles for a product of one wave and a v_exp_f32 of the other of a SIMD, in the midst of many.
std::uint64_t of_two_waves(bool products_are_older, const char* priority_of_other) {
  constexpr unsigned kMany = 20;
  const TimingSpec& spec = spec_of("mi300x");
  Script products(spec), others(spec);
  products.then("s_nop 0").then("v_mfma_f32_16x16x16_bf16 v[8:11], v[0:1], v[2:3], 0", kMany);
  others.then(priority_of_other).then("v_exp_f32 v100, v101", kMany);
  products.then("s_endpgm");
  others.then("s_endpgm");
  OneUnit unit(spec);
  if (products_are_older)
    unit.run_on_one_simd({&products, &others});
  else
    unit.run_on_one_simd({&others, &products});
  return unit.between(products_are_older ? 0 : 1, 2, 12) / 10;
}

TEST(CoIssue, ProductsAndTranscendentalsOfTwoWavesTakeTurnsWhicheverIsOlder) {
  EXPECT_EQ(of_two_waves(true, "s_nop 0"), 20u);
  EXPECT_EQ(of_two_waves(false, "s_nop 0"), 20u);
}

TEST(CoIssue, ProductsWaitForVectorInstructionsOfHigherPriority) {
  EXPECT_EQ(of_two_waves(false, "s_setprio 1"), 16u) << "when those are done";
}

TEST(CoIssue, PackedF32WaitsForTheProductsEndAndPackedF16DoesNot) {
  const TimingSpec& spec = spec_of("mi300x");
  const auto after_product = [&](const char* vector) {
    Script script(spec);
    script.then("v_mfma_f32_16x16x16_bf16 v[8:11], v[0:1], v[2:3], v[8:11]");
    script.then(vector).then("s_endpgm");
    OneUnit unit(spec);
    unit.run({&script});
    return unit.issued(0, 1);
  };
  EXPECT_EQ(after_product("v_pk_fma_f32 v[100:101], v[102:103], v[104:105], v[106:107]"), 16u);
  EXPECT_EQ(after_product("v_pk_fma_f16 v100, v101, v102, v103"), 4u);
}

TEST(Dependence, AChainOnItsOwnCGoesAtTheProductsRate) {
  const auto period = [](const char* device, const char* text) {
    const TimingSpec& spec = spec_of(device);
    Script script(spec);
    script.then(text, 5).then("s_endpgm");
    OneUnit unit(spec);
    unit.run({&script});
    return unit.between(0, 0, 4) / 4;
  };
  const char* const single = "v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]";
  const char* const half = "v_mfma_f32_16x16x16_bf16 v[8:11], v[0:1], v[2:3], v[8:11]";
  const char* const small = "v_mfma_f32_4x4x1f32 v[8:11], v0, v1, v[8:11]";
  const char* const small_double = "v_mfma_f64_4x4x4f64 v[8:9], v[0:1], v[2:3], v[8:9]";
  EXPECT_EQ(period("mi210", single), 32u);
  EXPECT_EQ(period("mi300x", half), 16u);
  EXPECT_EQ(period("mi210", small), 8u);
  EXPECT_EQ(period("mi300x", small), 12u) << "2 wait states";
  EXPECT_EQ(period("mi210", small_double), 20u) << "4 wait states";
}

TEST(MatrixRate, AProductBehindAPackedOperationOfItsWaveWaitsEightCyclesMoreOnGfx942) {
  for (const auto& [device, cycles] : {std::pair{"mi210", 4u}, std::pair{"mi300x", 12u}}) {
    const TimingSpec& spec = spec_of(device);
    Script script(spec);
    script.then("v_pk_add_f32 v[100:101], v[102:103], v[104:105]")
        .then("v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]")
        .then("s_endpgm");
    OneUnit unit(spec);
    unit.run({&script});
    EXPECT_EQ(unit.issued(0, 1), cycles) << device;
  }
}

}  // namespace
}  // namespace wavetank::timing::testing
