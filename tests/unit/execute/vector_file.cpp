#include "vector_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace wavetank::tests {
namespace {

/// "# v_add_f32   f32(f32, f32)"
bool read_title(const std::string& line, VectorFile& file) {
  std::string text = line;
  for (char& c : text) {
    if (c == '(' || c == ')' || c == ',') c = ' ';
  }
  std::istringstream words(text);
  std::string hash, kind;
  if (!(words >> hash >> file.name >> file.result) || hash != "#") return false;
  while (words >> kind) file.kinds.push_back(kind);
  return !file.kinds.empty();
}

/// Up to 32 hexadecimal digits: the lower 64 bits, and the upper ones apart.
std::uint64_t read_bits(const std::string& word, std::uint64_t& high) {
  const std::size_t low = word.size() > 16 ? word.size() - 16 : 0;
  high = low == 0 ? 0 : std::stoull(word.substr(0, low), nullptr, 16);
  return std::stoull(word.substr(low), nullptr, 16);
}

/// "  3fc00000 3f800000 -> 40200000   exact,llvm"
bool read_line(const std::string& line, std::size_t operands, Vector& vector) {
  std::istringstream words(line);
  std::string word, sources;
  vector.text = line;
  for (std::size_t i = 0; i < operands; ++i) {
    if (!(words >> word)) return false;
    vector.operands.push_back(read_bits(word, vector.last_high));
  }
  if (!(words >> word) || word != "->" || !(words >> word) || !(words >> sources)) return false;
  vector.result = read_bits(word, vector.result_high);
  vector.sources = 1 + static_cast<unsigned>(std::count(sources.begin(), sources.end(), ','));
  vector.explained = sources.find("deviation:") != std::string::npos;
  return true;
}

}  // namespace

std::size_t VectorFile::explained() const {
  return static_cast<std::size_t>(std::count_if(
      vectors.begin(), vectors.end(), [](const Vector& vector) { return vector.explained; }));
}

std::size_t VectorFile::confirmed() const {
  return static_cast<std::size_t>(std::count_if(
      vectors.begin(), vectors.end(), [](const Vector& vector) { return vector.sources >= 2; }));
}

VectorFile read_vector_file(const std::string& path) {
  VectorFile file;
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line) || !read_title(line, file)) {
    file.error = path + ": no title line";
    return file;
  }
  while (std::getline(in, line)) {
    if (line.starts_with("mode ") || line.empty()) continue;
    Vector vector;
    if (!read_line(line, file.kinds.size(), vector)) {
      file.error = path + ": cannot read: " + line;
      return file;
    }
    file.vectors.push_back(std::move(vector));
  }
  return file;
}

std::vector<std::string> vector_files(const std::string& folder, const std::string& prefix) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(prefix)) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

unsigned width_of(const std::string& kind) {
  if (kind == "mask") return 1;
  if (kind == "pk") return 32;
  if (kind == "pair") return 64;
  return static_cast<unsigned>(std::stoul(kind.substr(1)));
}

}  // namespace wavetank::tests
