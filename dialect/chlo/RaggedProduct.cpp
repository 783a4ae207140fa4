#include "spmd/dialect/chlo/RaggedProduct.h"

#include "spmd/dialect/chlo/RaggedDims.h"
#include "spmd/dialect/stablehlo/Verify.h"

namespace spmd::chlo {

namespace hlo = stablehlo;
using hlo::tensorType;
using mlir::RankedTensorType;
using mlir::Value;
using DimList = llvm::SmallVector<int64_t>;

static mlir::DenseElementsAttr zeroOf(RankedTensorType type) {
  auto zeroOfFloat = [](mlir::Type element) {
    return llvm::APFloat::getZero(llvm::cast<mlir::FloatType>(element).getFloatSemantics());
  };
  mlir::Type element = type.getElementType();
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element)) {
    llvm::APFloat part = zeroOfFloat(complex.getElementType());
    return mlir::DenseElementsAttr::get(type, std::complex<llvm::APFloat>(part, part));
  }
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(element))
    return mlir::DenseElementsAttr::get(type, llvm::APInt::getZero(integer.getWidth()));
  return mlir::DenseElementsAttr::get(type, zeroOfFloat(element));
}

namespace {

class RaggedProduct {
public:
  RaggedProduct(mlir::OpBuilder &builder, RaggedDotOp op, const RaggedPart &part)
      : builder(builder), op(op), part(part), loc(op.getLoc()), dims(op),
        numbers(op.getRaggedDotDimensionNumbers()) {}

  Value make() {
    if (dims.mode == RaggedDims::Mode::batching)
      return product(op.getLhs(), 0);
    Value grouped = groupedRows();
    return dims.mode == RaggedDims::Mode::free ? product(grouped, 1) : groupsFirst(grouped);
  }

private:
  //===- Groups
  //--------------------------------------------------------------------------------===//

  /// Returns lhs, with the groups as a new first dim, and 0 in all rows of other groups.
  Value groupedRows() {
    Value sizes = op.getGroupSizes();
    RankedTensorType type = tensorType(sizes).clone(builder.getI32Type());
    sizes = hlo::ConvertOp::create(builder, loc, type, sizes);
    Value ends = runningSum(sizes);
    Value starts = hlo::SubtractOp::create(builder, loc, ends, sizes);
    Value mask = rowsOfGroups(taken(starts), taken(ends));
    RankedTensorType lhsType = tensorType(op.getLhs());
    DimList shape{tensorType(mask).getDimSize(0)};
    llvm::append_range(shape, lhsType.getShape());
    RankedTensorType grouped = lhsType.clone(shape);
    Value rows = hlo::BroadcastInDimOp::create(
        builder, loc, grouped, op.getLhs(), llvm::to_vector(llvm::seq<int64_t>(1, shape.size())));
    Value zero = hlo::ConstantOp::create(builder, loc, grouped, zeroOf(grouped));
    Value wideMask = hlo::BroadcastInDimOp::create(builder, loc, grouped.clone(builder.getI1Type()),
                                                   mask, maskDims());
    return hlo::SelectOp::create(builder, loc, grouped, wideMask, rows, zero);
  }

  Value taken(Value bounds) { return part.takeGroups ? part.takeGroups(bounds) : bounds; }

  /// Returns the sums of `sizes` from the first up to each along the last dim.
  Value runningSum(Value sizes) {
    RankedTensorType type = tensorType(sizes);
    int64_t rank = type.getRank(), count = type.getShape().back();
    if (count == 0)
      return sizes;
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value zero = hlo::ConstantOp::create(builder, loc, scalar,
                                         mlir::DenseElementsAttr::get(scalar, llvm::APInt(32, 0)));
    DimList window(rank, 1), padding(2 * rank, 0);
    window.back() = count;
    padding[2 * rank - 2] = count - 1;
    auto paddingAttr = mlir::DenseIntElementsAttr::get(
        RankedTensorType::get({rank, 2}, builder.getI64Type()), llvm::ArrayRef(padding));
    auto sums = hlo::ReduceWindowOp::create(
        builder, loc, mlir::TypeRange(type), mlir::ValueRange(sizes), mlir::ValueRange(zero),
        builder.getDenseI64ArrayAttr(window), /*window_strides=*/nullptr,
        /*base_dilations=*/nullptr, /*window_dilations=*/nullptr, paddingAttr);
    mlir::OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = builder.createBlock(&sums.getBody(), {}, {scalar, scalar}, {loc, loc});
    hlo::ReturnOp::create(
        builder, loc,
        hlo::AddOp::create(builder, loc, block->getArgument(0), block->getArgument(1))
            ->getResults());
    return sums->getResult(0);
  }

  /// The dims of lhs that a row's group depends on, ascending.
  DimList dimsOfGroups() {
    DimList kept{dims.ragged};
    if (tensorType(op.getGroupSizes()).getRank() > 1)
      llvm::append_range(kept, dims.prefix);
    llvm::sort(kept);
    return kept;
  }

  /// Where the dims of the mask stand in the grouped rows.
  DimList maskDims() {
    DimList at{0};
    for (int64_t dim : dimsOfGroups())
      at.push_back(dim + 1);
    return at;
  }

  /// Returns which rows each group has, for all combinations of what its sizes depend on: an i1
  /// tensor of the groups and dimsOfGroups().
  Value rowsOfGroups(Value starts, Value ends) {
    DimList kept = dimsOfGroups(), shape{tensorType(starts).getShape().back()};
    llvm::ArrayRef<int64_t> lhs = tensorType(op.getLhs()).getShape();
    for (int64_t dim : kept)
      shape.push_back(lhs[dim]);
    auto placeOf = [&](int64_t dim) { return llvm::find(kept, dim) - kept.begin() + 1; };
    auto type = RankedTensorType::get(shape, builder.getI32Type());
    Value row = hlo::IotaOp::create(builder, loc, type, placeOf(dims.ragged));
    if (part.firstRow) {
      Value first = hlo::BroadcastInDimOp::create(builder, loc, type, part.firstRow, DimList{});
      row = hlo::AddOp::create(builder, loc, row, first);
    }
    DimList at;
    if (tensorType(starts).getRank() > 1)
      for (int64_t dim : dims.prefix)
        at.push_back(placeOf(dim));
    at.push_back(0);
    // broadcast_in_dim takes dims in any order.
    Value from = hlo::BroadcastInDimOp::create(builder, loc, type, starts, at);
    Value to = hlo::BroadcastInDimOp::create(builder, loc, type, ends, at);
    Value isBehindStart =
        hlo::CompareOp::create(builder, loc, row, from, hlo::ComparisonDirection::GE);
    Value isBeforeEnd = hlo::CompareOp::create(builder, loc, row, to, hlo::ComparisonDirection::LT);
    return hlo::AndOp::create(builder, loc, isBehindStart, isBeforeEnd);
  }

  //===- Product
  //-------------------------------------------------------------------------------===//

  static DimList shifted(llvm::ArrayRef<int64_t> list, int64_t by) {
    return llvm::map_to_vector(list, [&](int64_t dim) { return dim + by; });
  }

  mlir::ArrayAttr precision() {
    std::optional<mlir::ArrayAttr> given = op.getPrecisionConfig();
    if (!given)
      return nullptr;
    return builder.getArrayAttr(llvm::map_to_vector(*given, [&](mlir::Attribute attr) {
      auto value = llvm::cast<chlo::PrecisionAttr>(attr).getValue();
      return mlir::Attribute(
          hlo::PrecisionAttr::get(op.getContext(), static_cast<hlo::Precision>(value)));
    }));
  }

  Value dot(RankedTensorType type, Value lhs, llvm::ArrayRef<int64_t> lhsBatching,
            llvm::ArrayRef<int64_t> lhsContracting, llvm::ArrayRef<int64_t> rhsContracting) {
    auto attr = hlo::DotDimensionNumbersAttr::get(op.getContext(), lhsBatching,
                                                  numbers.getRhsBatchingDimensions(),
                                                  lhsContracting, rhsContracting);
    return hlo::DotGeneralOp::create(builder, loc, type, lhs, op.getRhs(), attr, precision(),
                                     /*algorithm=*/nullptr);
  }

  /// The product of rhs and `lhs`, which has `numGroupDims` dims in front that are summed over with
  /// rhs's group dim.
  Value product(Value lhs, int64_t numGroupDims) {
    DimList lhsContracting = shifted(numbers.getLhsContractingDimensions(), numGroupDims);
    DimList rhsContracting(numbers.getRhsContractingDimensions());
    if (numGroupDims) {
      lhsContracting.push_back(0);
      rhsContracting.push_back(dims.group);
    }
    return dot(op.getType(), lhs, shifted(numbers.getLhsBatchingDimensions(), numGroupDims),
               lhsContracting, rhsContracting);
  }

  /// The product that keeps the groups of `lhs` apart. They come out behind the batching dims.
  Value groupsFirst(Value lhs) {
    RankedTensorType type = op.getType();
    int64_t numBatching = numbers.getLhsBatchingDimensions().size();
    DimList shape(type.getShape()), permutation(type.getRank());
    std::rotate(shape.begin(), shape.begin() + 1, shape.begin() + 1 + numBatching);
    Value value = dot(type.clone(shape), lhs, shifted(numbers.getLhsBatchingDimensions(), 1),
                      shifted(numbers.getLhsContractingDimensions(), 1),
                      numbers.getRhsContractingDimensions());
    if (numBatching == 0)
      return value;
    std::iota(permutation.begin(), permutation.end(), 0);
    std::rotate(permutation.begin(), permutation.begin() + numBatching,
                permutation.begin() + numBatching + 1);
    return hlo::TransposeOp::create(builder, loc, value, permutation);
  }

  mlir::OpBuilder &builder;
  RaggedDotOp op;
  const RaggedPart &part;
  mlir::Location loc;
  RaggedDims dims;
  RaggedDotDimensionNumbersAttr numbers;
};

} // namespace

static bool hasZero(mlir::Type element) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element))
    element = complex.getElementType();
  auto floating = llvm::dyn_cast<mlir::FloatType>(element);
  return floating ? llvm::APFloat::semanticsHasZero(floating.getFloatSemantics())
                  : llvm::isa<mlir::IntegerType>(element);
}

bool hasRaggedProduct(RaggedDotOp op) {
  return llvm::all_of(mlir::ValueRange{op.getLhs(), op.getRhs(), op.getResult()},
                      [](Value value) { return hasZero(tensorType(value).getElementType()); });
}

Value raggedProduct(mlir::OpBuilder &builder, RaggedDotOp op, const RaggedPart &part) {
  return RaggedProduct(builder, op, part).make();
}

} // namespace spmd::chlo
