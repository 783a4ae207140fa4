#include "spmd/dialect/partitioning/algorithms/Fold.h"

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"

#include "mlir/IR/IRMapping.h"

namespace spmd {

using namespace stablehlo;

namespace {

class Folder {
public:
  Folder(Localizer &localizer, ReduceOp reduce, int64_t dim)
      : localizer(localizer), builder(localizer.builder), loc(reduce.getLoc()), reduce(reduce),
        dim(dim), input(localizer.operand(0)), sharding(input.sharding->dims[dim]),
        rows{builder, loc, localizer.positions, dim} {}

  void run() {
    heldRows = shapeOf(reduce.getInputs().front())[dim];
    llvm::SmallVector<mlir::Value> partials =
        isPadded() || !mayRepeatInit() ? foldWithoutInit() : foldWithInit();
    for (mlir::Value &partial : partials)
      partial = gather(partial);
    auto joined = ReduceOp::create(builder, loc, reduce->getResultTypes(), partials,
                                   reduce.getInitValues(), builder.getDenseI64ArrayAttr({0}));
    joined.getBody().takeBody(reduce.getBody());
    localizer.replaceWith(joined->getResults());
  }

private:
  int64_t numRows() const { return input.type.getDimSize(dim); }
  bool isPadded() const { return numRows() % numShards(sharding) != 0; }

  /// Returns whether the body, given the initial values twice, gives them back: each result is one
  /// of its own two arguments, as in an argmax. Then it does not matter how often they come in.
  bool mayRepeatInit() {
    mlir::Block &body = reduce.getBody().front();
    size_t numLanes = reduce.getInputs().size();
    llvm::SmallDenseMap<mlir::Value, size_t> lanes;
    for (mlir::BlockArgument argument : body.getArguments())
      lanes[argument] = argument.getArgNumber() % numLanes;
    auto laneOf = [&](mlir::Value value) {
      auto lane = lanes.find(value);
      return lane == lanes.end() ? numLanes : lane->second;
    };
    for (mlir::Operation &op : body.without_terminator()) {
      if (!llvm::isa<SelectOp, MaxOp, MinOp, AndOp, OrOp>(op))
        continue;
      size_t lane = laneOf(op.getOperands().back());
      if (lane < numLanes && lane == laneOf(op.getOperand(op.getNumOperands() - 2)))
        lanes[op.getResult(0)] = lane;
    }
    for (mlir::OpOperand &returned : body.getTerminator()->getOpOperands())
      if (laneOf(returned.get()) != returned.getOperandNumber())
        return false;
    return true;
  }

  llvm::SmallVector<mlir::Value> foldWithInit() {
    mlir::Operation *local = builder.clone(*reduce);
    return {local->result_begin(), local->result_end()};
  }

  mlir::Value maskOfRows() {
    mlir::Value limit = localizer.positions.subtract(
        localizer.positions.constant(numRows()),
        localizer.positions.firstRow(localizer.mesh, sharding, heldRows));
    return rows.rowsBelow(reduce.getInputs().front(), limit);
  }

  /// Beside the values goes whether they are rows at all: what is none is left out, so no value
  /// that changes nothing need be known.
  llvm::SmallVector<mlir::Value> foldWithoutInit() {
    auto flags = llvm::cast<mlir::RankedTensorType>(reduce.getInputs().front().getType())
                     .clone(builder.getI1Type());
    auto flag = flags.clone(llvm::ArrayRef<int64_t>{});
    auto constant = [&](mlir::RankedTensorType type, bool value) -> mlir::Value {
      return ConstantOp::create(builder, loc, mlir::DenseElementsAttr::get(type, value));
    };
    llvm::SmallVector<mlir::Value> inputs(reduce.getInputs()), inits(reduce.getInitValues());
    llvm::SmallVector<mlir::Type> results(reduce->getResultTypes());
    inputs.push_back(isPadded() ? maskOfRows() : constant(flags, true));
    inits.push_back(constant(flag, false));
    results.push_back(
        llvm::cast<mlir::RankedTensorType>(results.front()).clone(builder.getI1Type()));
    auto local = ReduceOp::create(builder, loc, results, inputs, inits, reduce.getDimensionsAttr());
    addFlaggedBody(local.getBody(), flag);
    llvm::SmallVector<mlir::Value> partials(local->getResults());
    partials.pop_back();
    return partials;
  }

  /// The body on two values that are rows, else the one that is.
  void addFlaggedBody(mlir::Region &region, mlir::Type flag) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    mlir::Block &original = reduce.getBody().front();
    size_t numLanes = reduce.getInputs().size();
    llvm::SmallVector<mlir::Type> types;
    for (size_t i = 0; i < 2 * numLanes; ++i) {
      types.push_back(original.getArgument(i).getType());
      if (i + 1 == numLanes || i + 1 == 2 * numLanes)
        types.push_back(flag);
    }
    mlir::Block *block = builder.createBlock(&region, {}, types,
                                             llvm::SmallVector<mlir::Location>(types.size(), loc));
    auto left = block->getArguments().take_front(numLanes + 1);
    auto right = block->getArguments().drop_front(numLanes + 1);
    mlir::IRMapping map;
    for (size_t i = 0; i < numLanes; ++i) {
      map.map(original.getArgument(i), left[i]);
      map.map(original.getArgument(numLanes + i), right[i]);
    }
    for (mlir::Operation &op : original.without_terminator())
      builder.clone(op, map);
    llvm::SmallVector<mlir::Value> returned;
    for (auto [i, result] : llvm::enumerate(original.getTerminator()->getOperands())) {
      mlir::Value both = map.lookupOrDefault(result);
      mlir::Value ifLeft =
          SelectOp::create(builder, loc, left[i].getType(), right.back(), both, left[i]);
      returned.push_back(
          SelectOp::create(builder, loc, left[i].getType(), left.back(), ifLeft, right[i]));
    }
    returned.push_back(OrOp::create(builder, loc, left.back(), right.back()));
    ReturnOp::create(builder, loc, returned);
  }

  /// Returns the results of the shards that have rows, one after the other along a new dim 0.
  mlir::Value gather(mlir::Value partial) {
    auto type = llvm::cast<mlir::RankedTensorType>(partial.getType());
    absl::Span<const AxisRef> axes = sharding.axes;
    llvm::SmallVector<int64_t> one(type.getShape()), all(type.getShape());
    one.insert(one.begin(), 1);
    all.insert(all.begin(), numShards(sharding));
    mlir::Value row = ReshapeOp::create(builder, loc, type.clone(one), partial);
    mlir::Value gathered = localizer.collectives.allGather(
        builder, loc, type.clone(all), row, 0, {&localizer.mesh, localizer.meshAttr, axes});
    int64_t numFilled = (numRows() + heldRows - 1) / heldRows;
    return RowBuilder{builder, loc, localizer.positions, 0}.slice(gathered, 0, numFilled);
  }

  Localizer &localizer;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  ReduceOp reduce;
  int64_t dim;
  const Localizer::Tensor &input;
  const DimSharding &sharding;
  RowBuilder rows;
  int64_t heldRows = 0;
};

} // namespace

void foldShards(Localizer &localizer, ReduceOp reduce, int64_t dim) {
  Folder(localizer, reduce, dim).run();
}

} // namespace spmd
