// Reductions: kept dims split freely, reduced dims leave partial results of the body's kind.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
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
  /// and maybe the operand, are shares.
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto reduce = llvm::cast<ReduceOp>(op);
    localizer.setResultTypes();
    std::optional<ReductionKind> kind = reductionOf(reduce.getBody());
    if (!kind) {
      foldShards(localizer, reduce);
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

  /// Reduces the shard, gathers the results of all shards, and reduces these. The initial value is
  /// the body's identity, as the specification asks for where the result must not depend on how
  /// often it occurs.
  static void foldShards(Localizer &localizer, ReduceOp reduce) {
    const OpRule &rule = localizer.strategy->rule;
    for (int64_t f = 0; f < rule.numFactors(); ++f)
      if (rule.factors[f].kind == FactorKind::fold && !localizer.axesOf(f).empty())
        return foldAlong(localizer, reduce, f);
  }

  static void foldAlong(Localizer &localizer, ReduceOp reduce, int64_t factor) {
    absl::Span<const AxisRef> axes = localizer.axesOf(factor);
    const TensorFactors &factors = localizer.strategy->rule.operands[0];
    int64_t dim =
        llvm::find_if(factors,
                      [&](const DimFactors &each) { return llvm::is_contained(each, factor); }) -
        factors.begin();
    fillPadding(localizer, reduce, dim);
    mlir::OpBuilder &builder = localizer.builder;
    mlir::Location loc = reduce.getLoc();
    auto local = llvm::cast<ReduceOp>(builder.clone(*reduce));
    llvm::SmallVector<mlir::Value> gathered;
    for (mlir::Value result : local->getResults()) {
      auto type = llvm::cast<mlir::RankedTensorType>(result.getType());
      llvm::SmallVector<int64_t> one(type.getShape()), all(type.getShape());
      one.insert(one.begin(), 1);
      all.insert(all.begin(), sizeOf(axes));
      mlir::Value row = ReshapeOp::create(builder, loc, type.clone(one), result);
      gathered.push_back(localizer.collectives.allGather(
          builder, loc, type.clone(all), row, 0, {&localizer.mesh, localizer.meshAttr, axes}));
    }
    auto joined = ReduceOp::create(builder, loc, local->getResultTypes(), gathered,
                                   reduce.getInitValues(), builder.getDenseI64ArrayAttr({0}));
    joined.getBody().takeBody(reduce.getBody());
    localizer.replaceWith(joined->getResults());
  }

  /// Padding of the dim becomes the initial value, where there is padding.
  static void fillPadding(Localizer &localizer, ReduceOp reduce, int64_t dim) {
    const Localizer::Tensor &input = localizer.operand(0);
    const DimSharding &sharding = input.sharding->dims[dim];
    if (input.type.getDimSize(dim) % numShards(sharding) == 0)
      return;
    RowBuilder rows{localizer.builder, reduce.getLoc(), localizer.positions, dim};
    for (auto [i, init] : llvm::enumerate(reduce.getInitValues())) {
      mlir::OpOperand &own = reduce.getInputsMutable()[i];
      int64_t held = shapeOf(own.get())[dim];
      mlir::Value limit = localizer.positions.subtract(
          localizer.positions.constant(input.type.getDimSize(dim)),
          localizer.positions.firstRow(localizer.mesh, sharding, held));
      own.set(rows.select(rows.rowsBelow(own.get(), limit), own.get(),
                          rows.filled(own.get(), held, init)));
    }
  }
};

} // namespace

void attachReduction(mlir::MLIRContext *context) {
  ReduceOp::attachInterface<ReduceModel>(*context);
}

} // namespace spmd
