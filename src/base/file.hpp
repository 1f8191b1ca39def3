// Files as bytes: mapped (large libraries are never copied) or read whole.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace wavetank {

/// A file mapped read-only into memory; the mapping ends with the object.
class MappedFile {
 public:
  /// Maps a regular file. An empty file gives empty bytes. Errors: kFileUnreadable.
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// The file's content, valid as long as this object lives.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::span<const std::byte> bytes_;
};

/// The whole content of a regular file. Errors: kFileUnreadable.
Result<std::vector<std::byte>> read_file(const std::string& path);

}  // namespace wavetank
