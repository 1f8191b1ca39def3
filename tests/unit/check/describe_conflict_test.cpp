#include "check/describe_conflict.hpp"

#include <gtest/gtest.h>

namespace wavetank::check {
namespace {

Spot at(const char* file, unsigned line) {
  Spot spot;
  spot.source.file = file;
  spot.source.line = line;
  return spot;
}

ConflictWords kernel_and_copy() {
  ConflictWords words;
  words.first.kind = AccessKind::kWrite;
  words.first.kernel = "fill(int*)";
  words.first.stream = "stream 2";
  words.first.host_place = at("app.hip", 14);
  words.first.instruction.source = at("app.hip", 6).source;
  words.second.function = "a copy";
  words.second.stream = "stream 3";
  words.second.host_place = at("app.hip", 16);
  words.address = 0x1010;
  words.bytes = 16;
  words.object_begin = 0x1000;
  words.object_bytes = 64;
  words.object_place = "app.hip:11";
  return words;
}

TEST(DescribeConflict, AKernelIsToldByItsAccessAndItsLaunch) {
  const Diagnosis diagnosis = describe(kernel_and_copy());
  EXPECT_EQ(diagnosis.message,
            "nothing orders two operations on the same memory: 16 bytes at byte 16 of 64 "
            "allocated");
  ASSERT_EQ(diagnosis.spots.size(), 2u);
  EXPECT_EQ(diagnosis.spots[0].place(), "app.hip:6");
  EXPECT_EQ(diagnosis.spots[0].what,
            "written by kernel \"fill(int*)\" on stream 2, launched at app.hip:14");
  EXPECT_EQ(diagnosis.note, "allocated at app.hip:11");
}

TEST(DescribeConflict, ACopyIsToldByItsCall) {
  const Diagnosis diagnosis = describe(kernel_and_copy());
  EXPECT_EQ(diagnosis.spots[1].place(), "app.hip:16");
  EXPECT_EQ(diagnosis.spots[1].what, "read by a copy on stream 3");
}

TEST(DescribeConflict, AFreeIsNoWriteAndTheHostHasNoStream) {
  ConflictWords words = kernel_and_copy();
  words.second.function = "hipFreeAsync";
  EXPECT_EQ(describe(words).spots[1].what, "freed by hipFreeAsync on stream 3");
  words.second = {};
  EXPECT_EQ(describe(words).spots[1].what, "read by the host");
}

TEST(DescribeConflict, AnEventOrTheHostsWaitIsTheRemedy) {
  ConflictWords words = kernel_and_copy();
  EXPECT_EQ(describe(words).remedy.words, "") << "nobody knows the calls again";
  words.first.site = "app + 0x10";
  words.second.site = "app + 0x20";
  EXPECT_EQ(describe(words).remedy.words,
            "a hipStreamWaitEvent on stream 3 before app.hip:16 for an event recorded on stream 2 "
            "after app.hip:14");
  EXPECT_EQ(describe(words).remedy.order, (OperationOrder{"app + 0x10", "app + 0x20"}));
  words.second.stream = "";
  EXPECT_EQ(describe(words).remedy.words,
            "a wait for stream 2 (hipStreamSynchronize) between app.hip:14 and app.hip:16");
  words.second.site = words.first.site;
  EXPECT_EQ(describe(words).remedy.words, "") << "nodes of one graph";
}

}  // namespace
}  // namespace wavetank::check
