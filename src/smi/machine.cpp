#include "smi/machine.hpp"

#include <cstdlib>
#include <string>

#include "base/text.hpp"
#include "smi/process_runtime.hpp"
#include "target/board.hpp"
#include "target/builtin_devices.hpp"
#include "target/load_device.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::smi {
namespace {

using target::known;

/// The built-in device with this marketing name; empty if there is none.
std::string builtin_called(const std::string& marketing_name) {
  for (const std::string& name : target::builtin_device_names()) {
    const auto device = target::load_device(name);
    if (device && device->marketing_name == marketing_name) return name;
  }
  return {};
}

std::vector<std::string> device_names() {
  const char* list = std::getenv("WAVETANK_DEVICE");
  std::vector<std::string> names = split_at_commas(list == nullptr ? "" : list);
  if (!names.empty()) return names;
  for (const std::string& marketing_name : hip_device_names()) {
    const std::string name = builtin_called(marketing_name);
    if (!name.empty()) names.push_back(name);
  }
  if (names.empty()) names.push_back(target::builtin_device_names().front());
  return names;
}

}  // namespace

std::uint64_t Card::bdf() const {
  const target::PciAddress pci = target::pci_address(slot);
  return static_cast<std::uint64_t>(pci.domain) << 32 | static_cast<std::uint64_t>(pci.bus) << 8 |
         static_cast<std::uint64_t>(pci.device) << 3;
}

Machine& Machine::instance() {
  // Never destroyed: exit handlers of the program may still ask.
  static auto* machine = new Machine;
  return *machine;
}

Result<void> Machine::open() {
  const std::lock_guard lock(mutex_);
  if (opened_ == 0) {
    std::vector<Card> cards;
    for (const std::string& name : device_names()) {
      auto device = target::load_device(name);
      if (!device) return tl::unexpected(device.error());
      const bool xgmi = device->value(known("board.xgmi")) != 0;
      const auto slot = static_cast<std::uint32_t>(cards.size());
      cards.push_back({.slot = slot, .device = std::move(*device), .xgmi = xgmi});
    }
    cards_ = std::move(cards);
  }
  ++opened_;
  return {};
}

bool Machine::close() {
  const std::lock_guard lock(mutex_);
  if (opened_ == 0) return false;
  if (--opened_ == 0) cards_.clear();
  return true;
}

bool joined_by_xgmi(const Card& a, const Card& b) {
  return a.xgmi && b.xgmi && a.device.name == b.device.name;
}

}  // namespace wavetank::smi
