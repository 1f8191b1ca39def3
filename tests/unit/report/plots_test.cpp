#include "report/plots.hpp"

#include <gmock/gmock.h>

#include "report/xml_text.hpp"
#include "target/load_device.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::report {
namespace {

using testing::HasSubstr;
using testing::Not;

class PlotsTest : public testing::Test {
 protected:
  PlotsTest() {
    launches_ = {profile::vector_copy(), profile::transpose_read_contiguous()};
    launches_[0].operations.f64 = 1e6;
    for (const auto& launch : launches_) verdicts_.push_back(profile::judge(launch, device_));
  }

  std::vector<PlottedKernel> kernels() const {
    return {{launches_[0], verdicts_[0]}, {launches_[1], verdicts_[1]}};
  }

  /// Every element that opens is closed, in order; attributes hold no bare angle brackets.
  static void expect_well_formed(const std::string& svg) {
    std::vector<std::string> open;
    for (std::size_t at = 0; (at = svg.find('<', at)) != std::string::npos;) {
      const std::size_t end = svg.find('>', at);
      ASSERT_NE(end, std::string::npos);
      const std::string tag = svg.substr(at + 1, end - at - 1);
      if (tag[0] == '/') {
        ASSERT_FALSE(open.empty());
        EXPECT_EQ(open.back(), tag.substr(1));
        open.pop_back();
      } else if (tag.back() != '/') {
        open.push_back(tag.substr(0, tag.find(' ')));
      }
      at = end;
    }
    EXPECT_TRUE(open.empty());
  }

  target::Device device_ = *target::load_device("mi210");
  std::vector<profile::LaunchProfile> launches_;
  std::vector<profile::Verdict> verdicts_;
};

TEST_F(PlotsTest, EveryPictureIsWellFormedAndSaysWhatItShows) {
  for (const std::string& svg : {roofline_svg(device_, kernels()), stall_stack_svg(kernels()),
                                 occupancy_svg(device_, kernels()[0])}) {
    expect_well_formed(svg);
    EXPECT_THAT(svg, HasSubstr("role=\"img\""));
    EXPECT_THAT(svg, HasSubstr("<desc id=\"desc\">"));
  }
}

TEST_F(PlotsTest, TheRooflineNamesAllCeilingsWithNumbers) {
  const std::string svg = roofline_svg(device_, kernels());
  for (const char* text : {"HBM 1.64 TB/s", "L2 6.96 TB/s", "LDS 22.6 TB/s", "22.6 TFLOP/s",
                           "FP64 vector, FP32 vector", "181 TFLOP/s", "bandwidth bound"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
  EXPECT_THAT(svg, HasSubstr("transpose  no floating point"));
}

TEST_F(PlotsTest, TheStallStackSaysItsSharesInWords) {
  EXPECT_THAT(stall_stack_svg(kernels()),
              HasSubstr("vcopy: waiting for vector memory 75 %, no wave in the slot 19 %."));
}

TEST_F(PlotsTest, TheStaircaseStepsWhereOneRegisterMoreCostsAWave) {
  const std::string svg = occupancy_svg(device_, kernels()[0]);
  EXPECT_THAT(svg, HasSubstr("up to 64 registers: 32 waves"));
  EXPECT_THAT(svg, HasSubstr("up to 72 registers: 28 waves"));
  EXPECT_THAT(svg, HasSubstr("up to 128 registers: 16 waves"));
  EXPECT_THAT(svg, HasSubstr("achieved 26.1"));
}

TEST_F(PlotsTest, NamesFromCodeAreEscaped) {
  launches_[0].kernel_name = "a&b\"\x01\"";
  EXPECT_THAT(stall_stack_svg(kernels()), HasSubstr("a&amp;b&quot;&quot;"));
  EXPECT_THAT(stall_stack_svg(kernels()), Not(HasSubstr("\x01")));
  EXPECT_EQ(escaped("<x>"), "&lt;x&gt;");
}

}  // namespace
}  // namespace wavetank::report
