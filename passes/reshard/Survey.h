// The first look at a program: all that the later steps want to know of its ops, in one walk.
#pragma once

#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/reshard/Missing.h"
#include "spmd/passes/reshard/Values.h"

namespace spmd {

struct SurveyedOp {
  mlir::Operation *op;
  const OpKind *kind;
};

/// Notes the ops of a module, and what is known of their results. Fills in missing shardings
/// (`Missing.h`), and drops those in regions of ops that are no data-flow ops: they compute with
/// single elements, or run whole. Linear.
class Survey {
public:
  /// Loops may hand on `hoistBytes` more than they do.
  Survey(ShardingCodec &codec, OpKinds &kinds, Values &values, OnMissing onMissing,
         uint64_t hoistBytes)
      : missing(codec, onMissing), kinds(kinds), values(values), hoistBytes(hoistBytes) {}

  /// Fails after reporting what has no sharding.
  mlir::LogicalResult run(mlir::ModuleOp module, OnlyCallees &callees);

  /// The ops of all functions, and of the regions of data-flow ops in them, each before what it
  /// contains.
  llvm::ArrayRef<SurveyedOp> ops() const { return all; }
  /// The index of the first op of `func`.
  size_t beginOf(mlir::func::FuncOp func) const { return begins.lookup(func); }
  /// Those of one function.
  llvm::ArrayRef<SurveyedOp> opsOf(mlir::func::FuncOp func) const {
    return ops().slice(begins.lookup(func), numOps.lookup(func));
  }

private:
  void visitFunction(mlir::func::FuncOp func);
  /// `needsShardings` unless all axes are manual.
  void visitBlock(mlir::Block &block, bool needsShardings);
  void visit(mlir::Operation &op, bool needsShardings);

  MissingShardings missing;
  OpKinds &kinds;
  Values &values;
  uint64_t hoistBytes;
  std::vector<SurveyedOp> all;
  std::vector<DataFlow> loops;
  llvm::DenseMap<mlir::Operation *, size_t> begins, numOps;
  llvm::SmallVector<ValueSharding> shardings; ///< Of the results of one op.
};

} // namespace spmd
