#include "spmd/passes/propagate/NothingPasses.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/passes/legalize/Legalize.h"
#include "spmd/passes/refine/StaticForms.h"

namespace spmd {

namespace {

/// What is the matter with an op, and the pass after which it is not.
struct Unprepared {
  const char *fact;
  const char *pass; ///< Null if there is none.
};

} // namespace

static Unprepared unprepared(mlir::Operation *op) {
  auto isTuple = llvm::IsaPred<mlir::TupleType>;
  if (llvm::any_of(op->getOperandTypes(), isTuple) || llvm::any_of(op->getResultTypes(), isTuple))
    return {"takes or gives a tuple", nullptr}; // Which somebody else asks for: others are gone.
  if (!sizeOperands(op).empty())
    return {"takes sizes as operands", "--spmd-refine-shapes"};
  if (llvm::isa_and_present<chlo::ChloDialect>(op->getDialect()) || legalize::isFunctionCall(op) ||
      legalize::isSearchCall(op))
    return {"stands for other ops", "--spmd-legalize-chlo"};
  return {"has no sharding rule", nullptr};
}

std::string whyNothingPasses(mlir::Operation *op) {
  auto [fact, pass] = unprepared(op);
  std::string text = std::string(fact) + ", so nothing passes through it";
  return pass ? text + "; run " + pass + " first" : text;
}

} // namespace spmd
