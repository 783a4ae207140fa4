// The ops of `chlo`: functions of elements, broadcasting ops, top_k, ragged_dot.
//
// No partial value passes a function: its expansion rounds, so that a maximum taken before it need
// not be bit for bit the one taken behind it. (`scan` has no rule: its body may be anything. The
// pipeline makes a loop of it before anything is split.)

#include "spmd/dialect/chlo/Largest.h"
#include "spmd/dialect/chlo/RaggedDims.h"
#include "spmd/dialect/chlo/RaggedProduct.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include <cmath>

namespace spmd {

using namespace chlo;

namespace {

template <typename Op> struct FunctionModel : Partitionable::ExternalModel<FunctionModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    return {{sameShapeRule(op), {}, {}, numElements(op->getResult(0))}};
  }
};

/// Linear in both parts; a real number passes as it is.
struct ConjModel : Partitionable::ExternalModel<ConjModel, ConjOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    return {{sameShapeRule(op), {}, {Commuting::linear()}, numElements(op->getResult(0))}};
  }
};

/// A dim of size 1 that is repeated has no factor.
template <typename Op>
struct BroadcastModel : Partitionable::ExternalModel<BroadcastModel<Op>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    llvm::ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    RuleBuilder builder = ruleFor(op);
    std::vector<int32_t> factors;
    for (size_t d = 0; d < shape.size(); ++d) {
      factors.push_back(builder.factor(shape[d]));
      builder.result(0, d, {factors[d]});
    }
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      for (auto [d, resultDim] : llvm::enumerate(resultDimsOf(op, i)))
        if (shapeOf(op->getOperand(i))[d] == shape[resultDim])
          builder.operand(i, d, {factors[resultDim]});
    return {{builder.take(), {}, {}, numElements(op->getResult(0))}};
  }
};

/// Each device takes its part of the whole constant.
struct ChloConstantModel : Partitionable::ExternalModel<ChloConstantModel, chlo::ConstantOp> {
  Strategies getStrategies(mlir::Operation *op) const { return {{sameShapeRule(op)}}; }
  bool isFree(mlir::Operation *) const { return true; }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    mlir::Value whole = localizer.builder.clone(*op)->getResult(0);
    localizer.replaceWith(takeShard(localizer.builder, op->getLoc(), localizer.positions,
                                    localizer.mesh, whole, *localizer.result(0).sharding));
    return mlir::success();
  }
};

/// Rows are independent. Along the dim that is searched, each device finds the largest of its
/// shard; the largest of these are those of all.
struct TopKModel : Partitionable::ExternalModel<TopKModel, TopKOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    llvm::ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
    RuleBuilder builder = ruleFor(op);
    for (size_t d = 0; d + 1 < shape.size(); ++d) {
      int32_t factor = builder.factor(shape[d]);
      builder.operand(0, d, {factor}).result(0, d, {factor}).result(1, d, {factor});
    }
    if (shape.back() > 1 && llvm::cast<TopKOp>(op).getK() > 0 && hasLeast(op->getOperand(0)))
      builder.operand(0, shape.size() - 1, {builder.factor(shape.back(), FactorKind::fold)});
    double length = static_cast<double>(shape.back());
    return {{builder.take(), {}, {}, numElements(op->getOperand(0)) * std::log2(length + 1)}};
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto topK = llvm::cast<TopKOp>(op);
    const DimFactors &factors = localizer.strategy->rule.operands[0].back();
    if (factors.empty() || localizer.axesOf(factors.front()).empty())
      localizer.setResultTypes();
    else
      findInShards(localizer, topK, localizer.axesOf(factors.front()));
    return mlir::success();
  }

private:
  /// Whether there is an element that comes last, as padding must: the negative NaN of all bits,
  /// which not every narrow float has.
  static bool hasLeast(mlir::Value value) {
    mlir::Type element = tensorTypeOf(value).getElementType();
    return llvm::isa<mlir::IntegerType>(element) ||
           llvm::isa<mlir::BFloat16Type, mlir::Float16Type, mlir::Float32Type, mlir::Float64Type>(
               element);
  }

  static mlir::Value least(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::RankedTensorType type) {
    auto scalar = type.clone(llvm::ArrayRef<int64_t>{});
    auto element = llvm::dyn_cast<mlir::FloatType>(type.getElementType());
    if (!element)
      return fillConstant(builder, loc, scalar, FillValue::lowest);
    llvm::APFloat nan(element.getFloatSemantics(), llvm::APInt::getAllOnes(element.getWidth()));
    return stablehlo::ConstantOp::create(builder, loc, mlir::DenseElementsAttr::get(scalar, nan));
  }

  static void findInShards(Localizer &localizer, TopKOp op, absl::Span<const AxisRef> axes) {
    mlir::OpBuilder &builder = localizer.builder;
    mlir::Location loc = op.getLoc();
    mlir::Value shard = op.getOperand();
    auto type = llvm::cast<mlir::RankedTensorType>(shard.getType());
    int64_t dim = type.getRank() - 1, held = type.getDimSize(dim),
            size = localizer.operand(0).type.getDimSize(dim);
    RowBuilder rows{builder, loc, localizer.positions, dim};
    mlir::Value first = localizer.positions.firstRow(
        localizer.mesh, localizer.operand(0).sharding->dims[dim], held);
    if (size % sizeOf(axes) != 0)
      shard = rows.select(rows.rowsBelow(shard, localizer.positions.subtract(
                                                    localizer.positions.constant(size), first)),
                          shard, rows.filled(shard, held, least(builder, loc, type)));
    Ranked largest = largestOf(builder, loc, {shard, placesFrom(localizer, op, type, first)},
                               std::min<int64_t>(op.getK(), held), /*isStable=*/true);
    // Shards come in order, so of equal elements the first stays the first.
    Ranked all = {gather(localizer, largest.values, dim, axes),
                  gather(localizer, largest.places, dim, axes)};
    all = largestOf(builder, loc, all, op.getK(), /*isStable=*/true);
    localizer.replaceWith({all.values, all.places});
  }

  /// Returns where the elements of a shard stand in the whole.
  static mlir::Value placesFrom(Localizer &localizer, TopKOp op, mlir::RankedTensorType type,
                                mlir::Value first) {
    mlir::OpBuilder &builder = localizer.builder;
    mlir::Location loc = op.getLoc();
    auto places = type.clone(tensorTypeOf(op.getIndices()).getElementType());
    mlir::Value offset =
        stablehlo::ConvertOp::create(builder, loc, places.clone(llvm::ArrayRef<int64_t>{}), first);
    return stablehlo::AddOp::create(
        builder, loc, places,
        stablehlo::IotaOp::create(builder, loc, places, static_cast<uint64_t>(type.getRank() - 1)),
        stablehlo::BroadcastInDimOp::create(builder, loc, places, offset,
                                            llvm::ArrayRef<int64_t>{}));
  }

  static mlir::Value gather(Localizer &localizer, mlir::Value value, int64_t dim,
                            absl::Span<const AxisRef> axes) {
    auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
    llvm::SmallVector<int64_t> shape(type.getShape());
    shape[dim] *= sizeOf(axes);
    return localizer.collectives.allGather(localizer.builder, localizer.op->getLoc(),
                                           type.clone(shape), value, dim,
                                           {&localizer.mesh, localizer.meshAttr, axes});
  }
};

/// Every dim of the operands splits, the groups too: a device that holds only some groups has a
/// share of each row, which is 0 but on the device that holds the row's group. Only the sizes of
/// the groups are known everywhere, since a row's group follows from all of them.
class RaggedDotModel : public Partitionable::ExternalModel<RaggedDotModel, RaggedDotOp> {
public:
  Strategies getStrategies(mlir::Operation *op) const { return {RuleMaker(op).make()}; }

  /// Where rows or groups are split, their places in the whole decide what belongs together.
  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto dot = llvm::cast<RaggedDotOp>(op);
    RaggedDims dims(dot);
    localizer.setResultTypes();
    if (dims.mode == RaggedDims::Mode::batching)
      return mlir::success();
    RaggedPart part;
    part.firstRow = localizer.positions.firstRow(localizer.mesh,
                                                 localizer.operand(0).sharding->dims[dims.ragged],
                                                 shapeOf(dot.getLhs())[dims.ragged]);
    const DimSharding &groups = dims.mode == RaggedDims::Mode::free
                                    ? localizer.operand(1).sharding->dims[dims.group]
                                    : localizer.result(0).sharding->dims[0];
    if (!groups.axes.empty())
      part.takeGroups = [&](mlir::Value bounds) {
        Sharding sharding = Sharding::replicatedOf(shapeOf(bounds).size());
        sharding.dims.back() = groups;
        return takeShard(localizer.builder, op->getLoc(), localizer.positions, localizer.mesh,
                         bounds, sharding);
      };
    if (!part.firstRow && !part.takeGroups)
      return mlir::success();
    if (!hasRaggedProduct(dot))
      return dot.emitOpError() << "has rows or groups split and element type "
                               << tensorTypeOf(dot.getLhs()).getElementType()
                               << ", which has no zero to mask with";
    localizer.replaceWith(raggedProduct(localizer.builder, dot, part));
    return mlir::success();
  }

private:
  class RuleMaker {
  public:
    explicit RuleMaker(mlir::Operation *op)
        : dot(llvm::cast<RaggedDotOp>(op)), dims(dot), numbers(dot.getRaggedDotDimensionNumbers()),
          builder(ruleFor(op)) {}

    Strategy make() {
      if (dims.mode == RaggedDims::Mode::contracting)
        builder.result(0, resultDim++, {builder.factor(numGroups())});
      for (auto [l, r] :
           llvm::zip(numbers.getLhsBatchingDimensions(), numbers.getRhsBatchingDimensions())) {
        int32_t factor = addLhs(l, FactorKind::pass);
        builder.operand(1, r, {factor}).result(0, resultDim++, {factor});
      }
      for (int64_t d : dims.lhsFree)
        builder.result(0, resultDim++, {addLhs(d, FactorKind::pass)});
      for (int64_t d : dims.rhsFree) {
        int32_t factor = builder.factor(shapeOf(dot.getRhs())[d]);
        builder.operand(1, d, {factor}).result(0, resultDim++, {factor});
      }
      double contracted = addContracted();
      Strategy strategy;
      strategy.rule = builder.take();
      strategy.padding = std::move(padding);
      strategy.commuting = {Commuting::linear(), Commuting::linear(), Commuting()};
      strategy.flops = 2 * numElements(dot.getResult()) * contracted;
      strategy.multiplies = true;
      return strategy;
    }

  private:
    int64_t numGroups() { return shapeOf(dot.getGroupSizes()).back(); }

    /// Adds the factor of a dim of lhs, which the sizes of the groups may have too.
    int32_t addLhs(int64_t dim, FactorKind kind) {
      int32_t factor = builder.factor(shapeOf(dot.getLhs())[dim], kind);
      builder.operand(0, dim, {factor});
      auto place = llvm::find(dims.prefix, dim);
      if (shapeOf(dot.getGroupSizes()).size() > 1 && place != dims.prefix.end())
        builder.operand(2, place - dims.prefix.begin(), {factor});
      return factor;
    }

    /// Adds what is summed over, and returns how many products each sum has. Padding is zero, since
    /// zero times NaN is NaN.
    double addContracted() {
      double size = 1;
      for (auto [l, r] : llvm::zip(numbers.getLhsContractingDimensions(),
                                   numbers.getRhsContractingDimensions())) {
        int32_t factor = addLhs(l, FactorKind::reduce);
        builder.operand(1, r, {factor});
        padding.push_back({0, factor, FillValue::zero});
        padding.push_back({1, factor, FillValue::zero});
        size *= static_cast<double>(shapeOf(dot.getLhs())[l]);
      }
      if (dims.mode == RaggedDims::Mode::free) {
        int32_t factor = builder.factor(numGroups(), FactorKind::reduce);
        builder.operand(1, dims.group, {factor});
        padding.push_back({1, factor, FillValue::zero});
        size *= static_cast<double>(numGroups());
      }
      return size;
    }

    RaggedDotOp dot;
    RaggedDims dims;
    RaggedDotDimensionNumbersAttr numbers;
    RuleBuilder builder;
    std::vector<PaddingNeed> padding;
    size_t resultDim = 0;
  };
};

template <template <typename> typename Model, typename... Ops>
void attach(mlir::MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

} // namespace

void attachChlo(mlir::MLIRContext *context) {
  attach<FunctionModel, AcosOp, AcoshOp, AsinOp, AsinhOp, AsinAcosKernelOp, AtanOp, AtanhOp,
         BesselI1eOp, ConstantLikeOp, CoshOp, DigammaOp, ErfOp, ErfInvOp, ErfcOp, IsInfOp,
         IsNegInfOp, IsPosInfOp, LgammaOp, MulhiOp, NextAfterOp, PolygammaOp, SinhOp, SquareOp,
         TanOp, ZetaOp>(context);
  attach<BroadcastModel, BroadcastAddOp, BroadcastAndOp, BroadcastAtan2Op, BroadcastCompareOp,
         BroadcastComplexOp, BroadcastDivOp, BroadcastMaxOp, BroadcastMinOp, BroadcastMulOp,
         BroadcastNextAfterOp, BroadcastOrOp, BroadcastPolygammaOp, BroadcastPowOp, BroadcastRemOp,
         BroadcastSelectOp, BroadcastShiftLeftOp, BroadcastShiftRightArithmeticOp,
         BroadcastShiftRightLogicalOp, BroadcastSubOp, BroadcastXorOp, BroadcastZetaOp>(context);
  ConjOp::attachInterface<ConjModel>(*context);
  chlo::ConstantOp::attachInterface<ChloConstantModel>(*context);
  TopKOp::attachInterface<TopKModel>(*context);
  RaggedDotOp::attachInterface<RaggedDotModel>(*context);
}

} // namespace spmd
