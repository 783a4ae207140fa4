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

def Spmd_BroadcastViewOp : Spmd_ViewOp<"broadcast_view"> {
  let summary = "Shows a buffer with dims repeated, as `stablehlo.broadcast_in_dim`";
  let description = [{
    A view that shows an element more than once can be read, but not stored through.

    ```mlir
    %v = spmd.broadcast_view %b, dims = [1] : (!spmd.buffer<tensor<4xf32>>) -> !spmd.buffer<tensor<8x4xf32>>
    ```
    Constraints:
    - (C1) `dims` names a dim of the result for each of the operand's, each once;
    - (C2) a dim of the operand is as long as that of the result, or has size 1;
    - (C3) both have one element type.
  }];
  let arguments = (ins Spmd_BufferType:$buffer, DenseI64ArrayAttr:$broadcast_dimensions);
  let assemblyFormat = "$buffer `,` `dims` `=` $broadcast_dimensions attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = viewSource # [{
    /// Returns whether an element of the buffer is seen at several places.
    bool repeats();
  }];
}

def Spmd_BitcastViewOp : Spmd_ViewOp<"bitcast_view"> {
  let summary = "Shows the bits of a buffer as elements of another type, as `stablehlo.bitcast_convert`";
  let description = [{
    ```mlir
    %v = spmd.bitcast_view %b : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<8x4xi32>>
    ```
    Constraints:
    - (C1) elements of the same width: the shapes are equal; else the shape with the narrower elements has a
      further last dim, of as many as make up a wide one.
  }];
  let arguments = (ins Spmd_BufferType:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` functional-type(operands, results)";
}

def Spmd_DiagonalViewOp : Spmd_ViewOp<"diagonal_view"> {
  let summary = "Shows a diagonal of two dims of a buffer";
  let description = [{
    Element i of the last dim of the result has places i + max(0, -offset) and i + max(0, offset) in dims
    `dims[0]` and `dims[1]` of the operand.

    ```mlir
    %v = spmd.diagonal_view %b, dims = [0, 2], offset = 1
        : (!spmd.buffer<tensor<4x3x5xf32>>) -> !spmd.buffer<tensor<3x4xf32>>
    ```
    Constraints:
    - (C1) `dims` are two dims of the operand;
    - (C2) the result has the other dims in their order, then the diagonal, which has an element.
  }];
  let arguments = (ins Spmd_BufferType:$buffer, DenseI64ArrayAttr:$dims,
                       DefaultValuedAttr<I64Attr, "0">:$offset);
  let assemblyFormat = [{
    $buffer `,` `dims` `=` $dims (`,` `offset` `=` $offset^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Spmd_DynamicSliceViewOp : Spmd_ViewOp<"dynamic_slice_view"> {
  let summary = "Shows a part of a buffer at places that the program computes, as `stablehlo.dynamic_slice`";
  let description = [{
    A part that would reach over an edge is moved inside, for loads and stores alike.

    ```mlir
    %v = spmd.dynamic_slice_view %b, %i, %j, sizes = [2, 4]
        : (!spmd.buffer<tensor<8x4xf32>>, tensor<i32>, tensor<i32>) -> !spmd.buffer<tensor<2x4xf32>>
    ```
    Constraints:
    - (C1) one start for each dim: integers of rank 0 and one type;
    - (C2) `sizes` are the result's, and at most the operand's; both have one element type.
  }];
  let arguments = (ins Spmd_BufferType:$buffer, Variadic<0DTensorOf<[AnyInteger]>>:$start_indices,
                       DenseI64ArrayAttr:$slice_sizes);
  let assemblyFormat = [{
    $buffer `,` `` custom<OperandsWithCommas>($start_indices) `sizes` `=` $slice_sizes attr-dict `:`
    functional-type(operands, results)
  }];
}

def Spmd_IndexViewOp : Spmd_ViewOp<"index_view"> {
  let summary = "Shows the slices of a buffer that a tensor of indices names";
  let description = [{
    Dim `dim` of the operand gives way to the dims of `indices`. An index out of range shows the nearest
    slice, and what is stored there is dropped. Of what is stored to one slice through several indices, any
    may stay.

    ```mlir
    %v = spmd.index_view %b, %indices, dim = 0
        : (!spmd.buffer<tensor<8x4xf32>>, tensor<3xi32>) -> !spmd.buffer<tensor<3x4xf32>>
    ```
    Constraints:
    - (C1) `dim` is a dim of the operand, which is not empty;
    - (C2) the result has the dims of `indices` in its place, and the operand's element type.
  }];
  let arguments = (ins Spmd_BufferType:$buffer, RankedTensorOf<[AnyInteger]>:$indices, I64Attr:$dim);
  let assemblyFormat = "$buffer `,` $indices `,` `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
}

#endif // SPMD_DIALECT_SPMD_OPS_TD
