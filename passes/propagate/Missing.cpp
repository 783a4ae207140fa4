#include "spmd/passes/propagate/Missing.h"

#include "spmd/dialect/spmd/DataFlow.h"

namespace spmd {

namespace {

/// The values of one instance that are reported.
class OfInstance {
public:
  OfInstance(const ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge,
             const ProgramGraph::Instance &instance, std::vector<bool> &reported)
      : program(program), knowledge(knowledge), instance(instance), reported(reported) {}

  void run() {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    for (size_t t = 0; t < body.tensors.size(); ++t)
      if (mlir::Value value = body.tensors[t].value)
        reported[instance.firstValue + t] = isMissing(instance.firstValue + t) && !isPlaced(value);
    for (const ProgramGraph::FlowOp &each : body.flowOps)
      if (auto flow = llvm::cast<DataFlow>(each.op); flow.getOwnManualAxes())
        lookAcrossBorder(flow, each);
  }

private:
  bool isMissing(int32_t v) const { return knowledge[v] == Knowledge::nothing; }

  bool isMissing(mlir::Value value) const {
    int32_t v = program.valueOf(instance, value);
    return v != ShardGraph::none && isMissing(v);
  }

  /// Whether a value only says where one lies that is missing, too.
  bool isPlaced(mlir::Value value) const {
    mlir::Operation *op = value.getDefiningOp();
    return op && holdsSharding(op) && placesValue(op) && isMissing(op->getOperand(0));
  }

  void lookAcrossBorder(DataFlow op, const ProgramGraph::FlowOp &flowOp) {
    for (auto [flow, tensor] : llvm::zip(op.getFlows(), flowOp.tensors)) {
      if (tensor == ShardGraph::none)
        continue;
      bool isSourceMissing = llvm::any_of(
          flow.sources, [&](mlir::OpOperand *source) { return isMissing(source->get()); });
      for (mlir::Value target : flow.targets)
        if (isSourceMissing || target.use_empty())
          reported[program.valueOf(instance, target)] = false;
    }
  }

  const ProgramGraph &program;
  llvm::ArrayRef<Knowledge> knowledge;
  const ProgramGraph::Instance &instance;
  std::vector<bool> &reported;
};

} // namespace

std::vector<bool> reportedMissing(const ProgramGraph &program,
                                  llvm::ArrayRef<Knowledge> knowledge) {
  if (program.bodies.empty() || program.codec.mainMesh() < 0)
    return {}; // One device holds everything.
  if (!llvm::is_contained(knowledge, Knowledge::nothing))
    return {};
  std::vector<bool> reported(knowledge.size(), false);
  for (const ProgramGraph::Instance &instance : program.instances)
    OfInstance(program, knowledge, instance, reported).run();
  return reported;
}

std::vector<mlir::Value> findMissing(const ProgramGraph &program,
                                     llvm::ArrayRef<Knowledge> knowledge) {
  std::vector<mlir::Value> found;
  std::vector<bool> reported = reportedMissing(program, knowledge);
  if (reported.empty())
    return found;
  llvm::DenseSet<mlir::Value> seen; // A function has one instance for each call.
  for (const ProgramGraph::Instance &instance : program.instances) {
    const ProgramGraph::Body &body = program.bodies[instance.body];
    for (size_t t = 0; t < body.tensors.size(); ++t)
      if (reported[instance.firstValue + t] && seen.insert(body.tensors[t].value).second)
        found.push_back(body.tensors[t].value);
  }
  return found;
}

} // namespace spmd
