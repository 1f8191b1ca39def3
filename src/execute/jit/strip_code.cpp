#include "execute/jit/strip_code.hpp"

#include <algorithm>

namespace wavetank::execute::jit {
namespace {

constexpr std::uint32_t kSignBit = 0x80000000u;
constexpr unsigned kRegisterBytes = 256, kStripBytes = 64;

}  // namespace

StripCode::StripCode(Assembler& assembler, const Run& run, const Uses& uses, bool masked,
                     unsigned strip)
    : code(assembler),
      run_(run.ops),
      uses_(uses),
      dead_masks_(run.dead_masks),
      dead_registers_(run.dead_registers),
      masked_(masked),
      strip_(strip) {
  homes_.fill(-1);
}

// ---- registers

std::int32_t StripCode::vector_offset(unsigned name) const {
  return static_cast<std::int32_t>(name * kRegisterBytes + strip_ * kStripBytes);
}

int StripCode::home_of(unsigned name) const { return homes_[name]; }

/// Does this op, by another operand, or a later one read the present value?
bool StripCode::read_again(unsigned name) const {
  unsigned here = 0;
  for (const Uses::Event& event : uses_.from(name, at_)) {
    if (event.op == at_ && event.read && ++here > 1) return true;
    if (event.op == at_ && !event.read) return false;
    if (event.op > at_) return event.read;
  }
  return false;
}

/// Is the register's present value of no use once this op's operand is read?
bool StripCode::dead_after(unsigned name, bool dirty) const {
  if (read_again(name)) return false;
  const auto events = uses_.from(name, at_);
  return !dirty || std::any_of(events.begin(), events.end(),
                               [](const Uses::Event& event) { return !event.read; });
}

/// Does nobody read what the run leaves in a vector register?
bool StripCode::is_dead(unsigned name) const {
  return std::find(dead_registers_.begin(), dead_registers_.end(), name) != dead_registers_.end();
}

unsigned StripCode::allocate(std::span<Slot> slots) {
  const auto free = std::find_if(slots.begin(), slots.end(),
                                 [](const Slot& slot) { return slot.use == Use::kFree; });
  auto chosen = free;
  if (free == slots.end() && slots.data() == zmms_.data() && waiting_ >= 0) {
    chosen = slots.begin() + waiting_;
    test_waiting();
  } else if (free == slots.end()) {
    // What memory has unchanged can be read from there again.
    chosen = std::find_if(slots.begin(), slots.end(), [&](const Slot& slot) {
      return slot.use == Use::kHome && !slot.dirty && slot.touched_at != at_;
    });
    if (chosen == slots.end()) {
      failed_ = true;
      return 0;
    }
    homes_[chosen->name] = -1;
  }
  *chosen = Slot{Use::kHeld, 0, false, false, at_};
  return static_cast<unsigned>(chosen - slots.begin());
}

/// Gives a home up. One comparison tests two values, so the first waits for a second.
void StripCode::release(Slot& slot, unsigned number) {
  homes_[slot.name] = -1;
  if (slot.maybe_nan && waiting_ < 0) {
    slot.use = Use::kWaiting;
    waiting_ = static_cast<int>(number);
    return;
  }
  if (slot.maybe_nan) {
    test_nan(static_cast<unsigned>(waiting_), number);
    zmms_[static_cast<unsigned>(waiting_)] = Slot{};
    waiting_ = -1;
  }
  slot = Slot{};
}

void StripCode::test_waiting() {
  const auto number = static_cast<unsigned>(waiting_);
  test_nan(number, number);
  zmms_[number] = Slot{};
  waiting_ = -1;
}

Zmm StripCode::temporary() { return Zmm{static_cast<std::uint8_t>(allocate(zmms_))}; }

// ---- sources

StripCode::Place StripCode::place(unsigned index, unsigned part, bool negate, bool absolute) const {
  Place place;
  const Op& op = this->op();
  switch (op.kind[index]) {
    case Source::kVector:
      place.vector = true;
      place.name = op.src[index] / kRegisterBytes + part;
      break;
    case Source::kScalar:
      place.uniform =
          Operand::broadcast(Base::kWave, static_cast<std::int32_t>(op.src[index] + 4 * part));
      break;
    case Source::kConstant: {
      std::uint32_t bits = constant(index, part);
      if (absolute) bits &= ~kSignBit;
      if (negate) bits ^= kSignBit;
      place.uniform = Operand::bits(bits | std::uint64_t{bits} << 32);
      break;
    }
  }
  return place;
}

/// The operand itself. A register that is read again moves into a zmm.
Operand StripCode::read(const Place& place) {
  if (!place.vector) return place.uniform;
  if (home_of(place.name) >= 0 || read_again(place.name)) return load(place);
  return Operand::memory(Base::kVector, vector_offset(place.name));
}

Zmm StripCode::load(const Place& place) {
  if (!place.vector) {
    const Zmm value = temporary();
    code.vector(kVpbroadcastd, value, Zmm{}, place.uniform);
    return value;
  }
  if (const int home = home_of(place.name); home >= 0) {
    const auto slot = static_cast<unsigned>(home);
    zmms_[slot].touched_at = at_;
    consumed_.push_back(slot);
    return Zmm{static_cast<std::uint8_t>(slot)};
  }
  const Zmm value = temporary();
  code.vector(kVmovdqa32, value, Zmm{}, Operand::memory(Base::kVector, vector_offset(place.name)));
  if (read_again(place.name)) {
    zmms_[value.number] = Slot{Use::kHome, place.name, false, false, at_};
    homes_[place.name] = static_cast<std::int8_t>(value.number);
  }
  return value;
}

Zmm StripCode::with_modifiers(Zmm value, bool negate, bool absolute) {
  const Zmm changed = temporary();
  if (absolute) code.vector(kVpandd, changed, value, Operand::bits(0x7fffffff7fffffff));
  if (negate) {
    code.vector(kVpxord, changed, absolute ? changed : value, Operand::bits(0x8000000080000000));
  }
  return changed;
}

Operand StripCode::operand(unsigned index, unsigned part, bool negate, bool absolute) {
  const Place from = place(index, part, negate, absolute);
  if ((!negate && !absolute) || is_constant(index)) return read(from);
  return with_modifiers(load(from), negate, absolute);
}
Zmm StripCode::source(unsigned index, unsigned part, bool negate, bool absolute) {
  const Place from = place(index, part, negate, absolute);
  if ((!negate && !absolute) || is_constant(index)) return load(from);
  return with_modifiers(load(from), negate, absolute);
}
Operand StripCode::operand(unsigned index, unsigned part) {
  return operand(index, part, negated(index), absolute(index));
}
Zmm StripCode::source(unsigned index, unsigned part) {
  return source(index, part, negated(index), absolute(index));
}
Zmm StripCode::accumulator(unsigned part) {
  Place place;
  place.vector = true;
  place.name = op().dst / kRegisterBytes + part;
  return load(place);
}

/// A register of its own with the value: the value's home if nobody needs it there any more.
Zmm StripCode::copy(const Place& place, bool carries_nan) {
  const int home = place.vector ? home_of(place.name) : -1;
  if (home >= 0 && dead_after(place.name, zmms_[static_cast<unsigned>(home)].dirty)) {
    const auto number = static_cast<unsigned>(home);
    Slot& slot = zmms_[number];
    homes_[place.name] = -1;
    slot.use = Use::kHeld;
    slot.touched_at = at_;
    if (slot.maybe_nan && !carries_nan) test_nan(number, number);
    slot.maybe_nan = false;
    return Zmm{static_cast<std::uint8_t>(number)};
  }
  const Operand from = read(place);
  const Zmm value = temporary();
  code.vector(place.vector ? kVmovdqa32 : kVpbroadcastd, value, Zmm{}, from);
  return value;
}
Zmm StripCode::copy_of_source(unsigned index, unsigned part, bool carries_nan) {
  return copy(place(index, part, false, false), carries_nan);
}
Zmm StripCode::copy_of_accumulator(unsigned part, bool carries_nan) {
  Place place;
  place.vector = true;
  place.name = op().dst / kRegisterBytes + part;
  return copy(place, carries_nan);
}

Zmm StripCode::register_value(unsigned name) {
  Place place;
  place.vector = true;
  place.name = name;
  return load(place);
}

// ---- results

void StripCode::give(Zmm value, unsigned part) {
  results_.push_back({op().dst / kRegisterBytes + part, value.number, false});
}
Zmm StripCode::result(unsigned part) {
  const Zmm value = temporary();
  give(value, part);
  return value;
}
Zmm StripCode::register_result(unsigned name) {
  const Zmm value = temporary();
  results_.push_back({name, value.number, false});
  return value;
}
void StripCode::may_be_nan(unsigned part) {
  for (const unsigned slot : consumed_) zmms_[slot].maybe_nan = false;
  consumed_.clear();
  for (Pending& pending : results_) {
    if (pending.name == op().dst / kRegisterBytes + part) pending.maybe_nan = true;
  }
}

// ---- lane masks

KMask StripCode::mask_source(unsigned sgpr) {
  const unsigned name = kMaskNames + sgpr;
  int slot = home_of(name);
  if (slot < 0) {
    slot = static_cast<int>(allocate(masks_));
    code.load_mask(KMask{static_cast<std::uint8_t>(slot + 1)}, Base::kMaskWords,
                   static_cast<std::int32_t>(4 * sgpr + 2 * strip_));
    masks_[static_cast<unsigned>(slot)] = Slot{Use::kHome, name, false, false, at_};
    homes_[name] = static_cast<std::int8_t>(slot);
  }
  masks_[static_cast<unsigned>(slot)].touched_at = at_;
  return KMask{static_cast<std::uint8_t>(slot + 1)};
}
KMask StripCode::mask_temporary() { return KMask{static_cast<std::uint8_t>(allocate(masks_) + 1)}; }
KMask StripCode::mask_result() {
  const unsigned slot = allocate(masks_);
  mask_results_.push_back({kMaskNames + op().sdst, slot, false});
  return KMask{static_cast<std::uint8_t>(slot + 1)};
}

bool StripCode::mask_needed() const {
  const auto later = uses_.from(kMaskNames + op().sdst, at_ + 1);
  if (!later.empty()) return later.front().read;
  return std::find(dead_masks_.begin(), dead_masks_.end(), op().sdst) == dead_masks_.end();
}

// ---- tests

void StripCode::test_nan(unsigned first, unsigned second) {
  require_ordered(Zmm{static_cast<std::uint8_t>(first)}, Zmm{static_cast<std::uint8_t>(second)});
  zmms_[first].maybe_nan = zmms_[second].maybe_nan = false;
}
/// Each test waits for the one before it in the same register, so two registers take turns. The
/// first in each is not restricted to lanes that are well.
StripCode::Collector StripCode::next_collector() {
  const KMask well = tests_ % 2 == 0 ? kWell : kWellToo;
  return {well, tests_++ < 2 ? KMask{0} : well};
}

void StripCode::require(Opcode compare, Zmm a, const Operand& b, std::uint8_t predicate) {
  const Collector next = next_collector();
  code.compare(compare, next.well, a, b, predicate, next.before);
}
void StripCode::require_ordered(Zmm a, const Operand& b) { require(kVcmpps, a, b, kOrdered); }
void StripCode::require_below(Zmm value, std::uint32_t limit) {
  require(kVpcmpud, value, Operand::bits(limit), kLess);
}
void StripCode::require_equal(Zmm a, const Operand& b) { require(kVpcmpd, a, b, kEqual); }
void StripCode::require_none(KMask lanes) {
  const auto [well, before] = next_collector();
  if (before.number == 0) code.mask_op(kMaskXnor, well, KMask{0}, KMask{0});
  code.mask_op(kMaskAndNot, well, lanes, well);
}

// ---- an op's start and end, and the strip's

void StripCode::begin(unsigned index) {
  at_ = index;
  consumed_.clear();
}

void StripCode::commit(std::span<Slot> slots, const std::vector<Pending>& results) {
  for (const Pending& result : results) {
    if (const int old = home_of(result.name); old >= 0) {
      release(slots[static_cast<unsigned>(old)], static_cast<unsigned>(old));
    }
    slots[result.slot] = Slot{Use::kHome, result.name, true, result.maybe_nan, at_};
    homes_[result.name] = static_cast<std::int8_t>(result.slot);
  }
  for (Slot& slot : slots) {
    if (slot.use == Use::kHeld) slot = Slot{};
  }
}

/// A value that the run overwrites unread, or a copy of memory that it reads no more, leaves its
/// home.
void StripCode::give_up_if_unread(std::span<Slot> slots, unsigned name) {
  const int home = home_of(name);
  if (home < 0) return;
  const auto later = uses_.from(name, at_ + 1);
  if (!later.empty() && later.front().read) return;
  const auto number = static_cast<unsigned>(home);
  if (!slots[number].dirty || !later.empty() || is_dead(name)) release(slots[number], number);
}

bool StripCode::end() {
  commit(zmms_, results_);
  commit(masks_, mask_results_);
  const Access& access = run_[at_].access;
  for (const auto* names : {&access.vector_reads, &access.vector_writes}) {
    for (const unsigned name : *names) give_up_if_unread(zmms_, name);
  }
  for (const auto* names : {&access.mask_reads, &access.mask_writes}) {
    for (const unsigned name : *names) give_up_if_unread(masks_, kMaskNames + name);
  }
  results_.clear();
  mask_results_.clear();
  return !failed_;
}

bool StripCode::finish_tests() {
  int first = waiting_;
  if (first >= 0) zmms_[static_cast<unsigned>(first)].maybe_nan = false;
  for (unsigned i = 0; i < kZmms; ++i) {
    if (!zmms_[i].maybe_nan) continue;
    if (first < 0) {
      first = static_cast<int>(i);
    } else {
      test_nan(static_cast<unsigned>(first), i);
      first = -1;
    }
  }
  if (first >= 0) test_nan(static_cast<unsigned>(first), static_cast<unsigned>(first));
  if (tests_ > 1) code.mask_op(kMaskAnd, kWell, kWell, kWellToo);
  return tests_ > 0;
}

void StripCode::store_results() {
  for (unsigned i = 0; i < kZmms; ++i) {
    const Slot& slot = zmms_[i];
    if (slot.use != Use::kHome || !slot.dirty || is_dead(slot.name)) continue;
    code.store(Base::kVector, vector_offset(slot.name), Zmm{static_cast<std::uint8_t>(i)}, among());
  }
}

KMask StripCode::written_mask(unsigned sgpr) const {
  return KMask{static_cast<std::uint8_t>(home_of(kMaskNames + sgpr) + 1)};
}

}  // namespace wavetank::execute::jit
