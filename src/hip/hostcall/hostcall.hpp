// Hostcall: how a wave asks the host for something while it runs (device printf, assert, malloc).
// The buffer's layout and the protocol are those of ROCm's device libraries (ockl hostcall) and its
// host side (clr rocclr/device/devhostcall): the wave pops a packet from the free stack, fills one
// 64-byte slot per lane, pushes the packet on the ready stack, rings the doorbell and spins until
// the packet's ready flag is cleared.
//
//   wave:  free_stack --pop--> packet --push--> ready_stack, doorbell, s_sendmsg, spin
//   host:  serve(): take the whole ready stack, answer each lane, clear the ready flags
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::hip {

class Hostcall {
 public:
  /// Allocates the buffer, for 1024 calls in flight, in host-visible memory. Errors: kOutOfMemory.
  static Result<std::unique_ptr<Hostcall>> create(machine::DeviceMemory& memory, int device);

  /// What hidden_hostcall_buffer holds.
  std::byte* buffer() const { return buffer_; }
  /// Answers every waiting call; returns at once when there is none, or when another thread
  /// answers them: that one also takes what became ready meanwhile. Any thread may call it.
  void serve();

 private:
  struct Header;
  struct Buffer;
  Hostcall(machine::DeviceMemory& memory, int device, std::byte* buffer)
      : memory_(memory), device_(device), buffer_(buffer) {}

  void initialise();
  /// Answers a packet's lanes and gives it back to its wave; returns the packet below it.
  std::uint64_t answer_packet(std::uint64_t packet);
  void answer(std::uint32_t service, std::uint64_t* slot);
  void answer_printf(std::uint64_t* slot);
  void answer_memory(std::uint64_t* slot);
  std::uint64_t allocate_slab();

  machine::DeviceMemory& memory_;
  const int device_;
  std::byte* buffer_;
  std::atomic<bool> serving_ = false;
  std::uint64_t next_message_ = 1;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> messages_;
  std::unordered_map<std::uint64_t, std::byte*> slabs_;  ///< slab -> allocation it lies in
};

}  // namespace wavetank::hip
