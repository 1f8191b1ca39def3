#include "hip/runtime/virtual_device.hpp"

#include <cstring>
#include <utility>

#include "dispatch/apertures.hpp"
#include "hip/hostcall/hostcall.hpp"
#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/failure.hpp"
#include "hip/runtime/timed/timed_device.hpp"
#include "toolchain/source_lines.hpp"

namespace wavetank::hip {
namespace {

code_object::TargetId target_id_of(const target::Device& description, bool xnack) {
  return {.processor = description.gfx(),
          .sramecc = code_object::Feature::kOn,
          .xnack = xnack ? code_object::Feature::kOn : code_object::Feature::kOff};
}

}  // namespace

VirtualDevice::VirtualDevice(DevicePlace place, target::Device description,
                             machine::DeviceMemory& memory, const Settings& settings,
                             Checker* checker)
    : place_(place),
      description_(std::move(description)),
      target_id_(target_id_of(description_, settings.xnack)),
      memory_(memory),
      settings_(settings),
      kernargs_(memory),
      printf_buffers_(memory),
      checker_(checker) {
  if (!settings.timing.timed) return;
  auto timed = TimedDevice::make(description_, memory_, settings.timing);
  if (timed) {
    timed_ = std::move(*timed);
  } else {
    // Without the model no launch can give a device's time: none runs.
    report_error(timed.error());
    set_sticky_status(abi::Status::kNotSupported);
  }
}

Clock& VirtualDevice::clock() {
  if (timed_ != nullptr) return *timed_;
  return host_clock();
}

VirtualDevice::~VirtualDevice() = default;

dispatch::Engine& VirtualDevice::engine() {
  const std::lock_guard lock(lazy_mutex_);
  if (engine_ == nullptr) {
    dispatch::EngineOptions options;
    options.worker_threads = settings_.worker_threads;
    options.host_service = [this] {
      if (Hostcall* hostcall = hostcall_ready_.load(std::memory_order_acquire)) hostcall->serve();
    };
    options.device_ordinal = ordinal();
    options.source_lines = toolchain::source_lines_as_known;
    options.report_warning = report_error;
    engine_ = std::make_unique<dispatch::Engine>(description_, memory_, std::move(options));
  }
  return *engine_;
}

Result<Hostcall*> VirtualDevice::hostcall() {
  if (Hostcall* ready = hostcall_ready_.load(std::memory_order_acquire)) return ready;
  const std::lock_guard lock(lazy_mutex_);
  if (hostcall_ == nullptr) {
    auto made = Hostcall::create(memory_, ordinal());
    if (!made) return tl::unexpected(made.error());
    hostcall_ = std::move(*made);
    if (checker_ != nullptr) checker_->on_own_memory(hostcall_->buffer());
    hostcall_ready_.store(hostcall_.get(), std::memory_order_release);
  }
  return hostcall_.get();
}

Result<std::byte*> VirtualDevice::queue_descriptor() {
  const std::lock_guard lock(lazy_mutex_);
  if (queue_descriptor_ == nullptr) {
    const auto memory = memory_.allocate(4096, machine::MemoryKind::kHostPinned);
    if (!memory) return tl::unexpected(memory.error());
    // amd_queue_t (hsa/amd_hsa_queue.h): high halves of the apertures at bytes 64 and 68.
    const auto shared_high = static_cast<std::uint32_t>(dispatch::kSharedAperture >> 32);
    const auto private_high = static_cast<std::uint32_t>(dispatch::kPrivateAperture >> 32);
    std::memcpy(*memory + 64, &shared_high, sizeof shared_high);
    std::memcpy(*memory + 68, &private_high, sizeof private_high);
    queue_descriptor_ = *memory;
  }
  return queue_descriptor_;
}

Result<std::byte*> VirtualDevice::device_heap() {
  // heap_t of the device libraries (ockl dm.cl) is 109 KB and begins its life as all zeros; it gets
  // its slabs by hostcall.
  constexpr std::size_t kHeapBytes = 128 * 1024;
  const std::lock_guard lock(lazy_mutex_);
  if (device_heap_ == nullptr) {
    const auto memory = memory_.allocate(kHeapBytes, machine::MemoryKind::kDevice, 0, ordinal());
    if (!memory) return tl::unexpected(memory.error());
    device_heap_ = *memory;
  }
  return device_heap_;
}

bool VirtualDevice::set_peer_access(int peer, bool enabled) {
  const std::lock_guard lock(lazy_mutex_);
  return enabled ? peers_.insert(peer).second : peers_.erase(peer) != 0;
}

}  // namespace wavetank::hip
