// The installed compiler as hipRTC uses it: a working folder and commands whose output is a log.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::hip::rtc {

class Tools {
 public:
  /// Finds clang-19 and makes the folder. Errors: kUsage, kFileUnreadable.
  static Result<Tools> find();

  const std::filesystem::path& folder() const { return folder_.path(); }
  const std::string& clang() const { return clang_; }
  /// Writes a file below the folder, with the folders it needs. Errors: kUsage for a name that
  /// leads out of the folder, kFileUnreadable.
  Result<std::filesystem::path> write(const std::filesystem::path& name,
                                      std::span<const std::byte> content) const;
  Result<std::filesystem::path> write(const std::filesystem::path& name,
                                      std::string_view content) const;
  /// Runs a command and adds what it prints to `log`; false when it fails.
  static bool run(const std::vector<std::string>& command, std::string& log);
  /// Flags for HIP's headers and the device libraries of a target id. Errors: kUsage.
  Result<std::vector<std::string>> hip_flags(const std::string& target) const;

 private:
  Tools(std::string clang, toolchain::TemporaryFolder folder)
      : clang_(std::move(clang)), folder_(std::move(folder)) {}

  std::string clang_;
  toolchain::TemporaryFolder folder_;
};

}  // namespace wavetank::hip::rtc
