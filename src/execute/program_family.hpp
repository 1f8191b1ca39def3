// The programs that the waves of one kernel go through.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "execute/heard.hpp"

namespace wavetank::execute {

class Program;
struct ProgramSpec;

/// A kernel's translations: its own code and that of the functions of other code objects which it
/// called, each with fast and with exact handlers, compiled and not. All are made for the kernel's
/// registers. A wave goes from one to another as MODE and its jumps ask. Safe from any thread.
class ProgramFamily {
 public:
  /// Takes in the kernel's own program, which owns the family.
  explicit ProgramFamily(Program& own);
  ~ProgramFamily();
  ProgramFamily(const ProgramFamily&) = delete;
  ProgramFamily& operator=(const ProgramFamily&) = delete;

  /// The program of that code in that form, translated the first time. Errors: what translation
  /// finds.
  Result<Program*> member(const ProgramSpec& spec);
  const Program& own() const { return own_; }
  /// The StepFacts::index of the instruction at an address, in all listened members.
  std::uint32_t index_of(std::uint64_t address);
  /// A number of its own for the instruction with that StepFacts::index in a function that was
  /// called at the instruction `caller`, which may be such a number itself.
  std::uint32_t index_called_from(std::uint32_t caller, std::uint32_t index);
  /// The addresses of the instruction with this number and of the calls that led to it, innermost
  /// first; none if it is no number of this family's.
  std::vector<std::uint64_t> addresses_of_index(std::uint32_t index);
  /// True if a member has loops that wait for what other waves or workgroups do.
  std::atomic<bool> polls = false;

 private:
  struct Form {
    const std::byte* code;
    bool exact_mode, compile_blocks, all_heard;
    Listening listening;
    auto operator<=>(const Form&) const = default;
  };
  static Form form_of(const ProgramSpec& spec);

  const Program& own_;
  std::mutex mutex_;
  std::map<Form, Program*> members_;
  std::vector<std::unique_ptr<Program>> made_;
  struct Place {
    std::uint64_t address = 0;
    std::uint32_t caller = 0;  ///< 0: of the kernel, or called from who knows where
    auto operator<=>(const Place&) const = default;
  };
  std::uint32_t index_at(const Place& place);

  std::mutex index_mutex_;  ///< programs ask for indexes while they are made
  std::map<Place, std::uint32_t> indexes_;
  std::unordered_map<std::uint32_t, Place> places_;  ///< by index
};

}  // namespace wavetank::execute
