// A module as a ShardGraph, and the way back.
//
// A function is walked once, into a *body*: its tensors by number, its ops with their rules, its
// calls. Each call gets its own *instance* of the callee's body in the graph, so that one function
// may be used with different shardings. (Past a limit, calls of a function share one instance:
// nests of calls that double at each level would grow without end.) When the graph has its
// shardings, instances that came out alike share one function, others get a clone.
//
// Regions of data-flow ops belong to the body of their function. All that comes out of a flow is
// one tensor, tied by edges to what comes in. Where axes are manual inside, the tensor is that of
// the outside; the one inside is tied to it by a rule that leaves out the manual part of each dim.
#pragma once

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/ir/graph/ShardGraph.h"
#include "spmd/passes/propagate/FirstLook.h"
#include "spmd/passes/propagate/ValueNumbers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace spmd {

class ProgramGraph {
public:
  /// Builds the graph of `module`; `originOf` requires `keepsOrigins`. Only if it
  /// `readsOpen` is what was inferred to have all dims open on a mesh, else on none. Fails after a
  /// diagnostic on recursive calls and on shardings that do not fit their values.
  static mlir::FailureOr<std::unique_ptr<ProgramGraph>>
  build(mlir::ModuleOp module, const FirstLook &look, bool keepsOrigins, bool readsOpen);

  ShardGraph graph;
  ShardingCodec codec;
  std::optional<ValueUses> uses; ///< Of the values of `graph`, once that is whole (Spread.h).

  /// A tensor of a function: an argument, an op's result, a result of the function as a whole, or
  /// what a buffer holds for a while.
  struct Tensor {
    static constexpr int32_t inside = -1;
    mlir::Value value;        ///< Null for a result of the function, inside a buffer, at a border.
    int32_t resultIndex : 31; ///< Then, which result, or `inside`.
    bool isFree : 1;          ///< Costs nothing wherever it is needed.
  };

  struct Call {
    mlir::Operation *op;
    int32_t callee;       ///< Index in `bodies`.
    int32_t region;       ///< The innermost manual region around it, or ShardGraph::none.
    float turns;          ///< How often one run of the function makes it.
    int32_t position;     ///< How many ops of the body come before it.
    int32_t firstOperand; ///< In Body::callOperands.
    int32_t firstResult;  ///< Tensor of the first result that is one.
    /// If there are buffers among the operands: tensor of the first that the callee writes, after
    /// the call.
    int32_t firstLeft = ShardGraph::none;

    bool passesBuffers() const { return firstLeft != ShardGraph::none; }
  };

  /// A data-flow op, and the tensor of each of its flows; ShardGraph::none for what is no tensor.
  struct FlowOp {
    mlir::Operation *op;
    std::vector<int32_t> tensors;
  };

  /// Tensors [first, last) of a body are inside `op`, which makes axes manual.
  struct ManualRegion {
    mlir::Operation *op;
    int32_t first, last;
  };

  struct Body {
    mlir::func::FuncOp func;
    /// Arguments first, then results of the function, then of ops.
    llvm::SmallVector<Tensor, 0> tensors;
    int32_t firstResult = 0; ///< Tensor of the function's result 0.
    int32_t numLeft = 0;     ///< Buffer arguments whose callers find them written.
    int32_t numOps = 0;      ///< Of one instance in the graph, but for the edges of calls.
    int32_t firstOp = 0;     ///< The number of the first of these among those of all bodies.
    int32_t callOrder = 0;   ///< Callees come before their callers.
    // There may be as many functions as ops: what most of them lack takes little room.
    llvm::SmallVector<Call, 0> calls;
    /// The tensors of the operands of calls, of buffers of what they hold; ShardGraph::none for
    /// what is no tensor.
    llvm::SmallVector<int32_t, 0> callOperands;
    llvm::SmallVector<FlowOp, 0> flowOps;
    /// Of its ops, counted from the first: those that tie members of groups, those that tie what
    /// goes into manual regions to the arguments inside, and those that do nothing but pin their
    /// one result.
    llvm::SmallVector<int32_t, 0> groupEdges, entries, placements;
    /// Edges of what a loop hands on as it came in, and the first op in the loop: such a value is
    /// that of outside. Counted from the first op, in the order of the edges.
    llvm::SmallVector<std::pair<int32_t, int32_t>, 0> handedOnEdges;
    llvm::SmallVector<ManualRegion, 0> manualRegions;
    /// Loads, and buffers that hold nothing before a store; and the tensors that they lie as.
    llvm::SmallVector<std::pair<mlir::Value, int32_t>, 0> accesses;
    /// What is pinned with open dims among buffers and what they are given.
    llvm::SmallVector<mlir::Value, 0> openlyPinned;
    /// Of the tensors that the program gives one. The first of a tensor holds.
    llvm::SmallVector<std::pair<int32_t, ValueSharding>, 0> shardings;
    /// Outside of manual regions.
    llvm::SmallVector<std::pair<int32_t, sdy::ShardingAttr>, 0> hints;
    llvm::SmallVector<mlir::Operation *, 0> hintedOps; ///< All ops that have any.

    /// What is left in the buffer arguments that are written stands behind the results.
    int32_t firstLeft() const {
      return firstResult + static_cast<int32_t>(mlir::func::FuncOp(func).getNumResults());
    }
  };

  /// Ops of the graph that tie the arguments of a call, [first, results), and its results,
  /// [results, last).
  struct CallEdges {
    int32_t first, results, last;
  };

  struct Instance {
    int32_t body;
    int32_t firstValue;                     ///< In the graph, of the body's first tensor.
    int32_t firstOp;                        ///< In the graph, of the body's first op.
    llvm::SmallVector<int32_t, 0> children; ///< Instances of the calls, in order.
    /// Axes that the callers made manual.
    llvm::SmallVector<llvm::StringRef, 0> manualAxes = {};
    float turns = 1; ///< How often the first of its callers makes its call.
    llvm::SmallVector<CallEdges, 0> callEdges = {}; ///< Of the calls, in order.
  };

  /// An op that adds a pinned value to a sharding group. Members are tied over the whole module,
  /// but not across the border of a manual region.
  struct PinnedMember {
    mlir::Operation *op;
    uint64_t group;
    int32_t body;
    int32_t region; ///< The innermost manual region around it, or ShardGraph::none.
  };

  /// What was found for arguments and results before their shards were made even: by value.
  llvm::DenseMap<int32_t, sdy::ShardingAttr> uneven;
  bool hasBareMarkers = false; ///< Among the ops of the module (BareMarkers.h).
  std::vector<Body> bodies;
  std::vector<PinnedMember> pinnedMembers; ///< In program order.
  /// A tensor of a body that is in a sharding group, outside of manual regions.
  struct GroupMember {
    int32_t body, tensor;
  };
  std::map<uint64_t, llvm::SmallVector<GroupMember, 1>>
      groupMembers;                ///< By group, in program order.
  std::vector<int32_t> groupEdges; ///< Ops of the graph that tie members of a group.
  /// Ops of the graph that tie what goes into a manual region to the argument inside: one sharding
  /// is written for both.
  std::vector<int32_t> entries;
  std::vector<Instance> instances; ///< A caller before its callees.

  /// For each value of the graph whether it costs nothing wherever it is needed.
  std::vector<bool> freeValues() const;

  /// Returns an instance's value in the graph, or ShardGraph::none if `value` is no tensor.
  int32_t valueOf(const Instance &instance, mlir::Value value) const;

  /// Returns the instance that a value of the graph belongs to.
  int32_t instanceOfValue(int32_t value) const;

  /// Returns the ops of the graph in the order in which they would stand if calls were inlined.
  std::vector<int32_t> opsAsInlined() const;

  /// Where an op of the graph comes from: the op of the program, null for what ties the members of
  /// a sharding group or what a buffer holds; for a call, the instance that it calls.
  struct Origin {
    mlir::Operation *op;
    int32_t callee = ShardGraph::none;
  };
  Origin originOf(int32_t op) const;

private:
  explicit ProgramGraph(mlir::ModuleOp module) : codec(module) {}
  friend class BodyBuilder;
  friend class InstanceBuilder;
  struct BodyOp {
    int32_t rule; ///< ShardGraph::none for an edge.
    int32_t numOperands;
    int32_t numTensors;
    float turns; ///< How often one run of the function runs it.
  };
  /// What the graph says of a tensor of a body.
  struct BodyTensor {
    int32_t shape; ///< Index in the graph.
    int32_t elementBits;
    float turns; ///< How often one run of the function makes it.
  };
  /// The ops of all bodies, one body after the other. There may be thousands of these: arrays of
  /// their own would leave holes behind that nothing else fits into.
  struct BodyOps {
    std::vector<BodyOp> ops;
    std::vector<int32_t> tensors;   ///< Of all ops.
    std::vector<BodyTensor> values; ///< By tensor of the body.
    /// By body, where those of its own begin.
    struct Begin {
      size_t tensor, value;
    };
    std::vector<Begin> begins;
  };
  BodyOps bodyOps; ///< Till there are instances.
  /// For each of them in turn the op of the program, null if it stands for none; empty if nobody
  /// will ask.
  std::vector<mlir::Operation *> sources;
  /// Returns the tensor that a value is in its body, or ShardGraph::none.
  int32_t tensorOf(mlir::Value value) const {
    return isInPlace(value)
               ? static_cast<int32_t>(llvm::cast<mlir::BlockArgument>(value).getArgNumber())
               : tensorIndex.lookup(value);
  }
  void setTensor(mlir::Value value, int32_t tensor) {
    if (!isInPlace(value))
      tensorIndex.set(value, tensor);
  }
  /// Whether a value is an argument of a function all of whose arguments are tensors. These come
  /// first in its body, so no table is needed.
  bool isInPlace(mlir::Value value) const {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    return argument && llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp()) &&
           (withOtherArguments.empty() || !withOtherArguments.contains(argument.getOwner()));
  }
  void noteArguments(mlir::func::FuncOp func);
  /// From this op of the graph on, what ties groups of several functions.
  int32_t firstGroupTie = 0;
  ValueNumbers tensorIndex;
  llvm::DenseSet<mlir::Block *> withOtherArguments; ///< Bodies that have arguments of other types.
};

} // namespace spmd
