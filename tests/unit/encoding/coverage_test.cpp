// Rows against the mnemonics that real libraries contain: tests/data/isa/in_use.csv.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "isa/catalogue.hpp"

namespace wavetank::test {
namespace {

struct InUse {
  std::string mnemonic;
  double share_percent = 0;
  bool gfx90a = false, gfx942 = false;
};

std::vector<InUse> census() {
  std::vector<InUse> result;
  std::ifstream file(WAVETANK_TEST_DATA "/isa/in_use.csv");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line.starts_with("mnemonic,")) continue;
    std::istringstream fields(line);
    InUse item;
    std::string share, on_90a, on_942;
    std::getline(fields, item.mnemonic, ',');
    std::getline(fields, share, ',');
    std::getline(fields, on_90a, ',');
    std::getline(fields, on_942, ',');
    item.share_percent = std::stod(share);
    item.gfx90a = on_90a == "yes";
    item.gfx942 = on_942 == "yes";
    result.push_back(item);
  }
  return result;
}

bool is_matrix(const std::string& mnemonic) {
  return mnemonic.starts_with("v_mfma") || mnemonic.starts_with("v_smfmac");
}

TEST(Coverage, EveryMnemonicInUseHasARow) {
  const std::vector<InUse> all = census();
  ASSERT_GT(all.size(), 400u);
  std::string missing;
  double covered_percent = 0, matrix_percent = 0;
  for (const InUse& item : all) {
    const bool on_90a = !item.gfx90a || isa::find_row(item.mnemonic, isa::kGfx90a);
    const bool on_942 = !item.gfx942 || isa::find_row(item.mnemonic, isa::kGfx942);
    if (on_90a && on_942) {
      covered_percent += item.share_percent;
    } else if (is_matrix(item.mnemonic)) {
      matrix_percent += item.share_percent;
    } else {
      missing += "  " + item.mnemonic + (on_90a ? "" : " gfx90a");
      missing += on_942 ? "\n" : " gfx942\n";
    }
  }
  std::cout << "rows cover " << covered_percent << " % of the instructions in use; "
            << matrix_percent << " % are matrix instructions without a row\n";
  EXPECT_EQ(missing, "") << "no row on:\n" << missing;
}

}  // namespace
}  // namespace wavetank::test
