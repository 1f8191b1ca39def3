#include "hip/rtc/tools.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "hip/rtc/own_library.hpp"
#include "toolchain/file_state.hpp"
#include "toolchain/paths.hpp"
#include "toolchain/process.hpp"

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
  const auto share = toolchain::find_share_folder(own_library());
  auto tools = toolchain::find_hip_toolchain(share.value_or(fs::path()));
  if (!tools) return tl::unexpected(tools.error());
  auto folder = toolchain::TemporaryFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  return Tools(std::move(*tools), std::move(*folder));
}

std::string Tools::state(const std::string& target) const {
  std::error_code error;
  std::vector<fs::path> files = {fs::canonical(clang(), error)};
  if (const auto libs = toolchain_.device_libs({target})) {
    for (const char* name : {"ocml.bc", "ockl.bc"}) files.push_back(libs->folder / name);
  }
  return toolchain::states_of(files);
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

}  // namespace wavetank::hip::rtc
