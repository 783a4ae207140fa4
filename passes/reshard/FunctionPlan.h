// The plan of one function: how each op runs, and in which layout each value is made and read.
//
// An op with a rule has one option for each split. A carry of a loop and a result of a branch have
// one for each layout. Arguments, results, calls and manual computations keep the layouts that
// propagation found. `ir/planner` picks the options. This class translates the function into the
// planner's graph, and the picks back into layouts.
//
// A sharding constraint may be refined: a value passes it split further than the constraint says,
// if that moves less. No device then holds more of the value.
#pragma once

#include "spmd/ir/planner/DecisionGraph.h"
#include "spmd/passes/reshard/PlanBlocks.h"
#include "spmd/passes/reshard/Remade.h"
#include "spmd/passes/reshard/Survey.h"

namespace spmd {

class FunctionPlan {
public:
  /// The layouts of the operands and results of one op; -1 for what is no tensor.
  struct OpLayouts {
    llvm::SmallVector<int32_t, 3> operands;
    llvm::SmallVector<int32_t, 1> results;
    bool wasSplit = false; ///< Propagation split some tensor of the op.
  };

  /// All arguments must outlive this. Moves may leave a loop if that takes `hoistBytes` at most.
  FunctionPlan(ShardingCodec &codec, Layouts &layouts, Values &values, ReshardCosts &costs,
               uint64_t hoistBytes)
      : codec(codec), layouts(layouts), values(values), costs(costs), hoistBytes(hoistBytes),
        remade(layouts, values) {}

  /// Decides how the ops of `func` run, and sets the layouts of their results, except for results
  /// with a pinned sharding. `ops` are those of the function, nested ones included, each before
  /// what it contains. Returns false if there is no plan: some value is on another mesh than the
  /// main one, or an op has too many options.
  bool decide(mlir::func::FuncOp func, llvm::ArrayRef<SurveyedOp> ops);

  /// Returns the layouts that the plan gives an op, or null if it says nothing of the op.
  const OpLayouts *of(mlir::Operation *op) const {
    auto found = planned.find(op);
    return found == planned.end() ? nullptr : &found->second;
  }

  /// Returns whether ops in several blocks read `value` in `layout`. One move serves all of them.
  bool isReadInSeveralBlocks(mlir::Value value, int32_t layout) const {
    return readInSeveral.contains({value, layout});
  }

private:
  struct PlannedNode {
    mlir::Operation *op;
    int32_t node;
    /// The tensors of the op that are those of the node, by number: operands, then results.
    llvm::SmallVector<int32_t, 4> operands, results;
    bool wasSplit = false;
  };

  /// A flow whose layout the planner decides.
  struct PlannedFlow {
    DataFlow op;
    unsigned index;
    int32_t node;
  };

  bool addOp(mlir::Operation *op, const OpKind &kind);
  bool addByRule(mlir::Operation *op, const OpKind &kind);
  bool addPart(mlir::Operation *op, const Strategies &strategies, llvm::ArrayRef<int32_t> operands,
               llvm::ArrayRef<int32_t> results);
  bool addPlacement(mlir::Operation *op);
  bool addDataFlow(DataFlow op);
  bool addFlow(DataFlow op, unsigned index, const Flow &flow, int32_t layout);
  bool reserveGrowth(int32_t kind, int32_t declared);
  bool addReader(mlir::Operation *op, unsigned operand, int32_t layout);
  bool addTerminator(mlir::Operation *op);

  /// Returns the value of the graph that is `value`; makes one in its declared layout for what no
  /// node makes. `none` for what is made anew for each reader. Nothing on another mesh.
  std::optional<int32_t> numberOf(mlir::Value value);
  std::optional<int32_t> tableLayout(int32_t layout);
  int32_t ownLayout(int32_t tableLayout);
  int32_t kindOf(mlir::Value value);
  void weighMoves(mlir::Value value, int32_t number);
  bool isFused(mlir::Operation *op, mlir::Value result);
  int32_t fixedOptions(std::optional<int32_t> read, std::optional<int32_t> made);
  int32_t constraintOptions(int32_t pinned, int32_t kind, const std::vector<int32_t> &axes);
  void write(const std::vector<int32_t> &options);
  void noteReader(mlir::Operation *op, int32_t operand, int32_t layout);
  void writeFlows(const std::vector<int32_t> &options);

  ShardingCodec &codec;
  Layouts &layouts;
  Values &values;
  ReshardCosts &costs;
  uint64_t hoistBytes;
  double growthLeft = 0; ///< Of what loops hand on, in bytes of a device.
  Remade remade;
  std::vector<mlir::Value> remadeValues; ///< Results of ops that each reader makes anew.
  mlir::SymbolTableCollection symbols;
  mlir::func::FuncOp func;
  std::optional<LayoutTable> table;
  std::unique_ptr<DecisionGraph> graph;
  llvm::DenseMap<mlir::Value, int32_t> numbers;
  llvm::DenseMap<mlir::OpOperand *, int32_t> insideLayouts; ///< Of what regions hand on.
  PlanBlocks blocks;
  llvm::DenseMap<mlir::Operation *, bool> lightOps;
  std::map<std::vector<int64_t>, int32_t> optionNumbers;
  std::deque<Strategies> partStrategies;
  std::map<std::pair<const Strategies *, int32_t>, const Strategies *> knownParts;
  /// By where a flow comes in: the node of the flow, and which of its operands that is.
  llvm::DenseMap<mlir::OpOperand *, std::pair<int32_t, int32_t>> flowSources;
  std::vector<PlannedNode> nodes;
  std::vector<PlannedFlow> flows;
  llvm::MapVector<mlir::Operation *, OpLayouts> planned;
  llvm::DenseMap<std::pair<mlir::Value, int32_t>, mlir::Block *> readIn; ///< The first block.
  llvm::DenseSet<std::pair<mlir::Value, int32_t>> readInSeveral;
};

} // namespace spmd
