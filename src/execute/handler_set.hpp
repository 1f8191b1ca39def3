// The functions that run the ops of one row.
#pragma once

#include "execute/op.hpp"

namespace wavetank::execute {

/// The handlers of one row. A row whose entries are all null cannot run.
struct HandlerSet {
  Handler usual = nullptr;    ///< in the MODE that kernels start with; of kFlat rows in FLAT's own
  Handler exact = nullptr;    ///< VALU: lane by lane, honours every MODE
  Handler global = nullptr;   ///< kFlat rows in the global segment
  Handler scratch = nullptr;  ///< kFlat rows in scratch

  /// The handler of a kFlat row for a segment.
  Handler in_segment(isa::Format segment) const {
    switch (segment) {
      case isa::Format::kGlobal: return global;
      case isa::Format::kScratch: return scratch;
      default: return usual;
    }
  }
};

}  // namespace wavetank::execute
