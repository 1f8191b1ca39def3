// What the accesses of a kernel asked for, array by array, and what the memory moved for it.
#include <algorithm>
#include <map>
#include <utility>

#include "base/source_access.hpp"
#include "report/page_json.hpp"

namespace wavetank::report {
namespace {

using isa::MemoryAction;
using profile::InstructionProfile;

/// What an access goes to, by the words that the page knows.
enum class Place : std::uint8_t { kArgument, kOther, kConstant, kScratch, kLds };
constexpr const char* word_of(Place place) {
  switch (place) {
    case Place::kArgument: return "argument";
    case Place::kOther: return "other";
    case Place::kConstant: return "scalar";
    case Place::kScratch: return "scratch";
    case Place::kLds: return "lds";
  }
  return "";
}

/// Bytes that lanes asked for.
struct Asked {
  double loaded = 0, stored = 0, atomic = 0;
  unsigned instructions = 0;
};

using Key = std::pair<Place, std::string>;

/// The array of an access: an argument of the kernel, or a variable in LDS as the source names it.
/// Accesses that are known by neither are taken together.
Key array_of(const InstructionProfile& i) {
  if (i.row->unit == isa::Unit::kLds) {
    return {Place::kLds, std::string(name_of_access(i.access))};
  }
  if (i.row->unit == isa::Unit::kSmem) return {Place::kConstant, {}};
  if (2 * i.private_accesses > i.hits) return {Place::kScratch, {}};
  return {i.array.empty() ? Place::kOther : Place::kArgument, i.array};
}

/// A scalar access is one for the whole wave.
double bytes_of(const InstructionProfile& i) {
  const double accesses = i.row->unit == isa::Unit::kSmem ? i.hits : i.active_lanes;
  return accesses * i.row->memory.element_bytes * i.row->memory.element_count;
}

std::map<Key, Asked> asked_by_array(const profile::LaunchProfile& launch) {
  std::map<Key, Asked> arrays;
  for (const profile::ArrayTraffic& array : launch.arrays) {
    if (!array.name.empty()) arrays.emplace(Key(Place::kArgument, array.name), Asked());
  }
  for (const InstructionProfile& i : launch.instructions) {
    const MemoryAction action = i.row == nullptr ? MemoryAction::kNone : i.row->memory.action;
    if (action == MemoryAction::kNone || action == MemoryAction::kCacheControl) continue;
    Asked& asked = arrays[array_of(i)];
    ++asked.instructions;
    const bool stores = action == MemoryAction::kStore;
    const bool is_atomic = action == MemoryAction::kAtomic;
    (stores ? asked.stored : is_atomic ? asked.atomic : asked.loaded) += bytes_of(i);
  }
  return arrays;
}

}  // namespace

Json arrays_json(const profile::LaunchProfile& launch) {
  Json list = Json::array();
  for (const auto& [key, asked] : asked_by_array(launch)) {
    Json json = {{"name", key.second},
                 {"place", word_of(key.first)},
                 {"instructions", asked.instructions},
                 {"loaded", asked.loaded},
                 {"stored", asked.stored},
                 {"atomic", asked.atomic}};
    const auto moved = std::ranges::find(launch.arrays, key.second, &profile::ArrayTraffic::name);
    if (key.first == Place::kArgument && moved != launch.arrays.end()) {
      json["bytes"] = moved->bytes;
      json["moved"] = {{"l2_read", moved->l2_read},
                       {"l2_written", moved->l2_written},
                       {"hbm_read", moved->hbm_read},
                       {"hbm_written", moved->hbm_written}};
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace wavetank::report
