#include "hip/runtime/checked/call_site.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "toolchain/source_lines.hpp"

namespace wavetank::hip {
namespace {

/// The object that holds an address: its file and the address where it is loaded.
struct Home {
  std::string path;
  std::uint64_t begin = 0;
};

Home home_of(std::uint64_t address) {
  Dl_info info = {};
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map),
              RTLD_DL_LINKMAP) == 0 ||
      map == nullptr) {
    return {};
  }
  if (map->l_name != nullptr && *map->l_name != '\0') return {map->l_name, map->l_addr};
  std::error_code error;
  return {std::filesystem::read_symlink("/proc/self/exe", error).string(), map->l_addr};
}

/// The addresses of the object that this function is in: the runtime's own.
struct OwnRange {
  std::uint64_t begin = 0, end = 0;
  bool holds(std::uint64_t address) const { return address >= begin && address < end; }
};

OwnRange find_own_range() {
  OwnRange own;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        const auto here = reinterpret_cast<std::uint64_t>(&find_own_range);
        for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          const std::uint64_t begin = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type != PT_LOAD || here - begin >= segment.p_memsz) continue;
          *static_cast<OwnRange*>(data) = {begin, begin + segment.p_memsz};
          return 1;
        }
        return 0;
      },
      &own);
  return own;
}

struct Walk {
  CallSite site;
  unsigned count = 0;
  OwnRange own;
  std::uint64_t entry = 0;  ///< the last address inside of the runtime
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  const std::uint64_t address = _Unwind_GetIP(context);
  if (address == 0) return _URC_END_OF_STACK;
  if (walk.count == 0 && walk.own.holds(address)) {
    walk.entry = address;
    return _URC_NO_REASON;
  }
  walk.site.returns[walk.count++] = address - 1;
  return walk.count == walk.site.returns.size() ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/// The C library calls main, and is called for what touches memory.
bool is_of_c_library(std::uint64_t address) {
  static const std::uint64_t begin = home_of(reinterpret_cast<std::uint64_t>(&std::abort)).begin;
  return home_of(address).begin == begin;
}

/// The innermost frames that are not the C library's.
std::vector<std::uint64_t> program_frames(const CallSite& site) {
  std::vector<std::uint64_t> frames;
  for (const std::uint64_t address : site.returns) {
    if (address == 0) break;
    if (!is_of_c_library(address)) {
      frames.push_back(address);
    } else if (!frames.empty()) {
      break;
    }
  }
  return frames;
}

/// The line of an address in the program. Those behind it are looked up with it: a loop over memory
/// that is closed to the host stops at each of its instructions.
SourceLine line_of(std::uint64_t address) {
  constexpr unsigned kLoopBytes = 1024;
  static std::mutex mutex;
  static auto* known = new std::map<std::uint64_t, SourceLine>;
  const std::lock_guard lock(mutex);
  if (const auto at = known->find(address); at != known->end()) return at->second;
  const Home home = home_of(address);
  std::vector<SourceLine> lines;
  if (!home.path.empty()) {
    lines = toolchain::host_source_lines(home.path, address - home.begin, kLoopBytes);
  }
  lines.resize(kLoopBytes);
  for (unsigned i = 0; i < kLoopBytes; ++i) known->emplace(address + i, lines[i]);
  return known->at(address);
}

/// "app + 0x1234".
std::string name_of(std::uint64_t address) {
  const Home home = home_of(address);
  if (home.path.empty()) return "the program";
  return fmt::format("{} + {:#x}", home.path.substr(home.path.rfind('/') + 1),
                     address - home.begin);
}

}  // namespace

CallSite current_call_site() {
  static const OwnRange own = find_own_range();
  Walk walk;
  walk.own = own;
  _Unwind_Backtrace(visit_frame, &walk);
  Dl_info info = {};
  if (dladdr(reinterpret_cast<void*>(walk.entry), &info) != 0 && info.dli_sname != nullptr) {
    walk.site.function = info.dli_sname;
  }
  return walk.site;
}

CallSite current_fault_site(std::uint64_t address) {
  CallSite site = current_call_site();
  site.function = "";
  // No call, after which the next instruction comes.
  std::replace(site.returns.begin(), site.returns.end(), address - 1, address);
  return site;
}

check::Spot place_of(const CallSite& site) {
  check::Spot spot;
  const std::vector<std::uint64_t> frames = program_frames(site);
  for (const std::uint64_t address : frames) {
    spot.source = line_of(address);
    if (spot.source.is_known()) return spot;
  }
  spot.code_place = name_of(frames.empty() ? site.returns.front() : frames.front());
  return spot;
}

std::string name_of(const CallSite& site) {
  std::string name;
  for (const std::uint64_t address : site.returns) {
    if (address == 0) break;
    name += (name.empty() ? "" : ", ") + name_of(address);
  }
  return name;
}

}  // namespace wavetank::hip
