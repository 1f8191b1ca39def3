#include "execute/program_family.hpp"

#include "execute/program.hpp"

namespace wavetank::execute {

ProgramFamily::Form ProgramFamily::form_of(const ProgramSpec& spec) {
  return {spec.code, spec.exact_mode, spec.compile_blocks, spec.all_heard, spec.listening};
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

std::uint32_t ProgramFamily::index_at(const Place& place) {
  std::uint32_t& index = indexes_[place];
  if (index == 0) {
    index = next_instruction_index();
    places_.emplace(index, place);
  }
  return index;
}

std::uint32_t ProgramFamily::index_of(std::uint64_t address) {
  const std::lock_guard lock(index_mutex_);
  return index_at({address, 0});
}

std::uint32_t ProgramFamily::index_called_from(std::uint32_t caller, std::uint32_t index) {
  const std::lock_guard lock(index_mutex_);
  return index_at({places_[index].address, caller});
}

std::vector<std::uint64_t> ProgramFamily::addresses_of_index(std::uint32_t index) {
  const std::lock_guard lock(index_mutex_);
  std::vector<std::uint64_t> addresses;
  for (auto place = places_.find(index); place != places_.end();
       place = places_.find(place->second.caller)) {
    addresses.push_back(place->second.address);
  }
  return addresses;
}

}  // namespace wavetank::execute
