#include <map>
#include <utility>

#include "code_object/metadata.hpp"

namespace wavetank::code_object {
namespace {

/// Appends the things whose key is new to `all`, where `places` finds them by key. A thing whose
/// key is known must equal the one that is there: gives one that does not, or null.
template <class Thing, class Key, class KeyOf>
const Thing* append_new(std::vector<Thing> things, KeyOf key_of, std::map<Key, std::size_t>& places,
                        std::vector<Thing>& all) {
  for (Thing& thing : things) {
    const auto [place, is_new] = places.emplace(key_of(thing), all.size());
    if (is_new) {
      all.push_back(std::move(thing));
    } else if (!(all[place->second] == thing)) {
      return &all[place->second];
    }
  }
  return nullptr;
}

}  // namespace

Result<Metadata> merge_metadata(std::vector<Metadata> notes) {
  Metadata merged;
  std::map<std::string, std::size_t> kernels;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> formats;
  for (Metadata& note : notes) {
    const Kernel* kernel = append_new(
        std::move(note.kernels), [](const Kernel& one) { return one.symbol; }, kernels,
        merged.kernels);
    if (kernel != nullptr) {
      return fail(ErrorCode::kBadMetadata,
                  "the metadata describes \"" + kernel->symbol.substr(0, 256) +
                      "\" twice, each time otherwise",
                  "kernel \"" + kernel->name.substr(0, 256) + "\"");
    }
    const PrintfFormat* format = append_new(
        std::move(note.printf_formats),
        [](const PrintfFormat& one) { return std::pair(one.id, one.hash); }, formats,
        merged.printf_formats);
    if (format != nullptr) {
      return fail(ErrorCode::kBadMetadata, "the metadata gives printf format " +
                                               std::to_string(format->id) +
                                               " twice, each time otherwise");
    }
  }
  return merged;
}

}  // namespace wavetank::code_object
