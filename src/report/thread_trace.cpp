#include "report/thread_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "profile/hot_lines.hpp"
#include "profile/trace_stalls.hpp"
#include "report/csv.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;
using profile::Reason;
using profile::TraceIssue;
using profile::TraceWave;

/// One letter for each reason, in the order of Reason; the first five issue.
constexpr std::string_view kLetters = "IIIIImlsbvMfFqQnz.";
static_assert(kLetters.size() == profile::kReasonCount);

constexpr std::string_view kLegend =
    "I issue   m vector memory   l LDS   s scalar memory   b barrier   v result\n"
    "M matrix result   f fetch   F fence   q memory queue   Q LDS queue\n"
    "n another wave served   z sleep\n";

struct Span {
  std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end = 0;
};

/// An issue with its stalls before and after.
struct Drawn {
  const TraceIssue* issue = nullptr;
  profile::SplitStall stall;

  std::uint64_t before() const { return std::min(stall.before, issue->issue_cycle); }
  std::uint64_t issued() const { return issue->issue_cycle + std::max(issue->issue_cycles, 1u); }
  std::uint64_t end() const { return issued() + stall.after; }
};

Span span_of(const std::vector<Drawn>& issues) {
  Span span;
  for (const Drawn& one : issues) {
    span.begin = std::min(span.begin, one.issue->issue_cycle - one.before());
    span.end = std::max(span.end, one.end());
  }
  return span;
}

/// The row of one instruction: what it waited for, its issue, and what an s_waitcnt then waited
/// for, in columns of `scale` cycles.
std::string drawn(const Drawn& one, const Span& span, std::uint64_t scale, std::size_t columns) {
  const TraceIssue& issue = *one.issue;
  const auto column = [&](std::uint64_t cycle) {
    return std::min<std::size_t>((cycle - span.begin) / scale, columns - 1);
  };
  const std::size_t from = column(issue.issue_cycle - one.before());
  const std::size_t at = std::max(column(issue.issue_cycle), from);
  const std::size_t to = std::max(column(one.issued() - 1), at);
  const char letter = kLetters[static_cast<std::size_t>(issue.stall_reason)];
  std::string row(from, ' ');
  row += std::string(at - from, letter) + std::string(to - at + 1, 'I');
  return row + std::string(std::max(column(one.end() - 1), to) - to, letter);
}

/// A ruler: every ten columns a bar and the cycle there.
std::string axis(std::uint64_t begin, std::uint64_t scale, std::size_t columns) {
  std::string ruler;
  for (std::size_t at = 0; at < columns; at += 10) {
    ruler += left("|" + std::to_string(begin + at * scale), 10);
  }
  return ruler.substr(0, ruler.find_last_not_of(' ') + 1);
}

std::string wave_text(const LaunchProfile& launch, const std::vector<profile::SplitStall>& stalls,
                      std::size_t wave, const TextOptions& options, std::size_t rows) {
  constexpr std::size_t kTextColumns = 34;
  const TraceWave& w = launch.trace.waves[wave];
  std::vector<Drawn> issues;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < launch.trace.issues.size(); ++i) {
    const TraceIssue& issue = launch.trace.issues[i];
    if (issue.wave != wave || issue.instruction >= launch.instructions.size()) continue;
    if (issues.size() < rows) {
      issues.push_back({&issue, stalls[i]});
    } else {
      ++left_out;
    }
  }
  if (issues.empty()) return "";
  const Span span = span_of(issues);
  const std::size_t columns = std::max<std::size_t>(options.columns, 60) - kTextColumns - 4;
  const std::uint64_t scale =
      std::max<std::uint64_t>((span.end - span.begin + columns - 1) / columns, 1);
  std::string text = in_words_of(
      fmt::format(
          "\nworkgroup {} wave {}   XCD {} SE {} CU {} SIMD {} slot {}   cycles {} to {}, {} "
          "a column\n",
          w.workgroup, w.wave_in_group, w.xcd, w.se, w.cu, w.simd, w.slot, span.begin, span.end,
          scale),
      options.terms);
  text += std::string(kTextColumns + 3, ' ') + axis(span.begin, scale, columns) + "\n";
  for (const Drawn& one : issues) {
    const std::string name = cut(launch.instructions[one.issue->instruction].text, kTextColumns);
    text += fmt::format("  {} |{}\n", left(name, kTextColumns), drawn(one, span, scale, columns));
  }
  if (left_out > 0) text += fmt::format("  … {} more\n", left_out);
  return text;
}

}  // namespace

std::string timeline_text(const LaunchProfile& launch, const TextOptions& options,
                          std::size_t waves, std::size_t rows) {
  if (launch.trace.waves.empty()) return "";
  std::string text = bold(cut(launch.kernel_name, options.columns), options) + "\n";
  const std::vector<profile::SplitStall> stalls = profile::split_stalls(launch.trace);
  for (std::size_t wave = 0; wave < std::min(waves, launch.trace.waves.size()); ++wave) {
    text += wave_text(launch, stalls, wave, options, rows);
  }
  return text + "\n" + in_words_of(kLegend, options.terms);
}

std::string thread_trace_csv(const LaunchProfile& launch) {
  struct Sum {
    std::uint64_t hits = 0, latency = 0, stall = 0, idle = 0;
  };
  std::vector<Sum> sums(launch.instructions.size());
  for (const TraceIssue& issue : launch.trace.issues) {
    if (issue.instruction >= sums.size()) continue;
    Sum& sum = sums[issue.instruction];
    const bool stall = profile::is_stall(issue.stall_reason);
    ++sum.hits;
    sum.latency += issue.issue_cycles + (stall ? issue.stall_cycles : 0);
    (stall ? sum.stall : sum.idle) += issue.stall_cycles;
  }
  std::string csv =
      "\"CodeObj\",\"Vaddr\",\"Instruction\",\"Hitcount\",\"Latency\",\"Stall\",\"Idle\","
      "\"Source\"\n";
  const std::uint64_t first =
      launch.instructions.empty() ? 0 : launch.instructions.front().virtual_address;
  csv += fmt::format("1,{},{},0,0,0,0,\"\"\n", first, quoted_cell("; " + launch.mangled_name));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const profile::InstructionProfile& instruction = launch.instructions[i];
    const std::string source =
        instruction.line == 0 ? "" : fmt::format("{}:{}", instruction.file, instruction.line);
    csv += fmt::format("1,{},{},{},{},{},{},{}\n", instruction.virtual_address,
                       quoted_cell(instruction.text), sums[i].hits, sums[i].latency, sums[i].stall,
                       sums[i].idle, quoted_cell(source));
  }
  return csv;
}

}  // namespace wavetank::report
