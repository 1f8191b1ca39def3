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

/// A pipe whose ends no other program gets.
class Pipe {
 public:
  Pipe() = default;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  Result<void> open() {
    if (pipe2(ends_, O_CLOEXEC) == 0) return {};
    return fail(ErrorCode::kInternal, fmt::format("pipe: {}", std::strerror(errno)));
  }
  int write_end() const { return ends_[1]; }
  /// All that the others who have the end to write to write there.
  std::string read_all() {
    close_end(1);
    std::string text;
    char buffer[65536];
    for (;;) {
      const ssize_t got = read(ends_[0], buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return text;
      text.append(buffer, static_cast<std::size_t>(got));
    }
  }

 private:
  void close_end(int which) {
    if (ends_[which] >= 0) close(ends_[which]);
    ends_[which] = -1;
  }
  int ends_[2] = {-1, -1};
};

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

/// What a program's streams are: this process's; none, so that what it prints is lost; this
/// process's, but for what it prints, which is captured.
enum class Streams : std::uint8_t { kOurs, kNone, kCaptured };

/// Ends a process that could not become the program, and tells why.
[[noreturn]] void give_up(int report) {
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
  _exit(127);
}

/// Becomes the program, which the end of the parent's thread kills; gives up if it has ended.
[[noreturn]] void become(char* const* words, pid_t parent, Streams streams, int output,
                         int report) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  if (streams == Streams::kNone) {
    const int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0) give_up(report);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
    if (nothing > STDERR_FILENO) close(nothing);
  }
  if (streams == Streams::kCaptured) dup2(output, STDOUT_FILENO);
  execvp(words[0], words);
  give_up(report);
}

/// Runs a program that ends when this process ends, however that is: a profiler that is killed
/// leaves nobody behind. posix_spawn cannot say that.
Result<Finished> run_bound(const std::vector<std::string>& argv, Streams streams) {
  Pipe report, output;
  if (auto opened = report.open(); !opened) return tl::unexpected(opened.error());
  if (streams == Streams::kCaptured) {
    if (auto opened = output.open(); !opened) return tl::unexpected(opened.error());
  }
  const std::vector<char*> words = words_of(argv);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(words.data(), parent, streams, output.write_end(), report.write_end());
  if (pid < 0) return tl::unexpected(not_started(argv[0], errno));
  Finished finished;
  if (streams == Streams::kCaptured) finished.output = output.read_all();
  const std::string failure = report.read_all();
  finished.exit_status = wait_for(pid);
  if (failure.empty()) return finished;
  int error = 0;
  std::memcpy(&error, failure.data(), std::min(failure.size(), sizeof error));
  return tl::unexpected(not_started(argv[0], error));
}

/// Runs a tool from inside any program, which may be too large to be copied by fork, and captures
/// what it prints: with input from a file without its errors, which go to nobody.
Result<Finished> run_tool(const std::vector<std::string>& argv, const char* input = nullptr) {
  Pipe output;
  if (auto opened = output.open(); !opened) return tl::unexpected(opened.error());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDOUT_FILENO);
  if (input == nullptr) {
    posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDERR_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  const std::vector<char*> words = words_of(argv);
  const std::vector<char*> variables = environment_of_tools();
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, words[0], &actions, nullptr, words.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return tl::unexpected(not_started(argv[0], error));
  Finished finished;
  finished.output = output.read_all();
  finished.exit_status = wait_for(pid);
  return finished;
}

volatile std::sig_atomic_t asked_to_end = 0;

}  // namespace

Result<Finished> run_process(const std::vector<std::string>& argv) {
  return run_bound(argv, Streams::kOurs);
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
  return run_bound(argv, Streams::kNone);
}

Result<Finished> capture_process(const std::vector<std::string>& argv) {
  return run_bound(argv, Streams::kCaptured);
}

Result<Finished> capture_tool(const std::vector<std::string>& argv) { return run_tool(argv); }

Result<Finished> ask_tool(const std::vector<std::string>& argv,
                          const std::filesystem::path& questions) {
  return run_tool(argv, questions.c_str());
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
