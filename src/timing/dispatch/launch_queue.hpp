// When launches start: the command processor prepares the next packet of a queue while a kernel
// runs.
#pragma once

#include <algorithm>

namespace wavetank::timing {

struct LaunchSpec {
  double start_ns;     ///< from the packet to the first wave, when nothing ran before
  double end_ns;       ///< from the last wave to the completion signal
  double interval_ns;  ///< between the starts of two launches of a queue, at least
  double turnover_ns;  ///< from the end of a kernel to the start of the one behind it
};

class LaunchQueue {
 public:
  explicit LaunchQueue(const LaunchSpec& spec) : spec_(spec) {}

  /// A queue whose device has done what that of another one has.
  LaunchQueue(const LaunchSpec& spec, const LaunchQueue& other) : LaunchQueue(other) {
    spec_ = spec;
  }

  /// When the device has signalled the end of all that it was asked for.
  double now_ns() const { return now_ns_; }
  /// When the first wave of the next launch may start.
  double next_start_ns() const {
    if (is_idle_) return now_ns_ + spec_.start_ns;
    return std::max(last_start_ns_ + spec_.interval_ns, kernel_end_ns() + spec_.turnover_ns);
  }
  /// Time between the end of the kernel before (or the packet) and the next one's start, and
  /// between its end and what the signal lies later: what it costs to be a launch.
  double overhead_ns() const { return next_start_ns() - now_ns_ + spec_.end_ns; }
  /// The next launch ran so long, from its first to its last wave.
  void run(double kernel_ns) {
    last_start_ns_ = next_start_ns();
    now_ns_ = last_start_ns_ + kernel_ns + spec_.end_ns;
    is_idle_ = false;
  }
  /// The device does something else for so long; no packet is prepared meanwhile.
  void pass(double ns) {
    now_ns_ += ns;
    is_idle_ = true;
  }

 private:
  double kernel_end_ns() const { return now_ns_ - spec_.end_ns; }

  LaunchSpec spec_;
  double now_ns_ = 0, last_start_ns_ = 0;
  bool is_idle_ = true;
};

}  // namespace wavetank::timing
