#include "cli/check/text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace wavetank::cli {
namespace {

using check::Diagnosis;

class CheckText : public ::testing::Test {
 protected:
  CheckText() {
    std::ofstream file(source_);
    for (int i = 1; i < 112; ++i) file << "\n";
    file << "  tile[x] = in[x];\n\tout[x] =\ttile[y];\n";
  }
  ~CheckText() override { std::filesystem::remove(source_); }

  Diagnosis race(unsigned column) const {
    Diagnosis diagnosis;
    diagnosis.code = ErrorCode::kDataRace;
    diagnosis.message = "data race on LDS";
    diagnosis.spots = {
        {{source_, 112, column}, "kernel \"k\" + 0x8", "ds_write_b32 v2, v0", "written"}};
    return diagnosis;
  }
  std::string text_of(const Diagnosis& diagnosis) {
    return diagnosis_text({diagnosis}, sources_, Style::plain());
  }

  const std::string source_ = ::testing::TempDir() + "check_text_test.hip";
  SourceText sources_;
};

TEST_F(CheckText, TheInstructionStandsUnderWhatItCameFrom) {
  EXPECT_EQ(text_of(race(11)),
            "error[E0310]: data race on LDS\n"
            "   --> check_text_test.hip:112\n"
            "    |\n"
            "112 |  tile[x] = in[x];\n"
            "    |          ^ ds_write_b32 v2, v0\n"
            "    |  written\n");
}

TEST_F(CheckText, ALineWithoutColumnIsShownWhole) {
  EXPECT_EQ(text_of(race(0)),
            "error[E0310]: data race on LDS\n"
            "   --> check_text_test.hip:112\n"
            "    |\n"
            "112 |  tile[x] = in[x];\n"
            "    |  ds_write_b32 v2, v0\n"
            "    |  written\n");
}

TEST_F(CheckText, TabsBeforeTheMarkStay) {
  Diagnosis diagnosis = race(11);
  diagnosis.spots[0].source.line = 113;
  EXPECT_NE(text_of(diagnosis).find("113 |  out[x] =\ttile[y];\n    |          \t^ ds_write"),
            std::string::npos)
      << text_of(diagnosis);
}

TEST_F(CheckText, WithoutItsFileASpotHasItsInstruction) {
  Diagnosis diagnosis = race(11);
  diagnosis.spots[0].source = {"/no/such/file.hip", 7, 3};
  diagnosis.level = check::Level::kNote;
  diagnosis.note = "by chance";
  diagnosis.count = 3;
  EXPECT_EQ(text_of(diagnosis),
            "note[E0310]: data race on LDS\n"
            "  --> file.hip:7\n"
            "   |  ds_write_b32 v2, v0\n"
            "   |  written\n"
            "   = note: by chance\n"
            "   = note: 3 times\n");
}

TEST_F(CheckText, WithoutDebugInformationTheCodeIsNamed) {
  Diagnosis diagnosis = race(11);
  diagnosis.spots[0].source = {};
  EXPECT_NE(text_of(diagnosis).find("  --> kernel \"k\" + 0x8\n   |  ds_write"), std::string::npos);
}

}  // namespace
}  // namespace wavetank::cli
