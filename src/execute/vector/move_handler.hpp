// Which Load or Store (vector_memory_move.hpp) moves the data of a row.
#pragma once

#include "execute/handler_set.hpp"
#include "execute/vector/vector_memory_move.hpp"
#include "isa/row.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// make<Load>() for loads of fewer bytes than a register has.
template <unsigned kBytes, class Make>
Handler handler_of_short_load(const isa::MemoryShape& shape, Make make) {
  if (shape.d16_high) {
    return shape.sign_extend ? make.template operator()<Load<kBytes, Extend::kSignHigh>>()
                             : make.template operator()<Load<kBytes, Extend::kZeroHigh>>();
  }
  if (!shape.sign_extend) return make.template operator()<Load<kBytes>>();
  return shape.d16 ? make.template operator()<Load<kBytes, Extend::kSignLow>>()
                   : make.template operator()<Load<kBytes, Extend::kSign>>();
}

/// What make<Load>() gives for the load that a shape says; nullptr if there is none.
template <class Make>
Handler handler_of_load(const isa::MemoryShape& shape, Make make) {
  switch (shape.element_bytes) {
    case 1: return handler_of_short_load<1>(shape, make);
    case 2: return handler_of_short_load<2>(shape, make);
    case 4: return make.template operator()<Load<4>>();
    case 8: return make.template operator()<Load<8>>();
    case 12: return make.template operator()<Load<12>>();
    case 16: return make.template operator()<Load<16>>();
    default: return nullptr;
  }
}

/// The same of a store.
template <class Make>
Handler handler_of_store(const isa::MemoryShape& shape, Make make) {
  switch (shape.element_bytes) {
    case 1:
      return shape.d16_high ? make.template operator()<Store<1, true>>()
                            : make.template operator()<Store<1>>();
    case 2:
      return shape.d16_high ? make.template operator()<Store<2, true>>()
                            : make.template operator()<Store<2>>();
    case 4: return make.template operator()<Store<4>>();
    case 8: return make.template operator()<Store<8>>();
    case 12: return make.template operator()<Store<12>>();
    case 16: return make.template operator()<Store<16>>();
    default: return nullptr;
  }
}

}  // namespace wavetank::execute::WAVETANK_HOST
