#include "spmd/passes/optimize/merge/Join.h"

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/optimize/Collecting.h"
#include "spmd/passes/optimize/TurnedFactors.h"
#include "spmd/passes/optimize/merge/Order.h"
#include "spmd/passes/optimize/merge/Rows.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// What memory copies, at some 1 TB/s, while a collective starts.
constexpr uint64_t mostBytesCopied = 1 << 20;

mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

bool isPlain(mlir::Type element) {
  return element.isIntOrFloat() || llvm::isa<mlir::ComplexType>(element);
}

bool isSmall(mlir::ValueRange values) {
  return bytesOf(values) <= mostBytesCopied && llvm::all_of(values, [](mlir::Value value) {
           return typeOf(value).getNumElements() > 0 && isPlain(typeOf(value).getElementType());
         });
}

/// Whether nothing but a reshape tells the dim from the first: those before it have size 1.
bool isFirst(mlir::RankedTensorType type, int64_t dim) {
  return llvm::all_of(type.getShape().take_front(dim), [](int64_t size) { return size == 1; });
}

/// Whether `gather` can be done along dim 0, and turned behind. What has no elements has no rows to
/// count.
bool canRunAlongRows(AllGatherOp gather) {
  if (llvm::any_of(gather->getOperands(),
                   [](mlir::Value operand) { return typeOf(operand).getNumElements() == 0; }))
    return false;
  int64_t dim = gather.getAllGatherDim();
  bool isTurned = llvm::any_of(gather->getOperands(),
                               [&](mlir::Value operand) { return !isFirst(typeOf(operand), dim); });
  return !isTurned || isSmall(gather->getResults());
}

/// How one collective of one operand travels as rows: its pieces along `cutDim` are rows of what
/// goes in; what comes out are pieces of `shape`, joined along `joinDim`.
struct Travel {
  int64_t count, cutDim;
  llvm::SmallVector<int64_t> shape;
  int64_t joinDim;

  explicit Travel(mlir::Operation *op) : count(1), cutDim(0), joinDim(0) {
    llvm::append_range(shape, typeOf(op->getResult(0)).getShape());
    if (auto scatter = llvm::dyn_cast<ReduceScatterOp>(op)) {
      cutDim = static_cast<int64_t>(scatter.getScatterDimension());
      count = typeOf(scatter.getOperand()).getDimSize(cutDim) / shape[cutDim];
    } else if (auto exchange = llvm::dyn_cast<AllToAllOp>(op)) {
      cutDim = static_cast<int64_t>(exchange.getSplitDimension());
      count = static_cast<int64_t>(exchange.getSplitCount());
      joinDim = static_cast<int64_t>(exchange.getConcatDimension());
      shape[joinDim] /= count;
    }
  }
};

class Joiner {
public:
  Joiner(llvm::ArrayRef<mlir::Operation *> members, mlir::Operation *before)
      : members(members), first(members.front()), builder(before), loc(before->getLoc()) {
    llvm::SmallVector<mlir::Location> locations;
    for (mlir::Operation *member : members) {
      locations.push_back(member->getLoc());
      llvm::append_range(operands, member->getOperands());
      llvm::append_range(types, member->getResultTypes());
    }
    loc = builder.getFusedLoc(locations);
  }

  void run() {
    if (llvm::isa<AllGatherOp>(first))
      gather();
    else if (llvm::isa<AllReduceOp>(first))
      replace(again(operands, types)->getResults());
    else
      sideBySide();
    for (mlir::Operation *member : members)
      member->erase();
    for (TransposeOp transpose : unread)
      if (transpose->use_empty())
        transpose->erase();
  }

private:
  /// Makes an op like the first member, but for operands and results.
  mlir::Operation *again(mlir::ValueRange values, mlir::TypeRange resultTypes) {
    mlir::OperationState state(loc, first->getName());
    state.addOperands(values);
    state.addTypes(resultTypes);
    state.addAttributes(first->getAttrs());
    for (mlir::Region &region : first->getRegions())
      state.addRegion()->takeBody(region);
    return builder.create(state);
  }

  void replace(mlir::ValueRange values) {
    size_t next = 0;
    for (mlir::Operation *member : members)
      for (mlir::Value result : member->getResults())
        result.replaceAllUsesWith(values[next++]);
  }

  /// What travels for an operand, as rows or as it was before a transpose that put them elsewhere.
  struct Sent {
    unsigned place; ///< In the merged op.
    TransposeOp turned;
  };

  /// All are gathered along dim 0, as XLA's CPU client is right for several operands only there,
  /// and turned behind. What is gathered along two dims is sent once.
  void gather() {
    llvm::SmallVector<mlir::Value> values;
    llvm::SmallVector<mlir::Type> wholes;
    llvm::SmallVector<Sent> sent;
    llvm::DenseMap<mlir::Value, unsigned> placeOf;
    for (mlir::Operation *member : members)
      for (auto [operand, result] : llvm::zip(member->getOperands(), member->getResults())) {
        auto whole = llvm::cast<mlir::RankedTensorType>(result.getType());
        TransposeOp turned = turnedRows(operand, result);
        mlir::Value source = turned ? turned.getOperand() : operand;
        auto [place, isNew] = placeOf.try_emplace(source, static_cast<unsigned>(values.size()));
        sent.push_back({place->second, turned});
        if (turned)
          unread.insert(turned);
        if (!isNew)
          continue;
        bool isAlongRows =
            turned || whole.getShape().drop_front() == typeOf(operand).getShape().drop_front();
        values.push_back(isAlongRows ? source : rowsOf(builder, loc, operand, 0, 1));
        llvm::SmallVector<int64_t> shape(typeOf(values.back()).getShape());
        shape[0] *= whole.getNumElements() / typeOf(operand).getNumElements();
        wholes.push_back(whole.clone(shape));
      }
    mlir::Operation *merged = again(values, wholes);
    llvm::cast<AllGatherOp>(merged).setAllGatherDim(0);
    llvm::SmallVector<mlir::Value> results;
    for (mlir::Operation *member : members)
      for (mlir::Value operand : member->getOperands()) {
        Sent own = sent[results.size()];
        int64_t dim = static_cast<int64_t>(llvm::cast<AllGatherOp>(member).getAllGatherDim());
        mlir::Value whole = merged->getResult(own.place);
        auto type = llvm::cast<mlir::RankedTensorType>(types[results.size()]);
        int64_t count = type.getNumElements() / typeOf(operand).getNumElements();
        mlir::Value source = own.turned ? own.turned.getOperand() : operand;
        whole =
            joinRows(builder, loc, whole, count, typeOf(source).getShape(), own.turned ? 0 : dim);
        results.push_back(own.turned
                              ? mlir::Value(TransposeOp::create(builder, loc, type, whole,
                                                                own.turned.getPermutationAttr()))
                              : whole);
      }
    replace(results);
  }

  /// The transpose that makes `operand` of what is gathered along rows then, if there is one and
  /// products alone read the result: whoever else does would have it turned, and hold both.
  static TransposeOp turnedRows(mlir::Value operand, mlir::OpResult gathered) {
    auto dim = static_cast<int64_t>(llvm::cast<AllGatherOp>(gathered.getOwner()).getAllGatherDim());
    auto transpose = operand.getDefiningOp<TransposeOp>();
    return dim > 0 && transpose && transpose.getPermutation()[dim] == 0 &&
                   !isFirst(typeOf(operand), dim) &&
                   canReadUnturned(gathered, transpose.getPermutation())
               ? transpose
               : nullptr;
  }

  void sideBySide() {
    std::vector<mlir::Value> rows, results;
    for (mlir::Operation *member : members) {
      Travel travel(member);
      rows.push_back(rowsOf(builder, loc, member->getOperand(0), travel.cutDim, travel.count));
    }
    mlir::Value all = besideEachOther(builder, loc, rows);
    int64_t height = typeOf(all).getDimSize(0), width = typeOf(all).getDimSize(1);
    if (llvm::isa<ReduceScatterOp>(first))
      height = 1;
    mlir::Operation *merged = again(all, typeOf(all).clone({height, width}));
    if (auto scatter = llvm::dyn_cast<ReduceScatterOp>(merged))
      scatter.setScatterDimension(0);
    if (auto exchange = llvm::dyn_cast<AllToAllOp>(merged)) {
      exchange.setSplitDimension(0);
      exchange.setConcatDimension(0);
    }
    int64_t column = 0;
    for (auto [member, row] : llvm::zip(members, rows)) {
      Travel travel(member);
      int64_t own = typeOf(row).getDimSize(1);
      results.push_back(joinRows(builder, loc,
                                 columnsOf(builder, loc, merged->getResult(0), column, own), height,
                                 travel.shape, travel.joinDim));
      column += own;
    }
    replace(results);
  }

  llvm::ArrayRef<mlir::Operation *> members;
  mlir::Operation *first;
  mlir::OpBuilder builder;
  mlir::Location loc;
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<mlir::Type> types;
  llvm::SetVector<TransposeOp> unread; ///< By the members, at the end.
};

} // namespace

static bool isStatic(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

std::optional<JoinKey> joinKeyOf(mlir::Operation *op) {
  if (!op->hasTrait<Collective>() || op->getNumOperands() == 0 || op->getNumResults() == 0 ||
      !llvm::all_of(op->getOperandTypes(), isStatic) ||
      !llvm::all_of(op->getResultTypes(), isStatic))
    return std::nullopt;
  JoinKey key{op->getName(), op->getAttr("replica_groups"), /*variant=*/0,
              typeOf(op->getOperand(0)).getElementType(), numberingOf(op)};
  auto ofKind = [&](mlir::Region &computation) -> std::optional<JoinKey> {
    std::optional<ReductionKind> kind = reductionOf(computation);
    if (!kind)
      return std::nullopt;
    key.variant = static_cast<int64_t>(*kind);
    return key;
  };
  if (auto reduce = llvm::dyn_cast<AllReduceOp>(op))
    return ofKind(reduce.getComputation());
  if (auto gather = llvm::dyn_cast<AllGatherOp>(op)) {
    if (!canRunAlongRows(gather))
      return std::nullopt;
    if (llvm::all_of(op->getOperandTypes(), [](mlir::Type type) {
          return isPlain(llvm::cast<mlir::RankedTensorType>(type).getElementType());
        }))
      key.elementType = {};
    return key;
  }
  if (op->getNumOperands() != 1 || op->getNumResults() != 1 || !isSmall(op->getOperands()))
    return std::nullopt;
  if (auto scatter = llvm::dyn_cast<ReduceScatterOp>(op))
    return ofKind(scatter.getComputation());
  if (llvm::isa<AllToAllOp>(op))
    return key;
  if (auto permute = llvm::dyn_cast<CollectivePermuteOp>(op)) {
    key.groups = permute.getSourceTargetPairs();
    return key;
  }
  return std::nullopt;
}

bool isCopiedToJoin(mlir::Operation *op) { return !llvm::isa<AllGatherOp, AllReduceOp>(op); }

void join(llvm::ArrayRef<mlir::Operation *> members, mlir::Operation *before) {
  Joiner(members, before).run();
}

} // namespace spmd
