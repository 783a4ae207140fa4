// Communication between devices.
#ifndef SPMD_DIALECT_STABLEHLO_COLLECTIVES
#define SPMD_DIALECT_STABLEHLO_COLLECTIVES

include "mlir/IR/SymbolInterfaces.td"
include "spmd/dialect/stablehlo/Attributes.td"

class Stablehlo_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Stablehlo_Op<mnemonic, !listconcat([Stablehlo_Collective], traits)> {
  let hasVerifier = 1;
}
// A collective among groups; their mesh may be a symbol.
class Stablehlo_GroupedOp<string mnemonic, list<Trait> traits = []>
    : Stablehlo_CollectiveOp<mnemonic, !listconcat([SymbolUserOpInterface], traits)> {
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::verifySymbolUses(::mlir::SymbolTableCollection &symbols) {
      return ::spmd::stablehlo::verifyMeshSymbol(*this, symbols);
    }
  }];
  let extraClassDeclaration = [{
    ::mlir::LogicalResult verifySymbolUses(::mlir::SymbolTableCollection &symbols);
  }];
}
class Stablehlo_ReducingCollectiveOp<string mnemonic>
    : Stablehlo_GroupedOp<mnemonic, [RecursiveMemoryEffects]> {
  let regions = (region AnyRegion:$computation);
  let hasRegionVerifier = 1;
}

def Stablehlo_AllGatherOp : Stablehlo_GroupedOp<"all_gather", [NoMemoryEffect]> {
  let arguments = (ins Variadic<AnyElementTensor>:$operands, I64Attr:$all_gather_dim,
                       Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<AnyElementTensor>);
}

def Stablehlo_AllReduceOp : Stablehlo_ReducingCollectiveOp<"all_reduce"> {
  let arguments = (ins Variadic<AnyElementTensor>:$operands,
                       Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<AnyElementTensor>);
}

def Stablehlo_ReduceScatterOp : Stablehlo_ReducingCollectiveOp<"reduce_scatter"> {
  let arguments = (ins AnyElementTensor:$operand, I64Attr:$scatter_dimension,
                       Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs AnyElementTensor:$result);
}

def Stablehlo_AllToAllOp : Stablehlo_GroupedOp<"all_to_all", [NoMemoryEffect]> {
  let arguments = (ins Variadic<AnyElementTensor>:$operands, I64Attr:$split_dimension,
                       I64Attr:$concat_dimension, I64Attr:$split_count,
                       Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle);
  let results = (outs Variadic<AnyElementTensor>);
}

def Stablehlo_CollectivePermuteOp : Stablehlo_CollectiveOp<"collective_permute", [NoMemoryEffect]> {
  let arguments = (ins AnyElementTensor:$operand, Stablehlo_I64Table:$source_target_pairs,
                       OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle);
  let results = (outs AnyElementTensor:$result);
}

def Stablehlo_CollectiveBroadcastOp : Stablehlo_GroupedOp<"collective_broadcast", [NoMemoryEffect]> {
  let arguments = (ins Variadic<AnyElementTensor>:$operands, Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
                       UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<AnyElementTensor>);
}

// The last operand holds the root of each group where `has_dynamic_root` is given.
def Stablehlo_CollectiveReduceOp : Stablehlo_ReducingCollectiveOp<"collective_reduce"> {
  let arguments = (ins Variadic<AnyElementTensor>:$operands, Stablehlo_ReplicaGroups:$replica_groups,
                       OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
                       UnitAttr:$use_global_device_ids, UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<AnyElementTensor>);
}

// Deprecated: an all_reduce that sums.
def Stablehlo_CrossReplicaSumOp : Stablehlo_CollectiveOp<"cross-replica-sum", [NoMemoryEffect]> {
  let arguments = (ins AnyElementTensor:$operand, Stablehlo_I64Table:$replica_groups);
  let results = (outs AnyElementTensor:$result);
}

#endif
