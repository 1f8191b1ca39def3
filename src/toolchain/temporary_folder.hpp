// A folder for files that live as long as a command.
#pragma once

#include <filesystem>

#include "base/error.hpp"

namespace wavetank::toolchain {

/// Made under $TMPDIR or /tmp, removed with everything in it when the object goes.
class TemporaryFolder {
 public:
  /// Errors: kFileUnreadable when no folder can be made.
  static Result<TemporaryFolder> make();
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace wavetank::toolchain
