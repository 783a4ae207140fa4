// Reductions of windows: split along windowed dims with the rows of neighbours, or, where a window
// reaches back to the first row, with the total of the shards before.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Windows.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Scan.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include <numeric>

namespace spmd {

using namespace stablehlo;

namespace {

/// Whether each result is the total of all rows up to its own, or, `fromEnd`, from there on.
bool isRunning(const Window &window, int64_t size, int64_t rows, bool fromEnd) {
  return size == rows && size > 1 && window.size >= size && window.stride == 1 &&
         window.windowDilation == 1 && window.baseDilation == 1 &&
         window.padLow == (fromEnd ? 0 : window.size - 1);
}

struct ReduceWindowModel : Partitionable::ExternalModel<ReduceWindowModel, ReduceWindowOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    auto reduce = llvm::cast<ReduceWindowOp>(op);
    size_t numInputs = reduce.getInputs().size();
    RuleBuilder builder = ruleFor(op);
    Strategy strategy;
    strategy.flops = numElements(op->getResult(0));
    llvm::ArrayRef<int64_t> shape = shapeOf(reduce.getInputs().front()),
                            result = shapeOf(op->getResult(0));
    for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) {
      Window window = windowOf(reduce, d);
      strategy.flops *= static_cast<double>(window.size);
      if (std::optional<bool> fromEnd = runningFrom(reduce, d)) {
        addScan(builder, strategy, window, shape[d], d, *fromEnd, *reductionOf(reduce.getBody()));
        continue;
      }
      llvm::SmallVector<WindowedOperand> operands;
      for (unsigned i = 0; i < numInputs; ++i)
        operands.push_back({i, d, window});
      if (result[d] > 0)
        addWindowed(builder, strategy, op, operands, d);
    }
    strategy.rule = builder.take();
    return {strategy};
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto reduce = llvm::cast<ReduceWindowOp>(op);
    if (splitWindows(localizer).empty()) {
      localizer.setResultTypes();
      return mlir::success();
    }
    int64_t rank = localizer.operand(0).type.getRank();
    llvm::SmallVector<int64_t> padding, dilation, sizes(reduce.getWindowDimensions());
    for (int64_t d = 0; d < rank; ++d) {
      Window window = windowOf(reduce, d);
      padding.append({window.padLow, window.padHigh});
      dilation.push_back(window.baseDilation);
    }
    std::optional<ReductionKind> kind = reductionOf(reduce.getBody());
    bool isScanned = kind && llvm::all_of(reduce.getInitValues(), [&](mlir::Value init) {
                       return isFilledWith(init, identityOf(*kind));
                     });
    llvm::SmallVector<int64_t> scanned;
    if (isScanned)
      scanned = splitScans(localizer);
    readSplitWindows(
        localizer, [&](unsigned i) { return reduce.getInitValues()[i]; },
        [&](int64_t d, const WindowRead &read) {
          padding[2 * d] = read.padLow;
          padding[2 * d + 1] = read.padHigh;
          dilation[d] = read.baseDilation;
        },
        scanned);
    for (int64_t d : scanned) {
      bool fromEnd = isFromEnd(localizer, d);
      sizes[d] = shapeOf(op->getOperand(0))[d];
      padding[2 * d] = fromEnd ? 0 : sizes[d] - 1;
      padding[2 * d + 1] = fromEnd ? sizes[d] - 1 : 0;
    }
    localizer.setResultTypes();
    reduce.setWindowDimensions(sizes);
    reduce.setBaseDilations(dilation);
    reduce.setPaddingAttr(mlir::DenseIntElementsAttr::get(
        mlir::RankedTensorType::get({rank, 2}, localizer.builder.getI64Type()),
        llvm::ArrayRef<int64_t>(padding)));
    if (!scanned.empty())
      addTotalsBefore(localizer, scanned, *kind);
    return mlir::success();
  }

private:
  static Window windowOf(ReduceWindowOp op, int64_t d) {
    auto at = [&](std::optional<llvm::ArrayRef<int64_t>> values) {
      return values ? (*values)[d] : 1;
    };
    Window window;
    window.size = op.getWindowDimensions()[d];
    window.stride = at(op.getWindowStrides());
    window.baseDilation = at(op.getBaseDilations());
    window.windowDilation = at(op.getWindowDilations());
    if (mlir::DenseIntElementsAttr padding = op.getPaddingAttr()) {
      window.padLow = padding.getValues<int64_t>()[2 * d];
      window.padHigh = padding.getValues<int64_t>()[2 * d + 1];
    }
    return window;
  }

  static std::optional<bool> runningFrom(ReduceWindowOp op, int64_t d) {
    if (op.getInputs().size() != 1 || !reductionOf(op.getBody()))
      return std::nullopt;
    int64_t size = shapeOf(op.getInputs()[0])[d], rows = shapeOf(op->getResult(0))[d];
    for (bool fromEnd : {false, true})
      if (isRunning(windowOf(op, d), size, rows, fromEnd))
        return fromEnd;
    return std::nullopt;
  }

  static void addScan(RuleBuilder &builder, Strategy &strategy, const Window &window, int64_t size,
                      int64_t d, bool fromEnd, ReductionKind kind) {
    int32_t factor = builder.factor({size, FactorKind::scan, kind, window});
    builder.operand(0, d, {factor}).result(0, d, {factor});
    strategy.windows.push_back({0, factor, window, size});
    if (fromEnd)
      strategy.padding.push_back({0, factor, identityOf(kind)});
  }

  /// Returns the dims that are split and scanned.
  static llvm::SmallVector<int64_t> splitScans(const Localizer &localizer) {
    const OpRule &rule = localizer.strategy->rule;
    llvm::SmallVector<int64_t> dims;
    for (auto [d, factors] : llvm::enumerate(rule.operands[0]))
      if (factors.size() == 1 && rule.factors[factors[0]].kind == FactorKind::scan &&
          !localizer.axesOf(factors[0]).empty())
        dims.push_back(static_cast<int64_t>(d));
    return dims;
  }

  static bool isFromEnd(const Localizer &localizer, int64_t d) {
    const OpRule &rule = localizer.strategy->rule;
    return rule.factors[rule.operands[0][d][0]].window.padLow == 0;
  }

  /// Combines what the op finds in the shard with the totals of the shards before, dim by dim.
  static void addTotalsBefore(Localizer &localizer, llvm::ArrayRef<int64_t> dims,
                              ReductionKind kind) {
    mlir::Location loc = localizer.op->getLoc();
    mlir::Value value = localizer.builder.clone(*localizer.op)->getResult(0);
    auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
    llvm::SmallVector<int64_t> all(type.getRank());
    std::iota(all.begin(), all.end(), 0);
    for (int64_t d : dims) {
      bool fromEnd = isFromEnd(localizer, d);
      RowBuilder rows{localizer.builder, loc, localizer.positions, d};
      int32_t factor = localizer.strategy->rule.operands[0][d][0];
      mlir::Value total = rows.slice(value, fromEnd ? 0 : type.getDimSize(d) - 1, 1);
      mlir::Value before =
          exclusiveScan(localizer, total, d, localizer.axesOf(factor), kind, fromEnd);
      value = combine(localizer.builder, loc, kind,
                      BroadcastInDimOp::create(localizer.builder, loc, type, before, all), value);
    }
    localizer.replaceWith(value);
  }
};

} // namespace

void attachReduceWindow(mlir::MLIRContext *context) {
  ReduceWindowOp::attachInterface<ReduceWindowModel>(*context);
}

} // namespace spmd
