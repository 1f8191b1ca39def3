#include "profile/profile_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "base/file.hpp"
#include "base/json.hpp"
#include "profile/merged_launches.hpp"

namespace wavetank::profile {
namespace {

/// An open file that nobody else appends to while this object lives.
class LockedFile {
 public:
  explicit LockedFile(const std::string& path)
      : fd_(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
    if (fd_ >= 0) flock(fd_, LOCK_EX);
  }
  ~LockedFile() {
    if (fd_ >= 0) close(fd_);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  bool is_open() const { return fd_ >= 0; }

  bool is_empty() const {
    struct stat status = {};
    return fstat(fd_, &status) == 0 && status.st_size == 0;
  }

  bool append(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = write(fd_, text.data(), text.size());
      if (written < 0 && errno != EINTR) return false;
      if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

 private:
  int fd_;
};

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string> split_words(std::string_view text, char separator) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// The words of /proc/self/cmdline.
std::vector<std::string> own_command() {
  const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::string all;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(fd, buffer, sizeof buffer)) > 0;) {
    all.append(buffer, static_cast<std::size_t>(n));
  }
  close(fd);
  return split_words(all, '\0');
}

/// What WAVETANK_DEVICE says: a report must find a user's own description again.
std::vector<std::string> chosen_devices() {
  const char* const list = std::getenv("WAVETANK_DEVICE");
  return split_words(list != nullptr ? list : "", ',');
}

std::string header_line() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const Json json = {
      {"wavetank_profile", kFileVersion},
      {"command", own_command()},
      {"devices", chosen_devices()},
      {"process_id", static_cast<unsigned>(getpid())},
      {"begin_unix_ns", std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

tl::unexpected<Error> unreadable(const std::string& path, std::size_t line,
                                 const std::string& message) {
  return fail(ErrorCode::kFileUnreadable, message, fmt::format("{}:{}", path, line),
              "`wavetank profile` writes such files");
}

Result<FileHeader> parse_header(std::string_view line, const std::string& path) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  FileHeader header;
  if (!json.is_object() || !json.contains("wavetank_profile") ||
      !json["wavetank_profile"].is_number_unsigned()) {
    return unreadable(path, 1, "this is no profile");
  }
  const auto version = json["wavetank_profile"].get<std::uint64_t>();
  if (version == 0 || version > kFileVersion) {
    return unreadable(
        path, 1,
        fmt::format("the file has version {}, this program reads {}", version, kFileVersion));
  }
  const auto words = [&](const char* key, std::vector<std::string>& list) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array()) return;
    for (const Json& word : *found) {
      if (word.is_string()) list.push_back(word.get<std::string>());
    }
  };
  words("command", header.command);
  words("devices", header.devices);
  const auto number = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
  };
  header.process_id = static_cast<unsigned>(number("process_id"));
  header.begin_unix_ns = number("begin_unix_ns");
  return header;
}

void take_result(LaunchProfile& launch, const std::vector<LaunchProfile>& before) {
  if (!launch.timed_before) return;
  const ResultKey key = result_key(launch);
  const auto timed = std::find_if(before.rbegin(), before.rend(), [&](const auto& earlier) {
    return !earlier.timed_before && result_key(earlier) == key;
  });
  if (timed == before.rend()) return;
  // A merged profile's launches are its own: repeats of one of them are others.
  LaunchProfile whole = average_of(*timed);
  whole.merged = {};
  whole.trace = {};
  whole.stays = {};
  whole.dispatch_id = launch.dispatch_id;
  whole.stream_id = launch.stream_id;
  whole.timed_before = true;
  whole.repeats = launch.repeats;
  whole.begin_ns = launch.begin_ns;
  whole.end_ns = launch.end_ns;
  launch = std::move(whole);
}

/// True for a line about the same launches as `earlier`, but for the last of them.
bool continues(const LaunchProfile& launch, const LaunchProfile& earlier) {
  return launch.timed_before && earlier.timed_before && launch.dispatch_id == earlier.dispatch_id &&
         launch.repeats.process_id == earlier.repeats.process_id &&
         launch.repeats.process_id != 0 && launch.device == earlier.device;
}

bool has_what_if(const LaunchProfile& launch) {
  return !launch.what_if.empty() || !launch.not_repeatable.empty();
}

/// Adds a copy or fill to a file's. Errors: kFileUnreadable, with the message alone.
Result<void> add_transfer(std::string_view line, ProfileFile& file) {
  const auto transfer = transfer_from_line(line);
  if (!transfer) return tl::unexpected(transfer.error());
  file.transfers.push_back(transfer->transfer);
  file.transfers_left_out += transfer->left_out;
  return {};
}

/// The launches of a file while its lines come.
class Launches {
 public:
  /// Adds what a line says. Errors: kFileUnreadable, with the message alone.
  Result<void> add(std::string_view line) {
    if (is_merged_line(line)) {
      auto launch = merged_from_line(line);
      return launch ? add(std::move(*launch)) : tl::unexpected(launch.error());
    }
    auto launch = from_line(line);
    if (!launch) return tl::unexpected(launch.error());
    if (has_what_if(*launch)) return add_what_if(std::move(*launch));
    launch->merged.id == 0 ? add(std::move(*launch)) : add_sum(std::move(*launch));
    return {};
  }

  std::vector<LaunchProfile> take() {
    for (const auto& [id, at] : merged_) {
      launches_[at] = average_of(std::move(launches_[at]));
    }
    return std::move(launches_);
  }

 private:
  void add(LaunchProfile launch) {
    const auto earlier =
        std::find_if(launches_.rbegin(), launches_.rend(),
                     [&](const LaunchProfile& other) { return continues(launch, other); });
    if (earlier != launches_.rend()) {
      earlier->repeats = launch.repeats;
      return;
    }
    take_result(launch, launches_);
    launches_.push_back(std::move(launch));
  }

  Result<void> add_what_if(LaunchProfile answered) {
    const ResultKey key = result_key(answered);
    const auto timed =
        std::find_if(launches_.rbegin(), launches_.rend(), [&](const LaunchProfile& earlier) {
          return !earlier.timed_before && result_key(earlier) == key;
        });
    if (timed == launches_.rend()) {
      return fail(ErrorCode::kFileUnreadable, "the launch that was timed again is missing");
    }
    timed->what_if = std::move(answered.what_if);
    timed->not_repeatable = std::move(answered.not_repeatable);
    return {};
  }

  void add_sum(LaunchProfile sum) {
    const auto [at, added] = merged_.try_emplace(sum.merged.id, launches_.size());
    if (added) {
      sum.merged.reference = sum.counters;
      launches_.push_back(std::move(sum));
      return;
    }
    const std::uint64_t timed = sum.merged.timed;
    sum.merged = std::move(launches_[at->second].merged);
    sum.merged.timed = timed;
    launches_[at->second] = std::move(sum);
  }

  Result<void> add(MergedLine line) {
    const auto at = merged_.find(line.into);
    if (at == merged_.end()) {
      return fail(ErrorCode::kFileUnreadable, "what the launch was merged into is missing");
    }
    Merged& merged = launches_[at->second].merged;
    if (line.launch.counters > merged.counters.size()) {
      return fail(ErrorCode::kFileUnreadable, "the launch has the counters of a later one");
    }
    if (line.launch.counters == merged.counters.size()) {
      merged.counters.push_back(std::move(line.changes));
    }
    merged.launches.push_back(line.launch);
    return {};
  }

  std::vector<LaunchProfile> launches_;
  std::unordered_map<std::uint64_t, std::size_t> merged_;  ///< by Merged::id
};

Result<void> append(const std::string& path, const std::string& line) {
  const LockedFile file(path);
  const std::string header = file.is_open() && file.is_empty() ? header_line() : "";
  if (!file.is_open() || !file.append(header + line + "\n")) {
    return fail(ErrorCode::kFileUnreadable,
                fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
  return {};
}

}  // namespace

ResultKey result_key(const LaunchProfile& launch) {
  const Dim3 &grid = launch.grid_work_items, &group = launch.workgroup_work_items;
  return {launch.mangled_name,
          launch.device,
          launch.cycles,
          {grid.x, grid.y, grid.z, group.x, group.y, group.z}};
}

LaunchProfile without_result(const LaunchProfile& launch) {
  LaunchProfile summary;
  summary.mangled_name = launch.mangled_name;
  summary.device = launch.device;
  summary.dispatch_id = launch.dispatch_id;
  summary.stream_id = launch.stream_id;
  summary.grid_work_items = launch.grid_work_items;
  summary.workgroup_work_items = launch.workgroup_work_items;
  summary.timed_before = launch.timed_before;
  summary.repeats = launch.repeats;
  summary.begin_ns = launch.begin_ns;
  summary.end_ns = launch.end_ns;
  summary.cycles = launch.cycles;
  return summary;
}

Result<void> append_to_file(const std::string& path, const LaunchProfile& launch) {
  return append(path, to_line(launch.timed_before ? without_result(launch) : launch));
}

Result<void> append_what_if(const std::string& path, const LaunchProfile& launch) {
  LaunchProfile summary = without_result(launch);
  summary.what_if = launch.what_if;
  summary.not_repeatable = launch.not_repeatable;
  return append(path, to_line(summary));
}

Result<void> append_to_file(const std::string& path, const MergedLine& launch) {
  return append(path, to_line(launch));
}

Result<void> append_to_file(const std::string& path, const TransferLine& transfer) {
  return append(path, to_line(transfer));
}

Result<ProfileFile> read_profile(const std::string& path) {
  const Result<std::vector<std::byte>> bytes = read_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  std::string_view rest = text_of(*bytes);
  ProfileFile file;
  Launches launches;
  for (std::size_t line = 1; !rest.empty() || line == 1; ++line) {
    const std::size_t end = rest.find('\n');
    const std::string_view text = rest.substr(0, end);
    const auto add = [&] {
      return is_transfer_line(text) ? add_transfer(text, file) : launches.add(text);
    };
    if (line == 1) {
      const Result<FileHeader> header = parse_header(text, path);
      if (!header) return tl::unexpected(header.error());
      file.header = *header;
    } else if (const Result<void> added = add(); !added) {
      if (end != std::string_view::npos) return unreadable(path, line, added.error().message);
      file.cut_off = true;
    }
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  file.launches = launches.take();
  return file;
}

}  // namespace wavetank::profile
