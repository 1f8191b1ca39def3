// Peaks and ridge points against the published ones.
#include "target/peaks.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "target/load_device.hpp"

namespace wavetank::target {
namespace {

double tera(const Device& device, std::string_view key) {
  for (const PeakRate& rate : peak_rates(device)) {
    if (rate.key == key) return rate.flop_per_second * 1e-12;
  }
  for (const PeakBandwidth& level : peak_bandwidths(device)) {
    if (level.key == key) return level.bytes_per_second * 1e-12;
  }
  return 0;
}

TEST(Peaks, AreThoseOfTheDataSheets) {
  const Device mi250x = load_device("mi250x").value();
  EXPECT_NEAR(tera(mi250x, "vector_f64"), 23.9, 0.05);
  EXPECT_NEAR(tera(mi250x, "matrix_f16"), 191.5, 0.05);
  EXPECT_NEAR(tera(mi250x, "lds"), 23.9, 0.05);
  const Device mi300x = load_device("mi300x").value();
  EXPECT_NEAR(tera(mi300x, "matrix_f8"), 2614.9, 0.05);
  EXPECT_NEAR(tera(mi300x, "mall"), 17.2, 0.05);
  EXPECT_NEAR(tera(mi300x, "l2"), 34.4, 0.05);
}

TEST(Peaks, ADeviceHasOnlyTheLevelsAndRatesOfItsDescription) {
  const Device mi210 = load_device("mi210").value();
  EXPECT_EQ(tera(mi210, "mall"), 0);
  EXPECT_EQ(tera(mi210, "matrix_f8"), 0);
  EXPECT_EQ(peak_bandwidths(mi210).front().key, "hbm");
  EXPECT_EQ(peak_bandwidths(mi210).back().key, "lds");
}

TEST(Peaks, TheRidgeIsPeakOverBandwidth) {
  const Device mi250x = load_device("mi250x").value();
  for (const PeakRate& rate : peak_rates(mi250x)) {
    if (rate.key != "matrix_f16") continue;
    EXPECT_NEAR(ridge_point(rate, peak_bandwidths(mi250x).front()), 117, 0.5);
  }
}

TEST(Peaks, AResultIsAsGoodAsItsWorstNumber) {
  EXPECT_EQ(weaker(Evidence::kMeasured, Evidence::kAssumed), Evidence::kAssumed);
  EXPECT_EQ(weaker(Evidence::kDerived, Evidence::kPublic), Evidence::kDerived);
  EXPECT_EQ(weaker(Evidence::kPublic, Evidence::kPublic), Evidence::kPublic);
}

}  // namespace
}  // namespace wavetank::target
