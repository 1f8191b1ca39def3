#include "profile/change.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "profile/instruction_kind.hpp"
#include "profile/launch_overhead.hpp"
#include "target/parameter_rows.hpp"

namespace wavetank::profile {
namespace {

// What shows that a cause may cost something.

bool always(const LaunchProfile&) { return true; }

template <Reason kReason>
bool waits_for(const LaunchProfile& launch) {
  return launch.cycles_by_reason[static_cast<std::size_t>(kReason)] != 0;
}

template <class Is>
bool has(const LaunchProfile& launch, Is is) {
  return std::ranges::any_of(launch.instructions, [&](const InstructionProfile& i) {
    return i.row != nullptr && i.hits != 0 && is(i);
  });
}

bool is_scattered(const LaunchProfile& launch) {
  return has(launch, [](const auto& i) { return i.lines_touched > i.lines_needed; });
}
bool has_lds_conflicts(const LaunchProfile& launch) {
  return has(launch, [](const auto& i) { return i.lds_conflict_cycles != 0; });
}
bool has_idle_lanes(const LaunchProfile& launch) {
  constexpr double kLanes = 64;
  return has(launch, [](const auto& i) {
    return i.row->unit == isa::Unit::kValu && i.active_lanes < kLanes * i.hits;
  });
}
bool has_f64(const LaunchProfile& launch) {
  return has(launch, [](const auto& i) { return is_f64(i); });
}
bool has_scratch(const LaunchProfile& launch) {
  return has(launch, [](const auto& i) { return i.private_accesses != 0; });
}
bool has_narrow_accesses(const LaunchProfile& launch) {
  return has(launch, [](const auto& i) { return is_narrow(i); });
}
bool has_uniform_loads(const LaunchProfile& launch) {
  return has(launch, [](const auto& i) { return is_uniform_load(i); });
}
bool has_free_slots(const LaunchProfile& launch) {
  return launch.occupancy.waves_per_simd_limit < launch.occupancy.wave_slots_per_simd;
}
bool has_atomics(const LaunchProfile& launch) {
  return has(launch,
             [](const auto& i) { return i.row->memory.action == isa::MemoryAction::kAtomic; });
}
bool has_fences(const LaunchProfile& launch) {
  return waits_for<Reason::kWaitFence>(launch) || launch.write_back_cycles != 0 ||
         has(launch,
             [](const auto& i) { return action_of(i) == isa::MemoryAction::kCacheControl; });
}
bool uses_lds(const LaunchProfile& launch) {
  const auto is_of_lds = [](const auto& i) { return i.row->unit == isa::Unit::kLds; };
  // FLAT accesses get there, too.
  return has(launch, is_of_lds) || std::ranges::any_of(launch.levels, [](const auto& level) {
           return level.name == kLds && level.bytes_read + level.bytes_written > 0;
         });
}
bool misses_translations(const LaunchProfile& launch) {
  return has(launch, [](const auto& i) { return i.translation_misses != 0; });
}
/// A grid that fits the device at once is all tail.
bool has_tail(const LaunchProfile& launch) {
  return launch.tail_cycles != 0 && launch.tail_cycles < wave_cycles(launch);
}
bool uses_memory(const LaunchProfile& launch) {
  return has(launch, [](const auto& i) { return i.lines_touched != 0; });
}
bool has_mall(const LaunchProfile& launch) {
  return std::ranges::any_of(launch.levels,
                             [](const auto& level) { return level.name == kMallLevel; });
}

/// What is so many times faster costs nothing that shows.
constexpr Amount kUnlimited = {1e6, true};
constexpr Amount kNone = {0, true};
/// More than any device has slots.
constexpr Amount kEverySlot = {64, false};

constexpr std::array kRows = {
    ChangeRow{"coalescing", "perfect", "the lanes of each access lie side by side", false,
              is_scattered},
    ChangeRow{"lds.conflicts", "off", "no bank conflicts in the LDS", false, has_lds_conflicts},
    ChangeRow{"lanes", "all", "vector instructions take as long as their active lanes need", false,
              has_idle_lanes},
    ChangeRow{"f64", "as-f32", "f64 arithmetic at the rate of f32, without conversions", false,
              has_f64},
    ChangeRow{"scratch", "free", "accesses to scratch memory take no time", false, has_scratch},
    ChangeRow{"accesses", "wide", "16 bytes at once where lanes access fewer side by side", false,
              has_narrow_accesses},
    ChangeRow{"uniform", "scalar", "what all lanes load alike comes by the scalar cache", false,
              has_uniform_loads},
    ChangeRow{"occupancy", "full", "as many waves as there are slots; or N for a SIMD", true,
              has_free_slots, kEverySlot},
    ChangeRow{"barriers", "off", "no wave waits at a barrier of its workgroup", false,
              waits_for<Reason::kWaitBarrier>},
    ChangeRow{"waits", "off", "no instruction waits for the results of others", false, always},
    ChangeRow{"fences", "free",
              "cache operations take no time, and no wave waits for stores at one", false,
              has_fences},
    ChangeRow{"atomics.contention", "off", "atomics on one address do not wait for each other",
              false, has_atomics},
    ChangeRow{"lds.bandwidth", "unlimited", "ports and banks of the LDS take no time", true,
              uses_lds, kUnlimited},
    ChangeRow{"lds.latency", "none", "data of the LDS is there at once", true, uses_lds, kNone},
    ChangeRow{"sl1d.latency", "none", "scalar loads are there at once", true,
              waits_for<Reason::kWaitScalarMemory>, kNone},
    ChangeRow{"kernarg", "device", "kernels' arguments lie in the device's memory", false,
              waits_for<Reason::kWaitScalarMemory>},
    ChangeRow{"l1i.latency", "none", "instructions are there at once", true,
              waits_for<Reason::kWaitFetch>, kNone},
    ChangeRow{"l1i.misses", "off", "the instruction cache has all code", false,
              waits_for<Reason::kWaitFetch>},
    ChangeRow{"translation", "free", "translations of addresses are there at once", false,
              misses_translations},
    ChangeRow{"vl1d.bandwidth", "unlimited", "address unit and vL1D take no time", true,
              uses_memory, kUnlimited},
    ChangeRow{"vl1d.latency", "none", "data of the vL1D is there at once", true, uses_memory,
              kNone},
    ChangeRow{"l2.bandwidth", "unlimited", "channels of the L2 take no time", true, uses_memory,
              kUnlimited},
    ChangeRow{"l2.latency", "none", "what the vL1D lacks is there as if it had it", true,
              uses_memory, kNone},
    ChangeRow{"dies", "share", "what the Infinity Cache has, the L2 of each die has", false,
              has_mall},
    ChangeRow{"fabric.bandwidth", "unlimited", "the ports between L2 and memory take no time", true,
              uses_memory, kUnlimited},
    ChangeRow{"mall.bandwidth", "unlimited", "slices of the Infinity Cache take no time", true,
              has_mall, kUnlimited},
    ChangeRow{"mall.latency", "none", "what the L2 lacks is there as if it had it", true, has_mall,
              kNone},
    ChangeRow{"hbm.bandwidth", "unlimited", "channels and banks of HBM take no time", true,
              uses_memory, kUnlimited},
    ChangeRow{"hbm.latency", "none", "HBM answers as soon as the level before it", true,
              uses_memory, kNone},
    ChangeRow{"dispatcher", "free", "waves start as soon as there is room", false, always},
    ChangeRow{"tail", "off", "the last workgroups are spread as evenly as all others", false,
              has_tail},
    ChangeRow{"launch", "free", "nothing passes between the launches of a queue", false, always},
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
  return parts;
}

ChangePart named_part(std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = text.substr(0, equals);
  return {std::string(name),
          std::string(text.substr(std::min(equals + 1, text.size()))),
          find_change(name),
          {},
          {}};
}

bool is_known(const ChangePart& part) {
  return part.row != nullptr || !part.is_number() || part.name == kOtherDevice ||
         target::find_row(part.name) != nullptr;
}

tl::unexpected<Error> no_such_change(std::string_view text, std::string help) {
  return fail(ErrorCode::kUsage, fmt::format("there is no change \"{}\"", text), {},
              std::move(help));
}

/// What can be said instead of a value that does not fit.
std::string values_of(const ChangeRow& row) {
  std::string text = "say " + text_of(row);
  if (row.takes_amount)
    text += row.without.is_factor ? ", or a multiple as in 2x" : ", or a number";
  return text;
}

Result<void> take_amount(ChangePart& part, std::string_view text) {
  const ChangeRow& row = *part.row;
  part.amount = row.without;
  if (part.value == row.value) return {};
  const std::optional<Amount> amount = parse_amount(part.value);
  const bool fits =
      row.takes_amount && amount && amount->is_factor == row.without.is_factor && amount->value > 0;
  if (!fits) return no_such_change(text, values_of(row));
  part.amount = *amount;
  return {};
}

/// Takes "40-e4:100-104".
Result<void> take_code(ChangePart& part, std::string_view text) {
  for (const std::string_view one : split(part.value, ':')) {
    std::pair<std::uint64_t, std::uint64_t> range;
    const char* const end = one.data() + one.size();
    const auto first = std::from_chars(one.data(), end, range.first, 16);
    const bool has_end = first.ec == std::errc() && first.ptr != end && *first.ptr == '-';
    const auto last = std::from_chars(has_end ? first.ptr + 1 : end, end, range.second, 16);
    if (!has_end || last.ec != std::errc() || last.ptr != end || range.first >= range.second) {
      return no_such_change(text, "say ranges of hexadecimal offsets, as in code=40-e4:100-104");
    }
    part.code.push_back(range);
  }
  return {};
}

}  // namespace

std::span<const ChangeRow> change_rows() { return kRows; }

const ChangeRow* find_change(std::string_view name) {
  const auto found = std::ranges::find(kRows, name, &ChangeRow::name);
  return found == kRows.end() ? nullptr : &*found;
}

std::string text_of(const ChangeRow& row) { return fmt::format("{}={}", row.name, row.value); }

Result<std::vector<ChangePart>> parse_change(std::string_view text) {
  std::vector<ChangePart> parts;
  for (const std::string_view one : split(text, '+')) {
    ChangePart part = named_part(one);
    if (!is_known(part) || (part.name != kAllChanges && part.value.empty())) {
      return no_such_change(one,
                            "`wavetank what-if --list` names them; a number of the device's "
                            "description is one too, as in memory.peak_bandwidth=2x");
    }
    if (part.name == kFreeCode) {
      if (auto fits = take_code(part, one); !fits) return tl::unexpected(fits.error());
    }
    if (part.row != nullptr) {
      if (auto fits = take_amount(part, one); !fits) return tl::unexpected(fits.error());
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

bool names_change(std::string_view text) {
  return std::ranges::all_of(split(text, '+'), [](std::string_view one) {
    const ChangePart part = named_part(one);
    return !part.value.empty() && is_known(part);
  });
}

double gain_percent(const LaunchProfile& launch, const WhatIf& answer) {
  if (launch.cycles == 0) return 0;
  const auto cycles = static_cast<double>(answer.cycles);
  return 100 * (1 - cycles / static_cast<double>(launch.cycles));
}

std::string in_words(std::string_view change) {
  std::vector<std::string> words;
  for (const std::string_view one : split(change, '+')) {
    const ChangePart part = named_part(one);
    if (part.name == kAllChanges)
      words.emplace_back("none of these causes");
    else if (part.name == kFreeCode)
      words.emplace_back("some arithmetic takes no time");
    else if (part.row != nullptr && part.value == part.row->value)
      words.emplace_back(part.row->meaning);
    else
      words.emplace_back(one);
  }
  return fmt::format("{}", fmt::join(words, ", and "));
}

}  // namespace wavetank::profile
