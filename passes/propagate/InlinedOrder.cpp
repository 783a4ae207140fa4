// The ops of the graph in the order of a program without calls, whose loops use what does not
// change in them as they use other values of outside.

#include "spmd/passes/propagate/ProgramGraph.h"

namespace spmd {

namespace {

class Inliner {
public:
  explicit Inliner(const ProgramGraph &program)
      : program(program), isSeen(program.instances.size()), early(program.bodies.size()) {
    order.reserve(program.graph.numOps());
    for (auto [body, edges] : llvm::zip(program.bodies, early)) {
      edges.assign(body.handedOnEdges.begin(), body.handedOnEdges.end());
      llvm::sort(edges, [](const Early &a, const Early &b) {
        return std::pair(a.second, b.first) < std::pair(b.second, a.first); // Outer loops first.
      });
    }
  }

  std::vector<int32_t> run(int32_t numOps) {
    for (size_t root = 0; root < program.instances.size(); ++root) {
      enter(static_cast<int32_t>(root)); // Callers come before their callees.
      while (!stack.empty())
        goOn();
    }
    add(numOps, program.graph.numOps());
    return std::move(order);
  }

private:
  using Early = std::pair<int32_t, int32_t>; ///< An edge, and the op that it comes before.

  struct Frame {
    int32_t instance;
    int32_t nextOp = 0;
    size_t nextCall = 0, nextEarly = 0;
    bool isInCall = false;
  };

  void add(int32_t first, int32_t last) {
    for (int32_t op = first; op < last; ++op)
      order.push_back(op);
  }

  void enter(int32_t instance) {
    if (!isSeen[instance])
      stack.push_back({instance});
    isSeen[instance] = true;
  }

  /// Adds what is left of an instance up to its next call, or goes into a call, or out of it.
  void goOn() {
    Frame &frame = stack.back();
    const ProgramGraph::Instance &instance = program.instances[frame.instance];
    const ProgramGraph::Body &body = program.bodies[instance.body];
    bool isLast = frame.nextCall == body.calls.size();
    addOps(frame, instance, isLast ? body.numOps : body.calls[frame.nextCall].position);
    if (isLast)
      return stack.pop_back();
    const ProgramGraph::CallEdges &edges = instance.callEdges[frame.nextCall];
    frame.isInCall = !frame.isInCall;
    if (frame.isInCall) {
      add(edges.first, edges.results);
      enter(instance.children[frame.nextCall]);
    } else {
      add(edges.results, edges.last);
      ++frame.nextCall;
    }
  }

  void addOps(Frame &frame, const ProgramGraph::Instance &instance, int32_t until) {
    const std::vector<Early> &edges = early[instance.body];
    auto addEarly = [&](int32_t op) {
      for (; frame.nextEarly < edges.size() && edges[frame.nextEarly].second <= op;
           ++frame.nextEarly)
        order.push_back(instance.firstOp + edges[frame.nextEarly].first);
    };
    for (; frame.nextOp < until; ++frame.nextOp) {
      addEarly(frame.nextOp);
      if (!isEarly(instance.body, frame.nextOp))
        order.push_back(instance.firstOp + frame.nextOp);
    }
    if (until < program.bodies[instance.body].numOps)
      addEarly(until);
  }

  /// `handedOnEdges` are in the order of the edges.
  bool isEarly(int32_t body, int32_t op) const {
    const auto &edges = program.bodies[body].handedOnEdges;
    auto found = llvm::lower_bound(edges, Early(op, 0));
    return found != edges.end() && found->first == op;
  }

  const ProgramGraph &program;
  std::vector<bool> isSeen;
  std::vector<std::vector<Early>> early; ///< By body, in the order in which they come.
  std::vector<Frame> stack;
  std::vector<int32_t> order;
};

} // namespace

std::vector<int32_t> ProgramGraph::opsAsInlined() const {
  return Inliner(*this).run(firstGroupTie);
}

} // namespace spmd
