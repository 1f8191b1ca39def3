// A launch that can be timed again: a process that stands at the moment before it. Memory, caches
// and clocks are those of that moment, because fork() copies them (on write); whatever the process
// does, the program does not see.
//
//   program --fork--> saved launch --fork--> one answer each, beside each other
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wavetank::hip {

class SavedLaunch {
 public:
  /// Gives the answer to a question; called in a process of its own, which ends with it.
  using Answer = std::function<std::string(std::string_view question)>;

  /// Saves this moment. Returns in this process only; nullptr if the host has no process left.
  static std::unique_ptr<SavedLaunch> save(const Answer& answer);
  ~SavedLaunch();
  SavedLaunch(const SavedLaunch&) = delete;
  SavedLaunch& operator=(const SavedLaunch&) = delete;

  /// The answers, in the order of the questions; nothing for one whose process crashed or took more
  /// than `most` of processor time, and for one of more than 64 KiB. `at_once` are worked at beside
  /// each other. `goes_on` hears now and then how many are there, and says whether to wait for
  /// more.
  std::vector<std::optional<std::string>> ask(const std::vector<std::string>& questions,
                                              unsigned at_once, std::chrono::seconds most,
                                              const std::function<bool(std::size_t)>& goes_on);

 private:
  explicit SavedLaunch(int socket) : socket_(socket) {}

  int socket_;
};

}  // namespace wavetank::hip
