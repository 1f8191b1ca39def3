// Launches of a process under `wavetank check`: each is listened to, and what is found goes into
// the file that the command reads.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/describe.hpp"
#include "check/describe_fence.hpp"
#include "check/diagnosis.hpp"
#include "check/launch_check.hpp"
#include "check/undefined/handed_out.hpp"
#include "dispatch/engine.hpp"
#include "dispatch/listened_launch.hpp"
#include "hip/runtime/checked/closed_pages.hpp"
#include "hip/runtime/checked/host_order.hpp"
#include "hip/runtime/checked/program_memory.hpp"
#include "hip/runtime/operation.hpp"
#include "machine/wait_states.hpp"
#include "target/device.hpp"

namespace wavetank::hip {

/// All devices of the process share one.
class Checker {
 public:
  /// Findings go to the file, which may begin with edges.
  Checker(std::string path, const machine::DeviceMemory& memory);

  /// Runs a launch under the checks. Errors: as Engine::run; what is found is no error.
  Result<void> run(dispatch::Engine& engine, const target::Device& device,
                   const dispatch::Launch& launch);
  /// Remembers what the operation that this thread executes touched of the devices' memory, and
  /// tells what it conflicts with.
  void note(const check::TouchedRanges& ranges);
  HostOrder& order() { return order_; }
  ProgramMemory& program_memory() { return program_memory_; }
  /// True if a fault at the address may be one of a page that is or was closed to the host.
  bool owns_fault(std::uint64_t address);
  /// Opens a page, which the runtime or a device comes to.
  void open_page(std::uint64_t address);
  /// The host's own code comes to a closed page. True if the page is open for this access only.
  bool note_host_access(std::uint64_t address, bool writes, std::uint64_t instruction);
  void close_page_again(std::uint64_t address);
  /// Calls a function of the program for the operation that this thread executes. What it touches
  /// is looked at as the operation's.
  void call_program(const std::function<void()>& call);
  /// Device memory was handed out: nothing in it is defined.
  void on_fresh_memory(const void* address, std::uint64_t bytes);
  /// The runtime has memory of its own in which the host orders what waves store.
  void on_own_memory(const void* address);
  /// What is written there from now on is not the program's, or is seen by nobody.
  void on_defined_memory(const void* address, std::uint64_t bytes);
  /// A copy or fill is about to run. What the host gets is looked at.
  void on_copy(const CopyOperation& copy);
  void on_fill(const FillOperation& fill);
  /// Writes how often everything was found. Errors: kFileUnreadable.
  Result<void> finish();

 private:
  /// What the code of a kernel may do.
  struct CodeFacts {
    /// The device's, if a result may be used too early on some path; else null.
    const machine::WaitStates* wait_states = nullptr;
    bool is_led_by_data = false;      ///< check/data_dependence.hpp
    bool may_seed_by_memory = false;  ///< check/guesses.hpp
  };
  /// What is remembered of memory during a launch, of one that runs now.
  class Lent;
  Result<void> keep(const check::Diagnosis& diagnosis);
  void keep(const check::Conflict& conflict);
  std::vector<dispatch::SteppedInstruction> described(const dispatch::ListenedLaunch& launch,
                                                      const std::vector<std::uint32_t>& sites);
  void add_places(const check::Finding& finding, check::Diagnosis& diagnosis) const;
  void close_pages(const check::TouchedRange& range, const ProgramObject& object);
  bool is_told(const check::Conflict& conflict) const;
  void learned();
  bool is_about_the_runtime(const check::Finding& finding) const;
  Result<void> keep(const check::LaunchCheck& listener, const dispatch::ListenedLaunch& launch);
  bool is_seen_by_others(const check::TouchedRanges& touched) const;
  void note_fences(const check::FenceUses& fences, const dispatch::ListenedLaunch& launch,
                   const target::Device& device, const check::TouchedRanges& touched);
  void note_sources(const dispatch::ListenedLaunch& launch);
  const machine::WaitStates* wait_states(const target::Device& device);
  CodeFacts code_facts(const dispatch::ListenedLaunch& launch, const target::Device& device);
  check::LaunchFacts launch_facts(const dispatch::ListenedLaunch& launch,
                                  const target::Device& device);

  /// Where a kernel stored something undefined.
  struct StoreWords {
    check::LaunchWords launch;
    check::InstructionWords load, store;
  };
  void remember_stores(std::uint32_t first, const dispatch::ListenedLaunch& launch);
  void tell_handed_out(const check::HandedOut& found, const CopyOperation& copy);

  const std::string path_;
  bool is_changed_ = false;  ///< the program is to behave as if it were changed
  std::vector<check::Edge> edges_;
  std::set<std::uint64_t> own_memory_;  ///< where allocations of the runtime begin
  HostOrder order_;
  ProgramMemory program_memory_;
  const machine::DeviceMemory& device_memory_;
  check::UndefinedMemory undefined_;
  std::map<std::uint32_t, StoreWords> store_words_;  ///< by their numbers in undefined_.stores
  std::mutex mutex_;
  std::vector<std::unique_ptr<check::Memory>> memories_;             ///< that no launch uses now
  std::map<std::uint32_t, dispatch::SteppedInstruction> described_;  ///< by StepFacts::index
  check::OperationHistory history_;
  ClosedPages pages_;
  /// Instructions of the host, with the operations that they were told to conflict with.
  std::set<std::pair<std::uint64_t, std::uint64_t>> told_host_accesses_;
  std::map<std::string, std::optional<machine::WaitStates>> wait_states_;  ///< by device
  /// By the device's name and ListenedLaunch::translation().
  std::map<std::pair<std::string, std::uint64_t>, CodeFacts> code_facts_;
  std::map<std::string, std::uint64_t> launches_;  ///< by the kernel's name
  /// Code objects that were launched from, and the program's files that they were compiled from.
  std::set<std::weak_ptr<const code_object::LoadedCodeObject>, std::owner_less<>> code_objects_;
  std::set<std::string> sources_;
  /// By file and line, or place in the code.
  std::map<std::pair<std::string, unsigned>, check::FenceWords> fences_;
  std::map<std::string, std::size_t> known_;  ///< text of a diagnosis's places -> index
  std::vector<std::uint64_t> counts_;
};

}  // namespace wavetank::hip
