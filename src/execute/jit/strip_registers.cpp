// Where values of a strip are.
#include <algorithm>
#include <span>

#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {
namespace {

constexpr int kRegisterBytes = 256, kStripBytes = 64;
/// A leaf that is asked for again stays in a register if there are so many free ones.
constexpr int kRoomy = 8;

}  // namespace

StripCode::StripCode(HostCode& host, const Graph& graph, const Plan& plan, bool masked,
                     unsigned strip, unsigned spill_places)
    : code(host),
      graph_(graph),
      plan_(plan),
      masked_(masked),
      strip_(strip),
      places_(graph.size(), {-1, -1}),
      left_(plan.uses),
      spills_(graph.size(), {-1, -1}),
      spill_taken_(spill_places) {}

void StripCode::set_moves(StripMoves& moves, unsigned kept, Label& exit) {
  moves_ = &moves;
  exit_ = &exit;
  for (unsigned i = 0; i < kept; ++i)
    slots_[kZmms - 1 - i].busy = slots_[kZmms - 1 - i].fixed = true;
}

void StripCode::share(unsigned part) {
  shares_ = true;
  well_ = part == 0 ? kFirstWell : kSecondWell;
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
  return static_cast<std::int32_t>(name) * kRegisterBytes + static_cast<int>(strip_) * kStripBytes;
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
  unsigned chosen = kZmms, farthest = 0;
  for (unsigned i = 0; i < kZmms; ++i) {
    const Slot& slot = slots_[i];
    if (!slot.busy) return i;
    if (slot.locked || slot.fixed || slot.id == kNoValue) continue;
    const bool leaf = is_leaf(graph_[slot.id]);
    if (!leaf && spill_taken_.empty()) continue;
    // What can be had again goes first of two.
    const unsigned next = 2 * std::min(next_ask(slot.id), 0x7ffffffeu / 2) + (leaf ? 1 : 0);
    if (chosen == kZmms || next > farthest) {
      chosen = i;
      farthest = next;
    }
  }
  if (chosen == kZmms || !spill(chosen)) {
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
  code.vmovdqa32(spilled(slot.id, slot.half), Zmm(static_cast<int>(number)));
  return true;
}
Xbyak::Address StripCode::spilled(Id id, unsigned half) {
  return code.ptr[code.rsp + kStripBytes * spills_[id][half]];
}

void StripCode::drop(unsigned number) {
  Slot& slot = slots_[number];
  if (slot.id != kNoValue) places_[slot.id][slot.half] = -1;
  slot = Slot{};
}

Zmm StripCode::take_for(Id id, unsigned half) {
  const unsigned number = take();
  slots_[number] = Slot{id, static_cast<std::uint8_t>(half), true, true, false};
  places_[id][half] = static_cast<std::int8_t>(number);
  return Zmm(static_cast<int>(number));
}

Zmm StripCode::temporary() {
  const unsigned number = take();
  slots_[number] = Slot{kNoValue, 0, true, true, false};
  return Zmm(static_cast<int>(number));
}

Xbyak::Address StripCode::leaf_memory(const Node& leaf) {
  const bool wide = leaf.kind == Kind::kDouble;
  switch (leaf.what) {
    case Do::kRegister: return code.ptr[code.rdx + vector_offset(static_cast<unsigned>(leaf.bits))];
    case Do::kScalar: return code.ptr_b[code.rdi + static_cast<int>(leaf.bits)];
    default: return code.ptr_b[code.constant(wide ? leaf.bits : leaf.bits | leaf.bits << 32)];
  }
}

void StripCode::load_leaf(Zmm to, const Node& leaf) {
  const bool wide = leaf.kind == Kind::kDouble;
  switch (leaf.what) {
    case Do::kRegister:
      return code.vmovdqa32(to,
                            code.ptr[code.rdx + vector_offset(static_cast<unsigned>(leaf.bits))]);
    case Do::kScalar: {
      const auto from = code.ptr[code.rdi + static_cast<int>(leaf.bits)];
      return wide ? code.vbroadcastsd(to, from) : code.vpbroadcastd(to, from);
    }
    default: break;
  }
  if (leaf.bits == 0) return code.vpxord(to, to, to);
  if (!wide && leaf.bits == 0xffffffffu) return code.vpternlogd(to, to, to, 0xff);
  const auto from = code.ptr[code.constant(wide ? leaf.bits : leaf.bits | leaf.bits << 32)];
  return wide ? code.vbroadcastsd(to, from) : code.vpbroadcastd(to, from);
}

/// Is the value best taken from memory?
bool StripCode::folds(Id id, unsigned half) const {
  const Node& node = graph_[id];
  if (!is_leaf(node) || places_[id][half] >= 0) return false;
  const auto free =
      std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return !slot.busy; });
  return left_[id] == 0 || free < kRoomy;
}

Zmm StripCode::in_register(Id id, unsigned half) {
  const Node& node = graph_[id];
  // Both halves of a uniform double are the same.
  if (is_leaf(node) && node.kind == Kind::kDouble) half = 0;
  if (const int place = places_[id][half]; place >= 0) {
    slots_[static_cast<unsigned>(place)].locked = true;
    return Zmm(place);
  }
  if (is_leaf(node)) {
    const Zmm to = take_for(id, half);
    load_leaf(to, node);
    return to;
  }
  if (spills_[id][half] < 0) {
    failed_ = true;  // a value that was never computed: the plan is wrong
    return Zmm(0);
  }
  const Zmm to = take_for(id, half);
  code.vmovdqa32(to, spilled(id, half));
  return to;
}

StripCode::Source StripCode::source(Id id, unsigned half) {
  const Node& node = graph_[id];
  if (is_leaf(node) && node.kind == Kind::kDouble) half = 0;
  if (folds(id, half)) return {true, Zmm(0), leaf_memory(node)};
  if (places_[id][half] < 0 && spills_[id][half] >= 0 && left_[id] == 0) {
    return {true, Zmm(0), spilled(id, half)};
  }
  return {false, in_register(id, half)};
}

/// Counts the node's operands as used, and keeps those where they are that have a place.
void StripCode::lock(const Node& node) {
  for (const Id in : node.in) {
    if (in == kNoValue) continue;
    --left_[in];
    for (const unsigned half : {0u, 1u}) {
      if (graph_[in].kind == Kind::kMask) break;
      if (const int place = places_[in][half]; place >= 0) {
        slots_[static_cast<unsigned>(place)].locked = true;
      }
    }
    if (graph_[in].kind == Kind::kMask && places_[in][0] >= 0) {
      masks_[static_cast<unsigned>(places_[in][0])].locked = true;
    }
  }
}

/// Gives an operand's half up if nobody asks for it any more, so that a result may take its place.
void StripCode::release(Id id, unsigned half) {
  if (id == kNoValue || !dies(id) || graph_[id].kind == Kind::kMask) return;
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
    if (graph_[in].kind == Kind::kMask) {
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
Zmm StripCode::result_over(Id id, Id first, unsigned half) {
  const bool shared = is_leaf(graph_[first]) && graph_[first].kind == Kind::kDouble;
  const int place = places_[first][half];
  const auto& operands = graph_[id].in;
  const bool once = std::count(operands.begin(), operands.end(), first) == 1;
  if (!shared && place >= 0 && once && dies(first)) {
    places_[first][half] = -1;
    slots_[static_cast<unsigned>(place)].id = id;
    slots_[static_cast<unsigned>(place)].half = static_cast<std::uint8_t>(half);
    places_[id][half] = static_cast<std::int8_t>(place);
    return Zmm(place);
  }
  const Node& node = graph_[first];
  if (is_leaf(node) && places_[first][shared ? 0 : half] < 0) {
    const Zmm to = take_for(id, half);
    load_leaf(to, node);
    return to;
  }
  if (place < 0 && spills_[first][half] >= 0) {
    const Zmm to = take_for(id, half);
    code.vmovdqa32(to, spilled(first, half));
    return to;
  }
  const Zmm from = in_register(first, half);
  const Zmm to = take_for(id, half);
  code.vmovdqa32(to, from);
  return to;
}

// ---- lane masks

Opmask StripCode::take_mask(Id id) {
  for (unsigned i = 0; i < kMasks; ++i) {
    if (masks_[i].busy) continue;
    masks_[i] = Slot{id, 0, true, true, false};
    if (id != kNoValue) places_[id][0] = static_cast<std::int8_t>(i);
    return Opmask(static_cast<int>(i + 1));
  }
  for (unsigned i = 0; i < kMasks; ++i) {
    Slot& slot = masks_[i];
    if (slot.locked || slot.id == kNoValue || !is_leaf(graph_[slot.id])) continue;
    places_[slot.id][0] = -1;
    slot = Slot{id, 0, true, true, false};
    if (id != kNoValue) places_[id][0] = static_cast<std::int8_t>(i);
    return Opmask(static_cast<int>(i + 1));
  }
  failed_ = true;
  return Opmask(1);
}
Opmask StripCode::mask_temporary() { return take_mask(kNoValue); }

Opmask StripCode::mask_in(Id id) {
  if (const int place = places_[id][0]; place >= 0) {
    masks_[static_cast<unsigned>(place)].locked = true;
    return Opmask(place + 1);
  }
  const Node& node = graph_[id];
  if (node.what == Do::kActive && masked_) return Opmask(static_cast<int>(kExec));
  const Opmask to = take_mask(id);
  switch (node.what) {
    case Do::kLaneMask:
      code.kmovw(to, code.ptr[code.rcx + static_cast<int>(4 * node.bits + 2 * strip_)]);
      break;
    case Do::kActive:
    case Do::kAll: code.kxnorw(to, to, to); break;
    case Do::kNone: code.kxorw(to, to, to); break;
    case Do::kConstant: code.kmovw(to, code.ptr[code.constant(node.bits)]); break;
    default: failed_ = true; break;  // never computed
  }
  return to;
}
Opmask StripCode::mask_value(Id value) { return mask_in(value); }

}  // namespace wavetank::execute::jit
