#include "execute/jit/code_memory.hpp"

#include <sys/mman.h>

#include <utility>

namespace wavetank::execute::jit {
namespace {

constexpr std::size_t kPage = 4096;

std::size_t whole_pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

CodeMemory::CodeMemory(std::size_t bytes) : bytes_(whole_pages(bytes)) {
  void* const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) begin_ = static_cast<std::uint8_t*>(memory);
}

CodeMemory::CodeMemory(CodeMemory&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), bytes_(other.bytes_) {}

CodeMemory::~CodeMemory() {
  if (begin_ != nullptr) munmap(begin_, bytes_);
}

bool CodeMemory::seal(std::size_t used) {
  used = whole_pages(used);
  munmap(begin_ + used, bytes_ - used);
  bytes_ = used;
  return mprotect(begin_, used, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace wavetank::execute::jit
