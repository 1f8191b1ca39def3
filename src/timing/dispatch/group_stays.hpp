// Which CU had which workgroup, and when: of each CU the first and the last few of a launch, so
// that the room does not grow with the grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/launch_profile.hpp"

namespace wavetank::timing {

class GroupStays {
 public:
  /// Of each CU, at either end: as many workgroups as it can hold at once.
  static constexpr std::size_t kKept = 32;

  void start_launch(std::size_t units) {
    units_.assign(units, {});
    left_out_ = 0;
  }
  /// A workgroup left its CU; they come in the order of their ends.
  void add(const profile::WorkgroupStay& stay);
  profile::WorkgroupStays take() const;

 private:
  struct Unit {
    std::vector<profile::WorkgroupStay> first, last;
    std::size_t next = 0;  ///< of `last`, which is the oldest when it is full
  };
  std::vector<Unit> units_;
  std::uint64_t left_out_ = 0;
};

}  // namespace wavetank::timing
