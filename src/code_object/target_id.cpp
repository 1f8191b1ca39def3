#include "code_object/target_id.hpp"

#include <algorithm>
#include <utility>

namespace wavetank::code_object {
namespace {

constexpr std::size_t kMaxProcessorLength = 64;
constexpr std::string_view kTriple = "amdgcn-amd-amdhsa-";

tl::unexpected<Error> bad_target_id(std::string_view text, const std::string& reason) {
  return fail(ErrorCode::kBadBundle,
              "target id \"" + std::string(text.substr(0, 128)) + "\" " + reason);
}

/// What stands behind the triple: "hipv4-amdgcn-amd-amdhsa--gfx90a" gives "gfx90a". The environment
/// between the last two dashes may be left out, empty or "unknown".
std::string_view without_triple(std::string_view text) {
  const auto position = text.find(kTriple);
  if (position == std::string_view::npos) return text;
  text.remove_prefix(position + kTriple.size());
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.starts_with("unknown-")) text.remove_prefix(8);
  return text;
}

bool is_processor(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return text.size() > 3 && text.size() <= kMaxProcessorLength && text.starts_with("gfx") &&
         std::all_of(text.begin(), text.end(), allowed);
}

/// Reads "xnack+" into the right member. False if it is no feature or given twice.
bool read_feature(std::string_view text, TargetId& id) {
  if (text.empty() || (text.back() != '+' && text.back() != '-')) return false;
  const Feature value = text.back() == '+' ? Feature::kOn : Feature::kOff;
  text.remove_suffix(1);
  Feature* feature = nullptr;
  if (text == "sramecc") feature = &id.sramecc;
  if (text == "xnack") feature = &id.xnack;
  if (feature == nullptr || *feature != Feature::kAny) return false;
  *feature = value;
  return true;
}

std::string feature_text(std::string_view name, Feature feature) {
  if (feature == Feature::kAny) return {};
  return ":" + std::string(name) + (feature == Feature::kOn ? "+" : "-");
}

bool satisfied(Feature wanted, Feature present) {
  return wanted == Feature::kAny || wanted == present;
}

}  // namespace

std::string TargetId::to_text() const {
  return processor + feature_text("sramecc", sramecc) + feature_text("xnack", xnack);
}

bool TargetId::runs_on(const TargetId& device) const {
  return !processor.empty() && processor == device.processor &&
         satisfied(sramecc, device.sramecc) && satisfied(xnack, device.xnack);
}

Result<TargetId> parse_target_id(std::string_view text) {
  std::string_view rest = without_triple(text);
  const auto colon = rest.find(':');
  TargetId id;
  id.processor = std::string(rest.substr(0, colon));
  if (!is_processor(id.processor)) return bad_target_id(text, "names no gfx processor");
  while (true) {
    const auto start = rest.find(':');
    if (start == std::string_view::npos) return id;
    rest.remove_prefix(start + 1);
    if (!read_feature(rest.substr(0, rest.find(':')), id)) {
      return bad_target_id(text, "has a feature other than one each of sramecc+|- and xnack+|-");
    }
  }
}

}  // namespace wavetank::code_object
