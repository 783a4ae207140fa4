// The op interface by which the compiler follows tensors into, through and out of regions.

#ifndef SPMD_DIALECT_SPMD_DATAFLOW
#define SPMD_DIALECT_SPMD_DATAFLOW

include "mlir/IR/OpBase.td"

def DataFlow : OpInterface<"DataFlow"> {
  let description = [{
    An op whose regions compute with tensors as its surroundings do: loops, branches, computations on
    local shapes. Implemented by external models in `dialect/partitioning`, so that no engine treats
    control flow specially. Ops with regions that do not implement it have computations on scalars in
    them, or are run whole.

    Each region has one block. Operands of the op and of its terminators that no flow has as a source
    (predicates) must be the same on every device that runs the op together.
  }];
  let cppNamespace = "::spmd";
  let methods = [
    InterfaceMethod<[{
      Returns the flows of the op. Argument i of every region is a target of flow i.
    }], "::llvm::SmallVector<::spmd::Flow, 0>", "getFlows">,
    InterfaceMethod<[{
      Returns how the values of a flow lie, as seen from outside the op.
    }], "::spmd::ValueSharding", "getFlowSharding", (ins "unsigned":$flow), "", [{
      return ::spmd::shardingOf($_op->getResult(flow));
    }]>,
    InterfaceMethod<[{
      Returns what is written of how the values of a flow lie. They may not lie so on both sides of
      the op's border.
    }], "::spmd::ValueSharding", "getWrittenSharding", (ins "unsigned":$flow), "", [{
      return ::spmd::shardingOf($_op->getResult(flow));
    }]>,
    InterfaceMethod<[{
      Sets how the values of all flows lie, where that is not said by the shardings of the results.
      Entries for what is no tensor may be null.
    }], "void", "setFlowShardings", (ins "::llvm::ArrayRef<::spmd::sdy::ShardingAttr>":$shardings), "",
      "(void)shardings;">,
    InterfaceMethod<[{
      Returns the axes along which shapes in the regions are local, each device computing for itself;
      null if there are none.
    }], "::spmd::sdy::ManualAxesAttr", "getOwnManualAxes", (ins), "", "return {};">,
    InterfaceMethod<[{
      Returns whether the regions may run more than once.
    }], "bool", "isLoop", (ins), "", "return false;">,
    InterfaceMethod<[{
      Returns how often a loop turns, nothing if its text does not say.
    }], "::std::optional<int64_t>", "getTripCount", (ins), "", "return std::nullopt;">,
    InterfaceMethod<[{
      Returns the integer operand that decides which one of the regions runs; null if that is not what
      operands decide.
    }], "::mlir::Value", "getDecision", (ins), "", "return {};">,
    InterfaceMethod<[{
      Returns the number of the region that runs where the decision is `value`.
    }], "unsigned", "getRegionFor", (ins "int64_t":$value), "", [{
      (void)value;
      return 0;
    }]>
  ];
}

#endif // SPMD_DIALECT_SPMD_DATAFLOW
