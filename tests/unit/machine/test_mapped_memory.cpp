// Addresses and pages apart: reservations, mappings, access; and pages between processes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "machine/device_memory.hpp"

namespace wavetank::machine {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kCapacity = std::size_t{1} << 30;

std::unique_ptr<DeviceMemory> memory_of() { return *DeviceMemory::reserve(kCapacity, 2); }

TEST(MappedMemory, LiesWhereItWasMapped) {
  auto memory = memory_of();
  std::byte* const at = *memory->reserve_addresses(4 * kPage, 0);
  const auto pages = *memory->create_pages(2 * kPage);
  EXPECT_EQ(memory->used_bytes(), 2 * kPage);
  EXPECT_FALSE(memory->find(at).has_value());
  ASSERT_TRUE(memory->map(at + kPage, 2 * kPage, pages).has_value());
  EXPECT_FALSE(memory->find(at + kPage).has_value()) << "found without access";
  ASSERT_TRUE(memory->set_access(at + kPage, 2 * kPage, 0, Access::kReadWrite).has_value());
  const auto found = memory->find(at + 3 * kPage - 1);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->address, at + kPage);
  EXPECT_EQ(found->size_bytes, 2 * kPage);
  EXPECT_FALSE(memory->find(at + 3 * kPage).has_value());
  std::memset(at + kPage, 1, 2 * kPage);
}

TEST(MappedMemory, JoinsNeighboursOfTheSameAccess) {
  auto memory = memory_of();
  std::byte* const at = *memory->reserve_addresses(3 * kPage, 0);
  const auto pages = *memory->create_pages(kPage);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(memory->map(at + i * kPage, kPage, pages).has_value());
  ASSERT_TRUE(memory->set_access(at, 2 * kPage, 0, Access::kReadWrite).has_value());
  ASSERT_TRUE(memory->set_access(at + 2 * kPage, kPage, 1, Access::kRead).has_value());
  EXPECT_EQ(memory->find(at + kPage)->size_bytes, 2 * kPage);
  EXPECT_TRUE(memory->find(at)->writable);
  EXPECT_EQ(memory->find(at + 2 * kPage)->size_bytes, kPage);
  EXPECT_FALSE(memory->find(at + 2 * kPage)->writable);
  at[0] = std::byte{42};
  EXPECT_EQ(at[2 * kPage], std::byte{42}) << "one page at three places";
  EXPECT_EQ(memory->access_at(at, 0), Access::kReadWrite);
  EXPECT_EQ(memory->access_at(at, 1), Access::kNone);
}

TEST(MappedMemory, RefusesWhatIsNotWholeOrNotFree) {
  auto memory = memory_of();
  EXPECT_FALSE(memory->reserve_addresses(kPage + 1, 0).has_value());
  EXPECT_FALSE(memory->reserve_addresses(kPage, 3 * kPage).has_value());
  EXPECT_FALSE(memory->create_pages(kCapacity + kPage).has_value());
  std::byte* const at = *memory->reserve_addresses(2 * kPage, 0);
  const auto pages = *memory->create_pages(2 * kPage);
  EXPECT_FALSE(memory->map(at + kPage, 2 * kPage, pages).has_value()) << "over the end";
  EXPECT_FALSE(memory->map(at + 1, kPage, pages).has_value());
  ASSERT_TRUE(memory->map(at, 2 * kPage, pages).has_value());
  EXPECT_FALSE(memory->map(at + kPage, kPage, pages).has_value()) << "mapped already";
  EXPECT_FALSE(memory->unmap(at, kPage).has_value()) << "half a mapping";
  EXPECT_FALSE(memory->release_addresses(at, 2 * kPage).has_value()) << "in use";
  ASSERT_TRUE(memory->unmap(at, 2 * kPage).has_value());
  EXPECT_FALSE(memory->release_addresses(at, kPage).has_value()) << "half a range";
  EXPECT_TRUE(memory->release_addresses(at, 2 * kPage).has_value());
}

TEST(MappedMemory, CountsPagesUntilTheLastUserGoes) {
  auto memory = memory_of();
  std::byte* const at = *memory->reserve_addresses(kPage, 0);
  auto pages = *memory->create_pages(kPage);
  ASSERT_TRUE(memory->map(at, kPage, pages).has_value());
  pages = nullptr;
  EXPECT_EQ(memory->used_bytes(), kPage);
  EXPECT_NE(memory->pages_at(at), nullptr);
  ASSERT_TRUE(memory->unmap(at, kPage).has_value());
  EXPECT_EQ(memory->used_bytes(), 0u);
  EXPECT_EQ(memory->pages_at(at), nullptr);
}

TEST(MappedMemory, TakesAWantedAddressIfItIsFree) {
  auto memory = memory_of();
  std::byte* const first = *memory->reserve_addresses(2 * kPage, 0);
  std::byte* const wanted = first + 64 * kPage;
  EXPECT_EQ(*memory->reserve_addresses(kPage, 0, wanted), wanted);
  EXPECT_NE(*memory->reserve_addresses(kPage, 0, wanted), wanted);
}

TEST(SharedMemory, KeepsItsContentAndShowsThatOfTheOther) {
  auto memory = memory_of();
  std::byte* const own = *memory->allocate(3 * kPage + 5, MemoryKind::kDevice);
  own[3 * kPage] = std::byte{7};
  const auto pages = memory->share(own);
  ASSERT_TRUE(pages.has_value());
  EXPECT_EQ(own[3 * kPage], std::byte{7});
  const auto again = PhysicalMemory::adopt(::dup((*pages)->descriptor()));
  ASSERT_TRUE(again.has_value());
  std::byte* const other = *memory->attach(*again);
  EXPECT_EQ(other[3 * kPage], std::byte{7});
  other[0] = std::byte{9};
  EXPECT_EQ(own[0], std::byte{9});
  EXPECT_EQ(memory->used_bytes(), 4 * kPage) << "attached pages count elsewhere";
  EXPECT_FALSE(memory->free(other).has_value());
  EXPECT_FALSE(memory->detach(own).has_value());
  EXPECT_TRUE(memory->free(own).has_value());
  EXPECT_EQ(other[0], std::byte{9}) << "lives as long as one has it";
  EXPECT_TRUE(memory->detach(other).has_value());
}

}  // namespace
}  // namespace wavetank::machine
