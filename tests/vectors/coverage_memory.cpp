#include "coverage_memory.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "unit/execute/vector_file.hpp"

namespace wavetank::tests {
namespace {

std::vector<std::string> mnemonics_of(const isa::Row& row) {
  const std::string name(row.name);
  switch (row.encoding.format) {
    case isa::Format::kFlat:
      if (row.memory.action == isa::MemoryAction::kAtomic) return {"flat_" + name, "global_" + name};
      return {"flat_" + name, "global_" + name, "scratch_" + name};
    case isa::Format::kGlobal: return {"global_" + name};
    case isa::Format::kScratch: return {"scratch_" + name};
    default: return {name};
  }
}

}  // namespace

MemoryFiles read_memory_files(const std::string& folder) {
  MemoryFiles files;
  for (const std::string& path : vector_files(folder, "")) {
    MemoryFile file = read_memory_file(path);
    if (!file.error.empty()) files.error = file.error;
    files.by_name.emplace(file.name, std::move(file));
  }
  return files;
}

MemoryProof memory_proof(const isa::Row& row, const MemoryFiles& files) {
  MemoryProof proof;
  proof.complete = true;
  std::set<std::string> references;
  for (const std::string& name : mnemonics_of(row)) {
    std::set<std::string_view> unproved;
    for (const isa::Target& target : isa::targets()) {
      if (target.has(row.lifetime)) unproved.insert(target.name);
    }
    const std::set<std::string_view> all = unproved;
    const auto file = files.by_name.find(name);
    if (file == files.by_name.end()) {
      proof.complete = false;
      continue;
    }
    for (const MemoryCase& test : file->second.cases) {
      const auto has_row = [&](const isa::Target* target) { return all.contains(target->name); };
      if (std::ranges::none_of(test.targets, has_row)) continue;
      ++proof.cases;
      if (test.sources.size() < 2) continue;
      ++proof.confirmed;
      for (const isa::Target* target : test.targets) unproved.erase(target->name);
      references.insert(test.sources.begin(), test.sources.end());
    }
    proof.complete &= unproved.empty();
  }
  for (const std::string& name : references) {
    proof.references += (proof.references.empty() ? "" : ", ") + name;
  }
  return proof;
}

std::string reason_without_cases(const isa::Row& row) {
  const bool syncs_waves = row.memory.special == isa::MemorySpecial::kGwsInit ||
                           row.memory.special == isa::MemorySpecial::kGwsBarrier;
  if (syncs_waves) return "what it does to other waves rests on the guide and on programs";
  if (row.name.starts_with("s_dcache_discard")) {
    return "devices lose what the dirty line held; here no cache holds anything";
  }
  return "no vector file";
}

}  // namespace wavetank::tests
