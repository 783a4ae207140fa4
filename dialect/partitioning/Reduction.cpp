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
    if (kind && numInputs == 1 && areCombinable(reduce)) // A wider sum would not wrap alike.
      strategy.commuting = {Commuting().pass(*kind, Passing::alone), Commuting()};
    strategy.flops = numElements(reduce.getInputs().front());
    return {strategy};
  }

  /// The initial value counts once: on the device at position 0 along the axes over which results,
  /// and maybe the operand, are shares. Where each sum has one element, it is combined with it
  /// behind the op: consumers take such a reduction for a reshape, whatever it starts from.
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
    const AxisList &reduced = localizer.result(0).sharding->unreduced;
    mlir::Value coordinate = localizer.positions.coordinate(localizer.mesh, reduced);
    if (!coordinate)
      return mlir::success();
    mlir::OpBuilder &builder = localizer.builder;
    mlir::Location loc = op->getLoc();
    llvm::SmallVector<mlir::Value> inits;
    for (mlir::OpOperand &init : reduce.getInitValuesMutable()) {
      inits.push_back(init.get());
      if (isIdentity(init.get()))
        continue;
      auto type = llvm::cast<mlir::RankedTensorType>(init.get().getType());
      mlir::Value isFirst =
          CompareOp::create(builder, loc, type.clone(builder.getI1Type()), coordinate,
                            localizer.positions.constant(0), ComparisonDirection::EQ,
                            ComparisonTypeAttr::get(op->getContext(), ComparisonType::SIGNED));
      mlir::Value none = fillConstant(builder, loc, type, identity);
      inits.back() = SelectOp::create(builder, loc, type, isFirst, init.get(), none);
      init.set(reducesOneRow(reduce) ? none : inits.back());
    }
    if (reducesOneRow(reduce))
      localizer.replaceWith(combineAfter(localizer, reduce, *kind, inits));
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

  static bool reducesOneRow(ReduceOp reduce) {
    llvm::ArrayRef<int64_t> shape = shapeOf(reduce.getInputs().front());
    return llvm::all_of(reduce.getDimensions(), [&](int64_t dim) { return shape[dim] == 1; });
  }

  /// Returns the results of a copy of the op, combined with `inits`.
  static llvm::SmallVector<mlir::Value> combineAfter(Localizer &localizer, ReduceOp reduce,
                                                     ReductionKind kind, mlir::ValueRange inits) {
    mlir::OpBuilder &builder = localizer.builder;
    mlir::Location loc = reduce.getLoc();
    mlir::Operation *copy = builder.clone(*reduce);
    llvm::SmallVector<mlir::Value> results;
    for (auto [result, init] : llvm::zip(copy->getResults(), inits)) {
      mlir::Value start =
          BroadcastInDimOp::create(builder, loc, result.getType(), init, llvm::ArrayRef<int64_t>{});
      results.push_back(combine(builder, loc, kind, result, start));
    }
    return results;
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
