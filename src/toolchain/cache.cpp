#include "toolchain/cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <vector>

namespace wavetank::toolchain {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDraftPrefix = "draft-";
constexpr std::string_view kKeptPrefix = "kept-";
/// No compilation takes as long; a draft that is older was left behind.
constexpr std::chrono::hours kOldestDraft{2};

struct Entry {
  fs::path path;
  fs::file_time_type used;
  std::uint64_t size_bytes = 0;
};

std::vector<Entry> entries_of(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder, error)) {
    std::error_code gone;  // another process may remove it meanwhile
    Entry entry{file.path(), file.last_write_time(gone), file.file_size(gone)};
    if (!gone) entries.push_back(std::move(entry));
  }
  return entries;
}

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

std::optional<fs::path> Cache::place() {
  std::error_code error;
  if (const char* own = variable("WAVETANK_CACHE")) {
    if (std::string_view(own) == "off") return std::nullopt;
    return fs::absolute(own, error);
  }
  if (const char* cache = variable("XDG_CACHE_HOME")) return fs::path(cache) / "wavetank";
  if (const char* home = variable("HOME")) return fs::path(home) / ".cache" / "wavetank";
  return std::nullopt;
}

std::optional<Cache> Cache::open() {
  const auto folder = place();
  if (!folder) return std::nullopt;
  std::error_code error;
  fs::create_directories(*folder, error);
  if (access(folder->c_str(), R_OK | W_OK | X_OK) != 0) return std::nullopt;
  return Cache(*folder);
}

std::optional<fs::path> Cache::find(const std::string& name) const {
  fs::path path = path_of(name);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);
  return path;
}

fs::path Cache::draft(const std::string& name) const {
  static std::atomic<unsigned> next = 0;
  return folder_ / fmt::format("{}{}-{}-{}", kDraftPrefix, getpid(), next++, name);
}

bool Cache::publish(const fs::path& draft, const std::string& name) const {
  std::error_code error;
  fs::rename(draft, path_of(name), error);
  if (!error) return true;
  fs::remove(draft, error);
  return false;
}

bool Cache::store(const std::string& name, std::string_view content) const {
  const fs::path path = draft(name);
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (file) return publish(path, name);
  std::error_code error;
  fs::remove(path, error);
  return false;
}

std::optional<fs::path> Cache::keep(const std::string& name, std::string_view content) const {
  fs::path kept = path_of(std::string(kKeptPrefix) + name);
  std::error_code error;
  if (fs::exists(kept, error)) return kept;
  const std::string written = draft(name).filename().string();
  if (!store(written, content)) return std::nullopt;
  const bool linked = link(path_of(written).c_str(), kept.c_str()) == 0 || errno == EEXIST;
  fs::remove(path_of(written), error);
  return linked ? std::optional(std::move(kept)) : std::nullopt;
}

std::uint64_t Cache::size_bytes() const {
  std::uint64_t total = 0;
  for (const Entry& entry : entries_of(folder_)) total += entry.size_bytes;
  return total;
}

void Cache::trim(std::uint64_t limit_bytes) const {
  std::vector<Entry> entries = entries_of(folder_);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used > b.used; });
  const auto now = fs::file_time_type::clock::now();
  std::uint64_t kept = 0;
  for (const Entry& entry : entries) {
    const std::string name = entry.path.filename().string();
    if (name.rfind(kKeptPrefix, 0) == 0) continue;
    const bool draft = name.rfind(kDraftPrefix, 0) == 0;
    const bool keep =
        draft ? now - entry.used < kOldestDraft : kept + entry.size_bytes <= limit_bytes;
    if (keep) {
      kept += entry.size_bytes;
      continue;
    }
    std::error_code error;
    fs::remove(entry.path, error);
  }
}

}  // namespace wavetank::toolchain
