// The virtual machine that the SMI library describes: its devices, from rsmi_init to
// rsmi_shut_down.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/error.hpp"
#include "target/device.hpp"

namespace wavetank::smi {

/// One card.
struct Card {
  std::uint32_t slot = 0;
  target::Device device;
  bool xgmi = false;  ///< has Infinity Fabric links to the other cards of its kind

  /// The address in one number: domain << 32 | bus << 8 | device << 3 | function.
  std::uint64_t bdf() const;
};

class Machine {
 public:
  static Machine& instance();

  /// Reads WAVETANK_DEVICE at the first of nested calls. Without it the devices are those of the
  /// HIP runtime in this process, which chooses by the program's code; without one the first
  /// built-in. HIP_VISIBLE_DEVICES does not hide devices from system management. Errors:
  /// kBadDevice, kFileUnreadable.
  Result<void> open();
  /// Ends what one open() began; false if there was none.
  bool close();

  std::uint32_t card_count() const { return static_cast<std::uint32_t>(cards_.size()); }
  /// A card by its index, or nullptr (always before open()).
  const Card* card(std::uint32_t index) const {
    return index < cards_.size() ? &cards_[index] : nullptr;
  }

 private:
  std::mutex mutex_;
  int opened_ = 0;
  std::vector<Card> cards_;
};

/// Whether a link of Infinity Fabric joins two cards.
bool joined_by_xgmi(const Card& a, const Card& b);

}  // namespace wavetank::smi
