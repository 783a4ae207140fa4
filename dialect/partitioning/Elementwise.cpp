// Elementwise ops: every dim splits freely, operands and result alike.
//
// What differs is which partial values may pass. A sum passes what is linear, and an addition only
// if both sides are partial: a bias added to a partial sum would be added once a device. A max or
// min passes what is monotonically increasing; `negate` and the right side of `subtract` turn one
// into the other. Everything else forces the reduction first; no rounding is ever moved across one.

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

struct PassesMonotone {
  static Commutings commuting(mlir::Operation *) { return {Commuting::monotone()}; }
};

struct PassesLinear {
  static Commutings commuting(mlir::Operation *) { return {Commuting::linear()}; }
};

Commuting reversed(Commuting commuting) {
  return commuting.pass(ReductionKind::max, Passing::alone, ReductionKind::min)
      .pass(ReductionKind::min, Passing::alone, ReductionKind::max);
}

struct PassesNegation {
  static Commutings commuting(mlir::Operation *) { return {reversed(Commuting::linear())}; }
};

struct PassesAddition {
  static Commutings commuting(mlir::Operation *) {
    return Commutings(2, Commuting::monotone().pass(ReductionKind::sum, Passing::jointly));
  }
};

struct PassesSubtraction {
  static Commutings commuting(mlir::Operation *) {
    Commuting side = Commuting().pass(ReductionKind::sum, Passing::jointly);
    return {Commuting::monotone().pass(ReductionKind::sum, Passing::jointly), reversed(side)};
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
    bool isInteger = llvm::cast<mlir::RankedTensorType>(op->getOperand(0).getType())
                         .getElementType()
                         .isInteger();
    return {isInteger ? Commuting() : Commuting::linear(), Commuting()};
  }
};

/// The op is the reduction: shares may be combined before or after.
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

/// Sums pass where no bit is lost: to a wider float of the same kind. Max and min pass what keeps
/// the order.
struct PassesConversion {
  static Commutings commuting(mlir::Operation *op) {
    auto element = [](mlir::Value value) {
      return llvm::cast<mlir::RankedTensorType>(value.getType()).getElementType();
    };
    mlir::Type from = element(op->getOperand(0)), to = element(op->getResult(0));
    bool bothFloat = llvm::isa<mlir::FloatType>(from) && llvm::isa<mlir::FloatType>(to);
    if (!bothFloat)
      return {};
    Commuting commuting = Commuting::monotone();
    if (to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth())
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
  attach<PassesNothing, AbsOp, ClzOp, CosineOp, ImagOp, IsFiniteOp, NotOp, PopulationCountOp,
         RsqrtOp, SineOp, TanOp, Atan2Op, PowOp, RemOp, ShiftLeftOp, ShiftRightArithmeticOp,
         ShiftRightLogicalOp, ComplexOp, CompareOp, ClampOp>(context);
  attach<PassesMonotone, CbrtOp, CeilOp, ExpOp, Expm1Op, FloorOp, LogOp, Log1pOp, LogisticOp,
         RoundOp, RoundNearestEvenOp, SignOp, SqrtOp, TanhOp, ReducePrecisionOp>(context);
  attach<PassesLinear, RealOp>(context);
  attach<PassesNegation, NegOp>(context);
  attach<PassesAddition, AddOp>(context);
  attach<PassesSubtraction, SubtractOp>(context);
  attach<PassesProduct, MulOp>(context);
  attach<PassesQuotient, DivOp>(context);
  attach<PassesItself<ReductionKind::max>, MaxOp>(context);
  attach<PassesItself<ReductionKind::min>, MinOp>(context);
  attach<PassesItself<ReductionKind::logicalAnd>, AndOp>(context);
  attach<PassesItself<ReductionKind::logicalOr>, OrOp>(context);
  attach<PassesItself<ReductionKind::logicalXor>, XorOp>(context);
  attach<PassesSelection, SelectOp>(context);
  attach<PassesConversion, ConvertOp>(context);
}

} // namespace spmd
