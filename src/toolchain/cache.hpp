// The folder where results of the compiler are kept between programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace wavetank::toolchain {

/// Files under names that say what they were made of (a Digest). Several processes may use the
/// folder at once: a file appears whole under its name or not at all. Whoever finds no folder works
/// without.
class Cache {
 public:
  /// Where the cache is: $WAVETANK_CACHE, else $XDG_CACHE_HOME/wavetank, else ~/.cache/wavetank.
  /// Absent when WAVETANK_CACHE is "off" or no variable names a folder.
  static std::optional<std::filesystem::path> place();
  /// The cache there, its folder made if need be; absent when it cannot be written.
  static std::optional<Cache> open();

  explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The file of this name, marked as used now; absent if there is none.
  std::optional<std::filesystem::path> find(const std::string& name) const;
  /// Where a file of this name goes, there or not.
  std::filesystem::path path_of(const std::string& name) const { return folder_ / name; }
  /// A new name in the folder to write a file under before it is published.
  std::filesystem::path draft(const std::string& name) const;
  /// Gives a finished draft its name, over an older file; removes the draft when that fails.
  bool publish(const std::filesystem::path& draft, const std::string& name) const;
  /// draft and publish of a text.
  bool store(const std::string& name, std::string_view content) const;
  /// The path of a text that is stored unless it is there; absent when that fails. Such a file is
  /// never replaced, and trim keeps it: precompiled headers refer to their source and compare its
  /// time.
  std::optional<std::filesystem::path> keep(const std::string& name,
                                            std::string_view content) const;

  /// The size of all files in bytes.
  std::uint64_t size_bytes() const;
  /// Removes the files that were used the longest ago until at most `limit_bytes` are left, and
  /// drafts of processes that died; not those of keep, a few kilobytes for each version of
  /// Wavetank.
  void trim(std::uint64_t limit_bytes) const;

 private:
  std::filesystem::path folder_;
};

/// What the folder may hold: some fifty precompiled headers and thousands of kernels.
constexpr std::uint64_t kCacheLimitBytes = 256ull << 20;

}  // namespace wavetank::toolchain
