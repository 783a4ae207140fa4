#include "spmd/passes/partition/EmitPlan.h"

#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

mlir::Value PlanEmitter::emit(const Plan &plan, mlir::Value input) {
  auto type = llvm::cast<mlir::RankedTensorType>(input.getType());
  if (static_cast<int64_t>(plan.inputShape().size()) == type.getRank())
    return emitSteps(plan, input);
  // The plan has a first dim of size 1 in addition.
  llvm::ArrayRef<int64_t> shape(plan.inputShape().data(), plan.inputShape().size());
  mlir::Value output = emitSteps(plan, ReshapeOp::create(builder, loc, type.clone(shape), input));
  shape = llvm::cast<mlir::RankedTensorType>(output.getType()).getShape();
  return ReshapeOp::create(builder, loc, type.clone(shape.drop_front()), output);
}

mlir::Value PlanEmitter::emitSteps(const Plan &plan, mlir::Value input) {
  llvm::SmallVector<mlir::Value> registers = {input};
  for (const Step &step : plan.steps())
    registers.push_back(
        emitStep(plan, step, registers[step.operand],
                 step.into == Step::noRegister ? mlir::Value() : registers[step.into]));
  return registers.back();
}

mlir::Value PlanEmitter::emitIndex(const Plan &plan, const spmd::Index &index) {
  switch (index.op()) {
  case spmd::Index::Op::constant:
    return index.value() == 0 ? mlir::Value() : positions.constant(index.value());
  case spmd::Index::Op::coordinate:
    return positions.coordinate(plan.mesh(index.side()), index.axes());
  case spmd::Index::Op::add:
    return positions.add(emitIndex(plan, index.lhs()), emitIndex(plan, index.rhs()));
  case spmd::Index::Op::multiply:
    if (index.rhs().op() == spmd::Index::Op::constant)
      return positions.multiply(emitIndex(plan, index.lhs()), index.rhs().value());
    if (index.lhs().op() == spmd::Index::Op::constant)
      return positions.multiply(emitIndex(plan, index.rhs()), index.lhs().value());
    return positions.multiply(emitIndex(plan, index.lhs()), emitIndex(plan, index.rhs()));
  case spmd::Index::Op::minimum:
    return positions.minimum(emitIndex(plan, index.lhs()), emitIndex(plan, index.rhs()));
  case spmd::Index::Op::maximum:
    return positions.maximum(emitIndex(plan, index.lhs()), emitIndex(plan, index.rhs()));
  }
  return {};
}

llvm::SmallVector<mlir::Value> PlanEmitter::offsetsAt(const Plan &plan, const Step &step,
                                                      size_t rank) {
  llvm::SmallVector<mlir::Value> offsets(rank);
  for (size_t d = 0; d < rank; ++d) {
    if (static_cast<int>(d) == step.dim)
      offsets[d] = emitIndex(plan, step.offset);
    if (!offsets[d])
      offsets[d] = positions.constant(0);
  }
  return offsets;
}

/// What elements hold that nobody sent: zero where nobody looks.
static FillValue fillOf(const Fill &fill) {
  return fill.identityOf ? identityOf(*fill.identityOf) : FillValue::zero;
}

mlir::Value PlanEmitter::emitUpdate(const Plan &plan, const Step &step, mlir::Value operand,
                                    mlir::Value into) {
  auto type = llvm::cast<mlir::RankedTensorType>(operand.getType())
                  .clone(llvm::ArrayRef<int64_t>(step.outputShape.data(), step.outputShape.size()));
  if (!into)
    into = fillConstant(builder, loc, type, fillOf(step.fill));
  return DynamicUpdateSliceOp::create(builder, loc, into, operand,
                                      offsetsAt(plan, step, type.getRank()));
}

mlir::Value PlanEmitter::emitMask(const Plan &plan, const Step &step, mlir::Value operand) {
  mlir::Value coordinate = positions.coordinate(plan.mesh(step.side), step.axes);
  if (!coordinate)
    return operand;
  auto type = llvm::cast<mlir::RankedTensorType>(operand.getType());
  auto scalar = mlir::RankedTensorType::get({}, builder.getI1Type());
  mlir::Value place = emitIndex(plan, step.offset);
  mlir::Value keeps =
      CompareOp::create(builder, loc, scalar, coordinate, place ? place : positions.constant(0),
                        ComparisonDirection::EQ,
                        ComparisonTypeAttr::get(builder.getContext(), ComparisonType::SIGNED));
  return SelectOp::create(builder, loc, type, keeps, operand,
                          fillConstant(builder, loc, type, fillOf(step.fill)));
}

mlir::Value PlanEmitter::emitStep(const Plan &plan, const Step &step, mlir::Value operand,
                                  mlir::Value into) {
  auto operandType = llvm::cast<mlir::RankedTensorType>(operand.getType());
  llvm::ArrayRef<int64_t> shape(step.outputShape.data(), step.outputShape.size());
  mlir::RankedTensorType type = operandType.clone(shape);
  CollectiveBuilder::Group group{&plan.mesh(step.side),
                                 step.side == MeshSide::from ? fromMesh : toMesh, step.axes};
  llvm::SmallVector<int64_t> zeros(shape.size(), 0), ones(shape.size(), 1);
  switch (step.kind) {
  case StepKind::reshape:
    return ReshapeOp::create(builder, loc, type, operand);
  case StepKind::transpose:
    return TransposeOp::create(
        builder, loc, type, operand,
        llvm::ArrayRef<int64_t>(step.permutation.data(), step.permutation.size()));
  case StepKind::pad: {
    llvm::SmallVector<int64_t> high;
    for (auto [after, before] : llvm::zip(shape, operandType.getShape()))
      high.push_back(after - before);
    mlir::Value zero =
        fillConstant(builder, loc, type.clone(llvm::ArrayRef<int64_t>{}), FillValue::zero);
    return PadOp::create(builder, loc, type, operand, zero, zeros, high, zeros);
  }
  case StepKind::trim:
    return SliceOp::create(builder, loc, type, operand, zeros, shape, ones);
  case StepKind::dynamicSlice:
    return DynamicSliceOp::create(builder, loc, type, operand, offsetsAt(plan, step, shape.size()),
                                  shape);
  case StepKind::dynamicUpdate:
    return emitUpdate(plan, step, operand, into);
  case StepKind::allGather:
    return collectives.allGather(builder, loc, type, operand, step.dim, group);
  case StepKind::allToAll:
    return collectives.allToAll(builder, loc, type, operand, step.dim, step.concatDim, group);
  case StepKind::reduceScatter:
    return collectives.reduceScatter(builder, loc, type, operand, step.dim, step.reduction, group);
  case StepKind::allReduce:
    return collectives.allReduce(builder, loc, operand, step.reduction, group);
  case StepKind::permute:
    return collectives.permute(builder, loc, operand, plan, step);
  case StepKind::mask:
    return emitMask(plan, step, operand);
  }
  return {};
}

} // namespace spmd
