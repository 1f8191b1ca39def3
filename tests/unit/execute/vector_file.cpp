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

/// "  3fc00000 3f800000 -> 40200000   exact,llvm"
bool read_line(const std::string& line, std::size_t operands, Vector& vector) {
  std::istringstream words(line);
  std::string word, sources;
  vector.text = line;
  for (std::size_t i = 0; i < operands; ++i) {
    if (!(words >> word)) return false;
    vector.operands.push_back(std::stoull(word, nullptr, 16));
  }
  if (!(words >> word) || word != "->" || !(words >> word) || !(words >> sources)) return false;
  vector.result = std::stoull(word, nullptr, 16);
  vector.sources = 1 + static_cast<unsigned>(std::count(sources.begin(), sources.end(), ','));
  return true;
}

}  // namespace

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
