#include "hip/runtime/run_watch.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <thread>

namespace wavetank::hip {

/// What the process works at.
struct Watched {
  std::mutex mutex;
  const RunWatch::Work* last = nullptr;  ///< that began, while it lives
  bool shown = false;

  void show();
};

namespace {

/// Never destroyed, because the thread that reads it is not either.
Watched& watched() {
  static auto* const all = new Watched;
  return *all;
}

int interrupted_fd = -1;

void on_interrupt(int) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(interrupted_fd, &one, sizeof one);
}

void print_line(const std::string& text) {
  // From the line's beginning, to its end.
  std::fprintf(stderr, "\r%s\033[K", text.c_str());
  std::fflush(stderr);
}

void watch(const std::function<void()>& save) {
  constexpr int kPeriodMilliseconds = 500;
  const bool on_terminal = ::isatty(STDERR_FILENO) == 1;
  for (;;) {
    pollfd event{interrupted_fd, POLLIN, 0};
    if (::poll(&event, 1, on_terminal ? kPeriodMilliseconds : -1) > 0) break;
    if (on_terminal) watched().show();
  }
  save();
  std::signal(SIGINT, SIG_DFL);
  ::kill(::getpid(), SIGINT);
}

bool handles_interrupts_itself() {
  struct sigaction action = {};
  return ::sigaction(SIGINT, nullptr, &action) != 0 || action.sa_handler != SIG_DFL;
}

}  // namespace

void Watched::show() {
  constexpr double kSoonSeconds = 1;
  const std::lock_guard lock(mutex);
  if (last == nullptr) return;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - last->begin_).count();
  if (seconds < kSoonSeconds) return;
  shown = true;
  print_line("  " + progress_text(last->name_, last->unit_, last->done_, last->total_, seconds));
}

void RunWatch::start(std::function<void()> save) {
  static std::atomic<bool> started{false};
  if (started.exchange(true)) return;
  interrupted_fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (interrupted_fd < 0) return;
  if (!handles_interrupts_itself()) std::signal(SIGINT, on_interrupt);
  // Signals of the program go to its own threads.
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  std::thread(watch, std::move(save)).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

RunWatch::Work::Work(std::string name, std::string unit, std::uint64_t total)
    : name_(std::move(name)),
      unit_(std::move(unit)),
      total_(total),
      begin_(std::chrono::steady_clock::now()) {
  Watched& all = watched();
  const std::lock_guard lock(all.mutex);
  all.last = this;
}

RunWatch::Work::~Work() {
  Watched& all = watched();
  const std::lock_guard lock(all.mutex);
  if (all.last != this) return;
  all.last = nullptr;
  if (all.shown) print_line("");
  all.shown = false;
}

void RunWatch::Work::did(std::uint64_t done) { done_ = done; }
void RunWatch::Work::did_one() { done_.fetch_add(1, std::memory_order_relaxed); }

std::string progress_text(const std::string& name, const std::string& unit, std::uint64_t done,
                          std::uint64_t total, double seconds) {
  constexpr std::size_t kNameBytes = 40;
  std::string text = name.substr(0, name.find('(')).substr(0, kNameBytes);
  text +=
      fmt::format(": {} of {} {}, {} %", done, total, unit, total == 0 ? 0 : 100 * done / total);
  if (done == 0 || seconds <= 0) return text;
  const double rate = static_cast<double>(done) / seconds;
  const double left = static_cast<double>(total - std::min(done, total)) / rate;
  return text + fmt::format(", {:.3g} a second, {:.0f} s left", rate, left);
}

}  // namespace wavetank::hip
