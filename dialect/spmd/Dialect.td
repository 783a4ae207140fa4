// The dialect record of `spmd`, and its type.
#ifndef SPMD_DIALECT_SPMD_DIALECT_TD
#define SPMD_DIALECT_SPMD_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/DialectBase.td"

def Spmd_Dialect : Dialect {
  let name = "spmd";
  let summary = "What neither StableHLO nor Shardy has: mutable buffers and views of them";
  let description = [{
    Programs that update tensors in place hold them in *buffers*. A view is another way to address the
    elements of a buffer: what is stored through it is seen by every later load of the buffer and of its
    other views.

    Discardable attributes, checked wherever they occur:
    - `spmd.inferred` beside `sdy.sharding`: nobody wrote this sharding, propagation found it. A unit; on an
      op also an array of the results that it concerns;
    - `spmd.missing_sharding` on an op or argument: propagation found no sharding for it. A unit; on an op
      also an array of the results that it concerns;
    - `spmd.sharding_hint` on an op, an `#sdy.sharding_per_value` of its results: what an earlier pass or a
      tracer left behind. Nobody asked for it; propagation takes it where nothing else decides;
    - `spmd.manual_axes` on a function, an array of names: propagation found it called where these axes are
      manual, and its values are each device's own along them;
    - `spmd.rule` on a custom call, a dictionary: how it splits. `dims` is a rule in Shardy's notation, `along`,
      `even`, `local`, `only_if`, `unless`, `offset`, `backward` and `writes` say what depends on the part, as the
      fields of a rule in a plan;
    - `spmd.reference` on an op that a user has a rule of: the name of a function of what it computes, by which
      `--spmd-check-rules` judges the rule, and which `spmd-run` runs in its place;
    - `spmd.writes` on a custom call, an array of numbers in ascending order: the buffers among its operands that it
      writes. It may read all of them;
    - `spmd.global_type` on an argument or result: its tensor type before partitioning;
    - `spmd.memory` on a buffer argument: a dictionary that says in which memory (`name`, a string, and `shape`)
      it lies and what part of it it is (`start_indices`, `limit_indices`, `strides`, as for `slice_view`; its own
      shape may be another one of as many elements). Arguments that name one memory share it;
    - `spmd.not_donated` on a buffer argument, a unit: no result takes over its memory, which the program leaves
      as it is.
  }];
  let cppNamespace = "::spmd";
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

def Spmd_BufferType : TypeDef<Spmd_Dialect, "Buffer", [ShapedTypeInterface]> {
  let mnemonic = "buffer";
  let summary = "mutable memory that holds one tensor"; // Also what messages call it.
  let description = [{
    ```mlir
    !spmd.buffer<tensor<8x4xf32>>
    ```
    Two buffer arguments of a function are different memory, unless both name one (`spmd.memory`).
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` $tensor `>`";
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$tensor), [{
    return $_get(tensor.getContext(), tensor);
  }]>];
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<int64_t> getShape() const { return getTensor().getShape(); }
    bool hasRank() const { return true; }
    ::mlir::Type getElementType() const { return getTensor().getElementType(); }
    BufferType cloneWith(::std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const {
      return get(::llvm::cast<::mlir::RankedTensorType>(getTensor().cloneWith(shape, elementType)));
    }
  }];
}

#endif // SPMD_DIALECT_SPMD_DIALECT_TD
