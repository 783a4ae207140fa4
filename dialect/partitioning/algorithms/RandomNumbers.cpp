#include "spmd/dialect/partitioning/algorithms/RandomNumbers.h"

#include "spmd/dialect/partitioning/algorithms/RandomBits.h"
#include "spmd/dialect/partitioning/algorithms/Words.h"

#include <cmath>

namespace spmd {

using namespace stablehlo;

/// Two words of 64 bits: the key of Philox, and the lower half of its counter.
static mlir::RankedTensorType seedType(mlir::MLIRContext *context) {
  return mlir::RankedTensorType::get(
      {2}, mlir::IntegerType::get(context, 64, mlir::IntegerType::Unsigned));
}

bool countsNumbers(RngOp op) {
  mlir::RankedTensorType type = tensorTypeOf(op.getResult());
  mlir::Type element = type.getElementType();
  if (type == seedType(op.getContext()))
    return false;
  if (element.isF64() || element.isF32() || element.isF16() || element.isBF16())
    return true;
  auto integer = llvm::dyn_cast<mlir::IntegerType>(element);
  return integer &&
         (integer.getWidth() == 1 || (integer.getWidth() % 8 == 0 && integer.getWidth() <= 64)) &&
         op.getRngDistribution() == RngDistribution::UNIFORM;
}

namespace {

class NumberMaker {
public:
  NumberMaker(Localizer &localizer, RngOp op)
      : localizer(localizer), op(op), loc(op.getLoc()), words{localizer.builder, loc},
        local(localizer.localType(localizer.result(0))) {}

  mlir::Value run() {
    makeWords();
    mlir::Type element = local.getElementType();
    if (element.isInteger(1))
      return truths();
    return llvm::isa<mlir::IntegerType>(element) ? integers() : floats();
  }

private:
  mlir::OpBuilder &builder() { return localizer.builder; }

  //===- Words ---------------------------------------------------------------===//

  mlir::Value drawSeed() {
    mlir::RankedTensorType type = seedType(op.getContext());
    auto scalar = type.clone(llvm::ArrayRef<int64_t>());
    auto limit = [&](uint64_t value) {
      return ConstantOp::create(builder(), loc,
                                mlir::DenseElementsAttr::get(scalar, llvm::APInt(64, value)));
    };
    auto sizes = ConstantOp::create(builder(), loc, builder().getI64TensorAttr({2}));
    return RngOp::create(builder(), loc, type, limit(0)->getResult(0),
                         limit(~uint64_t{0})->getResult(0), sizes->getResult(0),
                         RngDistribution::UNIFORM);
  }

  /// Every number has a block of two words of its own.
  void makeWords() {
    auto withPair = [&](mlir::RankedTensorType type) {
      llvm::SmallVector<int64_t> shape(type.getShape());
      shape.push_back(2);
      return seedType(op.getContext()).clone(shape);
    };
    std::vector<DimSharding> dims = localizer.result(0).sharding->dims;
    dims.emplace_back();
    mlir::Value bits =
        makeBits(localizer, {drawSeed(), /*isThreefry=*/false, withPair(localizer.result(0).type),
                             withPair(local), dims});
    first = wordOf(bits, 0);
    second = wordOf(bits, 1);
  }

  mlir::Value wordOf(mlir::Value bits, int64_t i) {
    llvm::SmallVector<int64_t> shape(words.typeOf(bits).getShape()), limits(shape),
        starts(shape.size(), 0), strides(shape.size(), 1);
    starts.back() = i;
    limits.back() = i + 1;
    shape.back() = 1;
    return words.reshape(SliceOp::create(builder(), loc, words.typeOf(bits).clone(shape), bits,
                                         starts, limits, strides),
                         local.getShape());
  }

  mlir::Value convert(mlir::Value value, mlir::Type element) {
    mlir::RankedTensorType type = words.typeOf(value);
    return type.getElementType() == element
               ? value
               : ConvertOp::create(builder(), loc, type.clone(element), value)->getResult(0);
  }

  mlir::Value spread(mlir::Value scalar) { return words.spread(scalar, local.getShape()); }

  template <typename Op> mlir::Value binary(mlir::Value a, mlir::Value b) {
    return Op::create(builder(), loc, a.getType(), a, b);
  }
  template <typename Op> mlir::Value unary(mlir::Value a) {
    return Op::create(builder(), loc, a.getType(), a);
  }

  mlir::Value compare(mlir::Value a, mlir::Value b, ComparisonDirection direction,
                      ComparisonType type) {
    return CompareOp::create(builder(), loc, words.typeOf(a).clone(builder().getI1Type()), a, b,
                             direction, ComparisonTypeAttr::get(op.getContext(), type));
  }

  mlir::Value select(mlir::Value predicate, mlir::Value yes, mlir::Value no) {
    return SelectOp::create(builder(), loc, yes.getType(), predicate, yes, no);
  }

  //===- Floats --------------------------------------------------------------===//

  mlir::Value number(double value) {
    return ConstantOp::create(
        builder(), loc, mlir::DenseElementsAttr::get(local.clone(builder().getF64Type()), value));
  }

  /// A number in [0, 1), of 53 bits.
  mlir::Value unitOf(mlir::Value word) {
    return binary<MulOp>(convert(words.shiftRight(word, 11), builder().getF64Type()),
                         number(std::ldexp(1.0, -53)));
  }

  /// Computed as f64, whatever is rounded to in the end, as limits of f32 at least.
  mlir::Value floats() {
    mlir::Type element = local.getElementType(), f64 = builder().getF64Type(),
               native = element.isF64() ? f64 : builder().getF32Type();
    mlir::Value a = convert(op.getA(), native), b = convert(op.getB(), native), offset;
    if (op.getRngDistribution() == RngDistribution::UNIFORM) {
      mlir::Value range = convert(binary<SubtractOp>(b, a), f64);
      offset = binary<MulOp>(spread(range), unitOf(first));
    } else {
      offset = normal(spread(convert(b, f64)));
    }
    mlir::Value value = binary<AddOp>(spread(convert(a, f64)), offset);
    return convert(convert(value, native), element);
  }

  /// A number around 0, after Box and Muller.
  mlir::Value normal(mlir::Value deviation) {
    constexpr double pi = 3.14159265358979323846;
    mlir::Value rest = binary<SubtractOp>(number(1), unitOf(first));
    mlir::Value radius = unary<SqrtOp>(binary<MulOp>(number(-2), unary<LogOp>(rest)));
    mlir::Value cosine = unary<CosineOp>(binary<MulOp>(number(2 * pi), unitOf(second)));
    return binary<MulOp>(binary<MulOp>(deviation, radius), cosine);
  }

  //===- Integers ------------------------------------------------------------===//

  mlir::Value truths() {
    mlir::Value one = words.mask(first, 1);
    mlir::Value drawn =
        compare(one, words.constant(one, 0), ComparisonDirection::NE, ComparisonType::UNSIGNED);
    mlir::Value same =
        compare(op.getA(), op.getB(), ComparisonDirection::EQ, ComparisonType::UNSIGNED);
    return select(same, spread(op.getA()), drawn);
  }

  /// Returns an integer as 64 bits of which no more than those of its type count.
  mlir::Value widened(mlir::Value value) {
    mlir::Type element = words.typeOf(value).getElementType();
    mlir::Type word = words.typeOf(first).getElementType();
    if (element.isUnsignedInteger())
      return convert(value, word);
    value = convert(value, builder().getI64Type());
    return BitcastConvertOp::create(builder(), loc, words.typeOf(value).clone(word), value);
  }

  mlir::Value integers() {
    mlir::Type element = local.getElementType();
    mlir::Value a = widened(op.getA()), range = binary<SubtractOp>(widened(op.getB()), a);
    mlir::Value divisor = binary<MaxOp>(range, words.constant(range, 1));
    mlir::Value sum = words.add(spread(a), binary<RemOp>(first, spread(divisor)));
    unsigned width = element.getIntOrFloatBitWidth();
    if (width < 64)
      sum = words.toWidth(words.mask(sum, (uint64_t{1} << width) - 1), width);
    if (sum.getType() != local)
      sum = BitcastConvertOp::create(builder(), loc, local, sum);
    mlir::Value isRange =
        compare(op.getA(), op.getB(), ComparisonDirection::LT,
                element.isUnsignedInteger() ? ComparisonType::UNSIGNED : ComparisonType::SIGNED);
    return select(isRange, sum, spread(op.getA()));
  }

  Localizer &localizer;
  RngOp op;
  mlir::Location loc;
  WordBuilder words;
  mlir::RankedTensorType local;
  mlir::Value first, second;
};

} // namespace

void makeShardOfNumbers(Localizer &localizer, RngOp op) {
  localizer.replaceWith(NumberMaker(localizer, op).run());
}

} // namespace spmd
