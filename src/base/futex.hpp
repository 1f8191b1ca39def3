// A word that threads of this process sleep on in the kernel (futex(2)).
//
// std::atomic::wait of libstdc++ (bits/atomic_wait.h) calls sched_yield four times before it
// sleeps. Linux counts a yield as a whole time slice (kernel/sched/fair.c, yield_task_fair), so
// that on busy cores each costs some milliseconds. Nothing here yields.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace wavetank {

/// Sleeps while `word` holds `value`. May return early: the caller looks at the word again.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value);
/// The same for no longer than `longest`, and the host's timer slack (50 us on Linux).
void futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t value,
                    std::chrono::microseconds longest);
/// Wakes all that sleep on `word`. Only the word's address is used.
void futex_wake_all(const std::atomic<std::uint32_t>& word);

}  // namespace wavetank
