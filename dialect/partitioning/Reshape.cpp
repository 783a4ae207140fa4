// Reshapes: dims that are products of the same parts split along the major ones.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Windows.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include <numeric>

namespace spmd {

using namespace stablehlo;

namespace {

/// Cuts the dims of both sides into factors, so that each dim is a product of whole factors:
///
///     6x4 -> 2x12    ([ij, k]) -> ([i, jk])   i=2, j=3, k=4
///
/// Where prefixes have no common cut (6 -> 4 ..) the dims keep a factor of their own, which must
/// stay whole, until they meet again.
///
/// Shards of a merged dim are whole rows of the major part only where they are of one size. By a
/// second strategy the merged dim is split as it is, and reads the rows that its elements are of;
/// that of a dim that is cut in parts reads the elements of its rows:
///
///     10x3 -> 30 over 4    rows 3 3 3 1, elements 8 8 8 6    elements 8 .. 15 are of rows 2 .. 5
///
/// So do rows that are cut in rows of their own (5x6 -> 10x3), and rows that are joined. Where the
/// numbers of rows have nothing in common (3x10 -> 2x15), both sides are runs of the longest pieces
/// that cut both, units: row 1 of the result, units 3 .. 5 of 5 elements, is of rows 1 and 2.
struct ReshapeModel : Partitionable::ExternalModel<ReshapeModel, ReshapeOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    Strategies strategies = {strategyOf(op, /*readsWindows=*/false)};
    if (Strategy reading = strategyOf(op, /*readsWindows=*/true); !reading.windows.empty())
      strategies.push_back(std::move(reading));
    return strategies;
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    auto local = localizer.localType(localizer.result(0));
    llvm::SmallVector<Cut> cuts;
    mlir::OpOperand &operand = op->getOpOperand(0);
    for (const SplitWindow &split : splitWindows(localizer)) {
      operand.set(readRows(localizer, operand.get(), split.dim, split.axes, split.windowed, {}));
      if (split.windowed.hasFixedPhase())
        continue; // At the first element of a row.
      cuts.push_back(cutOf(localizer, split, operand.get(), local));
    }
    localizer.setResultTypes();
    if (!cuts.empty())
      localizer.replaceWith(cutOut(localizer, operand.get(), local, cuts));
    return mlir::success();
  }

private:
  /// What a device needs of the rows that it has read for dim `dim` of its result: `needed` units,
  /// from `place` on, of `read`. Rows of the result are `perRow` units each, and end before dim
  /// `end`.
  struct Cut {
    int64_t dim, end;
    int64_t read, needed, perRow;
    mlir::Value place;
  };

  static Cut cutOf(Localizer &localizer, const SplitWindow &split, mlir::Value rows,
                   mlir::RankedTensorType local) {
    const WindowedDim &windowed = split.windowed;
    Cut cut{resultDimOf(localizer.strategy->rule, split.dim),
            0,
            windowed.length() * windowed.window.baseDilation,
            windowed.resultBlock() * windowed.window.stride,
            windowed.window.stride,
            placeInRow(localizer, split)};
    llvm::ArrayRef<int64_t> in = llvm::cast<mlir::RankedTensorType>(rows.getType()).getShape();
    cut.end = cut.dim + 1;
    int64_t passedIn = windowed.size, passedOut = windowed.rows, from = split.dim + 1;
    while (passedIn != passedOut) // What follows is whole.
      if (passedIn < passedOut)
        passedIn *= in[from++];
      else
        passedOut *= local.getDimSize(cut.end++);
    return cut;
  }

  /// Returns the part of `rows`, which are read for `cuts`, that is the device's result.
  static mlir::Value cutOut(Localizer &localizer, mlir::Value rows, mlir::RankedTensorType local,
                            llvm::ArrayRef<Cut> cuts) {
    mlir::Location loc = localizer.op->getLoc();
    llvm::SmallVector<int64_t> shape;
    llvm::SmallVector<std::pair<int64_t, const Cut *>> places;
    for (int64_t d = 0; d < local.getRank();) {
      const Cut *cut = llvm::find_if(cuts, [&](const Cut &each) { return each.dim == d; });
      if (cut == cuts.end()) {
        shape.push_back(local.getDimSize(d++));
        continue;
      }
      places.push_back({static_cast<int64_t>(shape.size()), cut});
      shape.push_back(cut->read);
      llvm::ArrayRef<int64_t> row = local.getShape().slice(d + 1, cut->end - d - 1);
      if (cut->perRow == 1)
        llvm::append_range(shape, row);
      else
        shape.push_back(std::accumulate(row.begin(), row.end(), int64_t{1}, std::multiplies<>()) /
                        cut->perRow);
      d = cut->end;
    }
    mlir::Value found = ReshapeOp::create(localizer.builder, loc, local.clone(shape), rows);
    for (auto [dim, cut] : places)
      found = RowBuilder{localizer.builder, loc, localizer.positions, dim}.slice(found, cut->place,
                                                                                 cut->needed);
    if (found.getType() != local)
      found = ReshapeOp::create(localizer.builder, loc, local, found);
    return found;
  }

  struct Side {
    explicit Side(llvm::ArrayRef<int64_t> shape) : shape(shape), factors(shape.size()) {}
    llvm::ArrayRef<int64_t> shape;
    std::vector<DimFactors> factors;
    size_t dim = 0;
    int64_t rest = 1; ///< Of the current dim, yet without a factor.
    bool started = false;

    /// Goes on to a dim with something left.
    bool next() {
      while (rest == 1) {
        if (started)
          ++dim;
        started = true;
        if (dim == shape.size())
          return false;
        rest = shape[dim];
      }
      return true;
    }
    void take(int32_t factor, int64_t size) {
      factors[dim].push_back(factor);
      rest /= size;
    }
    /// Gives what is left of the dim a factor that must stay whole; returns its size.
    int64_t close(RuleBuilder &builder) {
      int64_t size = rest;
      take(builder.factor(size, FactorKind::whole), size);
      return size;
    }
    bool isAtStart() const { return rest == shape[dim]; }
    /// Gives the current dim a factor, and those behind it none, until `size` elements have passed.
    void passRun(int32_t factor, int64_t size) {
      factors[dim].push_back(factor);
      for (int64_t passed = shape[dim]; passed < size; passed *= shape[dim])
        ++dim;
      rest = 1;
    }
  };

  static Strategy strategyOf(mlir::Operation *op, bool readsWindows) {
    RuleBuilder builder = ruleFor(op);
    Strategy strategy;
    llvm::ArrayRef<int64_t> from = shapeOf(op->getOperand(0)), to = shapeOf(op->getResult(0));
    if (!llvm::is_contained(from, 0)) {
      Side in{from}, out{to};
      while (in.next() && out.next())
        if (!readsWindows || !readRun(builder, strategy, in, out))
          match(builder, in, out);
      for (size_t d = 0; d < from.size(); ++d)
        builder.operand(0, d, in.factors[d]);
      for (size_t d = 0; d < to.size(); ++d)
        builder.result(0, d, out.factors[d]);
    }
    strategy.rule = builder.take();
    strategy.commuting = {Commuting::movesElements()};
    return strategy;
  }

  /// Passes dims of both sides that have as many elements together, of which the first ones differ;
  /// false if none begin here.
  static bool readRun(RuleBuilder &builder, Strategy &strategy, Side &in, Side &out) {
    int64_t size = in.rest, rows = out.rest;
    int64_t common = std::gcd(size, rows);
    bool isCut = common == std::min(size, rows), areUnlike = common == 1;
    if (!in.isAtStart() || !out.isAtStart() || size == rows || (!isCut && !areUnlike))
      return false; // What both sides have in common splits without any move.
    Window window;
    window.baseDilation = rows / common;
    window.padHigh = window.baseDilation - 1;
    window.size = window.stride = size / common;
    Factor factor{std::max(size, rows), FactorKind::window};
    factor.window = window;
    int32_t index = builder.factor(factor);
    strategy.windows.push_back({0, index, window, rows});
    int64_t numElements = runOf(in, out);
    in.passRun(index, numElements);
    out.passRun(index, numElements);
    return true;
  }

  /// Returns how many elements the fewest dims have that both sides have from here on.
  static int64_t runOf(const Side &in, const Side &out) {
    size_t i = in.dim, o = out.dim;
    int64_t passedIn = in.rest, passedOut = out.rest;
    while (passedIn != passedOut)
      if (passedIn < passedOut)
        passedIn *= in.shape[++i];
      else
        passedOut *= out.shape[++o];
    return passedIn;
  }

  static void match(RuleBuilder &builder, Side &in, Side &out) {
    int64_t common = std::gcd(in.rest, out.rest);
    if (common > 1) {
      int32_t factor = builder.factor(common);
      in.take(factor, common);
      out.take(factor, common);
      return;
    }
    // No common cut: go on until as many elements have passed on both sides.
    int64_t passedIn = in.close(builder), passedOut = out.close(builder);
    while (passedIn != passedOut) {
      bool inIsBehind = passedIn < passedOut;
      Side &side = inIsBehind ? in : out;
      if (!side.next())
        return;
      (inIsBehind ? passedIn : passedOut) *= side.close(builder);
    }
  }

  /// Returns the dim of the result that is read from dim `operandDim`.
  static int64_t resultDimOf(const OpRule &rule, int64_t operandDim) {
    return llvm::find(rule.results[0], rule.operands[0][operandDim]) - rule.results[0].begin();
  }

  /// Returns where the device's part begins in the first row that it reads, in units.
  static mlir::Value placeInRow(Localizer &localizer, const SplitWindow &split) {
    int64_t perRow = split.windowed.window.baseDilation;
    Positions &positions = localizer.positions;
    mlir::Value begin = positions.multiply(positions.coordinate(localizer.mesh, split.axes),
                                           split.windowed.slope() % perRow);
    return positions.subtract(begin, positions.multiply(positions.divide(begin, perRow), perRow));
  }
};

} // namespace

void attachReshape(mlir::MLIRContext *context) {
  ReshapeOp::attachInterface<ReshapeModel>(*context);
}

} // namespace spmd
