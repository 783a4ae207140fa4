// Ops that only say how a value lies, and computations on local shapes.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Placement.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/DataFlow.h"

namespace spmd {

namespace {

std::vector<Commuting> movesElements(mlir::Operation *op) {
  return std::vector<Commuting>(op->getNumOperands(), Commuting::movesElements());
}

template <typename Op>
struct PlacementModel : Partitionable::ExternalModel<PlacementModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    return {{sameShapeRule(op), {}, movesElements(op)}};
  }
  bool isPlacement(mlir::Operation *) const { return true; }
};

/// Across a barrier something is learnt in one direction at most.
struct BarrierModel : Partitionable::ExternalModel<BarrierModel, sdy::PropagationBarrierOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    OpRule rule = sameShapeRule(op);
    for (Factor &factor : rule.factors)
      factor.blocked = true;
    auto allowed = llvm::cast<sdy::PropagationBarrierOp>(op).getAllowedDirection();
    if (allowed == sdy::PropagationDirection::FORWARD)
      rule.oneWay = OneWay::forward;
    else if (allowed == sdy::PropagationDirection::BACKWARD)
      rule.oneWay = OneWay::backward;
    return {{std::move(rule), {}, movesElements(op)}};
  }
  bool isPlacement(mlir::Operation *) const { return true; }
};

/// Says that values lie alike, and has no result to move.
struct GroupModel : Partitionable::ExternalModel<GroupModel, sdy::ShardingGroupOp> {
  Strategies getStrategies(mlir::Operation *) const { return {}; }
  bool isPlacement(mlir::Operation *) const { return true; }
  std::optional<uint64_t> getGroup(mlir::Operation *op) const {
    return llvm::cast<sdy::ShardingGroupOp>(op).getGroupId();
  }
};

//===- Computations on local shapes ----------------------------------------===//

/// Flow i is operand i, which comes out as argument i; behind the operands, returned value i, which
/// comes out as result i.
struct ManualFlow : DataFlow::ExternalModel<ManualFlow, sdy::ManualComputationOp> {
  llvm::SmallVector<Flow, 0> getFlows(mlir::Operation *op) const {
    mlir::Block &body = op->getRegion(0).front();
    llvm::SmallVector<Flow, 0> flows;
    for (mlir::OpOperand &operand : op->getOpOperands())
      flows.push_back({{&operand}, {body.getArgument(operand.getOperandNumber())}});
    for (mlir::OpResult result : op->getResults())
      flows.push_back({{&body.getTerminator()->getOpOperand(result.getResultNumber())}, {result}});
    return flows;
  }

  ValueSharding getFlowSharding(mlir::Operation *op, unsigned flow) const {
    unsigned numOperands = op->getNumOperands();
    mlir::Value outside =
        flow < numOperands ? op->getOperand(flow) : op->getResult(flow - numOperands);
    ValueSharding written = getWrittenSharding(op, flow);
    return {dividing(llvm::cast<sdy::ManualComputationOp>(op), written.attr, outside),
            written.state};
  }

  ValueSharding getWrittenSharding(mlir::Operation *op, unsigned flow) const {
    auto manual = llvm::cast<sdy::ManualComputationOp>(op);
    unsigned numOperands = op->getNumOperands();
    return {flow < numOperands ? manual.getInShardings()[flow]
                               : manual.getOutShardings()[flow - numOperands],
            ShardingState::pinned};
  }

  void setFlowShardings(mlir::Operation *op, llvm::ArrayRef<sdy::ShardingAttr> shardings) const {
    auto manual = llvm::cast<sdy::ManualComputationOp>(op);
    auto merge = [&](sdy::ShardingPerValueAttr old, llvm::ArrayRef<sdy::ShardingAttr> now) {
      llvm::SmallVector<sdy::ShardingAttr> all(old.getShardings());
      for (auto [each, found] : llvm::zip(all, now))
        each = found ? found : each;
      return sdy::ShardingPerValueAttr::get(op->getContext(), all);
    };
    unsigned numOperands = op->getNumOperands();
    manual.setInShardingsAttr(merge(manual.getInShardings(), shardings.take_front(numOperands)));
    manual.setOutShardingsAttr(merge(manual.getOutShardings(), shardings.drop_front(numOperands)));
  }

  sdy::ManualAxesAttr getOwnManualAxes(mlir::Operation *op) const {
    return llvm::cast<sdy::ManualComputationOp>(op).getManualAxes();
  }

private:
  /// Returns `sharding` without free axes behind manual ones that do not divide what these leave of
  /// a dim: inside, the dim would be cut at other rows than outside.
  static sdy::ShardingAttr dividing(sdy::ManualComputationOp op, sdy::ShardingAttr sharding,
                                    mlir::Value value) {
    auto isManual = [&](const AxisSpec &axis) { return op.getManualAxes().contains(axis.name); };
    auto isMixed = [&](const DimSpec &dim) {
      return !dim.axes.empty() && isManual(dim.axes.front()) && !isManual(dim.axes.back());
    };
    mlir::RankedTensorType type = tensorTypeOf(value);
    const Mesh *mesh = nullptr;
    if (!type || llvm::none_of(sharding.getSpec().dims, isMixed) ||
        !(mesh = sdy::lookupMesh(op, sharding)))
      return sharding;
    ShardingSpec spec = sharding.getSpec();
    for (auto [dim, size] : llvm::zip(spec.dims, type.getShape())) {
      if (!isMixed(dim))
        continue;
      int64_t rest = size;
      size_t kept = 0;
      for (; kept < dim.axes.size(); ++kept) {
        absl::StatusOr<AxisRef> axis = resolve(*mesh, dim.axes[kept]);
        if (!axis.ok() || rest % axis->size != 0)
          break;
        rest /= axis->size;
      }
      dim.axes.resize(kept);
    }
    return sdy::ShardingAttr::get(op.getContext(), sharding.getMeshOrRef(), spec);
  }
};

/// By the time it is localized, the body is written for one device's part of each operand.
struct ManualModel : Partitionable::ExternalModel<ManualModel, sdy::ManualComputationOp> {
  Strategies getStrategies(mlir::Operation *) const { return {}; }

  /// Puts the body in the place of the op.
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    mlir::Block &body = op->getRegion(0).front();
    for (auto [argument, operand] : llvm::zip(body.getArguments(), op->getOperands())) {
      if (argument.getType() != operand.getType())
        return op->emitOpError() << "has an argument of type " << argument.getType()
                                 << " for a part of type " << operand.getType();
      argument.replaceAllUsesWith(operand);
    }
    mlir::Operation *terminator = body.getTerminator();
    llvm::SmallVector<mlir::Value> returned(terminator->getOperands());
    terminator->erase();
    op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations());
    localizer.replaceWith(returned);
    return mlir::success();
  }
};

template <typename... Ops> void attachPlacement(mlir::MLIRContext *context) {
  (Ops::template attachInterface<PlacementModel<Ops>>(*context), ...);
}

} // namespace

mlir::Operation *createReshard(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                               sdy::ShardingAttr sharding) {
  return sdy::ReshardOp::create(builder, loc, value, sharding);
}

void attachSharding(mlir::MLIRContext *context) {
  attachPlacement<sdy::ShardingConstraintOp, sdy::ReshardOp, sdy::DataFlowEdgeOp,
                  sdy::FuncDataFlowEdgeOp, sdy::AllGatherOp, sdy::AllSliceOp, sdy::AllToAllOp,
                  sdy::CollectivePermuteOp, sdy::AllReduceOp, sdy::ReduceScatterOp,
                  sdy::ShardedToUnreducedOp, sdy::ReplicatedToUnreducedOp>(context);
  sdy::PropagationBarrierOp::attachInterface<BarrierModel>(*context);
  sdy::ShardingGroupOp::attachInterface<GroupModel>(*context);
  sdy::ManualComputationOp::attachInterface<ManualFlow, ManualModel>(*context);
}

} // namespace spmd
