#include "spmd/passes/propagate/SplitAlike.h"

#include "spmd/dialect/spmd/DataFlow.h"

#include "llvm/ADT/DenseSet.h"

namespace spmd {

AxisList axisToSplit(const Mesh &mesh, absl::Span<const AxisRef> used, int64_t size) {
  AxisList found;
  for (size_t a = 0; a < mesh.axes().size(); ++a) {
    AxisRef axis = wholeAxis(mesh, static_cast<int>(a));
    if (axis.size == 1 || axis.size > size || overlaps(axis, used))
      continue;
    if (size % axis.size == 0)
      return {axis};
    if (found.empty())
      found = {axis};
  }
  return found;
}

AxisList manualAxesAt(const Mesh &mesh, mlir::Value value) {
  mlir::Operation *around = value.getParentBlock()->getParentOp();
  AxisList manual;
  for (llvm::StringRef name : manualAxesInside(around))
    if (std::optional<int> axis = mesh.axisNamed({name.data(), name.size()}))
      manual.push_back(wholeAxis(mesh, *axis));
  return manual;
}

/// How many values a search looks at, at how many uses of each, and how many tensors an op has that
/// it looks at.
constexpr size_t mostValues = 64, mostUses = 16, mostTensors = 256;

/// The factor that splits first of what makes up a dim; none if it has no rows to split.
static int32_t firstFactor(const OpRule &rule, const DimFactors &dim) {
  for (int32_t factor : dim)
    if (rule.factors[factor].size > 1)
      return factor;
  return -1;
}

/// A walk from one value, the nearest values first.
class SplitAlike::Search {
public:
  Search(SplitAlike &owner, mlir::Value asked) : owner(owner), asked(asked) {}

  std::optional<DimSplit> run() {
    Tied start{asked, {}};
    for (int64_t d = 0; d < tensorTypeOf(asked).getRank(); ++d)
      start.dims.push_back(d);
    seen.insert(asked);
    queue.push_back(std::move(start));
    for (size_t next = 0; next < queue.size() && next < mostValues && !found; ++next)
      visit(Tied(queue[next]));
    return found;
  }

  /// The axes of the main mesh along which dims of neighbours are split that are none of its.
  AxisList beside;

private:
  void visit(const Tied &from) {
    mlir::Value value = from.value;
    if (mlir::Operation *op = value.getDefiningOp())
      visit(from, op);
    else if (auto flow = llvm::dyn_cast<DataFlow>(value.getParentBlock()->getParentOp()))
      visitFlows(from, flow);
    llvm::SmallVector<mlir::Operation *> users; // In program order; use lists run backward.
    for (mlir::Operation *user : value.getUsers()) {
      if (users.size() == mostUses)
        break;
      if (users.empty() || users.back() != user)
        users.push_back(user);
    }
    for (mlir::Operation *user : llvm::reverse(users))
      visit(from, user);
  }

  void visit(const Tied &from, mlir::Operation *op) {
    if (found || op->getNumOperands() + op->getNumResults() > mostTensors)
      return;
    auto flow = llvm::dyn_cast<DataFlow>(op);
    if (!flow && op->hasTrait<mlir::OpTrait::IsTerminator>() && op->getParentOp())
      flow = llvm::dyn_cast<DataFlow>(op->getParentOp());
    if (flow)
      return visitFlows(from, flow);
    if (const Strategies *known = owner.strategies.lookup(op); known && !known->empty())
      visitTensors(from, op, known->front().rule);
  }

  void visitFlows(const Tied &from, DataFlow op) {
    if (op.getOwnManualAxes() || op->getNumOperands() + op->getNumResults() > mostTensors)
      return; // What comes into a computation on local shapes is a part.
    for (const Flow &flow : op.getFlows()) {
      auto isFrom = [&](mlir::OpOperand *source) { return source->get() == from.value; };
      if (!llvm::any_of(flow.sources, isFrom) && !llvm::is_contained(flow.targets, from.value))
        continue;
      for (mlir::OpOperand *source : flow.sources)
        meet({source->get(), from.dims});
      for (mlir::Value target : flow.targets)
        meet({target, from.dims});
    }
  }

  void visitTensors(const Tied &from, mlir::Operation *op, const OpRule &rule) {
    llvm::SmallVector<mlir::Value> values(op->getOperands());
    llvm::append_range(values, op->getResults());
    if (values.size() != static_cast<size_t>(rule.numTensors()))
      return;
    llvm::SmallDenseMap<int32_t, int64_t> dimOfFactor;
    for (auto [t, value] : llvm::enumerate(values))
      if (value == from.value)
        for (auto [d, dim] : llvm::enumerate(rule.tensor(t)))
          if (int32_t factor = firstFactor(rule, dim); factor >= 0 && from.dims[d] >= 0)
            dimOfFactor.try_emplace(factor, from.dims[d]);
    for (auto [t, value] : llvm::enumerate(values)) {
      Tied to{value, {}};
      for (const DimFactors &dim : rule.tensor(t)) {
        auto known = dimOfFactor.find(firstFactor(rule, dim));
        to.dims.push_back(known == dimOfFactor.end() ? -1 : known->second);
      }
      meet(std::move(to));
    }
  }

  void meet(Tied to) {
    mlir::RankedTensorType type = tensorTypeOf(to.value);
    if (found || !type || to.dims.size() != static_cast<size_t>(type.getRank()) ||
        seen.contains(to.value))
      return;
    const MeshSharding *known = owner.lookup(to.value);
    if (!known || known->sharding.isFullyReplicated()) {
      // Another way to it may tie more of its dims.
      if (llvm::any_of(to.dims, [](int64_t dim) { return dim >= 0; }) &&
          seen.insert(to.value).second)
        queue.push_back(std::move(to));
      return;
    }
    for (auto [own, dim] : llvm::zip(to.dims, known->sharding.dims))
      if (own >= 0 && !found)
        take(known->mesh, own, dim.axes);
    if (!found && known->mesh == owner.codec.mainMesh())
      llvm::append_range(beside, known->sharding.usedAxes());
  }

  /// Takes those of `axes` that fit dim `dim` of the value asked for.
  void take(int32_t mesh, int64_t dim, const AxisList &axes) {
    AxisList fitting;
    int64_t left = tensorTypeOf(asked).getDimSize(dim);
    for (const AxisRef &axis : axes) {
      if (axis.size > left)
        break;
      left /= axis.size;
      if (axis.size > 1)
        fitting.push_back(axis);
    }
    if (!fitting.empty() && !overlaps(fitting, manualAxesAt(owner.codec.mesh(mesh), asked)))
      found = DimSplit{mesh, dim, std::move(fitting)};
  }

  SplitAlike &owner;
  mlir::Value asked;
  std::vector<Tied> queue;
  llvm::DenseSet<mlir::Value> seen;
  std::optional<DimSplit> found;
};

std::optional<DimSplit> SplitAlike::of(mlir::Value value) {
  if (!tensorTypeOf(value) || codec.mainMesh() < 0)
    return std::nullopt;
  Search search(*this, value);
  if (std::optional<DimSplit> found = search.run())
    return found;
  AxisList manual = manualAxesAt(codec.mesh(codec.mainMesh()), value);
  llvm::append_range(search.beside, manual);
  std::optional<DimSplit> split = freely(value, search.beside);
  return split ? split : freely(value, manual);
}

std::optional<DimSplit> SplitAlike::freely(mlir::Value value, const AxisList &avoided) {
  const Mesh &mesh = codec.mesh(codec.mainMesh());
  std::optional<DimSplit> found;
  for (auto [d, size] : llvm::enumerate(tensorTypeOf(value).getShape())) {
    AxisList axes = axisToSplit(mesh, avoided, size);
    if (axes.empty())
      continue;
    bool divides = size % sizeOf(axes) == 0;
    if (!found || divides)
      found = {codec.mainMesh(), static_cast<int64_t>(d), std::move(axes)};
    if (divides)
      break;
  }
  return found;
}

} // namespace spmd
