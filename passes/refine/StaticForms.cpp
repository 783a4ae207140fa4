#include "spmd/passes/refine/StaticForms.h"

#include "spmd/dialect/sdy/Replacing.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/InferSizes.h"

#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

namespace spmd {

namespace hlo = stablehlo;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;
using Sizes = llvm::SmallVector<int64_t>;

static RankedTensorType tensorType(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

LogicalResult inferResults(Operation *op) {
  if (op->hasTrait<mlir::OpTrait::SameOperandsAndResultType>()) {
    op->getResult(0).setType(op->getOperand(0).getType());
    return mlir::success();
  }
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "stablehlo" && dialect != "chlo")
    return mlir::success();
  FailureOr<hlo::ResultSizes> sizes = hlo::inferSizes(op);
  if (mlir::failed(sizes))
    return mlir::failure();
  for (auto [result, known] : llvm::zip(op->getResults(), *sizes))
    if (auto type = llvm::dyn_cast<RankedTensorType>(result.getType()); type && !known.empty())
      result.setType(hlo::refined(type, known));
  return mlir::success();
}

//===- Which operands are sizes --------------------------------------------===//

llvm::SmallVector<unsigned> sizeOperands(Operation *op) {
  using Numbers = llvm::SmallVector<unsigned>;
  return llvm::TypeSwitch<Operation *, Numbers>(op)
      .Case<hlo::DynamicIotaOp>([](auto) { return Numbers{0}; })
      .Case<hlo::DynamicBroadcastInDimOp, hlo::DynamicReshapeOp, hlo::SetDimensionSizeOp>(
          [](auto) { return Numbers{1}; })
      .Case<hlo::DynamicConvOp, hlo::DynamicGatherOp, hlo::RngOp>([](auto) { return Numbers{2}; })
      .Case<hlo::RealDynamicSliceOp>([](auto) { return Numbers{1, 2, 3}; })
      .Case<hlo::DynamicPadOp>([](auto) { return Numbers{2, 3, 4}; })
      .Case<hlo::CustomCallOp>([](auto call) { return sizeOperandsOfCall(call); })
      .Default([](auto) { return Numbers{}; });
}

FailureOr<RankedTensorType> typeBySizes(Operation *op, unsigned result, unsigned operand,
                                        const KnownInts &known) {
  auto type = llvm::dyn_cast<RankedTensorType>(op->getResult(result).getType());
  Sizes sizes = *known.numbers(op->getOperand(operand));
  if (!type)
    return op->emitOpError() << "result " << result << " has type "
                             << op->getResult(result).getType() << ", operand " << operand
                             << " says the sizes of a tensor",
           mlir::failure();
  if (static_cast<int64_t>(sizes.size()) != type.getRank())
    return op->emitOpError() << "operand " << operand << " has " << sizes.size()
                             << " entries, result " << result << " has rank " << type.getRank(),
           mlir::failure();
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size < 0)
      return op->emitOpError() << "operand " << operand << " has " << size << " for dim " << dim
                               << "; it is at least 0",
             mlir::failure();
    if (!type.isDynamicDim(dim) && type.getDimSize(dim) != size)
      return op->emitOpError() << "operand " << operand << " has " << size << " for dim " << dim
                               << ", result " << result << " has size " << type.getDimSize(dim),
             mlir::failure();
  }
  return hlo::refined(type, sizes);
}

//===- The forms -----------------------------------------------------------===//

namespace {

/// Makes the static form of one op.
class Form {
public:
  Form(Operation *op, const KnownInts &known)
      : op(op), known(known), builder(op), loc(op->getLoc()), type(tensorType(op->getResult(0))) {}

  FailureOr<Operation *> dimensionSize(hlo::GetDimensionSizeOp sized) {
    int64_t size = tensorType(sized.getOperand()).getDimSize(sized.getDimension());
    if (!llvm::isInt<32>(size))
      return op->emitOpError() << "dim " << sized.getDimension() << " has size " << size
                               << ", which result 0 cannot hold",
             mlir::failure();
    return make<hlo::ConstantOp>(
        mlir::DenseElementsAttr::get(type, builder.getI32IntegerAttr(size)));
  }

  FailureOr<Operation *> broadcast(hlo::DynamicBroadcastInDimOp dynamic) {
    FailureOr<RankedTensorType> result = typeFrom(1);
    if (mlir::failed(result))
      return mlir::failure();
    return make<hlo::BroadcastInDimOp>(*result, dynamic.getOperand(),
                                       dynamic.getBroadcastDimensionsAttr());
  }

  FailureOr<Operation *> iota(hlo::DynamicIotaOp dynamic) {
    FailureOr<RankedTensorType> result = typeFrom(0);
    if (mlir::failed(result))
      return mlir::failure();
    return make<hlo::IotaOp>(*result, dynamic.getIotaDimensionAttr());
  }

  FailureOr<Operation *> reshape(hlo::DynamicReshapeOp dynamic) {
    FailureOr<RankedTensorType> result = typeFrom(1);
    if (mlir::failed(result))
      return mlir::failure();
    return make<hlo::ReshapeOp>(*result, dynamic.getOperand());
  }

  FailureOr<Operation *> convolution(hlo::DynamicConvOp dynamic) {
    auto table =
        RankedTensorType::get(tensorType(dynamic.getPadding()).getShape(), builder.getI64Type());
    return make<hlo::ConvolutionOp>(
        type, dynamic.getLhs(), dynamic.getRhs(), dynamic.getWindowStridesAttr(),
        mlir::DenseIntElementsAttr::get(table, numbers(2)), dynamic.getLhsDilationAttr(),
        dynamic.getRhsDilationAttr(), dynamic.getWindowReversalAttr(),
        dynamic.getDimensionNumbersAttr(), dynamic.getFeatureGroupCountAttr(),
        dynamic.getBatchGroupCountAttr(), dynamic.getPrecisionConfigAttr());
  }

  FailureOr<Operation *> gather(hlo::DynamicGatherOp dynamic) {
    return make<hlo::GatherOp>(type, dynamic.getOperand(), dynamic.getStartIndices(),
                               dynamic.getDimensionNumbersAttr(), list(2),
                               dynamic.getIndicesAreSortedAttr());
  }

  FailureOr<Operation *> pad(hlo::DynamicPadOp dynamic) {
    return make<hlo::PadOp>(type, dynamic.getOperand(), dynamic.getPaddingValue(), list(2), list(3),
                            list(4));
  }

  FailureOr<Operation *> slice(hlo::RealDynamicSliceOp dynamic) {
    return make<hlo::SliceOp>(type, dynamic.getOperand(), list(1), list(2), list(3));
  }

  /// Keeps its operand, as a constant.
  FailureOr<Operation *> rng(hlo::RngOp dynamic) {
    FailureOr<RankedTensorType> result = typeFrom(2);
    if (mlir::failed(result))
      return mlir::failure();
    auto shape = llvm::cast<mlir::ElementsAttr>(
        constantOf(tensorType(dynamic.getShape()), *known.lookup(dynamic.getShape())));
    return make<hlo::RngOp>(*result, dynamic.getA(), dynamic.getB(),
                            hlo::ConstantOp::create(builder, loc, shape),
                            dynamic.getRngDistributionAttr());
  }

  FailureOr<Operation *> movingSlice(hlo::RealDynamicSliceOp dynamic) {
    auto limits = dynamic.getLimitIndices().getDefiningOp<hlo::AddOp>();
    Value starts = dynamic.getStartIndices();
    if (!limits || (limits.getLhs() != starts && limits.getRhs() != starts))
      return static_cast<Operation *>(nullptr);
    Value lengths = limits.getLhs() == starts ? limits.getRhs() : limits.getLhs();
    std::optional<Sizes> sizes = known.numbers(lengths), strides = known.numbers(op->getOperand(3));
    if (!sizes || !strides)
      return static_cast<Operation *>(nullptr);
    llvm::SmallVector<Value> places;
    auto scalar = RankedTensorType::get({}, tensorType(starts).getElementType());
    for (int64_t dim = 0; dim < static_cast<int64_t>(sizes->size()); ++dim) {
      Value place = hlo::SliceOp::create(builder, loc, starts, {dim}, {dim + 1}, {1});
      places.push_back(hlo::ReshapeOp::create(builder, loc, scalar, place));
    }
    if (llvm::all_of(*strides, [](int64_t stride) { return stride == 1; }))
      return make<hlo::DynamicSliceOp>(type, dynamic.getOperand(), places, *sizes);
    Value all = hlo::DynamicSliceOp::create(builder, loc, dynamic.getOperand(), places, *sizes);
    return make<hlo::SliceOp>(type, all, Sizes(sizes->size(), 0), *sizes, *strides);
  }

  FailureOr<Operation *> setSize(hlo::SetDimensionSizeOp dynamic) {
    Value operand = dynamic.getOperand();
    int64_t dim = dynamic.getDimension(), size = numbers(1).front();
    Sizes limits(tensorType(operand).getShape());
    if (size < 0 || size > limits[dim])
      return op->emitOpError() << "sets dim " << dim << " to " << size << ", operand 0 has size "
                               << limits[dim],
             mlir::failure();
    limits[dim] = size;
    Sizes zeros(limits.size(), 0), ones(limits.size(), 1);
    return make<hlo::SliceOp>(type, operand, zeros, limits, ones);
  }

private:
  Sizes numbers(unsigned index) const { return *known.numbers(op->getOperand(index)); }
  mlir::DenseI64ArrayAttr list(unsigned index) {
    return builder.getDenseI64ArrayAttr(numbers(index));
  }

  FailureOr<RankedTensorType> typeFrom(unsigned operand) {
    return typeBySizes(op, /*result=*/0, operand, known);
  }

  template <typename Op, typename... Args> FailureOr<Operation *> make(Args &&...args) {
    Operation *made = Op::create(builder, loc, std::forward<Args>(args)...);
    sdy::giveAttributes(made, op);
    if (mlir::failed(inferResults(made)))
      return mlir::failure();
    op->replaceAllUsesWith(made);
    op->erase();
    return made;
  }

  Operation *op;
  const KnownInts &known;
  mlir::OpBuilder builder;
  mlir::Location loc;
  RankedTensorType type;
};

} // namespace

FailureOr<Operation *> replaceByMovingSlice(Operation *op, const KnownInts &known) {
  auto slice = llvm::dyn_cast<hlo::RealDynamicSliceOp>(op);
  return slice ? Form(op, known).movingSlice(slice) : static_cast<Operation *>(nullptr);
}

FailureOr<Operation *> replaceByStaticForm(Operation *op, const KnownInts &known) {
  if (llvm::isa<hlo::CustomCallOp>(op))
    return replaceByStaticCall(op, known);
  using Result = FailureOr<Operation *>;
  auto form = [&] { return Form(op, known); };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<hlo::GetDimensionSizeOp>([&](auto each) { return form().dimensionSize(each); })
      .Case<hlo::DynamicBroadcastInDimOp>([&](auto each) { return form().broadcast(each); })
      .Case<hlo::DynamicIotaOp>([&](auto each) { return form().iota(each); })
      .Case<hlo::DynamicReshapeOp>([&](auto each) { return form().reshape(each); })
      .Case<hlo::DynamicConvOp>([&](auto each) { return form().convolution(each); })
      .Case<hlo::DynamicGatherOp>([&](auto each) { return form().gather(each); })
      .Case<hlo::DynamicPadOp>([&](auto each) { return form().pad(each); })
      .Case<hlo::RealDynamicSliceOp>([&](auto each) { return form().slice(each); })
      .Case<hlo::RngOp>([&](auto each) { return form().rng(each); })
      .Case<hlo::SetDimensionSizeOp>([&](auto each) { return form().setSize(each); })
      .Default([](auto) { return Result(nullptr); });
}

} // namespace spmd
