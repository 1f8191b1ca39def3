#include "dispatch/loaded_code.hpp"

#include <gtest/gtest.h>

namespace wavetank::dispatch {
namespace {

using code_object::LoadedCodeObject;

/// A code object of 0x3000 bytes, the second 0x1000 executable.
std::shared_ptr<LoadedCodeObject> object_at(std::uint64_t base) {
  auto object = std::make_shared<LoadedCodeObject>();
  object->base = reinterpret_cast<std::byte*>(base);
  object->object.memory_size_bytes = 0x3000;
  object->object.segments = {{.address = 0, .memory_size_bytes = 0x1000},
                             {.address = 0x1000, .memory_size_bytes = 0x1000, .executable = true}};
  return object;
}

TEST(LoadedCode, OnlyTheBytesOfAnExecutableSegmentAreFound) {
  LoadedCode code;
  const auto low = object_at(0x10000), high = object_at(0x13000);
  code.add(high);
  code.add(low);
  EXPECT_EQ(code.at(0x10fff).object, nullptr);
  EXPECT_EQ(code.at(0x11000).object, low);
  EXPECT_EQ(code.at(0x11fff).segment, &low->object.segments[1]);
  EXPECT_EQ(code.at(0x12000).object, nullptr);
  EXPECT_EQ(code.at(0x14000).object, high);
  EXPECT_EQ(code.at(0x16000).object, nullptr);
}

TEST(LoadedCode, WhatWasRemovedOrIsGoneIsNotFound) {
  LoadedCode code;
  auto removed = object_at(0x10000), gone = object_at(0x20000);
  code.add(removed);
  code.add(gone);
  EXPECT_TRUE(code.lists(*removed));
  code.remove(*removed);
  EXPECT_FALSE(code.lists(*removed));
  EXPECT_EQ(code.at(0x11000).object, nullptr);
  gone.reset();
  EXPECT_EQ(code.at(0x21000).object, nullptr);
}

TEST(LoadedCode, TheLastOfTwoInOnePlaceCounts) {
  LoadedCode code;
  const auto first = object_at(0x10000), second = object_at(0x11000);
  code.add(first);
  code.add(second);
  EXPECT_FALSE(code.lists(*first));
  EXPECT_EQ(code.at(0x11000).object, nullptr);
  EXPECT_EQ(code.at(0x12000).object, second);
}

}  // namespace
}  // namespace wavetank::dispatch
