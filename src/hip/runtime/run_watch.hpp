// For who waits for a long run: on a terminal a line of stderr says what is under way; when the
// program is interrupted (SIGINT), what is known so far is written before it ends.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace wavetank::hip {

class RunWatch {
 public:
  /// Begins to watch, once for the process. `save` runs in a thread of its own when the process is
  /// interrupted; then the interruption takes its usual course. A program that handles SIGINT
  /// itself is left to it.
  static void start(std::function<void()> save);

  /// Something that takes long, while the object lives. One is shown at a time: the last begun.
  class Work {
   public:
    /// `name` is what is worked at; of `total` `unit`s some are done.
    Work(std::string name, std::string unit, std::uint64_t total);
    ~Work();
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    /// So many are done by now; several threads may say so.
    void did(std::uint64_t done);
    /// One more is.
    void did_one();

   private:
    friend struct Watched;
    const std::string name_, unit_;
    const std::uint64_t total_;
    const std::chrono::steady_clock::time_point begin_;
    std::atomic<std::uint64_t> done_{0};
  };
};

/// The line: "transpose: 1 024 of 4 096 workgroups, 25 %, 512 a second, 6 s left".
std::string progress_text(const std::string& name, const std::string& unit, std::uint64_t done,
                          std::uint64_t total, double seconds);

}  // namespace wavetank::hip
