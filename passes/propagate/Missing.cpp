#include "spmd/passes/propagate/Missing.h"

namespace spmd {

/// Arguments of regions lie as what comes in through them, which is reported where it comes from.
static bool isRegionArgument(mlir::Value value) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  return argument && !llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
}

std::vector<mlir::Value> findMissing(const ProgramGraph &program,
                                     llvm::ArrayRef<Knowledge> knowledge) {
  std::vector<mlir::Value> found;
  if (program.bodies.empty() || program.codec.mainMesh() < 0)
    return found; // One device holds everything.
  if (!llvm::is_contained(knowledge, Knowledge::nothing))
    return found;
  llvm::DenseSet<mlir::Value> seen; // A function has one instance for each call.
  for (const ProgramGraph::Instance &instance : program.instances) {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    for (size_t t = 0; t < body.tensors.size(); ++t) {
      mlir::Value value = body.tensors[t].value;
      if (value && knowledge[instance.firstValue + t] == Knowledge::nothing &&
          !isRegionArgument(value) && seen.insert(value).second)
        found.push_back(value);
    }
  }
  return found;
}

} // namespace spmd
