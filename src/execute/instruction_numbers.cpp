#include "execute/instruction_numbers.hpp"

#include <atomic>

namespace wavetank::execute {

std::uint32_t next_instruction_index() {
  static std::atomic<std::uint32_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

std::uint32_t InstructionNumbers::index_at(const Place& place) {
  std::uint32_t& index = indexes_[place];
  if (index == 0) {
    index = next_instruction_index();
    places_.emplace(index, place);
  }
  return index;
}

std::uint32_t InstructionNumbers::index_of(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  return index_at({address, 0});
}

std::uint32_t InstructionNumbers::index_called_from(std::uint32_t caller, std::uint32_t index) {
  const std::lock_guard lock(mutex_);
  return index_at({places_[index].address, caller});
}

std::vector<std::uint64_t> InstructionNumbers::addresses_of_index(std::uint32_t index) {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint64_t> addresses;
  for (auto place = places_.find(index); place != places_.end();
       place = places_.find(place->second.caller)) {
    addresses.push_back(place->second.address);
  }
  return addresses;
}

}  // namespace wavetank::execute
