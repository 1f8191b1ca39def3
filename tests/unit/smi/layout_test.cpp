// Our own declarations against the sizes and offsets that a compiler gave for AMD's rocm_smi.h of
// ROCm 5.2.3, 6.4.1 and 7.2.4 (Debian's librocm-smi-dev).
#include <gtest/gtest.h>

#include "smi/abi/gpu_metrics.hpp"
#include "smi/abi/types.hpp"

namespace smi_abi = wavetank::smi::abi;

TEST(SmiLayout, Rocm5HadOneFrequencyLessAndAShortTable) {
  EXPECT_EQ(sizeof(smi_abi::FrequenciesRocm5), 264u);
  EXPECT_EQ(sizeof(smi_abi::PcieBandwidth<smi_abi::FrequenciesRocm5>), 392u);
  EXPECT_EQ(sizeof(smi_abi::MetricsRocm5), 96u);
  EXPECT_EQ(offsetof(smi_abi::MetricsRocm5, gfx_activity_acc), 80u);
  EXPECT_EQ(offsetof(smi_abi::MetricsRocm5, temperature_hbm), 88u);
}

TEST(SmiLayout, FrequenciesSinceRocm6SayWhetherThereIsDeepSleep) {
  EXPECT_EQ(sizeof(smi_abi::Frequencies), 280u);
  EXPECT_EQ(sizeof(smi_abi::PcieBandwidth<smi_abi::Frequencies>), 416u);
  EXPECT_EQ(offsetof(smi_abi::PcieBandwidth<smi_abi::Frequencies>, lanes), 280u);
}

TEST(SmiLayout, TheTablesOfRocm6And7DifferInTheirPartitions) {
  using Rocm6 = smi_abi::Metrics<smi_abi::PartitionRocm6>;
  using Rocm7 = smi_abi::Metrics<smi_abi::PartitionRocm7>;
  EXPECT_EQ(offsetof(Rocm6, current_socket_power), 120u);
  EXPECT_EQ(offsetof(Rocm6, current_gfxclks), 312u);
  EXPECT_EQ(offsetof(Rocm6, num_partition), 472u);
  EXPECT_EQ(offsetof(Rocm6, xcp_stats), 480u);
  EXPECT_EQ(sizeof(smi_abi::PartitionRocm6), 232u);
  EXPECT_EQ(offsetof(Rocm6, xgmi_link_status), 2352u);
  EXPECT_EQ(sizeof(Rocm6), 2368u);
  EXPECT_EQ(offsetof(Rocm7, xcp_stats), 480u);
  EXPECT_EQ(sizeof(smi_abi::PartitionRocm7), 504u);
  EXPECT_EQ(offsetof(Rocm7, xgmi_link_status), 4528u);
  EXPECT_EQ(sizeof(Rocm7), 4544u);
}

TEST(SmiLayout, SmallStructuresHaveTheHeadersSizes) {
  EXPECT_EQ(sizeof(smi_abi::VoltageCurve), 120u);
  EXPECT_EQ(sizeof(smi_abi::Version), 24u);
  EXPECT_EQ(sizeof(smi_abi::UtilizationCounter), 16u);
  EXPECT_EQ(sizeof(smi_abi::ErrorCount), 16u);
  EXPECT_EQ(sizeof(smi_abi::Identifiers), 72u);
}
