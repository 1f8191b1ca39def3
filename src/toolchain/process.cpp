#include "toolchain/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
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

enum class Capture : std::uint8_t { kOutput, kOutputAndErrors };

/// The environment without LD_PRELOAD, which names libraries for this program alone.
std::vector<char*> environment_of_tools() {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::string_view(*variable).rfind("LD_PRELOAD=", 0) != 0) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

/// argv as exec takes it; argv must outlive it.
std::vector<char*> words_of(const std::vector<std::string>& argv) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  return words;
}

Error not_started(const std::string& name, int error) {
  return {ErrorCode::kFileUnreadable,
          fmt::format("cannot start {}: {}", name, std::strerror(error)),
          {},
          {},
          {}};
}

/// Its exit status as a shell says it.
int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string read_all(int end) {
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t got = read(end, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

/// Becomes the program; gives up if `parent` has ended. Writes errno to `report` where it cannot.
[[noreturn]] void become(char* const* words, pid_t parent, bool quiet, int report) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  if (quiet) {
    const int nothing = open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
    if (nothing > STDERR_FILENO) close(nothing);
  }
  execvp(words[0], words);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
  _exit(127);
}

/// Runs a program that ends when this process ends, however that is: a profiler that is killed
/// leaves nobody behind. posix_spawn cannot say that.
Result<Finished> run_bound(const std::vector<std::string>& argv, bool quiet) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) {
    return fail(ErrorCode::kInternal, fmt::format("pipe: {}", std::strerror(errno)));
  }
  const std::vector<char*> words = words_of(argv);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(words.data(), parent, quiet, report[1]);
  const int fork_error = errno;
  close(report[1]);
  const std::string failure = pid < 0 ? "" : read_all(report[0]);
  close(report[0]);
  if (pid < 0) return tl::unexpected(not_started(argv[0], fork_error));
  const int exit_status = wait_for(pid);
  if (!failure.empty()) {
    int error = 0;
    std::memcpy(&error, failure.data(), std::min(failure.size(), sizeof error));
    return tl::unexpected(not_started(argv[0], error));
  }
  return Finished{exit_status, ""};
}

/// Runs a tool from inside any program, which may be too large to be copied by fork. With input
/// from a file its errors go to nobody.
Result<Finished> run_tool(const std::vector<std::string>& argv, Capture what,
                          const char* input = nullptr) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
    return fail(ErrorCode::kInternal, fmt::format("pipe: {}", std::strerror(errno)));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  if (what == Capture::kOutputAndErrors) {
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  }
  if (input != nullptr) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  const std::vector<char*> words = words_of(argv);
  std::vector<char*> tools = environment_of_tools();
  const bool is_tool = what == Capture::kOutputAndErrors || input != nullptr;
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, words[0], &actions, nullptr, words.data(),
                                 is_tool ? tools.data() : environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  std::string output = error == 0 ? read_all(pipe_ends[0]) : "";
  close(pipe_ends[0]);
  if (error != 0) return tl::unexpected(not_started(argv[0], error));
  return Finished{wait_for(pid), std::move(output)};
}

volatile std::sig_atomic_t asked_to_end = 0;

}  // namespace

Result<Finished> run_process(const std::vector<std::string>& argv) {
  return run_bound(argv, false);
}

Uninterrupted::Uninterrupted() {
  // A handler, unlike SIG_IGN, is not inherited.
  struct sigaction ours = {};
  ours.sa_handler = [](int) { asked_to_end = 1; };
  sigaction(SIGINT, &ours, &before_);
}

Uninterrupted::~Uninterrupted() { sigaction(SIGINT, &before_, nullptr); }

bool Uninterrupted::was_asked_to_end() { return asked_to_end != 0; }

Result<Finished> run_quietly(const std::vector<std::string>& argv) { return run_bound(argv, true); }

Result<Finished> capture_process(const std::vector<std::string>& argv) {
  return run_tool(argv, Capture::kOutput);
}

Result<Finished> capture_tool(const std::vector<std::string>& argv) {
  return run_tool(argv, Capture::kOutputAndErrors);
}

Result<Finished> ask_tool(const std::vector<std::string>& argv,
                          const std::filesystem::path& questions) {
  return run_tool(argv, Capture::kOutput, questions.c_str());
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
