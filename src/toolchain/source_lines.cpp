#include "toolchain/source_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <utility>

#include "base/system_header.hpp"
#include "toolchain/compiler.hpp"
#include "toolchain/process.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::toolchain {
namespace {

/// Takes the number behind the last colon off a text; 0 if none is there.
unsigned take_number(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return 0;
  unsigned number = 0;
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), number);
  text = text.substr(0, colon);
  return number;
}

/// Of a function and "path/file.hip:88:12"; line 0 for "??:0:0".
SourceLine frame_of(std::string_view function, std::string_view place) {
  SourceLine frame;
  frame.column = take_number(place);
  frame.line = take_number(place);
  frame.file = place;
  if (function != "??") frame.function = function;
  return frame;
}

/// Takes a frame further out, unless the best so far is in the program's own files.
void improve(SourceLine& best, const SourceLine& frame) {
  const bool is_own = best.line != 0 && !is_system_header(best.file);
  if (frame.line != 0 && !is_own) best = frame;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// A tool that comes with the compiler's package of tools.
Result<std::string> find_llvm_tool(std::string_view name) {
  const Result<Compiler> compiler = find_compiler();
  if (!compiler) return tl::unexpected(compiler.error());
  if (const auto path = compiler->tool(name)) return *path;
  return fail(ErrorCode::kUsage, fmt::format("{} is not installed", name), {},
              fmt::format("apt-get install llvm-{}", compiler->version_major));
}

Result<std::string> find_symbolizer() { return find_llvm_tool("llvm-symbolizer"); }

/// Puts a code object where a tool can read it; gives the file's path.
std::string write_object(const TemporaryFolder& folder, std::span<const std::byte> image) {
  std::string object = (folder.path() / "object").string();
  std::ofstream(object, std::ios::binary)
      .write(reinterpret_cast<const char*>(image.data()),
             static_cast<std::streamsize>(image.size()));
  return object;
}

}  // namespace

bool has_debug_information(std::span<const std::byte> image) {
  const std::string_view bytes(reinterpret_cast<const char*>(image.data()), image.size());
  return bytes.find(".debug_line") != std::string_view::npos;
}

std::vector<SourceLine> parse_symbolizer(std::string_view text) {
  std::vector<SourceLine> lines;
  SourceLine best;
  bool is_innermost = true;
  std::string of_header;
  while (!text.empty()) {
    const std::string_view function = take_line(text);
    if (function.empty()) {
      if (best.line != 0 && !is_system_header(best.file)) best.of_header = of_header;
      lines.push_back(std::exchange(best, {}));
      of_header.clear();
      is_innermost = true;
    } else {
      const SourceLine frame = frame_of(function, take_line(text));
      if (is_innermost && is_system_header(frame.file)) of_header = frame.function;
      is_innermost = false;
      if (function.find("__device_stub__") == std::string_view::npos) improve(best, frame);
    }
  }
  return lines;
}

Result<std::map<std::uint64_t, SourceLine>> find_source_lines(
    std::span<const std::byte> image, const std::vector<std::uint64_t>& addresses) {
  const Result<std::string> symbolizer = find_symbolizer();
  if (!symbolizer) return tl::unexpected(symbolizer.error());
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  const std::string object = write_object(*folder, image);
  const std::string questions = (folder->path() / "addresses").string();
  std::ofstream question_file(questions);
  for (const std::uint64_t address : addresses) question_file << fmt::format("{:#x}\n", address);
  question_file.close();
  const Result<Finished> finished =
      ask_tool({*symbolizer, "--functions=linkage", "--obj=" + object}, questions);
  if (!finished) return tl::unexpected(finished.error());
  std::map<std::uint64_t, SourceLine> lines;
  const std::vector<SourceLine> answers = parse_symbolizer(finished->output);
  for (std::size_t i = 0; i < std::min(answers.size(), addresses.size()); ++i) {
    if (answers[i].line != 0) lines.emplace(addresses[i], answers[i]);
  }
  return lines;
}

std::vector<SourceLine> source_lines_as_known(std::span<const std::byte> image,
                                              const std::vector<std::uint64_t>& addresses) {
  std::vector<SourceLine> places(addresses.size());
  if (addresses.empty() || !has_debug_information(image)) return places;
  const auto lines = find_source_lines(image, addresses);
  if (!lines) return places;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (const auto found = lines->find(addresses[i]); found != lines->end()) {
      places[i] = found->second;
    }
  }
  return places;
}

std::vector<SourceLine> host_source_lines(const std::string& object, std::uint64_t begin,
                                          unsigned count) {
  const Result<std::string> symbolizer = find_symbolizer();
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!symbolizer || !folder) return {};
  const std::string questions = (folder->path() / "addresses").string();
  std::ofstream question_file(questions);
  for (unsigned i = 0; i < count; ++i) question_file << fmt::format("{:#x}\n", begin + i);
  question_file.close();
  const Result<Finished> finished =
      ask_tool({*symbolizer, "--functions=linkage", "--obj=" + object}, questions);
  if (!finished) return {};
  std::vector<SourceLine> lines = parse_symbolizer(finished->output);
  for (SourceLine& line : lines) {
    if (is_system_header(line.file)) line = {};
  }
  return lines;
}

std::vector<std::string> source_files_as_known(std::span<const std::byte> image) {
  if (!has_debug_information(image)) return {};
  const Result<std::string> dump = find_llvm_tool("llvm-dwarfdump");
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!dump || !folder) return {};
  const std::string object = write_object(*folder, image);
  const Result<Finished> finished = ask_tool({*dump, "--show-sources", object}, "/dev/null");
  if (!finished) return {};
  std::vector<std::string> files;
  for (std::string_view text = finished->output; !text.empty();) {
    const std::string_view file = take_line(text);
    if (!file.empty() && !is_system_header(file)) files.emplace_back(file);
  }
  return files;
}

}  // namespace wavetank::toolchain
