// The numbers that a kernel's instructions have in whatever program they run: StepFacts::index of
// those that somebody listens to.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace wavetank::execute {

/// A number for an instruction that no other instruction of the process has.
std::uint32_t next_instruction_index();

/// The numbers of one kernel's instructions. Safe from any thread.
class InstructionNumbers {
 public:
  /// The number of the instruction at an address.
  std::uint32_t index_of(std::uint64_t address);
  /// A number of its own for the instruction with that number in a function that was called at the
  /// instruction `caller`, which may be such a number itself.
  std::uint32_t index_called_from(std::uint32_t caller, std::uint32_t index);
  /// The addresses of the instruction with this number and of the calls that led to it, innermost
  /// first; none if it is no number of this kernel's.
  std::vector<std::uint64_t> addresses_of_index(std::uint32_t index);

 private:
  struct Place {
    std::uint64_t address = 0;
    std::uint32_t caller = 0;  ///< 0: of the kernel, or called from who knows where
    auto operator<=>(const Place&) const = default;
  };
  std::uint32_t index_at(const Place& place);

  std::mutex mutex_;  ///< programs ask for numbers while they are made
  std::map<Place, std::uint32_t> indexes_;
  std::unordered_map<std::uint32_t, Place> places_;  ///< by index
};

}  // namespace wavetank::execute
