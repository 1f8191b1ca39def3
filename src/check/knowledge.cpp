#include "check/knowledge.hpp"

#include <algorithm>
#include <functional>

namespace wavetank::check {

const Times* Knowledge::find(std::uint32_t actor) const {
  const Node* node = root_.get();
  for (unsigned level = 0; node != nullptr && level < kLevels; ++level) {
    node = node->next[digit(actor, level)].get();
  }
  return node == nullptr ? nullptr : &node->times;
}

void Knowledge::learn(std::uint32_t actor, const Times& times) {
  if (const Times* const known = find(actor)) {
    if (std::equal(times.begin(), times.end(), known->begin(), std::less_equal<>())) return;
  }
  auto path = std::make_shared<Node>();
  path->times = times;
  for (unsigned level = kLevels; level-- > 0;) {
    auto above = std::make_shared<Node>();
    above->next[digit(actor, level)] = std::move(path);
    path = std::move(above);
  }
  root_ = joined(root_, path, 0);
}

Knowledge::Link Knowledge::joined_leaves(const Link& a, const Link& b) {
  Times times;
  for (unsigned i = 0; i < kMostWaves; ++i) times[i] = std::max(a->times[i], b->times[i]);
  if (times == a->times) return a;
  if (times == b->times) return b;
  auto both = std::make_shared<Node>();
  both->times = times;
  return both;
}

/// One of the two where it knows all that the other does, so that trees stay shared. Equal parts
/// are passed over without counting a reference to them.
Knowledge::Link Knowledge::joined(const Link& a, const Link& b, unsigned level) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  if (level == kLevels) return joined_leaves(a, b);
  std::array<Link, kWidth> next;  // where the two differ, else nothing
  bool all_of_a = true, all_of_b = true;
  for (unsigned i = 0; i < kWidth; ++i) {
    const Link &of_a = a->next[i], &of_b = b->next[i];
    if (of_a == of_b) continue;
    next[i] = joined(of_a, of_b, level + 1);
    all_of_a = all_of_a && next[i] == of_a;
    all_of_b = all_of_b && next[i] == of_b;
  }
  if (all_of_a) return a;
  if (all_of_b) return b;
  auto both = std::make_shared<Node>();
  for (unsigned i = 0; i < kWidth; ++i) {
    both->next[i] = next[i] == nullptr ? a->next[i] : std::move(next[i]);
  }
  return both;
}

}  // namespace wavetank::check
