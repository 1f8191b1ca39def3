#include "cli/check/reports.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/output/sarif.hpp"
#include "unit/cli/checked_run.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json sarif_of(const CheckedRun& run, const fs::path& root = "/src") {
  SourceText sources;
  return json::parse(check_sarif(run, root, sources));
}

TEST(CheckSarif, HasWhatTheStandardRequires) {
  const json log = sarif_of(two_findings());
  EXPECT_EQ(log.at("version"), "2.1.0");
  ASSERT_EQ(log.at("runs").size(), 1u);
  const json& run = log["runs"][0];
  EXPECT_EQ(run.at("tool").at("driver").at("name"), "wavetank check");
  EXPECT_EQ(run.at("originalUriBaseIds").at("SRCROOT").at("uri"), "file:///src/");
  ASSERT_EQ(run.at("results").size(), 2u);
  for (const json& result : run["results"]) {
    EXPECT_TRUE(result.at("message").at("text").is_string());
    const json& rule = run["tool"]["driver"]["rules"].at(result.at("ruleIndex").get<std::size_t>());
    EXPECT_EQ(rule.at("id"), result.at("ruleId"));
    EXPECT_FALSE(rule.at("shortDescription").at("text").get<std::string>().empty());
    EXPECT_GT(rule.at("help").at("text").get<std::string>().size(), 100u) << "the explain page";
  }
}

TEST(CheckSarif, NamesBothLinesBelowTheRoot) {
  const json result = sarif_of(two_findings())["runs"][0]["results"][0];
  const json& place = result.at("locations")[0].at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "app/race.hip");
  EXPECT_EQ(place.at("artifactLocation").at("uriBaseId"), "SRCROOT");
  EXPECT_EQ(place.at("region").at("startLine"), 12);
  EXPECT_EQ(place.at("region").at("startColumn"), 38);
  const json& related = result.at("relatedLocations")[0];
  EXPECT_EQ(related.at("physicalLocation").at("region").at("startLine"), 17);
  EXPECT_FALSE(related["physicalLocation"]["region"].contains("startColumn")) << "not known";
  const std::string link = "[race.hip:17](" + std::to_string(related.at("id").get<int>()) + ")";
  EXPECT_NE(result["message"]["text"].get<std::string>().find(link), std::string::npos);
  EXPECT_EQ(result.at("level"), "error");
}

TEST(CheckSarif, AFileBesideTheRootIsToldWhole) {
  const json result = sarif_of(two_findings(), "/src/other dir")["runs"][0]["results"][0];
  const json& file = result["locations"][0]["physicalLocation"]["artifactLocation"];
  EXPECT_EQ(file.at("uri"), "file:///src/app/race.hip");
  EXPECT_FALSE(file.contains("uriBaseId"));
}

TEST(CheckSarif, WithoutSourceTheProgramIsThePlace) {
  const json result = sarif_of(two_findings(), fs::current_path())["runs"][0]["results"][1];
  const json& place = result.at("locations")[0].at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "app");
  EXPECT_EQ(place.at("region").at("startLine"), 1);
  EXPECT_EQ(result.at("level"), "note");
}

TEST(CheckSarif, LeavesOutWhatIsSuppressed) {
  CheckedRun run = two_findings();
  run.findings[0].suppressed = Suppression{"race.hip:12", ""};
  const json log = sarif_of(run);
  ASSERT_EQ(log["runs"][0]["results"].size(), 1u);
  EXPECT_EQ(log["runs"][0]["results"][0]["ruleId"], "E0314");
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["rules"].size(), 1u);
}

TEST(CheckSarif, AFingerprintKnowsAFindingWhoseLineMoved) {
  SourceText sources;
  CheckedRun run = two_findings();
  const auto before = fingerprints(run, sources);
  const std::string path = ::testing::TempDir() + "check_reports_test.hip";
  std::ofstream(path) << "put();\n\nput();\ntake();\n";
  run.findings[0].diagnosis.spots[0].source = {path, 1};
  const auto first = fingerprints(run, sources);
  run.findings[0].diagnosis.spots[0].source = {path, 3};
  EXPECT_EQ(fingerprints(run, sources), first);
  run.findings[0].diagnosis.spots[0].source = {path, 4};
  EXPECT_NE(fingerprints(run, sources)[0], first[0]);
  EXPECT_NE(first[0], before[0]);
  run.findings.push_back(run.findings[0]);
  const auto twice = fingerprints(run, sources);
  EXPECT_NE(twice[0], twice[2]) << "each finding has its own";
  fs::remove(path);
}

TEST(CheckSarif, TheRootIsTheRepositoryUpwards) {
  const fs::path folder = ::testing::TempDir() + "check_root";
  fs::create_directories(folder / ".git");
  fs::create_directories(folder / "build/deep");
  EXPECT_EQ(source_root(folder / "build/deep"), folder);
  fs::remove_all(folder);
}

TEST(CheckJson, TellsEverythingThatIsKnown) {
  CheckedRun run = two_findings();
  run.findings[1].suppressed = Suppression{".wavetank-check:3", "they are gone"};
  SourceText sources;
  const json all = json::parse(check_json(run, sources));
  EXPECT_EQ(all.at("program"), (json{"./app", "1000"}));
  EXPECT_EQ(all.at("errors"), 1);
  EXPECT_EQ(all.at("notes"), 0);
  EXPECT_EQ(all.at("suppressed"), 1);
  EXPECT_EQ(all.at("launches").at("right(int*)"), 4);
  const json& race = all.at("findings")[0];
  EXPECT_EQ(race.at("code"), "E0310");
  EXPECT_EQ(race.at("count"), 768);
  EXPECT_TRUE(race.at("suppressed").is_null());
  EXPECT_EQ(race.at("spots")[0].at("file"), "/src/app/race.hip");
  EXPECT_EQ(race.at("spots")[0].at("line"), 12);
  EXPECT_EQ(race.at("spots")[0].at("function"), "put<int>(int*)");
  EXPECT_TRUE(race.at("spots")[1].at("column").is_null());
  EXPECT_EQ(all.at("findings")[1].at("suppressed").at("reason"), "they are gone");
}

TEST(CheckJunit, AKernelWithAnErrorFailsAndOthersPass) {
  SourceText sources;
  const std::string xml = check_junit(two_findings(), sources);
  EXPECT_NE(xml.find("<testsuite name=\"./app\" tests=\"4\" failures=\"1\" errors=\"0\">"),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("name=\"void transpose&lt;int&gt;(int const*, int*)\" "
                     "file=\"/src/app/race.hip\" line=\"12\">"),
            std::string::npos);
  EXPECT_NE(xml.find("<failure type=\"E0310\" message=\"data race on LDS, 4 bytes at byte 16\">"),
            std::string::npos);
  EXPECT_NE(xml.find("name=\"sum &amp; &lt;co&gt;\">\n      <system-out>note[E0314]"),
            std::string::npos)
      << "a note fails nothing";
  EXPECT_NE(xml.find("name=\"right(int*)\">\n    </testcase>"), std::string::npos);
}

TEST(CheckJunit, AProgramThatBrokeOffIsAnErrorOfItsOwn) {
  CheckedRun run = two_findings();
  run.findings.clear();
  run.ended = false;
  run.exit_status = 134;
  SourceText sources;
  const std::string xml = check_junit(run, sources);
  EXPECT_NE(xml.find("failures=\"0\" errors=\"1\""), std::string::npos);
  EXPECT_NE(xml.find("<error message=\"it broke off with status 134\"/>"), std::string::npos);
}

}  // namespace
}  // namespace wavetank::cli
