// Which programs are interesting: those on which the user's command still does what it did.
#pragma once

#include "spmd/tools/spmd-reduce/Command.h"

#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace spmd {

/// The end of a command that makes a program interesting.
struct ExpectedExit {
  enum class Kind { code, nonzero, crash };
  Kind kind = Kind::code;
  int code = 0; ///< Of Kind::code.

  bool matches(int exitCode) const;
  std::string str() const;
  /// Reads `nonzero`, `crash` or a number of 0 to 255.
  static std::optional<ExpectedExit> fromText(llvm::StringRef text);
};

struct InterestSettings {
  std::string command; ///< `{}` stands for the file; without it, the file is the last word.
  ExpectedExit exit;
  std::vector<std::string> errorTexts; ///< All must occur on standard error.
  int64_t limitInSeconds = 60;
  int64_t maxRuns = 0; ///< 0 is any number.
  ShouldStop shouldStop = [] { return false; };
};

/// Runs the user's command on programs, each text once.
class Interest {
public:
  explicit Interest(InterestSettings settings);
  ~Interest();
  Interest(const Interest &) = delete;
  Interest &operator=(const Interest &) = delete;

  /// Returns whether there is a folder to write programs to; whyNot() tells what is wrong.
  bool isReady() const { return !folder.empty(); }
  /// Returns whether `program` is interesting. A text that was asked before is not: what is
  /// interesting is kept, so that the search never goes in circles.
  bool isInteresting(const std::string &program);
  /// Returns whether no more programs may be tried: stopped, or maxRuns of them were.
  bool isOver() const;
  bool isStopped() const { return settings.shouldStop(); }
  /// Returns how often the command ran.
  int64_t numRuns() const { return runs; }
  /// Returns why the last program was not interesting.
  const std::string &whyNot() const { return reason; }

private:
  bool judge(const CommandOutcome &outcome);

  InterestSettings settings;
  std::string folder, reason;
  llvm::DenseSet<uint64_t> seen; ///< Hashes of texts.
  int64_t runs = 0;
};

} // namespace spmd
