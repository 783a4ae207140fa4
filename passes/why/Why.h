// Why a partitioned program communicates: each collective with what caused it.
#pragma once

#include "spmd/passes/Passes.h"
#include "spmd/passes/explain/Explanation.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace spmd {

/// How a dim came to be split that a move has to do with.
struct WhyChain {
  std::string text; ///< `%w1 dim 1 is split along "model"`, with what that means for the move.
  std::vector<ToldLink> chain; ///< May be empty.
};

/// One value that moves, and the op that it moves for.
struct WhyCause {
  std::string reason; ///< "operand 1 of 'stablehlo.dot_general'"
  std::string user, userLocation;
  std::string value, valueLocation; ///< As the program calls it.
  std::string from, to, type;       ///< Empty where the op moves data by itself.
  std::optional<int64_t> least;     ///< Bytes that any way to make the move sends, in all runs.
  std::vector<WhyChain> chains;
};

/// A line that was tried, and made the program move less.
struct WhyAdvice {
  std::string write;
  int64_t wireBytes = 0;  ///< That one device of the program then sends, in all collectives.
  int64_t localBytes = 0; ///< Of the arguments and results that it then holds.
};

struct WhyCollective {
  std::string kind;
  int64_t runs = 1;
  bool hasUnknownTrips = false;
  int64_t groupSize = 1;
  int64_t wireBytes = 0;
  std::optional<int64_t> least;  ///< For its moves, in all runs.
  int32_t sharesMoveWith = -1;   ///< An earlier collective that the same move is made of.
  std::vector<WhyCause> causes;  ///< None if the program itself has it.
  std::vector<WhyAdvice> advice; ///< The best first.
  bool wasTried = false;         ///< Lines were tried, whether or not one helped.
};

struct WhyReport {
  std::string program, mesh;
  int64_t numDevices = 1;
  int64_t wireBytes = 0, localBytes = 0;
  std::vector<WhyCollective> collectives;
};

/// Explains the collectives of `partitioned`, which the stages behind `functionalize` made of
/// `original`. Values are called as their locations say (dialect/spmd/WrittenNames.h). Runs
/// propagation once more, for its history, and the stages a few times, to try lines that might
/// help; in large programs fewer are tried. Fails after diagnostics if `original` cannot be
/// propagated.
mlir::FailureOr<WhyReport> explainCollectives(mlir::ModuleOp original, mlir::ModuleOp partitioned,
                                              const PipelineOptions &options);

/// Prints the report for people: a table, then a block for each collective.
void printText(const WhyReport &report, llvm::raw_ostream &os);
/// `addMore` writes further attributes at the end of the object.
void printJson(
    const WhyReport &report, llvm::raw_ostream &os,
    llvm::function_ref<void(llvm::json::OStream &)> addMore = [](llvm::json::OStream &) {});

} // namespace spmd
