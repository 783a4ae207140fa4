// Products that wait for data, and data that waits for products, in pieces.
//
// A product of a gathered operand begins with the piece that the device holds, while the next piece
// is on its way around the ring. A product whose result is reduced and scattered makes the piece
// that travels furthest first, and each device adds its own to what comes by. What is moved stays
// the same; a runtime that sends while it computes hides it.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Optimize.h"
#include "spmd/passes/optimize/Ring.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// Rings of more devices are left as they are: the program would grow with them.
constexpr int64_t maxPieces = 16;

/// What a dim of an operand is to a product.
struct Role {
  enum Kind { batch, contracting, free } kind;
  int64_t resultDim; ///< Of a batch or a free dim.
  int64_t otherDim;  ///< The other operand's, of a batch or a contracting dim.
};

Role roleOf(DotGeneralOp dot, unsigned side, int64_t dim) {
  DotDimensionNumbersAttr numbers = dot.getDotDimensionNumbers();
  llvm::ArrayRef<int64_t> batch[] = {numbers.getLhsBatchingDimensions(),
                                     numbers.getRhsBatchingDimensions()},
                          sums[] = {numbers.getLhsContractingDimensions(),
                                    numbers.getRhsContractingDimensions()};
  auto place = [&](llvm::ArrayRef<int64_t> dims) { return llvm::find(dims, dim) - dims.begin(); };
  if (llvm::is_contained(batch[side], dim))
    return {Role::batch, place(batch[side]), batch[1 - side][place(batch[side])]};
  if (llvm::is_contained(sums[side], dim))
    return {Role::contracting, -1, sums[1 - side][place(sums[side])]};
  auto numFree = [&](unsigned which, int64_t below) {
    return llvm::count_if(llvm::seq(below), [&](int64_t d) {
      return !llvm::is_contained(batch[which], d) && !llvm::is_contained(sums[which], d);
    });
  };
  int64_t result = static_cast<int64_t>(batch[side].size()) + numFree(side, dim);
  if (side == 1)
    result += numFree(0, static_cast<int64_t>(shapeOf(dot.getLhs()).size()));
  return {Role::free, result, -1};
}

/// Makes a product in pieces, one at each step of a ring.
class Pieces {
public:
  Pieces(DotGeneralOp dot, mlir::Operation *collective, const Ring &ring)
      : dot(dot), builder(dot), loc(builder.getFusedLoc({dot.getLoc(), collective->getLoc()})),
        channel(collective->getAttrOfType<ChannelHandleAttr>("channel_handle")), ring(ring),
        place(ring.place(builder, loc)) {}

  /// The product with operand `side` gathered along `dim` from pieces like `piece`.
  mlir::Value ofGathered(unsigned side, int64_t dim, mlir::Value piece) {
    Role role = roleOf(dot, side, dim);
    int64_t rows = shapeOf(piece)[dim];
    auto type = llvm::cast<mlir::RankedTensorType>(dot.getType());
    mlir::Value other = dot->getOperand(1 - side), result;
    if (role.kind != Role::contracting)
      result = fillConstant(builder, loc, type, FillValue::zero);
    for (int64_t step = 0; step < ring.size(); ++step) {
      mlir::Value at = rowOf(step, rows);
      mlir::Value operands[] = {piece, piece};
      operands[1 - side] = role.kind == Role::free ? other : slice(other, role.otherDim, at, rows);
      if (role.kind == Role::contracting) {
        mlir::Value part = product(operands, type);
        result = result ? AddOp::create(builder, loc, type, result, part)->getResult(0) : part;
      } else {
        mlir::Value part = product(operands, resized(type, role.resultDim, rows));
        result = DynamicUpdateSliceOp::create(builder, loc, type, result, part,
                                              starts(type, role.resultDim, at));
      }
      if (step + 1 < ring.size())
        piece = send(piece, -1);
    }
    return result;
  }

  /// The device's piece of `rows` rows of dim `dim` of the sum of all devices' products.
  mlir::Value ofScattered(int64_t dim, int64_t rows) {
    auto type = resized(llvm::cast<mlir::RankedTensorType>(dot.getType()), dim, rows);
    mlir::Value result;
    for (int64_t step = 0; step < ring.size(); ++step) {
      mlir::Value at = rowOf(ring.size() - 1 - step, rows);
      mlir::Value operands[] = {dot.getLhs(), dot.getRhs()};
      for (unsigned side : {0, 1})
        for (int64_t d = 0; d < static_cast<int64_t>(shapeOf(dot->getOperand(side)).size()); ++d)
          if (Role role = roleOf(dot, side, d); role.resultDim == dim)
            operands[side] = slice(operands[side], d, at, rows);
      mlir::Value part = product(operands, type);
      result =
          result ? AddOp::create(builder, loc, type, send(result, 1), part)->getResult(0) : part;
    }
    return result;
  }

private:
  /// Returns the first of `rows` rows of the piece `distance` places behind the device's own.
  mlir::Value rowOf(int64_t distance, int64_t rows) {
    auto type = llvm::cast<mlir::RankedTensorType>(place.getType());
    auto number = [&](int64_t value) -> mlir::Value {
      return ConstantOp::create(builder, loc,
                                mlir::DenseElementsAttr::get(type, llvm::APInt(32, value)));
    };
    mlir::Value piece = place;
    if (distance != 0) {
      piece = AddOp::create(builder, loc, type, piece, number(distance));
      piece = RemOp::create(builder, loc, type, piece, number(ring.size()));
    }
    return MulOp::create(builder, loc, type, piece, number(rows));
  }

  static mlir::RankedTensorType resized(mlir::RankedTensorType type, int64_t dim, int64_t size) {
    llvm::SmallVector<int64_t> shape(type.getShape());
    shape[dim] = size;
    return type.clone(shape);
  }

  llvm::SmallVector<mlir::Value> starts(mlir::RankedTensorType type, int64_t dim, mlir::Value at) {
    mlir::Value zero = ConstantOp::create(
        builder, loc,
        mlir::DenseElementsAttr::get(llvm::cast<mlir::RankedTensorType>(at.getType()),
                                     llvm::APInt(32, 0)));
    llvm::SmallVector<mlir::Value> all(type.getRank(), zero);
    all[dim] = at;
    return all;
  }

  mlir::Value slice(mlir::Value value, int64_t dim, mlir::Value at, int64_t rows) {
    auto from = llvm::cast<mlir::RankedTensorType>(value.getType());
    mlir::RankedTensorType type = resized(from, dim, rows);
    return DynamicSliceOp::create(builder, loc, type, value, starts(from, dim, at),
                                  builder.getDenseI64ArrayAttr(type.getShape()));
  }

  mlir::Value product(llvm::ArrayRef<mlir::Value> operands, mlir::RankedTensorType type) {
    mlir::Operation *part = builder.clone(*dot);
    part->setOperands(operands);
    part->setLoc(loc);
    part->getResult(0).setType(type);
    return part->getResult(0);
  }

  mlir::Value send(mlir::Value value, int64_t distance) {
    mlir::OperationState state(loc, CollectivePermuteOp::getOperationName(), value, value.getType(),
                               {});
    auto made = llvm::cast<CollectivePermuteOp>(builder.create(state));
    made.setChannelHandleAttr(channel);
    made.setSourceTargetPairsAttr(ring.pairs(builder.getContext(), distance));
    return made->getResult(0);
  }

  DotGeneralOp dot;
  mlir::OpBuilder builder;
  mlir::Location loc;
  ChannelHandleAttr channel;
  const Ring &ring;
  mlir::Value place;
};

/// Sums in more steps than one round more often, where the type has few bits.
bool isWide(mlir::Type type) {
  mlir::Type element = llvm::cast<mlir::RankedTensorType>(type).getElementType();
  return !llvm::isa<mlir::FloatType>(element) || element.getIntOrFloatBitWidth() >= 32;
}

class Overlapper {
public:
  explicit Overlapper(int64_t numDevices) : numDevices(numDevices) {}

  void visit(DotGeneralOp dot) {
    if (scatterOf(dot))
      return;
    for (unsigned side : {0, 1})
      if (gatherFor(dot, side))
        return;
  }

private:
  std::optional<Ring> ringOf(mlir::Operation *collective, mlir::Attribute groups) const {
    std::optional<Ring> ring = Ring::of(collective, groups, numDevices);
    if (!ring || ring->size() < 2 || ring->size() > maxPieces)
      return std::nullopt;
    return ring;
  }

  bool gatherFor(DotGeneralOp dot, unsigned side) const {
    auto gather = dot->getOperand(side).getDefiningOp<AllGatherOp>();
    if (!gather || gather->getNumOperands() != 1 || !gather->hasOneUse() ||
        gather->getBlock() != dot->getBlock())
      return false;
    int64_t dim = gather.getAllGatherDim();
    std::optional<Ring> ring = ringOf(gather, gather.getReplicaGroups());
    if (!ring || (roleOf(dot, side, dim).kind == Role::contracting && !isWide(dot.getType())))
      return false;
    mlir::Value result = Pieces(dot, gather, *ring).ofGathered(side, dim, gather->getOperand(0));
    dot.getResult().replaceAllUsesWith(result);
    dot.erase();
    gather.erase();
    return true;
  }

  bool scatterOf(DotGeneralOp dot) const {
    auto scatter =
        dot->hasOneUse() ? llvm::dyn_cast<ReduceScatterOp>(*dot->user_begin()) : ReduceScatterOp();
    if (!scatter || scatter->getBlock() != dot->getBlock() ||
        reductionOf(scatter.getComputation()) != ReductionKind::sum)
      return false;
    std::optional<Ring> ring = ringOf(scatter, scatter.getReplicaGroups());
    int64_t dim = scatter.getScatterDimension();
    if (!ring)
      return false;
    mlir::Value result =
        Pieces(dot, scatter, *ring).ofScattered(dim, shapeOf(scatter.getResult())[dim]);
    scatter.getResult().replaceAllUsesWith(result);
    scatter.erase();
    dot.erase();
    return true;
  }

  int64_t numDevices;
};

} // namespace

void overlapDots(mlir::ModuleOp module) {
  auto count = module->getAttrOfType<mlir::IntegerAttr>("mhlo.num_partitions");
  if (!count)
    return;
  std::vector<DotGeneralOp> all;
  module.walk([&](DotGeneralOp dot) { all.push_back(dot); });
  Overlapper overlapper(count.getInt());
  for (DotGeneralOp dot : all)
    overlapper.visit(dot);
}

} // namespace spmd
