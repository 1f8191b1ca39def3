#include "machine/device_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

namespace wavetank::machine {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

std::unique_ptr<DeviceMemory> memory_of(std::uint64_t capacity_bytes, int devices = 1) {
  auto memory = DeviceMemory::reserve(capacity_bytes, devices);
  EXPECT_TRUE(memory.has_value());
  return std::move(*memory);
}

std::byte* allocate(DeviceMemory& memory, std::size_t size_bytes,
                    MemoryKind kind = MemoryKind::kDevice, int device = 0) {
  auto address = memory.allocate(size_bytes, kind, 0, device);
  EXPECT_TRUE(address.has_value()) << address.error().to_text();
  return address ? *address : nullptr;
}

bool is_mapped(const std::byte* address) {
  // Writing from unmapped memory fails with EFAULT instead of a signal.
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const bool mapped = ::write(ends[1], address, 1) == 1;
  ::close(ends[0]);
  ::close(ends[1]);
  return mapped;
}

long pages_touched_first() {
  rusage used{};
  EXPECT_EQ(::getrusage(RUSAGE_SELF, &used), 0);
  return used.ru_minflt;
}

TEST(DeviceMemory, ReservesAnMi300xWithoutTouchingItsPages) {
  const long before = pages_touched_first();
  const auto memory = memory_of(192 * kGiB, 8);
  EXPECT_LT(pages_touched_first() - before, 100) << "of 400 million";
  EXPECT_EQ(memory->capacity_bytes(), 192 * kGiB);
  EXPECT_EQ(memory->used_bytes(7), 0u);
}

TEST(DeviceMemory, RefusesImpossibleReservations) {
  EXPECT_EQ(DeviceMemory::reserve(0).error().code, ErrorCode::kUsage);
  EXPECT_EQ(DeviceMemory::reserve(kGiB, 0).error().code, ErrorCode::kUsage);
  EXPECT_EQ(DeviceMemory::reserve(std::uint64_t{1} << 60).error().code, ErrorCode::kOutOfMemory);
  EXPECT_EQ(DeviceMemory::reserve(std::uint64_t{1} << 46, 1 << 20).error().code,
            ErrorCode::kOutOfMemory);
}

TEST(DeviceMemory, GivesZeroFilledPagesInsideTheArena) {
  const auto memory = memory_of(kGiB);
  std::byte* bytes = allocate(*memory, 5000);
  EXPECT_EQ(reinterpret_cast<std::uint64_t>(bytes) % 4096, 0u);
  EXPECT_GE(reinterpret_cast<std::uint64_t>(bytes), memory->arena_begin());
  EXPECT_LT(reinterpret_cast<std::uint64_t>(bytes), memory->arena_end());
  EXPECT_TRUE(std::all_of(bytes, bytes + 8192, [](std::byte b) { return b == std::byte{0}; }));
  EXPECT_EQ(memory->used_bytes(), 8192u);
}

TEST(DeviceMemory, ReusedPagesAreZeroAgain) {
  const auto memory = memory_of(kGiB);
  std::byte* first = allocate(*memory, 4096);
  std::memset(first, 0xff, 4096);
  ASSERT_TRUE(memory->free(first));
  std::byte* second = allocate(*memory, 4096);
  ASSERT_EQ(second, first);
  EXPECT_EQ(second[0], std::byte{0});
  EXPECT_EQ(second[4095], std::byte{0});
}

TEST(DeviceMemory, ThePageAfterAnAllocationIsUnmapped) {
  const auto memory = memory_of(kGiB);
  const std::byte* first = allocate(*memory, 4097);
  const std::byte* second = allocate(*memory, 1);
  EXPECT_EQ(second, first + 3 * 4096);
  EXPECT_TRUE(is_mapped(first + 8191));
  EXPECT_FALSE(is_mapped(first + 8192));
  EXPECT_TRUE(is_mapped(second));
  EXPECT_FALSE(is_mapped(second + 4096));
}

TEST(DeviceMemory, FreedPagesAreUnmapped) {
  const auto memory = memory_of(kGiB);
  std::byte* bytes = allocate(*memory, 4096);
  ASSERT_TRUE(memory->free(bytes));
  EXPECT_FALSE(is_mapped(bytes));
}

TEST(DeviceMemory, AddressesOfFreedMemoryAreGivenAgainUnlessTheyAreKept) {
  for (const bool keeps : {false, true}) {
    const auto memory = memory_of(kMiB);
    if (keeps) memory->keep_freed_addresses();
    std::byte* const first = allocate(*memory, 4096);
    ASSERT_TRUE(memory->free(first));
    EXPECT_EQ(allocate(*memory, 4096) == first, !keeps);
  }
}

TEST(DeviceMemory, KnowsOfKeptAddressesWhatTheyWere) {
  const auto memory = memory_of(kMiB);
  memory->keep_freed_addresses();
  std::byte* const address = allocate(*memory, 100);
  EXPECT_FALSE(memory->find_freed(address)) << "it is not freed";
  ASSERT_TRUE(memory->free(address));
  ASSERT_TRUE(memory->find_freed(address + 99));
  EXPECT_EQ(memory->find_freed(address + 99)->address, address);
  EXPECT_EQ(memory->find_freed(address + 99)->size_bytes, 100u);
  EXPECT_FALSE(memory->find_freed(address + 100)) << "the byte behind was nobody's";
}

TEST(DeviceMemory, FindsTheAllocationBeforeAnAddress) {
  const auto memory = memory_of(kMiB);
  std::byte* const one = allocate(*memory, 100);
  std::byte* const other = allocate(*memory, 100);
  std::byte* const low = std::min(one, other);
  std::byte* const high = std::max(one, other);
  EXPECT_FALSE(memory->find_before(low - 1));
  EXPECT_EQ(memory->find_before(low)->address, low);
  EXPECT_EQ(memory->find_before(high - 1)->address, low);
  EXPECT_EQ(memory->find_before(high + 100)->address, high);
}

TEST(DeviceMemory, KeptAddressesDoNotExhaustTheCapacity) {
  const auto memory = memory_of(kMiB);
  memory->keep_freed_addresses();
  for (int i = 0; i < 8; ++i) {
    std::byte* const address = allocate(*memory, kMiB);
    ASSERT_NE(address, nullptr) << "allocation " << i;
    ASSERT_TRUE(memory->free(address));
  }
}

TEST(DeviceMemory, LargeAllocationsStartAtAHugePage) {
  const auto memory = memory_of(kGiB);
  allocate(*memory, 4096);
  std::byte* below = allocate(*memory, 4 * kMiB - 4096);
  std::byte* at = allocate(*memory, 4 * kMiB);
  EXPECT_NE(reinterpret_cast<std::uint64_t>(below) % (2 * kMiB), 0u);
  EXPECT_EQ(reinterpret_cast<std::uint64_t>(at) % (2 * kMiB), 0u);
}

TEST(DeviceMemory, WhatOthersTakeMovesNoAddressOfTheProgram) {
  const auto alone = memory_of(kGiB), shared = memory_of(kGiB);
  const std::byte* const begin_alone = allocate(*alone, 1);
  const std::byte* const begin_shared = allocate(*shared, 1);
  std::vector<std::byte*> others;
  for (const std::size_t bytes : {100ul, 5 * kMiB, 4096ul, 8 * kMiB}) {
    const std::uint64_t used_before = shared->used_bytes();
    for (const MemoryUser user : {MemoryUser::kLaunches, MemoryUser::kWorkers}) {
      const auto taken = shared->allocate_for(user, bytes);
      ASSERT_TRUE(taken.has_value()) << taken.error().to_text();
      others.push_back(*taken);
    }
    EXPECT_GE(shared->used_bytes(), used_before + 2 * bytes);
    EXPECT_EQ(allocate(*shared, bytes) - begin_shared, allocate(*alone, bytes) - begin_alone);
  }
  for (std::byte* address : others) {
    *address = std::byte{1};
    ASSERT_TRUE(shared->free(address));
    EXPECT_FALSE(is_mapped(address));
  }
  EXPECT_EQ(shared->used_bytes(), alone->used_bytes());
}

TEST(DeviceMemory, AllUsersTogetherHaveTheCapacity) {
  const auto memory = memory_of(8 * kMiB);
  const auto whole = memory->allocate_for(MemoryUser::kWorkers, 8 * kMiB);
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(memory->allocate_for(MemoryUser::kLaunches, 1).error().code, ErrorCode::kOutOfMemory);
  EXPECT_EQ(memory->allocate(1, MemoryKind::kDevice).error().code, ErrorCode::kOutOfMemory);
  ASSERT_TRUE(memory->free(*whole));
  EXPECT_EQ(memory->allocate_for(MemoryUser::kLaunches, 1, 1).error().code, ErrorCode::kUsage);
  EXPECT_TRUE(memory->allocate_for(MemoryUser::kLaunches, 1).has_value());
}

TEST(DeviceMemory, OfMoreThanTheHostHasOnlyWhatIsTouchedTakesMemory) {
  constexpr std::size_t kLargePage = 2 * kMiB, kPages = kLargePage / 4096;
  const std::uint64_t host_bytes = std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * 4096;
  const auto memory = memory_of(host_bytes + 3 * kGiB);
  const auto resident_around_first_byte = [](std::byte* bytes) {
    bytes[0] = std::byte{1};
    std::vector<unsigned char> pages(kPages);
    EXPECT_EQ(::mincore(bytes, kLargePage, pages.data()), 0);
    return std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return page & 1; });
  };
  // The host may join some small pages, but not all of a large one.
  EXPECT_LT(resident_around_first_byte(allocate(*memory, host_bytes + kGiB)), 100);
  EXPECT_LT(resident_around_first_byte(allocate(*memory, kGiB)), 100);
}

TEST(DeviceMemory, TheWholeCapacityCanBeUsedAndNotAPageMore) {
  const auto memory = memory_of(16 * kMiB);
  std::vector<std::byte*> pages;
  for (int i = 0; i < 4096; ++i) pages.push_back(allocate(*memory, 4096));
  EXPECT_EQ(memory->used_bytes(), 16 * kMiB);
  const auto refused = memory->allocate(1, MemoryKind::kDevice);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
  EXPECT_EQ(refused.error().message,
            "cannot give 1 bytes of device memory: 16.00 MiB of 16.00 MiB are in use");
  ASSERT_TRUE(memory->free(pages[17]));
  EXPECT_EQ(allocate(*memory, 4096), pages[17]);
}

TEST(DeviceMemory, FreedNeighboursJoin) {
  const auto memory = memory_of(16 * kMiB);
  std::vector<std::byte*> pages;
  for (int i = 0; i < 6; ++i) pages.push_back(allocate(*memory, 4096));
  for (const int i : {1, 3, 2}) ASSERT_TRUE(memory->free(pages[static_cast<std::size_t>(i)]));
  // Three blocks of two pages give five pages and the unmapped one.
  EXPECT_EQ(allocate(*memory, 5 * 4096), pages[1]);
}

TEST(DeviceMemory, RefusesSizesThatOverflow) {
  const auto memory = memory_of(kGiB);
  for (const std::size_t size : {~std::size_t{0}, ~std::size_t{4095}, std::size_t{kGiB + 1}}) {
    EXPECT_EQ(memory->allocate(size, MemoryKind::kDevice).error().code, ErrorCode::kOutOfMemory);
  }
  EXPECT_EQ(memory->allocate(~std::size_t{0}, MemoryKind::kManaged).error().code,
            ErrorCode::kOutOfMemory);
  EXPECT_EQ(memory->allocate(0, MemoryKind::kDevice).error().code, ErrorCode::kUsage);
  EXPECT_EQ(memory->allocate(1, MemoryKind::kDevice, 0, 1).error().code, ErrorCode::kUsage);
  EXPECT_EQ(memory->allocate(1, MemoryKind::kDevice, 0, -1).error().code, ErrorCode::kUsage);
}

TEST(DeviceMemory, OnlyTheStartOfAnAllocationCanBeFreed) {
  const auto memory = memory_of(kGiB);
  std::byte* bytes = allocate(*memory, 100);
  const auto inside = memory->free(bytes + 1);
  ASSERT_FALSE(inside);
  EXPECT_EQ(inside.error().code, ErrorCode::kUsage);
  EXPECT_NE(inside.error().message.find("lies inside the allocation"), std::string::npos);
  EXPECT_FALSE(memory->free(nullptr));
  ASSERT_TRUE(memory->free(bytes));
  EXPECT_FALSE(memory->free(bytes));
  EXPECT_EQ(memory->used_bytes(), 0u);
}

TEST(DeviceMemory, FindsExactlyTheBytesOfAnAllocation) {
  const auto memory = memory_of(kGiB, 2);
  auto address = memory->allocate(100, MemoryKind::kManaged, 7, 1);
  ASSERT_TRUE(address);
  const auto last = memory->find(*address + 99);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->address, *address);
  EXPECT_EQ(last->size_bytes, 100u);
  EXPECT_EQ(last->kind, MemoryKind::kManaged);
  EXPECT_EQ(last->flags, 7u);
  EXPECT_EQ(last->device, 1);
  EXPECT_FALSE(last->registered);
  EXPECT_FALSE(memory->find(*address + 100));
  EXPECT_FALSE(memory->find(*address - 1));
  EXPECT_FALSE(memory->find(nullptr));
}

TEST(DeviceMemory, HostMemoryDoesNotCountAgainstTheCapacity) {
  const auto memory = memory_of(kMiB);
  EXPECT_NE(allocate(*memory, 64 * kMiB, MemoryKind::kHostPinned), nullptr);
  EXPECT_EQ(memory->used_bytes(), 0u);
}

TEST(DeviceMemory, DevicesHaveTheirOwnCapacity) {
  const auto memory = memory_of(kMiB, 2);
  allocate(*memory, kMiB, MemoryKind::kDevice, 0);
  EXPECT_FALSE(memory->allocate(1, MemoryKind::kDevice, 0, 0));
  EXPECT_NE(allocate(*memory, kMiB, MemoryKind::kDevice, 1), nullptr);
  EXPECT_EQ(memory->used_bytes(0), kMiB);
  EXPECT_EQ(memory->used_bytes(1), kMiB);
}

TEST(DeviceMemory, DevicesReachRegisteredHostMemoryAndNoOther) {
  const auto memory = memory_of(kGiB);
  std::vector<std::byte> own(100);
  const auto begin = reinterpret_cast<std::uint64_t>(own.data());
  EXPECT_FALSE(memory->outside_access_allowed(begin, 1));
  ASSERT_TRUE(memory->register_host(own.data(), own.size()));
  EXPECT_TRUE(memory->outside_access_allowed(begin, 100));
  EXPECT_TRUE(memory->outside_access_allowed(begin + 96, 4));
  EXPECT_FALSE(memory->outside_access_allowed(begin + 97, 4));
  EXPECT_FALSE(memory->outside_access_allowed(begin - 1, 4));
  EXPECT_TRUE(memory->find(own.data() + 99)->registered);
  ASSERT_TRUE(memory->unregister_host(own.data()));
  EXPECT_FALSE(memory->outside_access_allowed(begin, 1));
  EXPECT_FALSE(memory->unregister_host(own.data()));
}

TEST(DeviceMemory, RegisteredRangesMayOverlapAndEachIsUnregisteredByItsBegin) {
  const auto memory = memory_of(kGiB);
  std::vector<std::byte> own(96);
  const auto reached = [&](std::size_t offset) {
    const auto address = reinterpret_cast<std::uint64_t>(own.data()) + offset;
    return memory->outside_access_allowed(address, 1);
  };
  ASSERT_TRUE(memory->register_host(own.data(), 90));
  ASSERT_TRUE(memory->register_host(own.data() + 32, 32));
  ASSERT_TRUE(memory->register_host(own.data() + 80, 16));
  EXPECT_TRUE(reached(70)) << "inside the first, behind the begin of the second";
  EXPECT_EQ(memory->find(own.data() + 70)->address, own.data());
  EXPECT_EQ(memory->find(own.data() + 40)->address, own.data() + 32);
  EXPECT_TRUE(reached(95));
  ASSERT_TRUE(memory->unregister_host(own.data()));
  EXPECT_FALSE(reached(0));
  EXPECT_TRUE(reached(63));
  EXPECT_FALSE(reached(64));
  EXPECT_TRUE(reached(80));
}

TEST(DeviceMemory, ARangeThatIsRegisteredTwiceIsAsLongAsTheLongerAndUnregisteredOnce) {
  const auto memory = memory_of(kGiB);
  std::vector<std::byte> own(96);
  ASSERT_TRUE(memory->register_host(own.data(), 64));
  ASSERT_TRUE(memory->register_host(own.data(), 32));
  EXPECT_TRUE(memory->find(own.data() + 63));
  ASSERT_TRUE(memory->unregister_host(own.data()));
  EXPECT_FALSE(memory->find(own.data()));
  EXPECT_FALSE(memory->unregister_host(own.data()));
}

TEST(DeviceMemory, OnlyMappedHostMemoryCanBeRegistered) {
  const auto memory = memory_of(kGiB);
  std::vector<std::byte> own(96);
  EXPECT_FALSE(memory->register_host(nullptr, 8));
  EXPECT_FALSE(memory->register_host(own.data(), 0));
  // AddressSanitizer maps terabytes for what it hands out.
  EXPECT_FALSE(memory->register_host(own.data(), std::size_t{1} << 43)) << "beyond its mapping";
  EXPECT_FALSE(memory->register_host(allocate(*memory, 64), 64));
}

TEST(DeviceMemory, UnifiedMemoryReachesTheWholeUserAddressSpaceButNotTheUnusedArena) {
  const auto memory = memory_of(kGiB);
  int own = 0;
  const auto address = reinterpret_cast<std::uint64_t>(&own);
  memory->set_host_accessible(true);
  EXPECT_TRUE(memory->outside_access_allowed(address, sizeof own));
  EXPECT_FALSE(memory->outside_access_allowed(std::uint64_t{1} << 47, 1));
  EXPECT_FALSE(memory->outside_access_allowed((std::uint64_t{1} << 47) - 1, 2));
  EXPECT_FALSE(memory->outside_access_allowed(~std::uint64_t{0}, 1));
  EXPECT_FALSE(memory->outside_access_allowed(memory->arena_begin() - 1, 2));
}

bool is_fine_grained(const DeviceMemory& memory, const void* address) {
  const auto number = reinterpret_cast<std::uint64_t>(address);
  const GrainRange range = memory.grain_at(number);
  EXPECT_TRUE(range.contains(number));
  return range.fine_grained;
}

TEST(DeviceMemory, OnlyWhatTheHostReachesIsFineGrainedAtFirst) {
  const auto memory = memory_of(kGiB);
  static int registered, own;
  ASSERT_TRUE(memory->register_host(&registered, sizeof registered));
  EXPECT_FALSE(is_fine_grained(*memory, allocate(*memory, 100)));
  EXPECT_TRUE(is_fine_grained(*memory, allocate(*memory, 100, MemoryKind::kHostPinned)));
  EXPECT_TRUE(is_fine_grained(*memory, allocate(*memory, 100, MemoryKind::kManaged)));
  EXPECT_TRUE(is_fine_grained(*memory, &registered));
  EXPECT_TRUE(is_fine_grained(*memory, &own));
}

TEST(DeviceMemory, EachAllocationMayBeMadeFineGrainedAndBack) {
  const auto memory = memory_of(kGiB);
  std::byte* const one = allocate(*memory, 100);
  std::byte* const other = allocate(*memory, 100);
  std::byte* const pinned = allocate(*memory, 100, MemoryKind::kHostPinned);
  ASSERT_TRUE(memory->set_fine_grained(one + 99, true));
  ASSERT_TRUE(memory->set_fine_grained(pinned, false));
  EXPECT_TRUE(is_fine_grained(*memory, one));
  EXPECT_FALSE(is_fine_grained(*memory, other));
  EXPECT_FALSE(is_fine_grained(*memory, pinned));
  ASSERT_TRUE(memory->set_fine_grained(one, false));
  EXPECT_FALSE(is_fine_grained(*memory, one));
  EXPECT_EQ(memory->set_fine_grained(one + 100, true).error().code, ErrorCode::kUsage);
}

TEST(DeviceMemory, AFreedFineGrainedAllocationLeavesNoTrace) {
  const auto memory = memory_of(kGiB);
  std::byte* const first = allocate(*memory, 100);
  ASSERT_TRUE(memory->set_fine_grained(first, true));
  ASSERT_TRUE(memory->free(first));
  std::byte* const second = allocate(*memory, 100);
  EXPECT_EQ(second, first);
  // All of the device's memory is known to be coarse-grained again, without a look at the second.
  EXPECT_GT(memory->grain_at(reinterpret_cast<std::uint64_t>(second)).size_bytes, kMiB);
}

TEST(DeviceMemory, ThreadsMayAllocateAndFreeTogether) {
  const auto memory = memory_of(kGiB);
  const auto work = [&memory] {
    for (std::size_t i = 1; i <= 500; ++i) {
      std::byte* bytes = allocate(*memory, i * 16);
      bytes[0] = std::byte{1};
      EXPECT_EQ(memory->find(bytes)->size_bytes, i * 16);
      EXPECT_TRUE(memory->free(bytes));
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memory->used_bytes(), 0u);
}

}  // namespace
}  // namespace wavetank::machine
