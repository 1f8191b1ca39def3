// What the functions of librocm_smi64 say about the virtual cards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <string>

#include "smi/abi/generation.hpp"
#include "smi/api/functions.hpp"

namespace wavetank::smi {

const abi::Generation abi::generation{Layout::kRocm7};

namespace {

using abi::Status;

/// The library opened for a list of devices, and closed again.
class Cards {
 public:
  explicit Cards(const char* devices) {
    setenv("WAVETANK_DEVICE", devices, 1);
    EXPECT_EQ(rsmi_init(0), Status::kSuccess);
  }
  ~Cards() { EXPECT_EQ(rsmi_shut_down(), Status::kSuccess); }
};

std::string text_of(Status (*function)(std::uint32_t, char*, std::size_t), std::uint32_t card) {
  std::array<char, 128> text{};
  EXPECT_EQ(function(card, text.data(), text.size()), Status::kSuccess);
  return text.data();
}

TEST(Smi, CountsTheDevicesOfTheList) {
  const Cards cards("mi300x,mi300x,mi210");
  std::uint32_t count = 0;
  EXPECT_EQ(rsmi_num_monitor_devices(&count), Status::kSuccess);
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(rsmi_num_monitor_devices(nullptr), Status::kInvalidArgs);
}

TEST(Smi, KnowsNoCardBeforeInitNorBeyondTheLast) {
  std::uint16_t id = 0;
  EXPECT_EQ(rsmi_dev_id_get(0, &id), Status::kInvalidArgs);
  EXPECT_EQ(rsmi_shut_down(), Status::kInitError);
  const Cards cards("mi210");
  EXPECT_EQ(rsmi_dev_id_get(0, &id), Status::kSuccess);
  EXPECT_EQ(id, 0x740f);
  EXPECT_EQ(rsmi_dev_id_get(1, &id), Status::kInvalidArgs);
}

TEST(Smi, StaysOpenUntilTheLastOfNestedCallsCloses) {
  const Cards outer("mi210");
  ASSERT_EQ(rsmi_init(0), Status::kSuccess);
  ASSERT_EQ(rsmi_shut_down(), Status::kSuccess);
  std::uint32_t count = 0;
  EXPECT_EQ(rsmi_num_monitor_devices(&count), Status::kSuccess);
  EXPECT_EQ(count, 1u);
}

TEST(Smi, RefusesAListThatNamesNoDevice) {
  setenv("WAVETANK_DEVICE", "mi999", 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(rsmi_init(0), Status::kInitError);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("there is no device"));
}

TEST(Smi, NamesACardAsHipDoes) {
  const Cards cards("mi300x,mi300a");
  EXPECT_EQ(text_of(rsmi_dev_name_get, 0), "AMD Instinct MI300X");
  EXPECT_EQ(text_of(rsmi_dev_name_get, 1), "AMD Instinct MI300A");
  std::array<char, 5> narrow{};
  EXPECT_EQ(rsmi_dev_name_get(0, narrow.data(), narrow.size()), Status::kInsufficientSize);
  EXPECT_STREQ(narrow.data(), "AMD ");
}

TEST(Smi, PacksThePciAddressIntoOneNumber) {
  const Cards cards("mi210,mi210");
  std::uint64_t bdf = 0;
  EXPECT_EQ(rsmi_dev_pci_id_get(1, &bdf), Status::kSuccess);
  EXPECT_EQ(bdf, 0x400u);  // bus 4, device 0, function 0: HIP's "0000:04:00.0"
}

TEST(Smi, GivesTheFirmwareVersionThatRcclWantsOnCdna3) {
  const Cards cards("mi300x,mi210");
  std::uint64_t version = 0;
  EXPECT_EQ(rsmi_dev_firmware_version_get(0, abi::Firmware::kMec, &version), Status::kSuccess);
  EXPECT_EQ(version, 177u);
  EXPECT_EQ(rsmi_dev_firmware_version_get(1, abi::Firmware::kMec, &version), Status::kNotSupported);
}

TEST(Smi, JoinsCardsOfOneKindByInfinityFabricAndOthersThroughTheHost) {
  const Cards cards("mi300x,mi300x,mi210");
  std::uint64_t hops = 0;
  std::uint64_t weight = 0;
  auto link = abi::Link::kUndefined;
  EXPECT_EQ(rsmi_topo_get_link_type(0, 1, &hops, &link), Status::kSuccess);
  EXPECT_EQ(hops, 1u);
  EXPECT_EQ(link, abi::Link::kXgmi);
  EXPECT_EQ(rsmi_topo_get_link_weight(0, 1, &weight), Status::kSuccess);
  EXPECT_EQ(weight, 15u);
  EXPECT_EQ(rsmi_topo_get_link_type(1, 2, &hops, &link), Status::kSuccess);
  EXPECT_EQ(hops, 2u);
  EXPECT_EQ(link, abi::Link::kPciExpress);
  EXPECT_EQ(rsmi_topo_get_link_weight(1, 2, &weight), Status::kSuccess);
  EXPECT_EQ(weight, 40u);
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  EXPECT_EQ(rsmi_minmax_bandwidth_get(0, 1, &least, &most), Status::kSuccess);
  EXPECT_EQ(most, least);
  EXPECT_EQ(rsmi_minmax_bandwidth_get(1, 2, &least, &most), Status::kNotSupported);
}

TEST(Smi, ListsClocksInHertzWithTheIdleOneAsCurrent) {
  const Cards cards("mi210,mi300x");
  abi::Frequencies clocks{};
  EXPECT_EQ(rsmi_dev_gpu_clk_freq_get(0, abi::Clock::kSystem, &clocks), Status::kSuccess);
  EXPECT_EQ(clocks.num_supported, 3u);
  EXPECT_EQ(clocks.frequency[clocks.current], 800'000'000u);
  EXPECT_EQ(clocks.frequency[2], 1'700'000'000u);
  EXPECT_EQ(rsmi_dev_gpu_clk_freq_get(0, abi::Clock::kMemory, &clocks), Status::kSuccess);
  EXPECT_EQ(clocks.frequency[clocks.num_supported - 1], 1'600'000'000u);
  EXPECT_EQ(rsmi_dev_gpu_clk_freq_get(0, abi::Clock::kDisplay, &clocks), Status::kNotSupported);
  EXPECT_FALSE(clocks.has_deep_sleep);
  EXPECT_EQ(rsmi_dev_gpu_clk_freq_get(1, abi::Clock::kSoc, &clocks), Status::kSuccess);
  EXPECT_TRUE(clocks.has_deep_sleep);
  EXPECT_EQ(clocks.num_supported, 4u);
  EXPECT_EQ(clocks.frequency[clocks.current], 30'000'000u);
}

TEST(Smi, FillsTheTableOfMetricsAndLeavesTheRestWithoutValue) {
  const Cards cards("mi300x,mi210");
  abi::Metrics<abi::PartitionRocm7> table;
  EXPECT_EQ(rsmi_dev_gpu_metrics_info_get(0, &table), Status::kSuccess);
  EXPECT_EQ(table.start.header.structure_size, sizeof table);
  EXPECT_EQ(table.start.current_gfxclk, 132u);
  EXPECT_EQ(table.current_gfxclks[7], 132u);
  EXPECT_EQ(table.start.average_socket_power, 0xffff);
  EXPECT_EQ(table.start.current_fan_speed, 0xffff);
  EXPECT_EQ(rsmi_dev_gpu_metrics_info_get(1, &table), Status::kSuccess);
  EXPECT_EQ(table.current_gfxclks[0], 0xffff);
  EXPECT_EQ(table.current_socket_power, 0xffff);
  std::uint16_t dies = 0;
  EXPECT_EQ(rsmi_dev_metrics_xcd_counter_get(0, &dies), Status::kSuccess);
  EXPECT_EQ(dies, 8u);
}

TEST(Smi, AnswersPowerWithTheSensorThatTheCardHas) {
  const Cards cards("mi300x,mi210");
  std::uint64_t microwatts = 0;
  EXPECT_EQ(rsmi_dev_power_ave_get(0, 0, &microwatts), Status::kNotSupported);
  EXPECT_EQ(rsmi_dev_current_socket_power_get(0, &microwatts), Status::kSuccess);
  EXPECT_EQ(rsmi_dev_power_ave_get(1, 0, &microwatts), Status::kSuccess);
  auto kind = abi::Power::kCurrent;
  EXPECT_EQ(rsmi_dev_power_get(1, &microwatts, &kind), Status::kSuccess);
  EXPECT_EQ(kind, abi::Power::kAverage);
  EXPECT_EQ(rsmi_dev_power_cap_get(0, 0, &microwatts), Status::kSuccess);
  EXPECT_EQ(microwatts, 750'000'000u);
}

TEST(Smi, SaysTheProcessorInAmdsDecimalDigits) {
  const Cards cards("mi300x,mi210");
  std::uint64_t version = 0;
  EXPECT_EQ(rsmi_dev_target_graphics_version_get(0, &version), Status::kSuccess);
  EXPECT_EQ(version, 942u);
  EXPECT_EQ(rsmi_dev_target_graphics_version_get(1, &version), Status::kSuccess);
  EXPECT_EQ(version, 9010u);
}

TEST(Smi, ACardWithoutWorkHasAllItsMemoryFree) {
  const Cards cards("mi210");
  std::uint64_t bytes = 1;
  EXPECT_EQ(rsmi_dev_memory_total_get(0, abi::Memory::kVram, &bytes), Status::kSuccess);
  EXPECT_EQ(bytes, 64ull << 30);
  EXPECT_EQ(rsmi_dev_memory_usage_get(0, abi::Memory::kVram, &bytes), Status::kSuccess);
  EXPECT_EQ(bytes, 0u);
}

TEST(Smi, HasWordsForEveryStatus) {
  const char* text = nullptr;
  EXPECT_EQ(rsmi_status_string(Status::kNotSupported, &text), Status::kSuccess);
  EXPECT_THAT(text, testing::StartsWith("RSMI_STATUS_NOT_SUPPORTED"));
  EXPECT_EQ(rsmi_status_string(static_cast<Status>(999), &text), Status::kSuccess);
  EXPECT_THAT(text, testing::StartsWith("RSMI_STATUS_UNKNOWN_ERROR"));
}

}  // namespace
}  // namespace wavetank::smi
