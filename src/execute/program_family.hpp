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
  /// The address of the instruction with this StepFacts::index in a listened member.
  std::optional<std::uint64_t> address_of_index(std::uint32_t index);
  /// True if a member has loops that wait for what other waves or workgroups do.
  std::atomic<bool> polls = false;

 private:
  struct Form {
    const std::byte* code;
    bool exact_mode, compile_blocks, listened, all_heard;
    auto operator<=>(const Form&) const = default;
  };
  static Form form_of(const ProgramSpec& spec);

  const Program& own_;
  std::mutex mutex_;
  std::map<Form, Program*> members_;
  std::vector<std::unique_ptr<Program>> made_;
};

}  // namespace wavetank::execute
