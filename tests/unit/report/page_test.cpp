#include "report/page.hpp"

#include <gmock/gmock.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "isa/catalogue.hpp"
#include "profile/change.hpp"
#include "report/page_part.hpp"
#include "target/load_device.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kShell = "<html><body><div id=\"page\"></div></body></html>";

std::string bytes_of(std::string_view base64_text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  unsigned count = 0;
  for (const char c : base64_text.substr(0, base64_text.find('='))) {
    bits = bits << 6 | static_cast<unsigned>(kDigits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  return bytes;
}

/// What a browser finds in a part of the page.
nlohmann::json part_of(const std::string& html, const std::string& id) {
  const std::string begin = "id=\"part-" + id + "\">";
  const std::size_t from = html.find(begin) + begin.size();
  const std::string bytes = bytes_of(html.substr(from, html.find('<', from) - from));
  std::string text(1 << 22, '\0');
  uLongf size = text.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()),
            Z_OK)
      << id;
  text.resize(size);
  return nlohmann::json::parse(text);
}

class PageTest : public testing::Test {
 protected:
  PageTest() {
    file_.header.command = {"./copy"};
    file_.launches = {profile::vector_copy(), profile::transpose_read_contiguous()};
    devices_.emplace("mi210", *target::load_device("mi210"));
    kernel_groups_ = group_launches(file_.launches);
    for (const KernelGroup& group : kernel_groups_) {
      verdicts_.push_back(profile::judge(file_.launches[group.shown], devices_.at("mi210")));
    }
    for (std::size_t g = 0; g < kernel_groups_.size(); ++g) {
      groups_.push_back({kernel_groups_[g], verdicts_[g], devices_.at("mi210")});
    }
  }

  PageRun run() const { return {"copy.wt", file_, devices_, groups_}; }

  std::string page(std::size_t runs = 1) const {
    PageContent content;
    while (content.runs.size() < runs) content.runs.push_back(run());
    content.sources["/src/kernel.hip"] = "__global__ void f();\n</script>\n";
    return *page_html(kShell, content);
  }

  profile::ProfileFile file_;
  std::map<std::string, target::Device> devices_;
  std::vector<KernelGroup> kernel_groups_;
  std::vector<profile::Verdict> verdicts_;
  std::vector<JudgedGroup> groups_;
};

TEST(PagePartTest, Base64IsThatOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST_F(PageTest, HoldsTheReportsJsonAndKeepsCountersForTheKernelsOwnPart) {
  const std::string html = page();
  const auto shown = part_of(html, "page");
  auto kernel = shown["runs"][0]["kernels"][0];
  const auto detail = part_of(html, "kernel-0-0");
  EXPECT_EQ(kernel["name"], "vcopy");
  kernel.erase("name");
  kernel["counters"] = detail["counters"];
  kernel["metrics"] = detail["metrics"];
  EXPECT_EQ(kernel, nlohmann::json::parse(report_json(file_, groups_))["kernels"][0]);
}

TEST_F(PageTest, GivesEachInstructionItsCyclesByReason) {
  const auto instructions = part_of(page(), "kernel-0-0")["instructions"];
  const auto& all = file_.launches[kernel_groups_[0].shown].instructions;
  ASSERT_EQ(instructions.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::uint64_t sum = 0;
    for (const auto& [reason, cycles] : instructions[i]["cycles"].items()) {
      sum += cycles.get<std::uint64_t>();
    }
    EXPECT_EQ(sum, profile::total_cycles(all[i].cycles));
    EXPECT_EQ(instructions[i]["text"], all[i].text);
  }
}

TEST_F(PageTest, SaysWhatALaunchWouldTakeOtherwise) {
  EXPECT_FALSE(part_of(page(), "page")["runs"][0]["kernels"][0].contains("what_if"));
  profile::LaunchProfile& launch = file_.launches[0];
  launch.what_if = {{"lds.conflicts=off", launch.cycles / 2, ""},
                    {"coalescing=perfect", 0, "it did not end"}};
  const auto answers = part_of(page(), "page")["runs"][0]["kernels"][0]["what_if"];
  EXPECT_EQ(answers[0]["gain"], 50);
  EXPECT_EQ(answers[0]["label"], profile::in_words("lds.conflicts=off"));
  EXPECT_EQ(answers[1]["problem"], "it did not end");
  EXPECT_FALSE(answers[1].contains("gain")) << "what is not known has no number";
  launch.not_repeatable = "it calls the host";
  EXPECT_EQ(part_of(page(), "page")["runs"][0]["kernels"][0]["not_repeatable"],
            "it calls the host");
}

TEST_F(PageTest, HasNoTraceUnlessALaunchWasTraced) {
  EXPECT_TRUE(part_of(page(), "kernel-0-0")["trace"].is_null());
  profile::LaunchProfile& launch = file_.launches[0];
  launch.trace.waves.push_back({.simd = 2, .begin_cycle = 10, .end_cycle = 90});
  launch.trace.issues.push_back({.wave = 0, .instruction = 1, .issue_cycle = 20});
  const auto trace = part_of(page(), "kernel-0-0")["trace"];
  EXPECT_EQ(trace["waves"][0]["simd"], 2);
  EXPECT_EQ(trace["issues"]["instruction"], nlohmann::json::array({1}));
}

TEST_F(PageTest, SaysWhenEachLaunchRan) {
  file_.launches[0].repeats = {.count = 3, .dispatch_step = 1, .first_ns = 0, .step_ns = 100};
  const auto launches = part_of(page(), "page")["runs"][0]["launches"];
  EXPECT_EQ(launches["kernel"], nlohmann::json::array({0, 0, 0, 1}));
  EXPECT_EQ(launches["begin_ns"][2], 200);
  EXPECT_EQ(launches["left_out"], 0);
}

TEST_F(PageTest, SaysWhenWhichCopyRan) {
  file_.transfers = {{profile::Transfer::Kind::kFill, 2, 4096, 100, 350}};
  file_.transfers_left_out = 5;
  const auto transfers = part_of(page(), "page")["runs"][0]["transfers"];
  EXPECT_EQ(transfers["kind"], nlohmann::json::array({4}));
  EXPECT_EQ(transfers["queue"], nlohmann::json::array({2}));
  EXPECT_EQ(transfers["bytes"], nlohmann::json::array({4096}));
  EXPECT_EQ(transfers["length_ns"], nlohmann::json::array({250}));
  EXPECT_EQ(transfers["left_out"], 5);
}

TEST_F(PageTest, SaysWhichUnitHadWhichWorkgroup) {
  EXPECT_TRUE(part_of(page(), "kernel-0-0")["stays"].is_null());
  file_.launches[0].stays.kept = {{3, 7, 100, 900}, {103, 5, 130, 950}};
  const auto stays = part_of(page(), "kernel-0-0")["stays"];
  EXPECT_EQ(stays["cu"], nlohmann::json::array({3, 103}));
  EXPECT_EQ(stays["workgroup"], nlohmann::json::array({7, -2})) << "differences";
  EXPECT_EQ(stays["begin"], nlohmann::json::array({100, 30}));
  EXPECT_EQ(stays["length"], nlohmann::json::array({800, 820}));
}

TEST_F(PageTest, TheKernelsThatTakeLongestKeepTheirWorkgroups) {
  for (profile::LaunchProfile& launch : file_.launches) {
    launch.stays.kept.resize(kMostPageStays / 2 + 1);
  }
  const std::string html = page();
  const std::size_t longer = kernel_groups_[0].mean_cycles > kernel_groups_[1].mean_cycles ? 0 : 1;
  const auto detail = [&](std::size_t kernel) {
    return part_of(html, "kernel-0-" + std::to_string(kernel));
  };
  EXPECT_FALSE(detail(longer)["stays"].is_null());
  EXPECT_TRUE(detail(1 - longer)["stays"].is_null());
  EXPECT_EQ(detail(1 - longer)["stays_left_out"], kMostPageStays / 2 + 1);
}

TEST_F(PageTest, AddsUpWhatAccessesAskForByArray) {
  profile::LaunchProfile& launch = file_.launches[0];
  for (profile::InstructionProfile& i : launch.instructions) {
    if (i.text.starts_with("global_")) i.array = "in";
  }
  profile::InstructionProfile tile;
  tile.row = isa::find_row("ds_write_b64");
  tile.access = "tile[y][x]";
  tile.hits = 10;
  tile.active_lanes = 640;
  launch.instructions.push_back(tile);
  launch.arrays = {{"in", 8192, 1, 2, 3, 4}, {"unused", 16, 0, 0, 0, 0}};
  const auto arrays = part_of(page(), "kernel-0-0")["arrays"];
  const auto of = [&](const std::string& name) {
    return *std::ranges::find_if(arrays, [&](const auto& one) { return one["name"] == name; });
  };
  EXPECT_EQ(of("in")["loaded"], 8 * 1048576);
  EXPECT_EQ(of("in")["stored"], 8 * 1048576);
  EXPECT_EQ(of("in")["moved"]["hbm_written"], 4);
  EXPECT_EQ(of("unused")["instructions"], 0);
  EXPECT_EQ(of("tile")["place"], "lds");
  EXPECT_EQ(of("tile")["stored"], 8 * 640);
  EXPECT_FALSE(of("tile").contains("moved"));
}

TEST_F(PageTest, ListsEveryNumberOfTheDeviceWithItsSource) {
  const auto numbers = part_of(page(), "devices")["mi210"]["numbers"];
  ASSERT_GT(numbers.size(), 50u);
  for (const auto& number : numbers) {
    EXPECT_NE(number["source"], "") << number;
    EXPECT_FALSE(number["name"].get<std::string>().starts_with("quoted.")) << number;
  }
}

TEST_F(PageTest, ComparesTwoRunsByReason) {
  EXPECT_FALSE(part_of(page(1), "page").contains("pairs"));
  const auto pairs = part_of(page(2), "page")["pairs"];
  ASSERT_EQ(pairs.size(), 2u);
  for (const auto& change : pairs[0]["reasons"]) EXPECT_EQ(change["before"], change["after"]);
  EXPECT_TRUE(pairs[0]["metrics"].empty());
}

TEST_F(PageTest, NoTextOfTheDataEndsTheScript) {
  const std::string html = page();
  EXPECT_THAT(html, Not(HasSubstr("__global__")));
  EXPECT_EQ(part_of(html, "sources")["/src/kernel.hip"], "__global__ void f();\n</script>\n");
}

TEST_F(PageTest, NamesTheSourceFilesOfItsInstructions) {
  EXPECT_THAT(files_of({run()}), ElementsAre("/src/kernel.hip"));
}

TEST_F(PageTest, AShellWithoutABodyIsAnError) {
  const Result<std::string> html = page_html("<html></html>", {"0.1.0", {run()}, {}, {}});
  ASSERT_FALSE(html);
  EXPECT_EQ(html.error().code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace wavetank::report
