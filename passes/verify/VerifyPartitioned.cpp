// The pass `spmd-verify-partitioned`: plain StableHLO for one device, with groups that cover all
// devices.

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/partitioning/Localizer.h"
#include "spmd/dialect/spmd/ValueSharding.h"
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
    for (auto func : getOperation().getOps<mlir::func::FuncOp>())
      checkBoundary(func);
    getOperation().walk([&](mlir::Operation *op) {
      bool isSharding =
          op->getName().getDialectNamespace() == sdy::SdyDialect::getDialectNamespace();
      if (isSharding && !llvm::isa<sdy::MeshOp>(op)) {
        op->emitOpError("is still there after partitioning");
        failed = true;
      }
      if (op->getName().getDialectNamespace() == chlo::ChloDialect::getDialectNamespace()) {
        op->emitOpError("is no plain StableHLO; run spmd-legalize-chlo");
        failed = true;
      }
      if (op->hasTrait<stablehlo::Collective>())
        checkCollective(op);
    });
    failed |= mlir::failed(checkUniform(getOperation(), numDevices));
    if (failed)
      signalPassFailure();
  }

private:
  /// Local types of arguments and results are those of their global types and shardings.
  void checkBoundary(mlir::func::FuncOp func) {
    auto check = [&](const llvm::Twine &what, mlir::Type type, mlir::Attribute global,
                     mlir::Attribute sharding) {
      auto globalType = llvm::dyn_cast_if_present<mlir::TypeAttr>(global);
      auto attr = llvm::dyn_cast_if_present<sdy::ShardingAttr>(sharding);
      auto tensor =
          globalType ? llvm::dyn_cast<mlir::RankedTensorType>(globalType.getValue()) : nullptr;
      if (!tensor || !attr || !tensorTypeOf(type))
        return;
      mlir::FailureOr<Sharding> resolved = sdy::resolve(func, attr);
      if (mlir::failed(resolved)) {
        failed = true;
        return;
      }
      mlir::RankedTensorType local = localTypeOf(tensor, *resolved);
      if (local == tensorTypeOf(type))
        return;
      func.emitError() << what << " of @" << func.getSymName() << " has type " << type
                       << ", but its part of " << tensor << " is " << local;
      failed = true;
    };
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      check("argument " + llvm::Twine(i), func.getArgumentTypes()[i],
            func.getArgAttr(i, globalTypeAttrName), func.getArgAttr(i, shardingAttrName));
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      check("result " + llvm::Twine(i), func.getResultTypes()[i],
            func.getResultAttr(i, globalTypeAttrName), func.getResultAttr(i, shardingAttrName));
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
  llvm::DenseSet<mlir::Attribute> known;
  bool failed = false;
};

} // namespace
} // namespace spmd
