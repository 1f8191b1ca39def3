#include "check/undefined/undefined_memory.hpp"

namespace wavetank::check {
namespace {

auto place_of(const Access& access) { return std::tuple(access.group, access.wave, access.lane); }

}  // namespace

std::uint32_t UndefinedStores::number_of(const UndefinedStore& store) {
  const Key key(store.launch, store.origin.site, store.store.site, store.origin.computed,
                store.is_whole);
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = numbers_.emplace(key, static_cast<std::uint32_t>(stores_.size()));
  if (is_new) {
    stores_.push_back(store);
  } else if (place_of(store.store) < place_of(stores_[at->second].store)) {
    stores_[at->second] = store;
  }
  return at->second;
}

UndefinedStore UndefinedStores::at(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return stores_[number];
}

std::vector<UndefinedStore> UndefinedStores::from(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return {stores_.begin() + number, stores_.end()};
}

std::uint32_t UndefinedStores::count() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint32_t>(stores_.size());
}

}  // namespace wavetank::check
