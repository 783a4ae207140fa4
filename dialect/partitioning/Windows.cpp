#include "spmd/dialect/partitioning/Windows.h"

#include "spmd/dialect/partitioning/Families.h"

namespace spmd {

/// Whether each row of the result is the row of the operand.
static bool isPlain(const Window &window, int64_t size, int64_t rows) {
  return size == rows && window.size == 1 && window.stride == 1 && window.padLow == 0 &&
         window.baseDilation == 1 && !window.reversed;
}

/// Whether devices that hold shards of the operand and of the results have most of the rows they
/// need: results are not much fewer or more than rows, and windows reach less far than all of them.
static bool isLocal(const Window &window, int64_t size, int64_t rows) {
  constexpr int64_t most = 8;
  int64_t reach = (window.size - 1) * window.windowDilation + 1;
  return rows > 1 && size < rows * most && rows < size * most && reach <= rows * window.stride;
}

void addWindowed(RuleBuilder &builder, Strategy &strategy, mlir::Operation *op,
                 llvm::ArrayRef<WindowedOperand> operands, int64_t resultDim) {
  int64_t rows = shapeOf(op->getResult(0))[resultDim], size = 0;
  bool isMoved = false;
  for (const WindowedOperand &each : operands) {
    int64_t own = shapeOf(op->getOperand(each.operand))[each.dim];
    size = std::max(size, own);
    isMoved |= !isPlain(each.window, own, rows);
  }
  if (rows == 0 || size == 0)
    return;
  Factor factor{size, isMoved ? FactorKind::window : FactorKind::pass};
  if (isMoved) {
    factor.window = operands.front().window;
    factor.blocked = !isLocal(factor.window, size, rows);
  }
  int32_t index = builder.factor(factor);
  for (const WindowedOperand &each : operands) {
    if (shapeOf(op->getOperand(each.operand))[each.dim] == 0)
      continue;
    builder.operand(each.operand, each.dim, {index});
    if (isMoved)
      strategy.windows.push_back({static_cast<int32_t>(each.operand), index, each.window, rows});
  }
  for (mlir::OpResult result : op->getResults())
    builder.result(result.getResultNumber(), resultDim, {index});
}

static int64_t dimOf(const OpRule &rule, const WindowUse &use) {
  const TensorFactors &dims = rule.operands[use.operand];
  return llvm::find_if(dims,
                       [&](const DimFactors &dim) { return llvm::is_contained(dim, use.factor); }) -
         dims.begin();
}

llvm::SmallVector<SplitWindow> splitWindows(const Localizer &localizer) {
  const OpRule &rule = localizer.strategy->rule;
  llvm::SmallVector<SplitWindow> windows;
  for (const WindowUse &use : localizer.strategy->windows) {
    absl::Span<const AxisRef> axes = localizer.axesOf(use.factor);
    if (axes.empty())
      continue;
    int64_t dim = dimOf(rule, use);
    if (dim == static_cast<int64_t>(rule.operands[use.operand].size()))
      continue; // Its rows are gathered, or go round.
    WindowedDim windowed{use.window, localizer.operand(use.operand).type.getDimSize(dim), use.rows,
                         sizeOf(axes)};
    // What is summed over must not be poison, not even where the other side is zero.
    if (rule.factors[use.factor].kind == FactorKind::reduce)
      windowed.rows = windowed.resultBlock() * windowed.shards;
    windows.push_back({static_cast<unsigned>(use.operand), dim, axes, windowed});
  }
  return windows;
}

void readSplitWindows(Localizer &localizer, llvm::function_ref<mlir::Value(unsigned)> fillOf,
                      llvm::function_ref<void(int64_t, const WindowRead &)> adapt,
                      llvm::ArrayRef<int64_t> except) {
  for (const SplitWindow &split : splitWindows(localizer)) {
    if (llvm::is_contained(except, split.dim))
      continue;
    mlir::OpOperand &operand = localizer.op->getOpOperand(split.operand);
    WindowRead read = readWindows(localizer, operand.get(), split.dim, split.axes, split.windowed,
                                  fillOf ? fillOf(split.operand) : mlir::Value());
    operand.set(read.rows);
    adapt(split.dim, read);
  }
}

} // namespace spmd
