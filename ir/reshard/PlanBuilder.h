// Appends steps to a plan, leaves out those that do nothing, and joins reshapes that follow each
// other.
#pragma once

#include "spmd/ir/reshard/Plan.h"

namespace spmd {

class PlanBuilder {
public:
  explicit PlanBuilder(Plan &plan) : plan(plan) {}

  /// The register that the next step reads, and its shape.
  int current() const { return plan.steps_.size(); }
  const Shape &shape() const { return plan.outputShape(); }
  int64_t elementBytes() const { return plan.elementBytes(); }

  void reshape(const Shape &shape);
  void transpose(const Shape &permutation);
  /// Grows and shrinks the dims at their ends.
  void padAndTrim(const Shape &shape);
  void mask(MeshSide side, const AxisList &axes, const Index &at, ReductionKind kind);
  void allReduce(MeshSide side, const AxisList &axes, ReductionKind kind);
  void permute(Exchange exchange) { permute(std::move(exchange), current()); }
  int permute(Exchange exchange, int operand);
  /// Returns the register with rows offset .. offset + size of `operand`, itself if that is all of
  /// it.
  int slice(int operand, int dim, int64_t size, const Index &offset);
  /// Writes `operand` into register `into`, or into a new block of `size` rows if that is
  /// noRegister.
  int update(int operand, int into, int dim, int64_t size, const Index &offset, Fill fill);

  /// Appends the steps of a plan that starts from the current register.
  void then(const Plan &next);

  /// Appends `step`, whose kind, outputShape and own fields are set, on the current register.
  void append(Step step) { append(std::move(step), current()); }
  int append(Step step, int operand);

private:
  Plan &plan;
};

} // namespace spmd
