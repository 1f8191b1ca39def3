#include "isa/mnemonic.hpp"

namespace wavetank::isa {

std::vector<std::string> mnemonics(const Row& row) {
  const std::string name(row.name);
  switch (row.encoding.format) {
    case Format::kFlat:
      if (row.memory.action == MemoryAction::kAtomic) return {"flat_" + name, "global_" + name};
      return {"flat_" + name, "global_" + name, "scratch_" + name};
    case Format::kGlobal: return {"global_" + name};
    case Format::kScratch: return {"scratch_" + name};
    default: return {name};
  }
}

}  // namespace wavetank::isa
