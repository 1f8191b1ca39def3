#include "profile/launch_log.hpp"

#include <bit>
#include <functional>
#include <utility>

#include <unistd.h>

#include "profile/launch_repeats.hpp"
#include "profile/profile_text.hpp"

namespace wavetank::profile {

std::uint64_t result_number(const LaunchProfile& launch) {
  LaunchProfile result = launch;
  result.dispatch_id = result.stream_id = 0;
  result.begin_ns = result.end_ns = 0;
  result.timed_before = false;
  result.repeats = {};
  for (auto& [name, value] : result.counters) value.max = 0;
  for (LevelTraffic& level : result.levels) level.busy_percent = 0;
  return std::hash<std::string>()(to_line(result));
}

Result<LaunchLog::Entry*> LaunchLog::add(const LaunchProfile& launch, double begin_ns,
                                         bool in_full) {
  Entry& entry = entries_[result_key(launch)];
  const bool is_new = entry.number == 0;
  const std::uint64_t number = result_number(launch);
  if (!is_new && entry.number == number && !in_full && launch.trace.waves.empty()) {
    const LaunchPlace place{launch.stream_id, launch.dispatch_id, begin_ns, launch.end_ns};
    if (auto done = add_repeat(entry, place); !done) return tl::unexpected(done.error());
    return &entry;
  }
  // The reader takes the last result in full before a line: those before must not come after it.
  if (auto done = write_repeats(entry); !done) return tl::unexpected(done.error());
  entry = {.number = number, .facts = without_result(launch), .repeats = {}, .written = 0};
  if (auto done = write(launch); !done) return tl::unexpected(done.error());
  return &entry;
}

Result<void> LaunchLog::add_repeat(Entry& entry, const LaunchPlace& place) {
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

Result<void> LaunchLog::finish() {
  for (auto& [key, entry] : entries_) {
    if (auto done = write_repeats(entry); !done) return done;
  }
  return {};
}

Result<void> LaunchLog::write(const LaunchProfile& launch) const {
  return path_.empty() ? Result<void>{} : append_to_file(path_, launch);
}

Result<void> LaunchLog::write_repeats(Entry& entry) const {
  if (!entry.repeats || entry.written == entry.repeats->repeats.count) return {};
  entry.written = entry.repeats->repeats.count;
  return write(*entry.repeats);
}

}  // namespace wavetank::profile
