// From the cause of a move to the decisions behind it, in the history of propagation.
#pragma once

#include "spmd/dialect/spmd/Causes.h"
#include "spmd/passes/explain/Tell.h"
#include "spmd/passes/why/Why.h"

namespace spmd {

/// The op that wants a move, found in the program again.
struct Wanting {
  mlir::Operation *op = nullptr;
  std::optional<unsigned> operand; ///< Which of its operands moves.
  std::optional<unsigned> result;  ///< Which of its results moves.
};

class ChainFinder {
public:
  /// All must outlive this.
  ChainFinder(ProgramGraph &program, const History &history);

  /// Returns what is to be said of a move.
  WhyCause tell(const Cause &cause);

  /// Returns the value that moves, or null if it is not found.
  mlir::Value valueOf(const Cause &cause);
  Wanting wantingOf(const Cause &cause);

  /// Returns how a value lies after propagation, or nothing.
  std::optional<MeshSharding> shardingOf(mlir::Value value);
  ShardingCodec &codec() { return program.codec; }
  StrategyCache &strategies() { return strategyCache; }

private:
  void indexValues();
  int32_t graphValue(mlir::Value value) const;
  int32_t graphResult(mlir::func::FuncOp func, unsigned number) const;
  std::string nameOf(mlir::Value value);
  void tellSplits(int32_t value, const std::string &name, const Sharding &from, const Sharding &to,
                  WhyCause &told);
  void tellPartial(mlir::Value value, const Sharding &from, WhyCause &told);
  void tellWanted(const Wanting &wanting, mlir::Value moved, const AxisList &axes, WhyCause &told);
  /// Adds the chains of the dims of a value that are split along some of `axes`, or of `axes[d]`
  /// for dim d; returns whether there are any.
  bool addChains(int32_t value, const std::string &name, const AxisList &axes,
                 const std::string &meaning, WhyCause &told);
  bool addChains(int32_t value, const std::string &name, absl::Span<const AxisList> axes,
                 const std::string &meaning, WhyCause &told);

  ProgramGraph &program;
  Places places;
  Past past;
  std::vector<bool> isFree;
  std::vector<Knowledge> knowledge;
  Teller teller;
  StrategyCache strategyCache;
  llvm::DenseMap<mlir::Attribute, llvm::SmallVector<mlir::Value, 1>> valuesAt; ///< By location.
  llvm::DenseMap<mlir::Attribute, llvm::SmallVector<mlir::Operation *, 1>> opsAt;
  llvm::DenseMap<mlir::Operation *, size_t> instanceOf; ///< Of a function, its first.
};

} // namespace spmd
