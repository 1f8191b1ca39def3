// The catalogue against LLVM's list of mnemonics: tests/data/isa/*_mnemonics.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "isa/absent.hpp"
#include "isa/catalogue.hpp"
#include "isa/mnemonic.hpp"

namespace wavetank::tests {
namespace {

using Names = std::set<std::string>;

class Mnemonics : public testing::TestWithParam<isa::Target> {
 protected:
  static std::string target() { return std::string(GetParam().name); }
  static Names of_llvm() {
    Names names;
    std::ifstream file(WAVETANK_TEST_DATA "/isa/" + target() + "_mnemonics.txt");
    for (std::string line; std::getline(file, line);) {
      if (!line.empty() && line[0] != '#') names.insert(line);
    }
    return names;
  }
  static Names of_rows() {
    Names names;
    for (const isa::Row& row : isa::catalogue()) {
      if (!GetParam().has(row.lifetime)) continue;
      for (const std::string& name : isa::mnemonics(row)) names.insert(name);
    }
    return names;
  }
};

std::string list(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += "  " + name + "\n";
  return text;
}

TEST_P(Mnemonics, OfLlvmAllHaveARowOrAReason) {
  const Names llvm = of_llvm(), rows = of_rows();
  ASSERT_GT(llvm.size(), 1000u) << "the list of " << target() << " is missing";
  Names silent;
  for (const std::string& name : llvm) {
    if (!rows.contains(name) && !isa::find_absent(name, GetParam())) silent.insert(name);
  }
  EXPECT_TRUE(silent.empty()) << "neither row nor reason on " << target() << ":\n" << list(silent);
}

TEST_P(Mnemonics, OfRowsAreAllLlvms) {
  const Names llvm = of_llvm();
  Names invented;
  for (const std::string& name : of_rows()) {
    if (!llvm.contains(name)) invented.insert(name);
  }
  EXPECT_TRUE(invented.empty()) << target() << " has no such instruction:\n" << list(invented);
}

TEST_P(Mnemonics, WithAReasonHaveNoRowAndExist) {
  const Names llvm = of_llvm(), rows = of_rows();
  for (const isa::AbsentInstruction& absent : isa::absent_instructions()) {
    if (!GetParam().has(absent.lifetime)) continue;
    const std::string name(absent.mnemonic);
    EXPECT_FALSE(rows.contains(name)) << name << " has a row";
    EXPECT_TRUE(llvm.contains(name)) << target() << " has no " << name;
    EXPECT_FALSE(absent.reason->text.empty()) << name;
  }
}

TEST_P(Mnemonics, FindTheirRow) {
  for (const std::string& name : of_rows()) {
    const isa::Row* row = isa::find_row(name, GetParam());
    ASSERT_NE(row, nullptr) << name;
    const std::vector<std::string> own = isa::mnemonics(*row);
    EXPECT_NE(std::find(own.begin(), own.end(), name), own.end()) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Mnemonics, testing::ValuesIn(isa::kTargets),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace wavetank::tests
