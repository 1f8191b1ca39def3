#include "hip/hostcall/hostcall.hpp"

#include <atomic>
#include <bit>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>

#include "hip/hostcall/printf_format.hpp"

namespace wavetank::hip {

/// One packet's header.
struct Hostcall::Header {
  std::uint64_t next;
  std::uint64_t active_lanes;
  std::uint32_t service;
  std::atomic<std::uint32_t> control;  ///< bit 0: ready, cleared by the host
};

/// The start of the buffer.
struct Hostcall::Buffer {
  std::uint64_t headers;   ///< address of Header[packets]
  std::uint64_t payloads;  ///< address of uint64_t[packets][64 lanes][8]
  std::uint64_t doorbell;  ///< hsa_signal_t
  std::atomic<std::uint64_t> free_stack;
  std::atomic<std::uint64_t> ready_stack;
  std::uint64_t index_mask;
};

namespace {

constexpr std::size_t kPackets = 1024;
constexpr std::size_t kLanes = 64;
constexpr std::size_t kSlotWords = 8;
constexpr std::size_t kPayloadBytes = kLanes * kSlotWords * sizeof(std::uint64_t);

// amd_signal_t (hsa/amd_hsa_signal.h): the mailbox makes the device library send MSG_INTERRUPT.
constexpr std::size_t kSignalOffset = 64;
constexpr std::size_t kSignalMailboxOffset = kSignalOffset + 16;
constexpr std::size_t kSignalBytes = 64;
constexpr std::size_t kMailboxOffset = kSignalOffset + kSignalBytes;
constexpr std::size_t kHeadersOffset = 256;
constexpr std::size_t kHeaderBytes = 24;
constexpr std::size_t kPayloadsOffset = kHeadersOffset + kPackets * kHeaderBytes;
constexpr std::size_t kBufferBytes = kPayloadsOffset + kPackets * kPayloadBytes;

constexpr std::uint64_t kSlabBytes = 2 * 1024 * 1024;  // ockl dm.cl, slab_t

enum Service : std::uint32_t { kFunctionCall = 1, kPrintf = 2, kDeviceMemory = 3 };

// Descriptor of a message: a payload's first word.
constexpr std::uint64_t kMessageBegin = 1;
constexpr std::uint64_t kMessageEnd = 2;
constexpr unsigned kMessageLengthShift = 5;
constexpr std::uint64_t kMessageLengthMask = 7;
constexpr unsigned kMessageIdShift = 8;

}  // namespace

Result<std::unique_ptr<Hostcall>> Hostcall::create(machine::DeviceMemory& memory, int device) {
  static_assert(sizeof(Header) == kHeaderBytes && sizeof(Buffer) <= kSignalOffset);
  const auto buffer = memory.allocate(kBufferBytes, machine::MemoryKind::kHostPinned);
  if (!buffer) return tl::unexpected(buffer.error());
  std::unique_ptr<Hostcall> hostcall(new Hostcall(memory, device, *buffer));
  hostcall->initialise();
  return hostcall;
}

void Hostcall::initialise() {
  auto* buffer = new (buffer_) Buffer{};
  auto* headers = reinterpret_cast<Header*>(buffer_ + kHeadersOffset);
  buffer->headers = std::bit_cast<std::uint64_t>(headers);
  buffer->payloads = std::bit_cast<std::uint64_t>(buffer_ + kPayloadsOffset);
  buffer->doorbell = std::bit_cast<std::uint64_t>(buffer_ + kSignalOffset);
  buffer->index_mask = kPackets - 1;
  // Pointers are an index with a tag above it. Index 0 with tag 0 would be null, so it starts with
  // tag 1.
  std::uint64_t next = kPackets;
  for (std::size_t i = 1; i < kPackets; ++i) {
    headers[i].next = next;
    next = i;
  }
  buffer->free_stack.store(next);
  const auto mailbox = std::bit_cast<std::uint64_t>(buffer_ + kMailboxOffset);
  std::memcpy(buffer_ + kSignalMailboxOffset, &mailbox, sizeof mailbox);
}

void Hostcall::serve() {
  auto& ready = reinterpret_cast<Buffer*>(buffer_)->ready_stack;
  // A wave asks once. Whoever finds another thread serving leaves its packet to that thread, which
  // looks again after it has stopped serving. Stopping is an exchange as well: it reads what the
  // other thread's exchange wrote, so that all before that, the packet's push, is seen here.
  while (ready.load() != 0) {
    if (serving_.exchange(true)) return;
    for (std::uint64_t packet = ready.exchange(0); packet != 0;) packet = answer_packet(packet);
    serving_.exchange(false);
  }
}

std::uint64_t Hostcall::answer_packet(std::uint64_t packet) {
  const std::uint64_t index = packet & (kPackets - 1);
  Header& header = reinterpret_cast<Header*>(buffer_ + kHeadersOffset)[index];
  // The packet is the wave's again once its ready flag is clear.
  const std::uint64_t next = header.next;
  auto* slots = reinterpret_cast<std::uint64_t*>(buffer_ + kPayloadsOffset + index * kPayloadBytes);
  for (std::uint64_t lanes = header.active_lanes; lanes != 0; lanes &= lanes - 1) {
    answer(header.service, slots + std::countr_zero(lanes) * kSlotWords);
  }
  header.control.fetch_and(~1u, std::memory_order_release);
  return next;
}

void Hostcall::answer(std::uint32_t service, std::uint64_t* slot) {
  switch (service) {
    case kFunctionCall: {
      using HostFunction = void (*)(std::uint64_t* output, const std::uint64_t* input);
      std::uint64_t output[2] = {};
      std::bit_cast<HostFunction>(slot[0])(output, slot + 1);
      std::memcpy(slot, output, sizeof output);
      return;
    }
    case kPrintf: return answer_printf(slot);
    case kDeviceMemory: return answer_memory(slot);
    default: slot[0] = 0;
  }
}

// A message comes in pieces of up to seven words: BEGIN opens it, END closes it. Its first word is
// a control word (bit 0: standard error), then the format string and the arguments.
void Hostcall::answer_printf(std::uint64_t* slot) {
  const std::uint64_t descriptor = slot[0];
  std::uint64_t id = descriptor >> kMessageIdShift;
  if ((descriptor & kMessageBegin) != 0) id = next_message_++;
  std::vector<std::uint64_t>& message = messages_[id];
  const std::uint64_t words = (descriptor >> kMessageLengthShift) & kMessageLengthMask;
  message.insert(message.end(), slot + 1, slot + 1 + words);
  if ((descriptor & kMessageEnd) == 0) {
    slot[0] = (descriptor & 0xff & ~kMessageBegin) | (id << kMessageIdShift);
    return;
  }
  const std::vector<std::uint64_t> complete = std::move(message);
  messages_.erase(id);
  if (complete.empty()) return;
  const std::string text = format_device_message(std::span(complete).subspan(1));
  std::FILE* stream = (complete[0] & 1) != 0 ? stderr : stdout;
  std::fwrite(text.data(), 1, text.size(), stream);
  slot[0] = text.size();
}

// Word 0 is an address to free, or 0 to allocate word 1 bytes.
void Hostcall::answer_memory(std::uint64_t* slot) {
  if (slot[0] != 0) {
    const auto slab = slabs_.find(slot[0]);
    void* const address = slab == slabs_.end() ? std::bit_cast<void*>(slot[0]) : slab->second;
    if (slab != slabs_.end()) slabs_.erase(slab);
    (void)memory_.free(address);
    return;
  }
  if (slot[1] == kSlabBytes) {
    slot[0] = allocate_slab();
    return;
  }
  const auto memory = memory_.allocate_for(machine::MemoryUser::kHeap, slot[1], device_);
  slot[0] = memory ? std::bit_cast<std::uint64_t>(*memory) : 0;
}

// The device's malloc finds a block's slab by clearing the low 21 bits of its address.
std::uint64_t Hostcall::allocate_slab() {
  const auto memory = memory_.allocate_for(machine::MemoryUser::kHeap, 2 * kSlabBytes, device_);
  if (!memory) return 0;
  const auto begin = std::bit_cast<std::uint64_t>(*memory);
  const std::uint64_t slab = (begin + kSlabBytes - 1) & ~(kSlabBytes - 1);
  slabs_.emplace(slab, *memory);
  return slab;
}

}  // namespace wavetank::hip
