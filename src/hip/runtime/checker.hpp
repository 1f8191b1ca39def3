// Launches of a process under `wavetank check`: each is listened to, and what is found goes into
// the file that the command reads.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "check/diagnosis.hpp"
#include "check/launch_check.hpp"
#include "dispatch/listened_launch.hpp"
#include "machine/wait_states.hpp"
#include "target/device.hpp"

namespace wavetank::hip {

/// All devices of the process share one; launches are checked one after the other.
class Checker {
 public:
  /// Findings go to the file, which may begin with edges.
  explicit Checker(std::string path);

  /// Runs a launch under the checks. Errors: as Engine::run; what is found is no error.
  Result<void> run(dispatch::Engine& engine, const target::Device& device,
                   const dispatch::Launch& launch);
  /// Writes how often everything was found. Errors: kFileUnreadable.
  Result<void> finish();

 private:
  Result<void> keep(const check::Diagnosis& diagnosis);
  Result<void> keep(const check::LaunchCheck& listener, const dispatch::ListenedLaunch& launch);
  const machine::WaitStates* early_rules(const dispatch::ListenedLaunch& launch,
                                         const target::Device& device);

  const std::string path_;
  std::vector<check::Edge> edges_;
  std::mutex mutex_;
  check::Memory memory_;
  std::map<std::string, std::optional<machine::WaitStates>> wait_states_;  ///< by device
  std::map<std::uint64_t, bool> uses_results_early_;  ///< by ListenedLaunch::translation()
  std::map<std::string, std::uint64_t> launches_;     ///< by the kernel's name
  std::map<std::string, std::size_t> known_;          ///< text of a diagnosis's places -> index
  std::vector<std::uint64_t> counts_;
};

}  // namespace wavetank::hip
