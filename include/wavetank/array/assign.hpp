// The kernels of an assignment: one for arrays that lie side by side, with wide loads and stores,
// and one for everything else. Exactly one of them is launched for an assignment, and only if there
// is something to assign.
#pragma once

#include <hip/hip_runtime.h>

#include <limits>

#include "expression.hpp"
#include "stream.hpp"

namespace wavetank::detail {

inline constexpr int kAssignBlock = 256;

/// How many elements without gaps a work-item takes. One stream of loads, or none, is fastest with
/// the widest accesses, of 16 bytes. With several, each wave should ask for little of each, since
/// they meet in the memory's banks: 4 bytes (docs/arrays.md has the measurements).
template <class Out, class Tree>
inline constexpr int kEach = std::max(
    1, (Tree::loads <= 1 ? 16 : 4) / static_cast<int>(std::max(sizeof(Out), Tree::widest)));

/// Each work-item has the next kEach elements; those of the last workgroup end at `count`.
template <class Out, class Tree>
__global__ void __launch_bounds__(kAssignBlock)
    assign_side_by_side(Out* out, Tree tree, std::int64_t count) {
  constexpr int kCount = kEach<Out, Tree>;
  const std::int64_t base = static_cast<std::int64_t>(blockIdx.x) * (kAssignBlock * kCount);
  const std::uint32_t lane = threadIdx.x * kCount;
  if (base + lane + kCount <= count) {
    const auto values = tree.template batch_at<kCount>(linear_position{base, lane});
    batch<Out, kCount> converted;
    for (int k = 0; k < kCount; ++k) converted.at[k] = static_cast<Out>(values.at[k]);
    store_batch(element_at(out, {base, lane}), converted);
    return;
  }
  for (std::uint32_t k = 0; k + 1 < kCount && base + lane + k < count; ++k)
    *element_at(out, {base, lane + k}) = static_cast<Out>(tree.at(linear_position{base, lane + k}));
}

/// Each work-item has one element, by its coordinates.
template <class Out, int Rank, class Index, class Tree>
__global__ void __launch_bounds__(kAssignBlock)
    assign_by_position(leaf<Out, Rank> out, Tree tree, unraveller<Rank, Index> unravel,
                       std::int64_t count) {
  const std::int64_t n = static_cast<std::int64_t>(blockIdx.x) * kAssignBlock + threadIdx.x;
  if (n >= count) return;
  const position<Rank, Index> p = unravel(n);
  Index offset = 0;
  for (int d = 0; d < Rank; ++d) offset += p.at[d] * static_cast<Index>(out.strides[d]);
  const_cast<Out*>(out.data)[offset] = static_cast<Out>(tree.at(p));
}

/// What the leaves of an expression are to a target.
struct leaf_facts {
  bool side_by_side = true;  ///< all have the target's shape, without gaps, where wide loads may be
  bool narrow = true;        ///< 32 bits suffice for every offset
  bool in_the_way = false;   ///< one shares memory with the target, but not element for element
};

/// The largest offset in a view from its first element, in elements, either way.
template <class View>
std::int64_t reach(const View& v) {
  std::int64_t sum = 0;
  for (int d = 0; d < View::rank; ++d)
    sum += std::max<std::int64_t>(v.shape()[d] - 1, 0) * std::abs(v.strides()[d]);
  return sum;
}

template <class View>
bool is_narrow(const View& v) {
  return reach(v) <= std::numeric_limits<std::int32_t>::max() &&
         v.shape().count() <= std::numeric_limits<std::int32_t>::max();
}

template <class View>
bool is_wide_aligned(const View& v) {
  return reinterpret_cast<std::uintptr_t>(v.data()) % 16 == 0;
}

/// Where the memory of a view's elements starts and ends.
template <class View>
std::pair<const char*, const char*> memory_range(const View& v) {
  std::int64_t low = 0, high = 0;
  for (int d = 0; d < View::rank; ++d) {
    const std::int64_t last = std::max<std::int64_t>(v.shape()[d] - 1, 0) * v.strides()[d];
    (last < 0 ? low : high) += last;
  }
  const char* first = reinterpret_cast<const char*>(v.data());
  constexpr std::int64_t kBytes = sizeof(typename View::value_type);
  return {first + low * kBytes, first + (high + 1) * kBytes};
}

/// Whether two views share bytes without being the same elements in the same order.
template <class Target, class Other>
bool is_in_the_way(const Target& target, const Other& other) {
  const auto [first, last] = memory_range(target);
  const auto [other_first, other_last] = memory_range(other);
  if (other_first >= last || first >= other_last) return false;
  if constexpr (Target::rank == Other::rank &&
                std::is_same_v<typename Target::value_type, typename Other::value_type>)
    return !(target.data() == other.data() && target.shape() == other.shape() &&
             target.strides() == other.strides());
  else
    return true;
}

template <class Target, class E>
leaf_facts facts_of(const Target& target, const E& e) {
  leaf_facts facts{target.is_contiguous() && is_wide_aligned(target), is_narrow(target), false};
  e.for_each_leaf([&](const auto& v) {
    bool same_shape = false;
    if constexpr (std::remove_cvref_t<decltype(v)>::rank == Target::rank)
      same_shape = v.shape() == target.shape();
    facts.side_by_side =
        facts.side_by_side && same_shape && v.is_contiguous() && is_wide_aligned(v);
    facts.narrow = facts.narrow && is_narrow(v);
    facts.in_the_way = facts.in_the_way || is_in_the_way(target, v);
  });
  return facts;
}

/// How many workgroups of work-items with `each` elements cover `count`; throws if a grid
/// cannot have so many.
inline unsigned int workgroups_for(std::int64_t count, int each) {
  const std::int64_t covered = static_cast<std::int64_t>(kAssignBlock) * each;
  const std::int64_t groups = (count + covered - 1) / covered;
  if (groups * kAssignBlock > std::numeric_limits<std::uint32_t>::max())
    throw launch_error("an assignment of " + std::to_string(count) +
                       " elements needs more work-items than a grid can have (2^32 - 1)");
  return static_cast<unsigned int>(groups);
}

/// Launches the one kernel that computes `e` into `target`; their shapes are known to fit.
template <class Target, class E>
void launch_assign(const Target& target, const E& e, const leaf_facts& facts) {
  using Out = typename Target::value_type;
  constexpr int kRank = Target::rank;
  const std::int64_t count = target.shape().count();
  if (count == 0) return;
  const auto by_position = [&]<class Index>(Index) {
    const auto tree = e.lower(anyhow);
    assign_by_position<Out, kRank, Index, std::remove_cvref_t<decltype(tree)>>
        <<<workgroups_for(count, 1), kAssignBlock, 0, current_stream()>>>(
            target.lower(anyhow), tree, unraveller<kRank, Index>(target.shape()), count);
  };
  if (facts.side_by_side) {
    const auto tree = e.lower(side_by_side);
    using Tree = std::remove_cvref_t<decltype(tree)>;
    assign_side_by_side<Out, Tree>
        <<<workgroups_for(count, kEach<Out, Tree>), kAssignBlock, 0, current_stream()>>>(
            target.data(), tree, count);
  } else if (facts.narrow) {
    by_position(std::int32_t{});
  } else {
    by_position(std::int64_t{});
  }
  check(hipGetLastError(), "launching an assignment");
}

/// Throws unless an expression of shape `from` can be assigned to a target of shape `to`.
template <int To, int From>
void require_assignable(const extents<To>& to, const extents<From>& from) {
  static_assert(From <= To, "the expression has more dimensions than the array it is assigned to");
  extents<To> whole = to;
  if (join(whole, from) && whole == to) return;
  throw shape_error("an expression of shape " + to_string(from) +
                    " cannot be assigned to an array of shape " + to_string(to));
}

}  // namespace wavetank::detail
