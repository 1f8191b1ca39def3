#include "execute/watch/trial.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "encoding/instruction.hpp"
#include "execute/watch/fillings.hpp"
#include "machine/listener.hpp"

namespace wavetank::execute {
namespace {

using encoding::operand::kExec;
using encoding::operand::kM0;
using encoding::operand::kVcc;
using machine::kLanes;
using machine::UndefinedOrigin;
using machine::UndefinedRegisters;
using machine::Wave;
using Lanes = UndefinedRegisters::Lanes;

constexpr unsigned kScc = UndefinedRegisters::kScc;

/// A vector register that the op may read or write.
struct Touched {
  unsigned index = 0;
  bool is_read = false;
  Lanes before, after;   ///< with the values that are really there
  Lanes undefined = {};  ///< bits of `after` that some trial changed
  Lanes filled = {};     ///< what a trial put there
  Lanes flipped = {};    ///< bits of `after` that the complement changes
  Lanes random = {};     ///< exclusive or of the results of the trials with random bits
  const UndefinedOrigin* copied = nullptr;  ///< of the register that it is a copy of
};

std::uint32_t& scalar_of(Wave& wave, unsigned index) {
  return index == kScc ? wave.scc : wave.sgpr[index];
}

class Trials {
 public:
  Trials(Wave& wave, const Op* op, const Heard& heard)
      : wave_(wave), op_(op), heard_(heard), known_(*wave.undefined), before_(wave) {
    find_touched();
  }

  const Op* run();

 private:
  void find_touched();
  void touch(unsigned index, bool is_read);
  bool touches_undefined() const;
  bool reads_scalar(unsigned index) const;
  const Op* jump();
  void fill(const Filling& filling);
  void compare();
  void note_copies();
  void note_flipped();
  void add_random_results();
  bool only_moves_bits() const;
  UndefinedOrigin origin() const;
  void keep_results(const UndefinedOrigin& origin);
  void tell_branch(const UndefinedOrigin& origin);

  Wave& wave_;
  const Op* const op_;
  const Heard& heard_;
  UndefinedRegisters& known_;
  const Wave before_;
  std::optional<Wave> after_;
  const Op* next_ = nullptr;
  std::vector<Touched> vectors_;
  std::array<std::uint32_t, UndefinedRegisters::kScalars> scalars_ = {};  ///< as Touched::undefined
  std::array<std::uint32_t, UndefinedRegisters::kScalars> random_ = {};   ///< as Touched::random
  std::array<std::uint32_t, UndefinedRegisters::kScalars> flipped_scalars_ = {};
  bool decides_ = false;  ///< where the wave goes on depends on undefined bits
};

void Trials::touch(unsigned index, bool is_read) {
  const auto known =
      std::ranges::find_if(vectors_, [&](const Touched& one) { return one.index == index; });
  if (known != vectors_.end()) return;
  Touched& touched = vectors_.emplace_back();
  touched.index = index;
  touched.is_read = is_read;
  std::memcpy(touched.before.data(), wave_.vector(index), sizeof touched.before);
}

/// A region under register indexing may touch any register.
void Trials::find_touched() {
  const machine::StepFacts& facts = heard_.facts;
  for (const machine::RegisterRange& range : facts.vector_reads) {
    for (unsigned i = 0; i < range.count; ++i) touch(range.first + i, true);
  }
  for (const machine::RegisterRange& range : facts.vector_writes) {
    for (unsigned i = 0; i < range.count; ++i) touch(range.first + i, false);
  }
  if (facts.row->indexing != isa::RegisterIndexing::kBegins) return;
  for (unsigned i = 0; i < wave_.vgpr_count; ++i) touch(i, true);
}

bool Trials::reads_scalar(unsigned index) const {
  return std::ranges::any_of(heard_.facts.scalar_reads, [&](const machine::RegisterRange& range) {
    return index - range.first < range.count;
  });
}

/// Scalar instructions may read what no operand names; they are cheap to try.
bool Trials::touches_undefined() const {
  const bool is_vector =
      heard_.facts.row->unit == isa::Unit::kValu || heard_.facts.row->unit == isa::Unit::kMatrix;
  if (!is_vector && known_.any_scalar()) return true;
  for (const unsigned special : {kVcc + 0u, kVcc + 1u, kM0 + 0u, kScc}) {
    if (known_.has_scalar(special)) return true;
  }
  if (is_vector && known_.any_scalar()) {
    const auto holds = [&](const machine::RegisterRange& range) {
      for (unsigned i = 0; i < range.count; ++i) {
        if (known_.has_scalar(range.first + i)) return true;
      }
      return false;
    };
    if (std::ranges::any_of(heard_.facts.scalar_reads, holds)) return true;
    if (std::ranges::any_of(heard_.facts.scalar_writes, holds)) return true;
  }
  return std::ranges::any_of(
      vectors_, [&](const Touched& touched) { return known_.has_vector(touched.index); });
}

/// Puts the operands back and the filling over their undefined bits.
void Trials::fill(const Filling& filling) {
  const auto mixed = [](std::uint32_t value, std::uint32_t undefined, std::uint32_t other) {
    return (value & ~undefined) | (other & undefined);
  };
  wave_ = before_;
  for (const Touched& touched : vectors_) {
    std::memcpy(wave_.vector(touched.index), touched.before.data(), sizeof touched.before);
  }
  for (Touched& touched : vectors_) {
    if (!known_.has_vector(touched.index)) continue;
    const Lanes& undefined = known_.vector(touched.index);
    std::uint32_t* const to = wave_.vector(touched.index);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (undefined[lane] == 0) continue;
      to[lane] = mixed(to[lane], undefined[lane], filling.vector(touched.index, lane, to[lane]));
    }
    std::memcpy(touched.filled.data(), to, sizeof touched.filled);
  }
  if (!known_.any_scalar()) return;
  for (unsigned i = 0; i < UndefinedRegisters::kScalars; ++i) {
    if (!known_.has_scalar(i)) continue;
    std::uint32_t& to = scalar_of(wave_, i);
    to = mixed(to, known_.scalar(i), i == kScc ? ~to : filling.scalar(i, to));
  }
}

void Trials::compare() {
  for (Touched& touched : vectors_) {
    const std::uint32_t* const now = wave_.vector(touched.index);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      touched.undefined[lane] |= now[lane] ^ touched.after[lane];
    }
  }
  for (unsigned i = 0; i < UndefinedRegisters::kScalars; ++i) {
    scalars_[i] |= scalar_of(wave_, i) ^ scalar_of(*after_, i);
  }
}

/// After a trial with random bits: what equals an operand wherever it is undefined is its copy.
void Trials::note_copies() {
  for (Touched& result : vectors_) {
    const std::uint32_t* const now = wave_.vector(result.index);
    for (const Touched& operand : vectors_) {
      if (!known_.has_vector(operand.index)) continue;
      const Lanes& undefined = known_.vector(operand.index);
      bool equal = true;
      for (unsigned lane = 0; lane < kLanes && equal; ++lane) {
        equal = undefined[lane] == 0 || now[lane] == operand.filled[lane];
      }
      if (equal) result.copied = &known_.vector_origin(operand.index);
    }
  }
}

void Trials::note_flipped() {
  for (Touched& touched : vectors_) touched.flipped = touched.undefined;
  flipped_scalars_ = scalars_;
}

void Trials::add_random_results() {
  for (Touched& touched : vectors_) {
    const std::uint32_t* const now = wave_.vector(touched.index);
    for (unsigned lane = 0; lane < kLanes; ++lane) touched.random[lane] ^= now[lane];
  }
  for (unsigned i = 0; i < UndefinedRegisters::kScalars; ++i) random_[i] ^= scalar_of(wave_, i);
}

/// Masks, shifts, packing: what a bit field in undefined memory is set by.
bool Trials::only_moves_bits() const {
  const auto is_zero = [](std::uint32_t bits) { return bits == 0; };
  return flipped_scalars_ == scalars_ && std::ranges::all_of(random_, is_zero) &&
         std::ranges::all_of(vectors_, [&](const Touched& touched) {
           return touched.flipped == touched.undefined &&
                  std::ranges::all_of(touched.random, is_zero);
         });
}

UndefinedOrigin Trials::origin() const {
  for (const Touched& touched : vectors_) {
    if (touched.is_read && known_.has_vector(touched.index))
      return known_.vector_origin(touched.index);
  }
  const UndefinedOrigin* any = nullptr;
  for (unsigned i = 0; i < UndefinedRegisters::kScalars; ++i) {
    if (!known_.has_scalar(i)) continue;
    any = &known_.scalar_origin(i);
    if (i >= kVcc || reads_scalar(i)) return *any;
  }
  for (const Touched& touched : vectors_) {
    if (known_.has_vector(touched.index)) return known_.vector_origin(touched.index);
  }
  return any == nullptr ? UndefinedOrigin() : *any;
}

void Trials::keep_results(const UndefinedOrigin& origin) {
  std::vector<UndefinedOrigin> results;  // those of operands change meanwhile
  UndefinedOrigin worked_out = origin;
  worked_out.computed = worked_out.computed || !only_moves_bits();
  for (const Touched& touched : vectors_) {
    const UndefinedOrigin mine = touched.copied != nullptr ? *touched.copied : worked_out;
    results.emplace_back(mine);
  }
  for (std::size_t i = 0; i < vectors_.size(); ++i) {
    known_.set_vector(vectors_[i].index, vectors_[i].undefined, results[i]);
  }
  for (unsigned i = 0; i < UndefinedRegisters::kScalars; ++i) {
    if (scalars_[i] == 0 && !known_.has_scalar(i)) continue;
    const bool same = known_.has_scalar(i) && known_.scalar(i) == scalars_[i];
    known_.set_scalar(i, scalars_[i], same ? UndefinedOrigin(known_.scalar_origin(i)) : worked_out);
  }
}

/// What decided counts as defined from here on, so that it is told once.
void Trials::tell_branch(const UndefinedOrigin& origin) {
  wave_.environment->listener->on_undefined_branch(wave_, heard_.facts, origin);
  for (const Touched& touched : vectors_) known_.define_vector(touched.index);
  for (unsigned i = 0; i < UndefinedRegisters::kScalars; ++i) {
    if (i >= kVcc || reads_scalar(i)) known_.define_scalar(i);
  }
}

/// A trial would ask for code at any address: what the address lies in decides, and nothing else.
const Op* Trials::jump() {
  for (unsigned i = 0; i < UndefinedRegisters::kScalars; ++i) {
    if (!known_.has_scalar(i) || !reads_scalar(i)) continue;
    tell_branch(UndefinedOrigin(known_.scalar_origin(i)));
    break;
  }
  for (const machine::RegisterRange& range : heard_.facts.scalar_writes) {
    for (unsigned i = 0; i < range.count; ++i) known_.define_scalar(range.first + i);
  }
  return heard_.inner(wave_, op_);
}

const Op* Trials::run() {
  if (!touches_undefined()) return heard_.inner(wave_, op_);
  if (heard_.facts.row->indirect_flow) return jump();
  next_ = heard_.inner(wave_, op_);
  after_ = wave_;
  for (Touched& touched : vectors_) {
    std::memcpy(touched.after.data(), wave_.vector(touched.index), sizeof touched.after);
  }
  for (unsigned trial = 0; trial < Filling::kTrials; ++trial) {
    const Filling filling(wave_, op_, heard_.inner, trial);
    if (!filling.exists()) continue;
    fill(filling);
    const Op* const next = heard_.inner(wave_, op_);
    decides_ = decides_ || next != next_ || wave_.stop != after_->stop;
    compare();
    if (filling.is_complement()) note_flipped();
    if (filling.is_random()) add_random_results();
    if (filling.tells_copies()) note_copies();
  }
  wave_ = *after_;
  for (const Touched& touched : vectors_) {
    std::memcpy(wave_.vector(touched.index), touched.after.data(), sizeof touched.after);
  }
  const UndefinedOrigin origin = this->origin();
  decides_ = decides_ || scalars_[kExec] != 0 || scalars_[kExec + 1] != 0;
  scalars_[kExec] = scalars_[kExec + 1] = 0;
  keep_results(origin);
  if (decides_) tell_branch(origin);
  return next_;
}

}  // namespace

const Op* run_by_trials(Wave& wave, const Op* op, const Heard& heard) {
  return Trials(wave, op, heard).run();
}

}  // namespace wavetank::execute
