#include "toolchain/process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "unit/toolchain/folder.hpp"

namespace wavetank::toolchain {
namespace {

/// The letter that /proc has for a process: S sleeps, Z has ended; 0 where there is none.
char state_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string number, name;
  char state = 0;
  file >> number >> name >> state;
  return state;
}

/// Calls `holds` until it does, for ten seconds.
template <class Holds>
bool comes_true(Holds holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

TEST(Process, GivesTheExitStatusAsAShellDoes) {
  EXPECT_EQ(run_process({"sh", "-c", "exit 3"})->exit_status, 3);
  EXPECT_EQ(run_quietly({"sh", "-c", "echo lost; kill -TERM $$"})->exit_status, 128 + SIGTERM);
  EXPECT_EQ(capture_process({"sh", "-c", "printf heard; exit 4"})->output, "heard");
}

TEST(Process, SaysWhatCannotBeStarted) {
  for (const auto run : {run_process, run_quietly, capture_process, capture_tool}) {
    const auto finished = run({"/nowhere/program"});
    ASSERT_FALSE(finished);
    EXPECT_EQ(finished.error().message, "cannot start /nowhere/program: No such file or directory");
  }
}

TEST(Process, OfAToolIsGivenWhatItPrintsOrComplainsOf) {
  const Folder folder;
  const auto questions = folder.write("questions", std::string("who\n"));
  EXPECT_EQ(capture_tool({"sh", "-c", "echo said; echo complained >&2"})->output,
            "said\ncomplained\n");
  EXPECT_EQ(ask_tool({"sh", "-c", "cat; echo complained >&2"}, questions)->output, "who\n");
}

TEST(Process, EndsWithTheOneThatStartedItHoweverThatEnds) {
  for (const auto run : {run_process, run_quietly, capture_process}) {
    const Folder folder;
    const std::string file = (folder.path() / "pid").string();
    const pid_t starter = fork();
    if (starter == 0) {
      const auto finished = run({"sh", "-c", "echo $$ > " + file + "; exec sleep 600"});
      _exit(finished ? 0 : 1);
    }
    pid_t program = 0;
    ASSERT_TRUE(comes_true([&] { return bool(std::ifstream(file) >> program); }));
    EXPECT_NE(state_of(program), 0);
    kill(starter, SIGKILL);
    waitpid(starter, nullptr, 0);
    EXPECT_TRUE(comes_true([&] { return state_of(program) == 0 || state_of(program) == 'Z'; }));
  }
}

}  // namespace
}  // namespace wavetank::toolchain
