// What the ops of a module look like globally, gathered before anything changes. The passes that
// check a program and rewrite it have one of these in common.
#pragma once

#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/ir/rules/SplitCache.h"

namespace spmd {

/// The layouts that values have, each looked up once for all that say the same.
class ValueLayouts {
public:
  explicit ValueLayouts(ShardingCodec &codec) : codec(codec) {}

  Localizer::Tensor tensorOf(mlir::Value value);
  /// Returns the layout that `attr` stands for; without one the value lies whole on every device.
  const Sharding *layoutOf(sdy::ShardingAttr attr, int64_t rank);
  /// Returns the mesh that a layout speaks of; a value that lies whole lies so on every mesh.
  int32_t meshOf(const Sharding *layout, int32_t otherwise) const;

  /// Notes that a tensor of `rank` has the sharding `attr`, which may be null.
  void note(sdy::ShardingAttr attr, int64_t rank) { isMissing |= !attr && rank > 0; }

  /// Whether a tensor with dims had no sharding.
  bool isAnyMissing() const { return isMissing; }
  /// Whether a sharding was reported.
  bool hasFailed() const { return failed; }
  /// Forgets what values have, after they were given more.
  void forget();

private:
  sdy::ShardingAttr shardingOf(mlir::Value value);

  ShardingCodec &codec;
  llvm::DenseMap<std::pair<mlir::Attribute, unsigned>, sdy::ShardingAttr> ofResults, ofArguments;
  struct Layout {
    int32_t mesh = 0;
    std::unique_ptr<Sharding> sharding;
  };
  llvm::DenseMap<mlir::Attribute, Layout> layouts;
  llvm::DenseMap<const Sharding *, int32_t> meshOfLayout;
  std::vector<std::unique_ptr<Sharding>> replicated;
  bool isMissing = false, failed = false;
};

/// What one op looks like globally.
struct OpSituation {
  enum class Kind {
    op,
    move, ///< A placement that the reshard stage left: a move of data that it wants.
    entry ///< Where the regions of an op begin: the tensors are those of their arguments. The op
          ///< itself comes behind what is in them.
  };

  mlir::Operation *op;
  Partitionable partitionable; ///< Null if the op is not.
  size_t firstTensor;          ///< In the list of tensors: operands, then results.
  Kind kind = Kind::op;
  bool hasRule = false;
  const Split *split = nullptr; ///< The first that what is around the op fits, if it has a rule.
};

/// The situations of a function.
struct FunctionSituation {
  mlir::func::FuncOp func;
  std::vector<OpSituation> ops;
  bool hasShortDims = true; ///< Whether 32 bits are enough for offsets into any tensor.
};

/// The functions of a module that have a body, and the tensors of all ops one after the other: an
/// analysis.
class ModuleSituation {
public:
  /// Gathers in one walk; nothing where no mesh has axes, as all runs on one device. Reports
  /// shardings that mean nothing on their mesh.
  explicit ModuleSituation(mlir::Operation *module);

  /// Gathers anew, after values were given shardings.
  void gather();

  /// Reports that what is around an op fits no split of its rule. `advice` is what to do about it.
  static void reportNoSplit(mlir::Operation *op, llvm::StringRef advice = "");

  mlir::ModuleOp module;
  ShardingCodec codec;
  ValueLayouts layouts;
  std::vector<FunctionSituation> functions;
  std::vector<Localizer::Tensor> tensors;

private:
  StrategyCache strategies;
  SplitCache splits;
};

} // namespace spmd
