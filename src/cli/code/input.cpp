#include "cli/code/input.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string_view>

#include "base/file.hpp"
#include "toolchain/compiler.hpp"
#include "toolchain/process.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

/// One device's part of a compiler's assembly file.
struct Assembly {
  std::string processor;  ///< "gfx90a:xnack-"
  std::string text;
};

/// The processor behind `.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"`, or empty.
std::string processor_of(std::string_view text) {
  const std::size_t at = text.find(".amdgcn_target \"");
  if (at == std::string_view::npos) return {};
  const std::string_view line = text.substr(at, text.find('\n', at) - at);
  const std::size_t dashes = line.find("--");
  const std::size_t quote = line.rfind('"');
  if (dashes == std::string_view::npos || quote <= dashes + 2) return {};
  return std::string(line.substr(dashes + 2, quote - dashes - 2));
}

/// Splits `hipcc -S` output, which holds host and device texts between marks, into device texts.
std::vector<Assembly> split_assembly(std::string_view text) {
  constexpr std::string_view kStart = "__CLANG_OFFLOAD_BUNDLE____START__";
  constexpr std::string_view kEnd = "__CLANG_OFFLOAD_BUNDLE____END__";
  std::vector<Assembly> parts;
  if (text.find(kStart) == std::string_view::npos) {
    parts.push_back({processor_of(text), std::string(text)});
    return parts;
  }
  for (std::size_t at = 0; (at = text.find(kStart, at)) != std::string_view::npos;) {
    const std::size_t begin = std::min(text.find('\n', at), text.size());
    const std::size_t end = std::min(text.find(kEnd, begin), text.size());
    const std::size_t last_line = text.rfind('\n', end);
    const std::string_view part = text.substr(begin, std::max(last_line, begin) - begin);
    if (std::string processor = processor_of(part); !processor.empty()) {
      parts.push_back({std::move(processor), std::string(part) + "\n"});
    }
    at = end;
  }
  return parts;
}

/// Assembles and links one device text to a code object.
Result<fs::path> assemble(const Assembly& part, const fs::path& folder, std::size_t index) {
  const Result<toolchain::Compiler> compiler = toolchain::find_compiler();
  if (!compiler) return tl::unexpected(compiler.error());
  const fs::path source = folder / fmt::format("{}.s", index);
  fs::path object = folder / fmt::format("{}.hsaco", index);
  std::ofstream(source, std::ios::binary) << part.text;
  const Result<toolchain::Finished> finished = toolchain::run_process(
      {compiler->clang.string(), "-x", "assembler", "-target", "amdgcn-amd-amdhsa",
       "-mcpu=" + part.processor, source.string(), "-o", object.string()});
  if (!finished) return tl::unexpected(finished.error());
  if (finished->exit_status != 0) {
    return fail(ErrorCode::kBadElf, "the assembly does not assemble", source.string());
  }
  return object;
}

Result<std::vector<code_object::Bundle>> read_assembly(const std::string& path,
                                                       const fs::path& folder) {
  const Result<std::vector<std::byte>> bytes = read_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const std::vector<Assembly> parts = split_assembly(text);
  std::vector<code_object::Bundle> bundles;
  for (const Assembly& part : parts) {
    if (part.processor.empty()) break;
    const Result<fs::path> object = assemble(part, folder, bundles.size());
    if (!object) return tl::unexpected(object.error());
    auto read = code_object::read_bundles_of_file(object->string());
    if (!read) return tl::unexpected(read.error());
    for (code_object::Bundle& bundle : *read) bundles.push_back(std::move(bundle));
  }
  if (!bundles.empty()) return bundles;
  return fail(ErrorCode::kUsage, fmt::format("{} holds no assembly for an AMD GPU", path), path,
              "a compiler's device assembly names its target with .amdgcn_target");
}

Result<std::vector<code_object::Bundle>> read_source(const std::string& path,
                                                     const CompileOptions& options,
                                                     const fs::path& folder) {
  const fs::path object = folder / "device.co";
  CompileOptions compile = options;
  compile.rest.insert(compile.rest.end(), {"--cuda-device-only", path, "-o", object.string()});
  const Result<std::vector<std::string>> command = compile_command(compile);
  if (!command) return tl::unexpected(command.error());
  const Result<toolchain::Finished> finished = toolchain::run_process(*command);
  if (!finished) return tl::unexpected(finished.error());
  if (finished->exit_status != 0) {
    return fail(ErrorCode::kBadElf, fmt::format("{} does not compile", path), path);
  }
  return code_object::read_bundles_of_file(object.string());
}

Result<std::vector<code_object::Bundle>> read_any(const std::string& path,
                                                  const CompileOptions& options) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    return fail(ErrorCode::kFileUnreadable, fmt::format("there is no file {}", path));
  }
  const bool assembly = path.size() > 2 && path.substr(path.size() - 2) == ".s";
  if (!assembly && !is_hip_source(path)) return code_object::read_bundles_of_file(path);
  const Result<toolchain::TemporaryFolder> folder = toolchain::TemporaryFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  return assembly ? read_assembly(path, folder->path())
                  : read_source(path, options, folder->path());
}

}  // namespace

Result<InspectInput> read_inspect_input(const std::string& path, const CompileOptions& options) {
  auto bundles = read_any(path, options);
  if (!bundles) return tl::unexpected(bundles.error());
  InspectInput input;
  input.bundles = std::move(*bundles);
  for (const code_object::Bundle& bundle : input.bundles) {
    for (const code_object::BundleEntry& entry : bundle.entries) {
      if (entry.is_host || entry.image.empty()) continue;
      Result<code_object::CodeObject> object = code_object::parse(entry.image);
      if (object) {
        input.objects.push_back(std::move(*object));
      } else {
        if (object.error().where.empty()) object.error().where = entry.id;
        input.unreadable.push_back(std::move(object.error()));
      }
    }
  }
  return input;
}

}  // namespace wavetank::cli
