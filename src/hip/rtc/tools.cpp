#include "hip/rtc/tools.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "hip/rtc/own_library.hpp"
#include "toolchain/paths.hpp"
#include "toolchain/process.hpp"
#include "toolchain/rocm.hpp"

namespace wavetank::hip::rtc {
namespace {

namespace fs = std::filesystem;

/// True for a relative path that stays below where it starts.
bool stays_inside(const fs::path& name) {
  if (name.empty() || name.is_absolute()) return false;
  const fs::path normal = name.lexically_normal();
  return *normal.begin() != ".." && normal.has_filename();
}

}  // namespace

Result<Tools> Tools::find() {
  auto clang = toolchain::find_clang();
  if (!clang) return tl::unexpected(clang.error());
  auto folder = toolchain::TemporaryFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  return Tools(std::move(*clang), std::move(*folder));
}

Result<fs::path> Tools::write(const fs::path& name, std::span<const std::byte> content) const {
  if (!stays_inside(name)) {
    return fail(ErrorCode::kUsage, fmt::format("\"{}\" is no name for a header", name.string()));
  }
  const fs::path path = folder() / name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(content.data()),
             static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) {
    return fail(ErrorCode::kFileUnreadable,
                fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  }
  return path;
}

Result<fs::path> Tools::write(const fs::path& name, std::string_view content) const {
  return write(name, std::as_bytes(std::span(content)));
}

bool Tools::run(const std::vector<std::string>& command, std::string& log) {
  const auto finished = toolchain::capture_tool(command);
  log += finished ? finished->output : finished.error().to_text();
  return finished && finished->exit_status == 0;
}

Result<std::vector<std::string>> Tools::hip_flags(const std::string& target) const {
  const auto rocm = toolchain::find_newest_rocm();
  if (!rocm) return tl::unexpected(rocm.error());
  toolchain::Paths paths;
  if (const auto share = toolchain::find_share_folder(own_library())) paths.share_folder = *share;
  const auto device_libs = toolchain::device_libs_for(*rocm, paths, {target});
  if (!device_libs) return tl::unexpected(device_libs.error());
  std::vector<std::string> flags = {"--rocm-path=" + rocm->root.string(),
                                    "--rocm-device-lib-path=" + device_libs->string()};
  if (toolchain::needs_repair(*rocm)) {
    flags.insert(flags.end(), {"-isystem", (paths.share_folder / "include").string()});
  }
  return flags;
}

}  // namespace wavetank::hip::rtc
