#include "dispatch/known_lines.hpp"

#include <algorithm>

namespace wavetank::dispatch {

KnownLines::Lines& KnownLines::lines_of(const CodeObject& object) {
  const auto found = known_.find(object);
  if (found != known_.end()) return found->second;
  std::erase_if(known_, [](const auto& entry) { return entry.first.expired(); });
  return known_[object];
}

std::vector<SourceLine> KnownLines::of(const CodeObject& object,
                                       const std::vector<std::uint64_t>& virtual_addresses) {
  const std::lock_guard lock(mutex_);
  Lines& known = lines_of(object);
  std::vector<std::uint64_t> unknown;
  std::ranges::copy_if(virtual_addresses, std::back_inserter(unknown),
                       [&](std::uint64_t address) { return !known.contains(address); });
  if (!unknown.empty()) {
    std::vector<SourceLine> answers = ask_(object->file, unknown);
    answers.resize(unknown.size());
    for (std::size_t i = 0; i < unknown.size(); ++i) known[unknown[i]] = std::move(answers[i]);
  }
  std::vector<SourceLine> lines;
  for (const std::uint64_t address : virtual_addresses) lines.push_back(known.at(address));
  return lines;
}

}  // namespace wavetank::dispatch
