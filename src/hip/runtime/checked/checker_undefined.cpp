// Undefined data in device memory: who hands memory out, and what copies and fills do to it.
#include <vector>

#include <fmt/format.h>

#include "check/describe.hpp"
#include "check/undefined/host_writes.hpp"
#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/checked/checker_words.hpp"
#include "hip/runtime/failure.hpp"

namespace wavetank::hip {
namespace {

using check::ByteRange;
using check::Finding;
using check::HandedOut;
using check::UndefinedStore;
using dispatch::ListenedLaunch;
using dispatch::SteppedInstruction;

std::uint64_t number_of(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

/// Calls visit(byte offset of a row in the target, in the source) for a copy's rows.
template <class Visit>
void for_each_row(const CopyOperation& copy, Visit&& visit) {
  for (std::size_t slice = 0; slice < copy.depth; ++slice) {
    for (std::size_t row = 0; row < copy.height; ++row) {
      visit(slice * copy.target.slice_bytes + row * copy.target.pitch_bytes,
            slice * copy.source.slice_bytes + row * copy.source.pitch_bytes);
    }
  }
}

}  // namespace

void Checker::on_fresh_memory(const void* address, std::uint64_t bytes) {
  undefined_.bytes.undefine(number_of(address), number_of(address) + bytes);
}

void Checker::on_defined_memory(const void* address, std::uint64_t bytes) {
  undefined_.bytes.define(number_of(address), number_of(address) + bytes);
}

void Checker::on_copy(const CopyOperation& copy) {
  if (undefined_.bytes.none()) return;
  const auto target = device_memory_.find(copy.target.address);
  if (target && target->kind == machine::MemoryKind::kDevice) {
    for_each_row(copy, [&](std::size_t to, std::size_t from) {
      undefined_.bytes.copy(number_of(copy.target.address + to),
                            number_of(copy.source.address + from), copy.width_bytes);
    });
    return;
  }
  std::vector<ByteRange> rows;
  for_each_row(copy, [&](std::size_t, std::size_t from) {
    const std::uint64_t begin = number_of(copy.source.address + from);
    rows.push_back({begin, begin + copy.width_bytes});
  });
  auto found = check::find_handed_out(undefined_, rows);
  const auto source = found ? device_memory_.find(copy.source.address) : std::nullopt;
  if (source) {
    check::HostWrites(undefined_.bytes).look(*source, found->address);
    found = check::find_handed_out(undefined_, rows);
  }
  if (found) tell_handed_out(*found, copy);
}

void Checker::on_fill(const FillOperation& fill) {
  if (undefined_.bytes.none()) return;
  for (std::size_t slice = 0; slice < fill.depth; ++slice) {
    for (std::size_t row = 0; row < fill.height; ++row) {
      on_defined_memory(
          fill.target.address + slice * fill.target.slice_bytes + row * fill.target.pitch_bytes,
          fill.width_elements * fill.element_bytes);
    }
  }
}

/// Their instructions are put into words while their code is loaded.
void Checker::remember_stores(std::uint32_t first, const ListenedLaunch& launch) {
  const std::vector<UndefinedStore> stores = undefined_.stores.from(first);
  if (stores.empty()) return;
  std::vector<std::uint32_t> sites;
  for (const UndefinedStore& store : stores) {
    sites.push_back(store.origin.site);
    sites.push_back(store.store.site);
  }
  const check::LaunchWords words = words_of(launch);
  const std::vector<SteppedInstruction> instructions = launch.describe(sites);
  for (std::size_t i = 0; i < stores.size(); ++i) {
    const SteppedInstruction& store = instructions[2 * i + 1];
    if (store.text.empty()) continue;  // of a launch that runs at the same time
    store_words_.try_emplace(
        first + static_cast<std::uint32_t>(i),
        StoreWords{words, words_of(instructions[2 * i], words), words_of(store, words)});
  }
}

void Checker::tell_handed_out(const HandedOut& found, const CopyOperation& copy) {
  const std::lock_guard lock(mutex_);
  Finding finding;
  finding.kind = check::Kind::kUndefined;
  finding.use = check::UndefinedUse::kHost;
  finding.space = machine::MemorySpace::kGlobal;
  finding.address = found.address;
  finding.bytes = static_cast<unsigned>(copy.width_bytes * copy.height * copy.depth);
  if (const auto allocation = device_memory_.find(copy.source.address)) {
    finding.object_begin = number_of(allocation->address);
    finding.object_bytes = allocation->size_bytes;
  }
  StoreWords words;
  if (found.store) {
    const UndefinedStore store = undefined_.stores.at(*found.store);
    const machine::UndefinedOrigin& origin = store.origin;
    finding.first = {origin.site, check::AccessKind::kRead, origin.group, origin.wave, origin.lane};
    finding.second = store.store;
    finding.bytes = origin.bytes;
    words = store_words_[*found.store];
  }
  check::Diagnosis diagnosis = check::describe(finding, words.load, words.store, words.launch);
  diagnosis.spots.push_back(
      {{},
       "a copy to the host",
       {},
       fmt::format("of {} bytes, {}", copy.width_bytes * copy.height * copy.depth,
                   found.is_all ? "none of them defined" : "not all of them defined")});
  if (const auto kept = keep(diagnosis); !kept) report_error(kept.error());
}

}  // namespace wavetank::hip
