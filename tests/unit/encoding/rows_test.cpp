// Every row, in every form, with every kind of operand: our bytes and our text against LLVM's, in
// both directions.
#include <gtest/gtest.h>

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

using encoding::Instruction;

struct Sample {
  Instruction instruction;
  Dwords bytes;
  std::string text;
};

std::vector<Sample> all_samples(const isa::Target& target) {
  std::vector<Sample> result;
  for (const isa::Row& row : isa::catalogue()) {
    if (!target.has(row.lifetime)) continue;
    for (const Instruction& instruction : samples(row, target)) {
      const encoding::Words words = encoding::encode(instruction, target);
      const auto begin = words.dwords.begin();
      result.push_back({instruction, Dwords(begin, begin + words.count),
                        encoding::disassemble(instruction, target)});
    }
  }
  return result;
}

std::string key(const Sample& sample) { return sample.text.substr(0, sample.text.find(' ')); }

class EveryRow : public testing::TestWithParam<isa::Target> {};

TEST_P(EveryRow, DecodesFromItsOwnBytes) {
  const encoding::Decoder decoder(GetParam());
  Report report;
  for (const Sample& sample : all_samples(GetParam())) {
    const auto decoded = decoder.decode(sample.bytes, 0);
    const std::string place = hex(sample.bytes) + sample.text;
    if (!decoded) {
      report.add(key(sample), place + ": " + decoded.error().message);
    } else if (*decoded != sample.instruction) {
      report.add(key(sample), place + ": became " + encoding::disassemble(*decoded, GetParam()));
    }
  }
  EXPECT_EQ(report.count(), 0u) << report.text();
}

TEST_P(EveryRow, HasTheTextThatLlvmGivesItsBytes) {
  const std::vector<Sample> all = all_samples(GetParam());
  std::vector<Dwords> bytes;
  for (const Sample& sample : all) bytes.push_back(sample.bytes);
  const std::vector<std::string> texts = llvm_disassemble(bytes, GetParam());
  Report report;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (texts[i] == all[i].text) continue;
    if (Deviations::file().accepts("text", all[i].text)) continue;
    report.add(key(all[i]), hex(all[i].bytes) + "ours " + all[i].text + " | LLVM " + texts[i]);
  }
  EXPECT_EQ(report.count(), 0u) << report.text();
  RecordProperty("instructions", static_cast<int>(all.size()));
}

TEST_P(EveryRow, HasTheBytesThatLlvmAssemblesFromItsText) {
  const std::vector<Sample> all = all_samples(GetParam());
  std::vector<std::string> texts;
  for (const Sample& sample : all) texts.push_back(sample.text);
  const std::vector<Dwords> bytes = llvm_assemble(texts, GetParam());
  Report report;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (bytes[i] == all[i].bytes) continue;
    if (Deviations::file().accepts("bytes", all[i].text)) continue;
    report.add(key(all[i]), all[i].text + " | ours " + hex(all[i].bytes) + "LLVM " + hex(bytes[i]));
  }
  EXPECT_EQ(report.count(), 0u) << report.text();
}

/// Bytes of a row in a form, whether or not the row says that the form exists.
Dwords bytes_in_form(isa::Row& row, encoding::Form form, const isa::Target& target) {
  row.encoding.no_vop3 = row.encoding.no_sdwa = row.encoding.no_dpp = false;
  for (const Instruction& sample : samples(row, target)) {
    if (sample.form != form) continue;
    const encoding::Words words = encoding::encode(sample, target);
    return {words.dwords[0], words.dwords[1]};
  }
  return {};
}

/// The forms beside e32: how LLVM's mnemonic ends, and the flag that takes the form away.
struct FormInfo {
  encoding::Form form;
  const char* suffix;
  bool isa::Encoding::* absent;
};
constexpr FormInfo kForms[] = {{encoding::Form::kVop3, "_e64", &isa::Encoding::no_vop3},
                               {encoding::Form::kSdwa, "_sdwa", &isa::Encoding::no_sdwa},
                               {encoding::Form::kDpp, "_dpp", &isa::Encoding::no_dpp}};

bool has_forms(const isa::Row& row) {
  return row.source_count() != 0 && isa::has_long_forms(row.encoding.format);
}

TEST_P(EveryRow, HasExactlyTheFormsThatLlvmKnows) {
  std::vector<std::pair<std::string, bool>> cases;  // mnemonic with suffix; does the row have it
  std::vector<Dwords> items;
  for (const isa::Row& row : isa::catalogue()) {
    if (!GetParam().has(row.lifetime) || !has_forms(row)) continue;
    for (const FormInfo& info : kForms) {
      isa::Row full = row;
      const Dwords bytes = bytes_in_form(full, info.form, GetParam());
      if (bytes.empty()) continue;
      cases.emplace_back(std::string(row.name) + info.suffix, !(row.encoding.*info.absent));
      items.push_back(bytes);
    }
  }
  ASSERT_GT(cases.size(), 500u);
  const std::vector<std::string> texts = llvm_disassemble(items, GetParam());
  Report report;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [name, exists] = cases[i];
    const bool known = texts[i].starts_with(name + " ");
    if (known == exists) continue;
    report.add(name, (known ? "LLVM has it: " : "LLVM has none: ") + hex(items[i]) + texts[i]);
  }
  EXPECT_EQ(report.count(), 0u) << report.text();
}

INSTANTIATE_TEST_SUITE_P(Targets, EveryRow, testing::ValuesIn(isa::kTargets),
                         [](const auto& parameter) { return target_name(parameter.param); });

}  // namespace
}  // namespace wavetank::test
