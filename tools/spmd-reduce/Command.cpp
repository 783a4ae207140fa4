#include "spmd/tools/spmd-reduce/Command.h"

#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace spmd {

namespace {

/// Becomes the command; only what is allowed between fork and exec.
[[noreturn]] void become(const char *command, const char *errorsPath) {
  setpgid(0, 0); // A group of its own: the whole of it can be killed.
  int null = open("/dev/null", O_RDWR);
  int errors = open(errorsPath, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (null < 0 || errors < 0)
    _exit(127);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  execl("/bin/sh", "sh", "-c", command, nullptr);
  _exit(127);
}

} // namespace

std::optional<CommandOutcome> runCommand(const std::string &command, const std::string &errorsPath,
                                         std::chrono::milliseconds limit, ShouldStop shouldStop) {
  using Clock = std::chrono::steady_clock;
  pid_t child = fork();
  if (child < 0)
    return std::nullopt;
  if (child == 0)
    become(command.c_str(), errorsPath.c_str());
  setpgid(child, child); // Whoever comes first; the other call does nothing.

  CommandOutcome outcome;
  Clock::time_point end = Clock::now() + limit;
  int status = 0;
  bool stopped = false;
  // Short naps first: most commands take a few milliseconds.
  std::chrono::microseconds nap(200);
  while (waitpid(child, &status, WNOHANG) == 0) {
    outcome.timedOut = Clock::now() > end;
    stopped = shouldStop();
    if (outcome.timedOut || stopped) {
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      break;
    }
    std::this_thread::sleep_for(nap);
    nap = std::min<std::chrono::microseconds>(nap * 2, std::chrono::milliseconds(10));
  }
  kill(-child, SIGKILL); // What it left running.
  if (stopped)
    return std::nullopt;
  outcome.exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (auto errors = llvm::MemoryBuffer::getFile(errorsPath))
    outcome.errors = (*errors)->getBuffer().str();
  return outcome;
}

std::string shellQuoted(llvm::StringRef text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

} // namespace spmd
