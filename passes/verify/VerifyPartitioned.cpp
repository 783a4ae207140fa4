// The pass `spmd-verify-partitioned`: plain StableHLO for one device, with groups that cover all
// devices.

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/spmd/ByName.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/partition/Partitioner.h"
#include "spmd/passes/verify/Uniform.h"

namespace spmd {

#define GEN_PASS_DEF_VERIFYPARTITIONEDPASS
#include "spmd/passes/Passes.h.inc"

namespace {

struct VerifyPartitionedPass : impl::VerifyPartitionedPassBase<VerifyPartitionedPass> {
  void runOnOperation() override {
    failed = false;
    known.clear();
    auto count = getOperation()->getAttrOfType<mlir::IntegerAttr>("mhlo.num_partitions");
    numDevices = count ? count.getInt() : 1;
    parts.clear();
    flows.clear();
    for (auto func : getOperation().getOps<mlir::func::FuncOp>())
      checkBoundary(func);
    check(getOperation());
    // Who waits for whom can be told where all devices of the groups are there.
    if (failed || mlir::failed(checkUniform(getOperation(), flows, numDevices)))
      signalPassFailure();
  }

private:
  /// One walk for all that is asked of ops: in a large program it mostly waits for memory.
  void check(mlir::ModuleOp module) {
    const auto *shardings = getContext().getLoadedDialect<sdy::SdyDialect>();
    const auto *composed = getContext().getLoadedDialect<chlo::ChloDialect>();
    auto isCollective = [](mlir::Operation *op) { return op->hasTrait<stablehlo::Collective>(); };
    forEachOp<mlir::WalkOrder::PreOrder>(module, [&](mlir::Operation *op) {
      const mlir::Dialect *dialect = op->getDialect();
      if (dialect && dialect == shardings && !llvm::isa<sdy::MeshOp>(op)) {
        op->emitOpError("is still there after partitioning");
        failed = true;
      }
      if (dialect && dialect == composed) {
        op->emitOpError("is no plain StableHLO; run spmd-legalize-chlo");
        failed = true;
      }
      if (collectives.of(op, isCollective))
        checkCollective(op);
      if (op->getNumRegions() > 0)
        if (auto flow = llvm::dyn_cast<DataFlow>(op);
            flow && (flow.getDecision() || llvm::isa<stablehlo::WhileOp>(op)))
          flows.push_back(flow);
    });
  }

  /// What a function says of an argument or result, and the type of its part that follows; null if
  /// none does.
  using Part = std::pair<mlir::RankedTensorType, mlir::RankedTensorType>;

  /// Reports what the sharding names and the module does not have. Those that say the same have one
  /// part.
  Part partOf(mlir::func::FuncOp func, mlir::DictionaryAttr attributes) {
    auto [known, isNew] = parts.try_emplace(attributes);
    if (!isNew)
      return known->second;
    auto global = attributes.getAs<mlir::TypeAttr>(globalTypeAttrName);
    auto attr = attributes.getAs<sdy::ShardingAttr>(shardingAttrName);
    auto tensor = global ? llvm::dyn_cast<mlir::RankedTensorType>(global.getValue()) : nullptr;
    if (!tensor || !attr)
      return {};
    mlir::FailureOr<Sharding> resolved = sdy::resolve(func, attr);
    failed |= mlir::failed(resolved);
    if (mlir::succeeded(resolved))
      known->second = {tensor, localTypeOf(tensor, *resolved)};
    return known->second;
  }

  /// Local types of arguments and results are those of their global types and shardings.
  void checkBoundary(mlir::func::FuncOp func) {
    auto check = [&](llvm::StringRef what, unsigned index, mlir::Type type,
                     mlir::DictionaryAttr attributes) {
      if (!attributes || attributes.empty() || !tensorTypeOf(type))
        return;
      auto [tensor, local] = partOf(func, attributes);
      if (!local || local == tensorTypeOf(type))
        return;
      func.emitError() << what << " " << index << " of @" << func.getSymName() << " has type "
                       << type << ", but its part of " << tensor << " is " << local;
      failed = true;
    };
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      check("argument", i, func.getArgumentTypes()[i], func.getArgAttrDict(i));
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      check("result", i, func.getResultTypes()[i], func.getResultAttrDict(i));
  }

  void checkCollective(mlir::Operation *op) {
    if (auto permute = llvm::dyn_cast<stablehlo::CollectivePermuteOp>(op))
      return checkPairs(permute);
    mlir::Attribute groups = op->getAttr("replica_groups");
    if (groups && known.insert(groups).second)
      failed |= mlir::failed(checkGroups(op, groups, numDevices));
  }

  void checkPairs(stablehlo::CollectivePermuteOp op) {
    for (int64_t device : op.getSourceTargetPairs().getValues<int64_t>())
      if (device < 0 || device >= numDevices) {
        op.emitOpError() << "has device " << device << " in its pairs; there are " << numDevices
                         << " devices";
        failed = true;
        return;
      }
  }

  int64_t numDevices = 1;
  ByName<bool> collectives;
  llvm::DenseSet<mlir::Attribute> known; ///< Groups that are checked.
  llvm::DenseMap<mlir::DictionaryAttr, Part> parts;
  std::vector<DataFlow> flows;
  bool failed = false;
};

} // namespace
} // namespace spmd
