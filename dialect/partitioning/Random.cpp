// Random numbers: the same ones however they are split. Bits that are counted are made by whom they
// belong to; others are made whole by every device, which takes its part. A state goes from one op
// to the next, whole.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/RandomBits.h"

namespace spmd {

using namespace stablehlo;

namespace {

struct RngModel : Partitionable::ExternalModel<RngModel, RngOp> {
  Strategies getStrategies(mlir::Operation *op) const { return {{ruleFor(op).take()}}; }
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
    constexpr double stepsOfRounds = 100;
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
