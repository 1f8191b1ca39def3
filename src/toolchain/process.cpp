#include "toolchain/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>

extern char** environ;

namespace wavetank::toolchain {
namespace {

/// kLost: what the program prints is lost, and it reads nothing.
enum class Capture : std::uint8_t { kNothing, kLost, kOutput, kOutputAndErrors };

/// The environment without LD_PRELOAD, which names libraries for this program alone.
std::vector<char*> environment_of_tools() {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::string_view(*variable).rfind("LD_PRELOAD=", 0) != 0) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

/// Errors go to nobody and input comes from a file, if one is given.
Result<Finished> start(const std::vector<std::string>& argv, Capture what,
                       const char* input = nullptr) {
  const bool capture = what == Capture::kOutput || what == Capture::kOutputAndErrors;
  int pipe_ends[2] = {-1, -1};
  if (capture && pipe2(pipe_ends, O_CLOEXEC) != 0) {
    return fail(ErrorCode::kInternal, fmt::format("pipe: {}", std::strerror(errno)));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (capture) {
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
    if (what == Capture::kOutputAndErrors) {
      posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
    }
  }
  if (what == Capture::kLost) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  if (input != nullptr) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  std::vector<char*> pointers;
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  pid_t pid = 0;
  std::vector<char*> tools = environment_of_tools();
  const bool is_tool = what == Capture::kOutputAndErrors || input != nullptr;
  char** const variables = is_tool ? tools.data() : environ;
  const int error = posix_spawnp(&pid, pointers[0], &actions, nullptr, pointers.data(), variables);
  posix_spawn_file_actions_destroy(&actions);
  if (capture) close(pipe_ends[1]);
  if (error != 0) {
    if (capture) close(pipe_ends[0]);
    return fail(ErrorCode::kFileUnreadable,
                fmt::format("cannot start {}: {}", argv[0], std::strerror(error)));
  }
  Finished finished;
  if (capture) {
    char buffer[65536];
    for (;;) {
      const ssize_t got = read(pipe_ends[0], buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      finished.output.append(buffer, static_cast<std::size_t>(got));
    }
    close(pipe_ends[0]);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  finished.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

volatile std::sig_atomic_t asked_to_end = 0;

}  // namespace

Result<Finished> run_process(const std::vector<std::string>& argv) {
  return start(argv, Capture::kNothing);
}

Uninterrupted::Uninterrupted() {
  // A handler, unlike SIG_IGN, is not inherited.
  struct sigaction ours = {};
  ours.sa_handler = [](int) { asked_to_end = 1; };
  sigaction(SIGINT, &ours, &before_);
}

Uninterrupted::~Uninterrupted() { sigaction(SIGINT, &before_, nullptr); }

bool Uninterrupted::was_asked_to_end() { return asked_to_end != 0; }

Result<Finished> run_quietly(const std::vector<std::string>& argv) {
  return start(argv, Capture::kLost);
}

Result<Finished> capture_process(const std::vector<std::string>& argv) {
  return start(argv, Capture::kOutput);
}

Result<Finished> capture_tool(const std::vector<std::string>& argv) {
  return start(argv, Capture::kOutputAndErrors);
}

Result<Finished> ask_tool(const std::vector<std::string>& argv,
                          const std::filesystem::path& questions) {
  return start(argv, Capture::kOutput, questions.c_str());
}

std::optional<std::string> find_program(const std::string& name) {
  const auto runnable = [](const std::string& path) {
    return access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path);
  };
  if (name.find('/') != std::string::npos) {
    return runnable(name) ? std::optional(name) : std::nullopt;
  }
  const char* variable = std::getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "/usr/bin:/bin";
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const std::string candidate = fmt::format("{}/{}", path.substr(0, end), name);
    if (runnable(candidate)) return candidate;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return std::nullopt;
}

}  // namespace wavetank::toolchain
