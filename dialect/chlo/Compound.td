// Ops whose results depend on many elements: top_k, ragged_dot, scan.
#ifndef SPMD_DIALECT_CHLO_COMPOUND
#define SPMD_DIALECT_CHLO_COMPOUND

include "spmd/dialect/chlo/Attributes.td"

def Chlo_TopKOp : Chlo_Op<"top_k", [Pure]> {
  let summary = "The k largest elements along the last dim, descending, and where they stand";
  let arguments = (ins AnyElementTensor:$operand, I64Attr:$k,
                       DefaultValuedOptionalAttr<BoolAttr, "true">:$is_stable);
  let results = (outs AnyElementTensor:$values, IntTensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k (`,` `is_stable` `=` $is_stable^)? `)` attr-dict `:`
    type($operand) `->` `(` type($values) `,` type($indices) `)`
  }];
  let hasVerifier = 1;
}

def Chlo_RaggedDotOp : Chlo_Op<"ragged_dot", [Pure]> {
  let summary = "A dot whose rows of one dim fall into groups of given sizes";
  let description = [{
    The groups lie one behind the other along the ragged dim of lhs. What that dim is decides the mode:
    - free: group i of rows is multiplied with slice i of rhs along its group dim; rows behind the last
      group give zero. `[b,m,k], [g,b,k,n], [g] -> [b,m,n]`
    - contracting: each group has a product of its own. `[b,m,k], [b,k,n], [g] -> [g,b,m,n]`
    - batching: the plain product. `[b,m,k], [b,k,n], [g] -> [b,m,n]`

    `group_sizes` has rank 1, or in front the dims of lhs over which the sizes vary: those of the batching
    dims and of the dims in the ragged dim's list (free or contracting) that stand before the ragged dim.
  }];
  let arguments = (ins AnyElementTensor:$lhs, AnyElementTensor:$rhs, IntTensor:$group_sizes,
                       Chlo_RaggedDotDimensionNumbers:$ragged_dot_dimension_numbers,
                       OptionalAttr<Chlo_PrecisionConfig>:$precision_config);
  let results = (outs AnyElementTensor:$result);
  let hasVerifier = 1;
}

def Chlo_ScanOp : Chlo_Op<"scan", [RecursiveMemoryEffects, RecursivelySpeculatable,
                                   AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let summary = "Runs the body on each slice along a dim, with carries from one to the next";
  let description = [{
    The body takes one slice of each input (without `dimension`) and the carries, and returns one slice of
    each output and the new carries.
  }];
  let arguments = (ins Variadic<AnyElementTensor>:$inputs, Variadic<AnyElementTensor>:$inits,
                       I64Attr:$dimension, DefaultValuedOptionalAttr<BoolAttr, "false">:$is_reverse,
                       OptionalAttr<BoolAttr>:$is_associative, OptionalAttr<I64Attr>:$scan_dim_size);
  let regions = (region AnyRegion:$body);
  let results = (outs Variadic<AnyElementTensor>:$outputs, Variadic<AnyElementTensor>:$carries);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif
