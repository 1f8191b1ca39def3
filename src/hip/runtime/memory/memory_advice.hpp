// What programs tell the runtime of ranges of managed memory (hipMemAdvise, hipMemPrefetchAsync)
// and may ask back (hipMemRangeGetAttribute). There is one copy of such memory, which host and
// devices share, so all of it is bookkeeping, page by page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>

namespace wavetank::hip {

inline constexpr int kCpuDeviceId = -1;      ///< hipCpuDeviceId
inline constexpr int kInvalidDeviceId = -2;  ///< hipInvalidDeviceId: no device

/// hipMemoryAdvise.
enum class Advice : int {
  kSetReadMostly = 1,
  kUnsetReadMostly = 2,
  kSetPreferredLocation = 3,
  kUnsetPreferredLocation = 4,
  kSetAccessedBy = 5,
  kUnsetAccessedBy = 6,
  kSetCoarseGrain = 100,
  kUnsetCoarseGrain = 101,
};

/// hipMemRangeCoherencyMode.
enum class Coherency : std::int32_t { kFineGrain = 0, kCoarseGrain = 1, kIndeterminate = 2 };

/// What holds for a page, or for every page of a range.
struct PageAdvice {
  bool read_mostly = false;
  int preferred_location = kInvalidDeviceId;
  int last_prefetch_location = kInvalidDeviceId;
  std::set<int> accessed_by;
  Coherency coherency = Coherency::kFineGrain;

  bool operator==(const PageAdvice&) const = default;
};

/// The advice for all memory of the process. Ranges are rounded out to whole pages. Safe from any
/// thread.
class MemoryAdvice {
 public:
  /// The process's one.
  static MemoryAdvice& instance();

  void advise(const void* address, std::size_t size_bytes, Advice advice, int device);
  void prefetch(const void* address, std::size_t size_bytes, int device);
  /// What all pages of a range have in common; kInvalidDeviceId for locations in which they differ,
  /// kIndeterminate for their coherency.
  PageAdvice common(const void* address, std::size_t size_bytes) const;
  /// The memory is freed: whoever gets the addresses next starts anew.
  void forget(const void* address, std::size_t size_bytes);

 private:
  struct Pages {
    std::uint64_t begin, end;
  };
  using Spans = std::map<std::uint64_t, PageAdvice>;  ///< each until the next one's address

  static Pages pages_of(const void* address, std::size_t size_bytes);
  Spans::iterator split_at(std::uint64_t address);
  template <class Change>
  void change(const void* address, std::size_t size_bytes, Change change_page);

  mutable std::mutex mutex_;
  Spans spans_ = {{0, {}}};
};

}  // namespace wavetank::hip
