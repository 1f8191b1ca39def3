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
#include "toolchain/hip_toolchain.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::hip::rtc {

class Tools {
 public:
  /// Finds the toolchain and makes the folder. Errors: kUsage, kFileUnreadable.
  static Result<Tools> find();

  const std::filesystem::path& folder() const { return folder_.path(); }
  const toolchain::HipToolchain& toolchain() const { return toolchain_; }
  std::string clang() const { return toolchain_.compiler.clang.string(); }
  /// The state (toolchain/file_state.hpp) of the compiler and of a target's device libraries.
  std::string state(const std::string& target) const;
  /// Writes a file below the folder, with the folders it needs. Errors: kUsage for a name that
  /// leads out of the folder, kFileUnreadable.
  Result<std::filesystem::path> write(const std::filesystem::path& name,
                                      std::span<const std::byte> content) const;
  Result<std::filesystem::path> write(const std::filesystem::path& name,
                                      std::string_view content) const;
  /// Runs a command and adds what it prints to `log`; false when it fails.
  static bool run(const std::vector<std::string>& command, std::string& log);

 private:
  Tools(toolchain::HipToolchain tools, toolchain::TemporaryFolder folder)
      : toolchain_(std::move(tools)), folder_(std::move(folder)) {}

  toolchain::HipToolchain toolchain_;
  toolchain::TemporaryFolder folder_;
};

}  // namespace wavetank::hip::rtc
