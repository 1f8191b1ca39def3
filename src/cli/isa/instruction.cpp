#include "cli/isa/instruction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "isa/catalogue.hpp"
#include "isa/mnemonic.hpp"

namespace wavetank::cli {

using isa::Row;
using isa::Target;

namespace {

/// The matrix row of the other target that computes the same product, or nullptr.
const Row* counterpart(const Row& row, const Target& target) {
  if (!row.matrix.present()) return nullptr;
  for (const Row& other : isa::catalogue()) {
    const isa::MatrixShape &x = row.matrix, &y = other.matrix;
    if (target.has(other.lifetime) && x.m == y.m && x.n == y.n && x.k == y.k &&
        x.blocks == y.blocks && x.a == y.a && x.b == y.b && x.sparse == y.sparse) {
      return &other;
    }
  }
  return nullptr;
}

}  // namespace

std::string InstructionVersion::names() const {
  std::string names;
  for (const Target* target : targets) {
    names += fmt::format("{}{}", names.empty() ? "" : " ", target->name);
  }
  return names;
}

const Row& Instruction::any() const {
  const auto newest =
      std::find_if(on.rbegin(), on.rend(), [](const auto& one) { return one.second != nullptr; });
  return *newest->second;
}

std::vector<InstructionVersion> Instruction::versions() const {
  std::vector<InstructionVersion> result;
  for (const auto& [target, row] : on) {
    if (row == nullptr) continue;
    if (result.empty() || result.back().row != row) result.push_back({row, {}});
    result.back().targets.push_back(target);
  }
  return result;
}

Instruction instruction_of(const Row& row) {
  Instruction instruction;
  for (const Target& target : isa::targets()) {
    instruction.on.emplace_back(&target, target.has(row.lifetime) ? &row : nullptr);
  }
  return instruction;
}

std::string base_mnemonic(std::string_view mnemonic) {
  std::string name(mnemonic);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string_view suffix : {"_e32", "_e64", "_sdwa", "_dpp"}) {
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  }
  return name;
}

std::optional<Instruction> find_instruction(std::string_view mnemonic, std::span<const Target> on) {
  Instruction instruction;
  instruction.name = base_mnemonic(mnemonic);
  bool any = false;
  for (const Target& target : on) {
    instruction.on.emplace_back(&target, isa::find_row(instruction.name, target));
    any = any || instruction.on.back().second != nullptr;
  }
  if (!any) return {};
  const Row& named = instruction.any();
  for (auto& [target, row] : instruction.on) {
    if (row == nullptr) row = counterpart(named, *target);
  }
  return instruction;
}

}  // namespace wavetank::cli
