#include "machine/physical_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "machine/page_table.hpp"

namespace wavetank::machine {
Result<std::shared_ptr<PhysicalMemory>> PhysicalMemory::create(std::size_t size_bytes,
                                                               std::function<void()> released) {
  const int descriptor = ::memfd_create("wavetank-device-memory", MFD_CLOEXEC);
  if (descriptor < 0 || ::ftruncate(descriptor, static_cast<off_t>(size_bytes)) != 0) {
    const int reason = errno;
    if (descriptor >= 0) ::close(descriptor);
    return fail(
        ErrorCode::kOutOfMemory,
        fmt::format("the host refused memory that can be shared: {}", std::strerror(reason)));
  }
  return std::shared_ptr<PhysicalMemory>(
      new PhysicalMemory(descriptor, size_bytes, std::move(released)));
}

Result<std::shared_ptr<PhysicalMemory>> PhysicalMemory::adopt(int descriptor) {
  struct stat status{};
  const bool known = ::fstat(descriptor, &status) == 0;
  const auto size_bytes = static_cast<std::size_t>(status.st_size);
  if (!known || !S_ISREG(status.st_mode) || size_bytes == 0 || size_bytes % kPageBytes != 0) {
    if (known) ::close(descriptor);
    return fail(ErrorCode::kUsage, "the descriptor is no device memory");
  }
  return std::shared_ptr<PhysicalMemory>(new PhysicalMemory(descriptor, size_bytes, nullptr));
}

PhysicalMemory::~PhysicalMemory() {
  ::close(descriptor_);
  if (released_) released_();
}

}  // namespace wavetank::machine
