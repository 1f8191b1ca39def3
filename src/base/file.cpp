#include "base/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace wavetank {
namespace {

/// Closes a file descriptor at the end of a scope.
struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

tl::unexpected<Error> unreadable(const std::string& path, const std::string& reason) {
  return fail(ErrorCode::kFileUnreadable, "cannot read " + path + ": " + reason, path);
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) return unreadable(path, std::strerror(errno));
  struct stat status {};
  if (::fstat(file.number, &status) != 0) return unreadable(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return unreadable(path, "it is not a regular file");
  const auto size_bytes = static_cast<std::size_t>(status.st_size);
  if (size_bytes == 0) return std::shared_ptr<const MappedFile>(new MappedFile({}));
  void* address = ::mmap(nullptr, size_bytes, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (address == MAP_FAILED) return unreadable(path, std::strerror(errno));
  return std::shared_ptr<const MappedFile>(
      new MappedFile({static_cast<const std::byte*>(address), size_bytes}));
}

MappedFile::~MappedFile() {
  if (bytes_.empty()) return;
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

Result<std::vector<std::byte>> read_file(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  const auto bytes = (*file)->bytes();
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

}  // namespace wavetank
