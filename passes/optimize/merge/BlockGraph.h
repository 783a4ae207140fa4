// The ops of a block by number, and what each waits for.
#pragma once

#include "spmd/dialect/spmd/ByName.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"

#include <vector>

namespace spmd {

/// Knows which ops have effects.
class Effects {
public:
  /// Whether `op`, or an op in its regions, has effects. A call has those of its function.
  bool has(mlir::Operation *op);

private:
  bool ofCall(mlir::CallOpInterface call);
  bool find(mlir::Operation *op);

  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Operation *, bool> ofFunction;
  ByName<bool> pure;
};

/// Ops are numbered in program order, from 0. An op waits for those that make what it, or an op in
/// its regions, reads; one that has effects also for the one with effects before it; the terminator
/// for all that has none behind it. Loads and stores of a buffer that nothing else takes have no
/// such effects: a load waits for the last store, a store for what came since.
class BlockGraph {
public:
  /// `numOps` is how many the block has. Linear in the ops of the block and of their regions.
  BlockGraph(mlir::Block &block, size_t numOps, Effects &effects);
  /// The same ops, numbered as they stand in `order`.
  BlockGraph(const BlockGraph &other, llvm::ArrayRef<int32_t> order);

  int32_t size() const { return static_cast<int32_t>(ops.size()); }
  mlir::Operation *op(int32_t number) const { return ops[number]; }
  /// What op `number` waits for; as often as it reads it.
  llvm::ArrayRef<int32_t> before(int32_t number) const { return slice(befores, number); }
  /// What waits for op `number`.
  llvm::ArrayRef<int32_t> after(int32_t number) const { return slice(afters, number); }
  /// How many ops that compute something have lower numbers: constants do not, nor what only puts
  /// the elements of its operand elsewhere, loads and stores among it.
  int32_t numComputedBefore(int32_t number) const { return computedBefore[number]; }

private:
  /// Lists of numbers, end to end.
  struct Lists {
    std::vector<int32_t> begins, numbers;
  };

  static llvm::ArrayRef<int32_t> slice(const Lists &lists, int32_t at) {
    return llvm::ArrayRef(lists.numbers)
        .slice(lists.begins[at], lists.begins[at + 1] - lists.begins[at]);
  }

  void listAfters();
  void countComputed();

  std::vector<mlir::Operation *> ops;
  Lists befores, afters;
  std::vector<int32_t> computedBefore;
};

} // namespace spmd
