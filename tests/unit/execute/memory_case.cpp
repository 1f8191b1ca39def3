#include "memory_case.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "machine/wave.hpp"

namespace wavetank::tests {
namespace {

/// The part of `text` up to each comma.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

bool read_hex(std::istream& in, std::uint64_t& value) {
  std::string word;
  if (!(in >> word)) return false;
  char* end = nullptr;
  value = std::strtoull(word.c_str(), &end, 16);
  return *end == 0;
}

/// "case offset gfx90a,gfx942 exact,llvm"
bool read_head(std::istream& words, MemoryCase& result) {
  std::string targets, sources;
  if (!(words >> result.title >> targets >> sources)) return false;
  for (const std::string& target : split(targets)) {
    if (const isa::Target* known = isa::find_target(target)) result.targets.push_back(known);
  }
  result.sources = split(sources);
  return !result.targets.empty();
}

/// "code d8dc0010 05000002 ; ds_read_b32 v5, v2 offset:16"
bool read_code(std::istream& words, MemoryCase& result) {
  std::string word;
  while (words >> word && word != ";") {
    result.code.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
  }
  std::getline(words >> std::ws, result.assembly);
  return !result.code.empty();
}

/// machine::Stop by its name in the files.
bool read_stop(std::istream& words, Place& place) {
  using machine::Stop;
  static const std::map<std::string, Stop> kStops{
      {"running", Stop::kRunning}, {"ended", Stop::kEnded}, {"barrier", Stop::kBarrier},
      {"waiting", Stop::kWaiting}, {"host", Stop::kHost},   {"gws", Stop::kGwsBarrier},
      {"trap", Stop::kTrap}};
  std::string word;
  words >> word;
  const auto stop = kStops.find(word);
  if (stop == kStops.end()) return false;
  place.kind = Place::Kind::kStop;
  place.values = {static_cast<std::uint32_t>(stop->second)};
  return true;
}

/// "v2", "s4", "lds 10", "memory 1fffffffff40", "private 31 8", "mode", "clock", then values.
bool read_place(const std::string& key, std::istream& words, Place& place) {
  using Kind = Place::Kind;
  std::uint64_t number = 0;
  if (key == "lds" || key == "memory" || key == "private") {
    place.kind = key == "lds" ? Kind::kLds : key == "memory" ? Kind::kMemory : Kind::kPrivate;
    if (place.kind == Kind::kPrivate && !(words >> place.lane)) return false;
    if (!read_hex(words, place.at)) return false;
  } else if (key == "mode" || key == "clock") {
    place.kind = key == "mode" ? Kind::kMode : Kind::kClock;
  } else if (key == "stop") {
    return read_stop(words, place);
  } else if (key == "pc") {
    place.kind = Kind::kPc;
    return read_hex(words, place.at);
  } else if (key == "m0") {
    place.kind = Kind::kScalar;
    place.at = 124;
  } else if (key == "scc") {
    place.kind = Kind::kScc;
  } else if (key.size() > 1 && (key[0] == 'v' || key[0] == 'a' || key[0] == 's')) {
    place.kind = key[0] == 's' ? Kind::kScalar : Kind::kVector;
    place.at = std::stoul(key.substr(1)) + (key[0] == 'a' ? kFirstAccVgpr : 0);
  } else {
    return false;
  }
  while (words >> std::ws && words.peek() != EOF) {
    if (!read_hex(words, number)) return false;
    place.values.push_back(static_cast<std::uint32_t>(number));
  }
  return !place.values.empty();
}

bool read_line(const std::string& line, MemoryFile& file) {
  std::istringstream words(line);
  std::string key;
  if (!(words >> key)) return true;
  if (key == "case") return read_head(words, file.cases.emplace_back());
  if (file.cases.empty()) return false;
  MemoryCase& current = file.cases.back();
  if (key == "code") return read_code(words, current);
  if (key == "lanes") {
    for (unsigned lane; words >> lane;) current.lanes.push_back(lane);
    return words.eof();
  }
  const bool after = key == "->";
  if (after && !(words >> key)) return false;
  return read_place(key, words, (after ? current.after : current.before).emplace_back());
}

}  // namespace

std::size_t MemoryFile::confirmed() const {
  return static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [](const MemoryCase& c) { return c.sources.size() >= 2; }));
}

std::vector<std::string> MemoryFile::references() const {
  std::set<std::string> names;
  for (const MemoryCase& c : cases) {
    if (c.sources.size() >= 2) names.insert(c.sources.begin(), c.sources.end());
  }
  return {names.begin(), names.end()};
}

MemoryFile read_memory_file(const std::string& path) {
  MemoryFile file;
  std::ifstream in(path);
  std::string line, hash;
  if (std::getline(in, line)) std::istringstream(line) >> hash >> file.name;
  if (hash != "#" || file.name.empty()) file.error = path + ": no title line";
  while (file.error.empty() && std::getline(in, line)) {
    if (!read_line(line, file)) file.error = path + ": cannot read: " + line;
  }
  return file;
}

}  // namespace wavetank::tests
