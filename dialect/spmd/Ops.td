// The ops of `spmd`: buffers, access to them, and views.
#ifndef SPMD_DIALECT_SPMD_OPS_TD
#define SPMD_DIALECT_SPMD_OPS_TD

include "spmd/dialect/spmd/Dialect.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

class Spmd_Op<string mnemonic, list<Trait> traits = []> : Op<Spmd_Dialect, mnemonic, traits>;

//===- Buffers ---------------------------------------------------------------------------------------===//

def Spmd_AllocOp : Spmd_Op<"alloc"> {
  let summary = "Makes a buffer that holds zeros";
  let description = [{
    A sharding on it is that of the buffer.

    ```mlir
    %b = spmd.alloc : !spmd.buffer<tensor<8x4xf32>>
    ```
  }];
  let results = (outs Res<Spmd_BufferType, "the new buffer", [MemAlloc]>:$buffer);
  let assemblyFormat = "attr-dict `:` qualified(type($buffer))";
}

def Spmd_LoadOp : Spmd_Op<"load", [TypesMatchWith<"the result is what the buffer holds", "buffer", "result",
                                                  "::llvm::cast<::spmd::BufferType>($_self).getTensor()">]> {
  let summary = "Reads a buffer, or what a view shows of it";
  let description = [{
    A sharding on it pins the tensor that is read, not the buffer.

    ```mlir
    %t = spmd.load %b : !spmd.buffer<tensor<8x4xf32>>
    ```
  }];
  let arguments = (ins Arg<Spmd_BufferType, "what is read", [MemRead]>:$buffer);
  let results = (outs AnyRankedTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$buffer), [{
    build($_builder, $_state, ::llvm::cast<::spmd::BufferType>(buffer.getType()).getTensor(), buffer);
  }]>];
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer))";
}

def Spmd_StoreOp : Spmd_Op<"store", [TypesMatchWith<"the value is what the buffer holds", "buffer", "value",
                                                    "::llvm::cast<::spmd::BufferType>($_self).getTensor()">]> {
  let summary = "Replaces the contents of a buffer, or of the part that a view shows";
  let description = [{
    ```mlir
    spmd.store %t, %b : !spmd.buffer<tensor<8x4xf32>>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$value, Arg<Spmd_BufferType, "what is written", [MemWrite]>:$buffer);
  let assemblyFormat = "$value `,` $buffer attr-dict `:` qualified(type($buffer))";
}

//===- Views -----------------------------------------------------------------------------------------===//

class Spmd_ViewOp<string mnemonic> : Spmd_Op<mnemonic, [Pure, ViewLikeOpInterface]> {
  let results = (outs Spmd_BufferType:$result);
  let hasVerifier = 1;
  code viewSource = [{
    ::mlir::Value getViewSource() { return getBuffer(); }
    ::mlir::Value getViewDest() { return getResult(); }
  }];
  let extraClassDeclaration = viewSource;
}

def Spmd_SliceViewOp : Spmd_ViewOp<"slice_view"> {
  let summary = "Shows a part of a buffer, as `stablehlo.slice` takes one of a tensor";
  let description = [{
    A sharding on a view pins what is read and written through it.

    ```mlir
    %v = spmd.slice_view %b [0:4, 1:3:2] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4x1xf32>>
    ```
    Constraints:
    - (C1) one range for each dim;
    - (C2) 0 <= start <= limit <= size of the dim, and 0 < stride;
    - (C3) the result's sizes are ceil((limit - start) / stride), its element type is the operand's.
  }];
  let arguments = (ins Spmd_BufferType:$buffer, DenseI64ArrayAttr:$start_indices,
                       DenseI64ArrayAttr:$limit_indices, DenseI64ArrayAttr:$strides);
  let assemblyFormat = [{
    $buffer custom<SliceRanges>($start_indices, $limit_indices, $strides) attr-dict `:`
    functional-type(operands, results)
  }];
}

def Spmd_TransposeViewOp : Spmd_ViewOp<"transpose_view"> {
  let summary = "Shows a buffer with its dims in another order, as `stablehlo.transpose`";
  let description = [{
    ```mlir
    %v = spmd.transpose_view %b, dims = [1, 0] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4x8xf32>>
    ```
    Constraints:
    - (C1) `dims` is a permutation of the operand's dims;
    - (C2) dim i of the result is dim dims[i] of the operand, the element type is the operand's.
  }];
  let arguments = (ins Spmd_BufferType:$buffer, DenseI64ArrayAttr:$permutation);
  let assemblyFormat = "$buffer `,` `dims` `=` $permutation attr-dict `:` functional-type(operands, results)";
}

def Spmd_ReshapeViewOp : Spmd_ViewOp<"reshape_view"> {
  let summary = "Shows a buffer in another shape, as `stablehlo.reshape`";
  let description = [{
    ```mlir
    %v = spmd.reshape_view %b : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<2x16xf32>>
    ```
    Constraints:
    - (C1) both have equally many elements, of one type.
  }];
  let arguments = (ins Spmd_BufferType:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` functional-type(operands, results)";
}

#endif // SPMD_DIALECT_SPMD_OPS_TD
