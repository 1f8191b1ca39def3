// One virtual device of the process: its engine, its streams and its small per-device state.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "code_object/target_id.hpp"
#include "dispatch/engine.hpp"
#include "hip/abi/status.hpp"
#include "hip/hostcall/printf_buffer.hpp"
#include "hip/runtime/clock.hpp"
#include "hip/runtime/completion.hpp"
#include "hip/runtime/kernarg_pool.hpp"
#include "hip/runtime/settings.hpp"
#include "hip/runtime/stream.hpp"
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
                const Settings& settings);
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
  void set_checker(Checker* checker) { checker_ = checker; }

  /// The engine; made at the first launch.
  dispatch::Engine& engine();
  /// The hostcall buffer and services; made for the first kernel that can call the host.
  Result<Hostcall*> hostcall();
  /// Address of the amd_queue_t that kernels may ask for. Errors: kOutOfMemory.
  Result<std::byte*> queue_descriptor();

  /// The record of the device-side malloc (hidden_heap_v1). Errors: kOutOfMemory.
  Result<std::byte*> device_heap();

  Stream& null_stream() { return null_stream_; }
  /// Makes a stream that resolve() and synchronize() know.
  Stream* create_stream(StreamKind kind, unsigned flags, int priority);
  /// Waits for a stream's work and frees it; false if it is none of this device.
  bool destroy_stream(Stream* stream);
  bool owns(const Stream* stream) const;
  /// Waits for all streams.
  void synchronize();
  /// True if no stream has unfinished work.
  bool idle();
  /// Guards the order of submissions on all streams of the device.
  std::mutex& order_mutex() const { return order_mutex_; }
  /// Adds what the legacy rules make `stream` wait for. The caller holds order_mutex().
  void add_implicit_dependencies(const Stream& stream, Dependencies& dependencies) const;
  /// Calls visit(CompletionPtr) for the last operation of each stream that the legacy rules make
  /// `stream` wait for, whether it is done or not. The caller holds order_mutex().
  template <class Visit>
  void visit_implicit_dependencies(const Stream& stream, Visit&& visit) const {
    const auto visit_last = [&](const Stream& other) {
      if (other.last_unlocked() != nullptr) visit(other.last_unlocked());
    };
    if (stream.kind() == StreamKind::kNonBlocking) return;
    if (stream.kind() == StreamKind::kBlocking) return visit_last(null_stream_);
    for (const CompletionPtr& last : ended_blocking_) visit(last);
    const std::lock_guard lock(streams_mutex_);
    for (const Stream* other : streams_) {
      if (other->kind() == StreamKind::kBlocking) visit_last(*other);
    }
  }
  /// The last operation of every stream that has one.
  Dependencies last_operations() const;
  /// All streams but the null stream.
  std::vector<Stream*> streams() const;

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
  Checker* checker_ = nullptr;
  std::unique_ptr<Hostcall> hostcall_;
  std::atomic<Hostcall*> hostcall_ready_{nullptr};
  std::byte* queue_descriptor_ = nullptr;
  std::byte* device_heap_ = nullptr;

  mutable std::mutex order_mutex_;
  mutable std::mutex streams_mutex_;
  std::unordered_set<Stream*> streams_;
  /// The last operations of streams that were destroyed since the device was waited for, where
  /// launches are checked; guarded by order_mutex_.
  std::vector<CompletionPtr> ended_blocking_, ended_other_;
  std::unordered_set<int> peers_;  ///< guarded by lazy_mutex_
  Stream null_stream_;
};

}  // namespace wavetank::hip
