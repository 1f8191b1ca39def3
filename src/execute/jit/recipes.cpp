#include "execute/jit/recipes.hpp"

#include "isa/catalogue.hpp"

namespace wavetank::execute::jit {
namespace {

std::vector<const Recipe*> make_index() {
  std::vector<const Recipe*> index(isa::catalogue().size());
  std::map<std::string_view, const Recipe*> by_name;
  for (const auto table :
       {float_recipes(), double_recipes(), compare_recipes(), integer_recipes(), wide_recipes()}) {
    for (const Recipe& recipe : table) by_name.emplace(recipe.name, &recipe);
  }
  for (const isa::Row& row : isa::catalogue()) {
    if (const auto found = by_name.find(row.name); found != by_name.end()) {
      index[row.id] = found->second;
    }
  }
  return index;
}

}  // namespace

const Recipe* recipe_of(const isa::Row& row) {
  static const auto& index = *new std::vector<const Recipe*>(make_index());
  return index[row.id];
}

}  // namespace wavetank::execute::jit
