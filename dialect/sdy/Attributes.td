// The attributes of `sdy`. Each holds a value of `ir/sharding` or `ir/rules` and delegates to it.
#ifndef SPMD_DIALECT_SDY_ATTRIBUTES_TD
#define SPMD_DIALECT_SDY_ATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "spmd/dialect/sdy/Dialect.td"

class Sdy_Attr<string name, string attrMnemonic> : AttrDef<Sdy_Dialect, name> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
}

/// A C++ value, stored by value and read by reference.
class Sdy_Value<string type> : AttrParameter<type, "", "const " # type # " &">;

def Sdy_MeshAttr : Sdy_Attr<"Mesh", "mesh"> {
  let summary = "Devices, arranged in a grid with named axes";
  let description = [{
    `#sdy.mesh<["x"=2, "y"=4]>` has 8 devices, the last axis running fastest. `device_ids=[..]` says
    which device stands where, if not in order. `<[], device_ids=[3]>` is a maximal mesh: one device
    that holds everything. `<[]>` is the empty mesh, a placeholder for any.
  }];
  let parameters = (ins Sdy_Value<"::spmd::Mesh">:$mesh);
}

def Sdy_ShardingAttr : Sdy_Attr<"Sharding", "sharding"> {
  let summary = "How a tensor lies on a mesh";
  let description = [{
    A mesh, by symbol or inlined as `mesh<..>`; for each dim of the tensor its axes, major first; and
    optionally the axes that must stay replicated and those along which the value is partial.

    - `{"x"}` is closed, `{"x", ?}` may get more axes by propagation, `{?}p1` has priority 1.
    - `"x":(2)4` is the part of size 4 of axis "x" that follows a part of size 2.
    - `unreduced=max{"y"}` combines by max; without a word, by sum.

    ```mlir
    #sdy.sharding<@mesh, [{"x"}, {"y":(1)2, ?}p1], replicated={"z"}, unreduced={"w"}>
    ```
    An axis occurs at most once in a sharding.
  }];
  let parameters = (ins "::mlir::Attribute":$meshOrRef, Sdy_Value<"::spmd::ShardingSpec">:$spec);
  let builders = [
    AttrBuilderWithInferredContext<(ins "::mlir::Attribute":$meshOrRef, "const ::spmd::Mesh &":$mesh,
                     "const ::spmd::Sharding &":$sharding)>
  ];
  let extraClassDeclaration = [{
    /// Returns the symbol of the mesh, or null if the mesh is inlined.
    ::mlir::FlatSymbolRefAttr getMeshRef() const;
    /// Returns the number of dims.
    int64_t getRank() const { return getSpec().dims.size(); }
    /// Reads `<@mesh, [..]>` and the like, for attributes and ops that hold several.
    static ShardingAttr parseStripped(::mlir::AsmParser &parser);
  }];
}

def Sdy_ShardingPerValueAttr : Sdy_Attr<"ShardingPerValue", "sharding_per_value"> {
  let summary = "A sharding for each operand or result of an op";
  let description = [{
    ```mlir
    #sdy.sharding_per_value<[<@mesh, [{"x"}, {} ]>, <@mesh, [{} ]>]>
    ```
  }];
  let parameters = (ins OptionalArrayRefParameter<"::spmd::sdy::ShardingAttr">:$shardings);
  let extraClassDeclaration = [{
    size_t size() const { return getShardings().size(); }
    ShardingAttr operator[](size_t i) const { return getShardings()[i]; }
    /// Reads and prints `[<..>, <..>]`.
    static ShardingPerValueAttr parseList(::mlir::AsmParser &parser);
    void printList(::mlir::AsmPrinter &printer) const;
  }];
}

def Sdy_OpShardingRuleAttr : Sdy_Attr<"OpShardingRule", "op_sharding_rule"> {
  let summary = "How the dims of an op's tensors correspond";
  let description = [{
    Writes each dim as a list of factors `i` to `z`, then `z_1` and so on; `*` has none. Dims that share
    a factor lie alike.

    ```mlir
    #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=6, k=4} reduction={k}, custom>
    ```
  }];
  let parameters = (ins Sdy_Value<"::spmd::OpRule">:$rule);
}

def Sdy_ManualAxesAttr : Sdy_Attr<"ManualAxes", "manual_axes"> {
  let summary = "Names of the axes over which a computation is written by hand";
  let parameters = (ins OptionalArrayRefParameter<"::mlir::StringAttr">:$axes);
  let extraClassDeclaration = [{
    bool contains(::llvm::StringRef axis) const;
  }];
}

def Sdy_AxisRefListAttr : Sdy_Attr<"AxisRefList", "axis_ref_list"> {
  let summary = "Axes and sub-axes: `{\"x\", \"y\":(1)2}`";
  let parameters = (ins Sdy_Value<"::std::vector<::spmd::AxisSpec>">:$axes);
}

def Sdy_ListOfAxisRefListsAttr : Sdy_Attr<"ListOfAxisRefLists", "list_of_axis_ref_lists"> {
  let summary = "Axes for each dim of a tensor: `[{\"x\"}, {}]`";
  let parameters = (ins Sdy_Value<"::std::vector<::std::vector<::spmd::AxisSpec>>">:$lists);
}

def Sdy_AllToAllParamListAttr : Sdy_Attr<"AllToAllParamList", "all_to_all_param_list"> {
  let summary = "Which axes move from which dim to which: `[{\"x\"}: 0->2]`";
  let parameters = (ins Sdy_Value<"::std::vector<::spmd::sdy::AllToAllParam>">:$params);
}

def Sdy_ReductionAttr : Sdy_Attr<"Reduction", "reduction"> {
  let summary = "How partial values combine: sum, max, min, product, and, or, xor";
  let parameters = (ins "::spmd::ReductionKind":$kind);
}

def Sdy_PropagationEdgesAttr : Sdy_Attr<"PropagationEdges", "propagation_edges"> {
  let summary = "Which values gave which axes to which others, by step of propagation";
  let description = [{
    ```mlir
    #sdy.propagation_edges<[{step-2 = [{"y" = operand-1 -> [operand-0, result-0]} ]} ]>
    ```
  }];
  let parameters = (ins Sdy_Value<"::std::vector<::spmd::sdy::PropagationStep>">:$steps);
}

#endif // SPMD_DIALECT_SDY_ATTRIBUTES_TD
