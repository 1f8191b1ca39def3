// Where a loop's rounds begin and end: what is tested before them, and what the wave gets back.
#include <algorithm>
#include <cstddef>

#include "execute/jit/loop_code.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::AccessGuard;
using machine::Wave;

/// Lanes of a register that all units have.
constexpr unsigned kEight = 8;
const Xbyak::Ymm kFirst(0), kLow(1), kHigh(2), kCarry(3);

}  // namespace

Xbyak::Address LoopCode::lanes_of(unsigned name, unsigned strip, unsigned lane) const {
  return code_.ptr[code_.rdx + static_cast<int>(name * machine::kRegisterBytes +
                                                strip * unit_.strip_bytes() + 4 * lane)];
}

/// From rsp on: how the lanes of followed registers lie, a byte for each with a bit for each strip,
/// which is set where all hold the same, and their first lanes' values.
void LoopCode::emit_frame(const AccessGuard& guard) {
  HostCode& c = code_;
  if (frame_moves_->any()) frame_moves_->emit_begin(&guard);
  c.sub(c.rsp, frame_bytes());
  c.mov(c.rdx, c.ptr[c.rdi + offsetof(Wave, vgpr)]);
}

/// All registers are as the ops have left them.
void LoopCode::emit_frame_end() {
  HostCode& c = code_;
  c.call(write_back_);
  c.add(c.rsp, frame_bytes());
  if (frame_moves_->any()) frame_moves_->emit_end();
  c.vzeroupper();
}

// ---- before

void LoopCode::emit_entry_tests() {
  if (plan_.followed().registers.empty()) return;
  code_.mov(code_.qword[code_.rsp], 0);
  for (unsigned strip = 0; strip < strips_; ++strip) {
    for (std::size_t i = 0; i < plan_.followed().registers.size(); ++i) emit_lane_test(i, strip);
    for (const unsigned name : plan_.followed().shared_registers()) {
      emit_lanes_rise(name, strip, 0, refusal_);
    }
  }
}

/// Refuses waves whose lanes of the register neither all hold the same nor rise evenly.
void LoopCode::emit_lane_test(std::size_t number, unsigned strip) {
  HostCode& c = code_;
  const FollowedRegister& followed = plan_.followed().registers[number];
  Label known, rising;
  emit_lanes_rise(followed.name, strip, 0, rising);
  c.or_(kinds_of(number), 1u << strip);
  c.jmp(known);
  c.L(rising);
  emit_lanes_rise(followed.name, strip, followed.rise, refusal_);
  if (followed.pair) {
    // The upper words must not differ for a carry.
    c.mov(c.eax, lanes_of(followed.name, strip));
    c.add(c.eax, followed.rise * (unit_.lanes - 1));
    c.jc(refusal_, HostCode::T_NEAR);
  }
  c.L(known);
  if (followed.pair) emit_lanes_rise(followed.name + 1, strip, 0, refusal_);
  for (unsigned word = 0; word < (followed.pair ? 2u : 1u); ++word) {
    c.mov(c.eax, lanes_of(followed.name + word, strip));
    c.mov(c.dword[c.rsp + slot_of(number, strip) + static_cast<int>(4 * word)], c.eax);
  }
}

/// Goes to `otherwise` unless the strip's lanes rise by so much from one to the next.
void LoopCode::emit_lanes_rise(unsigned name, unsigned strip, unsigned rise, Label& otherwise) {
  HostCode& c = code_;
  for (unsigned lane = 0; lane < unit_.lanes; lane += kEight) {
    c.vpbroadcastd(kFirst, lanes_of(name, strip));
    if (rise != 0) c.vpaddd(kFirst, kFirst, c.ptr[c.multiples(rise) + static_cast<int>(4 * lane)]);
    c.vpcmpeqd(kFirst, kFirst, lanes_of(name, strip, lane));
    c.vpmovmskb(c.eax, kFirst);
    c.cmp(c.eax, -1);
    c.jne(otherwise, HostCode::T_NEAR);
  }
}

void LoopCode::emit_pins(bool to_wave) {
  for (unsigned strip = 0; strip < strips_; ++strip) {
    for (const auto& [name, number] : pins_of(strip)) {
      const Vector reg(unit_.kind, static_cast<int>(number));
      if (to_wave)
        (code_.*unit_.store)(lanes_of(name, strip), reg);
      else
        (code_.*unit_.load)(reg, lanes_of(name, strip));
    }
  }
}

// ---- behind

/// Behind the return address of who calls it.
void LoopCode::emit_write_back() {
  code_.mov(code_.rdx, code_.ptr[code_.rdi + offsetof(Wave, vgpr)]);
  emit_pins(true);
  for (unsigned strip = 0; strip < strips_; ++strip) {
    for (std::size_t i = 0; i < plan_.followed().registers.size(); ++i)
      emit_followed_lanes(i, strip);
  }
}

void LoopCode::emit_followed_lanes(std::size_t number, unsigned strip) {
  HostCode& c = code_;
  constexpr int kReturn = 8;
  const FollowedRegister& followed = plan_.followed().registers[number];
  const auto slot = c.rsp + (kReturn + slot_of(number, strip));
  for (unsigned lane = 0; lane < unit_.lanes; lane += kEight) {
    Label same;
    c.vpbroadcastd(kFirst, c.ptr[slot]);
    if (followed.pair) c.vpbroadcastd(kHigh, c.ptr[slot + 4]);
    c.vmovdqa(kLow, kFirst);
    c.test(c.byte[c.rsp + (kReturn + static_cast<int>(number))], 1u << strip);
    c.jne(same);
    c.vpaddd(kLow, kFirst, c.ptr[c.multiples(followed.rise) + static_cast<int>(4 * lane)]);
    if (followed.pair) {
      // 1 is added where the lower word has wrapped, and 1 - 1 elsewhere.
      c.vpminud(kCarry, kLow, kFirst);
      c.vpcmpeqd(kCarry, kCarry, kFirst);
      c.vpaddd(kHigh, kHigh, kCarry);
      c.vpbroadcastd(kCarry, c.ptr[c.constant(1)]);
      c.vpaddd(kHigh, kHigh, kCarry);
    }
    c.L(same);
    c.vmovdqa(lanes_of(followed.name, strip, lane), kLow);
    if (followed.pair) c.vmovdqa(lanes_of(followed.name + 1, strip, lane), kHigh);
  }
}

void LoopCode::emit_exits() {
  HostCode& c = code_;
  c.L(done_);
  emit_frame_end();
  const auto behind =
      loop_.bytes_to(loop_.branch) + std::int64_t{sizeof(Op)} * loop_.branch->dwords;
  emit_go_on(c, behind, false);
  c.L(slice_over_);
  emit_frame_end();
  emit_handler(loop_.bytes_to(loop_.branch), loop_.branch->run);
  for (const HandlerExit& exit : exits_) {
    c.L(*exit.label);
    emit_frame_end();
    emit_handler(exit.op_bytes, exit.handler);
  }
}

void LoopCode::emit_handler(std::uint32_t op_bytes, Handler handler) {
  code_.add(code_.rsi, op_bytes);
  code_.mov(code_.rax, reinterpret_cast<std::uint64_t>(handler));
  code_.jmp(code_.rax);
}

/// Strips before the one that is left have done the run.
void LoopCode::emit_failures(Block& block) {
  for (const Failure& failure : failures_) {
    block.guard.ranges.push_back({failure.begin, failure.end, code_.position()});
    code_.L(*failure.label);
    emit_frame_end();
    runs_[failure.run]->emit_leave(failure.strip);
  }
}

/// Nothing has changed.
void LoopCode::emit_refusal(Block& block, const Otherwise& otherwise) {
  HostCode& c = code_;
  c.L(refusal_);
  c.add(c.rsp, frame_bytes());
  if (frame_moves_->any()) frame_moves_->emit_end();
  c.vzeroupper();
  emit_not_served(c, block.guard, otherwise);
  c.L(no_entry_);
  emit_otherwise(c, otherwise);
}

}  // namespace wavetank::execute::jit
