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

bool has_debug_lines(const std::vector<std::byte>& file) {
  const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
  return bytes.find(".debug_line") != std::string_view::npos;
}

bool is_system_header(std::string_view path) {
  return path.starts_with("/usr/") || path.starts_with("/opt/rocm") ||
         path.find("/share/wavetank/include/") != std::string_view::npos;
}

/// "path/file.hip:88:12" as "file.hip:88"; empty for "??:0:0".
std::string short_place(std::string_view frame) {
  if (frame.empty() || frame.starts_with("??")) return {};
  frame = frame.substr(0, frame.rfind(':'));
  if (frame.ends_with(":0")) return {};
  const std::size_t slash = frame.rfind('/');
  return std::string(slash == std::string_view::npos ? frame : frame.substr(slash + 1));
}

/// One answer: the frames of an address, innermost first. The innermost in the program's own files
/// says most to its author.
std::string best_place(const std::vector<std::string_view>& frames) {
  std::string fallback;
  for (const std::string_view frame : frames) {
    const std::string place = short_place(frame);
    if (place.empty()) continue;
    if (!is_system_header(frame)) return place;
    fallback = place;
  }
  return fallback;
}

/// Splits the symbolizer's output: a block of frames for each address, then an empty line.
std::vector<std::string> parse_places(std::string_view text) {
  std::vector<std::string> places;
  std::vector<std::string_view> frames;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty()) {
      frames.push_back(line);
      continue;
    }
    places.push_back(best_place(frames));
    frames.clear();
  }
  return places;
}

}  // namespace

std::vector<std::string> source_lines(const code_object::LoadedCodeObject& code,
                                      const std::vector<std::uint64_t>& virtual_addresses) {
  std::vector<std::string> places;
  if (has_debug_lines(code.file) && !virtual_addresses.empty()) {
    const int file = anonymous_file(code.file);
    if (file >= 0) {
      std::vector<std::string> command = {"llvm-symbolizer-19", "--functions=none",
                                          fmt::format("--obj=/proc/self/fd/{}", file)};
      for (const std::uint64_t address : virtual_addresses) {
        command.push_back(fmt::format("{:#x}", address));
      }
      places = parse_places(output_of(command));
      close(file);
    }
  }
  places.resize(virtual_addresses.size());
  return places;
}

std::string source_line(const code_object::LoadedCodeObject& code, std::uint64_t virtual_address) {
  return source_lines(code, {virtual_address}).front();
}

}  // namespace wavetank::dispatch
