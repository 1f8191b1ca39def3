#include "unit/encoding/oracle.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace wavetank::test {

namespace {

/// Stands between items, so that lines can be told apart: s_nop 0x5a5a.
constexpr std::string_view kMarkerText = "s_nop 0x5a5a";
constexpr std::uint32_t kMarker = 0xbf805a5a;

/// A file that goes away with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    path_ = std::string(P_tmpdir) + "/wavetank-oracle-XXXXXX";
    const int file = mkstemp(path_.data());
    if (file < 0) throw std::runtime_error("no temporary file");
    close(file);
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<std::string> run_llvm_mc(const std::string& options, const std::string& input,
                                     const isa::Target& target) {
  const TemporaryFile file(input);
  const std::string command = std::string("LLVM_DISABLE_SYMBOLIZATION=1 ") + WAVETANK_LLVM_MC +
                              " -triple=amdgcn-amd-amdhsa -mcpu=" + target_name(target) + " " +
                              options + " " + file.path() + " 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start llvm-mc");
  std::string output;
  std::array<char, 65536> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), count);
  }
  pclose(pipe);
  std::vector<std::string> lines;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos || line[start] == '.') continue;
    lines.push_back(line.substr(start));
  }
  return lines;
}

void append_bytes(std::string& text, std::uint32_t word) {
  static constexpr char kDigits[] = "0123456789abcdef";
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned byte = word >> (8 * i) & 0xff;
    if (text.back() != '[') text += ',';
    text += "0x";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
}

/// "[0x01,0x02,...]" in the line's comment, as dwords.
Dwords encoding_of(const std::string& line) {
  const std::size_t start = line.find("encoding: [");
  if (start == std::string::npos) return {};
  Dwords dwords;
  unsigned count = 0;
  std::size_t at = start + 11;
  while (at < line.size() && line.compare(at, 2, "0x") == 0) {
    const auto byte = static_cast<std::uint32_t>(std::stoul(line.substr(at, 4), nullptr, 16));
    if (count % 4 == 0) dwords.push_back(0);
    dwords.back() |= byte << (8 * (count % 4));
    ++count;
    at += 5;
  }
  return dwords;
}

}  // namespace

std::string target_name(const isa::Target& target) { return std::string(target.name); }

std::vector<std::string> llvm_disassemble(std::span<const Dwords> items,
                                          const isa::Target& target) {
  std::string input;
  for (const Dwords& item : items) {
    // Brackets make a block of its own: a failure in it does not spoil the following.
    for (const Dwords& dwords : {item, Dwords{kMarker}}) {
      input += '[';
      for (std::uint32_t word : dwords) append_bytes(input, word);
      input += "]\n";
    }
  }
  std::vector<std::string> texts(1);
  for (const std::string& line : run_llvm_mc("--disassemble", input, target)) {
    if (line == kMarkerText) {
      texts.emplace_back();
    } else {
      texts.back() = texts.back().empty() ? line : texts.back() + " / " + line;
    }
  }
  texts.pop_back();
  if (texts.size() == items.size()) return texts;
  // LLVM 19 crashes on some SDWA bytes (of 64-bit operands): narrow them down.
  if (items.size() == 1) return {std::string(kCrash)};
  texts = llvm_disassemble(items.first(items.size() / 2), target);
  const auto rest = llvm_disassemble(items.subspan(items.size() / 2), target);
  texts.insert(texts.end(), rest.begin(), rest.end());
  return texts;
}

std::vector<Dwords> llvm_assemble(const std::vector<std::string>& lines,
                                  const isa::Target& target) {
  std::string input;
  for (const std::string& line : lines) {
    input += line + "\n";
    input += std::string(kMarkerText) + "\n";
  }
  std::vector<Dwords> result(1);
  for (const std::string& line : run_llvm_mc("-show-encoding", input, target)) {
    if (line.starts_with(kMarkerText)) {
      result.emplace_back();
    } else if (const Dwords dwords = encoding_of(line); !dwords.empty()) {
      result.back() = dwords;
    }
  }
  result.pop_back();
  if (result.size() != lines.size()) throw std::runtime_error("llvm-mc lost the thread");
  return result;
}

std::string hex(const Dwords& dwords) {
  std::string text;
  char buffer[12];
  for (std::uint32_t word : dwords) {
    std::snprintf(buffer, sizeof buffer, "%08x ", word);
    text += buffer;
  }
  return text;
}

}  // namespace wavetank::test
