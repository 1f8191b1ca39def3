// Source lines of code objects, each asked for once: a program that has to be started knows them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "code_object/loader.hpp"
#include "dispatch/stepped_instruction.hpp"

namespace wavetank::dispatch {

/// Keeps what `ask` has answered as long as the code object is loaded. Threads may share it.
class KnownLines {
 public:
  using CodeObject = std::shared_ptr<const code_object::LoadedCodeObject>;

  explicit KnownLines(SourceLines ask) : ask_(std::move(ask)) {}
  /// The place of each virtual address. Those that the tool does not know are empty, and are not
  /// asked for again.
  std::vector<SourceLine> of(const CodeObject& object,
                             const std::vector<std::uint64_t>& virtual_addresses);

 private:
  using Lines = std::map<std::uint64_t, SourceLine>;
  Lines& lines_of(const CodeObject& object);

  const SourceLines ask_;
  std::mutex mutex_;
  std::map<std::weak_ptr<const code_object::LoadedCodeObject>, Lines, std::owner_less<>> known_;
};

}  // namespace wavetank::dispatch
