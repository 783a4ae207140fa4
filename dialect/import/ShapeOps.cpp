#include "spmd/dialect/import/ShapeOps.h"

#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace spmd {

namespace {

namespace hlo = stablehlo;
using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;

bool isOfSizes(Operation *op) {
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  bool isScalar = dialect == "arith" && op->getNumResults() == 1 &&
                  (op->getResult(0).getType().isIntOrIndex() ||
                   mlir::getElementTypeOrSelf(op->getResult(0)).isIndex() ||
                   llvm::isa<mlir::arith::IndexCastOp>(op));
  return dialect == "tensor" || dialect == "shape" || isScalar;
}

class Importer {
public:
  explicit Importer(mlir::ModuleOp module) : builder(module.getContext()) {}

  mlir::LogicalResult run(mlir::ModuleOp module) {
    llvm::SmallVector<Operation *> ops;
    module.walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
      if (isOfSizes(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (llvm::isa<mlir::shape::YieldOp, mlir::shape::AssumingYieldOp>(op))
        continue;
      else if (takesFailed(op) || mlir::failed(replace(op)))
        failed.insert(op);
      else
        dead.push_back(op);
    if (!failed.empty() || mlir::failed(checkUses()))
      return mlir::failure();
    for (Operation *op : llvm::reverse(dead)) {
      for (mlir::OpResult result : op->getResults())
        if (Value by = mapped(result); by != result)
          result.replaceAllUsesWith(by);
      op->erase();
    }
    return mlir::success();
  }

private:
  /// Whether `op` cannot be replaced only because what it takes could not be.
  bool takesFailed(Operation *op) const {
    return llvm::any_of(op->getOperands(),
                        [&](Value value) { return failed.contains(value.getDefiningOp()); });
  }

  /// Values of another type go to StableHLO alone, which takes sizes as integers of any width.
  mlir::LogicalResult checkUses() {
    llvm::DenseSet<Operation *> isDead(dead.begin(), dead.end());
    for (Operation *op : dead)
      for (mlir::OpResult result : op->getResults())
        for (Operation *user : result.getUsers()) {
          bool isInside = isDead.contains(user) || llvm::isa<mlir::shape::AssumingYieldOp>(user);
          bool takesSizes = user->getName().getDialectNamespace() == "stablehlo" &&
                            llvm::isa<RankedTensorType>(result.getType());
          Value by = mapped(result);
          if (isInside || (by != result && (takesSizes || by.getType() == result.getType())))
            continue;
          return op->emitOpError() << "has a result of type " << result.getType() << ", which "
                                   << user->getName() << " takes; only ops of StableHLO take sizes";
        }
    return mlir::success();
  }

  //===- Values --------------------------------------------------------------===//

  mlir::Type typeOf(mlir::Type type) {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    element = element.isIndex() ? builder.getI32Type() : element;
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    return RankedTensorType::get(tensor ? tensor.getShape() : llvm::ArrayRef<int64_t>(), element);
  }

  /// What stands for `value`: itself, if nothing does.
  Value mapped(Value value) {
    while (Value found = values.lookup(value))
      value = found;
    return value;
  }

  Value constant(llvm::ArrayRef<int32_t> numbers) {
    auto type = RankedTensorType::get({static_cast<int64_t>(numbers.size())}, builder.getI32Type());
    return hlo::ConstantOp::create(builder, place, mlir::DenseIntElementsAttr::get(type, numbers));
  }

  Value reshaped(Value value, llvm::ArrayRef<int64_t> shape) {
    auto type = llvm::cast<RankedTensorType>(value.getType());
    return hlo::ReshapeOp::create(builder, place, type.clone(shape), value);
  }

  Value sizeOf(Value value, int64_t dim) {
    return hlo::GetDimensionSizeOp::create(builder, place,
                                           RankedTensorType::get({}, builder.getI32Type()), value,
                                           builder.getI64IntegerAttr(dim));
  }

  Value joined(llvm::ArrayRef<Value> vectors) {
    if (vectors.size() == 1)
      return vectors.front();
    int64_t size = 0;
    auto first = llvm::cast<RankedTensorType>(vectors.front().getType());
    for (Value each : vectors)
      size += llvm::cast<RankedTensorType>(each.getType()).getDimSize(0);
    return hlo::ConcatenateOp::create(builder, place, first.clone({size}), vectors,
                                      builder.getI64IntegerAttr(0));
  }

  /// The sizes of a tensor of known rank, as a vector.
  Value shapeOf(Value value) {
    auto type = llvm::cast<RankedTensorType>(value.getType());
    llvm::SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      sizes.push_back(type.isDynamicDim(dim)
                          ? reshaped(sizeOf(value, dim), {1})
                          : constant({static_cast<int32_t>(type.getDimSize(dim))}));
    return sizes.empty() ? constant({}) : joined(sizes);
  }

  /// Element `index` of a vector, as a scalar.
  Value elementOf(Value vector, int64_t index) {
    auto type = llvm::cast<RankedTensorType>(vector.getType());
    Value one = hlo::SliceOp::create(
        builder, place, type.clone({1}), vector, builder.getDenseI64ArrayAttr({index}),
        builder.getDenseI64ArrayAttr({index + 1}), builder.getDenseI64ArrayAttr({1}));
    return reshaped(one, {});
  }

  static std::optional<int64_t> numberOf(Value value) {
    llvm::APInt number;
    if (mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
      return number.getSExtValue();
    return std::nullopt;
  }

  static bool isVector(Value value) {
    auto type = llvm::dyn_cast<RankedTensorType>(value.getType());
    return type && type.getRank() == 1 && type.hasStaticShape();
  }

  //===- Ops -----------------------------------------------------------------===//

  /// Notes what stands for the results of `op`, or reports that nothing does.
  mlir::LogicalResult replace(Operation *op) {
    builder.setInsertionPoint(op);
    place = op->getLoc();
    if (llvm::isa<mlir::shape::CstrBroadcastableOp, mlir::shape::CstrEqOp,
                  mlir::shape::CstrRequireOp, mlir::shape::ConstWitnessOp>(op))
      return mlir::success(); // The op that uses wrong sizes reports them.
    if (auto assuming = llvm::dyn_cast<mlir::shape::AssumingOp>(op))
      return inlineBody(assuming);
    Value made = llvm::TypeSwitch<Operation *, Value>(op)
                     .Case([&](mlir::tensor::CastOp each) { return cast(each); })
                     .Case([&](mlir::tensor::DimOp each) { return dim(each); })
                     .Case([&](mlir::tensor::FromElementsOp each) { return fromElements(each); })
                     .Case([&](mlir::tensor::ExtractOp each) { return extract(each); })
                     .Case([&](mlir::shape::ShapeOfOp each) { return shapeOf(each); })
                     .Case([&](mlir::shape::ConstShapeOp each) { return constShape(each); })
                     .Case([&](mlir::shape::NumElementsOp each) { return numElements(each); })
                     .Case([&](mlir::shape::BroadcastOp each) { return broadcast(each); })
                     .Case([&](mlir::arith::ConstantOp each) { return number(each); })
                     .Default([&](Operation *) { return arithmetic(op); });
    if (!made)
      return op->emitOpError() << "has no form in StableHLO; give its program static shapes, or "
                                  "sizes as stablehlo.get_dimension_size";
    if (made != op->getResult(0))
      values[op->getResult(0)] = made;
    return mlir::success();
  }

  mlir::LogicalResult inlineBody(mlir::shape::AssumingOp assuming) {
    mlir::Block &body = assuming.getDoRegion().front();
    Operation *end = body.getTerminator();
    for (auto [result, value] : llvm::zip_equal(assuming.getResults(), end->getOperands()))
      values[result] = value;
    for (Operation &inner : llvm::make_early_inc_range(body.without_terminator()))
      inner.moveBefore(assuming);
    return mlir::success();
  }

  Value cast(mlir::tensor::CastOp op) {
    Value source = mapped(op.getSource());
    auto from = llvm::dyn_cast<RankedTensorType>(source.getType()),
         to = llvm::dyn_cast<RankedTensorType>(op.getType());
    if (!from || !to)
      return {};
    if (to.getElementType().isIndex())
      to = RankedTensorType::get(to.getShape(), from.getElementType());
    if (from == to)
      return source;
    if (to.hasStaticShape()) {
      llvm::SmallVector<int32_t> sizes(to.getShape());
      return hlo::DynamicReshapeOp::create(builder, place, to, source, constant(sizes));
    }
    return hlo::DynamicReshapeOp::create(builder, place, to, source, shapeOf(source));
  }

  Value dim(mlir::tensor::DimOp op) {
    Value source = mapped(op.getSource());
    auto type = llvm::dyn_cast<RankedTensorType>(source.getType());
    std::optional<int64_t> index = numberOf(op.getIndex());
    if (!type || !index || *index < 0 || *index >= type.getRank())
      return {};
    return sizeOf(source, *index);
  }

  Value fromElements(mlir::tensor::FromElementsOp op) {
    auto type = llvm::cast<RankedTensorType>(op.getType());
    if (type.getRank() == 0)
      return mapped(op.getElements().front());
    if (type.getRank() > 1 || type.getDimSize(0) == 0)
      return {};
    llvm::SmallVector<Value> parts;
    for (Value element : op.getElements()) {
      Value scalar = mapped(element);
      if (!llvm::isa<RankedTensorType>(scalar.getType()))
        return {};
      parts.push_back(reshaped(scalar, {1}));
    }
    return joined(parts);
  }

  Value extract(mlir::tensor::ExtractOp op) {
    Value tensor = mapped(op.getTensor());
    auto type = llvm::cast<RankedTensorType>(tensor.getType());
    llvm::SmallVector<int64_t> starts, limits, ones(type.getRank(), 1);
    for (auto [index, size] : llvm::zip_equal(op.getIndices(), type.getShape())) {
      std::optional<int64_t> at = numberOf(index);
      if (!at || *at < 0 || mlir::ShapedType::isDynamic(size) || *at >= size)
        return {};
      starts.push_back(*at);
      limits.push_back(*at + 1);
    }
    if (type.getRank() == 0)
      return tensor;
    Value one = hlo::SliceOp::create(
        builder, place, type.clone(ones), tensor, builder.getDenseI64ArrayAttr(starts),
        builder.getDenseI64ArrayAttr(limits), builder.getDenseI64ArrayAttr(ones));
    return reshaped(one, {});
  }

  Value shapeOf(mlir::shape::ShapeOfOp op) {
    Value source = mapped(op.getArg());
    bool isKnown = llvm::isa<RankedTensorType>(source.getType()) && isVector(op.getResult());
    return isKnown ? shapeOf(source) : Value();
  }

  Value constShape(mlir::shape::ConstShapeOp op) {
    if (!isVector(op.getResult()))
      return {};
    return constant(llvm::to_vector_of<int32_t>(op.getShape().getValues<int64_t>()));
  }

  Value numElements(mlir::shape::NumElementsOp op) {
    Value sizes = mapped(op.getShape());
    if (!isVector(sizes) || !op.getType().isIndex())
      return {};
    Value product = reshaped(constant({1}), {});
    for (int64_t i = 0; i < llvm::cast<RankedTensorType>(sizes.getType()).getDimSize(0); ++i)
      product = hlo::MulOp::create(builder, place, product, elementOf(sizes, i));
    return product;
  }

  /// The shape that those of the operands broadcast to: they end alike, but for 1.
  Value broadcast(mlir::shape::BroadcastOp op) {
    if (!isVector(op.getResult()))
      return {};
    int64_t rank = llvm::cast<RankedTensorType>(op.getType()).getDimSize(0);
    Value result = constant(llvm::SmallVector<int32_t>(rank, 1)), one = result;
    for (Value operand : op.getShapes()) {
      Value shape = mapped(operand);
      if (!isVector(shape))
        return {};
      int64_t own = llvm::cast<RankedTensorType>(shape.getType()).getDimSize(0);
      if (own > rank)
        return {};
      if (own < rank)
        shape = joined({constant(llvm::SmallVector<int32_t>(rank - own, 1)), shape});
      Value isOne =
          hlo::CompareOp::create(builder, place, result, one, hlo::ComparisonDirection::EQ);
      result = hlo::SelectOp::create(builder, place, isOne, shape, result);
    }
    return result;
  }

  Value number(mlir::arith::ConstantOp op) {
    if (auto scalar = llvm::dyn_cast<mlir::IntegerAttr>(op.getValue())) {
      auto type = llvm::cast<RankedTensorType>(typeOf(op.getType()));
      llvm::APInt bits =
          scalar.getValue().sextOrTrunc(type.getElementType().getIntOrFloatBitWidth());
      return hlo::ConstantOp::create(builder, place, mlir::DenseElementsAttr::get(type, bits));
    }
    auto numbers = llvm::dyn_cast<mlir::DenseIntElementsAttr>(op.getValue());
    if (!numbers || !isVector(op.getResult()))
      return {};
    return constant(llvm::to_vector_of<int32_t>(
        llvm::map_range(numbers, [](const llvm::APInt &each) { return each.getSExtValue(); })));
  }

  /// Elementwise ops on scalars, and casts.
  Value arithmetic(Operation *op) {
    llvm::SmallVector<Value> in;
    for (Value operand : op->getOperands()) {
      in.push_back(mapped(operand));
      if (!llvm::isa<RankedTensorType>(in.back().getType()))
        return {};
    }
    auto make = [&](auto *tag) -> Value {
      using Op = std::remove_pointer_t<decltype(tag)>;
      return in[0].getType() == in[1].getType() ? Op::create(builder, place, in[0], in[1])
                                                : Value();
    };
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case<mlir::arith::AddIOp>([&](auto) { return make((hlo::AddOp *)nullptr); })
        .Case<mlir::arith::SubIOp>([&](auto) { return make((hlo::SubtractOp *)nullptr); })
        .Case<mlir::arith::MulIOp>([&](auto) { return make((hlo::MulOp *)nullptr); })
        .Case<mlir::arith::DivSIOp>([&](auto) { return make((hlo::DivOp *)nullptr); })
        .Case<mlir::arith::RemSIOp>([&](auto) { return make((hlo::RemOp *)nullptr); })
        .Case<mlir::arith::MaxSIOp>([&](auto) { return make((hlo::MaxOp *)nullptr); })
        .Case<mlir::arith::MinSIOp>([&](auto) { return make((hlo::MinOp *)nullptr); })
        .Case<mlir::arith::SelectOp>([&](auto) -> Value {
          return hlo::SelectOp::create(builder, place, in[0], in[1], in[2]);
        })
        .Case<mlir::arith::CmpIOp>([&](auto each) { return compare(each, in); })
        .Case<mlir::arith::IndexCastOp, mlir::arith::ExtSIOp, mlir::arith::TruncIOp>(
            [&](auto each) -> Value {
              mlir::Type type = typeOf(each.getType());
              bool isSignOfTruth = llvm::isa<mlir::arith::ExtSIOp>(each) &&
                                   mlir::getElementTypeOrSelf(in[0]).isInteger(1); // Gives -1.
              if (isSignOfTruth)
                return {};
              if (type == in[0].getType())
                return in[0];
              return hlo::ConvertOp::create(builder, place, type, in[0]);
            })
        .Default([](auto) { return Value(); });
  }

  Value compare(mlir::arith::CmpIOp op, llvm::ArrayRef<Value> in) {
    using Predicate = mlir::arith::CmpIPredicate;
    auto make = [&](hlo::ComparisonDirection direction) -> Value {
      return hlo::CompareOp::create(builder, place, in[0], in[1], direction);
    };
    switch (op.getPredicate()) {
    case Predicate::eq:
      return make(hlo::ComparisonDirection::EQ);
    case Predicate::ne:
      return make(hlo::ComparisonDirection::NE);
    case Predicate::slt:
      return make(hlo::ComparisonDirection::LT);
    case Predicate::sle:
      return make(hlo::ComparisonDirection::LE);
    case Predicate::sgt:
      return make(hlo::ComparisonDirection::GT);
    case Predicate::sge:
      return make(hlo::ComparisonDirection::GE);
    default:
      return {};
    }
  }

  mlir::OpBuilder builder;
  mlir::Location place = mlir::UnknownLoc::get(builder.getContext());
  llvm::DenseMap<Value, Value> values;
  llvm::SmallVector<Operation *> dead;
  llvm::DenseSet<Operation *> failed;
};

} // namespace

mlir::LogicalResult importShapeOps(mlir::ModuleOp module) {
  mlir::MLIRContext &context = *module.getContext();
  if (!context.getLoadedDialect("tensor") && !context.getLoadedDialect("shape"))
    return mlir::success();
  return Importer(module).run(module);
}

} // namespace spmd
