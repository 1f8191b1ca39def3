// The parts of the disassembler, one function per family. Private to src/encoding.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "encoding/instruction.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::encoding {

/// A line of assembly under construction.
class Line {
 public:
  Line(std::string mnemonic, const isa::Target& for_target, std::string_view branch_label)
      : target(for_target), label(branch_label), text_(std::move(mnemonic)) {}
  const isa::Target& target;
  const std::string_view label;  ///< of a branch's target; empty: none

  /// Adds an operand, after a comma unless it is the first.
  void operand(std::string_view text);
  /// Adds a modifier after a space.
  void modifier(std::string_view text);
  /// Adds a modifier if `set`.
  void flag(bool set, std::string_view text);
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  bool has_operand_ = false;
};

/// Each adds the operands and modifiers of an instruction of its formats.
void print_sop(Line& line, const Instruction& in);
void print_smem(Line& line, const Instruction& in);
void print_vector(Line& line, const Instruction& in);
void print_ds(Line& line, const Instruction& in);
void print_flat(Line& line, const Instruction& in);
void print_buffer(Line& line, const Instruction& in);
void print_image(Line& line, const Instruction& in);

}  // namespace wavetank::encoding
