// Scatters: who holds a row writes it; updates that are split leave shares of the result.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Indexed.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// The arithmetic that takes as long as to combine one byte with what is at a row that an index
/// says. The row is read and written, the other read: three bytes of memory, each as long as 250
/// operations. Rows are short and anywhere, and two may be the same, so they come one after the
/// other, at a quarter of what memory gives where it is read in order.
constexpr double flopsPerCombinedByte = 3 * 250 * 4;

class RuleMaker {
public:
  explicit RuleMaker(ScatterOp scatter)
      : scatter(scatter), dims(scatter.getScatterDimensionNumbers()),
        numInputs(scatter.getInputs().size()), input(shapeOf(scatter.getInputs().front())),
        update(shapeOf(scatter.getUpdates().front())), builder(ruleFor(scatter)) {}

  Strategy make() {
    addWindowDims();
    addScatterDims();
    for (int64_t d : dims.getInsertedWindowDims())
      if (isIndexed(d))
        addInput(d);
    strategy.rule = builder.take();
    addCommuting();
    addWork();
    return std::move(strategy);
  }

private:
  /// Shares of updates leave shares of the result; a wider sum would not wrap alike.
  void addCommuting() {
    std::optional<ReductionKind> kind = reductionOf(scatter.getUpdateComputation());
    auto elementOf = [](mlir::Value value) { return tensorTypeOf(value).getElementType(); };
    if (kind && numInputs == 1 &&
        elementOf(scatter.getUpdates().front()) == elementOf(scatter->getResult(0)))
      strategy.commuting = {Commuting(), Commuting(), Commuting().pass(*kind, Passing::alone)};
  }

  /// What is combined with rows that are there takes time, by which devices that all do the same
  /// are dear. A body that does not look at what is there only writes.
  void addWork() {
    mlir::Block &body = scatter.getUpdateComputation().front();
    for (size_t i = 0; i < numInputs; ++i)
      strategy.written.push_back(static_cast<int32_t>(numInputs + 1 + i));
    for (auto [i, updates] : llvm::enumerate(scatter.getUpdates()))
      if (!body.getArgument(i).use_empty())
        strategy.flops += flopsPerCombinedByte * numElements(updates) *
                          elementBits(tensorTypeOf(updates).getElementType()) / 8;
  }

  bool isIndexed(int64_t d) { return llvm::is_contained(dims.getScatterDimsToOperandDims(), d); }

  /// Adds the factor of a dim of the inputs, which the results have too.
  int32_t addInput(int64_t inputDim) {
    int32_t factor = builder.factor(input[inputDim]);
    for (size_t i = 0; i < numInputs; ++i)
      builder.operand(i, inputDim, {factor}).result(i, inputDim, {factor});
    return factor;
  }

  void setUpdate(int64_t updateDim, int32_t factor) {
    for (size_t i = 0; i < numInputs; ++i)
      builder.operand(numInputs + 1 + i, updateDim, {factor});
  }

  /// Dims that windows have whole split with them: a window fits if its index is 0, on each device
  /// as in the whole program. Others split, too, where an index says which rows a window has.
  void addWindowDims() {
    auto nextWindow = dims.getUpdateWindowDims().begin();
    for (int64_t d = 0; d < static_cast<int64_t>(input.size()); ++d) {
      if (llvm::is_contained(dims.getInsertedWindowDims(), d) ||
          llvm::is_contained(dims.getInputBatchingDims(), d))
        continue;
      int64_t updateDim = *nextWindow++;
      if (update[updateDim] == input[d])
        setUpdate(updateDim, addInput(d));
      else if (isIndexed(d) && update[updateDim] > 0)
        addInput(d);
    }
  }

  /// What indices run over: with the inputs in batches; else two devices may write the same row, so
  /// each has a share of the result.
  void addScatterDims() {
    std::optional<ReductionKind> kind = reductionOf(scatter.getUpdateComputation());
    llvm::SmallVector<int64_t> batch =
        indexDims(scatter.getScatterIndices(), dims.getIndexVectorDim());
    auto nextBatch = batch.begin();
    for (int64_t d = 0; d < static_cast<int64_t>(update.size()); ++d) {
      if (llvm::is_contained(dims.getUpdateWindowDims(), d))
        continue;
      int64_t indexDim = *nextBatch++;
      auto place = llvm::find(dims.getScatterIndicesBatchingDims(), indexDim);
      if (place != dims.getScatterIndicesBatchingDims().end()) {
        int32_t factor = addInput(
            dims.getInputBatchingDims()[place - dims.getScatterIndicesBatchingDims().begin()]);
        setUpdate(d, factor);
        builder.operand(numInputs, indexDim, {factor});
      } else if (kind && numInputs == 1) {
        int32_t factor = builder.factor({update[d], FactorKind::reduce, *kind});
        setUpdate(d, factor);
        builder.operand(numInputs, indexDim, {factor});
        strategy.padding.push_back(
            {static_cast<int32_t>(numInputs) + 1, factor, identityOf(*kind)});
      }
    }
  }

  ScatterOp scatter;
  ScatterDimensionNumbersAttr dims;
  size_t numInputs;
  llvm::ArrayRef<int64_t> input, update;
  RuleBuilder builder;
  Strategy strategy;
};

struct ScatterModel : Partitionable::ExternalModel<ScatterModel, ScatterOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    return {RuleMaker(llvm::cast<ScatterOp>(op)).make()};
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto scatter = llvm::cast<ScatterOp>(op);
    localizer.setResultTypes();
    countInputOnce(localizer, scatter);
    if (llvm::any_of(scatter.getScatterDimensionNumbers().getScatterDimsToOperandDims(),
                     [&](int64_t d) { return isSplitByIndex(localizer, scatter, d); }))
      writeOwnRows(localizer, scatter);
    return mlir::success();
  }

private:
  /// Returns whether a device holds some of the rows of dim `d`, and an index says which are
  /// written. Windows that have all rows are split as the inputs are.
  static bool isSplitByIndex(const Localizer &localizer, ScatterOp scatter, int64_t d) {
    std::optional<int64_t> dim = updateDimOf(scatter, d);
    size_t update = scatter.getInputs().size() + 1;
    bool isWhole = dim && localizer.operand(update).type.getDimSize(*dim) ==
                              localizer.operand(0).type.getDimSize(d);
    return !isWhole && !localizer.operand(0).sharding->dims[d].axes.empty();
  }

  /// Returns the dim of updates that has what windows have of dim `d`, or none where they have one
  /// row and no dim for it.
  static std::optional<int64_t> updateDimOf(ScatterOp scatter, int64_t d) {
    ScatterDimensionNumbersAttr dims = scatter.getScatterDimensionNumbers();
    auto isDropped = [&](int64_t each) {
      return llvm::is_contained(dims.getInsertedWindowDims(), each) ||
             llvm::is_contained(dims.getInputBatchingDims(), each);
    };
    if (isDropped(d))
      return std::nullopt;
    int64_t place = llvm::count_if(llvm::seq(d), [&](int64_t each) { return !isDropped(each); });
    return dims.getUpdateWindowDims()[place];
  }

  /// Returns how many rows of dim `d` an index writes: from so many rows in front of the first, no
  /// row is inside.
  static int64_t windowSize(ScatterOp scatter, int64_t d) {
    std::optional<int64_t> dim = updateDimOf(scatter, d);
    return dim ? shapeOf(scatter.getUpdates().front())[*dim] : 1;
  }

  /// Indices are counted from the shard: those of other rows do not fit, and are skipped. Of
  /// windows of several rows some may be elsewhere: rows around the shard, which are dropped
  /// behind the op, take these.
  static void writeOwnRows(Localizer &localizer, ScatterOp scatter) {
    ScatterDimensionNumbersAttr dims = scatter.getScatterDimensionNumbers();
    llvm::SmallVector<IndexComponent> components;
    llvm::SmallVector<int64_t> widened;
    for (int64_t d : dims.getScatterDimsToOperandDims()) {
      components.push_back(componentOf(localizer, scatter, d));
      if (components.back().first && windowSize(scatter, d) > 1)
        widened.push_back(d);
    }
    RowBuilder rows{localizer.builder, scatter.getLoc(), localizer.positions,
                    dims.getIndexVectorDim()};
    llvm::SmallVector<mlir::Value> indices = localComponents(localizer, scatter.getScatterIndices(),
                                                             dims.getIndexVectorDim(), components);
    for (auto [d, index] : llvm::zip_equal(dims.getScatterDimsToOperandDims(), indices))
      if (llvm::is_contained(widened, d))
        index = cutWindow(localizer, scatter, d, index);
    scatter.getScatterIndicesMutable().assign(rows.join(indices));
    scatter.setIndicesAreSorted(false);
    if (!widened.empty())
      widen(localizer, scatter, widened);
  }

  /// Leaves of a window that is alone no more rows of dim `d` than the shard has: those that fall
  /// in it, if any do. Returns where they go, given where the window does, both counted from as
  /// many rows in front of the shard.
  static mlir::Value cutWindow(Localizer &localizer, ScatterOp scatter, int64_t d,
                               mlir::Value index) {
    int64_t numRows = windowSize(scatter, d), held = shapeOf(scatter.getInputs().front())[d];
    auto type = llvm::cast<mlir::RankedTensorType>(index.getType());
    if (numRows <= held || type.getNumElements() != 1)
      return index;
    mlir::OpBuilder &builder = localizer.builder;
    mlir::Location loc = scatter.getLoc();
    mlir::RankedTensorType scalar = type.clone(llvm::ArrayRef<int64_t>{});
    auto constant = [&](int64_t value) { return localizer.positions.constant(value); };
    mlir::Value at = ReshapeOp::create(builder, loc, scalar, index);
    mlir::Value from = SubtractOp::create(builder, loc, scalar, constant(numRows), at);
    from = MaxOp::create(builder, loc, scalar, from, constant(0));
    from = MinOp::create(builder, loc, scalar, from, constant(numRows - held));
    RowBuilder rows{builder, loc, localizer.positions, *updateDimOf(scatter, d)};
    for (mlir::OpOperand &update : scatter.getUpdatesMutable())
      update.set(rows.slice(update.get(), from, held));
    at = AddOp::create(builder, loc, scalar, at, from);
    at = SubtractOp::create(builder, loc, scalar, at, constant(numRows - held));
    return ReshapeOp::create(builder, loc, type, at);
  }

  /// Returns the bounds of the component of dim `d` of indices, beyond which no row is inside, and
  /// what it is counted from.
  static IndexComponent componentOf(Localizer &localizer, ScatterOp scatter, int64_t d) {
    int64_t numRows = windowSize(scatter, d), size = localizer.operand(0).type.getDimSize(d);
    IndexComponent component{-numRows, size, {}, {}};
    if (!isSplitByIndex(localizer, scatter, d))
      return component;
    int64_t held = shapeOf(scatter.getInputs().front())[d];
    component.first =
        localizer.positions.firstRow(localizer.mesh, localizer.operand(0).sharding->dims[d], held);
    if (numRows == 1)
      return component;
    // Counted from the rows in front of the shard, which windows that do not fit must miss, too.
    component.first =
        localizer.positions.subtract(component.first, localizer.positions.constant(numRows));
    component.fitting = IndexComponent::Fitting{size - numRows, -numRows};
    return component;
  }

  /// Puts rows around the inputs in `dims`, as many as a window has, and takes them off the
  /// results.
  static void widen(Localizer &localizer, ScatterOp scatter, llvm::ArrayRef<int64_t> dims) {
    mlir::OpBuilder &builder = localizer.builder;
    mlir::Location loc = scatter.getLoc();
    llvm::SmallVector<mlir::Value> results;
    for (auto [i, input] : llvm::enumerate(scatter.getInputs())) {
      mlir::Value wide = input;
      for (int64_t d : dims) {
        int64_t numRows = windowSize(scatter, d);
        wide = RowBuilder{builder, loc, localizer.positions, d}.pad(wide, numRows, numRows, 0, {});
      }
      scatter.getInputsMutable()[i].set(wide);
    }
    mlir::Operation *written = builder.clone(*scatter);
    for (auto [input, result] : llvm::zip_equal(scatter.getInputs(), written->getResults())) {
      result.setType(input.getType());
      mlir::Value own = result;
      for (int64_t d : dims) {
        int64_t numRows = windowSize(scatter, d);
        own = RowBuilder{builder, loc, localizer.positions, d}.slice(
            own, numRows, shapeOf(input)[d] - 2 * numRows);
      }
      results.push_back(own);
    }
    localizer.replaceWith(results);
  }

  /// Where devices have shares of the result, all but the first along the axes start from nothing.
  static void countInputOnce(Localizer &localizer, ScatterOp scatter) {
    const Sharding &result = *localizer.result(0).sharding;
    FillValue identity = identityOf(result.kind);
    mlir::Value coordinate = localizer.positions.coordinate(localizer.mesh, result.unreduced);
    mlir::Value input = scatter.getInputs().front();
    if (!coordinate || isFilledWith(input, identity))
      return;
    mlir::OpBuilder &builder = localizer.builder;
    mlir::Location loc = scatter.getLoc();
    auto type = llvm::cast<mlir::RankedTensorType>(input.getType());
    mlir::Value isFirst =
        CompareOp::create(builder, loc, mlir::RankedTensorType::get({}, builder.getI1Type()),
                          coordinate, localizer.positions.constant(0), ComparisonDirection::EQ,
                          ComparisonTypeAttr::get(builder.getContext(), ComparisonType::SIGNED));
    scatter.getInputsMutable()[0].set(SelectOp::create(builder, loc, type, isFirst, input,
                                                       fillConstant(builder, loc, type, identity)));
  }
};

} // namespace

void attachScatter(mlir::MLIRContext *context) {
  ScatterOp::attachInterface<ScatterModel>(*context);
}

} // namespace spmd
