#include "timing/window_crew.hpp"

#include <algorithm>
#include <chrono>

#include "base/futex.hpp"

namespace wavetank::timing {
namespace {

constexpr std::uint64_t kClosed = 0xffffffff;

std::uint32_t piece_of(std::uint64_t ticket) { return static_cast<std::uint32_t>(ticket); }

}  // namespace

void WindowCrew::work_on(Share& share, std::uint32_t worker) {
  std::uint64_t ticket = share.ticket.load(std::memory_order_acquire);
  while (piece_of(ticket) < share.end.load(std::memory_order_relaxed)) {
    const Work& work = *work_.load(std::memory_order_relaxed);
    // A ticket of an earlier round is refused here.
    if (!share.ticket.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel))
      continue;
    work(piece_of(ticket), worker);
    done_.fetch_add(1, std::memory_order_release);
    ticket = share.ticket.load(std::memory_order_acquire);
  }
}

void WindowCrew::work(std::uint32_t worker) {
  const std::uint32_t parts = parts_.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < parts; ++i) work_on(shares_[(worker + i) % parts], worker);
}

void WindowCrew::share(std::uint32_t pieces, const Work& work_of_round) {
  const std::uint32_t parts = std::min(workers_.load(std::memory_order_relaxed), kMostWorkers);
  ++round_;
  // Between two rounds nobody gets a piece.
  for (std::uint32_t i = 0; i < parts; ++i) {
    shares_[i].ticket.store(std::uint64_t{round_} << 32 | kClosed, std::memory_order_seq_cst);
  }
  ++round_;
  work_.store(&work_of_round, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  parts_.store(parts, std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < parts; ++i) {
    const auto begin_of = [&](std::uint64_t part) { return std::uint64_t{pieces} * part / parts; };
    shares_[i].end.store(static_cast<std::uint32_t>(begin_of(i + 1)), std::memory_order_relaxed);
    shares_[i].ticket.store(std::uint64_t{round_} << 32 | begin_of(i), std::memory_order_release);
  }
  rounds_.fetch_add(1, std::memory_order_seq_cst);
  if (sleeping_.load(std::memory_order_seq_cst) != 0) futex_wake_all(rounds_);
  work(0);
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
    work(worker);
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
