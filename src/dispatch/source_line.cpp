#include "dispatch/source_line.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

extern char** environ;

namespace wavetank::dispatch {
namespace {

/// An anonymous file that a child process can open by its number; -1 on failure.
int anonymous_file(const std::vector<std::byte>& bytes) {
  const int file = memfd_create("wavetank-code-object", 0);
  if (file < 0) return -1;
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = write(file, bytes.data() + written, bytes.size() - written);
    if (count <= 0) {
      close(file);
      return -1;
    }
    written += static_cast<std::size_t>(count);
  }
  return file;
}

std::string read_all(int pipe) {
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = read(pipe, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return text;
}

/// Output of a program on PATH; empty if it cannot run or fails.
std::string output_of(const std::vector<std::string>& command) {
  int pipes[2];
  if (pipe2(pipes, O_CLOEXEC) != 0) return {};
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  // The child must not load the libraries this process runs under.
  std::vector<char*> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("LD_PRELOAD=") && !text.starts_with("LD_LIBRARY_PATH=")) {
      environment.push_back(*entry);
    }
  }
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(),
                                  environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(pipes[1]);
  std::string text = failed == 0 ? read_all(pipes[0]) : std::string();
  close(pipes[0]);
  int status = 0;
  if (failed == 0) waitpid(child, &status, 0);
  return failed == 0 && status == 0 ? text : std::string();
}

}  // namespace

std::string source_line(const code_object::LoadedCodeObject& code, std::uint64_t virtual_address) {
  const int file = anonymous_file(code.file);
  if (file < 0) return {};
  const std::string text = output_of({"llvm-symbolizer-19", "--functions=none", "--no-inlines",
                                      fmt::format("--obj=/proc/self/fd/{}", file),
                                      fmt::format("{:#x}", virtual_address)});
  close(file);
  // "path/file.hip:88:12", or "??:0:0" without debug information.
  std::string_view line = std::string_view(text).substr(0, text.find('\n'));
  if (line.empty() || line.starts_with("??")) return {};
  line = line.substr(0, line.rfind(':'));
  const std::size_t slash = line.rfind('/');
  return std::string(slash == std::string_view::npos ? line : line.substr(slash + 1));
}

}  // namespace wavetank::dispatch
