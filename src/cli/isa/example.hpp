// One instruction of each form, as assembly and bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "encoding/instruction.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::cli {

/// An example that the decoder accepts.
struct IsaExample {
  std::string text;                  ///< LLVM's spelling
  std::vector<std::uint32_t> words;
};

/// The row in `form` with plain registers on `target` (one bit). `segment` is of FLAT rows. Nothing
/// if the decoder refuses these operands.
std::optional<IsaExample> isa_example(const isa::Row& row, encoding::Form form, isa::Format segment,
                                      const isa::Target& target);

}  // namespace wavetank::cli
