// The part of the checker that hears of the host's own accesses.
#include <algorithm>
#include <utility>

#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/checked/host_order.hpp"

namespace wavetank::hip {
namespace {

constexpr std::uint64_t kPageMask = ClosedPages::kPageBytes - 1;
/// What a processor stores in one piece, so that it may be a flag.
constexpr std::uint64_t kFlagBytes = 8;

}  // namespace

void Checker::learned() {
  const std::lock_guard lock(mutex_);
  if (history_.empty() && pages_.empty()) return;
  const check::OrderClock known = order_.known();
  if (!pages_.empty()) pages_.refresh(history_, known);
  if (order_.is_idle()) history_.forget(known);
}

/// Whole pages only: what else lies on the first and the last page of a registered range is none of
/// ours. An allocation has its pages for itself.
void Checker::close_pages(const check::TouchedRange& range, const ProgramObject& object) {
  if (!object.host_sees || object.is_freed) return;
  std::uint64_t first = range.begin & ~kPageMask, last = (range.end + kPageMask) & ~kPageMask;
  if (first < object.begin) first += ClosedPages::kPageBytes;
  if (object.shares_pages && last > object.begin + object.size_bytes) {
    last -= ClosedPages::kPageBytes;
  }
  if (first < last) pages_.update(first, last, history_, order_.known());
}

bool Checker::owns_fault(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  if (pages_.is_closed(address)) return true;
  // Another thread may just have opened it.
  const auto object = program_memory_.find(address);
  return object && object->host_sees && !object->is_freed && pages_.was_closed(address);
}

void Checker::open_page(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  pages_.open(address);
}

void Checker::close_page_again(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  pages_.close_again(address);
}

/// True if the host may know of a kernel by the word that it looks at: the kernel released what it
/// had stored to the host, and stored a word by itself.
bool Checker::is_told(const check::Conflict& conflict) const {
  const auto& kernel = static_cast<const OrderedOperation&>(*conflict.first.operation);
  if (conflict.first.kind == check::AccessKind::kAtomic) return true;
  if (!kernel.tells_host || conflict.first.kind != check::AccessKind::kWrite) return false;
  check::TouchedRange around{conflict.address - std::min(conflict.address, kFlagBytes),
                             conflict.address + kFlagBytes, check::AccessKind::kRead, 0};
  std::uint64_t bytes = 0;
  for (const check::Conflict& other : history_.look(conflict.second.operation, around)) {
    if (other.first.kind == check::AccessKind::kWrite) bytes += other.bytes;
  }
  return bytes <= kFlagBytes;
}

/// The function is not behind all that the host's threads have waited for meanwhile.
void Checker::call_program(const std::function<void()>& call) {
  order_.wait_for_host_to_pause();
  const OrderedPtr& function = OrderScope::current();
  if (function == nullptr) return call();
  {
    const std::lock_guard lock(mutex_);
    pages_.close_for(history_, function->known, [&](std::uint64_t page) {
      const auto object = program_memory_.find(page);
      return object && object->host_sees && !object->is_freed;
    });
  }
  function->runs_program = true;
  call();
  function->runs_program = false;
  // What it told the host's threads is not seen: they may rely on all before it.
  order_.learn(*function);
}

bool Checker::note_host_access(std::uint64_t address, bool writes, std::uint64_t instruction) {
  const OrderedPtr& function = OrderScope::current();
  const CallSite site = current_fault_site(instruction);
  const OrderedPtr access = function != nullptr ? order_.enter_function_access(*function, site)
                                                : order_.enter_host_access(site);
  std::shared_ptr<const check::Operation> told_by;
  bool once = false, is_known = false;
  {
    const std::lock_guard lock(mutex_);
    const check::TouchedRange range{
        address, address + 1, writes ? check::AccessKind::kWrite : check::AccessKind::kRead, 0};
    for (const check::Conflict& conflict : history_.look(access, range)) {
      const auto& other = static_cast<const OrderedOperation&>(*conflict.first.operation);
      if (is_told(conflict)) {
        told_by = conflict.first.operation;
      } else if (told_host_accesses_.emplace(instruction, other.submitted).second) {
        keep(conflict);
      } else {
        is_known = true;
      }
    }
    // What is told already is not worth a fault each time.
    once = pages_.open_for_once(address);
    if (is_known) pages_.open(address);
  }
  if (told_by != nullptr) order_.learn(static_cast<const OrderedOperation&>(*told_by));
  return once && !is_known;
}

}  // namespace wavetank::hip
