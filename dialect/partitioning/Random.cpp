// Random numbers: the same ones however they are split. What is counted is made by whom it
// belongs to; the rest is made whole by every device, which takes its part. A state goes from one
// op to the next, whole.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/RandomBits.h"
#include "spmd/dialect/partitioning/algorithms/RandomNumbers.h"

namespace spmd {

using namespace stablehlo;

namespace {

constexpr double stepsOfRounds = 100;

struct RngModel : Partitionable::ExternalModel<RngModel, RngOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto rng = llvm::cast<RngOp>(op);
    RuleBuilder builder = ruleFor(op);
    if (countsNumbers(rng))
      for (auto [d, size] : llvm::enumerate(shapeOf(rng.getResult())))
        if (size > 0)
          builder.result(0, d, {builder.factor(size)});
    return {Strategy{builder.take(), {}, {}, stepsOfRounds * numElements(rng.getResult())}};
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    if (localizer.localType(localizer.result(0)) == localizer.result(0).type)
      localizer.setResultTypes();
    else
      makeShardOfNumbers(localizer, llvm::cast<RngOp>(op));
    return mlir::success();
  }
};

struct BitGeneratorModel : Partitionable::ExternalModel<BitGeneratorModel, RngBitGeneratorOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto generator = llvm::cast<RngBitGeneratorOp>(op);
    RuleBuilder builder = ruleFor(op);
    for (auto [d, size] : llvm::enumerate(shapeOf(generator.getInitialState()))) {
      int32_t factor = builder.factor(size, FactorKind::whole);
      builder.operand(0, d, {factor}).result(0, d, {factor});
    }
    if (countsElements(generator))
      for (auto [d, size] : llvm::enumerate(shapeOf(generator.getOutput())))
        if (size > 0)
          builder.result(1, d, {builder.factor(size)});
    return {Strategy{builder.take(), {}, {}, stepsOfRounds * numElements(generator.getOutput())}};
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    if (localizer.localType(localizer.result(1)) == localizer.result(1).type)
      localizer.setResultTypes();
    else
      makeShardOfBits(localizer, llvm::cast<RngBitGeneratorOp>(op));
    return mlir::success();
  }
};

} // namespace

void attachRandom(mlir::MLIRContext *context) {
  RngOp::attachInterface<RngModel>(*context);
  RngBitGeneratorOp::attachInterface<BitGeneratorModel>(*context);
}

} // namespace spmd
