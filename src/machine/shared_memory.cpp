// Allocations whose pages several processes see.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "machine/device_memory.hpp"
#include "machine/page_table.hpp"

namespace wavetank::machine {
namespace {

/// Puts pages at an address in place of what is there, at once and as a whole.
Result<void> place(std::uint64_t address, std::uint64_t size_bytes, const PhysicalMemory& pages) {
  void* const at = reinterpret_cast<void*>(address);
  const int flags = MAP_SHARED | MAP_FIXED | MAP_NORESERVE;
  if (::mmap(at, size_bytes, PROT_READ | PROT_WRITE, flags, pages.descriptor(), 0) != MAP_FAILED) {
    return {};
  }
  return fail(ErrorCode::kOutOfMemory,
              fmt::format("the host refused to map memory: {}", std::strerror(errno)));
}

/// Which pages of this process were ever touched, read from /proc/self/pagemap (a word for each
/// page; bit 63: present, bit 62: swapped out). Where that cannot be read, every page counts.
class TouchedPages {
 public:
  TouchedPages() : file_(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~TouchedPages() {
    if (file_ >= 0) ::close(file_);
  }
  TouchedPages(const TouchedPages&) = delete;
  TouchedPages& operator=(const TouchedPages&) = delete;

  bool contains(std::uint64_t address) {
    const std::uint64_t page = address / kPageBytes;
    if (page < first_ || page - first_ >= count_) read_from(page);
    if (page - first_ >= count_) return true;
    return (words_[page - first_] >> 62) != 0;
  }

 private:
  void read_from(std::uint64_t page) {
    const auto position = static_cast<off_t>(page * sizeof(std::uint64_t));
    const ssize_t got = ::pread(file_, words_.data(), sizeof words_, position);
    first_ = page;
    count_ = got > 0 ? static_cast<std::uint64_t>(got) / sizeof(std::uint64_t) : 0;
  }

  int file_;
  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;
  std::array<std::uint64_t, 4096> words_;
};

/// Copies what is not zero, so that untouched pages stay uncommitted.
Result<void> copy_content(const std::byte* content, std::uint64_t size_bytes,
                          const PhysicalMemory& pages) {
  static constexpr std::array<std::byte, kPageBytes> kZeros{};
  TouchedPages touched;
  for (std::uint64_t at = 0; at < size_bytes; at += kPageBytes) {
    if (!touched.contains(number_of(content + at))) continue;
    if (std::memcmp(content + at, kZeros.data(), kPageBytes) == 0) continue;
    const auto position = static_cast<off_t>(at);
    if (::pwrite(pages.descriptor(), content + at, kPageBytes, position) !=
        static_cast<ssize_t>(kPageBytes)) {
      return fail(ErrorCode::kOutOfMemory,
                  fmt::format("the host refused memory that can be shared: {}",
                              std::strerror(errno)));
    }
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<PhysicalMemory>> DeviceMemory::share(void* address) {
  const std::unique_lock lock(mutex_);
  const auto found = allocations_.find(number_of(address));
  if (found == allocations_.end()) {
    return fail(ErrorCode::kUsage, fmt::format("{} is no allocation", fmt::ptr(address)));
  }
  if (const auto shared = shared_.find(found->first); shared != shared_.end()) {
    return shared->second;
  }
  const std::uint64_t rounded_bytes = align_up(found->second.size_bytes, kPageBytes);
  auto pages = PhysicalMemory::create(rounded_bytes);
  if (!pages) return pages;
  const auto copied = copy_content(found->second.address, rounded_bytes, **pages);
  if (!copied) return tl::unexpected(copied.error());
  const auto placed = place(found->first, rounded_bytes, **pages);
  if (!placed) return tl::unexpected(placed.error());
  shared_.emplace(found->first, *pages);
  return pages;
}

Result<std::byte*> DeviceMemory::attach(const std::shared_ptr<PhysicalMemory>& pages, int device) {
  const std::unique_lock lock(mutex_);
  if (!known_device(device)) {
    return fail(ErrorCode::kUsage, fmt::format("there is no device {}", device));
  }
  const std::uint64_t size_bytes = pages->size_bytes();
  Range& range = range_of(MemoryKind::kDevice, device);
  const std::uint64_t address = range.take(size_bytes + kPageBytes, kPageBytes);
  if (address == 0) {
    return fail(ErrorCode::kOutOfMemory, "the address space has no place for shared memory");
  }
  if (const auto placed = place(address, size_bytes, *pages); !placed) {
    range.give_back(address, size_bytes + kPageBytes);
    return tl::unexpected(placed.error());
  }
  auto* memory = reinterpret_cast<std::byte*>(address);
  allocations_.emplace(address, Allocation{.address = memory,
                                           .size_bytes = size_bytes,
                                           .kind = MemoryKind::kDevice,
                                           .device = device,
                                           .attached = true});
  shared_.emplace(address, pages);
  return memory;
}

Result<void> DeviceMemory::detach(void* address) {
  const std::unique_lock lock(mutex_);
  const auto found = allocations_.find(number_of(address));
  if (found == allocations_.end() || !found->second.attached) {
    return fail(ErrorCode::kUsage,
                fmt::format("{} is no memory of another process", fmt::ptr(address)));
  }
  const std::uint64_t size_bytes = found->second.size_bytes;
  decommit(found->first, size_bytes);
  range_of(MemoryKind::kDevice, found->second.device)
      .give_back(found->first, size_bytes + kPageBytes);
  shared_.erase(found->first);
  allocations_.erase(found);
  return {};
}

}  // namespace wavetank::machine
