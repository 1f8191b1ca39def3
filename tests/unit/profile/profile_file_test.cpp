#include "profile/profile_file.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "profile/launch_repeats.hpp"
#include "profile/profile_text.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::profile {
namespace {

using testing::HasSubstr;

class ProfileFileTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "/profile_" + std::to_string(getpid()) + ".wt";
    std::filesystem::remove(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string path_;
};

constexpr const char* kHeader = "{\"wavetank_profile\":1,\"command\":[\"./app\"]}\n";

TEST_F(ProfileFileTest, WhatALaunchWouldTakeComesLaterAndBelongsToItsResult) {
  LaunchProfile launch = vector_copy();
  LaunchProfile repeat = without_result(launch);
  repeat.timed_before = true;
  repeat.dispatch_id += 1;
  ASSERT_TRUE(append_to_file(path_, launch));
  ASSERT_TRUE(append_to_file(path_, repeat));
  launch.dispatch_id = repeat.dispatch_id;
  launch.what_if = {{"lds.conflicts=off", 90, ""}, {"barriers=off", 0, "it went astray"}};
  ASSERT_TRUE(append_what_if(path_, launch));
  const Result<ProfileFile> file = read_profile(path_);
  ASSERT_TRUE(file) << file.error().to_text();
  ASSERT_EQ(file->launches.size(), 2u);
  ASSERT_EQ(file->launches[0].what_if.size(), 2u);
  EXPECT_EQ(file->launches[0].what_if[0].cycles, 90u);
  EXPECT_EQ(file->launches[0].what_if[1].problem, "it went astray");
  EXPECT_TRUE(file->launches[1].what_if.empty());
  launch.cycles += 1;
  ASSERT_TRUE(append_what_if(path_, launch));
  EXPECT_FALSE(read_profile(path_)) << "there is no such launch";
}

TEST_F(ProfileFileTest, ALaunchIsReadAsItWasWritten) {
  for (LaunchProfile launch : {vector_copy(), transpose_read_contiguous(), compute_bound()}) {
    launch.levels.back().channels = {32, 84, 86, 15, 52};
    launch.levels.back().rows = {16384, 1024, 41};
    launch.instructions[0].stride = {-4, 8192};
    launch.trace.waves = {{1, 2, 3, 0, 7, 41, 2, 100, 900}};
    launch.trace.issues = {{0, 1, 104, 4, 12, Reason::kWaitFetch}};
    const Result<LaunchProfile> again = from_line(to_line(launch));
    ASSERT_TRUE(again) << again.error().to_text();
    EXPECT_EQ(to_line(*again), to_line(launch));
    EXPECT_EQ(again->kernel_name, launch.kernel_name);
    EXPECT_EQ(again->grid_work_items, launch.grid_work_items);
    EXPECT_EQ(again->cycles_by_reason, launch.cycles_by_reason);
    EXPECT_EQ(again->counters.size(), launch.counters.size());
    EXPECT_EQ(again->instructions[0].row, launch.instructions[0].row);
    EXPECT_EQ(again->instructions[0].stride, (LaneStride{-4, 8192}));
    EXPECT_EQ(again->levels.back().channels.moment_percent, 86);
    EXPECT_EQ(again->levels.back().channels.crowded, 15);
    EXPECT_EQ(again->levels.back().rows.opened, 16384);
    EXPECT_EQ(again->trace.waves.at(0).workgroup, 41u);
    EXPECT_EQ(again->trace.issues.at(0).stall_reason, Reason::kWaitFetch);
  }
}

TEST_F(ProfileFileTest, ArraysAndStaysAreReadAsTheyWereWritten) {
  LaunchProfile launch = vector_copy();
  launch.arrays = {{"in", 4096, 100, 0, 50.5, 0}, {"out", 1 << 20, 0, 200, 1, 64}};
  launch.stays.kept = {{3, 41, 100, 900}, {103, 42, 100, 950}};
  launch.stays.left_out = 7;
  const Result<LaunchProfile> again = from_line(to_line(launch));
  ASSERT_TRUE(again) << again.error().to_text();
  EXPECT_EQ(to_line(*again), to_line(launch));
  EXPECT_EQ(again->arrays.at(0).hbm_read, 50.5);
  EXPECT_EQ(again->arrays.at(1).hbm_written, 64);
  EXPECT_EQ(again->stays.kept.at(1).cu, 103u);
  EXPECT_EQ(again->stays.left_out, 7u);
}

TEST_F(ProfileFileTest, CopiesAndFillsStandBesideLaunches) {
  const Transfer copy{Transfer::Kind::kFromDevice, 2, 4096, 100, 300};
  ASSERT_TRUE(append_to_file(path_, TransferLine{copy, 0}));
  ASSERT_TRUE(append_to_file(path_, vector_copy()));
  ASSERT_TRUE(append_to_file(path_, TransferLine{{Transfer::Kind::kFill, 0, 8, 400, 500}, 12}));
  const Result<ProfileFile> file = read_profile(path_);
  ASSERT_TRUE(file) << file.error().to_text();
  EXPECT_EQ(file->launches.size(), 1u);
  ASSERT_EQ(file->transfers.size(), 2u);
  EXPECT_EQ(file->transfers[0].kind, Transfer::Kind::kFromDevice);
  EXPECT_EQ(file->transfers[0].stream_id, 2u);
  EXPECT_EQ(file->transfers[0].end_ns, 300u);
  EXPECT_EQ(file->transfers_left_out, 12u);
}

TEST_F(ProfileFileTest, ATransferOfNoKnownKindIsAnError) {
  write(kHeader + std::string("{\"transfer\":[5,0,8,0,1]}\n"));
  EXPECT_FALSE(read_profile(path_));
}

TEST_F(ProfileFileTest, LaunchesAreReadInTheOrderTheyEnded) {
  ASSERT_TRUE(append_to_file(path_, vector_copy()));
  ASSERT_TRUE(append_to_file(path_, compute_bound()));
  const Result<ProfileFile> file = read_profile(path_);
  ASSERT_TRUE(file) << file.error().to_text();
  ASSERT_EQ(file->launches.size(), 2u);
  EXPECT_EQ(file->launches[0].device, "mi210");
  EXPECT_EQ(file->launches[1].device, "mi300x");
  EXPECT_EQ(file->header.process_id, static_cast<unsigned>(getpid()));
  EXPECT_THAT(file->header.command.at(0), HasSubstr("test_profile"));
  EXPECT_FALSE(file->cut_off);
}

TEST_F(ProfileFileTest, ARepeatedLaunchBorrowsTheInstructionsOfTheTimedOne) {
  LaunchProfile repeated = vector_copy();
  repeated.timed_before = true;
  LaunchProfile other = repeated;
  other.grid_work_items.x /= 2;
  for (const LaunchProfile& launch : {vector_copy(), repeated, other}) {
    ASSERT_TRUE(append_to_file(path_, launch));
  }
  const Result<ProfileFile> file = read_profile(path_);
  ASSERT_TRUE(file) << file.error().to_text();
  EXPECT_EQ(file->launches.at(1).instructions.size(), 4u);
  EXPECT_EQ(file->launches.at(2).instructions.size(), 0u) << "another grid is another launch";
}

TEST_F(ProfileFileTest, ALineOfMoreRepeatsReplacesTheOneBefore) {
  ASSERT_TRUE(append_to_file(path_, vector_copy()));
  const std::size_t timed_bytes = text().size();
  LaunchProfile repeated = vector_copy();
  repeated.timed_before = true;
  repeated.dispatch_id = 3;
  repeated.repeats = {.count = 1, .dispatch_step = 1, .step_ns = 17000, .process_id = 77};
  for (const std::uint64_t count : {1, 2, 4, 1000}) {
    repeated.repeats.count = count;
    ASSERT_TRUE(append_to_file(path_, repeated));
  }
  EXPECT_LT(text().size() - timed_bytes, 4 * 400u) << "the result is not written again";
  const Result<ProfileFile> file = read_profile(path_);
  ASSERT_TRUE(file) << file.error().to_text();
  ASSERT_EQ(file->launches.size(), 2u);
  EXPECT_EQ(file->launches[1].repeats.count, 1000u);
  EXPECT_EQ(file->launches[1].counters.size(), vector_copy().counters.size());
  EXPECT_EQ(file->launches[1].kernel_name, vector_copy().kernel_name);
  repeated.repeats.process_id = 78;
  ASSERT_TRUE(append_to_file(path_, repeated));
  EXPECT_EQ(read_profile(path_)->launches.size(), 3u) << "another process has its own";
}

TEST_F(ProfileFileTest, RepeatsThatNoRunGivesAreAnError) {
  for (const char* repeats : {"{\"count\":0}", "{\"count\":9000000000000}", "{\"step_ns\":-1}",
                              "{\"count\":1000,\"step_ns\":1e17}"}) {
    EXPECT_FALSE(from_line(std::string("{\"timed_before\":true,\"repeats\":") + repeats + "}"))
        << repeats;
  }
}

TEST_F(ProfileFileTest, ALineThatACrashCutOffIsLeftOut) {
  ASSERT_TRUE(append_to_file(path_, vector_copy()));
  const std::string whole = text();
  write(whole + whole.substr(whole.find('\n') + 1, 500));
  const Result<ProfileFile> file = read_profile(path_);
  ASSERT_TRUE(file) << file.error().to_text();
  EXPECT_EQ(file->launches.size(), 1u);
  EXPECT_TRUE(file->cut_off);
}

TEST_F(ProfileFileTest, ABrokenLineInTheMiddleIsAnErrorThatNamesIt) {
  write(std::string(kHeader) + "{}\n{\"cycles\":\n{}\n");
  const Result<ProfileFile> file = read_profile(path_);
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().where, HasSubstr(".wt:3"));
}

TEST_F(ProfileFileTest, AValueOfAWrongTypeIsAnErrorThatNamesItsKey) {
  for (const char* line :
       {"{\"cycles\":-1}", "{\"cycles\":1.5}", "{\"cycles\":18446744073709551616}",
        "{\"cycles\":\"many\"}", "{\"cycles\":null}", "{\"cycles\":[]}"}) {
    const Result<LaunchProfile> launch = from_line(line);
    ASSERT_FALSE(launch) << line;
    EXPECT_THAT(launch.error().message, HasSubstr("\"cycles\""));
  }
  EXPECT_FALSE(from_line("{\"vgprs\":4294967296}"));
  EXPECT_TRUE(from_line("{\"vgprs\":4294967295}"));
  EXPECT_FALSE(from_line("{\"grid_work_items\":[1,2]}"));
  EXPECT_FALSE(from_line("{\"counters\":{\"SQ_WAVES\":7}}"));
  EXPECT_FALSE(from_line("{\"trace\":{\"issues\":[[0,0,0,0,0,18]]}}")) << "there are 18 reasons";
  EXPECT_TRUE(from_line("{\"trace\":{\"issues\":[[0,0,0,0,0,17]]}}"));
}

TEST_F(ProfileFileTest, OtherFilesAreRefused) {
  for (const char* other : {"", "\n", "hello\n", "[]\n", "{}\n", "{\"wavetank_profile\":4}\n",
                            "{\"wavetank_profile\":\"1\"}\n"}) {
    write(other);
    EXPECT_FALSE(read_profile(path_)) << other;
  }
  write(kHeader);
  EXPECT_TRUE(read_profile(path_));
  EXPECT_FALSE(read_profile(path_ + ".missing"));
}

/// A merged profile of two launches, and their lines.
void append_merged(const std::string& path) {
  LaunchProfile sum = vector_copy();
  sum.merged.id = 9;
  sum.merged.timed = 1;
  ASSERT_TRUE(append_to_file(path, sum));
  ASSERT_TRUE(append_to_file(path, {9, {5, 1, 100, 200, 900, 0}, {}}));
  ASSERT_TRUE(append_to_file(path, {9, {6, 1, 200, 310, 990, 1}, {{0, 3}, {990, 7.5}}}));
}

TEST_F(ProfileFileTest, RepeatsOfALaunchThatWasMergedAreCounted) {
  LaunchProfile sum = vector_copy();
  sum.merged.id = 9;
  sum.merged.timed = 1;
  ASSERT_TRUE(append_to_file(path_, sum));
  ASSERT_TRUE(append_to_file(path_, {9, {5, 1, 100, 200, sum.cycles, 0}, {}}));
  LaunchProfile repeated = vector_copy();
  repeated.timed_before = true;
  repeated.dispatch_id = 6;
  repeated.repeats = {.count = 18, .dispatch_step = 2, .step_ns = 17000, .process_id = 77};
  ASSERT_TRUE(append_to_file(path_, repeated));
  const Result<ProfileFile> file = read_profile(path_);
  ASSERT_TRUE(file) << file.error().to_text();
  std::uint64_t launches = 0;
  for_each_launch(file->launches, [&](const LaunchProfile&) { ++launches; });
  EXPECT_EQ(launches, 1u + 18u);
}

TEST_F(ProfileFileTest, ALaunchThatWasMergedIntoNothingIsRefused) {
  append_merged(path_);
  ASSERT_TRUE(read_profile(path_));
  EXPECT_EQ(read_profile(path_)->launches.at(0).merged.counters.at(1).values.at(1), 7.5);
  const std::string whole = text();
  write(whole + to_line({8, {7, 1, 0, 0, 0, 0}, {}}) + "\n");
  EXPECT_THAT(read_profile(path_).error().message, HasSubstr("merged into is missing"));
  write(whole + to_line({9, {7, 1, 0, 0, 0, 2}, {}}) + "\n");
  EXPECT_TRUE(read_profile(path_)) << "the next counters";
  write(whole + to_line({9, {7, 1, 0, 0, 0, 3}, {}}) + "\n");
  EXPECT_THAT(read_profile(path_).error().message, HasSubstr("counters of a later one"));
  write(whole + to_line({9, {7, 1, 0, 0, 0, 2}, {{1, 2}, {5}}}) + "\n");
  EXPECT_THAT(read_profile(path_).error().message, HasSubstr("\"places\" does not fit"));
}

TEST_F(ProfileFileTest, DamagedFilesNeverCrash) {
  ASSERT_TRUE(append_to_file(path_, vector_copy()));
  append_merged(path_);
  const std::string whole = text();
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = whole;
    for (int change = 0; change < 4; ++change) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    write(damaged);
    const Result<ProfileFile> file = read_profile(path_);
    if (!file) {
      EXPECT_FALSE(file.error().message.empty());
      continue;
    }
    for_each_launch(file->launches, [](const LaunchProfile&) {});
  }
  EXPECT_FALSE(from_line(std::string(1'000'000, '[')));
}

TEST_F(ProfileFileTest, ThreadsAppendWholeLines) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int n = 0; n < 25; ++n) EXPECT_TRUE(append_to_file(path_, vector_copy()));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Result<ProfileFile> file = read_profile(path_);
  ASSERT_TRUE(file) << file.error().to_text();
  EXPECT_EQ(file->launches.size(), 100u);
}

TEST_F(ProfileFileTest, AFolderThatDoesNotExistIsAnError) {
  EXPECT_FALSE(append_to_file("/nowhere/at/all.wt", vector_copy()));
}

}  // namespace
}  // namespace wavetank::profile
