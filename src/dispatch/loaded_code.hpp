// The code that is loaded on a device.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "code_object/loader.hpp"

namespace wavetank::dispatch {

/// An executable segment and the code object that it belongs to.
struct LoadedSegment {
  std::shared_ptr<const code_object::LoadedCodeObject> object;
  const code_object::Segment* segment = nullptr;  ///< belongs to `object`
};

/// All code objects of a device: a kernel may call the functions of any. Safe from any thread.
class LoadedCode {
 public:
  /// Lists a code object until it is removed or gone; one that stood in its place is forgotten.
  void add(const std::shared_ptr<const code_object::LoadedCodeObject>& object);
  void remove(const code_object::LoadedCodeObject& object);
  /// True if it was added and neither removed nor replaced.
  bool lists(const code_object::LoadedCodeObject& object) const;
  /// The executable segment that holds an address; no object if there is none.
  LoadedSegment at(std::uint64_t address) const;

 private:
  mutable std::mutex mutex_;
  /// By the address behind the last byte.
  std::map<std::uint64_t, std::weak_ptr<const code_object::LoadedCodeObject>> objects_;
};

/// The segment of a loaded code object that holds an address and is executable, or nullptr.
const code_object::Segment* executable_segment(const code_object::LoadedCodeObject& object,
                                               std::uint64_t address);

}  // namespace wavetank::dispatch
