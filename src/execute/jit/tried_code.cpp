#include "execute/jit/tried_code.hpp"

#include <cstddef>

namespace wavetank::execute::jit {
namespace {

using machine::AccessGuard;

/// rax = where waves go that are not served.
void emit_place(HostCode& c, const Otherwise& otherwise) {
  const auto* const place = otherwise.handler != nullptr
                                ? reinterpret_cast<const std::uint8_t*>(otherwise.handler)
                                : otherwise.code;
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(place));
}

/// Of the guard that rax points to.
Xbyak::Address misses_of_rax(HostCode& c) {
  return c.dword[c.rax + static_cast<int>(offsetof(AccessGuard, misses))];
}

}  // namespace

void emit_served(HostCode& code, AccessGuard& guard) {
  HostCode& c = code;
  Xbyak::Label never_missed;
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(&guard));
  c.cmp(misses_of_rax(c), 0);
  c.je(never_missed);
  c.dec(misses_of_rax(c));
  c.L(never_missed);
}

void emit_not_served(HostCode& code, AccessGuard& guard, const Otherwise& otherwise) {
  static_assert(offsetof(Op, run) == 0);
  HostCode& c = code;
  Xbyak::Label few;
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(&guard));
  c.add(misses_of_rax(c), AccessGuard::kMissCost);
  c.cmp(misses_of_rax(c), AccessGuard::kMostMisses);
  c.jbe(few);
  emit_place(c, otherwise);
  c.mov(c.ptr[c.rsi], c.rax);
  c.L(few);
}

void emit_otherwise(HostCode& code, const Otherwise& otherwise) {
  emit_place(code, otherwise);
  code.jmp(code.rax);
}

}  // namespace wavetank::execute::jit
