#include "spmd/ir/reshard/PlanBuilder.h"

#include <algorithm>

namespace spmd {

int PlanBuilder::append(Step step, int operand) {
  step.operand = operand;
  step.inputShape = plan.shapeOf(operand);
  plan.steps_.push_back(std::move(step));
  return current();
}

static Step stepOf(StepKind kind, Shape outputShape) {
  Step step;
  step.kind = kind;
  step.outputShape = std::move(outputShape);
  return step;
}

void PlanBuilder::reshape(const Shape &shape) {
  std::vector<Step> &steps = plan.steps_;
  if (!steps.empty() && steps.back().kind == StepKind::reshape) {
    steps.back().outputShape = shape;
    if (steps.back().inputShape == shape)
      steps.pop_back();
  } else if (shape != this->shape()) {
    append(stepOf(StepKind::reshape, shape));
  }
}

void PlanBuilder::transpose(const Shape &permutation) {
  if (std::is_sorted(permutation.begin(), permutation.end()))
    return;
  Shape shape;
  for (int64_t dim : permutation)
    shape.push_back(this->shape()[dim]);
  Step step = stepOf(StepKind::transpose, shape);
  step.permutation = permutation;
  append(std::move(step));
}

void PlanBuilder::padAndTrim(const Shape &shape) {
  Shape smaller, larger;
  for (size_t d = 0; d < shape.size(); ++d)
    smaller.push_back(std::min(shape[d], this->shape()[d]));
  if (smaller != this->shape())
    append(stepOf(StepKind::trim, smaller));
  if (shape != this->shape())
    append(stepOf(StepKind::pad, shape));
}

void PlanBuilder::mask(MeshSide side, const AxisList &axes, const Index &at, ReductionKind kind) {
  Step step = stepOf(StepKind::mask, shape());
  step.side = side;
  step.axes = axes;
  step.offset = at;
  step.fill = {kind};
  append(std::move(step));
}

void PlanBuilder::allReduce(MeshSide side, const AxisList &axes, ReductionKind kind) {
  Step step = stepOf(StepKind::allReduce, shape());
  step.side = side;
  step.axes = axes;
  step.reduction = kind;
  append(std::move(step));
}

int PlanBuilder::permute(Exchange exchange, int operand) {
  Step step = stepOf(StepKind::permute, plan.shapeOf(operand));
  step.exchange = std::make_shared<Exchange>(std::move(exchange));
  return append(std::move(step), operand);
}

int PlanBuilder::slice(int operand, int dim, int64_t size, const Index &offset) {
  Shape shape = plan.shapeOf(operand);
  if (shape[dim] == size)
    return operand;
  shape[dim] = size;
  Step step = stepOf(StepKind::dynamicSlice, shape);
  step.dim = dim;
  step.offset = offset;
  return append(std::move(step), operand);
}

int PlanBuilder::update(int operand, int into, int dim, int64_t size, const Index &offset,
                        Fill fill) {
  Shape shape = plan.shapeOf(operand);
  shape[dim] = size;
  Step step = stepOf(StepKind::dynamicUpdate, shape);
  step.dim = dim;
  step.into = into;
  step.offset = offset;
  step.fill = fill;
  return append(std::move(step), operand);
}

void PlanBuilder::then(const Plan &next) {
  int first = current();
  for (Step step : next.steps()) {
    int operand = first + step.operand;
    if (step.into != Step::noRegister)
      step.into += first;
    append(std::move(step), operand);
  }
}

} // namespace spmd
