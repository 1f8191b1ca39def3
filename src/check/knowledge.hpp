// What one wave knows of other workgroups: how far each wave of them had come.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "check/group_clock.hpp"
#include "check/record.hpp"

namespace wavetank::check {

/// A wave that learns from a neighbour knows all that the neighbour knew, and in a chain of
/// look-backs that is every workgroup before. So this is a tree whose parts are shared and never
/// change: a copy is a pointer, and learning goes only where two trees differ. Not for several
/// threads.
class Knowledge {
 public:
  /// True if an access lies behind what is known.
  bool covers(const Record& record) const {
    const Times* const times = find(record.actor);
    return times != nullptr && record.time() < (*times)[record.wave()];
  }
  /// Learns that the accesses of a wave before `time` are done.
  void learn(std::uint32_t actor, unsigned wave, std::uint32_t time) {
    Times times = {};
    times[wave] = time;
    learn(actor, times);
  }
  void learn(std::uint32_t actor, const Times& times);
  void learn(const Knowledge& other) { root_ = joined(root_, other.root_, 0); }
  /// True if both are the same tree, so that they know the same.
  bool is_same(const Knowledge& other) const { return root_ == other.root_; }
  /// What is known of one workgroup only.
  Knowledge of(std::uint32_t actor) const {
    Knowledge part;
    if (const Times* const times = find(actor)) part.learn(actor, *times);
    return part;
  }

 private:
  static constexpr unsigned kBits = 4, kLevels = 32 / kBits, kWidth = 1u << kBits;
  struct Node;
  using Link = std::shared_ptr<const Node>;
  /// `next` of inner nodes, `times` of leaves.
  struct Node {
    std::array<Link, kWidth> next;
    Times times = {};
  };
  static unsigned digit(std::uint32_t actor, unsigned level) {
    return actor >> (32 - kBits * (level + 1)) & (kWidth - 1);
  }
  const Times* find(std::uint32_t actor) const;
  static Link joined(const Link& a, const Link& b, unsigned level);
  static Link joined_leaves(const Link& a, const Link& b);

  Link root_;
};

}  // namespace wavetank::check
