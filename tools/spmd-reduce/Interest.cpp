#include "spmd/tools/spmd-reduce/Interest.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

namespace spmd {

bool ExpectedExit::matches(int exitCode) const {
  switch (kind) {
  case Kind::code:
    return exitCode == code;
  case Kind::nonzero:
    return exitCode != 0;
  case Kind::crash:
    return exitCode >= 128;
  }
  return false;
}

std::string ExpectedExit::str() const {
  return kind == Kind::code ? std::to_string(code) : kind == Kind::nonzero ? "nonzero" : "crash";
}

std::optional<ExpectedExit> ExpectedExit::fromText(llvm::StringRef text) {
  if (text == "nonzero")
    return ExpectedExit{Kind::nonzero};
  if (text == "crash")
    return ExpectedExit{Kind::crash};
  int code = 0;
  if (text.getAsInteger(10, code) || code < 0 || code > 255)
    return std::nullopt;
  return ExpectedExit{Kind::code, code};
}

Interest::Interest(InterestSettings given) : settings(std::move(given)) {
  llvm::SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("spmd-reduce", path))
    reason = "cannot make a temporary folder: " + error.message();
  else
    folder = path.str().str();
}

Interest::~Interest() {
  if (!folder.empty())
    static_cast<void>(llvm::sys::fs::remove_directories(folder)); // The system cleans up the rest.
}

bool Interest::isOver() const {
  return settings.shouldStop() || (settings.maxRuns > 0 && runs >= settings.maxRuns);
}

/// Returns `command` with `path` where `{}` stands, or at its end.
static std::string commandOn(llvm::StringRef command, llvm::StringRef path) {
  std::string word = shellQuoted(path), result;
  if (!command.contains("{}"))
    return (command + " " + word).str();
  while (true) {
    auto [before, after] = command.split("{}");
    result += before;
    if (before.size() == command.size())
      return result;
    result += word;
    command = after;
  }
}

bool Interest::isInteresting(const std::string &program) {
  if (isOver() || !seen.insert(llvm::xxh3_64bits(program)).second)
    return false;
  std::string path = folder + "/program.mlir";
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os << program;
  os.close();
  if (error || os.has_error()) {
    reason = "cannot write " + path;
    os.clear_error();
    return false;
  }
  ++runs;
  std::optional<CommandOutcome> outcome =
      runCommand(commandOn(settings.command, path), folder + "/errors",
                 std::chrono::seconds(settings.limitInSeconds), settings.shouldStop);
  if (!outcome) {
    reason = "the command was stopped, or could not be started";
    return false;
  }
  return judge(*outcome);
}

bool Interest::judge(const CommandOutcome &outcome) {
  if (outcome.timedOut) {
    reason = "the command ran longer than " + std::to_string(settings.limitInSeconds) + " s";
    return false;
  }
  if (!settings.exit.matches(outcome.exitCode)) {
    reason = "the command's exit code is " + std::to_string(outcome.exitCode) + ", expected " +
             settings.exit.str();
    return false;
  }
  for (const std::string &text : settings.errorTexts)
    if (outcome.errors.find(text) == std::string::npos) {
      reason = "the command's standard error does not hold '" + text + "'";
      return false;
    }
  return true;
}

} // namespace spmd
