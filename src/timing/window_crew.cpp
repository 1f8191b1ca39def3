#include "timing/window_crew.hpp"

#include <chrono>

#include "base/futex.hpp"

namespace wavetank::timing {
namespace {

constexpr std::uint64_t kClosed = 0xffffffff;

std::uint32_t piece_of(std::uint64_t ticket) { return static_cast<std::uint32_t>(ticket); }

}  // namespace

bool WindowCrew::work_at(std::uint64_t ticket, std::uint32_t worker) {
  if (piece_of(ticket) >= pieces_.load(std::memory_order_relaxed)) return false;
  const Work& work = *work_.load(std::memory_order_relaxed);
  // A ticket of an earlier round is refused here.
  if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) return true;
  work(piece_of(ticket), worker);
  done_.fetch_add(1, std::memory_order_release);
  return true;
}

void WindowCrew::share(std::uint32_t pieces, const Work& work) {
  const std::uint64_t round = (ticket_.load(std::memory_order_relaxed) >> 32) + 1;
  // Between two rounds nobody gets a piece.
  ticket_.store(round << 32 | kClosed, std::memory_order_seq_cst);
  work_.store(&work, std::memory_order_relaxed);
  pieces_.store(pieces, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  ticket_.store((round + 1) << 32, std::memory_order_release);
  rounds_.fetch_add(1, std::memory_order_seq_cst);
  if (sleeping_.load(std::memory_order_seq_cst) != 0) futex_wake_all(rounds_);
  while (work_at(ticket_.load(std::memory_order_acquire), 0)) {
  }
  const auto all_done = [&] { return done_.load(std::memory_order_acquire) == pieces; };
  if (wait_.until(all_done)) return;
  // A helper's core has other work. Nobody wakes this thread: it looks again in a moment.
  constexpr std::chrono::microseconds kMoment{20};
  while (!all_done()) {
    const std::uint32_t seen = done_.load(std::memory_order_acquire);
    if (seen != pieces) futex_wait_for(done_, seen, kMoment);
  }
}

void WindowCrew::help() {
  const std::uint32_t worker = workers_.fetch_add(1);
  if (worker >= kMostWorkers) return;
  while (!dismissed_.load(std::memory_order_acquire)) {
    const std::uint32_t round = rounds_.load(std::memory_order_seq_cst);
    while (work_at(ticket_.load(std::memory_order_acquire), worker)) {
    }
    const auto goes_on = [&] {
      return rounds_.load(std::memory_order_acquire) != round || dismissed_.load();
    };
    if (look_.until(goes_on)) continue;
    sleeping_.fetch_add(1, std::memory_order_seq_cst);
    if (!goes_on()) futex_wait(rounds_, round);
    sleeping_.fetch_sub(1, std::memory_order_seq_cst);
  }
}

void WindowCrew::dismiss() {
  dismissed_.store(true, std::memory_order_seq_cst);
  rounds_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake_all(rounds_);
}

}  // namespace wavetank::timing
