// Elementwise ops: every dim splits freely, operands and result alike.
//
// What differs is which partial values may pass. A sum passes what is linear, and an addition only
// if both sides are partial: a bias added to a partial sum would be added once a device.
//
// A max or min of floats passes what is increasing on all floats, for a share may be anything: a
// device without elements holds the identity, an infinity, and another one a negative number where
// the whole is positive. So it does not pass `log` or `sqrt` (NaN below 0), nor an addition
// (infinities of opposite sign). `negate` turns max into min. Of integers it passes neither, since
// they wrap. Everything else forces the reduction first; no rounding of a sum is moved across one.

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;

namespace {

using Commutings = std::vector<Commuting>;

/// No partial value passes.
struct PassesNothing {
  static Commutings commuting(mlir::Operation *) { return {}; }
};

/// The type of one element.
mlir::Type elementOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getElementType();
}

/// Returns whether the type is of floats with infinities: where there are none, what is too large
/// is NaN, and no op keeps the order.
bool hasInfinities(mlir::Type element) {
  auto type = llvm::dyn_cast<mlir::FloatType>(element);
  return type && llvm::APFloat::semanticsHasInf(type.getFloatSemantics());
}

struct PassesMonotone {
  static Commutings commuting(mlir::Operation *op) {
    return {hasInfinities(elementOf(op->getResult(0))) ? Commuting::monotone() : Commuting()};
  }
};

struct PassesLinear {
  static Commutings commuting(mlir::Operation *) { return {Commuting::linear()}; }
};

struct PassesNegation {
  static Commutings commuting(mlir::Operation *op) {
    Commuting commuting = Commuting::linear();
    if (llvm::isa<mlir::FloatType>(elementOf(op->getOperand(0))))
      commuting.pass(ReductionKind::max, Passing::alone, ReductionKind::min)
          .pass(ReductionKind::min, Passing::alone, ReductionKind::max);
    return {commuting};
  }
};

/// Both sides must be partial: a side that is whole would be counted once a device.
template <ReductionKind kind> struct PassesJointly {
  static Commutings commuting(mlir::Operation *) {
    return Commutings(2, Commuting().pass(kind, Passing::jointly));
  }
};

struct PassesProduct {
  static Commutings commuting(mlir::Operation *) {
    return {Commuting::linear(), Commuting::linear()};
  }
};

/// Only the first operand passes, scaled by the second.
struct PassesQuotient {
  static Commutings commuting(mlir::Operation *op) {
    bool isInteger = elementOf(op->getOperand(0)).isInteger();
    return {isInteger ? Commuting() : Commuting::linear(), Commuting()};
  }
};

/// The op is the reduction, and an operand may be counted any number of times: shares may be
/// combined before or after.
template <ReductionKind kind> struct PassesItself {
  static Commutings commuting(mlir::Operation *) {
    return Commutings(2, Commuting().pass(kind, Passing::alone));
  }
};

/// Both branches must be partial; the predicate must not.
struct PassesSelection {
  static Commutings commuting(mlir::Operation *) {
    Commuting branch;
    for (ReductionKind kind : allReductionKinds)
      branch.pass(kind, Passing::jointly);
    return {Commuting(), branch, branch};
  }
};

/// Sums pass where no bit is lost: to a float type with more values. Max and min pass what keeps
/// the order: to a type that has infinities for what is too large.
struct PassesConversion {
  static Commutings commuting(mlir::Operation *op) {
    auto from = llvm::dyn_cast<mlir::FloatType>(elementOf(op->getOperand(0)));
    auto to = llvm::dyn_cast<mlir::FloatType>(elementOf(op->getResult(0)));
    if (!from || !to)
      return {};
    Commuting commuting = hasInfinities(to) ? Commuting::monotone() : Commuting();
    if (from != to &&
        llvm::APFloat::isRepresentableBy(from.getFloatSemantics(), to.getFloatSemantics()))
      commuting.pass(ReductionKind::sum, Passing::alone);
    return {commuting};
  }
};

template <typename Op, typename Passes>
struct ElementwiseModel : Partitionable::ExternalModel<ElementwiseModel<Op, Passes>, Op> {
  Strategies getStrategies(mlir::Operation *op) const {
    return {{sameShapeRule(op), {}, Passes::commuting(op), numElements(op->getResult(0))}};
  }
};

template <typename Passes, typename... Ops> void attach(mlir::MLIRContext *context) {
  (Ops::template attachInterface<ElementwiseModel<Ops, Passes>>(*context), ...);
}

} // namespace

void attachElementwise(mlir::MLIRContext *context) {
  attach<PassesNothing, AbsOp, ClzOp, CosineOp, IsFiniteOp, NotOp, PopulationCountOp, LogOp,
         Log1pOp, RsqrtOp, SineOp, SqrtOp, TanOp, Atan2Op, PowOp, RemOp, ShiftLeftOp,
         ShiftRightArithmeticOp, ShiftRightLogicalOp, CompareOp, ClampOp, MapOp, UniformQuantizeOp,
         UniformDequantizeOp>(context);
  attach<PassesMonotone, CbrtOp, CeilOp, ExpOp, Expm1Op, FloorOp, LogisticOp, RoundOp,
         RoundNearestEvenOp, SignOp, TanhOp, ReducePrecisionOp>(context);
  attach<PassesLinear, ImagOp, RealOp>(context);
  attach<PassesNegation, NegOp>(context);
  attach<PassesJointly<ReductionKind::sum>, AddOp, ComplexOp, SubtractOp>(context);
  attach<PassesProduct, MulOp>(context);
  attach<PassesQuotient, DivOp>(context);
  attach<PassesItself<ReductionKind::max>, MaxOp>(context);
  attach<PassesItself<ReductionKind::min>, MinOp>(context);
  attach<PassesItself<ReductionKind::logicalAnd>, AndOp>(context);
  attach<PassesItself<ReductionKind::logicalOr>, OrOp>(context);
  attach<PassesJointly<ReductionKind::logicalXor>, XorOp>(context);
  attach<PassesSelection, SelectOp>(context);
  attach<PassesConversion, ConvertOp>(context);
}

} // namespace spmd
