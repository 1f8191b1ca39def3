#include "timing/dispatch/group_stays.hpp"

#include <algorithm>
#include <tuple>

namespace wavetank::timing {

using profile::WorkgroupStay;

void GroupStays::add(const WorkgroupStay& stay) {
  Unit& unit = units_[stay.cu];
  if (unit.first.size() < kKept) {
    unit.first.push_back(stay);
  } else if (unit.last.size() < kKept) {
    unit.last.push_back(stay);
  } else {
    unit.last[unit.next] = stay;
    unit.next = (unit.next + 1) % kKept;
    ++left_out_;
  }
}

profile::WorkgroupStays GroupStays::take() const {
  profile::WorkgroupStays stays;
  stays.left_out = left_out_;
  for (const Unit& unit : units_) {
    stays.kept.insert(stays.kept.end(), unit.first.begin(), unit.first.end());
    stays.kept.insert(stays.kept.end(), unit.last.begin(), unit.last.end());
  }
  std::ranges::sort(stays.kept, {}, [](const WorkgroupStay& stay) {
    return std::tuple(stay.begin_cycle, stay.cu, stay.workgroup);
  });
  return stays;
}

}  // namespace wavetank::timing
