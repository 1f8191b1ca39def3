#include "profile/expression.hpp"

#include <cctype>
#include <charconv>

namespace wavetank::profile {
namespace {

MetricValue no_value(std::string why_not) { return {std::nullopt, std::move(why_not)}; }

/// Recursive descent: sum = product (+|- product)*, product = factor (*|/ factor)*.
class Parser {
 public:
  Parser(std::string_view text, const Lookup& lookup) : rest_(text), lookup_(lookup) {}

  MetricValue whole() {
    MetricValue result = sum();
    skip_spaces();
    if (result.value && !rest_.empty()) return malformed();
    return result;
  }

 private:
  void skip_spaces() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }

  bool accept(char c) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  MetricValue malformed() const {
    return no_value("the formula is malformed before \"" + std::string(rest_) + "\"");
  }

  MetricValue sum() {
    MetricValue left = product();
    while (left.value) {
      const bool plus = accept('+');
      if (!plus && !accept('-')) break;
      MetricValue right = product();
      if (!right.value) return right;
      *left.value += plus ? *right.value : -*right.value;
    }
    return left;
  }

  MetricValue product() {
    MetricValue left = factor();
    while (left.value) {
      const bool times = accept('*');
      if (!times && !accept('/')) break;
      const std::string_view before = rest_;
      MetricValue right = factor();
      if (!right.value) return right;
      if (!times && *right.value == 0) {
        const std::string_view divisor = before.substr(0, before.size() - rest_.size());
        return no_value("divides by " + std::string(divisor) + ", which is 0");
      }
      *left.value = times ? *left.value * *right.value : *left.value / *right.value;
    }
    return left;
  }

  MetricValue factor() {
    if (accept('(')) {
      // Formulas are ours or a user's: bounded nesting keeps a hostile one off the stack's end.
      if (++depth_ > 64) return no_value("the formula is nested too deeply");
      MetricValue inner = sum();
      --depth_;
      if (inner.value && !accept(')')) return malformed();
      return inner;
    }
    skip_spaces();
    if (rest_.empty()) return malformed();
    if (std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) return number();
    const std::string_view name = word();
    if (name.empty()) return malformed();
    if (!accept('(')) return lookup_("", name);
    const std::string_view argument = word();
    if (argument.empty() || !accept(')')) return malformed();
    return lookup_(name, argument);
  }

  MetricValue number() {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) return malformed();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return {value, {}};
  }

  std::string_view word() {
    skip_spaces();
    std::size_t size = 0;
    while (size < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[size])) != 0 || rest_[size] == '_')) {
      ++size;
    }
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }

  std::string_view rest_;
  const Lookup& lookup_;
  unsigned depth_ = 0;
};

}  // namespace

MetricValue evaluate(std::string_view expression, const Lookup& lookup) {
  return Parser(expression, lookup).whole();
}

}  // namespace wavetank::profile
