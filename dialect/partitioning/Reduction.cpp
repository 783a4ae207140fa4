// Reductions: kept dims split freely, reduced dims leave partial results of the body's kind.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Fold.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

struct ReduceModel : Partitionable::ExternalModel<ReduceModel, ReduceOp> {
  /// A body that is no single known op (argmax, say) has no partial result that a collective could
  /// combine: the results of the shards are gathered, and reduced once more. Such a body may depend
  /// on the order, which only the first of the reduced dims keeps.
  Strategies getStrategies(mlir::Operation *op) const {
    auto reduce = llvm::cast<ReduceOp>(op);
    if (!shapeOf(reduce.getInitValues().front()).empty())
      return {}; // The body works on tensors, whose shapes are its own.
    llvm::ArrayRef<int64_t> shape = shapeOf(reduce.getInputs().front());
    size_t numInputs = reduce.getInputs().size();
    std::optional<ReductionKind> kind = reductionOf(reduce.getBody());
    RuleBuilder builder = ruleFor(op);
    Strategy strategy;
    size_t resultDim = 0;
    bool isFirst = true;
    for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) {
      bool isReduced = llvm::is_contained(reduce.getDimensions(), d);
      FactorKind factorKind = !isReduced ? FactorKind::pass
                              : kind     ? FactorKind::reduce
                              : isFirst && shape[d] > 1 && areCombinable(reduce)
                                  ? FactorKind::fold
                                  : FactorKind::whole;
      isFirst &= !isReduced || shape[d] == 1;
      int32_t factor = builder.factor({shape[d], factorKind, kind.value_or(ReductionKind::sum)});
      for (size_t input = 0; input < numInputs; ++input) {
        builder.operand(input, d, {factor});
        if (!isReduced)
          builder.result(input, resultDim, {factor});
        else if (kind)
          strategy.padding.push_back({static_cast<int32_t>(input), factor, identityOf(*kind)});
      }
      resultDim += !isReduced;
    }
    strategy.rule = builder.take();
    strategy.flops = numElements(reduce.getInputs().front());
    return {strategy};
  }

  /// The initial value counts once: on the device at position 0 along the axes that are reduced
  /// over.
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto reduce = llvm::cast<ReduceOp>(op);
    localizer.setResultTypes();
    std::optional<ReductionKind> kind = reductionOf(reduce.getBody());
    if (!kind) {
      foldSplitDim(localizer, reduce);
      return mlir::success();
    }
    FillValue identity = identityOf(*kind);
    auto isIdentity = [&](mlir::Value init) { return isFilledWith(init, identity); };
    if (llvm::all_of(reduce.getInitValues(), isIdentity))
      return mlir::success();
    AxisList reduced;
    const OpRule &rule = localizer.strategy->rule;
    for (int64_t f = 0; f < rule.numFactors(); ++f)
      if (rule.factors[f].kind == FactorKind::reduce)
        reduced.insert(reduced.end(), localizer.factorAxes()[f].begin(),
                       localizer.factorAxes()[f].end());
    mlir::Value coordinate = localizer.positions.coordinate(localizer.mesh, reduced);
    if (!coordinate)
      return mlir::success();
    mlir::OpBuilder &builder = localizer.builder;
    for (mlir::OpOperand &init : reduce.getInitValuesMutable()) {
      if (isIdentity(init.get()))
        continue;
      auto type = llvm::cast<mlir::RankedTensorType>(init.get().getType());
      mlir::Value isFirst =
          CompareOp::create(builder, op->getLoc(), type.clone(builder.getI1Type()), coordinate,
                            localizer.positions.constant(0), ComparisonDirection::EQ,
                            ComparisonTypeAttr::get(op->getContext(), ComparisonType::SIGNED));
      init.set(SelectOp::create(builder, op->getLoc(), type, isFirst, init.get(),
                                fillConstant(builder, op->getLoc(), type, identity)));
    }
    return mlir::success();
  }

private:
  /// Initial values become elements, which they are no more where types of results are wider.
  static bool areCombinable(ReduceOp reduce) {
    return llvm::all_of(llvm::zip(reduce.getInputs(), reduce->getResults()), [](auto pair) {
      return tensorTypeOf(std::get<0>(pair)).getElementType() ==
             tensorTypeOf(std::get<1>(pair)).getElementType();
    });
  }

  /// Folds the shards of the dim that is split, if one is.
  static void foldSplitDim(Localizer &localizer, ReduceOp reduce) {
    const OpRule &rule = localizer.strategy->rule;
    for (auto [dim, factors] : llvm::enumerate(rule.operands[0]))
      for (int32_t factor : factors)
        if (rule.factors[factor].kind == FactorKind::fold && !localizer.axesOf(factor).empty())
          return foldShards(localizer, reduce, dim);
  }
};

} // namespace

void attachReduction(mlir::MLIRContext *context) {
  ReduceOp::attachInterface<ReduceModel>(*context);
}

} // namespace spmd
