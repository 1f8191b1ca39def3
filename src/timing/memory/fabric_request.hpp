// What an L2 asks of what lies beyond it. A request passes one stage after the other, each of which
// serves all of a window's before the next one does.
#pragma once

#include <cstdint>

namespace wavetank::timing {

struct FabricRequest {
  enum class Kind : std::uint8_t {
    kRead,   ///< `amount` bytes of a line
    kWrite,  ///< the same
    kAtomic  ///< at the memory side, as MemoryRequest::Kind::kAtomic
  };
  Kind kind = Kind::kRead;
  bool to_host = false;   ///< over the host's link, not to the device's memory
  bool answered = false;  ///< the stages behind need not see it
  std::uint16_t amount = 0;
  std::uint64_t address = 0;
  std::uint64_t time =
      0;  ///< when it comes to the next stage, at first the L2's port to the fabric
  std::uint64_t sent = 0;  ///< when it left the L2
  std::uint64_t done = 0;  ///< when memory has sent the answer, or has the bytes
};

}  // namespace wavetank::timing
