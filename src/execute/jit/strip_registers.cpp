// Where values of a strip are.
#include <algorithm>
#include <span>

#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

StripCode::StripCode(const VectorUnit& unit, HostCode& host, const Graph& graph, const Plan& plan,
                     bool masked, unsigned strip, unsigned spill_places)
    : code(host),
      unit_(unit),
      graph_(graph),
      plan_(plan),
      masked_(masked),
      strip_(strip),
      slots_(unit.vectors),
      masks_(unit.masks),
      places_(graph.size(), {-1, -1}),
      left_(plan.uses),
      spills_(graph.size(), {-1, -1}),
      spill_taken_(spill_places) {}

void StripCode::set_moves(StripMoves& moves, unsigned kept, Label& exit) {
  moves_ = &moves;
  exit_ = &exit;
  for (unsigned i = 0; i < kept; ++i) {
    Slot& slot = slots_[unit_.vectors - 1 - i];
    slot.busy = slot.fixed = true;
  }
}

void StripCode::share(unsigned part) {
  part_ = part;
  const auto take_half = [part](std::span<Slot> slots) {
    const std::size_t half = slots.size() / 2;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if ((i < half) != (part == 0)) slots[i].busy = slots[i].fixed = true;
    }
  };
  take_half(slots_);
  take_half(masks_);
}

std::int32_t StripCode::vector_offset(unsigned name) const {
  return static_cast<std::int32_t>(name * machine::kRegisterBytes + strip_ * unit_.strip_bytes());
}

StripCode::RowWords StripCode::row_source(const Node& leaf) const {
  const RowSource source = RowSource::of(leaf.bits);
  const std::uint8_t lane = source.lane_of[strip_ * unit_.lanes / 16];
  if (lane == RowSource::kOwnLanes) return {vector_offset(source.name), false};
  return {static_cast<std::int32_t>(source.name * machine::kRegisterBytes + 4u * lane), true};
}
void StripCode::load_row_source(Vector to, const Node& leaf) {
  const auto [offset, one] = row_source(leaf);
  const auto from = code.ptr[code.rdx + offset];
  one ? code.vpbroadcastd(to, from) : move(to, from);
}

bool StripCode::dies(Id id) const { return left_[id] == 0; }

/// The next place in the order that asks for a value.
unsigned StripCode::next_ask(Id id) const {
  const auto asks = plan_.asks_of(id);
  const auto next = std::upper_bound(asks.begin(), asks.end(), at_);
  return next == asks.end() ? ~0u : *next;
}

/// A free register, or that of the value which is asked for last: one that can be had again, or
/// that memory keeps.
unsigned StripCode::take() {
  unsigned chosen = unit_.vectors, farthest = 0;
  for (unsigned i = 0; i < unit_.vectors; ++i) {
    const Slot& slot = slots_[i];
    if (!slot.busy) return i;
    if (slot.locked || slot.fixed || slot.id == kNoValue) continue;
    const bool leaf = is_leaf(graph_[slot.id]);
    if (!leaf && spill_taken_.empty()) continue;
    // What can be had again goes first of two.
    const unsigned next = 2 * std::min(next_ask(slot.id), 0x7ffffffeu / 2) + (leaf ? 1 : 0);
    if (chosen == unit_.vectors || next > farthest) {
      chosen = i;
      farthest = next;
    }
  }
  if (chosen == unit_.vectors || !spill(chosen)) {
    failed_ = true;
    return 0;
  }
  drop(chosen);
  return chosen;
}

/// Keeps a register's value in memory, if it has to be. False if there is no room.
bool StripCode::spill(unsigned number) {
  const Slot& slot = slots_[number];
  if (is_leaf(graph_[slot.id]) || spills_[slot.id][slot.half] >= 0) return true;
  const auto place = std::find(spill_taken_.begin(), spill_taken_.end(), false);
  if (place == spill_taken_.end()) return false;
  *place = true;
  spills_[slot.id][slot.half] = static_cast<std::int8_t>(place - spill_taken_.begin());
  (code.*unit_.store)(spilled(slot.id, slot.half), reg(number));
  return true;
}
Xbyak::Address StripCode::spilled(Id id, unsigned half) {
  return code.ptr[code.rsp + static_cast<int>(unit_.strip_bytes()) * spills_[id][half]];
}

void StripCode::drop(unsigned number) {
  Slot& slot = slots_[number];
  if (slot.id != kNoValue) places_[slot.id][slot.half] = -1;
  slot = Slot{};
}

Vector StripCode::take_for(Id id, unsigned half) {
  const unsigned number = take();
  slots_[number] = Slot{id, static_cast<std::uint8_t>(half), true, true, false};
  places_[id][half] = static_cast<std::int8_t>(number);
  return reg(number);
}

Vector StripCode::temporary() {
  const unsigned number = take();
  slots_[number] = Slot{kNoValue, 0, true, true, false};
  return reg(number);
}

/// Is the value best taken from memory?
bool StripCode::folds(Id id, unsigned half) const {
  const Node& node = graph_[id];
  if (!is_leaf(node) || places_[id][half] >= 0 || !lies_in_memory(node)) return false;
  const auto free =
      std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return !slot.busy; });
  // A leaf that is asked for again stays in a register if many are free.
  return left_[id] == 0 || free < static_cast<int>(unit_.vectors + 1) / 4;
}

std::optional<Vector> StripCode::pinned(unsigned name) const {
  const auto pin =
      std::find_if(pins_.begin(), pins_.end(), [&](const Pin& one) { return one.name == name; });
  return pin == pins_.end() ? std::nullopt : std::optional(reg(pin->reg));
}

/// Puts a leaf into a register.
void StripCode::load_value(Vector to, const Node& leaf) {
  if (const auto from = pinned(leaf)) return move(to, *from);
  load_leaf(to, leaf);
}

Vector StripCode::in_register(Id id, unsigned half) {
  const Node& node = graph_[id];
  if (const auto there = pinned(node)) return *there;
  // Both halves of a uniform double are the same.
  if (is_leaf(node) && node.kind == Kind::kDouble) half = 0;
  if (const int place = places_[id][half]; place >= 0) {
    slots_[static_cast<unsigned>(place)].locked = true;
    return reg(static_cast<unsigned>(place));
  }
  if (is_leaf(node)) {
    const Vector to = take_for(id, half);
    load_leaf(to, node);
    return to;
  }
  if (spills_[id][half] < 0) {
    failed_ = true;  // a value that was never computed: the plan is wrong
    return reg(0);
  }
  const Vector to = take_for(id, half);
  move(to, spilled(id, half));
  return to;
}

StripCode::Source StripCode::source(Id id, unsigned half) {
  const Node& node = graph_[id];
  if (is_leaf(node) && node.kind == Kind::kDouble) half = 0;
  if (const auto there = pinned(node)) return {false, *there};
  if (folds(id, half)) return {true, reg(0), leaf_memory(node)};
  if (places_[id][half] < 0 && spills_[id][half] >= 0 && left_[id] == 0) {
    return {true, reg(0), spilled(id, half)};
  }
  return {false, in_register(id, half)};
}

/// Counts the node's operands as used, and keeps those where they are that have a place.
void StripCode::lock(const Node& node) {
  for (const Id in : node.in) {
    if (in == kNoValue) continue;
    --left_[in];
    std::vector<Slot>& slots = in_mask_register(in) ? masks_ : slots_;
    for (const int place : places_[in]) {
      if (place >= 0) slots[static_cast<unsigned>(place)].locked = true;
    }
  }
}

/// Gives an operand's half up if nobody asks for it any more, so that a result may take its place.
void StripCode::release(Id id, unsigned half) {
  if (id == kNoValue || !dies(id) || in_mask_register(id)) return;
  if (const int place = places_[id][half]; place >= 0) drop(static_cast<unsigned>(place));
}
void StripCode::release_mask(Id id) {
  const int place = places_[id][0];
  if (place < 0 || !dies(id)) return;
  masks_[static_cast<unsigned>(place)] = Slot{};
  places_[id][0] = -1;
}
/// The same of its place in memory, once the node is done.
void StripCode::release_spill(Id id, unsigned half) {
  std::int8_t& place = spills_[id][half];
  if (place >= 0) spill_taken_[static_cast<std::size_t>(place)] = false;
  place = -1;
}
void StripCode::release_all(const Node& node, unsigned half) {
  for (const Id in : node.in) {
    // The one place of a uniform double serves both halves.
    if (in == kNoValue) continue;
    const bool shared = is_leaf(graph_[in]) && graph_[in].kind == Kind::kDouble;
    if (!shared) release(in, half);
  }
}

void StripCode::end_node(const Node& node) {
  for (const Id in : node.in) {
    if (in == kNoValue || !dies(in)) continue;
    if (in_mask_register(in)) {
      release_mask(in);
      continue;
    }
    for (const unsigned half : {0u, 1u}) {
      release(in, half);
      release_spill(in, half);
    }
  }
  for (Slot& slot : slots_) {
    if (slot.busy && slot.id == kNoValue && !slot.fixed) slot = Slot{};
    slot.locked = false;
  }
  for (Slot& slot : masks_) {
    if (slot.busy && slot.id == kNoValue && !slot.fixed) slot = Slot{};
    slot.locked = false;
  }
}

/// A register with the half of operand `first`, for the result to be made in.
Vector StripCode::result_over(Id id, Id first, unsigned half) {
  const bool shared = is_leaf(graph_[first]) && graph_[first].kind == Kind::kDouble;
  const int place = places_[first][half];
  const auto& operands = graph_[id].in;
  const bool once = std::count(operands.begin(), operands.end(), first) == 1;
  if (!shared && place >= 0 && once && dies(first)) {
    places_[first][half] = -1;
    slots_[static_cast<unsigned>(place)].id = id;
    slots_[static_cast<unsigned>(place)].half = static_cast<std::uint8_t>(half);
    places_[id][half] = static_cast<std::int8_t>(place);
    return reg(static_cast<unsigned>(place));
  }
  const Node& node = graph_[first];
  if (is_leaf(node) && places_[first][shared ? 0 : half] < 0) {
    const Vector to = take_for(id, half);
    load_value(to, node);
    return to;
  }
  if (place < 0 && spills_[first][half] >= 0) {
    const Vector to = take_for(id, half);
    move(to, spilled(first, half));
    return to;
  }
  const Vector from = in_register(first, half);
  const Vector to = take_for(id, half);
  move(to, from);
  return to;
}

}  // namespace wavetank::execute::jit
