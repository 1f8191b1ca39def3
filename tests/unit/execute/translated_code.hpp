// Small programs from instructions' dwords, translated for gfx90a.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "execute/program.hpp"

namespace wavetank::execute {

using Code = std::vector<std::uint32_t>;

/// s_cbranch_scc0 to `dwords` from the following instruction.
inline Code branch(int dwords) {
  return {0xbf840000u | (static_cast<std::uint32_t>(dwords) & 0xffff)};
}

class Translated {
 public:
  explicit Translated(const std::vector<Code>& instructions, bool listened = false) {
    for (const Code& code : instructions) {
      slots_.push_back(dwords_.size());
      dwords_.insert(dwords_.end(), code.begin(), code.end());
    }
    ProgramSpec spec;
    spec.code = reinterpret_cast<const std::byte*>(dwords_.data());
    spec.code_bytes = 4 * dwords_.size();
    spec.entry = reinterpret_cast<std::uint64_t>(dwords_.data());
    spec.listening = listened ? Listening::kHeard : Listening::kNone;
    spec.vgpr_count = spec.accum_offset = 8;
    auto program = Program::translate(spec);
    if (program) program_ = *program;
  }

  Program& program() const { return *program_; }
  const Op& op(std::size_t index) const { return program_->entry()[slots_[index]]; }
  /// What the listener of a listened program is told of an instruction.
  const machine::StepFacts& facts(std::size_t index) const {
    return program_->heard(&op(index)).facts;
  }
  /// Numbers of the instructions that give the turn, in order.
  std::string turns() const {
    std::string list;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (op(i).gives_turn) list += std::to_string(i) + " ";
    }
    return list;
  }

 private:
  std::vector<std::uint32_t> dwords_;
  std::vector<std::size_t> slots_;
  std::shared_ptr<Program> program_;
};

}  // namespace wavetank::execute
