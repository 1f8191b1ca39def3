#include "profile/metrics.hpp"

#include <gmock/gmock.h>

#include <set>

#include "profile/counter_names.hpp"
#include "target/load_device.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::profile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

target::Device device(const char* name) { return *target::load_device(name); }

LaunchProfile with(std::map<std::string, CounterValue, std::less<>> counters) {
  LaunchProfile launch;
  launch.counters = std::move(counters);
  return launch;
}

double value(std::string_view name, const LaunchProfile& launch, const char* on) {
  const MetricValue result = value_of(name, launch, device(on));
  EXPECT_TRUE(result.value) << name << ": " << result.why_not;
  return result.value.value_or(-1);
}

std::string why_not(std::string_view name, const LaunchProfile& launch, const char* on) {
  const MetricValue result = value_of(name, launch, device(on));
  EXPECT_FALSE(result.value) << name;
  return result.why_not;
}

TEST(CounterNames, EachProcessorHasAsManyAsAmdNames) {
  std::size_t gfx90a = 0;
  std::size_t gfx942 = 0;
  std::set<std::string_view> names;
  for (const CounterName& counter : counter_names()) {
    gfx90a += isa::kGfx90a.has(counter.lifetime);
    gfx942 += isa::kGfx942.has(counter.lifetime);
    EXPECT_TRUE(names.insert(counter.name).second) << counter.name;
  }
  EXPECT_EQ(gfx90a, 238u + 23u);
  EXPECT_EQ(gfx942, 238u + 27u);
}

TEST(CounterNames, TheFabricPortHasAnotherNameOnEachProcessor) {
  EXPECT_TRUE(counts(isa::kGfx90a, "TCC_EA_RDREQ"));
  EXPECT_FALSE(counts(isa::kGfx942, "TCC_EA_RDREQ"));
  EXPECT_TRUE(counts(isa::kGfx942, "TCC_EA0_RDREQ"));
  EXPECT_FALSE(counts(isa::kGfx90a, "TCC_EA0_RDREQ"));
  EXPECT_EQ(find_counter("SQC_DCACHE_REQ")->block, Block::kSq);
  EXPECT_EQ(find_counter("SQ_NOTHING"), nullptr);
}

TEST(Metrics, TheVectorCopyOfAmdsSampleGivesItsFigures) {
  const LaunchProfile copy = vector_copy();
  EXPECT_DOUBLE_EQ(value("Wavefronts", copy, "mi210"), 16384);
  EXPECT_DOUBLE_EQ(value("VALUInsts", copy, "mi210"), 10);
  EXPECT_DOUBLE_EQ(value("SALUInsts", copy, "mi210"), 3);
  EXPECT_DOUBLE_EQ(value("SFetchInsts", copy, "mi210"), 4);
  EXPECT_DOUBLE_EQ(value("FETCH_SIZE", copy, "mi210"), 131083 * 64.0 / 1024);
  EXPECT_DOUBLE_EQ(value("WRITE_SIZE", copy, "mi210"), 8192);
  EXPECT_DOUBLE_EQ(value("VALUUtilization", copy, "mi210"), 100);
  EXPECT_DOUBLE_EQ(value("VALUBusy", copy, "mi210"), 100 * 163840.0 / 104 / 28900);
  EXPECT_DOUBLE_EQ(value("GPUBusy", copy, "mi210"), 85);
  EXPECT_DOUBLE_EQ(value("vL1dBufCoalesceRate", copy, "mi210"), 25);
  EXPECT_DOUBLE_EQ(value("L2CacheHit", copy, "mi210"), 100 * 69632.0 / 200704);
  EXPECT_DOUBLE_EQ(value("WaveDuration", copy, "mi210"), 4 * 17610448.0 / 16384);
}

TEST(Metrics, ReadsOf128BytesCountOnceOnGfx942) {
  const LaunchProfile launch = with({{"TCC_BUBBLE", {65536, 0, 128}},
                                     {"TCC_EA0_RDREQ", {65778, 0, 128}},
                                     {"TCC_EA0_RDREQ_32B", {2, 0, 128}}});
  EXPECT_DOUBLE_EQ(value("FETCH_SIZE", launch, "mi300x"),
                   (128.0 * 65536 + 64 * 240 + 32 * 2) / 1024);
}

TEST(Metrics, ReductionsAreOverInstances) {
  const LaunchProfile launch =
      with({{"TA_TA_BUSY", {1000, 40, 104}}, {"GRBM_GUI_ACTIVE", {640, 80, 8}}});
  EXPECT_DOUBLE_EQ(value("TA_TA_BUSY", launch, "mi300x"), 1000);
  EXPECT_DOUBLE_EQ(value("TA_TA_BUSY_sum", launch, "mi300x"), 1000);
  EXPECT_DOUBLE_EQ(value("TA_TA_BUSY_max", launch, "mi300x"), 40);
  EXPECT_DOUBLE_EQ(value("TA_TA_BUSY_avr", launch, "mi300x"), 1000 / 104.0);
  EXPECT_DOUBLE_EQ(value("MemUnitBusy", launch, "mi300x"), 50);
}

TEST(Metrics, LdsConflictsOfAmdsMeasurement) {
  // 32768 loads whose lanes all hit one bank: 2 + 31 cycles each.
  const LaunchProfile launch =
      with({{"SQ_LDS_IDX_ACTIVE", {1081344, 0, 32}}, {"SQ_LDS_BANK_CONFLICT", {1015808, 0, 32}}});
  EXPECT_DOUBLE_EQ(value("LdsBankConflict", launch, "mi300x"), 15.5);
}

TEST(Metrics, ACounterThatWasNotCountedGivesNoValueRatherThanZero) {
  const LaunchProfile launch = with({{"SQ_INSTS_VALU", {7, 7, 1}}});
  EXPECT_EQ(why_not("VALUInsts", launch, "mi210"), "SQ_WAVES is not counted");
  EXPECT_EQ(why_not("SQ_WAVES", launch, "mi210"), "SQ_WAVES is not counted");
  EXPECT_EQ(why_not("TCC_EA0_RDREQ", launch, "mi210"), "gfx90a has no TCC_EA0_RDREQ");
  EXPECT_EQ(why_not("FlatLDSInsts", launch, "mi300x"), "gfx942 has no SQ_INSTS_FLAT_LDS_ONLY");
}

TEST(Metrics, ADivisionByZeroNamesTheDivisor) {
  const LaunchProfile launch = with({{"SQ_INSTS_VALU", {7, 7, 1}}, {"SQ_WAVES", {0, 0, 8}}});
  EXPECT_EQ(why_not("VALUInsts", launch, "mi210"), "divides by sum(SQ_WAVES), which is 0");
}

TEST(Metrics, EveryMetricHasAFormulaOverCountersThatExist) {
  for (const Metric& metric : metrics()) {
    for (const isa::Target& target : isa::targets()) {
      const auto counters = counters_of(metric.name, target);
      ASSERT_TRUE(counters) << metric.name;
      EXPECT_FALSE(counters->empty()) << metric.name;
      LaunchProfile launch;
      for (const std::string& name : *counters) {
        EXPECT_NE(find_counter(name), nullptr) << metric.name << " needs " << name;
        launch.counters[name] = {3, 2, 4};
      }
      const char* name = target == isa::kGfx90a ? "mi210" : "mi300a";
      const MetricValue result = value_of(metric.name, launch, device(name));
      EXPECT_TRUE(result.value || result.why_not.find("divides by") == 0)
          << metric.name << ": " << result.why_not;
    }
  }
}

TEST(Metrics, TheCountersOfAMetricOfMetricsAreFound) {
  EXPECT_THAT(*counters_of("BANDWIDTH_EA", isa::kGfx90a),
              ElementsAre("TCC_EA_RDREQ_32B", "TCC_EA_RDREQ", "TCC_EA_WRREQ_64B", "TCC_EA_WRREQ",
                          "GRBM_GUI_ACTIVE"));
  EXPECT_THAT(*counters_of("TCC_HIT_sum", isa::kGfx942), ElementsAre("TCC_HIT"));
  EXPECT_THAT(counters_of("VALUbusy", isa::kGfx942).error().message, HasSubstr("no counter"));
}

TEST(Expression, BindsProductsBeforeSums) {
  const Lookup two = [](std::string_view, std::string_view) { return MetricValue{2.0, {}}; };
  EXPECT_DOUBLE_EQ(*evaluate("1 + 2*3 - 4/2", two).value, 5);
  EXPECT_DOUBLE_EQ(*evaluate("(1+2)*x/sum(y)", two).value, 3);
  for (const char* wrong : {"", "1+", "(1", "1)", "sum(", "sum(1+1)", "*2", "1 2"}) {
    EXPECT_FALSE(evaluate(wrong, two).value) << wrong;
  }
  EXPECT_FALSE(evaluate(std::string(100'000, '('), two).value);
}

}  // namespace
}  // namespace wavetank::profile
