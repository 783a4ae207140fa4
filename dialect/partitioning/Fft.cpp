// Fourier transforms: lines are independent, and a transform of several dims is one dim after the
// other. Along a dim that is cut, devices exchange lines.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/algorithms/Lines.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include <cmath>

namespace spmd {

using namespace stablehlo;

namespace {

/// One transform of several dims as several of one or more.
class Transformer {
public:
  Transformer(Localizer &localizer, FftOp fft) : localizer(localizer), fft(fft) {}

  /// The last dims that are not cut go together; real numbers are on the side of the last dim.
  void run() {
    bool isToReal = fft.getFftType() == FftType::IRFFT;
    int64_t rank = localizer.operand(0).type.getRank(),
            first = rank - static_cast<int64_t>(fft.getFftLength().size()), last = rank;
    while (last > first && !isCut(last - 1))
      --last;
    mlir::Value value = fft.getOperand();
    bool isLastCut = last == rank;
    if (!isLastCut && !isToReal)
      value = transformLast(value, rank - last);
    if (isLastCut && fft.getFftType() == FftType::RFFT)
      value = transform(value, --last, FftType::RFFT);
    for (int64_t d = first; d < last - (isLastCut && isToReal); ++d)
      value = transform(value, d, isInverse() ? FftType::IFFT : FftType::FFT);
    if (isLastCut && isToReal)
      value = transform(value, last - 1, FftType::IRFFT);
    if (!isLastCut && isToReal)
      value = transformLast(value, rank - last);
    localizer.replaceWith(value);
  }

private:
  bool isInverse() {
    return fft.getFftType() == FftType::IFFT || fft.getFftType() == FftType::IRFFT;
  }

  absl::Span<const AxisRef> axesOf(int64_t dim) {
    const DimFactors &factors = localizer.strategy->rule.operands[0][dim];
    return factors.empty() ? absl::Span<const AxisRef>() : localizer.axesOf(factors[0]);
  }
  bool isCut(int64_t dim) { return sizeOf(axesOf(dim)) > 1; }

  /// Transforms the last dims of `value`, of which the last is `lengths.back()` long as a line of
  /// real numbers.
  mlir::Value create(mlir::Value value, FftType kind, llvm::ArrayRef<int64_t> lengths) {
    auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
    llvm::SmallVector<int64_t> shape(type.getShape());
    shape.back() = kind == FftType::RFFT ? lengths.back() / 2 + 1 : lengths.back();
    mlir::Type element = type.getElementType();
    if (kind == FftType::RFFT)
      element = mlir::ComplexType::get(element);
    else if (kind == FftType::IRFFT)
      element = llvm::cast<mlir::ComplexType>(element).getElementType();
    return FftOp::create(
        localizer.builder, fft.getLoc(), mlir::RankedTensorType::get(shape, element), value,
        FftTypeAttr::get(fft.getContext(), kind), localizer.builder.getDenseI64ArrayAttr(lengths));
  }

  mlir::Value transformLast(mlir::Value value, int64_t numDims) {
    return create(value, fft.getFftType(), fft.getFftLength().take_back(numDims));
  }

  mlir::Value transform(mlir::Value value, int64_t dim, FftType kind) {
    int64_t rank = localizer.operand(0).type.getRank(),
            length = fft.getFftLength()[dim - rank + fft.getFftLength().size()];
    return mapLines(localizer, value, dim, localizer.operand(0).type.getDimSize(dim), axesOf(dim),
                    [&](mlir::Value lines) { return create(lines, kind, {length}); });
  }

  Localizer &localizer;
  FftOp fft;
};

struct FftModel : Partitionable::ExternalModel<FftModel, FftOp> {
  Strategies getStrategies(mlir::Operation *op) const {
    llvm::ArrayRef<int64_t> shape = shapeOf(op->getOperand(0)), result = shapeOf(op->getResult(0));
    auto fft = llvm::cast<FftOp>(op);
    int64_t rank = shape.size(), batch = rank - static_cast<int64_t>(fft.getFftLength().size());
    double elements = numElements(op->getOperand(0)), points = 1;
    RuleBuilder builder = ruleFor(op);
    for (int64_t d = 0; d < rank; ++d) {
      bool isTransformed = d >= batch;
      if (isTransformed)
        points *= static_cast<double>(shape[d]);
      if (isTransformed && (shape[d] <= 1 || result[d] <= 1))
        continue;
      Factor factor{shape[d], isTransformed ? FactorKind::transpose : FactorKind::pass};
      // Of two lines no more can be had by sending them around than by gathering them.
      factor.blocked = isTransformed && elements <= 2 * static_cast<double>(shape[d]);
      int32_t index = builder.factor(factor);
      builder.operand(0, d, {index}).result(0, d, {index});
    }
    return {{builder.take(), {}, {}, elements * std::log2(points + 1)}};
  }

  mlir::LogicalResult localize(mlir::Operation *op, Localizer &localizer) const {
    const OpRule &rule = localizer.strategy->rule;
    for (const DimFactors &factors : rule.operands[0])
      if (!factors.empty() && rule.factors[factors[0]].kind == FactorKind::transpose &&
          sizeOf(localizer.axesOf(factors[0])) > 1) {
        Transformer(localizer, llvm::cast<FftOp>(op)).run();
        return mlir::success();
      }
    localizer.setResultTypes();
    return mlir::success();
  }
};

} // namespace

void attachFft(mlir::MLIRContext *context) { FftOp::attachInterface<FftModel>(*context); }

} // namespace spmd
