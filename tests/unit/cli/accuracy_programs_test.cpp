// Where `wavetank bench accuracy` keeps its programs, and when it compiles one anew.
#include "cli/bench/programs.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "toolchain/temporary_folder.hpp"

namespace wavetank::cli {
namespace {

class AccuracyPrograms : public testing::Test {
 protected:
  AccuracyPrograms() {
    write("chase.hip", "source");
    write("common.hpp", "header");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  std::string name(const std::vector<std::string>& command = {"clang", "-O3"}) const {
    return accuracy_cache_name("chase", folder_.path(), command).value();
  }

  toolchain::TemporaryFolder folder_ = toolchain::TemporaryFolder::make().value();
};

TEST_F(AccuracyPrograms, AreNamedAfterTheirFamilies) {
  EXPECT_EQ(accuracy_program_name("dispatch-rate"), "dispatch_rate");
  EXPECT_TRUE(name().starts_with("accuracy-chase-"));
}

TEST_F(AccuracyPrograms, KeepTheirNameWhileNothingChanges) {
  const std::string before = name();
  write("other.hip", "another program");
  EXPECT_EQ(name(), before);
}

TEST_F(AccuracyPrograms, AreOthersWithAnotherSourceHeaderOrCommand) {
  const std::string before = name();
  EXPECT_NE(name({"clang", "-O2"}), before);
  write("chase.hip", "edited");
  const std::string edited = name();
  EXPECT_NE(edited, before);
  write("common.hpp", "edited");
  EXPECT_NE(name(), edited);
}

TEST_F(AccuracyPrograms, WithoutASourceAreAnErrorThatNamesIt) {
  const auto programs = accuracy_programs({"cooking"}, folder_.path(), folder_.path());
  ASSERT_FALSE(programs.has_value());
  EXPECT_EQ(programs.error().where, (folder_.path() / "cooking.hip").string());
}

TEST_F(AccuracyPrograms, ThatAreNotNeededAreNotLookedFor) {
  EXPECT_TRUE(accuracy_programs({}, folder_.path(), folder_.path()).value().empty());
}

}  // namespace
}  // namespace wavetank::cli
