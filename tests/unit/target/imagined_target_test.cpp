// A processor that is nowhere in src: a row of facts, a device file and an instruction are all that
// the next one needs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/isa/card.hpp"
#include "dispatch/engine.hpp"
#include "dispatch/wave_start.hpp"
#include "encoding/decoder.hpp"
#include "encoding/disassembler.hpp"
#include "isa/catalogue.hpp"
#include "profile/counter_names.hpp"
#include "profile/metrics.hpp"
#include "target/board.hpp"
#include "target/device_file.hpp"
#include "timing/device_model.hpp"

namespace wavetank {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::array<std::string_view, 1> kRegisters = {"HW_REG_IMAGINED"};

/// After gfx942, with facts of both processors and of neither.
constexpr isa::Target kImagined{
    .name = "gfx9f3",
    .version = isa::Version{0x9f3},
    .has_architected_scratch = true,
    .has_scratch_vaddr_bit = false,
    .has_images = false,
    .policy_names = {"near", "once", "far"},
    .has_scope_bits = true,
    .shares_l2 = true,
    .drops_fine_grained_float_atomics = false,
    .counts_start_invalidation = false,
    .fabric_port = "EA7",
    .late_hardware_registers = kRegisters,
    .management = {.metrics_revision = 8, .has_edge_sensor = true, .reports_each_die = true}};
constexpr std::array kKnown = {isa::kGfx90a, isa::kGfx942, kImagined};

constexpr std::string_view kDeviceFile = R"(name = "imagined"
marketing_name = "An imagined device"
gfx = "gfx9f3"
base = "mi300x"
)";

const Result<target::Device>& imagined_device() {
  static const auto device = target::parse_device(kDeviceFile, "imagined.toml", kKnown);
  return device;
}

/// What its tables would add.
isa::Row new_row() {
  isa::Row row = *isa::find_row("v_mov_b32", isa::kGfx942);
  row.name = "v_imagine_b32";
  row.encoding = isa::vop1(0x7f);
  row.lifetime = isa::since(kImagined.version);
  return row;
}

std::vector<isa::Row> rows_with_new() {
  std::vector<isa::Row> rows(isa::catalogue().begin(), isa::catalogue().end());
  rows.push_back(new_row());
  return rows;
}

std::string text_of(std::vector<std::uint32_t> dwords, const isa::Target& target) {
  const auto decoded = encoding::decoder_of(target).decode(dwords, 0);
  return decoded ? encoding::disassemble(*decoded, target) : decoded.error().message;
}

TEST(ImaginedTarget, HasTheInstructionsWhoseTimeItIs) {
  EXPECT_NE(isa::find_row("v_mov_b64", kImagined), nullptr) << "since gfx942";
  EXPECT_EQ(isa::find_row("v_mov_b64", isa::kGfx90a), nullptr);
  EXPECT_EQ(isa::find_row("image_load", kImagined), nullptr) << "until gfx90a";
  EXPECT_NE(isa::find_row("image_load", isa::kGfx90a), nullptr);
  EXPECT_EQ(isa::find_row("v_mfma_f32_16x16x16f16", kImagined)->name, "v_mfma_f32_16x16x16_f16")
      << "gfx90a's name, which assemblers still take";
}

TEST(ImaginedTarget, DecodesAnInstructionOfItsOwn) {
  const std::vector<isa::Row> rows = rows_with_new();
  const std::vector<std::uint32_t> dwords = {0x7e02ff02};  // VOP1 opcode 0x7f, v1, v2
  const auto decoded = encoding::Decoder(kImagined, rows).decode(dwords, 0);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(encoding::disassemble(*decoded, kImagined), "v_imagine_b32_e32 v1, v2");
  const auto before = encoding::Decoder(isa::kGfx942, rows).decode(dwords, 0);
  ASSERT_FALSE(before.has_value());
  EXPECT_THAT(before.error().message, HasSubstr("no instruction of gfx942"));
}

TEST(ImaginedTarget, SpellsPolicyAndRegistersItsOwnWay) {
  EXPECT_EQ(text_of({0xde518000, 0x047f0002}, isa::kGfx942),
            "global_load_dword v4, v[2:3], off sc0 sc1");
  EXPECT_EQ(text_of({0xde518000, 0x047f0002}, kImagined),
            "global_load_dword v4, v[2:3], off near far");
  EXPECT_EQ(text_of({0xb880f814}, kImagined), "s_getreg_b32 s0, hwreg(HW_REG_IMAGINED)");
  EXPECT_EQ(text_of({0xb880f815}, kImagined), "s_getreg_b32 s0, hwreg(21)");
}

TEST(ImaginedTarget, ReadsScratchAddressesAsItsRowSays) {
  // With SVE clear and an SADDR neither has a VADDR; with SVE set gfx942 has one, and it no such
  // bit.
  EXPECT_EQ(text_of({0xdc504000, 0x01000000}, kImagined), "scratch_load_dword v1, off, s0");
  EXPECT_EQ(text_of({0xdc506000, 0x01000000}, isa::kGfx942), "scratch_load_dword v1, v0, s0");
  EXPECT_THAT(text_of({0xdc506000, 0x01000000}, kImagined), HasSubstr("reserved bits are set"));
}

/// The processor that the header of a code object names by this number.
std::string processor_of_number(std::uint8_t number) {
  std::array<std::byte, 64> header = {};
  const auto put = [&](std::size_t at, std::initializer_list<unsigned> bytes) {
    for (const unsigned byte : bytes) header[at++] = static_cast<std::byte>(byte);
  };
  put(0, {0x7f, 'E', 'L', 'F', 2, 1, 1});  // 64 bits, little-endian
  put(18, {224, 0});                       // EM_AMDGPU
  put(48, {number});                       // e_flags
  const auto target = code_object::target_of_elf(header);
  return target ? target->processor : std::string();
}

TEST(Targets, HaveANumberInTheHeadersOfCodeObjects) {
  std::set<std::string, std::less<>> numbered;
  for (unsigned number = 0; number < 256; ++number) {
    numbered.insert(processor_of_number(static_cast<std::uint8_t>(number)));
  }
  for (const isa::Target& target : isa::targets()) {
    EXPECT_TRUE(numbered.contains(target.name)) << target.name;
  }
}

TEST(ImaginedTarget, IsADeviceFileAway) {
  ASSERT_TRUE(imagined_device().has_value()) << imagined_device().error().message;
  const target::Device& device = *imagined_device();
  EXPECT_EQ(device.gfx(), "gfx9f3");
  EXPECT_EQ(target::graphics_version(device), 91503u);
  const auto unknown = target::parse_device(kDeviceFile, "imagined.toml");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().message, "gfx9f3 is not a processor Wavetank runs");
  EXPECT_EQ(unknown.error().help, "gfx is \"gfx90a\" or \"gfx942\"");
}

TEST(ImaginedTarget, StartsWavesAsItsRowSays) {
  code_object::KernelDescriptor descriptor;
  descriptor.enable_private_segment = true;
  descriptor.enable_workgroup_id_x = false;
  alignas(64) std::byte scratch[64 * 4];
  alignas(64) std::uint32_t vgprs[64];
  machine::Wave wave;
  wave.vgpr = vgprs;
  const auto flat_scratch = [&](const isa::Target& target) {
    wave.set_scalar64(102, 0);
    dispatch::WaveStart({.descriptor = &descriptor, .target = &target, .scratch_bytes_per_lane = 4})
        .start({&wave, 1}, {0, 0, 0}, {64, 1, 1}, scratch);
    return wave.scalar64(102);
  };
  EXPECT_EQ(flat_scratch(kImagined), reinterpret_cast<std::uint64_t>(scratch));
  EXPECT_EQ(flat_scratch(isa::kGfx90a), 0u) << "there the prologue sets it";
}

TEST(ImaginedTarget, SpellsCountersItsOwnWay) {
  EXPECT_TRUE(profile::counts(kImagined, "SQ_INSTS_VALU_MFMA_F8")) << "since gfx942";
  EXPECT_FALSE(profile::counts(kImagined, "SQ_INSTS_FLAT_LDS_ONLY")) << "until gfx90a";
  const std::string formula = profile::formula_for(*profile::find_metric("FETCH_SIZE"), kImagined);
  EXPECT_THAT(formula, HasSubstr("TCC_EA7_RDREQ"));
  EXPECT_THAT(formula, HasSubstr("TCC_BUBBLE")) << "the formula since gfx942";
}

/// A kernel that stores 42 to a word for each work-item of a wave, in device memory.
class SmallKernel {
 public:
  explicit SmallKernel(machine::DeviceMemory& memory) {
    constexpr std::uint32_t kCode[] = {
        0xc0060080, 0x00000000,  // s_load_dwordx2 s[2:3], s[0:1], 0x0
        0x7e0470aa,              // v_mov_b64_e32 v[2:3], 42
        0x24000082,              // v_lshlrev_b32_e32 v0, 2, v0
        0xbf8cc07f,              // s_waitcnt lgkmcnt(0)
        0xde718000, 0x00020200,  // global_store_dword v0, v2, s[2:3] sc0 sc1
        0xbf810000};             // s_endpgm
    object_->base = memory_of(memory, 4096);
    std::memcpy(object_->base, kCode, sizeof kCode);
    object_->object.memory_size_bytes = 4096;
    object_->object.segments = {{.address = 0, .memory_size_bytes = 4096, .executable = true}};
    kernel_.name = "fill";
    kernel_.descriptor.kernarg_segment_ptr = true;
    kernel_.vgpr_count = kernel_.descriptor.vgpr_count = 8;
    kernel_.descriptor.accum_offset = 8;
    kernarg_ = memory_of(memory, 4096);
    words_ = memory_of(memory, 4096);
    std::memcpy(kernarg_, &words_, sizeof words_);
  }
  dispatch::Launch launch() const {
    return {.code = object_,
            .kernel = &kernel_,
            .grid_work_items = {64, 1, 1},
            .workgroup_work_items = {64, 1, 1},
            .kernarg = kernarg_};
  }
  std::uint32_t word(unsigned index) const {
    std::uint32_t value;
    std::memcpy(&value, words_ + 4 * index, 4);
    return value;
  }

 private:
  static std::byte* memory_of(machine::DeviceMemory& memory, std::size_t bytes) {
    return memory.allocate(bytes, machine::MemoryKind::kDevice).value();
  }
  std::shared_ptr<code_object::LoadedCodeObject> object_ =
      std::make_shared<code_object::LoadedCodeObject>();
  code_object::Kernel kernel_;
  std::byte* kernarg_;
  std::byte* words_;
};

TEST(ImaginedTarget, RunsAKernel) {
  const auto memory = machine::DeviceMemory::reserve(std::uint64_t{1} << 30).value();
  const SmallKernel kernel(*memory);
  dispatch::Engine engine(*imagined_device(), *memory, {.worker_threads = 1});
  const auto done = engine.run(kernel.launch());
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_EQ(kernel.word(0), 42u);
  EXPECT_EQ(kernel.word(63), 42u);
}

TEST(ImaginedTarget, TimesAKernel) {
  const auto memory = machine::DeviceMemory::reserve(std::uint64_t{1} << 30).value();
  const SmallKernel kernel(*memory);
  dispatch::Engine engine(*imagined_device(), *memory, {.worker_threads = 1});
  const auto model = timing::DeviceModel::make(*imagined_device()).value();
  profile::LaunchProfile profile;
  const auto texts = engine.run_stepped(kernel.launch(), [&](machine::GridSource& source) {
    Result<profile::LaunchProfile> simulated = model->simulate(source, {});
    if (simulated) profile = std::move(*simulated);
    return simulated ? Result<void>() : tl::unexpected(simulated.error());
  });
  ASSERT_TRUE(texts.has_value()) << texts.error().message;
  EXPECT_EQ(kernel.word(63), 42u);
  EXPECT_GT(profile.cycles, 0u);
  EXPECT_TRUE(profile.counters.contains("TCC_EA7_WRREQ"));
  EXPECT_FALSE(profile.counters.contains("TCC_EA0_WRREQ"));
  for (const auto& [name, value] : profile.counters) {
    if (name.find("EA7") != std::string::npos) continue;  // listed are the ports of real processors
    EXPECT_NE(wavetank::profile::find_counter(name), nullptr) << name;
  }
}

TEST(ImaginedTarget, HasAColumnOnTheCardsOfInstructions) {
  const auto instruction = cli::find_instruction("v_mov_b64", kKnown);
  ASSERT_TRUE(instruction.has_value());
  const auto device_of = [](const isa::Target& target) -> const Result<target::Device>& {
    return target == kImagined ? imagined_device() : cli::built_in_device_of(target);
  };
  const auto card = cli::make_card(*instruction, device_of);
  ASSERT_TRUE(card.has_value());
  EXPECT_EQ(card->targets, "gfx942 gfx9f3");
  const auto timing = std::ranges::find(card->sections, "Timing", &cli::CardSection::title);
  ASSERT_NE(timing, card->sections.end());
  EXPECT_THAT(timing->headings, ElementsAre("", "gfx90a", "gfx942", "gfx9f3", "rests on"));
  EXPECT_EQ(timing->rows.front()[1], "-") << "gfx90a has no v_mov_b64";
  EXPECT_EQ(timing->rows.front()[2], timing->rows.front()[3]) << "numbers of the same base";
}

}  // namespace
}  // namespace wavetank
