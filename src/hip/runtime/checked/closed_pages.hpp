// Pages of memory that host and devices share, closed to the host while operations that it has not
// waited for have touched them: for all accesses where they wrote, for stores where they read. A
// fault then tells what the host's own code does. All pages are the process's, so a device that
// comes to a closed page opens it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_set>
#include <vector>

#include "check/operation_history.hpp"

namespace wavetank::hip {

/// Not for several threads.
class ClosedPages {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;

  /// Closes or opens the pages that have bytes of [begin, end).
  void update(std::uint64_t begin, std::uint64_t end, const check::OperationHistory& history,
              const check::OrderClock& known);
  /// The same for all that are closed, when the host knows more.
  void refresh(const check::OperationHistory& history, const check::OrderClock& known);
  /// The same for all that ever were closed, among those that `is_valid` names: who comes next may
  /// know less than the host.
  void close_for(const check::OperationHistory& history, const check::OrderClock& known,
                 const std::function<bool(std::uint64_t page)>& is_valid);
  /// True if the page of an address is closed, so that an access may have come to a fault.
  bool is_closed(std::uint64_t address) const;
  /// True if it ever was.
  bool was_closed(std::uint64_t address) const;
  /// Opens the page of an address for good, or until it is closed again.
  void open(std::uint64_t address);
  /// Opens it for one access of the host; false if there were so many that it stays open.
  bool open_for_once(std::uint64_t address);
  void close_again(std::uint64_t address);
  bool empty() const { return pages_.empty(); }

 private:
  enum class Access : std::uint8_t { kAll, kRead, kNone };
  struct Page {
    Access allowed = Access::kAll;
    unsigned faults = 0;
  };
  void update_all(const std::vector<std::uint64_t>& pages, const check::OperationHistory& history,
                  const check::OrderClock& known);
  static void protect(std::uint64_t page, std::uint64_t bytes, Access allowed);

  std::map<std::uint64_t, Page> pages_;  ///< by first byte
  std::unordered_set<std::uint64_t> ever_closed_;
};

}  // namespace wavetank::hip
