#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "check/diagnosis.hpp"

namespace wavetank::check {
namespace {

class AFile : public ::testing::Test {
 protected:
  AFile() { std::filesystem::remove(path_); }
  ~AFile() override { std::filesystem::remove(path_); }
  std::string path_ = ::testing::TempDir() + "check_file_test.jsonl";
};

Diagnosis race() {
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::kDataRace;
  diagnosis.message = "data race on LDS, 4 bytes at byte 16";
  diagnosis.spots = {{{"/src/race.hip", 12, 5, "put(int*)"},
                      "kernel \"k\" + 0x8",
                      "ds_write_b32 v2, v0",
                      "written"},
                     {{"/src/race.hip", 17}, "", "", "read"}};
  diagnosis.kernel = "transpose";
  diagnosis.count = 240;
  return diagnosis;
}

TEST_F(AFile, WhatIsAppendedIsRead) {
  ASSERT_TRUE(append_to_file(path_, race()));
  ASSERT_TRUE(append_end(path_, {{{"transpose", 3}}, {"/src/race.hip"}}, {240}));
  const auto file = read_check_file(path_);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->ended);
  EXPECT_EQ(file->checked.launches.at("transpose"), 3u);
  EXPECT_EQ(file->checked.sources, std::set<std::string>{"/src/race.hip"});
  ASSERT_EQ(file->diagnoses.size(), 1u);
  EXPECT_EQ(file->diagnoses[0].message, race().message);
  ASSERT_EQ(file->diagnoses[0].spots.size(), 2u);
  EXPECT_EQ(file->diagnoses[0].spots[0].source, race().spots[0].source);
  EXPECT_EQ(file->diagnoses[0].spots[0].code, "ds_write_b32 v2, v0");
  EXPECT_EQ(file->diagnoses[0].spots[1].place(), "race.hip:17");
  EXPECT_EQ(file->diagnoses[0].count, 240u);
}

TEST_F(AFile, AProgramThatDidNotEndLeavesWhatWasFoundBefore) {
  ASSERT_TRUE(append_to_file(path_, race()));
  std::ofstream(path_, std::ios::app) << "{\"level\": 0, \"co";
  const auto file = read_check_file(path_);
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->ended);
  EXPECT_EQ(file->diagnoses.size(), 1u);
}

TEST_F(AFile, ALineThatIsNoFindingIsNamed) {
  std::ofstream(path_) << "{\"process\": 1, \"level\": 9}\n{}\n";
  const auto file = read_check_file(path_);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kFileUnreadable);
  EXPECT_TRUE(file.error().where.starts_with("line 1")) << file.error().where;
}

TEST_F(AFile, CountsAreThoseOfTheirProcess) {
  std::ofstream(path_)
      << R"({"process": 7, "level": 0, "code": 310, "message": "mine",)"
      << R"( "kernel": "k", "symbol": "k", "in_one_group": false, "note": "", "count": 1,)"
      << R"( "remedy": {"first": "", "second": "", "words": ""}, "spots": []})" << '\n';
  ASSERT_TRUE(append_to_file(path_, race()));
  ASSERT_TRUE(append_end(path_, {{{"transpose", 3}}, {}}, {500}));
  const auto file = read_check_file(path_);
  ASSERT_TRUE(file);
  ASSERT_EQ(file->diagnoses.size(), 2u);
  EXPECT_EQ(file->diagnoses[0].count, 1u);
  EXPECT_EQ(file->diagnoses[1].count, 500u);
}

TEST_F(AFile, AChangeStandsBeforeWhatIsFound) {
  EXPECT_TRUE(read_change(path_)->empty()) << "no file yet";
  const Change change = {{{EdgeKind::kFence, 8, "_Z1kv"}}, {{"app + 0x10", "app + 0x20"}}};
  ASSERT_TRUE(write_change(path_, change));
  ASSERT_TRUE(append_to_file(path_, race()));
  EXPECT_EQ(*read_change(path_), change);
  EXPECT_EQ(read_check_file(path_)->diagnoses.size(), 1u);
}

TEST_F(AFile, WhereEdgesMayStandIsRead) {
  Diagnosis diagnosis = race();
  diagnosis.kernel_symbol = "_Z9transposePKiPi";
  diagnosis.in_one_group = true;
  diagnosis.spots[0].access = AccessKind::kWrite;
  diagnosis.spots[0].before = {8};
  diagnosis.spots[0].after = {16, 40};
  ASSERT_TRUE(append_to_file(path_, diagnosis));
  const Diagnosis read = read_check_file(path_)->diagnoses.at(0);
  EXPECT_EQ(read.kernel_symbol, diagnosis.kernel_symbol);
  EXPECT_TRUE(read.in_one_group);
  EXPECT_EQ(read.spots[0].access, AccessKind::kWrite);
  EXPECT_EQ(read.spots[0].before, diagnosis.spots[0].before);
  EXPECT_EQ(read.spots[0].after, diagnosis.spots[0].after);
}

TEST_F(AFile, NoFileHoldsNothing) {
  const auto file = read_check_file(path_);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->diagnoses.empty());
}

}  // namespace
}  // namespace wavetank::check
