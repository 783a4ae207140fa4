// Running a command of the user's.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <optional>
#include <string>

namespace spmd {

/// What a command left behind.
struct CommandOutcome {
  int exitCode = 0;      ///< As a shell counts: 128 + N where signal N ended it.
  bool timedOut = false; ///< It ran past its limit and was killed.
  std::string errors;    ///< Its standard error.
};

/// Asked while a command runs: whether to kill it and return.
using ShouldStop = bool (*)();

/// Runs `command` by /bin/sh, without standard input and with its standard output thrown away; its
/// standard error goes through the file `errorsPath`. What it started dies with it.
///
/// Returns nothing where no process could be made or `shouldStop` said so.
std::optional<CommandOutcome> runCommand(const std::string &command, const std::string &errorsPath,
                                         std::chrono::milliseconds limit, ShouldStop shouldStop);

/// Returns `text` as one word of a shell.
std::string shellQuoted(llvm::StringRef text);

} // namespace spmd
