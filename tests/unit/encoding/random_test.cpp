// A bounded campaign of random dwords: what we accept and print against what LLVM does. Every row's
// opcode gets its share; instructions without a row are listed, not counted.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>

#include "encoding/decoder.hpp"
#include "encoding/disassembler.hpp"
#include "encoding/encoder.hpp"
#include "isa/catalogue.hpp"
#include "unit/encoding/deviations.hpp"
#include "unit/encoding/oracle.hpp"
#include "unit/encoding/report.hpp"
#include "unit/encoding/samples.hpp"

namespace wavetank::test {
namespace {

std::string hex(const Dwords& dwords) {
  std::string text;
  char buffer[12];
  for (std::uint32_t word : dwords) {
    std::snprintf(buffer, sizeof buffer, "%08x ", word);
    text += buffer;
  }
  return text;
}

/// LLVM decodes operands of a wrong kind and says so in a comment: no instruction.
bool llvm_accepts(const std::string& text) {
  return !text.empty() && text.find("/*") == std::string::npos;
}

/// LLVM 19 crashes on some bytes whose SRC0 says SDWA; only those that we accept go to it.
bool may_crash_llvm(const Dwords& item) {
  const bool vop = (item[0] & 0x80000000) == 0;
  return vop && (item[0] & 0x1ff) == 0xf9;
}

/// WAVETANK_RANDOM_SEED chooses another campaign.
unsigned seed() {
  const char* text = std::getenv("WAVETANK_RANDOM_SEED");
  return text == nullptr ? 20240607u : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }

class Random : public testing::TestWithParam<isa::Targets> {
 protected:
  /// Flips a few bits, or fills whole bytes, of valid instructions: far more telling than noise.
  std::vector<Dwords> mutated_samples(unsigned per_sample_percent) {
    std::vector<Dwords> items;
    for (const isa::Row& row : isa::catalogue()) {
      if (!isa::has_target(row.targets, GetParam())) continue;
      for (const encoding::Instruction& sample : samples(row, GetParam())) {
        if (random_() % 100 >= per_sample_percent) continue;
        const encoding::Words words = encoding::encode(sample, GetParam());
        Dwords item = {words.dwords[0], words.count > 1 ? words.dwords[1]
                                                        : static_cast<std::uint32_t>(random_())};
        for (unsigned flips = 1 + random_() % 3; flips > 0; --flips) {
          const unsigned bit = random_() % 64;
          item[bit / 32] ^= 1u << (bit % 32);
        }
        if (random_() % 4 == 0) item[1] = static_cast<std::uint32_t>(random_());
        items.push_back(item);
      }
    }
    return items;
  }
  std::vector<Dwords> noise(unsigned count) {
    std::vector<Dwords> items;
    for (unsigned i = 0; i < count; ++i) {
      const auto first = static_cast<std::uint32_t>(random_());
      items.push_back({first, static_cast<std::uint32_t>(random_())});
    }
    return items;
  }

  /// Both readings of an item; empty where it is no instruction.
  struct Outcome {
    Dwords item;
    bool has_row = false;
    std::string ours, theirs, error;
  };
  void compare(const std::vector<Dwords>& all);
  void judge(const std::vector<Outcome>& outcomes);
  unsigned forgive_ignored_bits(const std::vector<const Outcome*>& rejected, Report& report);

  std::mt19937 random_{seed()};
};

void Random::compare(const std::vector<Dwords>& all) {
  const encoding::Decoder decoder(GetParam());
  std::vector<Outcome> outcomes;
  std::vector<Dwords> items;
  for (const Dwords& item : all) {
    const auto decoded = decoder.decode(item, 0);
    if (!decoded && may_crash_llvm(item)) continue;
    Outcome outcome;
    outcome.item = item;
    outcome.has_row = decoded || decoded.error().code != ErrorCode::kUnsupportedInstruction;
    if (decoded) outcome.ours = encoding::disassemble(*decoded, GetParam());
    if (!decoded) outcome.error = decoded.error().message;
    // An instruction of one dword must not drag the next dword along.
    items.push_back(decoded && decoded->dwords == 1 ? Dwords{item[0]} : item);
    outcomes.push_back(outcome);
  }
  const std::vector<std::string> theirs = llvm_disassemble(items, GetParam());
  for (std::size_t i = 0; i < items.size(); ++i) {
    // LLVM may read one dword and go on with the second, where we read none.
    outcomes[i].theirs = theirs[i].substr(0, theirs[i].find(" / "));
    if (!llvm_accepts(outcomes[i].theirs)) outcomes[i].theirs.clear();
  }
  judge(outcomes);
}

void Random::judge(const std::vector<Outcome>& outcomes) {
  Report report;
  std::set<std::string> missing;
  std::vector<const Outcome*> rejected;
  unsigned alike = 0;
  for (const Outcome& x : outcomes) {
    if (!x.has_row) {
      if (!x.theirs.empty()) missing.insert(first_word(x.theirs));
    } else if (x.ours == x.theirs) {
      alike += !x.ours.empty();
    } else if (x.ours.empty()) {
      if (!Deviations::file().accepts("rejects", x.theirs)) rejected.push_back(&x);
    } else if (!Deviations::file().accepts(x.theirs.empty() ? "accepts" : "text", x.ours)) {
      report.add((x.theirs.empty() ? "accepts " : "text ") + first_word(x.ours),
                 hex(x.item) + "ours " + x.ours + " | LLVM " + x.theirs);
    }
  }
  const unsigned canonical = forgive_ignored_bits(rejected, report);
  std::string list;
  for (const std::string& name : missing) list += " " + name;
  std::cout << outcomes.size() << " items, " << alike << " alike, " << canonical
            << " with bits that LLVM ignores; " << missing.size() << " mnemonics without a row:"
            << list << "\n";
  EXPECT_EQ(report.count(), 0u) << report.text();
}

/// LLVM skips many reserved bits and the low bits of scalar tuples. That it reads such bytes is no
/// mismatch if we, told to do the same, read the same text. Returns how many these are.
unsigned Random::forgive_ignored_bits(const std::vector<const Outcome*>& rejected,
                                      Report& report) {
  const encoding::Decoder decoder(GetParam());
  unsigned forgiven = 0;
  for (const Outcome* x : rejected) {
    const auto decoded = decoder.decode(x->item, 0, encoding::Reserved::kIgnore);
    if (decoded && encoding::disassemble(*decoded, GetParam()) == x->theirs) {
      ++forgiven;
    } else {
      report.add("rejects " + first_word(x->theirs),
                 hex(x->item) + "LLVM " + x->theirs + " | " + x->error);
    }
  }
  return forgiven;
}

TEST_P(Random, MutationsOfValidInstructionsReadAsLlvmReadsThem) { compare(mutated_samples(60)); }
TEST_P(Random, NoiseReadsAsLlvmReadsIt) { compare(noise(60000)); }

INSTANTIATE_TEST_SUITE_P(Targets, Random,
                         testing::Values(isa::Targets::kGfx90a, isa::Targets::kGfx942),
                         [](const auto& parameter) { return target_name(parameter.param); });

}  // namespace
}  // namespace wavetank::test
