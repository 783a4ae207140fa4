// The op of `spmd` that moves rows round, apart from those of buffers.
#ifndef SPMD_DIALECT_SPMD_ROTATE_TD
#define SPMD_DIALECT_SPMD_ROTATE_TD

include "spmd/dialect/spmd/Dialect.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Spmd_RotateOp : Op<Spmd_Dialect, "rotate", [Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "Moves the rows of a dim round";
  let description = [{
    Row i of dim `dim` of the result is row (i + `by`) mod n of the operand, where n is the size of the dim. A dim that
    is split moves by permutes alone. Made by `spmd-update-in-place`, and gone with `spmd-partition`.

    ```mlir
    %y = spmd.rotate %x by 2 along 0 : tensor<16x4xf32>
    ```
    Constraints:
    - (C1) `dim` is one of the operand's;
    - (C2) `by` is above 0 and below the size of the dim.
  }];
  let arguments = (ins AnyRankedTensor:$operand, I64Attr:$by, I64Attr:$dim);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand `by` $by `along` $dim attr-dict `:` type($operand)";
}

#endif // SPMD_DIALECT_SPMD_ROTATE_TD
