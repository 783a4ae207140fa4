// Which formula each op is.

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/passes/legalize/Compound.h"
#include "spmd/passes/legalize/Functions.h"
#include "spmd/passes/legalize/Legalize.h"

#include "llvm/ADT/TypeSwitch.h"

namespace spmd::legalize {

using mlir::Operation;

namespace {

/// The formulas of a function of one element; null where it has none.
struct Formulas {
  Expr (*real)(Expr);
  Expr (*complex)(Expr) = nullptr;
};

Expr sameSquare(Expr x) { return x * x; }
Expr identity(Expr x) { return x; }
Expr conjugate(Expr z) { return makeComplex(legalize::real(z), -imag(z)); }

} // namespace

static Formulas formulasOf(Operation *op) {
  using namespace chlo;
#define SPMD_FORMULAS(Op, ...) .Case<Op>([](auto) { return Formulas{__VA_ARGS__}; })
  return llvm::TypeSwitch<Operation *, Formulas>(op) SPMD_FORMULAS(AcosOp, acosReal, acosComplex)
      SPMD_FORMULAS(AcoshOp, acoshReal, acoshComplex) SPMD_FORMULAS(AsinOp, asinReal, asinComplex)
          SPMD_FORMULAS(AsinhOp, asinhReal, asinhComplex) SPMD_FORMULAS(
              AtanOp, atanReal, atanComplex) SPMD_FORMULAS(AtanhOp, atanhReal, atanhComplex)
              SPMD_FORMULAS(AsinAcosKernelOp, nullptr, asinAcosKernel)
                  SPMD_FORMULAS(BesselI1eOp, besselI1e) SPMD_FORMULAS(ConjOp, identity, conjugate)
                      SPMD_FORMULAS(CoshOp, cosh, coshComplex) SPMD_FORMULAS(DigammaOp, digamma)
                          SPMD_FORMULAS(ErfOp, erf) SPMD_FORMULAS(ErfInvOp, erfInv)
                              SPMD_FORMULAS(ErfcOp, erfc) SPMD_FORMULAS(LgammaOp, lgamma)
                                  SPMD_FORMULAS(SinhOp, sinh, sinhComplex)
                                      SPMD_FORMULAS(SquareOp, sameSquare,
                                                    squareComplex) SPMD_FORMULAS(TanOp, tan, tan)
                                          .Default([](auto) { return Formulas{nullptr, nullptr}; });
#undef SPMD_FORMULAS
}

//===- Types ---------------------------------------------------------------===//

/// Returns the type in which elements of type `element` are computed: f32 for narrower floats. Null
/// if there is none.
static mlir::Type computedType(mlir::Type element) {
  if (llvm::isa<mlir::FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
    return mlir::Float32Type::get(element.getContext());
  if (element.isF32() || element.isF64() || llvm::isa<mlir::IntegerType>(element))
    return element;
  return nullptr;
}

//===- Ops -----------------------------------------------------------------===//

static mlir::LogicalResult expandUnary(Operation *op, Formulas formulas) {
  Scope scope(op);
  Expr operand = scope.wrap(op->getOperand(0));
  mlir::Type element = operand.elementType();
  if (llvm::isa<mlir::ComplexType>(element) && formulas.complex) {
    replaceOp(op, formulas.complex(operand).value());
    return mlir::success();
  }
  mlir::Type computed = computedType(element);
  if (!computed || !formulas.real)
    return reportElements(op, element);
  replaceOp(op, convert(formulas.real(convert(operand, computed)), element).value());
  return mlir::success();
}

static mlir::LogicalResult expandBinary(Operation *op, Expr (*formula)(Expr, Expr)) {
  Scope scope(op);
  Expr a = scope.wrap(op->getOperand(0)), b = scope.wrap(op->getOperand(1));
  mlir::Type element = a.elementType(), computed = computedType(element);
  if (!computed)
    return reportElements(op, element);
  replaceOp(op, convert(formula(convert(a, computed), convert(b, computed)), element).value());
  return mlir::success();
}

/// Its result is a neighbour in its own type, found by its bits: there are integers as wide.
static mlir::LogicalResult expandNextAfter(chlo::NextAfterOp op) {
  Scope scope(op);
  Expr x = scope.wrap(op.getLhs());
  mlir::Type element = x.elementType();
  if (!llvm::is_contained({4u, 8u, 16u, 32u, 64u}, element.getIntOrFloatBitWidth()))
    return reportElements(op, element);
  replaceOp(op, nextAfter(x, scope.wrap(op.getRhs())).value());
  return mlir::success();
}

static mlir::LogicalResult expandPredicate(Operation *op) {
  Scope scope(op);
  Expr x = scope.wrap(op->getOperand(0));
  mlir::Type computed = computedType(x.elementType());
  if (!computed)
    return reportElements(op, x.elementType());
  x = convert(x, computed);
  const double infinity = std::numeric_limits<double>::infinity();
  Expr value = llvm::isa<chlo::IsInfOp>(op)      ? abs(x) == infinity
               : llvm::isa<chlo::IsPosInfOp>(op) ? x == infinity
                                                 : x == -infinity;
  replaceOp(op, value.value());
  return mlir::success();
}

static mlir::LogicalResult expandFunction(Operation *op) {
  if (mlir::failed(checkStatic(op)))
    return mlir::failure();
  return llvm::TypeSwitch<Operation *, mlir::LogicalResult>(op)
      .Case<chlo::MulhiOp>([](auto binary) { return expandBinary(binary, mulhi); })
      .Case<chlo::NextAfterOp>([](auto next) { return expandNextAfter(next); })
      .Case<chlo::PolygammaOp>([](auto binary) { return expandBinary(binary, polygamma); })
      .Case<chlo::ZetaOp>([](auto binary) { return expandBinary(binary, zeta); })
      .Case<chlo::IsInfOp, chlo::IsNegInfOp, chlo::IsPosInfOp>(
          [](auto predicate) { return expandPredicate(predicate); })
      .Case<chlo::TopKOp>([](auto topK) { return expandTopK(topK); })
      .Case<chlo::RaggedDotOp>([](auto dot) { return expandRaggedDot(dot); })
      .Default([](Operation *unary) { return expandUnary(unary, formulasOf(unary)); });
}

mlir::LogicalResult expandFunctions(mlir::ModuleOp module, ShouldKeep shouldKeep) {
  llvm::SmallVector<Operation *> found;
  forEachOp(module, [&](Operation *op) {
    if (op->getName().getDialectNamespace() == chlo::ChloDialect::getDialectNamespace() &&
        !shouldKeep(op))
      found.push_back(op);
  });
  bool failed = false;
  for (Operation *op : found)
    failed |= mlir::failed(expandFunction(op));
  return mlir::failure(failed);
}

} // namespace spmd::legalize
