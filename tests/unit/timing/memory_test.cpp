// Beyond the vector L1: the latencies of L2, Infinity Cache and memory, which are those of a
// pointer chase less its second register and its loop, and what moves between them. Sources:
// RRZE-HPC/gpu-benches gpu-latency, caps-tum/mt4g, rocprofiler-compute vcopy workload.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "assembly.hpp"
#include "timing/memory/memory_system.hpp"

namespace wavetank::timing::testing {
namespace {

constexpr std::uint64_t kTime = 100020;  ///< in the midst of a window
constexpr std::uint64_t kAddress = std::uint64_t{1} << 30;

std::uint64_t read(MemorySystem& memory, unsigned xcd, std::uint64_t address, std::uint64_t time,
                   AccessScope scope = {}) {
  return memory.serve(xcd, {.kind = MemoryRequest::Kind::kRead,
                            .amount = 64,
                            .scope = scope,
                            .address = address,
                            .time = time});
}

/// Writes `sectors` of the line at `address`.
std::uint64_t write(MemorySystem& memory, std::uint64_t address, std::uint8_t sectors,
                    std::uint64_t time, AccessScope scope = {}) {
  return memory.serve(0, {.kind = MemoryRequest::Kind::kWrite,
                          .amount = sectors,
                          .scope = scope,
                          .address = address,
                          .time = time});
}

/// Atomics, `count` of them on one address.
std::uint64_t atomic(MemorySystem& memory, std::uint8_t count, std::uint64_t time,
                     std::uint64_t address = kAddress) {
  return memory.serve(0, {.kind = MemoryRequest::Kind::kAtomic,
                          .amount = count,
                          .scope = {},
                          .address = address,
                          .time = time});
}

std::uint64_t end_kernel(MemorySystem& memory, std::uint64_t time) {
  WindowCrew alone;
  return memory.end_of_kernel(time, alone);
}

std::uint64_t latency(MemorySystem& memory, unsigned xcd, std::uint64_t address, std::uint64_t time,
                      AccessScope scope = {}) {
  return read(memory, xcd, address, time, scope) - time;
}

TEST(ArrayTraffic, IsWhatL2AndMemoryMovedForAddressesInIt) {
  MemorySystem memory(spec_of("mi210"));
  memory.start_launch({}, {{kAddress, 4096}, {kAddress + 8192, 4096}});
  read(memory, 0, kAddress, kTime);
  read(memory, 0, kAddress, kTime + 20000);
  write(memory, kAddress + 8192, 0b0011, kTime);
  read(memory, 0, kAddress + 4096, kTime);
  read(memory, 0, kAddress - 128, kTime);
  end_kernel(memory, kTime + 40000);
  const auto l2 = memory.l2_arrays(), hbm = memory.hbm_arrays();
  ASSERT_EQ(l2.size(), 2u);
  EXPECT_EQ(l2[0].read, 128);
  EXPECT_EQ(hbm[0].read, 128) << "a line, once";
  EXPECT_EQ(l2[1].written, 64);
  EXPECT_EQ(hbm[1].written, 64) << "when the kernel ended";
  EXPECT_EQ(l2[1].read + hbm[1].read + l2[0].written, 0);
  const MemorySystem::Traffic traffic = memory.traffic();
  EXPECT_EQ(traffic.l2_read, l2[0].read + 128) << "with what lies in neither";
}

TEST(MemoryLatency, OfMi210IsThatOfItsL2AndOfMemory) {
  MemorySystem memory(spec_of("mi210"));
  EXPECT_NEAR(static_cast<double>(latency(memory, 0, kAddress, kTime)), 583, 4);
  EXPECT_EQ(latency(memory, 0, kAddress, kTime + 20000), 247u);
}

TEST(MemoryLatency, OfMi300xIsThatOfL2InfinityCacheAndMemory) {
  MemorySystem memory(spec_of("mi300x"));
  EXPECT_NEAR(static_cast<double>(latency(memory, 0, kAddress, kTime)), 775, 4);
  EXPECT_EQ(latency(memory, 0, kAddress, kTime + 10000), 207u);
  EXPECT_NEAR(static_cast<double>(latency(memory, 1, kAddress, kTime + 20000)), 452, 4)
      << "another XCD finds it in the Infinity Cache";
  EXPECT_EQ(latency(memory, 1, kAddress, kTime + 30000), 207u);
  AccessScope device_scope;
  device_scope.bypass_l2 = true;
  EXPECT_EQ(latency(memory, 1, kAddress, kTime + 40000, device_scope), 284u);
}

TEST(MemoryLatency, ASecondMissOfALineJoinsTheFirst) {
  MemorySystem memory(spec_of("mi210"));
  const std::uint64_t first = read(memory, 0, kAddress, kTime);
  EXPECT_EQ(read(memory, 0, kAddress, kTime + 100), first);
}

TEST(MemoryLatency, WhereDiesShareEachHasWhatAnotherFetched) {
  TimingSpec spec = spec_of("mi300x");
  spec.l2.dies_share = true;
  MemorySystem memory(spec);
  EXPECT_GT(latency(memory, 0, kAddress, kTime), 700u) << "somebody has to fetch it";
  EXPECT_EQ(latency(memory, 1, kAddress, kTime + 20000), 207u);
}

std::uint64_t sum_of(const MemorySystem& memory, ChannelCounter counter) {
  std::uint64_t sum = 0;
  for (const ChannelCounters& bank : memory.channel_counters()) sum += bank[counter];
  return sum;
}

std::uint64_t scalar_read(MemorySystem& memory, std::uint64_t address, std::uint64_t time) {
  return memory.serve(0, {.kind = MemoryRequest::Kind::kSmallRead,
                          .amount = 64,
                          .scope = {},
                          .address = address,
                          .time = time});
}

constexpr AddressRange kArguments{kAddress, 256};

TEST(MemoryOfTheHost, ArgumentsTakeItsLatencyAndOtherMemoryDoesNot) {
  const TimingSpec& spec = spec_of("mi210");
  const auto host = static_cast<std::uint64_t>(spec.kernarg.host_cycles);
  ASSERT_GT(host, spec.hbm.latency);
  MemorySystem memory(spec);
  memory.start_launch(kArguments);
  EXPECT_NEAR(static_cast<double>(scalar_read(memory, kAddress, kTime) - kTime),
              static_cast<double>(host), 8);
  EXPECT_GE(scalar_read(memory, kAddress + 192, kTime) - kTime, host) << "their last line";
  EXPECT_LT(scalar_read(memory, kAddress + 256, kTime) - kTime, spec.hbm.latency) << "behind them";
  MemorySystem own(spec);
  own.start_launch();
  EXPECT_LT(scalar_read(own, kAddress, kTime) - kTime, spec.hbm.latency);
}

TEST(MemoryOfTheHost, TheL2OfMi210KeepsArgumentsForALaunch) {
  MemorySystem memory(spec_of("mi210"));
  memory.start_launch(kArguments);
  const std::uint64_t first = scalar_read(memory, kAddress, kTime);
  EXPECT_EQ(scalar_read(memory, kAddress, kTime + 100), first) << "it joins";
  EXPECT_LT(scalar_read(memory, kAddress, first + 10), first + 20) << "it hits";
  EXPECT_EQ(sum_of(memory, ChannelCounter::kNcReq), 3u);
  EXPECT_EQ(sum_of(memory, ChannelCounter::kEaRdreq), 1u);
  EXPECT_EQ(sum_of(memory, ChannelCounter::kEaRdreqDram), 0u);
  memory.start_launch(kArguments);
  EXPECT_EQ(scalar_read(memory, kAddress, kTime), first) << "the host wrote them anew";
}

TEST(MemoryOfTheHost, EachReadOfArgumentsGoesThereOnMi300x) {
  MemorySystem memory(spec_of("mi300x"));
  memory.start_launch(kArguments);
  const std::uint64_t first = scalar_read(memory, kAddress, kTime);
  EXPECT_EQ(scalar_read(memory, kAddress, first) - first, first - kTime);
  EXPECT_EQ(sum_of(memory, ChannelCounter::kUcReq), 2u);
  EXPECT_EQ(sum_of(memory, ChannelCounter::kEaRdreq), 2u);
  EXPECT_EQ(sum_of(memory, ChannelCounter::kHit), 0u);
}

TEST(MemoryOfTheHost, ItsLinkPassesSoMuchAtATime) {
  const TimingSpec& spec = spec_of("mi300x");
  MemorySystem memory(spec);
  memory.start_launch(kArguments);
  const std::uint64_t first = scalar_read(memory, kAddress, kTime);
  std::uint64_t last = first;
  for (unsigned i = 1; i < 200; ++i) last = scalar_read(memory, kAddress, kTime);
  const double bytes_per_cycle = HostLink::kBytesPerNs * 1e3 / spec.clock_mhz;
  constexpr double kWindow = 32;  // of the link, in which what it passes is spread evenly
  EXPECT_NEAR(static_cast<double>(last - first), 199 * 64 / bytes_per_cycle, kWindow);
}

TEST(MemoryTraffic, AMissBringsTheWholeLineInOneRequestOnGfx942AndInTwoOnGfx90a) {
  MemorySystem old(spec_of("mi210")), recent(spec_of("mi300x"));
  for (MemorySystem* const memory : {&old, &recent}) {
    read(*memory, 0, kAddress, kTime);
    read(*memory, 0, kAddress + 64, kTime);
    EXPECT_EQ(sum_of(*memory, ChannelCounter::kMiss), 1u);
    EXPECT_EQ(sum_of(*memory, ChannelCounter::kHit), 1u);
  }
  EXPECT_EQ(sum_of(old, ChannelCounter::kEaRdreq), 2u);
  EXPECT_EQ(sum_of(old, ChannelCounter::kBubble), 0u);
  EXPECT_EQ(sum_of(recent, ChannelCounter::kEaRdreq), 1u);
  EXPECT_EQ(sum_of(recent, ChannelCounter::kBubble), 1u);
}

TEST(MemoryTraffic, DirtyLinesLeaveTheirChannelsWhenAKernelEnds) {
  for (const char* const device : {"mi210", "mi300x"}) {
    const TimingSpec& spec = spec_of(device);
    MemorySystem memory(spec);
    const std::uint64_t stripe = spec.l2.interleave_bytes * std::uint64_t{spec.l2.channels};
    const std::uint64_t lines = 10 * stripe / spec.l2.line_bytes;  // 20 in each channel
    for (std::uint64_t line = 0; line < lines; ++line) write(memory, 128 * line, 15, kTime);
    const std::uint64_t end = kTime + 5000;
    EXPECT_EQ(end_kernel(memory, end) - end, 20 * spec.fence.per_dirty_line) << device;
    EXPECT_EQ(sum_of(memory, ChannelCounter::kEaWrreq64B), 2 * lines) << device;
    EXPECT_EQ(end_kernel(memory, end), end) << device << ": nothing is left";
  }
}

TEST(MemoryTraffic, OnlyMi300xWritesItsL2BackByAnOperationOfItsOwn) {
  MemorySystem recent(spec_of("mi300x")), old(spec_of("mi210"));
  for (MemorySystem* memory : {&recent, &old}) {
    for (unsigned line = 0; line < 100; ++line) {
      write(*memory, kAddress + 128 * line, 15, kTime);
    }
    end_kernel(*memory, kTime + 5000);
    EXPECT_EQ(sum_of(*memory, ChannelCounter::kWriteback), 100u);
  }
  EXPECT_EQ(sum_of(recent, ChannelCounter::kAllTcOpWbWriteback), 100u);
  EXPECT_EQ(sum_of(old, ChannelCounter::kAllTcOpWbWriteback), 0u);
}

TEST(MemoryTraffic, TheNextKernelFindsItsLinesInTheL2OfMi210) {
  MemorySystem memory(spec_of("mi210"));
  write(memory, kAddress, 15, kTime);
  const std::uint64_t end = end_kernel(memory, kTime + 5000);
  EXPECT_EQ(latency(memory, 0, kAddress, end + 1000), 247u);
}

TEST(MemoryTraffic, AKernelsEndWritesBackOnceAndEmptiesTheL2OfMi300x) {
  MemorySystem memory(spec_of("mi300x"));
  write(memory, kAddress, 15, kTime);
  const std::uint64_t end = end_kernel(memory, kTime + 5000);
  end_kernel(memory, end);
  EXPECT_EQ(sum_of(memory, ChannelCounter::kWriteback), 1u);
  EXPECT_EQ(latency(memory, 0, kAddress, end + 1000), 452u);
}

TEST(MemoryTraffic, AWholeWriteFetchesNothing) {
  MemorySystem memory(spec_of("mi210"));
  write(memory, kAddress, 3, kTime);
  EXPECT_EQ(sum_of(memory, ChannelCounter::kEaRdreq), 0u);
  EXPECT_EQ(latency(memory, 0, kAddress, kTime + 1000), 247u)
      << "and its half of the line is there";
}

/// Ends a kernel and gives the cycles in which the channels of the L2 were busy until then.
double busy_of(MemorySystem& memory, std::uint64_t end) {
  end_kernel(memory, end);
  double busy = 0;
  for (const double cycles : memory.busy_cycles().l2) busy += cycles;
  return busy;
}

/// Cycles of a channel for a line that it gives, or any part of it.
double answer_of(const L2Spec& l2) {
  return l2.line_bytes / (l2.read_bytes_per_cycle * l2.read_efficiency);
}

TEST(MemoryTraffic, ALineThatComesIsWrittenByTheL2sPort) {
  const L2Spec& l2 = spec_of("mi210").l2;
  MemorySystem memory(spec_of("mi210"));
  read(memory, 0, kAddress, kTime);
  EXPECT_NEAR(busy_of(memory, kTime + 5000), answer_of(l2) + 2 * l2.fill_cycles, 0.01);
  read(memory, 0, kAddress, kTime + 10000);
  EXPECT_NEAR(busy_of(memory, kTime + 15000), 2 * (answer_of(l2) + l2.fill_cycles), 0.01)
      << "a hit brings none";
}

TEST(MemoryTraffic, ADirtyLineThatGoesIsReadByTheL2sPort) {
  const L2Spec& l2 = spec_of("mi300x").l2;
  MemorySystem memory(spec_of("mi300x"));
  // Twice what the L2 holds, all dirty.
  const std::uint64_t lines = l2.bytes / l2.line_bytes;
  for (std::uint64_t line = 0; line < 2 * lines; ++line) {
    write(memory, kAddress + 128 * line, 15, kTime + line);
  }
  const double each = busy_of(memory, kTime + 10 * lines) / static_cast<double>(lines);
  EXPECT_NEAR(each, 2 * l2.write_cycles + answer_of(l2), 0.01);
}

TEST(MemoryTraffic, AnEvictedDirtyLineGoesToMemory) {
  const TimingSpec& spec = spec_of("mi300x");
  MemorySystem memory(spec);
  // More lines than the L2 holds, all dirty: the first ones have left.
  const std::uint64_t lines = spec.l2.bytes / spec.l2.line_bytes;
  for (std::uint64_t line = 0; line < lines; ++line) {
    write(memory, kAddress + 128 * line, 15, kTime + line);
  }
  const std::uint64_t before = sum_of(memory, ChannelCounter::kNormalWriteback);
  for (std::uint64_t line = lines; line < 2 * lines; ++line) {
    write(memory, kAddress + 128 * line, 15, kTime + line);
  }
  EXPECT_EQ(before, 0u);
  EXPECT_EQ(sum_of(memory, ChannelCounter::kNormalWriteback), lines);
}

TEST(MemoryTraffic, PartOfASectorIsMergedAtACost) {
  const TimingSpec& spec = spec_of("mi210");
  const auto time_of = [&](bool whole) {
    MemorySystem memory(spec);
    AccessScope scope;
    scope.whole_sectors = whole;
    write(memory, kAddress, 1, 0, scope);
    const std::uint64_t first = write(memory, kAddress, 1, kTime, scope);
    std::uint64_t last = 0;
    for (unsigned i = 0; i < 1000; ++i) last = write(memory, kAddress, 1, kTime, scope);
    return static_cast<double>(last - first);
  };
  EXPECT_NEAR(time_of(true), 1000 * spec.l2.write_cycles, 32);
  EXPECT_NEAR(time_of(false), 1000 * spec.l2.partial_write_cycles, 32);
}

TEST(MemoryTraffic, ConsecutiveBlocksSpreadOverAllChannels) {
  for (const char* const device : {"mi210", "mi300x"}) {
    const TimingSpec& spec = spec_of(device);
    MemorySystem memory(spec);
    for (unsigned block = 0; block < spec.l2.channels; ++block) {
      read(memory, 0, kAddress + std::uint64_t{spec.l2.interleave_bytes} * block, kTime);
    }
    for (unsigned channel = 0; channel < spec.l2.channels; ++channel) {
      EXPECT_EQ(memory.channel_counters()[channel][ChannelCounter::kReq], 1u) << device;
    }
  }
}

TEST(MemoryAtomics, FollowEachOtherOnOneAddress) {
  const TimingSpec& spec = spec_of("mi210");
  MemorySystem memory(spec);
  read(memory, 0, kAddress, 0);
  const std::uint64_t one = atomic(memory, 1, kTime) - kTime;
  const std::uint64_t later = kTime + 10016;
  const std::uint64_t many = atomic(memory, 64, later) - later;
  EXPECT_NEAR(static_cast<double>(many - one), 63.0 * spec.atomic.l2_cycles_per_operation, 64);
}

TEST(MemoryAtomics, AtTheMemorySideWaitForThoseOnTheSameBytesOnly) {
  const TimingSpec& spec = spec_of("mi300x");
  MemorySystem memory(spec);
  const std::uint64_t alone = atomic(memory, 1, kTime) - kTime;
  const std::uint64_t later = kTime + 10016;
  atomic(memory, 64, later);
  const std::uint64_t beside = atomic(memory, 1, later, kAddress + 64) - later;
  const std::uint64_t behind = atomic(memory, 1, later) - later;
  EXPECT_EQ(beside - alone, spec.atomic.memory_side_request_cycles);
  EXPECT_EQ(behind - alone, 64u * spec.atomic.memory_side_cycles_per_operation);
}

TEST(MemoryAtomics, GoToTheMemorySideOnMi300xOnly) {
  MemorySystem old(spec_of("mi210")), recent(spec_of("mi300x"));
  atomic(old, 1, kTime);
  atomic(recent, 1, kTime);
  EXPECT_EQ(sum_of(old, ChannelCounter::kEaAtomic), 0u);
  EXPECT_EQ(sum_of(recent, ChannelCounter::kEaAtomic), 1u);
}

/// Requests of a window in the order of their times: some of lines that others bring or wrote, so
/// many of other lines that dirty ones go, and in the middle an XCD writes back.
std::vector<MemoryRequest> mixed_requests(std::uint64_t begin, unsigned count) {
  using Kind = MemoryRequest::Kind;
  std::vector<MemoryRequest> requests;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t line = std::uint64_t{i} * 7919 % (count / 2) * 4096;
    MemoryRequest request{.kind = Kind::kRead, .amount = 128, .scope = {}, .address = line * 128};
    if (i % 3 == 1) request.kind = Kind::kWrite, request.amount = 3;
    if (i % 17 == 2) request.kind = Kind::kAtomic, request.amount = 4;
    if (i == count / 2) request.kind = Kind::kWriteBack;
    request.scope.streaming = i % 5 == 0;
    request.time = begin + i / 8;
    requests.push_back(request);
  }
  return requests;
}

/// Serves a port's requests; gives when each is back.
std::vector<std::uint64_t> answers(MemorySystem& memory, const std::vector<MemoryRequest>& requests,
                                   WindowCrew& crew) {
  MemoryPort port{0};
  for (const MemoryRequest& request : requests) port.send(request);
  MemoryPort* const ports[] = {&port};
  memory.serve(ports, crew);
  std::vector<std::uint64_t> back;
  for (const MemoryRequest& request : port.requests()) back.push_back(request.back);
  return back;
}

TEST(MemorySystemTest, RequestsOfAWindowAreAnsweredAsIfOneFollowedTheOther) {
  for (const char* device : {"mi210", "mi300x"}) {
    MemorySystem together{spec_of(device)}, each{spec_of(device)};
    WindowCrew crew;
    for (std::uint64_t window = 0; window < 4; ++window) {
      const std::vector<MemoryRequest> requests = mixed_requests(window * 128, 1000);
      std::vector<std::uint64_t> expected;
      for (const MemoryRequest& request : requests) expected.push_back(each.serve(0, request));
      EXPECT_EQ(answers(together, requests, crew), expected) << device << ", window " << window;
    }
    EXPECT_GT(together.traffic().fabric_written, 0) << "dirty lines went";
    EXPECT_EQ(together.traffic().l2_hits, each.traffic().l2_hits);
  }
}

TEST(MemorySystemTest, AnswersAreTheSameWhoeverHelps) {
  for (const char* device : {"mi210", "mi300x"}) {
    MemorySystem helped{spec_of(device)}, unaided{spec_of(device)};
    WindowCrew crew, alone;
    std::thread helper([&] { crew.help(); });
    for (std::uint64_t window = 0; window < 4; ++window) {
      const std::vector<MemoryRequest> requests = mixed_requests(window * 128, 10000);
      EXPECT_EQ(answers(helped, requests, crew), answers(unaided, requests, alone))
          << device << ", window " << window;
    }
    EXPECT_EQ(helped.end_of_kernel(4 * kTime, crew), unaided.end_of_kernel(4 * kTime, alone));
    EXPECT_EQ(helped.traffic().hbm_written, unaided.traffic().hbm_written);
    crew.dismiss();
    helper.join();
  }
}

}  // namespace
}  // namespace wavetank::timing::testing
