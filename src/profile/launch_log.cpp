#include "profile/launch_log.hpp"

#include <bit>
#include <utility>

#include <unistd.h>

#include "profile/launch_repeats.hpp"
#include "profile/merged_launches.hpp"
#include "profile/result_number.hpp"

namespace wavetank::profile {

namespace {

LaunchProfile without_stays(LaunchProfile launch) {
  launch.stays = {};
  return launch;
}

}  // namespace

LaunchLog::Shape LaunchLog::shape_of(const LaunchProfile& launch) {
  const auto& [name, device, cycles, sizes] = result_key(launch);
  return {name, device, sizes, launch.lds_bytes, launch.sampling.sampled};
}

Result<LaunchLog::Known> LaunchLog::add(const LaunchProfile& launch, double begin_ns,
                                        bool in_full) {
  if (auto done = write_transfers_before(); !done) return tl::unexpected(done.error());
  Family& family = families_[shape_of(launch)];
  const std::uint64_t number = result_number(launch);
  const bool must = in_full || !launch.trace.waves.empty();
  const auto found = entries_.find(result_key(launch));
  if (!must && found != entries_.end() && found->second.number == number) {
    const Known known{launch.cycles, number, &found->second, &family};
    const LaunchPlace place{launch.stream_id, launch.dispatch_id, begin_ns, launch.end_ns};
    if (auto done = add_repeat(known, place); !done) return tl::unexpected(done.error());
    return known;
  }
  if (!must && family.in_full >= kMostInFull) {
    if (family.sum.merged.id == 0) {
      family.sum = without_stays(launch);
      family.sum.merged = {.id = ++merged_ << 32 | static_cast<std::uint32_t>(getpid()),
                           .timed = 0,
                           .reference = launch.counters,
                           .counters = {},
                           .launches = {}};
    }
    if (auto changes = changes_from(family.sum.merged.reference, launch.counters)) {
      return merge(family, launch, number, std::move(*changes));
    }
  }
  return add_in_full(family, launch, number);
}

Result<LaunchLog::Known> LaunchLog::add_in_full(Family& family, const LaunchProfile& launch,
                                                std::uint64_t number) {
  Entry& entry = entries_[result_key(launch)];
  // The reader takes the last result in full before a line: those before must not come after it.
  if (auto done = write_repeats(entry); !done) return tl::unexpected(done.error());
  entry = {.number = number, .facts = without_result(launch), .repeats = {}, .written = 0};
  const bool with_stays = family.in_full++ == 0 && stays_ + launch.stays.kept.size() <= kMostStays;
  if (with_stays) stays_ += launch.stays.kept.size();
  if (auto done = write(with_stays ? launch : without_stays(launch)); !done) {
    return tl::unexpected(done.error());
  }
  return Known{launch.cycles, number, &entry, &family};
}

Result<LaunchLog::Known> LaunchLog::merge(Family& family, const LaunchProfile& launch,
                                          std::uint64_t number, CounterChanges changes) {
  Merged& merged = family.sum.merged;
  if (merged.timed == 0) {
    merged.timed = 1;
  } else {
    add_to_sum(family.sum, launch);
  }
  // The first sum tells the reader what the changes are from.
  if (std::has_single_bit(merged.timed)) {
    if (auto done = write_sum(family); !done) return tl::unexpected(done.error());
  }
  const auto next = static_cast<std::uint32_t>(family.counters.size());
  const auto [counters, added] = family.counters.try_emplace(number, next);
  if (!added) changes = {};
  const MergedLaunch one{launch.dispatch_id, launch.stream_id, launch.begin_ns,
                         launch.end_ns,      launch.cycles,    counters->second};
  if (auto done = write({merged.id, one, std::move(changes)}); !done) {
    return tl::unexpected(done.error());
  }
  return Known{launch.cycles, number, nullptr, &family};
}

bool LaunchLog::holds(const Known& known) {
  return known.entry == nullptr || known.entry->number == known.number;
}

Result<void> LaunchLog::add_repeat(const Known& known, const LaunchPlace& place) {
  if (known.entry != nullptr) return add_to_entry(*known.entry, place);
  const auto begin_ns = static_cast<std::uint64_t>(place.begin_ns);
  return write({known.family->sum.merged.id,
                {place.dispatch_id, place.stream_id, begin_ns, place.end_ns, known.cycles,
                 known.family->counters.at(known.number)},
                {}});
}

Result<void> LaunchLog::add_to_entry(Entry& entry, const LaunchPlace& place) {
  if (entry.repeats &&
      profile::add_repeat(*entry.repeats, place.stream_id, place.dispatch_id, place.begin_ns)) {
    return std::has_single_bit(entry.repeats->repeats.count) ? write_repeats(entry)
                                                             : Result<void>{};
  }
  if (auto done = write_repeats(entry); !done) return done;
  LaunchProfile first = entry.facts;
  first.timed_before = true;
  first.dispatch_id = place.dispatch_id;
  first.stream_id = place.stream_id;
  first.begin_ns = static_cast<std::uint64_t>(place.begin_ns);
  first.end_ns = place.end_ns;
  first.repeats.first_ns = place.begin_ns;
  first.repeats.process_id = static_cast<std::uint32_t>(getpid());
  entry.repeats = std::move(first);
  entry.written = 0;
  return write_repeats(entry);
}

Result<void> LaunchLog::add(const Transfer& transfer) {
  if (transfers_++ < kMostTransfers) {
    if (!launched_) {
      before_launches_.push_back(transfer);
      return {};
    }
    return path_.empty() ? Result<void>{} : append_to_file(path_, TransferLine{transfer});
  }
  last_transfer_ = {transfer, last_transfer_ ? last_transfer_->left_out + 1 : 0};
  return {};
}

Result<void> LaunchLog::write_transfers_before() {
  launched_ = true;
  for (const Transfer& transfer : std::exchange(before_launches_, {})) {
    if (path_.empty()) break;
    if (auto done = append_to_file(path_, TransferLine{transfer}); !done) return done;
  }
  return {};
}

Result<void> LaunchLog::finish() {
  if (last_transfer_ && launched_ && !path_.empty()) {
    if (auto done = append_to_file(path_, *std::exchange(last_transfer_, {})); !done) return done;
  }
  for (auto& [key, entry] : entries_) {
    if (auto done = write_repeats(entry); !done) return done;
  }
  for (auto& [shape, family] : families_) {
    if (auto done = write_sum(family); !done) return done;
  }
  return {};
}

Result<void> LaunchLog::write(const LaunchProfile& launch) const {
  return path_.empty() ? Result<void>{} : append_to_file(path_, launch);
}

Result<void> LaunchLog::write(const MergedLine& launch) const {
  return path_.empty() ? Result<void>{} : append_to_file(path_, launch);
}

Result<void> LaunchLog::write_sum(Family& family) const {
  if (family.written == family.sum.merged.timed) return {};
  family.written = family.sum.merged.timed;
  return write(family.sum);
}

Result<void> LaunchLog::write_repeats(Entry& entry) const {
  if (!entry.repeats || entry.written == entry.repeats->repeats.count) return {};
  entry.written = entry.repeats->repeats.count;
  return write(*entry.repeats);
}

}  // namespace wavetank::profile
