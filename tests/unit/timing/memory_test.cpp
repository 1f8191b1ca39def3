// Beyond the vector L1: bandwidths, tags, and the latencies of L2, Infinity Cache and memory as a
// pointer chase sees them. Sources: RRZE-HPC/gpu-benches gpu-latency, caps-tum/mt4g,
// rocprofiler-compute vcopy workload.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "assembly.hpp"
#include "timing/bandwidth.hpp"
#include "timing/caches/small_cache.hpp"
#include "timing/caches/tag_array.hpp"
#include "timing/memory/memory_system.hpp"

namespace wavetank::timing::testing {
namespace {

TEST(BandwidthTest, PassesItsRateAndNoMore) {
  Bandwidth port(2.0);
  EXPECT_EQ(port.reserve(992, 2), 992u + 1);
  std::uint64_t end = 0;
  Bandwidth busy(2.0);
  for (unsigned i = 0; i < 100; ++i) end = busy.reserve(0, 64);
  EXPECT_EQ(end, 100u * 64 / 2);
  EXPECT_EQ(busy.passed(), 6400.0);
}

TEST(BandwidthTest, ARequestThatComesLateInOrderTakesTheRoomThatWasLeft) {
  Bandwidth port(1.0);
  port.reserve(1000, 64);
  EXPECT_LT(port.reserve(100, 8), 200u);
}

TEST(BandwidthTest, ALaunchFindsNothingOfTheOneBefore) {
  Bandwidth fresh(0.7, 5, 8), used(0.7, 5, 8);
  for (std::uint64_t i = 0; i < 400; ++i) used.reserve(i * 37 % 1000, 9);
  used.start_launch();
  EXPECT_EQ(used.busy_cycles(), 0.0);
  for (std::uint64_t i = 0; i < 400; ++i) {
    const std::uint64_t time = i * 53 % 700;
    EXPECT_EQ(used.reserve(time, 5), fresh.reserve(time, 5)) << "request " << i;
  }
}

TEST(BandwidthTest, RequestsTakeTheFirstRoomWhateverTheirOrder) {
  // Against windows that are all looked at.
  constexpr std::uint64_t kWindow = 32;
  std::mt19937_64 random(5);
  for (unsigned round = 0; round < 50; ++round) {
    const double rate = 0.25 + static_cast<double>(random() % 8) / 4;
    Bandwidth port(rate);
    std::vector<double> used(2000);
    for (unsigned i = 0; i < 600; ++i) {
      // Now and then nobody asks for long, then many ask at once.
      const std::uint64_t time = random() % 2000 + i / 100 * 3000;
      double units = 1 + static_cast<double>(random() % 16) / 2;
      const double asked = units;
      std::uint64_t window = time / kWindow, end = time;
      while (units > 0) {
        const double taken = std::min(units, rate * kWindow - used[window]);
        used[window] += taken;
        units -= taken;
        if (taken > 0) {
          end = std::max(end, window * kWindow +
                                  static_cast<std::uint64_t>(used[window] * (1 / rate) + 0.999));
        }
        ++window;
      }
      ASSERT_EQ(port.reserve(time, asked), end) << "round " << round << ", request " << i;
    }
  }
}

TEST(BandwidthTest, AFullWindowPushesARequestToTheNext) {
  Bandwidth port(1.0);  // windows of 32 cycles
  EXPECT_EQ(port.reserve(0, 32), 32u);
  EXPECT_EQ(port.reserve(0, 1), 33u);
  EXPECT_EQ(port.reserve(40, 1), 40u) << "beyond them there is room at once";
}

TEST(TagArrayTest, KeepsTheLinesUsedLast) {
  TagArray<CacheLine> cache(8, 2);
  CacheLine evicted;
  EXPECT_EQ(cache.sets(), 4u);
  cache.replace(1, 10, evicted);
  EXPECT_EQ(evicted.tag, CacheLine::kNone);
  cache.replace(1, 11, evicted);
  ASSERT_NE(cache.find(1, 10), nullptr);
  cache.replace(1, 12, evicted);
  EXPECT_EQ(evicted.tag, 11u) << "10 was used since";
  EXPECT_NE(cache.find(1, 10), nullptr);
  EXPECT_EQ(cache.find(1, 11), nullptr);
}

TEST(TagArrayTest, LinesMarkedAsTheNextToGoAreReplacedFirst) {
  TagArray<CacheLine> cache(16, 16);
  CacheLine evicted;
  for (std::uint64_t tag = 0; tag < 16; ++tag) cache.replace(0, tag, evicted);
  cache.let_go(*cache.find(0, 7));
  cache.replace(0, 16, evicted);
  EXPECT_EQ(evicted.tag, 7u);
}

TEST(TagArrayTest, OfLinesThatHoldNothingOrWereLetGoTheFirstGoesFirst) {
  TagArray<CacheLine> cache(4, 4);
  CacheLine evicted;
  for (std::uint64_t tag = 0; tag < 4; ++tag) cache.replace(0, tag, evicted);
  for (const std::uint64_t tag : {3, 0, 2}) cache.let_go(*cache.find(0, tag));
  cache.find(0, 2);
  for (const std::uint64_t gone : {0, 3, 1, 2}) {
    cache.replace(0, 10 + gone, evicted);
    EXPECT_EQ(evicted.tag, gone) << "2 was used since, and 1 is older than that";
  }
  cache.invalidate();
  cache.replace(0, 20, evicted);
  cache.let_go(*cache.find(0, 20));
  cache.replace(0, 21, evicted);
  EXPECT_EQ(evicted.tag, 20u) << "it is before the empty ones";
}

TEST(TagArrayTest, ManyWaysGoInTheOrderOfTheirLastUse) {
  // Against a plain list, youngest last.
  constexpr std::uint32_t kWays = 37;
  TagArray<CacheLine> cache(2 * kWays, kWays);
  CacheLine evicted;
  std::vector<std::uint64_t> list;
  std::uint64_t random = 1;
  for (unsigned i = 0; i < 5000; ++i) {
    random = random * 6364136223846793005 + 1442695040888963407;
    const std::uint64_t tag = (random >> 33) % 60;
    const auto place = std::ranges::find(list, tag);
    const bool known = place != list.end();
    ASSERT_EQ(cache.find(1, tag) != nullptr, known);
    if (known) {
      list.erase(place);
    } else {
      cache.replace(1, tag, evicted);
      const bool full = list.size() == kWays;
      ASSERT_EQ(evicted.tag, full ? list.front() : CacheLine::kNone);
      if (full) list.erase(list.begin());
    }
    list.push_back(tag);
  }
}

TEST(TagArrayTest, TellsAllTagsApartThatASetHolds) {
  // As many tags as a byte has values: some share their sign.
  constexpr std::uint64_t kTags = Ways::kMost;
  TagArray<CacheLine> cache(kTags, kTags);
  CacheLine evicted;
  for (std::uint64_t tag = 0; tag < kTags; ++tag) cache.replace(0, tag, evicted).dirty = tag % 7;
  for (std::uint64_t tag = 0; tag < kTags; ++tag) {
    const CacheLine* const line = cache.find(0, tag);
    ASSERT_NE(line, nullptr);
    EXPECT_EQ(line->tag, tag);
    EXPECT_EQ(line->dirty, tag % 7);
  }
  EXPECT_EQ(cache.find(0, kTags), nullptr);
}

TEST(TagArrayTest, WaysThatFillNoWholeBlockAreAllUsedAndNoOthers) {
  TagArray<CacheLine> cache(6, 3);
  CacheLine evicted;
  for (std::uint64_t tag = 0; tag < 3; ++tag) cache.replace(0, tag, evicted);
  EXPECT_EQ(evicted.tag, CacheLine::kNone);
  cache.replace(0, 3, evicted);
  EXPECT_EQ(evicted.tag, 0u);
  EXPECT_EQ(cache.find(1, 1), nullptr) << "the other set is empty";
}

/// A small cache with all of MI210's memory behind it.
struct CacheAndMemory {
  MemorySystem memory{spec_of("mi210")};
  MemoryPort port{0};
  SmallCache cache{32768, 64, 8, 200, port};
  WindowCrew crew;

  /// When the line of `address`, asked for at `time`, is there.
  std::uint64_t ready(std::uint64_t address, std::uint64_t time) {
    const Due due = cache.request(address, time).ready;
    MemoryPort* const ports[] = {&port};
    memory.serve(ports, crew);
    const std::uint64_t cycle = cache.cycle_of(due);
    cache.settle();
    port.clear();
    return cycle;
  }
};

TEST(SmallCacheTest, ARequestForLaterDoesNotKeepOthersWaiting) {
  CacheAndMemory one;
  const std::uint64_t filled = one.ready(0, 0);
  one.ready(0, filled + 5000);
  EXPECT_EQ(one.ready(0, filled + 100), filled + 100);
}

TEST(SmallCacheTest, OneLinePassesInACycle) {
  CacheAndMemory one;
  const std::uint64_t at = (one.ready(0, 0) / 4 + 1) * 4;
  std::uint64_t last = 0;
  for (unsigned i = 0; i < 40; ++i) last = one.ready(0, at);
  EXPECT_EQ(last, at + 39);
}

TEST(SmallCacheTest, LaterMissesAreDuplicatesAsLongAsThereIsRoomAndAskNobody) {
  MemoryPort port(0);
  SmallCache cache(32768, 64, 8, 200, port);
  const auto first = cache.request(0, 0);
  EXPECT_EQ(first.outcome, SmallCacheOutcome::kMiss);
  for (unsigned i = 1; i <= 31; ++i) {
    const auto later = cache.request(0, i);
    EXPECT_EQ(later.outcome, i <= 30 ? SmallCacheOutcome::kDuplicateMiss : SmallCacheOutcome::kHit);
    EXPECT_EQ(later.ready, first.ready);
  }
  EXPECT_EQ(port.requests().size(), 1u);
}

TEST(TagArrayTest, SetsDoNotDisturbEachOtherAndWrapAround) {
  TagArray<CacheLine> cache(8, 2);
  CacheLine evicted;
  for (std::uint64_t tag = 0; tag < 8; ++tag) cache.replace(tag, tag, evicted);
  EXPECT_EQ(evicted.tag, CacheLine::kNone);
  cache.replace(8, 8, evicted);
  EXPECT_EQ(evicted.tag, 0u);
}

TEST(TagArrayTest, HoldsWhatWasEvictedForTheCaller) {
  TagArray<CacheLine> cache(1, 1);
  CacheLine evicted;
  cache.replace(0, 1, evicted).dirty = 3;
  cache.replace(0, 2, evicted);
  EXPECT_EQ(evicted.tag, 1u);
  EXPECT_EQ(evicted.dirty, 3u);
  cache.invalidate();
  EXPECT_EQ(cache.find(0, 2), nullptr);
}

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

/// Atomics on one line, `deepest` of them on one address.
std::uint64_t atomic(MemorySystem& memory, std::uint8_t deepest, std::uint64_t time) {
  return memory.serve(0, {.kind = MemoryRequest::Kind::kAtomic,
                          .amount = deepest,
                          .scope = {},
                          .address = kAddress,
                          .time = time});
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
  memory.end_of_kernel(kTime + 40000);
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
  EXPECT_NEAR(static_cast<double>(latency(memory, 0, kAddress, kTime)), 587, 4);
  EXPECT_EQ(latency(memory, 0, kAddress, kTime + 20000), 249u);
}

TEST(MemoryLatency, OfMi300xIsThatOfL2InfinityCacheAndMemory) {
  MemorySystem memory(spec_of("mi300x"));
  EXPECT_NEAR(static_cast<double>(latency(memory, 0, kAddress, kTime)), 795, 4);
  EXPECT_EQ(latency(memory, 0, kAddress, kTime + 10000), 213u);
  EXPECT_NEAR(static_cast<double>(latency(memory, 1, kAddress, kTime + 20000)), 456, 4)
      << "another XCD finds it in the Infinity Cache";
  EXPECT_EQ(latency(memory, 1, kAddress, kTime + 30000), 213u);
  AccessScope device_scope;
  device_scope.bypass_l2 = true;
  EXPECT_EQ(latency(memory, 1, kAddress, kTime + 40000, device_scope), 288u);
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
  EXPECT_EQ(latency(memory, 1, kAddress, kTime + 20000), 213u);
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
    EXPECT_EQ(memory.end_of_kernel(end) - end, 20 * spec.fence.per_dirty_line) << device;
    EXPECT_EQ(sum_of(memory, ChannelCounter::kEaWrreq64B), 2 * lines) << device;
    EXPECT_EQ(memory.end_of_kernel(end), end) << device << ": nothing is left";
  }
}

TEST(MemoryTraffic, OnlyMi300xWritesItsL2BackByAnOperationOfItsOwn) {
  MemorySystem recent(spec_of("mi300x")), old(spec_of("mi210"));
  for (MemorySystem* memory : {&recent, &old}) {
    for (unsigned line = 0; line < 100; ++line) {
      write(*memory, kAddress + 128 * line, 15, kTime);
    }
    memory->end_of_kernel(kTime + 5000);
    EXPECT_EQ(sum_of(*memory, ChannelCounter::kWriteback), 100u);
  }
  EXPECT_EQ(sum_of(recent, ChannelCounter::kAllTcOpWbWriteback), 100u);
  EXPECT_EQ(sum_of(old, ChannelCounter::kAllTcOpWbWriteback), 0u);
}

TEST(MemoryTraffic, TheNextKernelFindsItsLinesInTheL2OfMi210) {
  MemorySystem memory(spec_of("mi210"));
  write(memory, kAddress, 15, kTime);
  const std::uint64_t end = memory.end_of_kernel(kTime + 5000);
  EXPECT_EQ(latency(memory, 0, kAddress, end + 1000), 249u);
}

TEST(MemoryTraffic, AKernelsEndWritesBackOnceAndEmptiesTheL2OfMi300x) {
  MemorySystem memory(spec_of("mi300x"));
  write(memory, kAddress, 15, kTime);
  const std::uint64_t end = memory.end_of_kernel(kTime + 5000);
  memory.end_of_kernel(end);
  EXPECT_EQ(sum_of(memory, ChannelCounter::kWriteback), 1u);
  EXPECT_EQ(latency(memory, 0, kAddress, end + 1000), 456u);
}

TEST(MemoryTraffic, AWholeWriteFetchesNothing) {
  MemorySystem memory(spec_of("mi210"));
  write(memory, kAddress, 3, kTime);
  EXPECT_EQ(sum_of(memory, ChannelCounter::kEaRdreq), 0u);
  EXPECT_EQ(latency(memory, 0, kAddress, kTime + 1000), 249u)
      << "and its half of the line is there";
}

/// Ends a kernel and gives the cycles in which the channels of the L2 were busy until then.
double busy_of(MemorySystem& memory, std::uint64_t end) {
  memory.end_of_kernel(end);
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

TEST(MemorySystemTest, RequestsOfAWindowAreAnsweredAsIfOneFollowedTheOther) {
  for (const char* device : {"mi210", "mi300x"}) {
    MemorySystem together{spec_of(device)}, each{spec_of(device)};
    WindowCrew crew;
    std::thread helper([&] { crew.help(); });
    for (std::uint64_t window = 0; window < 4; ++window) {
      MemoryPort port{0};
      std::vector<std::uint64_t> expected, seen;
      for (const MemoryRequest& request : mixed_requests(window * 128, 1000)) {
        port.send(request);
        expected.push_back(each.serve(0, request));
      }
      MemoryPort* const ports[] = {&port};
      together.serve(ports, crew);
      for (const MemoryRequest& request : port.requests()) seen.push_back(request.back);
      EXPECT_EQ(seen, expected) << device << ", window " << window;
    }
    crew.dismiss();
    helper.join();
    EXPECT_GT(together.traffic().fabric_written, 0) << "dirty lines went";
    EXPECT_EQ(together.traffic().l2_hits, each.traffic().l2_hits);
  }
}

}  // namespace
}  // namespace wavetank::timing::testing
