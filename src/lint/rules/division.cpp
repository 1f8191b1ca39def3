// Divisions and square roots in loops, which are sequences of instructions.
#include <fmt/format.h>

#include <map>

#include "isa/row.hpp"
#include "lint/rules/rules.hpp"

namespace wavetank::lint {
namespace {

using isa::Meaning;

/// Multiplied with a rough reciprocal, these begin the division of integers of 32 and 64 bits (LLVM
/// AMDGPUISelLowering.cpp, LowerUDIVREM64, and AMDGPUCodeGenPrepare.cpp, expandDivRem32): the
/// floats just below 2^32 and 2^64.
constexpr std::uint32_t kBelow32 = 0x4f7ffffe, kBelow64 = 0x5f7ffffc;

constexpr std::string_view k32Bits = "32-bit integers", k64Bits = "64-bit integers";

/// Nothing but f32 has a division that is faster and less exact.
constexpr std::string_view kReciprocal =
    "multiply by a reciprocal that is computed before the loop, where the divisor stays the same";

/// Places in one loop of operations of one sort.
struct InLoop {
  std::vector<std::uint32_t> steps;
  std::string_view remedy = {};  ///< empty: the rule's own
};

using ByLoop = std::map<std::pair<std::uint32_t, std::string_view>, InLoop>;

/// The instructions in loops that `sort_of` gives a name to.
template <class SortOf>
ByLoop in_loops(const Subject& subject, const SortOf& sort_of) {
  ByLoop found;
  for (std::uint32_t step = 0; step < subject.code.size(); ++step) {
    const std::uint32_t loop = subject.blocks.loop_of(step);
    if (loop == kNone) continue;
    const std::string_view sort = sort_of(step);
    if (!sort.empty()) found[{loop, sort}].steps.push_back(step);
  }
  return found;
}

void report(const ByLoop& found, std::string_view sort, Findings& findings) {
  for (const auto& [key, in_loop] : found) {
    Finding finding;
    finding.step = in_loop.steps.front();
    finding.others.assign(in_loop.steps.begin() + 1, in_loop.steps.end());
    const std::size_t count = in_loop.steps.size();
    finding.what =
        fmt::format("{} {}{} of {} in a loop", count, sort, count == 1 ? "" : "s", key.second);
    finding.remedy = in_loop.remedy;
    findings.push_back(std::move(finding));
  }
}

std::string_view float_name(isa::Type type) {
  switch (type) {
    case isa::Type::kF64: return "f64";
    case isa::Type::kF32: return "f32";
    default: return "f16";
  }
}

/// The bits of the integers whose division an instruction begins: 32 or 64; 0: it begins none. It
/// multiplies a reciprocal with a constant.
unsigned divided_bits(const Subject& subject, std::uint32_t step) {
  const Values& values = *subject.values;
  if (subject.code.row(step).meaning != Meaning::kMultiply) return 0;
  for (const unsigned reciprocal : {0u, 1u}) {
    const auto a = values.source(step, reciprocal), b = values.source(step, 1 - reciprocal);
    if (!a || !b || values.result_of(*a) == kNone) continue;
    const Meaning meaning = subject.code.row(values.result_of(*a)).meaning;
    const auto factor = values.constant(*b);
    if (meaning == Meaning::kReciprocalInteger && factor == kBelow32) return 32;
    const bool rough = meaning == Meaning::kReciprocal || meaning == Meaning::kReciprocalInteger;
    if (rough && factor == kBelow64) return 64;
  }
  return 0;
}

/// True if an instruction looks whether the float below a square root is the better one, as the
/// sequence does that is right to the last bit.
bool refines_root(const Subject& subject, std::uint32_t step) {
  const Values& values = *subject.values;
  const isa::Row& row = subject.code.row(step);
  if (row.meaning != Meaning::kAdd || isa::is_float(row.result.type)) return false;
  for (const unsigned root : {0u, 1u}) {
    const auto a = values.source(step, root), b = values.source(step, 1 - root);
    if (!a || !b || values.constant(*b) != ~0u || values.result_of(*a) == kNone) continue;
    const isa::Row& made_by = subject.code.row(values.result_of(*a));
    if (made_by.meaning == Meaning::kSquareRoot) return true;
  }
  return false;
}

}  // namespace

void find_float_division(const Subject& subject, Findings& findings) {
  ByLoop found = in_loops(subject, [&](std::uint32_t step) {
    const isa::Row& row = subject.code.row(step);
    const bool divides = row.meaning == Meaning::kDivideFixup;
    return divides ? float_name(row.result.type) : std::string_view();
  });
  for (auto& [key, in_loop] : found) {
    if (key.second != float_name(isa::Type::kF32)) in_loop.remedy = kReciprocal;
  }
  report(found, "division", findings);
}

void find_integer_division(const Subject& subject, Findings& findings) {
  if (subject.values == nullptr) return;
  ByLoop found = in_loops(subject, [&](std::uint32_t step) {
    const unsigned bits = divided_bits(subject, step);
    return bits == 0 ? std::string_view() : bits == 32 ? k32Bits : k64Bits;
  });
  // Where 64-bit operands turn out to be small, compiled code divides 32 bits of them instead.
  std::erase_if(found, [&](const auto& one) {
    const auto wide = found.find({one.first.first, k64Bits});
    return one.first.second == k32Bits && wide != found.end() &&
           one.second.steps.size() <= wide->second.steps.size();
  });
  report(found, "division", findings);
}

void find_square_root(const Subject& subject, Findings& findings) {
  if (subject.values == nullptr) return;
  const ByLoop found = in_loops(subject, [&](std::uint32_t step) {
    return refines_root(subject, step) ? float_name(isa::Type::kF32) : std::string_view();
  });
  report(found, "square root", findings);
}

}  // namespace wavetank::lint
