// What instructions do to memory that other work-items see.
#pragma once

#include "lint/address.hpp"

namespace wavetank::lint {

/// Kinds of memory, one bit each.
enum Touched : std::uint8_t { kTouchesNothing = 0, kTouchesGlobal = 1, kTouchesLds = 2 };

/// The memory that an instruction may load from or store to.
std::uint8_t touched_memory(const machine::StepFacts& facts);

/// True if nothing may be moved over an instruction: barriers, atomics, fences, messages, calls,
/// and accesses past the caches.
bool orders_memory(const machine::FlowStep& step);

/// A load or store of one piece of LDS or global memory by each lane.
struct Access {
  std::uint32_t step = 0;
  bool stores = false;
  bool lds = false;
  unsigned bytes = 0;
  Address address;
  bool overlaps(const Access& other) const {
    return address.offset < other.address.offset + other.bytes &&
           other.address.offset < address.offset + bytes;
  }
};

/// The access of an instruction; nullopt if it is none, or not known enough.
std::optional<Access> access_of(const Subject& subject, std::uint32_t step);

}  // namespace wavetank::lint
