// The functions that run the ops of one row.
#pragma once

#include "execute/op.hpp"

namespace wavetank::execute {

/// The handlers of one row. A row whose entries are all null cannot run.
struct HandlerSet {
  Handler plain = nullptr;     ///< VALU: all sources vectors, no modifiers. Others: the handler
  Handler uniform0 = nullptr;  ///< VALU: source 0 scalar or constant, no modifiers
  Handler general = nullptr;   ///< VALU: any sources, modifiers, op_sel; what SDWA and DPP wrap
  Handler exact = nullptr;     ///< VALU: lane by lane, honours every MODE

  /// A kFlat memory row has one for each segment, which take the places of the first three.
  Handler& in_segment(isa::Format segment) {
    switch (segment) {
      case isa::Format::kGlobal: return uniform0;
      case isa::Format::kScratch: return general;
      default: return plain;
    }
  }
  Handler in_segment(isa::Format segment) const { return HandlerSet(*this).in_segment(segment); }
};

}  // namespace wavetank::execute
