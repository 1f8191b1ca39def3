#include "isa/formula.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "isa/tables.hpp"
#include "isa/text.hpp"

namespace wavetank::isa {
namespace {

using Statements = std::vector<std::string>;

/// Parameters of a body.
template <class Signature>
constexpr std::size_t kParameters = 0;
template <class R, class... A>
constexpr std::size_t kParameters<R(A...)> = sizeof...(A);

/// `text` with "D" where it is, or begins with, the result.
std::string with_result(std::string text, const Text& result) {
  const std::string& whole = result.str();
  if (result.binding() == Binding::kWord && whole.find('(') == std::string::npos) return text;
  const std::string bracketed = "(" + whole + ")";
  for (std::size_t at = text.find(bracketed); at != std::string::npos; at = text.find(bracketed)) {
    const bool call = at > 0 && text[at - 1] != ' ' && text[at - 1] != '(' && text[at - 1] != '~';
    if (call) break;
    text.replace(at, bracketed.size(), "D");
  }
  const bool compared = result.binding() > Binding::kBits && text.starts_with(whole + " ");
  return compared || text == whole ? "D" + text.substr(whole.size()) : text;
}

/// Result, and mask where there is one.
void add_result(const Row& row, const Text& value, Statements& to) {
  const bool mask_too = row.mask_result && row.result.type != Type::kNone;
  const bool compare = row.mask_result && !mask_too;
  to.push_back((compare ? "SDST[lane] = " : mask_too ? "D, SDST[lane] = " : "D = ") + value.str());
}
void add_result(const Row& /*row*/, const Masked<Text, Text>& both, Statements& to) {
  to.push_back("D = " + both.value.str());
  to.push_back("SDST[lane] = " + with_result(both.mask.str(), both.value));
}

void add_effects(const TextWave& wave, const Text& result, Statements& to) {
  if (!wave.new_exec.empty()) to.push_back("EXEC = " + with_result(wave.new_exec, result));
  if (wave.scc.str() == "SCC") return;
  // What is left of EXEC: the row says so after it has set it.
  const std::string left = wave.new_exec + " != 0", bracketed = "(" + wave.new_exec + ") != 0";
  const bool of_exec =
      !wave.new_exec.empty() && (wave.scc.str() == left || wave.scc.str() == bracketed);
  to.push_back("SCC = " + (of_exec ? "EXEC != 0" : with_result(wave.scc.str(), result)));
}

Statements jump(const TextWave& wave) {
  if (wave.jumps_if.empty()) return {};
  const std::string condition = wave.jumps_if == "true" ? "" : "if (" + wave.jumps_if + ") ";
  return {condition + "PC = PC + 4 + 4 * SIMM16"};
}

/// What a body is evaluated on.
using Sources = std::array<Text, 4>;
Sources sources_of(const Row& row) {
  return {source_name(row, 0), source_name(row, 1), source_name(row, 2), source_name(row, 3)};
}

Statements of_value(const Row& row, const Text& value) {
  Statements statements;
  add_result(row, value, statements);
  return statements;
}
Statements of_value(const Row& row, const Masked<Text, Text>& both) {
  Statements statements;
  add_result(row, both, statements);
  return statements;
}

/// A scalar row without a result.
Statements of_scalar(const TextWave& wave) {
  Statements statements;
  add_effects(wave, std::string("D"), statements);
  return statements;
}
Statements of_scalar(const Row& row, const TextWave& wave, const Text& result) {
  Statements statements;
  // What was in D is gone once it is written.
  const bool reads_old = std::ranges::any_of(
      row.sources, [](const Operand& source) { return source.role == Role::kAccumulator; });
  if (reads_old) add_effects(wave, std::string("D"), statements);
  add_result(row, result, statements);
  if (!reads_old) add_effects(wave, result, statements);
  return statements;
}

template <class Definition, std::size_t... I>
Statements evaluated(const Row& row, std::index_sequence<I...>) {
  using Body = typename Definition::Body;
  const Sources source = sources_of(row);
  if constexpr (Definition::shape != Shape::kScalar) {
    return of_value(row, Body{}(source[I]...));
  } else {
    TextWave wave;
    if constexpr (std::is_void_v<decltype(Body{}(wave, source[I]...))>) {
      Body{}(wave, source[I]...);
      return of_scalar(wave);
    } else {
      const Text result = Body{}(wave, source[I]...);
      return of_scalar(row, wave, result);
    }
  }
}

template <class Definition>
Statements statements_of(const Row& row) {
  using Signature = typename Definition::Signature;
  constexpr Shape kShape = Definition::shape;
  constexpr bool kOfValues = kShape == Shape::kValu || kShape == Shape::kPacked ||
                             kShape == Shape::kMixed || kShape == Shape::kScalar;
  if constexpr (kOfValues) {
    return evaluated<Definition>(row, std::make_index_sequence<kParameters<Signature>>());
  } else if constexpr (std::is_same_v<Signature, void(BranchOffset)>) {
    TextWave wave;
    const TextOp op;
    typename Definition::Body{}(wave, &op);
    return jump(wave);
  } else {
    return {};
  }
}

/// What an atomic's body calls its values.
constexpr std::array<const char*, 2> value_names(AtomicOperation operation, bool two) {
  if (!two) return {"data", ""};
  return compares(operation) ? std::array{"data", "comparand"} : std::array{"data0", "data1"};
}

using Printer = Statements (*)(const Row&);

std::vector<Printer> make_printers() {
  std::vector<Printer> printers;
  for_each_line([&]<class Line>(const Line&) { printers.push_back(&statements_of<Line>); });
  return printers;
}

}  // namespace

std::string source_name(const Row& row, unsigned index) {
  const Operand& operand = row.sources[index];
  switch (operand.role) {
    case Role::kAccumulator: return "D";
    case Role::kLiteral: return "K";
    case Role::kImplicitVcc: return "VCC";
    case Role::kLaneNumber: return "lane";
    case Role::kImmediate: return "SIMM16";
    case Role::kSource: break;
  }
  if (row.matrix.present()) {
    constexpr const char* kNames[] = {"A", "B", "C", "D"};
    return index == 2 && row.matrix.sparse ? "index" : kNames[index];
  }
  if (operand.type == Type::kMask) return "mask";
  unsigned number = 0;
  for (unsigned i = 0; i < index; ++i) number += row.sources[i].role == Role::kSource ? 1 : 0;
  return "src" + std::to_string(number);
}

std::string atomic_formula(AtomicOperation operation) {
  std::string formula;
  visit_atomic(operation, [&](const auto& line) {
    using Line = std::remove_cvref_t<decltype(line)>;
    const auto names = value_names(operation, Line::takes_two);
    const Text old = std::string("old"), data = std::string(names[0]);
    if constexpr (Line::takes_two)
      formula = Text(typename Line::Body{}(old, data, Text(std::string(names[1])))).str();
    else
      formula = Text(typename Line::Body{}(old, data)).str();
    const bool orders = Line::Kind::is_float || formula.starts_with("m");
    if (orders && !Line::Kind::note.empty()) formula += "   " + std::string(Line::Kind::note);
  });
  return formula;
}

std::vector<std::string> formula(const Row& row) {
  static const auto& printers = *new std::vector<Printer>(make_printers());
  return printers[row.id](row);
}

}  // namespace wavetank::isa
