#include "cli/isa/body.hpp"

#include <optional>
#include <regex>
#include <span>
#include <string_view>

#include "base/embedded_file.hpp"

namespace wavetank::cli {

/// The headers of src/isa, by name.
std::span<const EmbeddedFile> isa_tables();

namespace {

using isa::Role;
using isa::Row;

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \n") - first + 1));
}

/// The index behind the bracket that closes the one at `open`; npos if none does.
std::size_t behind_bracket(std::string_view text, std::size_t open) {
  unsigned depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') i = text.find('"', i + 1);
    if (i == std::string_view::npos) return i;
    if (c == '(' || c == '{' || c == '[') ++depth;
    if ((c == ')' || c == '}' || c == ']') && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

/// Splits at separators that are in no bracket and no string.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    std::size_t end = i + 1;
    if (c == '(' || c == '{' || c == '[') end = behind_bracket(text, i);
    if (c == '"') end = text.find('"', i + 1) + 1;
    if (end == std::string_view::npos || end == 0) return {};
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += text.substr(i, end - i);
    }
    i = end - 1;
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

/// The last argument of the table line that defines `name`: its body.
std::optional<std::string> body_text(std::string_view name) {
  const std::string quoted = '"' + std::string(name) + '"';
  for (const EmbeddedFile& file : isa_tables()) {
    std::size_t at = file.text.find(quoted);
    for (; at != std::string_view::npos; at = file.text.find(quoted, at + 1)) {
      const std::size_t open = file.text.rfind('(', at), end = behind_bracket(file.text, open);
      if (end == std::string_view::npos) continue;
      const auto arguments = split(file.text.substr(open + 1, end - open - 2), ',');
      if (arguments.size() == 4 && arguments[0] == quoted) return arguments[3];
    }
  }
  return {};
}

/// The value of `inline constexpr auto NAME = ...;` in the tables.
std::optional<std::string> constant_text(std::string_view name) {
  const std::string start = "constexpr auto " + std::string(name) + " =";
  for (const EmbeddedFile& file : isa_tables()) {
    const std::size_t at = file.text.find(start);
    if (at == std::string_view::npos) continue;
    const auto parts = split(file.text.substr(at + start.size(), 600), ';');
    return parts.empty() ? std::nullopt : std::optional(parts[0]);
  }
  return {};
}

/// A lambda: its parameters' names and its statements.
struct Lambda {
  std::vector<std::string> values;  ///< without the wave and the modes
  std::vector<std::string> statements;
};

std::optional<Lambda> parse_lambda(std::string text) {
  if (text.starts_with("lanes(")) text = trimmed(text.substr(6, text.size() - 7));
  if (!text.starts_with("[](")) return {};
  const std::size_t end = behind_bracket(text, 2), open = text.find('{', end);
  if (end == std::string::npos || open == std::string::npos) return {};
  Lambda lambda;
  for (const std::string& parameter : split(std::string_view(text).substr(3, end - 4), ',')) {
    const std::size_t space = parameter.rfind(' ');
    const bool wave = parameter.starts_with("auto&") || parameter.starts_with("const auto*");
    if (wave || parameter.starts_with("const Modes&")) continue;
    lambda.values.push_back(space == std::string::npos ? "" : parameter.substr(space + 1));
  }
  const std::size_t close = behind_bracket(text, open);
  if (close == std::string::npos) return {};
  lambda.statements = split(std::string_view(text).substr(open + 1, close - open - 2), ';');
  while (!lambda.statements.empty() && lambda.statements.back().empty()) {
    lambda.statements.pop_back();
  }
  return lambda;
}

/// C++ as a reader of instruction manuals would write it.
std::string respelled(std::string text) {
  static const std::pair<std::regex, const char*> kRules[] = {
      {std::regex(R"(\s+)"), " "},
      {std::regex(R"(, (op|m(\.\w+|\(\w+\))?)(?=[,)]))"), ""},
      {std::regex(R"(, lanes\(\[\].*)"), ""},
      {std::regex(R"(static_cast<decltype\(\w+\)>)"), ""},
      {std::regex(R"(decltype\(\w+\)\(([^()]*)\))"), "$1"},
      {std::regex(R"(static_cast<std::(u?)int(\d+)_t>)"), "$1i$2"},
      {std::regex(R"(std::(u?)int(\d+)_t\{([^{}]*)\})"), "$1i$2($3)"},
      {std::regex(R"(std::(u?)int(\d+)_t)"), "$1i$2"},
      {std::regex(R"(\bui(\d+))"), "u$1"},
      {std::regex(R"(\b(0x[0-9a-f]+|\d+)u\b)"), "$1"},
      {std::regex(R"(\b(number|std)::)"), ""},
      {std::regex(R"(\b(convert|as)<(\w)(\d+)>)"), "$2$3"},
      {std::regex(R"(\b(const )?(auto|u64|u32|unsigned|bool) (?=\w+ =))"), ""},
      {std::regex(R"(\bw\.scc\b)"), "SCC"},
      {std::regex(R"(\bw\.exec\(\))"), "EXEC"},
      {std::regex(R"(\bw\.vcc\(\))"), "VCC"},
      {std::regex(R"(\(SCC \? 1 : 0\))"), "SCC"},
      {std::regex(R"(\( )"), "("},
      {std::regex(R"(, (false|true)\))"), ")"},
  };
  for (const auto& [pattern, replacement] : kRules) {
    text = std::regex_replace(text, pattern, replacement);
  }
  // Types in lower case: U16 to F64.
  static const std::regex kType(R"(\b[UIF](16|32|64)\b)");
  for (auto at = std::sregex_iterator(text.begin(), text.end(), kType);
       at != std::sregex_iterator(); ++at) {
    char& first = text[static_cast<std::size_t>(at->position())];
    first = static_cast<char>(first - 'A' + 'a');
  }
  return text;
}

/// The arguments of a call NAME(...) that is the whole of `text`; empty if it is none.
std::vector<std::string> arguments_of(const std::string& text, std::string_view name) {
  const std::string start = std::string(name) + "(";
  if (!text.starts_with(start)) return {};
  if (behind_bracket(text, name.size()) != text.size()) return {};
  return split(std::string_view(text).substr(start.size(), text.size() - start.size() - 1), ',');
}

/// What a returned value does to the wave: the helpers of the tables write SCC, EXEC and masks.
std::vector<std::string> returned(const Row& row, const std::string& value) {
  if (const auto a = arguments_of(value, "flagged"); a.size() == 3) {
    return {"D = " + a[1], "SCC = " + a[2]};
  }
  if (const auto a = arguments_of(value, "nonzero"); a.size() == 2) {
    return {"D = " + a[1], "SCC = D != 0"};
  }
  if (const auto a = arguments_of(value, "save_exec"); a.size() == 2) {
    return {"D = EXEC", "EXEC = " + a[1], "SCC = EXEC != 0"};
  }
  if (const auto a = arguments_of(value, "write_exec"); a.size() == 2) {
    return {"D = EXEC = " + a[1], "SCC = D != 0"};
  }
  if (const auto a = arguments_of(value, "with_mask"); a.size() == 2) {
    return {"D = " + a[0], "SDST[lane] = " + a[1]};
  }
  if (const auto a = arguments_of(value, "branch_if"); !a.empty()) {
    return {(a.size() == 2 ? "if (" + a[1] + ") " : "") + "PC = PC + 4 + 4 * SIMM16"};
  }
  const bool compare = row.mask_result && row.result.type == isa::Type::kNone;
  return {(compare ? "SDST[lane] = " : "D = ") + value};
}

/// Signs that a statement is program text and no formula.
bool is_formula(const std::string& text) {
  constexpr const char* kSigns[] = {"lanes.", "[&]", "[](", "constexpr", "op->",
                                    "op +",   "(w,", "w.",  "using ",    "(w)"};
  for (const char* sign : kSigns) {
    if (text.find(sign) != std::string::npos) return false;
  }
  return true;
}

std::vector<std::string> statements_of(const Row& row, const Lambda& lambda) {
  std::vector<std::string> result;
  for (std::string statement : lambda.statements) {
    for (unsigned i = 0; i < lambda.values.size(); ++i) {
      if (lambda.values[i].empty()) continue;
      const std::regex word("\\b" + lambda.values[i] + "\\b");
      statement = std::regex_replace(statement, word, source_name(row, i));
    }
    statement = respelled(statement);
    if (!statement.starts_with("return ")) {
      result.push_back(statement);
      continue;
    }
    for (std::string& effect : returned(row, statement.substr(7))) result.push_back(effect);
  }
  for (const std::string& text : result) {
    if (!is_formula(text)) return {};
  }
  return result;
}

/// A call of a named function on the row's sources.
std::vector<std::string> call_of(const Row& row, const std::string& function) {
  std::string call = respelled(function) + "(";
  for (unsigned i = 0; i < row.source_count(); ++i) {
    call += (i == 0 ? "" : ", ") + source_name(row, i);
  }
  return returned(row, call + ")");
}

}  // namespace

std::string source_name(const Row& row, unsigned index) {
  const isa::Operand& operand = row.sources[index];
  switch (operand.role) {
    case Role::kAccumulator: return "D";
    case Role::kLiteral: return "K";
    case Role::kImplicitVcc: return "VCC";
    case Role::kImmediate: return "SIMM16";
    case Role::kSource: break;
  }
  if (row.matrix.present()) {
    constexpr const char* kNames[] = {"A", "B", "C", "D"};
    return index == 2 && row.matrix.sparse ? "index" : kNames[index];
  }
  if (operand.type == isa::Type::kMask) return "mask";
  unsigned number = 0;
  for (unsigned i = 0; i < index; ++i) number += row.sources[i].role == Role::kSource ? 1 : 0;
  return "src" + std::to_string(number);
}

std::vector<std::string> pseudo_code(const Row& row) {
  if (row.memory.action != isa::MemoryAction::kNone || row.matrix.present()) return {};
  std::optional<std::string> body = body_text(row.name);
  if (!body) return {};
  if (auto lambda = parse_lambda(*body)) return statements_of(row, *lambda);
  static const std::regex kName(R"([a-z_0-9]+(<\w+>)?)");
  if (!std::regex_match(*body, kName)) return {};
  if (const auto constant = constant_text(*body)) {
    const auto lambda = parse_lambda(*constant);
    if (lambda && lambda->statements.size() <= 4) {
      if (auto statements = statements_of(row, *lambda); !statements.empty()) return statements;
    }
  }
  return call_of(row, *body);
}

}  // namespace wavetank::cli
