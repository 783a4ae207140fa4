// The ops of the graph in the order of a program without calls.

#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

std::vector<int32_t> ProgramGraph::opsAsInlined() const {
  struct Frame {
    int32_t instance;
    int32_t nextOp = 0;
    size_t nextCall = 0;
    bool isInCall = false;
  };
  std::vector<int32_t> order;
  order.reserve(graph.numOps());
  auto add = [&](int32_t first, int32_t last) {
    for (int32_t op = first; op < last; ++op)
      order.push_back(op);
  };
  std::vector<bool> isSeen(instances.size(), false);
  std::vector<Frame> stack;
  auto enter = [&](int32_t instance) {
    if (!isSeen[instance])
      stack.push_back({instance});
    isSeen[instance] = true;
  };
  for (size_t root = 0; root < instances.size(); ++root) {
    enter(static_cast<int32_t>(root)); // Callers come before their callees.
    while (!stack.empty()) {
      Frame &frame = stack.back();
      const Instance &instance = instances[frame.instance];
      llvm::ArrayRef<Call> calls = bodies[instance.body].calls;
      bool isLast = frame.nextCall == calls.size();
      int32_t until = isLast ? bodies[instance.body].numOps : calls[frame.nextCall].position;
      add(instance.firstOp + frame.nextOp, instance.firstOp + until);
      frame.nextOp = until;
      if (isLast) {
        stack.pop_back();
        continue;
      }
      const CallEdges &edges = instance.callEdges[frame.nextCall];
      frame.isInCall = !frame.isInCall;
      if (frame.isInCall) {
        add(edges.first, edges.results);
        enter(instance.children[frame.nextCall]);
      } else {
        add(edges.results, edges.last);
        ++frame.nextCall;
      }
    }
  }
  add(firstGroupTie, graph.numOps());
  return order;
}

} // namespace spmd
