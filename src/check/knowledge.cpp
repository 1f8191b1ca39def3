#include "check/knowledge.hpp"

#include <algorithm>
#include <functional>

namespace wavetank::check {

const Knowledge::Times* Knowledge::find(std::uint32_t actor) const {
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

/// One of the two where it knows all that the other does, so that trees stay shared.
Knowledge::Link Knowledge::joined(const Link& a, const Link& b, unsigned level) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  if (level == kLevels) return joined_leaves(a, b);
  std::array<Link, kWidth> next;
  bool all_of_a = true, all_of_b = true;
  for (unsigned i = 0; i < kWidth; ++i) {
    next[i] = joined(a->next[i], b->next[i], level + 1);
    all_of_a = all_of_a && next[i] == a->next[i];
    all_of_b = all_of_b && next[i] == b->next[i];
  }
  if (all_of_a) return a;
  if (all_of_b) return b;
  auto both = std::make_shared<Node>();
  both->next = std::move(next);
  return both;
}

}  // namespace wavetank::check
