// Sizes that depend on data: what the program up to here computes of the arguments of this run.
//
//     %n = stablehlo.reduce(%positive ..)              asked for %n: the reduction and what it
//     %0 = stablehlo.dynamic_iota %n ..                needs is cut out, run, and %n is known
//
// Refinement goes in program order, so all that stands before an op is static when its sizes are
// asked for. What was computed once is kept as long as something else may need it: each op runs at
// most once for each function it is in.
#pragma once

#include "spmd/passes/refine/Callees.h"
#include "spmd/passes/refine/Execution.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace spmd {

/// Why elements cannot be known.
struct Obstacle {
  mlir::Value value;  ///< What they follow from; null where it was computed in vain.
  std::string reason; ///< What is to say of `value`, or what went wrong; empty if reported.
};

/// Computes values of the functions that are being refined: @main, and through calls those it is
/// in. A function is named by an operation that is not erased meanwhile.
class Evaluation {
public:
  Evaluation(mlir::SymbolTable &symbols, const Callees &callees, Execution &execution)
      : symbols(symbols), callees(callees), execution(execution) {}

  /// Begins with the body of `func`, which `call` runs; null for @main.
  void enter(mlir::func::FuncOp func, mlir::Operation *call);
  /// Ends with the function entered last, and forgets its values. Returns the numbers of its
  /// arguments that something was asked of: if there are any, it is the version of that call alone.
  llvm::SmallVector<unsigned> leave();

  /// Says that `target` is `source` wherever it is used: a carry that no round changes.
  void equate(mlir::Value target, mlir::Value source);

  /// Computes nothing any more: something is wrong with the program, and reported.
  void stop() { isStopped = true; }

  /// Finds out the elements of `values`, integers of the function entered last, in one run.
  std::optional<Obstacle> compute(llvm::ArrayRef<mlir::Value> values, std::vector<Ints> &elements);

private:
  /// A function that is being refined.
  struct Frame {
    mlir::func::FuncOp func;
    llvm::SetVector<unsigned> asked;               ///< Numbers of arguments.
    llvm::SmallVector<mlir::Value> arrays, equals; ///< Keys of the tables, to be forgotten.
  };
  struct Slice;

  mlir::Value resolve(mlir::Value value);
  std::optional<Obstacle> obstacleAt(mlir::Value value);
  std::optional<Obstacle> take(mlir::BlockArgument argument);
  std::optional<Obstacle> collect(llvm::ArrayRef<mlir::Value> values, Slice &slice);
  mlir::OwningOpRef<mlir::ModuleOp> programOf(const Slice &slice,
                                              llvm::ArrayRef<mlir::Value> results);
  void addSymbols(mlir::ModuleOp program);
  std::optional<Obstacle> run(const Slice &slice, llvm::ArrayRef<mlir::Value> values);
  void keep(mlir::Value value, Execution::ArrayRef array);

  mlir::SymbolTable &symbols;
  const Callees &callees;
  Execution &execution;
  bool isStopped = false;
  std::vector<Frame> frames;
  llvm::DenseMap<mlir::Operation *, size_t> frameOf;
  llvm::DenseMap<mlir::Value, mlir::Value> equals;
  llvm::DenseMap<mlir::Value, Execution::ArrayRef> arrays;
};

} // namespace spmd
