// The translated kernels of a device, each translated once.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "dispatch/launch.hpp"
#include "dispatch/loaded_code.hpp"
#include "execute/program.hpp"

namespace wavetank::dispatch {

/// The other code objects whose functions a kernel has called. Safe from any thread.
class CalledCode {
 public:
  void add(const std::shared_ptr<const code_object::LoadedCodeObject>& object);
  /// False if one is gone, and other code may stand in its place.
  bool is_loaded(const LoadedCode& loaded) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<const code_object::LoadedCodeObject>> objects_;
};

/// A kernel that can run.
struct TranslatedKernel {
  std::shared_ptr<execute::Program> program;
  std::shared_ptr<CalledCode> called;  ///< what `program` was translated from beside its own code
  std::once_flag asked_for_arguments;
  std::vector<std::uint8_t> argument_bits;  ///< once asked for: those that it takes in
  /// Host time of a workgroup on one thread, by the kernel's last launches; 0 before the first's
  /// end.
  std::atomic<std::uint64_t> group_ns{0};

  /// The bits of its explicit arguments that it takes in, for each byte.
  const std::vector<std::uint8_t>& used_argument_bits(const code_object::Kernel& kernel);
  /// A launch has ended whose workgroups took `ns` each. It at most doubles what is expected: a
  /// thread that lost its core for a while looks long once.
  void note_group(std::uint64_t ns) {
    const std::uint64_t last = group_ns.load(std::memory_order_relaxed);
    const std::uint64_t most = last == 0 ? ns : 2 * last;
    group_ns.store(std::min(ns, most), std::memory_order_relaxed);
  }
};

/// Safe from any thread. While one kernel is translated, others are given out.
class ProgramCache {
 public:
  /// `loaded` is what kernels may call.
  ProgramCache(const isa::Target& target, const LoadedCode& loaded)
      : target_(target), loaded_(loaded) {}

  /// The launch's kernel; it is forgotten when its code object is gone, and translated anew when
  /// one is whose functions it called. Errors: what translation finds (kUnknownInstruction,
  /// kUnsupportedInstruction, kBadElf).
  Result<std::shared_ptr<TranslatedKernel>> kernel_of(const Launch& launch);

 private:
  struct Entry {
    std::weak_ptr<const code_object::LoadedCodeObject> code;
    std::mutex mutex;  ///< held while it is translated
    std::shared_ptr<TranslatedKernel> kernel;
  };
  std::shared_ptr<Entry> entry_of(const Launch& launch);

  Result<std::shared_ptr<TranslatedKernel>> translate(const Launch& launch) const;

  const isa::Target& target_;
  const LoadedCode& loaded_;
  std::mutex mutex_;
  /// By code object and kernel.
  std::map<std::pair<const void*, const void*>, std::shared_ptr<Entry>> entries_;
};

}  // namespace wavetank::dispatch
