#include "cli/rocm/prefix.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>

#include "cli/rocm/tool.hpp"
#include "isa/target.hpp"
#include "toolchain/cache.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

/// Beside what the compiler's cache keeps; without one, a folder of the user's that does not last.
fs::path cache_folder() {
  if (const auto place = toolchain::Cache::place()) return *place;
  return fs::temp_directory_path() / fmt::format("wavetank-{}", getuid());
}

/// What is ROCm's in a folder that has other things, too: headers (as a whole the folder may not be
/// searched before the compiler's own, C++'s headers include C's by #include_next) and programs.
bool is_rocm_name(std::string_view name) {
  constexpr std::array kStarts = {"hip", "hsa", "roc", "amd_comgr", "rccl", "miopen", "migraphx"};
  return std::ranges::any_of(kStarts, [&](const char* start) { return name.starts_with(start); });
}

/// Links to all that `wanted` takes in a folder and that has no link yet.
template <class Wanted>
void link_others(const fs::path& from, const fs::path& to, Wanted wanted) {
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(from, missing)) {
    const fs::path link = to / entry.path().filename();
    if (!wanted(link.filename().string()) || fs::exists(fs::symlink_status(link))) continue;
    fs::create_symlink(entry.path(), link);
  }
}

/// A ROCm that shares its folder with others may lack roctracer, of which programs that only name
/// ranges need one header.
void link_headers(const toolchain::Rocm& rocm, const toolchain::Paths& paths,
                  const fs::path& include) {
  if (rocm.root != "/usr" && rocm.root != "/usr/local") {
    fs::create_directory_symlink(rocm.root / "include", include);
    return;
  }
  fs::create_directories(include);
  link_others(rocm.root / "include", include, is_rocm_name);
  const auto is_roctracer = [](std::string_view name) { return name == "roctracer"; };
  link_others(paths.share_folder / "include", include, is_roctracer);
}

/// Our tools, then the other programs of the installation (hipify-perl) and of the compiler.
void link_tools(const toolchain::Paths& paths, const fs::path& root, const fs::path& llvm,
                const fs::path& prefix) {
  fs::create_directories(prefix / "bin");
  fs::create_directories(prefix / "llvm" / "bin");
  fs::create_directory_symlink(llvm.parent_path() / "lib", prefix / "llvm" / "lib");
  for (const RocmTool& tool : rocm_tools()) {
    const fs::path folder = tool.place == ToolPlace::kBin ? "bin" : "llvm/bin";
    fs::create_symlink(paths.program, prefix / folder / std::string(tool.name));
  }
  link_others(root / "bin", prefix / "bin", is_rocm_name);
  link_others(llvm, prefix / "llvm" / "bin", [](const std::string&) { return true; });
}

/// The libraries, with the names that linkers look for leading to the headers' version.
void link_libraries(const toolchain::Rocm& rocm, const toolchain::Paths& paths,
                    const fs::path& lib) {
  const int version = std::clamp(rocm.version_major, 5, 7);
  const auto link = [&](const std::string& name, const std::string& soname) {
    if (const auto library = toolchain::find_library(paths, soname)) {
      fs::create_symlink(*library, lib / name);
    }
  };
  for (const char* stem : {"libamdhip64.so", "libhiprtc.so"}) {
    link(stem, fmt::format("{}.{}", stem, version));
    for (const int each : {5, 6, 7}) {
      link(fmt::format("{}.{}", stem, each), fmt::format("{}.{}", stem, each));
    }
  }
  const char* smi = version == 7 ? "librocm_smi64.so.7" : "librocm_smi64.so.1";
  link("librocm_smi64.so", smi);
  for (const char* each : {"librocm_smi64.so.1", "librocm_smi64.so.7"}) link(each, each);
  link("libroctx64.so", "libroctx64.so.4");
  link("libroctx64.so.4", "libroctx64.so.4");
}

void write_line(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text << "\n";
}

void write_versions(const toolchain::Rocm& rocm, const fs::path& prefix) {
  write_line(prefix / ".info" / "version",
             fmt::format("{}.{}.0", rocm.version_major, rocm.version_minor));
  write_line(prefix / "share" / "hip" / "version",
             fmt::format("HIP_VERSION_MAJOR={}\nHIP_VERSION_MINOR={}\nHIP_VERSION_PATCH={}\n"
                         "HIP_VERSION_GITHASH={}",
                         rocm.version_major, rocm.version_minor, rocm.version_patch, rocm.commit));
}

/// CMake's packages are ours; FindHIP of old projects is that of the installation.
void copy_cmake(const toolchain::Rocm& rocm, const toolchain::Paths& paths, const fs::path& lib) {
  fs::copy(paths.share_folder / "cmake", lib / "cmake", fs::copy_options::recursive);
  for (const char* folder : {"lib/cmake/hip", "lib/x86_64-linux-gnu/cmake/hip"}) {
    const fs::path theirs = rocm.root / folder;
    if (!fs::exists(theirs / "FindHIP.cmake")) continue;
    fs::create_symlink(theirs / "FindHIP.cmake", lib / "cmake" / "hip" / "FindHIP.cmake");
    fs::create_symlink(theirs / "FindHIP", lib / "cmake" / "hip" / "FindHIP");
    break;
  }
}

/// What the folder's content depends on.
std::string stamp_of(const toolchain::HipToolchain& hip, const toolchain::Paths& paths,
                     const fs::path& device_libs) {
  const toolchain::Rocm& rocm = hip.rocm;
  const auto built = fs::last_write_time(paths.program).time_since_epoch().count();
  return fmt::format("{} {} {} {} {} {}.{}", paths.program.string(), built,
                     hip.compiler.folder.string(), rocm.root.string(), device_libs.string(),
                     rocm.version_major, rocm.version_minor);
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// Held by the one of several shells that makes the folder.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : file_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (file_ >= 0) flock(file_, LOCK_EX);
  }
  ~FolderLock() {
    if (file_ >= 0) close(file_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

/// Gives the finished folder its name; what had it goes.
void publish(const fs::path& fresh, const fs::path& prefix) {
  const fs::path old = fresh.string() + ".old";
  std::error_code none;
  fs::rename(prefix, old, none);
  fs::rename(fresh, prefix);
  fs::remove_all(old);
}

bool is_current(const fs::path& prefix, const std::string& stamp) {
  return text_of(prefix / ".info" / "wavetank") == stamp;
}

}  // namespace

Result<fs::path> make_rocm_prefix(const toolchain::HipToolchain& hip,
                                  const toolchain::Paths& paths) {
  const toolchain::Rocm& rocm = hip.rocm;
  const auto device_libs = hip.device_libs(isa::target_names());
  if (!device_libs) return tl::unexpected(device_libs.error());
  // One folder for each Wavetank and each ROCm.
  const std::size_t key =
      std::hash<std::string>{}(paths.program.string() + "\n" + rocm.root.string());
  const fs::path prefix = cache_folder() / fmt::format("rocm-{:016x}", key);
  try {
    const std::string stamp = stamp_of(hip, paths, device_libs->folder);
    if (is_current(prefix, stamp)) return prefix;
    fs::create_directories(prefix.parent_path());
    const FolderLock lock(prefix.parent_path());
    if (is_current(prefix, stamp)) return prefix;  // another shell was first
    const fs::path fresh = prefix.string() + fmt::format(".{}", getpid());
    fs::create_directories(fresh / "lib");
    fs::create_directories(fresh / "amdgcn");
    link_tools(paths, rocm.root, hip.compiler.folder, fresh);
    link_headers(rocm, paths, fresh / "include");
    link_libraries(rocm, paths, fresh / "lib");
    copy_cmake(rocm, paths, fresh / "lib");
    fs::create_directory_symlink(device_libs->folder, fresh / "amdgcn" / "bitcode");
    if (toolchain::needs_repair(rocm)) {
      fs::create_directory_symlink(paths.share_folder / "include", fresh / "repaired");
    }
    write_versions(rocm, fresh);
    write_line(fresh / ".info" / "wavetank", stamp);
    publish(fresh, prefix);
  } catch (const fs::filesystem_error& error) {
    return fail(ErrorCode::kFileUnreadable, error.what(), prefix.string(),
                "WAVETANK_CACHE names a folder that can be written");
  }
  return prefix;
}

}  // namespace wavetank::cli
