#include "execute/jit/host_code.hpp"

namespace wavetank::execute::jit {
namespace {

std::uint32_t lane_of(LaneOrder order, unsigned at) {
  switch (order) {
    case LaneOrder::kJoinLower: return at / 2 + at % 2 * 16;
    case LaneOrder::kJoinUpper: return 8 + at / 2 + at % 2 * 16;
    case LaneOrder::kEven: return 2 * at;
    case LaneOrder::kOdd: return 2 * at + 1;
    case LaneOrder::kBits: return 1u << at;
  }
  return 0;
}

}  // namespace

void HostCode::place(Pool& pool) {
  if (!pool.nibbles.empty() || !pool.orders.empty() || !pool.multiples.empty()) align(64, false);
  for (auto& [step, label] : pool.multiples) {
    L(label);
    for (std::uint32_t at = 0; at < 16; ++at) dd(step * at);
  }
  for (auto& [order, label] : pool.orders) {
    L(label);
    for (unsigned at = 0; at < 16; ++at) dd(lane_of(order, at));
  }
  for (auto& [bits, label] : pool.nibbles) {
    L(label);
    for (unsigned at = 0; at < 16; ++at) dd(static_cast<std::uint32_t>(bits >> (4 * at)) & 15);
  }
  if (!pool.wholes.empty()) align(32, false);
  for (auto& [bits, label] : pool.wholes) {
    L(label);
    for (unsigned at = 0; at < 4; ++at) dq(bits);
  }
  if (!pool.words.empty()) align(8, false);
  for (auto& [bits, label] : pool.words) {
    L(label);
    dq(bits);
  }
}

void HostCode::place_constants() {
  for (Pool& pool : pools_) place(pool);
  pools_.clear();
}

void HostCode::rewind(std::size_t position) {
  setSize(position);
  while (!pools_.empty() && pools_.back().begin >= position) pools_.pop_back();
}

}  // namespace wavetank::execute::jit
