// The programs that the waves of one kernel go through.
#include "execute/program.hpp"

namespace wavetank::execute {

ProgramFamily::Form ProgramFamily::form_of(const ProgramSpec& spec) {
  return {spec.code,      spec.floats,   spec.skips_vectors,
          spec.all_heard, spec.compiled, spec.listening};
}

ProgramFamily::ProgramFamily(Program& own) : own_(own), members_{{form_of(own.spec()), &own}} {}

ProgramFamily::~ProgramFamily() = default;

Result<Program*> ProgramFamily::member(const ProgramSpec& spec) {
  const std::lock_guard lock(mutex_);
  Program*& known = members_[form_of(spec)];
  if (known != nullptr) return known;
  auto program = Program::make(spec, this);
  if (!program) return tl::unexpected(program.error());
  known = made_.emplace_back(std::move(*program)).get();
  return known;
}

}  // namespace wavetank::execute
