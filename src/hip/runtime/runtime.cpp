#include "hip/runtime/runtime.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/checked/host_access.hpp"
#include "hip/runtime/code/fat_binary.hpp"
#include "hip/runtime/device_failure.hpp"
#include "hip/runtime/failure.hpp"
#include "hip/runtime/run_watch.hpp"
#include "target/builtin_devices.hpp"
#include "target/load_device.hpp"

namespace wavetank::hip {
namespace {

thread_local int current_ordinal_of_thread = 0;
std::atomic<bool> runtime_exists{false};

Result<std::vector<target::Device>> devices_by_name(const std::vector<std::string>& names) {
  std::vector<target::Device> devices;
  for (const std::string& name : names) {
    auto device = target::load_device(name);
    if (!device) return tl::unexpected(device.error());
    devices.push_back(std::move(*device));
  }
  return devices;
}

/// The first built-in device that every fat binary of the program has code for. A program whose
/// binaries fit none (or that has none) gets the first built-in; its launches then say what the
/// file holds.
Result<std::vector<target::Device>> devices_by_program() {
  const auto processors = Registry::instance().common_processors();
  const auto names = target::builtin_device_names();
  for (const std::string& name : names) {
    auto device = target::load_device(name);
    if (!device) return tl::unexpected(device.error());
    if (processors.empty() || processors.contains(device->gfx())) {
      return std::vector{std::move(*device)};
    }
  }
  return devices_by_name({names.front()});
}

/// The slots that a program sees, in its order.
std::vector<std::uint32_t> visible_slots(std::size_t devices, const Settings& settings) {
  std::vector<std::uint32_t> slots;
  if (!settings.visible_devices_given) {
    for (std::size_t slot = 0; slot < devices; ++slot) {
      slots.push_back(static_cast<std::uint32_t>(slot));
    }
    return slots;
  }
  for (const int slot : settings.visible_devices) {
    if (slot >= static_cast<int>(devices)) break;
    slots.push_back(static_cast<std::uint32_t>(slot));
  }
  return slots;
}

/// When the program has ended and its exit handlers have waited for the devices.
[[gnu::destructor]] void finish_profiles() {
  if (!Runtime::exists()) return;
  Runtime& runtime = Runtime::instance();
  for (int i = 0; i < runtime.device_count(); ++i) finish_profile(*runtime.device(i));
  if (runtime.checker() == nullptr) return;
  if (const auto done = runtime.checker()->finish(); !done) report_error(done.error());
}

/// The program is interrupted.
void interrupt_profiles() {
  if (!Runtime::exists()) return;
  Runtime& runtime = Runtime::instance();
  for (int i = 0; i < runtime.device_count(); ++i) interrupt_profile(*runtime.device(i));
}

}  // namespace

Runtime& Runtime::instance() {
  // Never destroyed: streams may still run while exit handlers of the program do.
  static auto* runtime = new Runtime;
  return *runtime;
}

bool Runtime::exists() { return runtime_exists.load(); }

Runtime::Runtime() : settings_(read_settings()) {
  if (auto outcome = initialise(); !outcome) report_error(outcome.error());
  runtime_exists.store(true);
  const bool takes_long = settings_.timing.timed || !settings_.check_path.empty();
  if (takes_long) RunWatch::start(interrupt_profiles);
}

Runtime::~Runtime() = default;

Result<void> Runtime::initialise() {
  auto chosen =
      settings_.devices.empty() ? devices_by_program() : devices_by_name(settings_.devices);
  if (!chosen) return tl::unexpected(chosen.error());
  const std::vector<std::uint32_t> slots = visible_slots(chosen->size(), settings_);
  if (slots.empty()) return {};
  std::vector<target::Device> visible;
  for (const std::uint32_t slot : slots) visible.push_back((*chosen)[slot]);

  const auto largest = std::ranges::max_element(visible, {}, &target::Device::memory_bytes);
  auto memory =
      machine::DeviceMemory::reserve(largest->memory_bytes, static_cast<int>(visible.size()));
  if (!memory) return tl::unexpected(memory.error());
  memory_ = std::move(*memory);
  const bool unified = std::ranges::any_of(visible, &target::Device::unified_memory);
  memory_->set_host_accessible(settings_.xnack || unified);
  for (const VariablePlace& range : managed_ranges()) {
    auto registered = memory_->register_host(range.address, range.size_bytes);
    if (!registered) return registered;
  }
  if (!settings_.check_path.empty()) {
    checker_ = std::make_unique<Checker>(settings_.check_path, *memory_);
    memory_->keep_freed_addresses();
    watch_host_accesses(*checker_);
    for (const VariablePlace& range : managed_ranges()) {
      checker_->program_memory().add_variable(range.address, range.size_bytes, "__managed__", true);
    }
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const DevicePlace place{.ordinal = static_cast<int>(i), .slot = slots[i]};
    devices_.push_back(std::make_unique<VirtualDevice>(place, std::move(visible[i]), *memory_,
                                                       settings_, checker_.get()));
    streams_.push_back(std::make_unique<DeviceStreams>(*devices_.back()));
  }
  return {};
}

VirtualDevice* Runtime::device(int ordinal) {
  if (ordinal < 0 || ordinal >= device_count()) return nullptr;
  return devices_[static_cast<std::size_t>(ordinal)].get();
}

int Runtime::current_ordinal() { return current_ordinal_of_thread; }
void Runtime::set_current_ordinal(int ordinal) { current_ordinal_of_thread = ordinal; }

DeviceStreams& Runtime::streams(const VirtualDevice& device) {
  return *streams_[static_cast<std::size_t>(device.ordinal())];
}

void Runtime::synchronize() {
  for (const auto& streams : streams_) streams->synchronize();
}

DeviceStreams* Runtime::streams_with(const Stream* stream) {
  for (const auto& streams : streams_) {
    if (streams->owns(stream)) return streams.get();
  }
  return nullptr;
}

}  // namespace wavetank::hip
