// The process-wide runtime: which virtual devices there are, and their memory. It is made at the
// first HIP call that needs a device and lives until the process ends.
#pragma once

#include <memory>
#include <vector>

#include "hip/runtime/device_streams.hpp"
#include "hip/runtime/settings.hpp"
#include "hip/runtime/virtual_device.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::hip {

class Checker;

class Runtime {
 public:
  /// The runtime; made at the first call. With WAVETANK_DEVICE wrong or every device hidden it has
  /// no device, and the reason was printed.
  static Runtime& instance();
  /// True once instance() was called.
  static bool exists();

  const Settings& settings() const { return settings_; }
  int device_count() const { return static_cast<int>(devices_.size()); }
  /// A device by ordinal, or nullptr.
  VirtualDevice* device(int ordinal);
  /// Memory of all devices; only when there is a device.
  machine::DeviceMemory& memory() { return *memory_; }
  /// The calling thread's device, or nullptr when there is none at all.
  VirtualDevice* current_device() { return device(current_ordinal()); }
  /// The calling thread's device ordinal (hipSetDevice), 0 at first.
  static int current_ordinal();
  static void set_current_ordinal(int ordinal);

  /// What checks launches; nullptr where nobody asked for it.
  Checker* checker() const { return checker_.get(); }

  DeviceStreams& streams(const VirtualDevice& device);
  /// Waits for all streams of all devices.
  void synchronize();
  /// The device's streams that this is one of, or nullptr.
  DeviceStreams* streams_with(const Stream* stream);

 private:
  Runtime();
  ~Runtime();
  Result<void> initialise();

  Settings settings_;
  std::unique_ptr<machine::DeviceMemory> memory_;
  std::unique_ptr<Checker> checker_;
  std::vector<std::unique_ptr<VirtualDevice>> devices_;
  std::vector<std::unique_ptr<DeviceStreams>> streams_;  ///< of the devices, by ordinal
};

}  // namespace wavetank::hip
