#include "spmd/passes/propagate/FlagGroups.h"

#include "llvm/ADT/IntEqClasses.h"

namespace spmd {

/// Arguments of regions lie as what comes in through them, which is reported where it comes from.
static bool isRegionArgument(mlir::Value value) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  return argument && !llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
}

/// Joins what one op ties.
static void joinTensors(const ShardGraph &graph, llvm::ArrayRef<Knowledge> knowledge,
                        llvm::IntEqClasses &groups) {
  for (int32_t op = 0; op < graph.numOps(); ++op) {
    int32_t first = ShardGraph::none;
    for (int32_t v : graph.tensorsOf(graph.op(op)))
      if (knowledge[v] == Knowledge::nothing)
        first = first == ShardGraph::none ? v : static_cast<int32_t>(groups.join(first, v));
  }
}

std::vector<MissingValue> findMissing(const ProgramGraph &program,
                                      llvm::ArrayRef<Knowledge> knowledge) {
  std::vector<MissingValue> found;
  if (program.bodies.empty() || program.codec.mainMesh() < 0)
    return found; // One device holds everything.
  if (!llvm::is_contained(knowledge, Knowledge::nothing))
    return found;
  llvm::IntEqClasses groups(program.graph.numValues());
  joinTensors(program.graph, knowledge, groups);
  llvm::DenseMap<mlir::Value, int32_t> seen; // A function has one instance for each call.
  std::vector<std::pair<mlir::Value, int32_t>> inOrder;
  for (const ProgramGraph::Instance &instance : program.instances) {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    for (size_t t = 0; t < body.tensors.size(); ++t) {
      int32_t v = instance.firstValue + static_cast<int32_t>(t);
      mlir::Value value = knowledge[v] == Knowledge::nothing ? body.tensors[t].value : nullptr;
      if (!value || isRegionArgument(value))
        continue;
      auto [first, isNew] = seen.try_emplace(value, v);
      groups.join(first->second, v);
      if (isNew)
        inOrder.emplace_back(value, v);
    }
  }
  llvm::DenseMap<int32_t, int32_t> numbers;
  for (auto [value, v] : inOrder) {
    int32_t number = static_cast<int32_t>(numbers.size());
    found.push_back({value, numbers.try_emplace(groups.findLeader(v), number).first->second});
  }
  return found;
}

} // namespace spmd
