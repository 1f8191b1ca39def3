// One virtual device of the process: its engine and its small per-device state.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_set>

#include "code_object/target_id.hpp"
#include "dispatch/engine.hpp"
#include "hip/abi/status.hpp"
#include "hip/hostcall/printf_buffer.hpp"
#include "hip/runtime/clock.hpp"
#include "hip/runtime/code/kernarg_pool.hpp"
#include "hip/runtime/settings.hpp"
#include "machine/device_memory.hpp"
#include "target/device.hpp"

namespace wavetank::hip {

class Checker;
class Hostcall;
class TimedDevice;

/// Which of the process's devices one is, and which of the machine's.
struct DevicePlace {
  int ordinal = 0;
  std::uint32_t slot = 0;  ///< place in WAVETANK_DEVICE, before HIP_VISIBLE_DEVICES hides some
};

class VirtualDevice {
 public:
  VirtualDevice(DevicePlace place, target::Device description, machine::DeviceMemory& memory,
                const Settings& settings, Checker* checker);
  ~VirtualDevice();
  VirtualDevice(const VirtualDevice&) = delete;
  VirtualDevice& operator=(const VirtualDevice&) = delete;

  int ordinal() const { return place_.ordinal; }
  std::uint32_t slot() const { return place_.slot; }
  const target::Device& description() const { return description_; }
  bool has_images() const { return description_.target->has_images; }
  /// "gfx90a:sramecc+:xnack-": what selects code objects.
  const code_object::TargetId& target_id() const { return target_id_; }
  bool xnack() const { return target_id_.xnack == code_object::Feature::kOn; }
  machine::DeviceMemory& memory() const { return memory_; }
  KernargPool& kernargs() { return kernargs_; }
  PrintfBuffers& printf_buffers() { return printf_buffers_; }
  /// The device's time: the host's, or that of the cycle model.
  Clock& clock();
  /// The cycle model, where launches are timed; nullptr otherwise.
  TimedDevice* timed() const { return timed_.get(); }
  /// What checks launches; nullptr where nobody asked for it.
  Checker* checker() const { return checker_; }

  /// The engine; made at the first launch.
  dispatch::Engine& engine();
  /// The hostcall buffer and services; made for the first kernel that can call the host.
  Result<Hostcall*> hostcall();
  /// Address of the amd_queue_t that kernels may ask for. Errors: kOutOfMemory.
  Result<std::byte*> queue_descriptor();

  /// The record of the device-side malloc (hidden_heap_v1). Errors: kOutOfMemory.
  Result<std::byte*> device_heap();

  /// The error that a failed launch left; kSuccess normally. It stays until the process ends.
  abi::Status sticky_status() const { return sticky_.load(); }
  void set_sticky_status(abi::Status status) { sticky_.store(status); }
  bool continue_after_unsupported() const { return settings_.continue_after_unsupported; }
  bool launch_blocking() const { return settings_.launch_blocking; }
  bool host_coherent() const { return settings_.host_coherent; }

  /// Turns access to a peer's memory on or off; false if it was so already. All devices share one
  /// address space, so this is bookkeeping only.
  bool set_peer_access(int peer, bool enabled);

  std::atomic<unsigned> flags{0};  ///< hipSetDeviceFlags
  std::atomic<std::uint64_t> dispatch_count{0};
  std::atomic<std::size_t> heap_limit_bytes{8u << 20};  ///< hipLimitMallocHeapSize
  std::atomic<std::size_t> stack_limit_bytes{1024};     ///< hipLimitStackSize

 private:
  DevicePlace place_;
  const target::Device description_;
  const code_object::TargetId target_id_;
  machine::DeviceMemory& memory_;
  const Settings& settings_;
  KernargPool kernargs_;
  PrintfBuffers printf_buffers_;
  std::atomic<abi::Status> sticky_{abi::Status::kSuccess};

  std::mutex lazy_mutex_;
  std::unique_ptr<dispatch::Engine> engine_;
  std::unique_ptr<TimedDevice> timed_;
  Checker* const checker_;
  std::unique_ptr<Hostcall> hostcall_;
  std::atomic<Hostcall*> hostcall_ready_{nullptr};
  std::byte* queue_descriptor_ = nullptr;
  std::byte* device_heap_ = nullptr;
  std::unordered_set<int> peers_;  ///< guarded by lazy_mutex_
};

}  // namespace wavetank::hip
