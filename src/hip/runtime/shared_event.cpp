#include "hip/runtime/shared_event.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace wavetank::hip {
namespace {

constexpr std::size_t kPageBytes = 4096;

}  // namespace

/// Lies at the start of the shared page; zeros are a new event.
struct SharedEvent::Counters {
  std::atomic<std::uint64_t> recorded;
  std::atomic<std::uint64_t> completed;
};

std::shared_ptr<SharedEvent> SharedEvent::map(int descriptor) {
  void* page = ::mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (page == MAP_FAILED) {
    ::close(descriptor);
    return nullptr;
  }
  return std::shared_ptr<SharedEvent>(new SharedEvent(descriptor, static_cast<Counters*>(page)));
}

std::shared_ptr<SharedEvent> SharedEvent::create() {
  const int descriptor = ::memfd_create("wavetank-event", MFD_CLOEXEC);
  if (descriptor < 0) return nullptr;
  if (::ftruncate(descriptor, kPageBytes) == 0) return map(descriptor);
  ::close(descriptor);
  return nullptr;
}

std::shared_ptr<SharedEvent> SharedEvent::open(const SharedObject& object) {
  if (object.size_bytes != kPageBytes) return nullptr;
  const int descriptor = open_descriptor(object);
  return descriptor < 0 ? nullptr : map(descriptor);
}

SharedEvent::~SharedEvent() {
  ::munmap(counters_, kPageBytes);
  ::close(descriptor_);
}

std::uint64_t SharedEvent::record() { return counters_->recorded.fetch_add(1) + 1; }

void SharedEvent::complete(std::uint64_t number) {
  std::uint64_t before = counters_->completed.load();
  while (before < number && !counters_->completed.compare_exchange_weak(before, number)) {
  }
}

std::uint64_t SharedEvent::recorded() const { return counters_->recorded.load(); }

bool SharedEvent::done(std::uint64_t number) const { return counters_->completed.load() >= number; }

void SharedEvent::wait(std::uint64_t number) const {
  while (!done(number)) std::this_thread::sleep_for(std::chrono::microseconds(20));
}

}  // namespace wavetank::hip
