#include "unit/encoding/campaign.hpp"

#include <algorithm>
#include <cstdio>

#include "encoding/disassembler.hpp"
#include "unit/encoding/deviations.hpp"

namespace wavetank::test {

namespace {

/// LLVM decodes operands of a wrong kind and says so in a comment: no instruction.
bool llvm_accepts(const std::string& text) {
  return !text.empty() && text.find("/*") == std::string::npos;
}

std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }

/// SDWA forms with a select of 7 or a DST_UNUSED of 3, which the CDNA3 ISA guide does not have:
/// LLVM's printer runs into llvm_unreachable there (AMDGPUInstPrinter.cpp, printSDWASel), so that it
/// may print anything or crash. There is no second opinion on them; we must refuse them.
bool reserved_sdwa_select(const Dwords& item) {
  const bool vop = (item[0] & 0x80000000) == 0;
  if (!vop || (item[0] & 0x1ff) != 0xf9) return false;
  const bool vop1 = (item[0] & 0xfe000000) == 0x7e000000;
  const bool vopc = (item[0] & 0xfe000000) == 0x7c000000;
  const auto field = [&](unsigned low, unsigned mask) { return item[1] >> low & mask; };
  const bool destination = !vopc && (field(8, 7) == 7 || field(11, 3) == 3);
  return destination || field(16, 7) == 7 || (!vop1 && field(24, 7) == 7);
}

/// The kind of a difference: the first column of deviations.txt.
std::string kind_of(bool ours, bool theirs) {
  return ours && theirs ? "text" : ours ? "accepts" : "rejects";
}

}  // namespace

Campaign::Campaign(const isa::Target& target) : target_(target), decoder_(target) {}

Campaign::Readings Campaign::our_reading(const Dwords& item) const {
  Readings readings;
  readings.item = item;
  const auto decoded = decoder_.decode(item, 0);
  if (decoded) {
    readings.ours = encoding::disassemble(*decoded, target_);
    // An instruction of one dword must not drag the next along: LLVM is asked about it alone, and
    // refuses it if it thinks that a second belongs to it.
    readings.item.resize(decoded->dwords);
  } else {
    readings.error = decoded.error().message;
    readings.absent = decoded.error().code == ErrorCode::kUnsupportedInstruction;
  }
  return readings;
}

void Campaign::compare(std::span<const Dwords> items) {
  std::vector<Readings> all;
  std::vector<Dwords> asked;
  for (const Dwords& item : items) {
    Readings readings = our_reading(item);
    if (readings.ours.empty() && reserved_sdwa_select(item)) {
      ++classes_["refused, LLVM not asked: reserved SDWA selects"];
      continue;
    }
    asked.push_back(readings.item);
    all.push_back(std::move(readings));
  }
  const std::vector<std::string> texts = llvm_disassemble(asked, target_);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Readings& x = all[i];
    x.crash = texts[i] == kCrash;
    const std::size_t end = texts[i].find(" / ");
    x.theirs = x.crash ? "" : texts[i].substr(0, end);
    if (end != std::string::npos) x.rest = texts[i].substr(end + 3);
    if (!llvm_accepts(x.theirs)) x.theirs.clear();
    const std::string name = class_of(x);
    if (!name.empty()) {
      ++classes_[name];
      continue;
    }
    const std::string kind = kind_of(!x.ours.empty(), !x.theirs.empty());
    unexplained_.add(kind + " " + first_word(x.ours.empty() ? x.theirs : x.ours),
                     hex(x.item) + "ours " + (x.ours.empty() ? x.error : x.ours) + " | LLVM " +
                         (x.crash ? "crashes" : x.theirs) + (x.rest.empty() ? "" : " / ") + x.rest);
  }
}

std::string Campaign::class_of(const Readings& x) const {
  // LLVM reads a second instruction where we took both dwords: another size.
  const bool same_size = x.ours.empty() || x.rest.empty();
  if (x.ours == x.theirs && same_size && !x.crash) {
    return x.ours.empty() ? "no instruction to both" : "same text and size";
  }
  if (x.absent) {
    const bool named = x.theirs.empty() || x.error.starts_with(first_word(x.theirs)) ||
                       first_word(x.theirs).starts_with(first_word(x.error));
    return named ? "an instruction that the decoder names as absent" : "";
  }
  if (!same_size) return "";
  if (x.ours.empty() && same_with_reserved_bits(x)) return "rejects: reserved bits are set";
  const std::string kind = x.crash ? "crash" : kind_of(!x.ours.empty(), !x.theirs.empty());
  const std::string& subject = x.ours.empty() && !x.crash ? x.theirs : x.ours;
  const std::string* reason = Deviations::file().reason(kind, subject);
  return reason == nullptr ? "" : kind + ": " + *reason;
}

/// LLVM skips many reserved bits and the low bits of scalar tuples. That it reads such bytes is
/// explained if we, told to do the same, read the same text.
bool Campaign::same_with_reserved_bits(const Readings& x) const {
  const auto decoded = decoder_.decode(x.item, 0, encoding::Reserved::kIgnore);
  return decoded && encoding::disassemble(*decoded, target_) == x.theirs;
}

std::string Campaign::text() const {
  std::vector<std::pair<std::uint64_t, std::string>> sorted;
  for (const auto& [name, count] : classes_) sorted.emplace_back(count, name);
  std::sort(sorted.rbegin(), sorted.rend());
  std::string result;
  for (const auto& [count, name] : sorted) {
    char buffer[24];
    std::snprintf(buffer, sizeof buffer, "%10llu  ", static_cast<unsigned long long>(count));
    result += buffer + name + "\n";
  }
  return result;
}

}  // namespace wavetank::test
