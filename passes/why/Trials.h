// Lines that might make a program move less, tried.
#pragma once

#include "spmd/passes/why/Chains.h"

#include "mlir/IR/IRMapping.h"

#include <map>

namespace spmd {

/// A sharding to give a value, or a result of a function.
struct TriedLine {
  mlir::Value value; ///< Null for a result.
  mlir::func::FuncOp func;
  unsigned result = 0;
  sdy::ShardingAttr sharding;
};

/// Returns what may spare or shrink a move: the value made as it is wanted, or reduced into pieces,
/// or the op that wants it split as the value is.
std::vector<TriedLine> linesFor(const Cause &cause, ChainFinder &finder);

/// Tries lines on copies of a program.
class Trials {
public:
  /// Lines are of the copy of `original` that `copies` made. `wireBytes` is what the program
  /// sends as it is.
  Trials(mlir::ModuleOp original, const mlir::IRMapping &copies, const PipelineOptions &options,
         int64_t wireBytes);

  /// Returns whether there is time for one more.
  bool mayTry() const { return left > 0; }

  /// Returns whether the line was tried before, which takes no time then.
  bool isKnown(const TriedLine &line) const { return known.count(keyOf(line)) > 0; }

  /// Returns what the program sends with the line's line, if that is less.
  std::optional<WhyAdvice> attempt(const TriedLine &line);

private:
  using Key = std::tuple<const void *, unsigned, const void *>;
  static Key keyOf(const TriedLine &line);
  std::optional<WhyAdvice> run(const TriedLine &line);
  mlir::Value originalOf(mlir::Value copy) const;
  bool writeLine(const TriedLine &line, const mlir::IRMapping &copies) const;

  mlir::ModuleOp original;
  llvm::DenseMap<mlir::Value, mlir::Value> originals; ///< By the value of the copy.
  PipelineOptions options;
  int64_t wireBytes;
  int64_t left; ///< Trials.
  std::map<Key, std::optional<WhyAdvice>> known;
};

} // namespace spmd
