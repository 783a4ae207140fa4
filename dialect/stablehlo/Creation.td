// Ops that make a tensor from nothing.
#ifndef SPMD_DIALECT_STABLEHLO_CREATION
#define SPMD_DIALECT_STABLEHLO_CREATION

include "spmd/dialect/stablehlo/Attributes.td"

def Stablehlo_ConstantOp
    : Stablehlo_Op<"constant", [ConstantLike, Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs QuantizableTensor:$output);
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value)>];
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Stablehlo_IotaOp : Stablehlo_Op<"iota", [Pure]> {
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs IntFloatOrComplexTensor:$output);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($output)";
  let hasVerifier = 1;
}

def Stablehlo_IdType : Type<CPred<"::spmd::stablehlo::isIdType($_self)">, "tensor<ui32>">;
class Stablehlo_IdOp<string mnemonic> : Stablehlo_Op<mnemonic, [Pure]> {
  let results = (outs Stablehlo_IdType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::RankedTensorType::get({}, $_builder.getIntegerType(32, false)));
  }]>];
}
def Stablehlo_PartitionIdOp : Stablehlo_IdOp<"partition_id">;
def Stablehlo_ReplicaIdOp : Stablehlo_IdOp<"replica_id">;

// Any numbers of a distribution: two runs differ, so that it is never merged nor computed twice.
def Stablehlo_RngOp : Stablehlo_Op<"rng"> {
  let arguments = (ins AnyElementTensor:$a, AnyElementTensor:$b, ShapeVector:$shape,
                       Stablehlo_RngDistributionAttr:$rng_distribution);
  let results = (outs AnyElementTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=` custom<EnumName>($rng_distribution) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Stablehlo_RngBitGeneratorOp : Stablehlo_Op<"rng_bit_generator", [Pure]> {
  let arguments = (ins Stablehlo_RngAlgorithmAttr:$rng_algorithm, AnyElementTensor:$initial_state);
  let results = (outs AnyElementTensor:$output_state, AnyElementTensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` custom<EnumName>($rng_algorithm) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif
