#include "hip/runtime/timed/saved_launch.hpp"

#include <malloc.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>

namespace wavetank::hip {
namespace {

// A message is a number and a text. Sockets of this type keep each whole; a longer one is not sent.
constexpr std::size_t kLongestMessage = 64 * 1024;
/// Of the number: the process that worked at the answer ended without one.
constexpr char kAnswered = 'A', kLost = 'X';

struct Message {
  std::size_t number = 0;
  std::string text;
};

bool send_message(int socket, std::size_t number, std::string_view text) {
  const std::string message = std::to_string(number) + " " + std::string(text);
  if (message.size() > kLongestMessage) return false;
  return ::send(socket, message.data(), message.size(), MSG_NOSIGNAL) >= 0;
}

std::optional<Message> receive_message(int socket) {
  std::string bytes(kLongestMessage, '\0');
  ssize_t size = 0;
  do {
    size = ::recv(socket, bytes.data(), bytes.size(), 0);
  } while (size < 0 && errno == EINTR);
  if (size <= 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(size));
  Message message;
  const auto [end, error] =
      std::from_chars(bytes.data(), bytes.data() + bytes.size(), message.number);
  const auto digits = static_cast<std::size_t>(end - bytes.data());
  if (error != std::errc() || digits >= bytes.size()) return std::nullopt;
  message.text = bytes.substr(digits + 1);
  return message;
}

void limit_processor_time(rlim_t seconds) {
  const rlimit limit{seconds, seconds};
  ::setrlimit(RLIMIT_CPU, &limit);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

/// What was freed is taken again instead of new pages: a process that is forked pays for each page
/// that it touches first, and this one does not last.
void keep_freed_memory() {
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);  // more than there is to free
  ::mallopt(M_MMAP_THRESHOLD, 1 << 25);  // the largest that is allowed
  ::mallopt(M_TOP_PAD, 1 << 24);         // asked for at once: a few times for the whole model
}

/// A process that waits for another one, which answers: a crash of that is seen.
void answer_beside(int socket, const Message& question, const SavedLaunch::Answer& answer) {
  if (::fork() != 0) return;
  std::signal(SIGCHLD, SIG_DFL);
  const std::size_t space = question.text.find(' ');
  const pid_t worker = ::fork();
  if (worker == 0) {
    keep_freed_memory();
    limit_processor_time(std::strtoul(question.text.c_str(), nullptr, 10));
    const std::string text = answer(std::string_view(question.text).substr(space + 1));
    ::_exit(send_message(socket, question.number, kAnswered + text) ? 0 : 1);
  }
  int status = 0;
  if (worker < 0 || ::waitpid(worker, &status, 0) != worker || status != 0) {
    send_message(socket, question.number, std::string(1, kLost));
  }
  ::_exit(0);
}

[[noreturn]] void serve(int socket, const SavedLaunch::Answer& answer) {
  // Nobody waits for the processes that answer.
  std::signal(SIGCHLD, SIG_IGN);
  // Who asks decides what an interruption ends.
  std::signal(SIGINT, SIG_IGN);
  while (const std::optional<Message> question = receive_message(socket)) {
    answer_beside(socket, *question, answer);
  }
  ::_exit(0);
}

}  // namespace

std::unique_ptr<SavedLaunch> SavedLaunch::save(const Answer& answer) {
  std::array<int, 2> ends = {};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return nullptr;
  // The program must not see a child of its own end: this one's parent ends at once.
  const pid_t between = ::fork();
  if (between == 0) {
    const pid_t saved = ::fork();
    if (saved != 0) ::_exit(saved < 0 ? 1 : 0);
    ::close(ends[0]);
    serve(ends[1], answer);
  }
  ::close(ends[1]);
  int status = 0;
  while (between > 0 && ::waitpid(between, &status, 0) < 0 && errno == EINTR) {
  }
  if (between < 0 || status != 0) {
    ::close(ends[0]);
    return nullptr;
  }
  return std::unique_ptr<SavedLaunch>(new SavedLaunch(ends[0]));
}

SavedLaunch::~SavedLaunch() { ::close(socket_); }

std::vector<std::optional<std::string>> SavedLaunch::ask(
    const std::vector<std::string>& questions, unsigned at_once, std::chrono::seconds most,
    const std::function<bool(std::size_t)>& goes_on) {
  std::vector<std::optional<std::string>> answers(questions.size());
  std::size_t asked = 0, done = 0;
  // A process that sleeps uses no processor time: it is not waited for much longer.
  const auto patience = 4 * most;
  auto last = std::chrono::steady_clock::now();
  while (done < questions.size() && goes_on(done)) {
    for (; asked < questions.size() && asked < done + at_once; ++asked) {
      const std::string question = std::to_string(most.count()) + " " + questions[asked];
      if (!send_message(socket_, asked, question)) ++done;
    }
    if (done == questions.size()) break;
    constexpr int kLookMilliseconds = 200;
    pollfd ready{socket_, POLLIN, 0};
    if (::poll(&ready, 1, kLookMilliseconds) <= 0) {
      if (std::chrono::steady_clock::now() - last > patience) return answers;
      continue;
    }
    last = std::chrono::steady_clock::now();
    std::optional<Message> answer = receive_message(socket_);
    if (!answer || answer->number >= answers.size()) return answers;
    if (answer->text.starts_with(kAnswered)) answers[answer->number] = answer->text.substr(1);
    ++done;
  }
  return answers;
}

}  // namespace wavetank::hip
