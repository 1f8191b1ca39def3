#include "toolchain/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace wavetank::toolchain {

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code error;
  std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error) parent = "/tmp";
  std::string pattern = (parent / "wavetank-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    return fail(ErrorCode::kFileUnreadable,
                "cannot make a temporary folder: " + std::string(std::strerror(errno)), pattern);
  }
  return TemporaryFolder(pattern);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace wavetank::toolchain
