// Whatever the bytes, reading them gives a value or an error: no crash, no endless loop, no giant
// allocation. The sanitize preset makes these tests sharp.
#include <gtest/gtest.h>

#include <random>

#include "code_object/bundle.hpp"
#include "code_object/code_object.hpp"
#include "code_object/loader.hpp"
#include "fixtures.hpp"

namespace wavetank::code_object {
namespace {

constexpr std::size_t kMaxLoadBytes = std::size_t{1} << 20;

/// Loads into a buffer that is just large enough, so that a write outside of it is found.
void load_all(std::span<const std::byte> image) {
  std::vector<std::byte> memory;
  LoadServices services;
  services.allocate = [&memory](std::size_t size_bytes) -> std::byte* {
    if (size_bytes > kMaxLoadBytes) return nullptr;
    memory.assign(size_bytes, std::byte{0});
    return memory.data();
  };
  services.resolve = [](std::string_view name) -> std::uint64_t { return name.size(); };
  const auto loaded = load(image, services);
  if (!loaded) return;
  for (const Kernel& kernel : (*loaded)->object.kernels) {
    ASSERT_LT(kernel.entry_address, memory.size());
    ASSERT_LE(kernel.descriptor_address + 64, memory.size());
  }
  for (const Symbol& symbol : (*loaded)->object.symbols) {
    ASSERT_LE(symbol.address + symbol.size_bytes, memory.size());
  }
}

void read_all(std::span<const std::byte> bytes) {
  const auto bundle = read_bundle(bytes);
  if (!bundle) return;
  for (const BundleEntry& entry : bundle->entries) {
    if (!entry.is_host) load_all(entry.image);
  }
}

/// A copy of exactly the bytes, so that a read beyond them is found.
std::vector<std::byte> copy_of(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

class HostileBytes : public testing::TestWithParam<const char*> {};

TEST_P(HostileBytes, EveryTruncationGivesAnError) {
  const auto image = fixture(GetParam());
  for (std::size_t size = 0; size < image.size(); ++size) {
    const auto bytes = copy_of(std::span(image).first(size));
    ASSERT_FALSE(read_bundle(bytes)) << size;
    read_all(bytes);
    load_all(bytes);
  }
}

TEST_P(HostileBytes, BitFlipsNeverCrash) {
  const auto image = fixture(GetParam());
  std::mt19937_64 random(1);
  for (int round = 0; round < 4000; ++round) {
    auto bytes = image;
    const int flips = 1 + static_cast<int>(random() % 4);
    for (int flip = 0; flip < flips; ++flip) {
      bytes[random() % bytes.size()] ^= std::byte(1u << random() % 8);
    }
    read_all(bytes);
  }
}

TEST_P(HostileBytes, WildNumbersNeverCrash) {
  const auto image = fixture(GetParam());
  constexpr std::uint64_t kWild[] = {0, 1, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, ~0ull};
  std::mt19937_64 random(2);
  // Headers, notes and tables stand in the first bytes; the rest is mostly code.
  const std::size_t interesting = std::min<std::size_t>(image.size(), 4096);
  for (std::size_t at = 0; at + 8 <= interesting; at += 2) {
    for (const std::uint64_t value : {kWild[random() % 6], kWild[random() % 6] - random() % 64}) {
      auto bytes = image;
      std::memcpy(bytes.data() + at, &value, random() % 2 == 0 ? 8 : 4);
      read_all(bytes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, HostileBytes,
                         testing::Values("gfx90a_v5.co", "preload.co", "gnu_hash.co", "notes.co",
                                         "compressed.hipfb"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace wavetank::code_object
