#include "base/futex.hpp"

#include <climits>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace wavetank {
namespace {

static_assert(sizeof(std::atomic<std::uint32_t>) == 4 &&
                  std::atomic<std::uint32_t>::is_always_lock_free,
              "the kernel compares the word as it lies in memory");

/// Every result is fine: EAGAIN (the word had changed), EINTR and ETIMEDOUT let the caller look
/// again.
void sleep(const std::atomic<std::uint32_t>& word, std::uint32_t value, const timespec* longest) {
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, longest, nullptr, 0);
}

}  // namespace

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value) {
  sleep(word, value, nullptr);
}

void futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t value,
                    std::chrono::microseconds longest) {
  constexpr std::int64_t kMicrosecondsInSecond = 1'000'000, kNanosecondsInMicrosecond = 1000;
  const timespec relative{
      .tv_sec = longest.count() / kMicrosecondsInSecond,
      .tv_nsec = longest.count() % kMicrosecondsInSecond * kNanosecondsInMicrosecond};
  sleep(word, value, &relative);
}

void futex_wake_all(const std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace wavetank
