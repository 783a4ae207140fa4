// Functions of f64 by vectors, for instructions with the attribute `by_vectors`. Wide programs
// (Widen.h) bear their errors. Where there are no such functions the ordinary ones do the work.
#include "spmd/lowering/interpreter/kernels/Steps.h"
#include "spmd/lowering/interpreter/kernels/VectorFunctions.h"

namespace spmd {

/// Lets instructions of `op` that ask for vectors have `byVectors`, and others what they had.
static void addForm(KernelRegistry &registry, const char *op, StepFunction byVectors) {
  StepFactory ordinary = *registry.findStep(op);
  registry.addStep(op,
                   [=](const Attributes &attributes, absl::Span<const ElementType> operands,
                       ElementType result) -> absl::StatusOr<TileStep> {
                     SPMD_ASSIGN_OR_RETURN(TileStep step, ordinary(attributes, operands, result));
                     if (result == ElementType::f64 && attributes.contains("by_vectors"))
                       step.function = byVectors;
                     return step;
                   });
}

void addVectorSteps(KernelRegistry &registry) {
  if (!by_vectors::areThere || !hasWideVectors())
    return;
  addForm(registry, "atan2", by_vectors::atan2);
  addForm(registry, "cbrt", by_vectors::cbrt);
  addForm(registry, "cosine", by_vectors::cos);
  addForm(registry, "exponential", by_vectors::exp);
  addForm(registry, "exponential_minus_one", by_vectors::expm1);
  addForm(registry, "log", by_vectors::log);
  addForm(registry, "log_plus_one", by_vectors::log1p);
  addForm(registry, "logistic", by_vectors::logistic);
  addForm(registry, "power", by_vectors::pow);
  addForm(registry, "sine", by_vectors::sin);
  addForm(registry, "tan", by_vectors::tan);
  addForm(registry, "tanh", by_vectors::tanh);
}

} // namespace spmd
