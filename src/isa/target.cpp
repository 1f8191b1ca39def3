#include "isa/target.hpp"

namespace wavetank::isa {

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const Target& target : targets()) names.emplace_back(target.name);
  return names;
}

std::string names_of(const Lifetime& lifetime) {
  std::string names;
  for (const Target& target : targets()) {
    if (!target.has(lifetime)) continue;
    if (!names.empty()) names += ' ';
    names += target.name;
  }
  return names;
}

}  // namespace wavetank::isa
