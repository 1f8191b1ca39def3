#include "hip/runtime/checked/closed_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>

namespace wavetank::hip {
namespace {

/// Faults of the host on one page, each of which costs microseconds, before it stays open.
constexpr unsigned kMostFaults = 256;

std::uint64_t page_of(std::uint64_t address) { return address & ~(ClosedPages::kPageBytes - 1); }

}  // namespace

void ClosedPages::protect(std::uint64_t page, std::uint64_t bytes, Access allowed) {
  const int protection = allowed == Access::kAll    ? PROT_READ | PROT_WRITE
                         : allowed == Access::kRead ? PROT_READ
                                                    : PROT_NONE;
  // A page that stays open costs a finding, no more: the host may have no room for more mappings.
  (void)::mprotect(reinterpret_cast<void*>(page), bytes, protection);
}

void ClosedPages::update(std::uint64_t begin, std::uint64_t end,
                         const check::OperationHistory& history, const check::OrderClock& known) {
  std::uint64_t run_begin = page_of(begin);
  Access run_allowed = Access::kAll;
  for (std::uint64_t page = run_begin; page < end; page += kPageBytes) {
    const auto open = history.open_at(page, page + kPageBytes, known);
    const Access allowed = open.writes ? Access::kNone : open.reads ? Access::kRead : Access::kAll;
    if (allowed == Access::kAll) {
      pages_.erase(page);
    } else {
      pages_[page] = {allowed, 0};
      ever_closed_.insert(page);
    }
    if (allowed == run_allowed) continue;
    if (page != run_begin) protect(run_begin, page - run_begin, run_allowed);
    run_begin = page;
    run_allowed = allowed;
  }
  if (run_begin < end) protect(run_begin, page_of(end - 1) + kPageBytes - run_begin, run_allowed);
}

void ClosedPages::refresh(const check::OperationHistory& history, const check::OrderClock& known) {
  std::vector<std::uint64_t> pages;
  for (const auto& [page, state] : pages_) pages.push_back(page);
  update_all(pages, history, known);
}

void ClosedPages::close_for(const check::OperationHistory& history, const check::OrderClock& known,
                            const std::function<bool(std::uint64_t page)>& is_valid) {
  std::vector<std::uint64_t> pages;
  std::ranges::copy_if(ever_closed_, std::back_inserter(pages), is_valid);
  std::ranges::sort(pages);
  update_all(pages, history, known);
}

/// Neighbours together: few calls for many pages. They come in ascending order.
void ClosedPages::update_all(const std::vector<std::uint64_t>& pages,
                             const check::OperationHistory& history,
                             const check::OrderClock& known) {
  for (std::size_t i = 0; i < pages.size();) {
    std::size_t end = i + 1;
    while (end < pages.size() && pages[end] == pages[end - 1] + kPageBytes) ++end;
    update(pages[i], pages[end - 1] + kPageBytes, history, known);
    i = end;
  }
}

bool ClosedPages::is_closed(std::uint64_t address) const {
  return pages_.contains(page_of(address));
}

bool ClosedPages::was_closed(std::uint64_t address) const {
  return ever_closed_.contains(page_of(address));
}

void ClosedPages::open(std::uint64_t address) {
  pages_.erase(page_of(address));
  protect(page_of(address), kPageBytes, Access::kAll);
}

bool ClosedPages::open_for_once(std::uint64_t address) {
  const auto page = pages_.find(page_of(address));
  if (page == pages_.end()) return false;
  protect(page->first, kPageBytes, Access::kAll);
  if (++page->second.faults < kMostFaults) return true;
  pages_.erase(page);
  return false;
}

void ClosedPages::close_again(std::uint64_t address) {
  const auto page = pages_.find(page_of(address));
  if (page != pages_.end()) protect(page->first, kPageBytes, page->second.allowed);
}

}  // namespace wavetank::hip
