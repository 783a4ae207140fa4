#include "spmd/dialect/partitioning/algorithms/SortShards.h"

#include "spmd/dialect/partitioning/algorithms/Halo.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/ir/reshard/SortExchange.h"

#include "mlir/IR/IRMapping.h"

namespace spmd {

using namespace stablehlo;

bool hasVisibleTies(SortOp sort) {
  mlir::Block &body = sort.getComparator().front();
  auto compare = body.getTerminator()->getOperand(0).getDefiningOp<CompareOp>();
  if (sort.getInputs().size() != 1 || !compare || compare->getBlock() != &body)
    return true;
  mlir::Value a = body.getArgument(0), b = body.getArgument(1);
  bool isOrder = compare.getComparisonDirection() == ComparisonDirection::LT ||
                 compare.getComparisonDirection() == ComparisonDirection::GT;
  bool isOfBoth = (compare.getLhs() == a && compare.getRhs() == b) ||
                  (compare.getLhs() == b && compare.getRhs() == a);
  mlir::Type element = llvm::cast<mlir::RankedTensorType>(a.getType()).getElementType();
  return !isOrder || !isOfBoth ||
         !(llvm::isa<mlir::IntegerType>(element) ||
           compare.getCompareType() == ComparisonType::TOTALORDER);
}

namespace {

using Values = llvm::SmallVector<mlir::Value>;

mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// Beside the operands goes a tensor of *places*: where a row stood in the whole, so that equal
/// rows keep their order, or, where that cannot be told, only 0. Rows that do not exist have places
/// from `limit` on and come last, or below 0 and come first.
class Sorter {
public:
  Sorter(Localizer &localizer, SortOp sort, int64_t dim, absl::Span<const AxisRef> axes)
      : localizer(localizer), builder(localizer.builder), loc(sort.getLoc()), sort(sort), dim(dim),
        axes(axes), sorted{localizer.operand(0).type.getDimSize(dim), sizeOf(axes)},
        hasTies(hasVisibleTies(sort)), rows{builder, loc, localizer.positions, dim} {
    mlir::Type index = localizer.positions.indexElement();
    placeElement = hasTies ? index : builder.getI8Type();
    limit = hasTies ? sorted.size : 1;
  }

  void run() {
    Values values(sort.getInputs());
    bool hasPlaces = hasTies || sorted.isPadded();
    if (hasPlaces)
      values.push_back(placesOfShard());
    values = sortLocally(values, hasPlaces && sorted.size % sorted.shards != 0);
    for (auto [i, value] : llvm::enumerate(values))
      value = deal(rows.pad(value, 0, sorted.dealtBlock() - sorted.block(), 0,
                            i == sort.getInputs().size() ? placeConstant(limit) : mlir::Value()));
    // Pieces come in the order of their shards, so equal rows keep their order.
    values = sortLocally(values, hasPlaces && sorted.isPadded());
    for (mlir::Value &value : values)
      value = readWindow(dealBack(value));
    if (!hasPlaces)
      values.push_back(
          fillConstant(builder, loc, typeOf(values.front()).clone(placeElement), FillValue::zero));
    values.back() = markMissing(values.back());
    if (hasTies)
      values = sortByPlace(values);
    values = sortLocally(values, /*isByClass=*/true);
    values.pop_back();
    for (mlir::Value &value : values)
      value = rows.slice(value, sorted.reach(), sorted.block());
    localizer.replaceWith(values);
  }

private:
  Positions &positions() { return localizer.positions; }

  mlir::Value placeConstant(int64_t value) {
    auto type = mlir::RankedTensorType::get({}, placeElement);
    return ConstantOp::create(
        builder, loc,
        mlir::DenseElementsAttr::get(type, builder.getIntegerAttr(placeElement, value)));
  }

  mlir::Value placesLike(mlir::Value value, int64_t place) {
    return BroadcastInDimOp::create(builder, loc, typeOf(value).clone(placeElement),
                                    placeConstant(place), llvm::ArrayRef<int64_t>{});
  }

  mlir::Value placesOfShard() {
    mlir::Value shard = sort.getInputs().front();
    mlir::Value first = positions().firstRow(
        localizer.mesh, localizer.operand(0).sharding->dims[dim], sorted.block());
    if (!hasTies)
      return rows.select(
          rows.rowsBelow(shard, positions().subtract(positions().constant(sorted.size), first)),
          placesLike(shard, 0), placesLike(shard, limit));
    mlir::RankedTensorType type = typeOf(shard).clone(placeElement);
    return AddOp::create(
        builder, loc, type, IotaOp::create(builder, loc, type, static_cast<uint64_t>(dim)),
        BroadcastInDimOp::create(builder, loc, type, first, llvm::ArrayRef<int64_t>{}));
  }

  /// Rows in front of the first one and behind the last that anyone holds come first and last.
  mlir::Value markMissing(mlir::Value places) {
    WindowedDim window = sorted.window();
    mlir::Value from = positions().subtract(
        positions().multiply(positions().coordinate(localizer.mesh, axes), sorted.block()),
        positions().constant(sorted.reach()));
    mlir::Value isBehind =
        rows.rowsFrom(places, positions().subtract(positions().constant(window.size), from));
    mlir::Value isThere = rows.rowsFrom(places, positions().subtract({}, from));
    return rows.select(isThere, rows.select(isBehind, placesLike(places, limit), places),
                       placesLike(places, -1));
  }

  //===- Exchanges -----------------------------------------------------------===//

  /// Returns `value` with dim `dim` as `major` x `minor`.
  mlir::Value unfold(mlir::Value value, int64_t major, int64_t minor) {
    llvm::SmallVector<int64_t> shape(typeOf(value).getShape());
    shape[dim] = major;
    shape.insert(shape.begin() + dim + 1, minor);
    return ReshapeOp::create(builder, loc, typeOf(value).clone(shape), value);
  }

  /// Swaps the two dims that `unfold` made, and joins them.
  mlir::Value swapAndFold(mlir::Value value) {
    llvm::SmallVector<int64_t> order, shape(typeOf(value).getShape());
    for (size_t d = 0; d < shape.size(); ++d)
      order.push_back(d);
    std::swap(order[dim], order[dim + 1]);
    std::swap(shape[dim], shape[dim + 1]);
    mlir::Value swapped =
        TransposeOp::create(builder, loc, typeOf(value).clone(shape), value, order);
    shape[dim] *= shape[dim + 1];
    shape.erase(shape.begin() + dim + 1);
    return ReshapeOp::create(builder, loc, typeOf(value).clone(shape), swapped);
  }

  /// Sends block i of the rows to device i.
  mlir::Value exchange(mlir::Value value) {
    return localizer.collectives.allToAll(builder, loc, typeOf(value), value, dim, dim,
                                          {&localizer.mesh, localizer.meshAttr, axes});
  }

  /// Row r goes to device r mod shards.
  mlir::Value deal(mlir::Value value) {
    return exchange(swapAndFold(unfold(value, sorted.dealtBlock() / sorted.shards, sorted.shards)));
  }

  mlir::Value dealBack(mlir::Value value) {
    return swapAndFold(unfold(exchange(value), sorted.shards, sorted.dealtBlock() / sorted.shards));
  }

  mlir::Value readWindow(mlir::Value value) {
    return readRows(localizer, value, dim, axes, sorted.window(), /*fill=*/{});
  }

  //===- Local sorts ---------------------------------------------------------===//

  /// Returns a stable sort of `values` with an empty comparator, and its block.
  std::pair<SortOp, mlir::Block *> createSort(const Values &values) {
    auto made = SortOp::create(builder, loc, mlir::ValueRange(values).getTypes(), values, dim,
                               /*is_stable=*/true);
    mlir::Block &block = made.getComparator().emplaceBlock();
    for (mlir::Value value : values)
      for (int side = 0; side < 2; ++side)
        block.addArgument(typeOf(value).clone(llvm::ArrayRef<int64_t>{}), loc);
    return {made, &block};
  }

  Values sortByPlace(const Values &values) {
    auto [made, block] = createSort(values);
    mlir::OpBuilder inside = mlir::OpBuilder::atBlockBegin(block);
    unsigned last = block->getNumArguments();
    ReturnOp::create(inside, loc,
                     compare(inside, block->getArgument(last - 2), block->getArgument(last - 1),
                             ComparisonDirection::LT));
    return made->getResults();
  }

  /// Sorts as the user says; `isByClass`: rows that do not exist first and last.
  Values sortLocally(const Values &values, bool isByClass) {
    auto [made, block] = createSort(values);
    mlir::OpBuilder inside = mlir::OpBuilder::atBlockBegin(block);
    mlir::Block &original = sort.getComparator().front();
    mlir::IRMapping map;
    for (mlir::BlockArgument argument : original.getArguments())
      map.map(argument, block->getArgument(argument.getArgNumber()));
    for (mlir::Operation &op : original.without_terminator())
      inside.clone(op, map);
    mlir::Value result = map.lookupOrDefault(original.getTerminator()->getOperand(0));
    if (isByClass) {
      unsigned last = block->getNumArguments();
      mlir::Value a = classOf(inside, block->getArgument(last - 2)),
                  b = classOf(inside, block->getArgument(last - 1));
      result = SelectOp::create(inside, loc, result.getType(),
                                compare(inside, a, b, ComparisonDirection::EQ), result,
                                compare(inside, a, b, ComparisonDirection::LT));
    }
    ReturnOp::create(inside, loc, result);
    return made->getResults();
  }

  mlir::Value compare(mlir::OpBuilder &inside, mlir::Value a, mlir::Value b,
                      ComparisonDirection direction) {
    return CompareOp::create(inside, loc, typeOf(a).clone(builder.getI1Type()), a, b, direction,
                             ComparisonTypeAttr::get(builder.getContext(), ComparisonType::SIGNED));
  }

  /// Returns -1, 0 or a positive number for a place below 0, one that exists, and one from the
  /// limit on.
  mlir::Value classOf(mlir::OpBuilder &inside, mlir::Value place) {
    if (!hasTies)
      return place;
    mlir::RankedTensorType type = typeOf(place);
    auto constant = [&](int64_t value) {
      return ConstantOp::create(
          inside, loc,
          mlir::DenseElementsAttr::get(type, builder.getIntegerAttr(placeElement, value)));
    };
    mlir::Value zero = constant(0);
    mlir::Value below = MinOp::create(inside, loc, type, place, zero);
    mlir::Value beyond = SubtractOp::create(inside, loc, type, place, constant(limit - 1));
    return AddOp::create(inside, loc, type, below, MaxOp::create(inside, loc, type, beyond, zero));
  }

  Localizer &localizer;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  SortOp sort;
  int64_t dim;
  absl::Span<const AxisRef> axes;
  SortedDim sorted;
  bool hasTies;
  RowBuilder rows;
  mlir::Type placeElement;
  int64_t limit;
};

} // namespace

void sortShards(Localizer &localizer, SortOp sort, int64_t dim, absl::Span<const AxisRef> axes) {
  Sorter(localizer, sort, dim, axes).run();
}

} // namespace spmd
