// The ops of `sdy`.
#ifndef SPMD_DIALECT_SDY_OPS_TD
#define SPMD_DIALECT_SDY_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "spmd/dialect/sdy/Attributes.td"
include "spmd/dialect/sdy/Interfaces.td"

class Sdy_Op<string mnemonic, list<Trait> traits = []> : Op<Sdy_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Mesh
//===----------------------------------------------------------------------===//

def Sdy_MeshOp : Sdy_Op<"mesh", [Symbol]> {
  let summary = "Names a mesh";
  let description = [{
    When a program is read, a mesh that has fewer devices than the largest that a sharding names gets
    an axis "idle", along which the other devices hold copies.

    ```mlir
    sdy.mesh @mesh = <["x"=2, "y"=4]>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Sdy_MeshAttr:$mesh);
  let assemblyFormat = "$sym_name `=` $mesh attr-dict";
}

//===----------------------------------------------------------------------===//
// What the user asks of propagation
//===----------------------------------------------------------------------===//

def Sdy_ShardingConstraintOp : Sdy_Op<"sharding_constraint", [SameOperandsAndResultType]> {
  let summary = "Pins the sharding of a value";
  let description = [{
    Without uses of its result it pins the sharding of its operand.

    ```mlir
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {?} ]> : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins AnyType:$input, Sdy_ShardingAttr:$sharding);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Sdy_ShardingGroupOp : Sdy_Op<"sharding_group"> {
  let summary = "Makes all values of a group lie alike";
  let description = [{
    ```mlir
    sdy.sharding_group %0 group_id=0 : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins AnyType:$input, I64Attr:$group_id);
  let assemblyFormat = "$input `group_id` `` `=` `` $group_id attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def Sdy_PropagationDirection : I32EnumAttr<"PropagationDirection", "where propagation may go",
    [I32EnumAttrCase<"NONE", 0>, I32EnumAttrCase<"FORWARD", 1>, I32EnumAttrCase<"BACKWARD", 2>,
     I32EnumAttrCase<"BOTH", 3>]> {
  let cppNamespace = "::spmd::sdy";
}

def Sdy_PropagationBarrierOp : Sdy_Op<"propagation_barrier", [Pure, SameOperandsAndResultType]> {
  let summary = "Lets shardings through in one direction, or in none";
  let description = [{
    ```mlir
    %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins AnyType:$input, Sdy_PropagationDirection:$allowed_direction);
  let results = (outs AnyType:$result);
  let assemblyFormat =
      "$input `allowed_direction` `` `=` `` $allowed_direction attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Sdy_ConstantOp : Sdy_Op<"constant", [Pure, AllTypesMatch<["value", "output"]>]> {
  let summary = "A constant that is never merged with an equal one";
  let description = [{
    Each use can so have a sharding of its own.

    ```mlir
    %0 = sdy.constant dense<1.0> : tensor<8xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyTensor:$output);
  let assemblyFormat = "attr-dict $value";
}

//===----------------------------------------------------------------------===//
// Values that propagation treats as one
//===----------------------------------------------------------------------===//

def Sdy_DataFlowEdgeOp : Sdy_Op<"data_flow_edge", [Pure, SameOperandsAndResultType]> {
  let summary = "Stands for all values that an edge through a region connects";
  let description = [{
    Carries the sharding that the sources and targets of the edge share, such as the operand, the
    argument and the result of one carry of a loop. Propagation adds it and takes it away.

    ```mlir
    %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"x"}, {?} ]> : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins AnyType:$input, OptionalAttr<Sdy_ShardingAttr>:$sharding);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input (`sharding` `` `=` `` $sharding^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Sdy_FuncDataFlowEdgeOp : Sdy_Op<"func_data_flow_edge", [Pure, SameOperandsAndResultType]> {
  let summary = "Stands for all values that an argument or result of a function connects";
  let description = [{
    ```mlir
    %1 = sdy.func_data_flow_edge %0 : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

class Sdy_ComputationOp<string mnemonic>
    : Sdy_Op<mnemonic, [IsolatedFromAbove, RecursiveMemoryEffects, SingleBlock]> {
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<AnyType>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Sdy_ManualComputationOp : Sdy_ComputationOp<"manual_computation"> {
  let summary = "A computation on local shapes along some axes";
  let description = [{
    Inside, the sizes of dims are those of one shard along the manual axes, and the collectives over
    these axes are written out. Over all other axes the body is global as before.

    - In every dim, manual axes stand before free ones, and their number of shards divides the dim.
    - A manual axis that a sharding does not mention is replicated over.
    - Nothing inside is sharded over a manual axis, nor is it manual again.

    ```mlir
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x", ?}, {?} ]>]
        out_shardings=[<@mesh, [{"x", ?}, {?} ]>] manual_axes={"x"} (%arg: tensor<4x8xf32>) {
      sdy.return %arg : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$tensors, Sdy_ShardingPerValueAttr:$in_shardings,
                       Sdy_ShardingPerValueAttr:$out_shardings, Sdy_ManualAxesAttr:$manual_axes);
}

def Sdy_NamedComputationOp : Sdy_ComputationOp<"named_computation"> {
  let summary = "A computation under a name, for passes that look for it";
  let description = [{
    ```mlir
    %1 = sdy.named_computation<"foo">(%0) in_shardings=[<@mesh, [{"x"} ]>] (%arg: tensor<8xf32>) {
      sdy.return %arg : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$operands,
                       OptionalAttr<Sdy_ShardingPerValueAttr>:$in_shardings,
                       OptionalAttr<Sdy_ShardingPerValueAttr>:$out_shardings);
}

def Sdy_ReturnOp : Sdy_Op<"return", [Pure, Terminator, ParentOneOf<["ManualComputationOp", "NamedComputationOp"]>]> {
  let summary = "Ends a computation with its results";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

//===----------------------------------------------------------------------===//
// Changes of sharding
//===----------------------------------------------------------------------===//

def Sdy_ReshardOp : Sdy_Op<"reshard", [Pure, SameOperandsAndResultType]> {
  let summary = "Brings a value to another sharding";
  let description = [{
    ```mlir
    %1 = sdy.reshard %0 <@mesh, [{}, {"x"} ]> : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins AnyType:$input, Sdy_ShardingAttr:$sharding);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
  let hasVerifier = 1;
}

/// Takes its operand from the sharding it has to `out_sharding`; the axes say how.
class Sdy_CollectiveOp<string mnemonic, dag moreArguments>
    : Sdy_Op<mnemonic, [Pure, SameOperandsAndResultType, Sdy_CollectiveOpInterface]> {
  let arguments = !con((ins AnyRankedTensor:$tensor), moreArguments,
                       (ins Sdy_ShardingAttr:$out_sharding));
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def Sdy_AllGatherOp
    : Sdy_CollectiveOp<"all_gather", (ins Sdy_ListOfAxisRefListsAttr:$gathering_axes)> {
  let summary = "Takes the minor axes off dims, by gathering";
  let description = [{
    ```mlir
    %1 = sdy.all_gather [{"y"}, {} ] %0 out_sharding=<@mesh, [{"x"}, {} ]> : tensor<8x8xf32>
    ```
  }];
  let assemblyFormat = "$gathering_axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def Sdy_AllSliceOp : Sdy_CollectiveOp<"all_slice", (ins Sdy_ListOfAxisRefListsAttr:$slicing_axes)> {
  let summary = "Puts axes at the minor end of dims; each device keeps a slice of what it has";
  let description = [{
    ```mlir
    %1 = sdy.all_slice [{"y"}, {} ] %0 out_sharding=<@mesh, [{"x", "y"}, {} ]> : tensor<8x8xf32>
    ```
  }];
  let assemblyFormat = "$slicing_axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def Sdy_AllToAllOp : Sdy_CollectiveOp<"all_to_all", (ins Sdy_AllToAllParamListAttr:$params)> {
  let summary = "Moves minor axes of dims to the minor ends of other dims";
  let description = [{
    A dim occurs in one of the moves at most.

    ```mlir
    %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"} ]> : tensor<8x8xf32>
    ```
  }];
  let assemblyFormat = "$params $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def Sdy_CollectivePermuteOp : Sdy_CollectiveOp<"collective_permute", (ins)> {
  let summary = "Exchanges whole shards between devices";
  let description = [{
    Every dim keeps its number of shards. The meshes may differ in the order of devices.

    ```mlir
    %1 = sdy.collective_permute %0 out_sharding=<@mesh, [{"y"}, {} ]> : tensor<8x8xf32>
    ```
  }];
  let assemblyFormat = "$tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def Sdy_AllReduceOp : Sdy_CollectiveOp<"all_reduce",
    (ins OptionalAttr<Sdy_ReductionAttr>:$kind, Sdy_AxisRefListAttr:$reduction_axes)> {
  let summary = "Combines what devices hold along axes, by sum or another reduction";
  let description = [{
    The axes shard no dim. If the operand says along which axes it is partial, they are among them.

    ```mlir
    %1 = sdy.all_reduce max {"y"} %0 out_sharding=<@mesh, [{"x"}, {} ]> : tensor<8x8xf32>
    ```
  }];
  let assemblyFormat = [{
    custom<ReductionAxes>($kind, $reduction_axes) $tensor
    `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)
  }];
  let extraClassDeclaration = [{
    ::spmd::ReductionKind getReduction() { return getKind() ? getKind()->getKind() : ::spmd::ReductionKind::sum; }
  }];
}

def Sdy_ReduceScatterOp : Sdy_CollectiveOp<"reduce_scatter",
    (ins OptionalAttr<Sdy_ReductionAttr>:$kind, Sdy_ListOfAxisRefListsAttr:$reduce_scatter_axes)> {
  let summary = "An all-reduce of which each device keeps a slice";
  let description = [{
    ```mlir
    %1 = sdy.reduce_scatter [{"y"}, {} ] %0 out_sharding=<@mesh, [{"x", "y"}, {} ]> : tensor<8x8xf32>
    ```
  }];
  let assemblyFormat = [{
    custom<ReductionAxes>($kind, $reduce_scatter_axes) $tensor
    `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)
  }];
  let extraClassDeclaration = [{
    ::spmd::ReductionKind getReduction() { return getKind() ? getKind()->getKind() : ::spmd::ReductionKind::sum; }
  }];
}

def Sdy_ShardedToUnreducedOp
    : Sdy_CollectiveOp<"sharded_to_unreduced", (ins Sdy_ListOfAxisRefListsAttr:$axes)> {
  let summary = "Takes the minor axes off dims and makes the value partial along them";
  let description = [{
    Each device pads its shard with the identity of the reduction; nothing is sent.

    ```mlir
    %1 = sdy.sharded_to_unreduced [{"y"}, {} ] %0 out_sharding=<@mesh, [{}, {} ], unreduced={"y"}> : tensor<8x8xf32>
    ```
  }];
  let assemblyFormat = "$axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def Sdy_ReplicatedToUnreducedOp
    : Sdy_CollectiveOp<"replicated_to_unreduced", (ins Sdy_AxisRefListAttr:$axes)> {
  let summary = "Makes a value partial along axes over which it is replicated";
  let description = [{
    One device along the axes keeps the value, the others take the identity; nothing is sent.

    ```mlir
    %1 = sdy.replicated_to_unreduced {"y"} %0 out_sharding=<@mesh, [{}, {} ], unreduced={"y"}> : tensor<8x8xf32>
    ```
  }];
  let assemblyFormat = "$axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

#endif // SPMD_DIALECT_SDY_OPS_TD
