// The part of an event that several processes see (hipEventInterprocess): how often it was
// recorded, and up to which record everything before it is done.
#pragma once

#include <cstdint>
#include <memory>

#include "hip/runtime/memory/shared_memory.hpp"

namespace wavetank::hip {

class SharedEvent {
 public:
  /// A new one, or nullptr when the host has no memory for it.
  static std::shared_ptr<SharedEvent> create();
  /// That of another process, or nullptr.
  static std::shared_ptr<SharedEvent> open(const SharedObject& object);
  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  SharedObject object() const { return describe(HandleKind::kEvent, descriptor_); }
  /// Counts a record and gives its number.
  std::uint64_t record();
  /// Everything before that record is done.
  void complete(std::uint64_t number);
  /// The number of the last record, 0 before the first.
  std::uint64_t recorded() const;
  /// True if everything before that record is done.
  bool done(std::uint64_t number) const;
  /// Waits until done(number); another process may be the one to complete it, so this polls.
  void wait(std::uint64_t number) const;

 private:
  struct Counters;
  SharedEvent(int descriptor, Counters* counters) : descriptor_(descriptor), counters_(counters) {}
  static std::shared_ptr<SharedEvent> map(int descriptor);

  int descriptor_;
  Counters* counters_;
};

}  // namespace wavetank::hip
