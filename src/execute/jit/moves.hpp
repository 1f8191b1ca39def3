// Host code for loads and stores within a strip: one check finds whether the strip's lanes lie side
// by side in the arena or in LDS, and one host instruction moves them. Other strips are left to the
// handlers.
#pragma once

#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

/// Loads what the moves of a run need: 4 * lane in StripCode::steps(), and in r9 and r10 the
/// arena's first address, negated, and the last offset at which a strip may begin, or LDS and its
/// size. Spoils rax.
void emit_move_constants(Assembler& code, MoveSpace space);
/// Loads what a store needs that ends its wave: bits in r8 of which an address that it may write
/// past the caches has none. Spoils rax.
void emit_streaming_mask(Assembler& code);

/// A load. It may be carried out before the tests of its strip tell that it is right: nothing but a
/// register that the strip then leaves alone changes, and a fault is taken back (AccessGuard).
void emit_load(StripCode& strip);

/// A store up to the access: its place in rax. Gives the register that holds the data.
Zmm emit_store_place(StripCode& strip);
/// The access, once all tests have passed.
void emit_store(Assembler& code, const Op& op, const isa::Row& row, Zmm data);

}  // namespace wavetank::execute::jit
