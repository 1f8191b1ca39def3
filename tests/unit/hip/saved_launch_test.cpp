// Moments that are kept in processes of their own.
#include "hip/runtime/timed/saved_launch.hpp"

#include "hip/runtime/run_watch.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace wavetank::hip {
namespace {

using Answers = std::vector<std::optional<std::string>>;

Answers ask(SavedLaunch& saved, const std::vector<std::string>& questions) {
  return saved.ask(questions, 2, std::chrono::seconds(20), [](std::size_t) { return true; });
}

TEST(SavedLaunch, AnswersAreThoseOfTheMomentThatWasSaved) {
  int value = 1;
  const auto saved = SavedLaunch::save([&](std::string_view question) {
    ++value;
    return std::string(question) + std::to_string(value);
  });
  ASSERT_NE(saved, nullptr);
  value = 10;
  EXPECT_EQ(ask(*saved, {"a", "b", "c"}), (Answers{"a2", "b2", "c2"}));
  EXPECT_EQ(value, 10);
  EXPECT_EQ(ask(*saved, {"again"}), Answers{"again2"});
}

TEST(SavedLaunch, OfAProcessThatEndsEarlyThereIsNoAnswerButOfTheOthers) {
  const auto saved = SavedLaunch::save([](std::string_view question) -> std::string {
    if (question == "crash") std::raise(SIGKILL);
    if (question == "exit") std::_Exit(3);
    return "fine";
  });
  ASSERT_NE(saved, nullptr);
  EXPECT_EQ(ask(*saved, {"", "crash", "exit", "."}),
            (Answers{"fine", std::nullopt, std::nullopt, "fine"}));
}

TEST(SavedLaunch, WhatIsTooLongForAMessageIsNotCutShort) {
  const auto saved = SavedLaunch::save([](std::string_view question) {
    return question == "much" ? std::string(1 << 20, '.') : std::to_string(question.size());
  });
  ASSERT_NE(saved, nullptr);
  EXPECT_EQ(ask(*saved, {"", "much", std::string(1 << 20, '?'), ".."}),
            (Answers{"0", std::nullopt, std::nullopt, "2"}));
}

TEST(SavedLaunch, WhatDoesNotEndIsEnded) {
  const auto saved = SavedLaunch::save([](std::string_view) -> std::string {
    for (volatile bool forever = true; forever;) {
    }
    return "";
  });
  ASSERT_NE(saved, nullptr);
  EXPECT_EQ(saved->ask({"now"}, 1, std::chrono::seconds(1), [](std::size_t) { return true; }),
            Answers{std::nullopt});
}

TEST(SavedLaunch, WhoAsksMayStopWaiting) {
  const auto saved = SavedLaunch::save([](std::string_view question) -> std::string {
    while (question == "wait") {
    }
    return "fine";
  });
  ASSERT_NE(saved, nullptr);
  const auto answers = saved->ask({"", "wait", ""}, 1, std::chrono::seconds(5),
                                  [](std::size_t done) { return done == 0; });
  EXPECT_EQ(answers, (Answers{"fine", std::nullopt, std::nullopt}));
}

TEST(SavedLaunch, TheProgramHasNoChildThatItDidNotMake) {
  const auto saved = SavedLaunch::save([](std::string_view) { return std::string(); });
  ASSERT_NE(saved, nullptr);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(RunWatch, SaysHowMuchIsDoneHowFastAndWhatIsLeft) {
  EXPECT_EQ(progress_text("tiled<0>(double const*)", "workgroups", 1024, 4096, 2),
            "tiled<0>: 1024 of 4096 workgroups, 25 %, 512 a second, 6 s left");
  EXPECT_EQ(progress_text("k", "what-ifs", 0, 0, 5), "k: 0 of 0 what-ifs, 0 %");
}

}  // namespace
}  // namespace wavetank::hip
