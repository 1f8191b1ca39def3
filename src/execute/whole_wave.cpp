// Handlers of instructions that look across lanes.
#include "isa/whole_wave.hpp"
#include "execute/registry.hpp"
#include "execute/scalar_source.hpp"

namespace wavetank::execute {
namespace {

using machine::Wave;

/// What a body of isa/whole_wave.hpp sees of the running op.
class Lanes {
 public:
  Lanes(Wave& wave, const Op* op) : wave_(wave), op_(op) {}

  std::uint64_t exec() const { return wave_.exec(); }
  std::uint32_t uniform(unsigned index) const {
    if (op_->kind[index] == Source::kVector) return row(op_->src[index])[0];
    return scalar_source32(wave_, op_, index);
  }
  std::uint32_t source(unsigned index, unsigned lane) const {
    if (op_->kind[index] == Source::kVector) return row(op_->src[index])[lane];
    return scalar_source32(wave_, op_, index);
  }
  std::uint32_t result(unsigned lane) const { return row(op_->dst)[lane]; }
  void set(unsigned lane, std::uint32_t value) { row(op_->dst)[lane] = value; }
  void set_source(unsigned index, unsigned lane, std::uint32_t value) {
    row(op_->src[index])[lane] = value;
  }
  void set_scalar(std::uint32_t value) { wave_.sgpr[op_->dst / 4] = value; }
  /// Calls visit(lane) for each active lane.
  template <class Visit>
  void for_each(Visit visit) {
    machine::for_each_lane(wave_.exec(), visit);
  }

 private:
  std::uint32_t* row(std::uint32_t offset) const { return vector_at(wave_, offset); }
  Wave& wave_;
  const Op* op_;
};

template <class Definition>
const Op* run(Wave& wave, const Op* op) {
  Lanes lanes(wave, op);
  typename Definition::Body{}(lanes);
  return op + op->dwords;
}

constexpr auto kWholeWave = []<class Definition>() {
  // The same handler serves every MODE: nothing here is arithmetic.
  return HandlerSet{.usual = run<Definition>, .exact = run<Definition>};
};

}  // namespace

void append_whole_wave(Entries& entries) { append(entries, isa::kWholeWaveTables, kWholeWave); }

}  // namespace wavetank::execute
