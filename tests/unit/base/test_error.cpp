#include <gtest/gtest.h>

#include "base/error.hpp"

namespace wavetank {
namespace {

TEST(Error, PrintsItsCodeWithFourDigits) {
  EXPECT_EQ((Error{ErrorCode::kUsage, "m"}).code_text(), "E0001");
  EXPECT_EQ((Error{ErrorCode::kUnsupportedInstruction, "m"}).code_text(), "E0103");
}

TEST(Error, PrintsOnlyThePartsThatItHas) {
  EXPECT_EQ((Error{ErrorCode::kBadElf, "no ELF"}).to_text(), "error[E0011]: no ELF\n");
  EXPECT_EQ((Error{ErrorCode::kBadElf, "no ELF", "a.o", "12 bytes", "build it"}).to_text(),
            "error[E0011]: no ELF\n"
            "  --> a.o\n"
            "   = note: 12 bytes\n"
            "   = help: build it\n");
}

}  // namespace
}  // namespace wavetank
