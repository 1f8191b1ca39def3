#include "toolchain/cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "toolchain/digest.hpp"
#include "toolchain/file_state.hpp"
#include "unit/toolchain/folder.hpp"

namespace wavetank::toolchain {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Makes a file look as if it had been used some hours ago.
void age(const fs::path& file, int hours) {
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
}

TEST(Cache, GivesWhatWasStoredUnderAName) {
  const Folder folder;
  const Cache cache(folder.path());
  EXPECT_EQ(cache.find("a.code"), std::nullopt);
  ASSERT_TRUE(cache.store("a.code", "first"));
  ASSERT_TRUE(cache.store("a.code", "second"));
  EXPECT_EQ(text_of(cache.find("a.code").value()), "second");
  EXPECT_EQ(cache.size_bytes(), 6u);
}

TEST(Cache, NeverShowsHalfAFileToOthers) {
  const Folder folder;
  const Cache cache(folder.path());
  std::vector<std::jthread> writers;
  for (char c : {'a', 'b', 'c'}) {
    writers.emplace_back([&cache, c] {
      for (int i = 0; i < 50; ++i) cache.store("x", std::string(5000, c));
    });
  }
  for (int i = 0; i < 200; ++i) {
    const std::string text = text_of(cache.path_of("x"));
    if (text.empty()) continue;
    EXPECT_EQ(text, std::string(5000, text.front()));
  }
}

TEST(Cache, KeepsATextAsItWasFirstWritten) {
  const Folder folder;
  const Cache cache(folder.path());
  const auto first = cache.keep("h", "text");
  ASSERT_TRUE(first);
  const auto written = fs::last_write_time(*first);
  EXPECT_EQ(cache.keep("h", "text"), first);
  EXPECT_EQ(fs::last_write_time(*first), written);
  cache.trim(0);
  EXPECT_TRUE(fs::exists(*first));
}

TEST(Cache, TrimsWhatWasUsedTheLongestAgo) {
  const Folder folder;
  const Cache cache(folder.path());
  for (const char* name : {"old", "older", "used"}) cache.store(name, std::string(10, 'x'));
  age(cache.path_of("old"), 2);
  age(cache.path_of("older"), 3);
  age(cache.path_of("used"), 4);
  ASSERT_TRUE(cache.find("used"));
  cache.trim(20);
  EXPECT_TRUE(cache.find("used"));
  EXPECT_TRUE(cache.find("old"));
  EXPECT_FALSE(cache.find("older"));
}

TEST(Cache, TrimsDraftsOfProcessesThatDied) {
  const Folder folder;
  const Cache cache(folder.path());
  const fs::path fresh = cache.draft("a");
  const fs::path left = cache.draft("b");
  std::ofstream(fresh) << "x";
  std::ofstream(left) << "x";
  age(left, 3);
  cache.trim(1 << 20);
  EXPECT_TRUE(fs::exists(fresh));
  EXPECT_FALSE(fs::exists(left));
}

TEST(Cache, IsWhereTheVariablesSay) {
  const Folder folder;
  setenv("WAVETANK_CACHE", (folder.path() / "own" / "deep").c_str(), 1);
  EXPECT_TRUE(Cache::open());
  EXPECT_TRUE(fs::is_directory(folder.path() / "own" / "deep"));
  setenv("WAVETANK_CACHE", "off", 1);
  EXPECT_FALSE(Cache::open());
  unsetenv("WAVETANK_CACHE");
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  EXPECT_EQ(Cache::place(), folder.path() / "wavetank");
  unsetenv("XDG_CACHE_HOME");
}

TEST(Cache, IsAbsentWhereNoFolderCanBeMade) {
  const Folder folder;
  const fs::path file = folder.write("file", std::string("x"));
  setenv("WAVETANK_CACHE", (file / "below").c_str(), 1);
  EXPECT_FALSE(Cache::open());
  unsetenv("WAVETANK_CACHE");
}

TEST(Digest, KeepsPartsApart) {
  EXPECT_NE(Digest().add("ab").add("c").hex(), Digest().add("a").add("bc").hex());
  EXPECT_EQ(Digest().add("ab").hex(), Digest().add("ab").hex());
  // The offset basis of RFC 9923.
  EXPECT_EQ(Digest().hex(), "6c62272e07bb014262b821756295c58d");
}

TEST(FileStates, HoldUntilAFileChanges) {
  const Folder folder;
  const fs::path file = folder.write("with space.h", std::string("text"));
  const std::string states = states_of({file, folder.path() / "missing.h"});
  EXPECT_TRUE(states_hold(states));
  age(file, 1);
  EXPECT_FALSE(states_hold(states));
  const std::string without = states_of({folder.path() / "missing.h"});
  folder.write("missing.h", std::string());
  EXPECT_FALSE(states_hold(without));
}

TEST(Dependencies, AreReadFromACompilersRule) {
  const Folder folder;
  const fs::path rule =
      folder.write("d", std::string("output: /a/b.h \\\n  /c\\ d.h \\\n  /$$e.h\n"));
  EXPECT_THAT(read_dependencies(rule), ElementsAre("/a/b.h", "/c d.h", "/$e.h"));
  EXPECT_TRUE(read_dependencies(folder.path() / "none").empty());
}

}  // namespace
}  // namespace wavetank::toolchain
