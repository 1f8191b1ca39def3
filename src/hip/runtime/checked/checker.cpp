#include "hip/runtime/checked/checker.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "check/describe.hpp"
#include "check/describe_conflict.hpp"
#include "code_object/symbol_name.hpp"
#include "hip/runtime/checked/checker_words.hpp"
#include "hip/runtime/failure.hpp"
#include "hip/runtime/run_watch.hpp"
#include "toolchain/source_lines.hpp"

namespace wavetank::hip {
namespace {

using check::Diagnosis;
using check::Finding;
using check::LaunchWords;
using check::OperationWords;
using dispatch::ListenedLaunch;
using dispatch::SteppedInstruction;

/// What the words say of one of two operations.
OperationWords operation_words(const check::TouchedBy& touched) {
  const auto& operation = static_cast<const OrderedOperation&>(*touched.operation);
  OperationWords words;
  words.kind = touched.kind;
  words.stream = operation.stream;
  words.function = operation.site.function;
  words.in_graph = operation.in_graph;
  words.host_place = place_of(operation.site);
  words.site = name_of(operation.site);
  if (operation.launch == nullptr) return words;
  const LaunchWords launch = words_of(*operation.launch);
  words.kernel = launch.kernel;
  words.instruction = words_of(operation.launch->describe({touched.site}).front(), launch);
  return words;
}

std::uint64_t submitted(const check::TouchedBy& touched) {
  return static_cast<const OrderedOperation&>(*touched.operation).submitted;
}

}  // namespace

Checker::Checker(std::string path, const machine::DeviceMemory& memory)
    : path_(std::move(path)),
      device_memory_(memory),
      undefined_(memory.arena_begin(), memory.arena_end() - memory.arena_begin()) {
  order_.set_learned([this] { learned(); });
  if (!undefined_.bytes.is_kept()) {
    report_error({ErrorCode::kOutOfMemory,
                  "undefined data is not looked for",
                  {},
                  "the host has no address space for a bit of each byte of the devices",
                  "raise the limit of `ulimit -v`"});
  }
  auto change = check::read_change(path_);
  if (change) {
    is_changed_ = !change->empty();
    edges_ = std::move(change->edges);
    order_.set_orders(std::move(change->orders));
  } else {
    report_error(change.error());
  }
}

/// Writes a diagnosis when its places are new, and counts it.
Result<void> Checker::keep(const Diagnosis& diagnosis) {
  std::string key = fmt::format("{} {} {}", static_cast<unsigned>(diagnosis.code),
                                check::name_of(diagnosis.level), diagnosis.kernel);
  for (const check::Spot& spot : diagnosis.spots) key += "\n" + spot.place() + "\n" + spot.code;
  const auto [at, is_new] = known_.emplace(key, counts_.size());
  if (!is_new) {
    counts_[at->second] += diagnosis.count;
    return {};
  }
  counts_.push_back(diagnosis.count);
  return check::append_to_file(path_, diagnosis);
}

/// Where the memory of a finding was allocated and freed.
void Checker::add_places(const Finding& finding, Diagnosis& diagnosis) const {
  if (finding.space != machine::MemorySpace::kGlobal || finding.object_bytes == 0) return;
  auto object = program_memory_.find(finding.object_begin);
  if (!object) object = program_memory_.find(finding.address);  // a variable in a code object
  if (!object) return;
  std::string text = object->name.empty() ? "allocated at " + place_of(object->allocated).place()
                                          : fmt::format("variable `{}`", object->name);
  if (object->is_freed) text += ", freed at " + place_of(object->freed).place();
  diagnosis.note += (diagnosis.note.empty() ? "" : "; ") + text;
}

/// Texts and source lines of a launch's instructions. Lines take a process, so that each is asked
/// for once.
std::vector<SteppedInstruction> Checker::described(const ListenedLaunch& launch,
                                                   const std::vector<std::uint32_t>& sites) {
  std::vector<std::uint32_t> unknown;
  for (const std::uint32_t site : sites) {
    if (site != 0 && !described_.contains(site)) unknown.push_back(site);
  }
  if (!unknown.empty()) {
    std::vector<SteppedInstruction> found = launch.describe(unknown);
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      if (!found[i].text.empty()) described_.try_emplace(unknown[i], std::move(found[i]));
    }
  }
  std::vector<SteppedInstruction> result;
  for (const std::uint32_t site : sites) {
    const auto known = described_.find(site);
    result.push_back(known == described_.end() ? SteppedInstruction() : known->second);
  }
  return result;
}

void Checker::on_own_memory(const void* address) {
  const std::lock_guard lock(mutex_);
  own_memory_.insert(reinterpret_cast<std::uint64_t>(address));
}

bool Checker::is_about_the_runtime(const Finding& finding) const {
  return finding.kind == check::Kind::kDataRace && finding.space == machine::MemorySpace::kGlobal &&
         own_memory_.contains(finding.object_begin);
}

Result<void> Checker::keep(const check::LaunchCheck& listener, const ListenedLaunch& launch) {
  const LaunchWords words = words_of(launch);
  std::vector<Finding> all = listener.findings().sorted();
  std::erase_if(all, [this](const Finding& finding) { return is_about_the_runtime(finding); });
  std::vector<std::uint32_t> sites;
  for (const Finding& finding : all) {
    sites.push_back(finding.first.site);
    sites.push_back(finding.second.site);
  }
  const std::vector<SteppedInstruction> instructions = described(launch, sites);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto words_at = [&](std::size_t at) {
      return words_of(instructions[at], words, launch.edge_places(sites[at]));
    };
    Diagnosis diagnosis = check::describe(all[i], words_at(2 * i), words_at(2 * i + 1), words);
    add_places(all[i], diagnosis);
    if (auto done = keep(diagnosis); !done) return done;
  }
  if (listener.gave_up()) return keep(check::describe_given_up(words));
  return {};
}

/// What programs that are checked again with a change were compiled from is known already.
void Checker::note_sources(const ListenedLaunch& launch) {
  if (is_changed_ || !code_objects_.insert(launch.code()).second) return;
  for (std::string& file : toolchain::source_files_as_known(launch.code()->file)) {
    sources_.insert(std::move(file));
  }
}

/// Launches that run at the same time have memories of their own.
class Checker::Lent {
 public:
  explicit Lent(Checker& checker) : checker_(checker) {
    const std::lock_guard lock(checker.mutex_);
    if (checker.memories_.empty()) checker.memories_.push_back(std::make_unique<check::Memory>());
    memory_ = std::move(checker.memories_.back());
    checker.memories_.pop_back();
  }
  ~Lent() {
    const std::lock_guard lock(checker_.mutex_);
    checker_.memories_.push_back(std::move(memory_));
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  check::Memory& operator*() const { return *memory_; }

 private:
  Checker& checker_;
  std::unique_ptr<check::Memory> memory_;
};

/// In the order in which the host submitted them, whichever ran first.
void Checker::keep(const check::Conflict& conflict) {
  check::ConflictWords words;
  words.first = operation_words(conflict.first);
  words.second = operation_words(conflict.second);
  if (submitted(conflict.second) < submitted(conflict.first)) std::swap(words.first, words.second);
  words.address = conflict.address;
  words.bytes = conflict.bytes;
  if (const auto object = program_memory_.find(conflict.address)) {
    words.object_begin = object->begin;
    words.object_bytes = object->size_bytes;
    words.object_name = object->name;
    if (object->name.empty()) words.object_place = place_of(object->allocated).place();
  }
  if (const auto kept = keep(check::describe(words)); !kept) report_error(kept.error());
}

void Checker::note(const check::TouchedRanges& ranges) {
  const OrderedPtr& operation = OrderScope::current();
  if (operation == nullptr) return;
  std::optional<ProgramObject> object;  // of the range before: most lie in the same
  const auto find_object = [&](const check::TouchedRange& range) {
    const bool is_same = object && range.begin - object->begin < object->size_bytes;
    if (!is_same) object = program_memory_.find(range.begin);
    return object.has_value();
  };
  check::TouchedRanges of_program;
  ranges.visit([&](const check::TouchedRange& range) {
    if (find_object(range)) of_program.add(range);
  });
  const std::lock_guard lock(mutex_);
  for (const check::Conflict& conflict : history_.add(operation, of_program)) keep(conflict);
  of_program.visit([&](const check::TouchedRange& range) {
    if (find_object(range)) close_pages(range, *object);
  });
  if (order_.is_alone()) history_.forget(order_.known());
}

Result<void> Checker::run(dispatch::Engine& engine, const target::Device& device,
                          const dispatch::Launch& launch) {
  const Lent memory(*this);
  const std::uint32_t stores = undefined_.stores.count();
  std::unique_ptr<check::LaunchCheck> listener;
  std::shared_ptr<const ListenedLaunch> listened;
  const std::string name = code_object::demangled(launch.kernel->name);
  std::optional<RunWatch::Work> work;
  auto outcome = engine.run_listened(
      launch, [&](std::shared_ptr<const ListenedLaunch> known) -> machine::Listener* {
        listened = std::move(known);
        check::LaunchFacts facts = launch_facts(*listened, device);
        work.emplace(name, "workgroups", facts.groups);
        facts.group_begins = [&work] { work->did_one(); };
        listener = std::make_unique<check::LaunchCheck>(*memory, undefined_, facts, edges_);
        return listener.get();
      });
  if (listener == nullptr) return outcome;
  listener->finish();
  check::TouchedRanges touched = listener->touched();
  {
    const std::lock_guard lock(mutex_);
    ++launches_[name];
    // The program goes on: that a finding is lost is no failure of its launch.
    if (const auto kept = keep(*listener, *listened); !kept) report_error(kept.error());
    remember_stores(stores, *listened);
    note_sources(*listened);
    note_fences(listener->fences(), *listened, device, touched);
  }
  if (const OrderedPtr& operation = OrderScope::current()) {
    operation->launch = listened;
    operation->tells_host = listener->releases_to_system();
  }
  note(std::move(touched));
  return outcome;
}

Result<void> Checker::finish() {
  const std::lock_guard lock(mutex_);
  for (const auto& [place, words] : fences_) {
    if (!check::is_too_much(words.use)) continue;
    if (auto kept = keep(check::describe(words)); !kept) return kept;
  }
  return check::append_end(path_, {launches_, sources_}, counts_);
}

}  // namespace wavetank::hip
