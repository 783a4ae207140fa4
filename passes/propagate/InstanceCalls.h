// Who calls the instances of a program's functions.
#pragma once

#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

/// The calls of a program, by the op and by the instance that they call. Linear in the instances
/// and their calls.
class InstanceCalls {
public:
  /// A call, as an instance of the function it stands in makes it.
  struct Caller {
    mlir::Operation *op;
    int32_t instance;
  };

  explicit InstanceCalls(const ProgramGraph &program) : program(program) {
    callers.resize(program.instances.size());
    for (const ProgramGraph::Body &body : program.bodies)
      for (auto [index, call] : llvm::enumerate(body.calls))
        indexOfCall[call.op] = static_cast<int32_t>(index);
    for (auto [index, instance] : llvm::enumerate(program.instances))
      for (auto [call, child] :
           llvm::zip_equal(program.bodies[instance.body].calls, instance.children))
        callers[child].push_back({call.op, static_cast<int32_t>(index)});
  }

  bool isCall(mlir::Operation *op) const { return indexOfCall.contains(op); }

  /// Returns the instance that a call of `instance` calls; nothing if `op` is no call.
  std::optional<int32_t> calleeOf(int32_t instance, mlir::Operation *op) const {
    auto call = indexOfCall.find(op);
    if (call == indexOfCall.end())
      return std::nullopt;
    return program.instances[instance].children[call->second];
  }

  llvm::ArrayRef<Caller> callersOf(int32_t instance) const { return callers[instance]; }

private:
  const ProgramGraph &program;
  llvm::DenseMap<mlir::Operation *, int32_t> indexOfCall; ///< Among the calls of its function.
  std::vector<llvm::SmallVector<Caller, 1>> callers;      ///< By instance.
};

} // namespace spmd
