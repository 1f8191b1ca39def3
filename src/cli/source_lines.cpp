#include "cli/source_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "toolchain/compiler.hpp"
#include "toolchain/process.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::cli {
namespace {

using Json = nlohmann::json;

bool is_system_header(const std::string& file) {
  for (const std::string_view folder : {"/usr/", "/opt/rocm", "/lib/"}) {
    if (file.compare(0, folder.size(), folder) == 0) return true;
  }
  return file.find("/share/wavetank/include/") != std::string::npos;
}

/// The innermost frame in the program's own files; the outermost if there is none.
SourceLine best_frame(const Json& frames) {
  SourceLine best;
  for (const Json& frame : frames) {
    SourceLine line{frame.value("FileName", ""), frame.value("Line", 0u)};
    if (line.line == 0) continue;
    best = std::move(line);
    if (!is_system_header(best.file)) break;
  }
  return best;
}

Result<std::string> find_symbolizer() {
  const Result<toolchain::Compiler> compiler = toolchain::find_compiler();
  if (!compiler) return tl::unexpected(compiler.error());
  if (const auto path = compiler->tool("llvm-symbolizer")) return *path;
  return fail(ErrorCode::kUsage, "llvm-symbolizer is not installed", {},
              fmt::format("apt-get install llvm-{}", compiler->version_major));
}

}  // namespace

bool has_debug_information(std::span<const std::byte> image) {
  const std::string_view bytes(reinterpret_cast<const char*>(image.data()), image.size());
  return bytes.find(".debug_line") != std::string_view::npos;
}

Result<std::map<std::uint64_t, SourceLine>> find_source_lines(
    std::span<const std::byte> image, const std::vector<std::uint64_t>& addresses) {
  const Result<std::string> symbolizer = find_symbolizer();
  if (!symbolizer) return tl::unexpected(symbolizer.error());
  const Result<toolchain::TemporaryFolder> folder = toolchain::TemporaryFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  const std::string object = (folder->path() / "object").string();
  const std::string questions = (folder->path() / "addresses").string();
  std::ofstream(object, std::ios::binary)
      .write(reinterpret_cast<const char*>(image.data()),
             static_cast<std::streamsize>(image.size()));
  std::ofstream question_file(questions);
  for (const std::uint64_t address : addresses) question_file << fmt::format("{:#x}\n", address);
  question_file.close();
  // The shell only connects the file to stdin; the names are its arguments, not its text.
  const Result<toolchain::Finished> finished = toolchain::capture_process(
      {"/bin/sh", "-c", "exec \"$1\" --output-style=JSON --no-demangle --obj=\"$2\" < \"$3\"", "sh",
       *symbolizer, object, questions});
  if (!finished) return tl::unexpected(finished.error());
  std::map<std::uint64_t, SourceLine> lines;
  std::istringstream answers(finished->output);
  std::size_t index = 0;
  for (std::string text; std::getline(answers, text) && index < addresses.size(); ++index) {
    const Json answer = Json::parse(text, nullptr, false);
    if (answer.is_discarded() || !answer.contains("Symbol")) continue;
    SourceLine line = best_frame(answer["Symbol"]);
    if (line.line != 0) lines.emplace(addresses[index], std::move(line));
  }
  return lines;
}

std::vector<std::string> read_source_file(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  return lines;
}

}  // namespace wavetank::cli
