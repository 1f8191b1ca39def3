// The programs that the waves of one kernel go through.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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
  /// The address of the instruction with this StepFacts::index.
  std::optional<std::uint64_t> address_of_index(std::uint32_t index);
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
  std::mutex index_mutex_;  ///< programs ask for indexes while they are made
  std::map<std::uint64_t, std::uint32_t> indexes_;  ///< by address
};

}  // namespace wavetank::execute
