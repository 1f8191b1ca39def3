#include "cli/check/fix.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cli/output/terminal.hpp"
#include "toolchain/process.hpp"

namespace wavetank::cli {
namespace {

using check::Diagnosis;
using check::Level;

/// Runs of the program that are made at most.
constexpr std::size_t kMostRuns = 64;

/// What a finding is the same by in another run: its kind and places.
using Key = std::pair<ErrorCode, std::multiset<std::string>>;

Key key_of(const Diagnosis& diagnosis) {
  Key key{diagnosis.code, {diagnosis.kernel}};
  for (const check::Spot& spot : diagnosis.spots) {
    key.second.insert(fmt::format("{}\n{}", spot.place(), spot.code));
  }
  return key;
}

std::set<Key> errors_of(const CheckedRun& run) {
  std::set<Key> keys;
  for (const Judged& judged : run.findings) {
    if (judged.diagnosis.level == Level::kError) keys.insert(key_of(judged.diagnosis));
  }
  return keys;
}

std::set<Key> findings_of(const CheckedRun& run) {
  std::set<Key> keys;
  for (const Judged& judged : run.findings) keys.insert(key_of(judged.diagnosis));
  return keys;
}

/// True for what an order would mend.
bool is_race(const Diagnosis& diagnosis) {
  return diagnosis.code == ErrorCode::kDataRace ||
         diagnosis.code == ErrorCode::kUnorderedOperations;
}

/// What a change is known by.
std::string name_of(const check::Change& change) {
  std::string name = machine::to_text(change.edges);
  for (const auto& [first, second] : change.orders) name += fmt::format("\n{} > {}", first, second);
  return name;
}

/// What a run with a change showed.
struct Outcome {
  bool sound = false;  ///< the program did what it had done, and nothing new was found
  std::set<Key> left;  ///< all that was found, notes too
  std::size_t errors = 0;
};

class Finder {
 public:
  Finder(CheckedRun& run, const RunChanged& again)
      : run_(run), again_(again), errors_(errors_of(run)), findings_(findings_of(run)) {}

  Result<void> find_all() {
    for (Judged& judged : run_.findings) {
      const Diagnosis& diagnosis = judged.diagnosis;
      const bool wanted =
          is_race(diagnosis) && diagnosis.level == Level::kError && !judged.suppressed;
      if (!wanted) continue;
      if (auto done = find(judged); !done) return done;
    }
    return {};
  }

 private:
  /// The first change that leaves no error at all, else the first that removes this race.
  Result<void> find(Judged& judged) {
    const Key key = key_of(judged.diagnosis);
    std::optional<Candidate> best;
    std::size_t tried = 0, left = 0;
    for (const Candidate& candidate : ordered(judged.diagnosis)) {
      const auto outcome = outcome_of(candidate);
      if (!outcome) return tl::unexpected(outcome.error());
      if (*outcome == nullptr) break;
      ++tried;
      const bool removes = (*outcome)->sound && !(*outcome)->left.contains(key);
      if (!removes || (best && (*outcome)->errors >= left)) continue;
      best = candidate;
      left = (*outcome)->errors;
      if (left == 0) break;
    }
    if (best) {
      verified_.push_back(*best);
      judged.fix = Fix{best->words, left};
    }
    judged.help = help_of(judged.fix, judged.diagnosis.code, tried);
    return {};
  }
  /// What helped before is tried first, and has run already.
  std::vector<Candidate> ordered(const Diagnosis& race) const {
    std::vector<Candidate> all;
    for (const Candidate& one : verified_) {
      const std::vector<check::Edge>& edges = one.change.edges;
      const bool in_kernel = !edges.empty() && edges.front().kernel == race.kernel_symbol;
      if (in_kernel && race.code == ErrorCode::kDataRace) all.push_back(one);
    }
    for (Candidate& one : candidates(race, run_)) all.push_back(std::move(one));
    return all;
  }
  static std::string help_of(const std::optional<Fix>& fix, ErrorCode code, std::size_t tried) {
    if (fix && fix->errors_left == 0) {
      return fmt::format("verified: with {} the program has no error", fix->change);
    }
    if (fix) {
      return fmt::format("verified: with {} this race is gone; {} left", fix->change,
                         count_text(fix->errors_left, "other error"));
    }
    if (tried == 0) return "no fix was looked for here";
    return fmt::format("no {} orders these ({} tried)",
                       code == ErrorCode::kDataRace ? "single barrier, fence or atomic" : "wait",
                       tried);
  }
  static bool was_interrupted() { return toolchain::Uninterrupted::was_asked_to_end(); }
  /// nullptr when no more runs are to be made.
  Result<const Outcome*> outcome_of(const Candidate& candidate) {
    const std::string name = name_of(candidate.change);
    if (const auto known = outcomes_.find(name); known != outcomes_.end()) return &known->second;
    if (outcomes_.size() == kMostRuns || was_interrupted()) return nullptr;
    const auto run = again_(candidate.change);
    if (!run) return tl::unexpected(run.error());
    if (was_interrupted()) return nullptr;
    Outcome outcome;
    outcome.left = findings_of(*run);
    outcome.errors = errors_of(*run).size();
    outcome.sound = run->exit_status == run_.exit_status && run->ended == run_.ended &&
                    run->launches == run_.launches &&
                    std::ranges::all_of(run->findings, [&](const Judged& judged) {
                      return was_there(judged.diagnosis);
                    });
    return &outcomes_.emplace(name, std::move(outcome)).first->second;
  }

  /// True for what was found without the change, and for notes, but not of barriers that lanes
  /// cannot come to.
  bool was_there(const Diagnosis& diagnosis) const {
    if (diagnosis.level == Level::kError) return errors_.contains(key_of(diagnosis));
    return diagnosis.code != ErrorCode::kMissedBarrier || findings_.contains(key_of(diagnosis));
  }

  CheckedRun& run_;
  const RunChanged& again_;
  const std::set<Key> errors_, findings_;
  std::vector<Candidate> verified_;
  std::map<std::string, Outcome> outcomes_;
};

}  // namespace

Result<void> find_fixes(CheckedRun& run, const RunChanged& again) {
  return Finder(run, again).find_all();
}

}  // namespace wavetank::cli
