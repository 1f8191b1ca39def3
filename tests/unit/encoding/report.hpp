// Collects mismatches and prints a digest: the count, and one example for each key.
#pragma once

#include <map>
#include <string>

namespace wavetank::test {

class Report {
 public:
  void add(const std::string& key, const std::string& example) {
    ++count_;
    auto [entry, fresh] = entries_.try_emplace(key, example, 0);
    ++entry->second.second;
  }
  unsigned count() const { return count_; }
  std::string text(unsigned most = 400) const {
    std::string result = std::to_string(count_) + " mismatches\n";
    for (const auto& [key, entry] : entries_) {
      if (most-- == 0) return result + "  ...\n";
      result += "  " + key + " (" + std::to_string(entry.second) + "): " + entry.first + "\n";
    }
    return result;
  }

 private:
  unsigned count_ = 0;
  std::map<std::string, std::pair<std::string, unsigned>> entries_;
};

}  // namespace wavetank::test
