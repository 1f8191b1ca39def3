// Image instructions of gfx90a: coordinates by type, masks, levels, formats, atomics, what is said
// about an image, and both sides of its edges. The program textures has the filters.
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "execute/memory/image_resource.hpp"
#include "execute/step_address.hpp"
#include "memory_machine.hpp"

namespace wavetank::execute::testing {
namespace {

constexpr std::uint32_t kBase = 4096;  ///< of the image, in the arena
constexpr unsigned kResource = 8;      ///< SGPRs of the resource
constexpr unsigned kSampler = 20;      ///< and of the sampler
constexpr unsigned kAddress = 10, kData = 20, kResult = 30;

/// DATA_FORMAT and NUM_FORMAT.
constexpr std::uint32_t k8888 = 10, k32 = 4, k3232 = 11, k16161616 = 12;
constexpr std::uint32_t kUnorm = 0, kUint = 4, kSint = 5, kFloat = 7;

struct Image {
  ImageType type = ImageType::k2d;
  std::uint32_t data_format = k32, number_format = kUint;
  std::uint32_t width = 8, height = 4, depth = 1, pitch = 10;
  std::uint32_t select = 4 | 5 << 3 | 6 << 6 | 7 << 9;
  std::uint32_t first_slice = 0, tiling = 0;
};

/// The arena is aligned to 64 bytes, an image to 256: gives its offset in the arena.
std::uint64_t set_image(Machine& machine, const Image& image) {
  const std::uint64_t base = (machine.address(kBase) + 255) / 256 * 256;
  std::uint32_t* const word = &machine.wave.sgpr[kResource];
  word[0] = static_cast<std::uint32_t>(base >> 8);
  word[1] =
      static_cast<std::uint32_t>(base >> 40) | image.data_format << 20 | image.number_format << 26;
  word[2] = (image.width - 1) | (image.height - 1) << 14;
  word[3] = image.select | image.tiling << 20 | static_cast<std::uint32_t>(image.type) << 28;
  word[4] = (image.depth - 1) | (image.pitch - 1) << 13;
  word[5] = image.first_slice;
  word[6] = word[7] = 0;
  return base - machine.address(0);
}

MemoryOperands image_operands(const ImageControl& control) {
  MemoryOperands memory = operands();
  memory.scalar_base = kResource;
  memory.scalar_offset = kSampler;
  memory.address = kAddress;
  memory.data = kData;
  memory.result = kResult;
  memory.data2 = control.packed();
  memory.returns = true;
  return memory;
}

bool run(Machine& machine, const char* name, const ImageControl& control) {
  return machine.run(name, image_operands(control), isa::kGfx90a);
}

void set_coordinates(Machine& machine, unsigned lane, std::vector<std::uint32_t> coordinates) {
  for (unsigned i = 0; i < coordinates.size(); ++i) {
    machine.lane(kAddress + i, lane) = coordinates[i];
  }
}

TEST(Image, LoadsTheTexelOfEachTypesCoordinates) {
  struct Case {
    ImageType type;
    bool da;
    std::vector<std::uint32_t> coordinates;
    std::uint64_t texel;
  };
  const Case cases[] = {
      {ImageType::k1d, false, {5}, 5},
      {ImageType::k2d, false, {5, 3}, 3 * 10 + 5},
      {ImageType::k3d, false, {5, 3, 2}, (2 * 4 + 3) * 10 + 5},
      {ImageType::k1dArray, true, {5, 2}, 2 * 10 + 5},
      {ImageType::k2dArray, true, {5, 3, 2}, (2 * 4 + 3) * 10 + 5},
      {ImageType::k2dArray, false, {5, 3}, 3 * 10 + 5},
      {ImageType::kCube, false, {5, 3, 2}, (2 * 4 + 3) * 10 + 5},
  };
  for (const Case& c : cases) {
    Machine machine;
    const std::uint64_t base = set_image(machine, {.type = c.type, .depth = 3});
    machine.wave.set_exec(2);
    set_coordinates(machine, 1, c.coordinates);
    const std::uint32_t untouched = machine.lane(kResult, 0);
    ASSERT_TRUE(run(machine, "image_load", {.dmask = 1, .da = c.da}));
    EXPECT_EQ(machine.lane(kResult, 1), machine.at<std::uint32_t>(base + 4 * c.texel));
    EXPECT_EQ(machine.lane(kResult, 0), untouched) << "an inactive lane";
  }
}

TEST(Image, ReadsZeroAndWritesNothingBeyondTheEdges) {
  const std::vector<std::uint32_t> outside[] = {{8, 0}, {0, 4}, {0xffffffff, 0}, {0, 0xffffffff}};
  for (const auto& coordinates : outside) {
    Machine machine;
    set_image(machine, {});
    const std::vector<std::byte> before(machine.arena(), machine.arena() + kArenaBytes);
    machine.wave.set_exec(1);
    set_coordinates(machine, 0, coordinates);
    ASSERT_TRUE(run(machine, "image_load", {.dmask = 1}));
    EXPECT_EQ(machine.lane(kResult, 0), 0u);
    ASSERT_TRUE(run(machine, "image_store", {.dmask = 1}));
    ASSERT_TRUE(run(machine, "image_atomic_add", {.dmask = 1}));
    EXPECT_EQ(machine.lane(kResult, 0), 0u);
    EXPECT_EQ(std::memcmp(before.data(), machine.arena(), kArenaBytes), 0);
  }
  Machine machine;  // the last texel
  const std::uint64_t base = set_image(machine, {});
  machine.wave.set_exec(1);
  set_coordinates(machine, 0, {7, 3});
  ASSERT_TRUE(run(machine, "image_load", {.dmask = 1}));
  EXPECT_EQ(machine.lane(kResult, 0), machine.at<std::uint32_t>(base + 4 * 37));
}

TEST(Image, MasksPackComponentsIntoTheFirstRegisters) {
  Machine machine;
  const std::uint64_t base = set_image(machine, {.data_format = k8888});
  machine.put<std::uint32_t>(base, 0x44332211);
  machine.wave.set_exec(1);
  set_coordinates(machine, 0, {0, 0});
  const std::uint32_t kept = machine.lane(kResult + 2, 0);
  ASSERT_TRUE(run(machine, "image_load", {.dmask = 0xa}));
  EXPECT_EQ(machine.lane(kResult, 0), 0x22u);
  EXPECT_EQ(machine.lane(kResult + 1, 0), 0x44u);
  EXPECT_EQ(machine.lane(kResult + 2, 0), kept);
  machine.lane(kData, 0) = 0xaa, machine.lane(kData + 1, 0) = 0xbb;
  ASSERT_TRUE(run(machine, "image_store", {.dmask = 0x5}));
  EXPECT_EQ(machine.at<std::uint32_t>(base), 0x00bb00aau) << "what the mask leaves out is 0";
}

TEST(Image, SelectsAndConvertsComponents) {
  Machine machine;
  // x = third component, y = 0, z = 1, w = first
  const std::uint32_t select = 6 | 0 << 3 | 1 << 6 | 4 << 9;
  const std::uint64_t base =
      set_image(machine, {.data_format = k8888, .number_format = kUnorm, .select = select});
  machine.put<std::uint32_t>(base, 0x00ff0033);
  machine.wave.set_exec(1);
  set_coordinates(machine, 0, {0, 0});
  ASSERT_TRUE(run(machine, "image_load", {.dmask = 0xf}));
  EXPECT_EQ(machine.lane(kResult, 0), std::bit_cast<std::uint32_t>(1.0f));
  EXPECT_EQ(machine.lane(kResult + 1, 0), 0u);
  EXPECT_EQ(machine.lane(kResult + 2, 0), std::bit_cast<std::uint32_t>(1.0f));
  EXPECT_EQ(machine.lane(kResult + 3, 0), std::bit_cast<std::uint32_t>(0.2f));
}

TEST(Image, PackedRowsMoveComponentsUnconverted) {
  Machine machine;
  const std::uint64_t base =
      set_image(machine, {.data_format = k16161616, .number_format = kUnorm});
  machine.put<std::uint64_t>(base, 0x8000'7fff'0001'ffff);
  machine.wave.set_exec(1);
  set_coordinates(machine, 0, {0, 0, 0});
  const auto result = [&] {
    std::array<std::uint32_t, 4> values;
    for (unsigned i = 0; i < 4; ++i) values[i] = machine.lane(kResult + i, 0);
    return values;
  };
  const std::array<std::uint32_t, 4> zeros{0xffff, 1, 0x7fff, 0x8000};
  const std::array<std::uint32_t, 4> signs{0xffffffff, 1, 0x7fff, 0xffff8000};
  for (const char* const name : {"image_load_pck", "image_load_mip_pck"}) {
    ASSERT_TRUE(run(machine, name, {.dmask = 0xf}));
    EXPECT_EQ(result(), zeros) << name;
  }
  for (const char* const name : {"image_load_pck_sgn", "image_load_mip_pck_sgn"}) {
    ASSERT_TRUE(run(machine, name, {.dmask = 0xf}));
    EXPECT_EQ(result(), signs) << name;
  }
  for (unsigned i = 0; i < 4; ++i) machine.lane(kData + i, 0) = 0x10000 * i + i + 1;
  for (const char* const name : {"image_store_pck", "image_store_mip_pck"}) {
    machine.put<std::uint64_t>(base, 0);
    ASSERT_TRUE(run(machine, name, {.dmask = 0xf}));
    EXPECT_EQ(machine.at<std::uint64_t>(base), 0x0004'0003'0002'0001u) << name;
  }
}

TEST(Image, HasOneLevel) {
  Machine machine;
  const std::uint64_t base = set_image(machine, {});
  machine.wave.set_exec(3);
  set_coordinates(machine, 0, {1, 1, 0});
  set_coordinates(machine, 1, {1, 1, 1});
  ASSERT_TRUE(run(machine, "image_load_mip", {.dmask = 1}));
  EXPECT_EQ(machine.lane(kResult, 0), machine.at<std::uint32_t>(base + 4 * 11));
  EXPECT_EQ(machine.lane(kResult, 1), 0u);
  machine.lane(kData, 0) = 1, machine.lane(kData, 1) = 2;
  ASSERT_TRUE(run(machine, "image_store_mip", {.dmask = 1}));
  EXPECT_EQ(machine.at<std::uint32_t>(base + 4 * 11), 1u);
}

TEST(Image, HalfRegistersHoldCoordinatesAndComponents) {
  Machine machine;
  const std::uint64_t base = set_image(machine, {.data_format = k3232, .number_format = kFloat});
  machine.put<float>(base + 8 * 13, 1.5f);
  machine.put<float>(base + 8 * 13 + 4, -2.0f);
  machine.wave.set_exec(1);
  machine.lane(kAddress, 0) = 3 | 1u << 16;
  const std::uint32_t kept = machine.lane(kResult + 1, 0);
  ASSERT_TRUE(run(machine, "image_load", {.dmask = 3, .a16 = true, .d16 = true}));
  EXPECT_EQ(machine.lane(kResult, 0), 0xc0003e00u);
  EXPECT_EQ(machine.lane(kResult + 1, 0), kept);
  machine.lane(kData, 0) = 0x3c00b800;  // -0.5, 1
  ASSERT_TRUE(run(machine, "image_store", {.dmask = 3, .a16 = true, .d16 = true}));
  EXPECT_EQ(machine.at<float>(base + 8 * 13), -0.5f);
  EXPECT_EQ(machine.at<float>(base + 8 * 13 + 4), 1.0f);
}

TEST(Image, HalfRegistersHoldSignedIntegers) {
  Machine machine;
  const std::uint64_t base = set_image(machine, {.data_format = k3232, .number_format = kSint});
  machine.wave.set_exec(1);
  set_coordinates(machine, 0, {0, 0});
  machine.lane(kData, 0) = 0x0005ffff;
  ASSERT_TRUE(run(machine, "image_store", {.dmask = 3, .d16 = true}));
  EXPECT_EQ(machine.at<std::int32_t>(base), -1);
  EXPECT_EQ(machine.at<std::int32_t>(base + 4), 5);
  ASSERT_TRUE(run(machine, "image_load", {.dmask = 3, .d16 = true}));
  EXPECT_EQ(machine.lane(kResult, 0), 0x0005ffffu);
}

TEST(Image, AtomicsReturnTheOldValueAndFollowEachOther) {
  struct Case {
    const char* name;
    std::uint32_t old, data, expected;
  };
  constexpr std::uint32_t kMinusTwo = 0xfffffffe;
  const Case cases[] = {{"image_atomic_swap", 5, 9, 9},
                        {"image_atomic_add", 5, 9, 14},
                        {"image_atomic_sub", 5, 9, 0xfffffffc},
                        {"image_atomic_smin", 5, kMinusTwo, kMinusTwo},
                        {"image_atomic_umin", 5, kMinusTwo, 5},
                        {"image_atomic_smax", 5, kMinusTwo, 5},
                        {"image_atomic_umax", 5, kMinusTwo, kMinusTwo},
                        {"image_atomic_and", 12, 10, 8},
                        {"image_atomic_or", 12, 10, 14},
                        {"image_atomic_xor", 12, 10, 6},
                        {"image_atomic_inc", 5, 9, 6},
                        {"image_atomic_inc", 9, 9, 0},
                        {"image_atomic_dec", 5, 9, 4},
                        {"image_atomic_dec", 0, 9, 9}};
  for (const Case& c : cases) {
    Machine machine;
    const std::uint64_t base = set_image(machine, {});
    machine.put<std::uint32_t>(base + 4 * 11, c.old);
    machine.wave.set_exec(1);
    set_coordinates(machine, 0, {1, 1});
    machine.lane(kData, 0) = c.data;
    ASSERT_TRUE(run(machine, c.name, {.dmask = 1}));
    EXPECT_EQ(machine.lane(kResult, 0), c.old) << c.name;
    EXPECT_EQ(machine.at<std::uint32_t>(base + 4 * 11), c.expected) << c.name;
  }
  Machine machine;  // all lanes on one texel
  const std::uint64_t base = set_image(machine, {});
  machine.put<std::uint32_t>(base, 100);
  for (unsigned l = 0; l < 64; ++l) {
    set_coordinates(machine, l, {0, 0});
    machine.lane(kData, l) = l;
  }
  ASSERT_TRUE(run(machine, "image_atomic_add", {.dmask = 1}));
  EXPECT_EQ(machine.at<std::uint32_t>(base), 100u + 63 * 64 / 2);
}

TEST(Image, AtomicsOf64BitsTakeTwoRegisters) {
  Machine machine;
  const std::uint64_t base = set_image(machine, {.data_format = k3232});
  machine.wave.set_exec(1);
  set_coordinates(machine, 0, {1, 0});
  machine.put<std::uint64_t>(base + 8, 0xffff'ffff);
  machine.lane(kData, 0) = 1, machine.lane(kData + 1, 0) = 2;
  ASSERT_TRUE(run(machine, "image_atomic_add", {.dmask = 3}));
  EXPECT_EQ(machine.at<std::uint64_t>(base + 8), 0x3'0000'0000u);
  EXPECT_EQ(machine.lane(kResult, 0), 0xffffffffu);
  EXPECT_EQ(machine.lane(kResult + 1, 0), 0u);
  // The comparand is in the second half.
  machine.lane(kData, 0) = 7, machine.lane(kData + 1, 0) = 8;
  machine.lane(kData + 2, 0) = 0, machine.lane(kData + 3, 0) = 3;
  ASSERT_TRUE(run(machine, "image_atomic_cmpswap", {.dmask = 0xf}));
  EXPECT_EQ(machine.at<std::uint64_t>(base + 8), 0x8'0000'0007u);
  ASSERT_TRUE(run(machine, "image_atomic_cmpswap", {.dmask = 0xf}));
  EXPECT_EQ(machine.lane(kResult, 0), 7u) << "no longer equal: only read";
  ASSERT_TRUE(run(machine, "image_atomic_add", {.dmask = 1}));
  EXPECT_EQ(machine.at<std::uint64_t>(base + 8), 0x8'0000'0007u) << "texels are not of 32 bits";
}

TEST(Image, SaysItsSize) {
  Machine machine;
  machine.wave.set_exec(3);
  const auto info = [&](unsigned lane) {
    std::array<std::uint32_t, 4> values;
    for (unsigned i = 0; i < 4; ++i) values[i] = machine.lane(kResult + i, lane);
    return values;
  };
  using Info = std::array<std::uint32_t, 4>;
  set_coordinates(machine, 0, {0});
  set_coordinates(machine, 1, {1});
  set_image(machine, {.depth = 5});
  ASSERT_TRUE(run(machine, "image_get_resinfo", {.dmask = 0xf}));
  EXPECT_EQ(info(0), (Info{8, 4, 1, 1}));
  EXPECT_EQ(info(1), (Info{0, 0, 0, 1})) << "there is no second level";
  set_image(machine, {.type = ImageType::k3d, .depth = 5});
  ASSERT_TRUE(run(machine, "image_get_resinfo", {.dmask = 0xf}));
  EXPECT_EQ(info(0), (Info{8, 4, 5, 1}));
  set_image(machine, {.type = ImageType::k2dArray, .depth = 5, .first_slice = 2});
  ASSERT_TRUE(run(machine, "image_get_resinfo", {.dmask = 0xf, .da = true}));
  EXPECT_EQ(info(0), (Info{8, 4, 3, 1}));
}

TEST(Image, SamplesByNormalizedCoordinatesUnlessToldOtherwise) {
  Machine machine;
  const std::uint64_t base = set_image(machine, {.number_format = kFloat, .width = 4, .height = 2});
  for (unsigned i = 0; i < 4; ++i) machine.put<float>(base + 4 * i, 10.0f * static_cast<float>(i));
  for (unsigned i = 0; i < 4; ++i) machine.put<float>(base + 4 * (10 + i), 100.0f);
  std::uint32_t* const sampler = &machine.wave.sgpr[kSampler];
  machine.wave.set_exec(1);
  const auto sample = [&](float x, float y, bool unnormalized, bool linear, std::uint32_t clamp) {
    sampler[0] = clamp * 0b001001001u;
    sampler[1] = sampler[3] = 0;
    sampler[2] = linear ? 1u << 20 : 0;
    machine.lane(kAddress, 0) = std::bit_cast<std::uint32_t>(x);
    machine.lane(kAddress + 1, 0) = std::bit_cast<std::uint32_t>(y);
    EXPECT_TRUE(run(machine, "image_sample", {.dmask = 1, .unorm = unnormalized}));
    return std::bit_cast<float>(machine.lane(kResult, 0));
  };
  constexpr std::uint32_t kWrap = 0, kMirror = 1, kLast = 2, kMirrorOnce = 3, kBorder = 6;
  EXPECT_EQ(sample(0.375f, 0.25f, false, false, kLast), 10.0f);
  EXPECT_EQ(sample(1.5f, 0.5f, true, false, kLast), 10.0f);
  EXPECT_EQ(sample(1.5f, 0.5f, true, true, kLast), 10.0f);
  EXPECT_EQ(sample(2.0f, 0.5f, true, true, kLast), 15.0f);
  EXPECT_EQ(sample(0.5f, 1.0f, true, true, kLast), 50.0f);
  EXPECT_EQ(sample(-3.0f, 0.5f, true, false, kLast), 0.0f);
  EXPECT_EQ(sample(9.0f, 0.5f, true, false, kLast), 30.0f);
  EXPECT_EQ(sample(1.375f, 0.25f, false, false, kWrap), 10.0f);
  EXPECT_EQ(sample(-0.125f, 0.25f, false, false, kWrap), 30.0f);
  EXPECT_EQ(sample(1.125f, 0.25f, false, false, kMirror), 30.0f);
  EXPECT_EQ(sample(-0.375f, 0.25f, false, false, kMirror), 10.0f);
  EXPECT_EQ(sample(-0.375f, 0.25f, false, false, kMirrorOnce), 10.0f);
  EXPECT_EQ(sample(-9.0f, 0.25f, false, false, kMirrorOnce), 30.0f);
  EXPECT_EQ(sample(1.125f, 0.25f, false, false, kBorder), 0.0f);
  EXPECT_EQ(sample(4.0f, 0.5f, true, true, kBorder), 15.0f) << "half of it is border";
}

TEST(Image, StopsAtResourcesThatCannotBeRead) {
  Machine machine;
  set_image(machine, {.tiling = 9});
  ASSERT_TRUE(run(machine, "image_load", {.dmask = 1}));
  EXPECT_EQ(machine.next, nullptr);
  EXPECT_EQ(machine.wave.stop, machine::Stop::kUnsupported);
  Machine last;  // coordinates in registers that the wave does not have
  set_image(last, {.type = ImageType::k3d});
  MemoryOperands memory = image_operands({.dmask = 1});
  memory.address = kRegisters - 2;
  ASSERT_TRUE(last.run("image_load", memory, isa::kGfx90a));
  EXPECT_EQ(last.next, nullptr);
  set_image(last, {.type = ImageType::k2d});
  ASSERT_TRUE(last.run("image_load", memory, isa::kGfx90a));
  EXPECT_NE(last.next, nullptr);
  Machine none;  // no image at all reads as 0
  set_image(none, {.type = ImageType::kNone});
  none.wave.set_exec(1);
  ASSERT_TRUE(run(none, "image_load", {.dmask = 1}));
  EXPECT_EQ(none.lane(kResult, 0), 0u);
}

TEST(Image, OutsideOfTheDevicesMemoryIsAFault) {
  Machine machine;
  set_image(machine, {});
  machine.wave.sgpr[kResource] = 0x10;
  machine.wave.sgpr[kResource + 1] &= ~0xffu;
  machine.wave.set_exec(std::uint64_t{1} << 9);
  set_coordinates(machine, 9, {0, 0});
  EXPECT_FALSE(run(machine, "image_store", {.dmask = 1}));
  EXPECT_EQ(machine.wave.fault.lane, 9u);
  EXPECT_TRUE(machine.wave.fault.write);
}

TEST(Image, TellsTheCycleModelItsTexels) {
  Machine machine;
  const std::uint64_t base = set_image(machine, {});
  for (unsigned l = 0; l < 64; ++l) set_coordinates(machine, l, {l, 1});
  Op op;
  op.row = isa::find_row("image_load", isa::kGfx90a)->id;
  op.memory = image_operands({.dmask = 1});
  machine::Step step;
  collect_addresses(machine.wave, &op, step);
  EXPECT_EQ(step.lanes, 0xffu) << "the image is 8 texels wide";
  EXPECT_EQ(step.access_bytes, 4u);
  EXPECT_EQ(step.access_count, 1u);
  for (unsigned l = 0; l < 8; ++l) {
    EXPECT_EQ(step.address[l], machine.address(base) + 4 * (10 + l));
  }
}

}  // namespace
}  // namespace wavetank::execute::testing
