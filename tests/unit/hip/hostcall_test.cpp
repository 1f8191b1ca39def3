// The protocol of a hostcall, played from the device's side.
#include "hip/hostcall/hostcall.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace {

using wavetank::hip::Hostcall;
using wavetank::machine::DeviceMemory;

struct Buffer {
  std::uint64_t headers;
  std::uint64_t payloads;
  std::uint64_t doorbell;
  std::uint64_t free_stack;
  std::uint64_t ready_stack;
  std::uint64_t index_mask;
};

struct Header {
  std::uint64_t next;
  std::uint64_t active_lanes;
  std::uint32_t service;
  std::uint32_t control;
};

class HostcallProtocol : public ::testing::Test {
 protected:
  void SetUp() override {
    memory_ = std::move(*DeviceMemory::reserve(1 << 30));
    hostcall_ = std::move(*Hostcall::create(*memory_, 0));
    buffer_ = reinterpret_cast<Buffer*>(hostcall_->buffer());
  }
  Header& header(std::uint64_t packet) {
    return reinterpret_cast<Header*>(buffer_->headers)[packet & buffer_->index_mask];
  }
  std::uint64_t* slot(std::uint64_t packet, unsigned lane) {
    return reinterpret_cast<std::uint64_t*>(buffer_->payloads) +
           (packet & buffer_->index_mask) * 512 + lane * 8;
  }
  std::uint64_t pop_free() {
    const std::uint64_t packet = buffer_->free_stack;
    buffer_->free_stack = header(packet).next;
    return packet;
  }
  void push_ready(std::uint64_t packet, std::uint32_t service, std::uint64_t lanes) {
    header(packet) = {buffer_->ready_stack, lanes, service, 1};
    buffer_->ready_stack = packet;
  }

  std::unique_ptr<DeviceMemory> memory_;
  std::unique_ptr<Hostcall> hostcall_;
  Buffer* buffer_ = nullptr;
};

constexpr std::uint32_t kFunctionCall = 1;
constexpr std::uint32_t kPrintf = 2;
constexpr std::uint32_t kDeviceMemory = 3;

}  // namespace

TEST_F(HostcallProtocol, TheFreeStackHoldsEveryPacketOnceAndNoNullPointer) {
  std::vector<bool> seen(buffer_->index_mask + 1);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::uint64_t packet = pop_free();
    ASSERT_NE(packet, 0u);
    ASSERT_FALSE(seen[packet & buffer_->index_mask]);
    seen[packet & buffer_->index_mask] = true;
  }
  EXPECT_EQ(buffer_->free_stack, 0u);
}

TEST_F(HostcallProtocol, EveryActiveLaneGetsMemoryAndTheReadyFlagIsCleared) {
  const std::uint64_t packet = pop_free();
  for (const unsigned lane : {0u, 63u}) {
    slot(packet, lane)[0] = 0;
    slot(packet, lane)[1] = 5000;
  }
  push_ready(packet, kDeviceMemory, 1ull | 1ull << 63);
  hostcall_->serve();
  EXPECT_EQ(header(packet).control & 1, 0u);
  EXPECT_EQ(buffer_->ready_stack, 0u);
  EXPECT_NE(slot(packet, 0)[0], 0u);
  EXPECT_NE(slot(packet, 0)[0], slot(packet, 63)[0]);
  EXPECT_TRUE(memory_->find(reinterpret_cast<void*>(slot(packet, 63)[0])));
}

TEST_F(HostcallProtocol, ASlabIsAlignedToItsSizeAndCanBeFreed) {
  constexpr std::uint64_t kSlabBytes = 2 << 20;
  const std::uint64_t packet = pop_free();
  slot(packet, 3)[0] = 0;
  slot(packet, 3)[1] = kSlabBytes;
  push_ready(packet, kDeviceMemory, 1u << 3);
  hostcall_->serve();
  const std::uint64_t slab = slot(packet, 3)[0];
  EXPECT_EQ(slab % kSlabBytes, 0u);
  slot(packet, 3)[1] = 0;
  push_ready(packet, kDeviceMemory, 1u << 3);
  hostcall_->serve();
  EXPECT_FALSE(memory_->find(reinterpret_cast<void*>(slab)));
}

TEST_F(HostcallProtocol, AMessageInTwoPiecesIsPrintedAtItsEnd) {
  const std::uint64_t packet = pop_free();
  std::uint64_t* words = slot(packet, 0);
  constexpr std::uint64_t kBegin = 1;
  constexpr std::uint64_t kEnd = 2;
  words[0] = kBegin | 2u << 5;
  words[1] = 0;  // control: standard output
  std::memcpy(words + 2, "n = %d\n", 8);
  push_ready(packet, kPrintf, 1);
  testing::internal::CaptureStdout();
  hostcall_->serve();
  EXPECT_EQ(words[0] & kBegin, 0u);
  EXPECT_NE(words[0] >> 8, 0u);
  words[0] = (words[0] & ~0xffull) | kEnd | 1u << 5;
  words[1] = 42;
  push_ready(packet, kPrintf, 1);
  hostcall_->serve();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "n = 42\n");
  EXPECT_EQ(words[0], 7u);
}

TEST_F(HostcallProtocol, ACallThatComesWhileAnotherThreadAnswersIsNotForgotten) {
  const std::uint64_t first = pop_free();
  const std::uint64_t second = pop_free();
  // The first call's answer is going on when a second wave asks, on another worker.
  std::function<void()> meanwhile = [&] {
    std::thread([&] {
      slot(second, 0)[0] = 0;
      slot(second, 0)[1] = 5000;
      push_ready(second, kDeviceMemory, 1);
      hostcall_->serve();
    }).join();
  };
  void (*call)(std::uint64_t*, const std::uint64_t*) = [](std::uint64_t*, const std::uint64_t* in) {
    (*std::bit_cast<std::function<void()>*>(in[0]))();
  };
  slot(first, 0)[0] = std::bit_cast<std::uint64_t>(call);
  slot(first, 0)[1] = std::bit_cast<std::uint64_t>(&meanwhile);
  push_ready(first, kFunctionCall, 1);
  hostcall_->serve();
  EXPECT_EQ(header(first).control & 1, 0u);
  EXPECT_EQ(header(second).control & 1, 0u);
  EXPECT_NE(slot(second, 0)[0], 0u);
}
