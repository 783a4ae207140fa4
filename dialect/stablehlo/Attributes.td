// Attributes: dimension numbers, enumerations, device groups.
#ifndef SPMD_DIALECT_STABLEHLO_ATTRIBUTES
#define SPMD_DIALECT_STABLEHLO_ATTRIBUTES

include "spmd/dialect/stablehlo/Dialect.td"

//===- Enumerations --------------------------------------------------------------------------------===//

// `#stablehlo<precision HIGH>`; inside a pretty op form only `HIGH`.
class Stablehlo_Enum<string name, string attrMnemonic, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, attrMnemonic, cases> {
  let cppNamespace = "::spmd::stablehlo";
  let genSpecializedAttr = 0;
}
class Stablehlo_EnumAttr<EnumAttrInfo enumInfo> : EnumAttr<Stablehlo_Dialect, enumInfo, enumInfo.summary>;

def Stablehlo_Precision : Stablehlo_Enum<"Precision", "precision", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>, I32EnumAttrCase<"HIGHEST", 2>]>;
def Stablehlo_PrecisionAttr : Stablehlo_EnumAttr<Stablehlo_Precision>;
def Stablehlo_PrecisionConfig
    : TypedArrayAttrBase<Stablehlo_PrecisionAttr, "array of #stablehlo<precision ...>">;

def Stablehlo_ComparisonDirection : Stablehlo_Enum<"ComparisonDirection", "comparison_direction", [
  I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>, I32EnumAttrCase<"GE", 2>,
  I32EnumAttrCase<"GT", 3>, I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def Stablehlo_ComparisonDirectionAttr : Stablehlo_EnumAttr<Stablehlo_ComparisonDirection>;

def Stablehlo_ComparisonType : Stablehlo_Enum<"ComparisonType", "comparison_type", [
  I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>, I32EnumAttrCase<"TOTALORDER", 2>,
  I32EnumAttrCase<"SIGNED", 3>, I32EnumAttrCase<"UNSIGNED", 4>]>;
def Stablehlo_ComparisonTypeAttr : Stablehlo_EnumAttr<Stablehlo_ComparisonType>;

def Stablehlo_FftType : Stablehlo_Enum<"FftType", "fft_type", [
  I32EnumAttrCase<"FFT", 0>, I32EnumAttrCase<"IFFT", 1>, I32EnumAttrCase<"RFFT", 2>,
  I32EnumAttrCase<"IRFFT", 3>]>;
def Stablehlo_FftTypeAttr : Stablehlo_EnumAttr<Stablehlo_FftType>;

def Stablehlo_Transpose : Stablehlo_Enum<"Transpose", "transpose", [
  I32EnumAttrCase<"TRANSPOSE_INVALID", 0>, I32EnumAttrCase<"NO_TRANSPOSE", 1>,
  I32EnumAttrCase<"TRANSPOSE", 2>, I32EnumAttrCase<"ADJOINT", 3>]>;
def Stablehlo_TransposeAttr : Stablehlo_EnumAttr<Stablehlo_Transpose>;

def Stablehlo_RngDistribution : Stablehlo_Enum<"RngDistribution", "rng_distribution", [
  I32EnumAttrCase<"UNIFORM", 1>, I32EnumAttrCase<"NORMAL", 2>]>;
def Stablehlo_RngDistributionAttr : Stablehlo_EnumAttr<Stablehlo_RngDistribution>;

def Stablehlo_RngAlgorithm : Stablehlo_Enum<"RngAlgorithm", "rng_algorithm", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"THREE_FRY", 1>, I32EnumAttrCase<"PHILOX", 2>]>;
def Stablehlo_RngAlgorithmAttr : Stablehlo_EnumAttr<Stablehlo_RngAlgorithm>;

def Stablehlo_ResultAccuracyMode : Stablehlo_Enum<"ResultAccuracyMode", "result_accuracy_mode", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGHEST", 1>, I32EnumAttrCase<"TOLERANCE", 2>]>;
def Stablehlo_ResultAccuracyModeAttr : Stablehlo_EnumAttr<Stablehlo_ResultAccuracyMode> {
  let assemblyFormat = "`<` $value `>`";
}

// A plain i32, not an attribute of the dialect.
def Stablehlo_CustomCallApiVersion : I32EnumAttr<"CustomCallApiVersion", "custom call API version", [
  I32EnumAttrCase<"UNSPECIFIED", 0>, I32EnumAttrCase<"ORIGINAL", 1>,
  I32EnumAttrCase<"STATUS_RETURNING", 2>, I32EnumAttrCase<"STATUS_RETURNING_UNIFIED", 3>,
  I32EnumAttrCase<"TYPED_FFI", 4>]> {
  let cppNamespace = "::spmd::stablehlo";
}

//===- Dimension numbers ---------------------------------------------------------------------------===//

class Stablehlo_Attr<string name, string attrMnemonic> : AttrDef<Stablehlo_Dialect, name> {
  let mnemonic = attrMnemonic;
}
// Written as `<field = value, ...>` in any order, printed in the order declared; hand-written.
class Stablehlo_RecordAttr<string name, string attrMnemonic> : Stablehlo_Attr<name, attrMnemonic> {
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_DotDimensionNumbers : Stablehlo_RecordAttr<"DotDimensionNumbers", "dot"> {
  let summary = "Batching and contracting dims of a dot";
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$lhsBatchingDimensions,
    ArrayRefParameter<"int64_t">:$rhsBatchingDimensions,
    ArrayRefParameter<"int64_t">:$lhsContractingDimensions,
    ArrayRefParameter<"int64_t">:$rhsContractingDimensions);
}

def Stablehlo_GatherDimensionNumbers : Stablehlo_RecordAttr<"GatherDimensionNumbers", "gather"> {
  let summary = "Roles of the dims of a gather";
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$offsetDims,
    ArrayRefParameter<"int64_t">:$collapsedSliceDims,
    ArrayRefParameter<"int64_t">:$operandBatchingDims,
    ArrayRefParameter<"int64_t">:$startIndicesBatchingDims,
    ArrayRefParameter<"int64_t">:$startIndexMap,
    "int64_t":$indexVectorDim);
}

def Stablehlo_ScatterDimensionNumbers : Stablehlo_RecordAttr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "Roles of the dims of a scatter";
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$updateWindowDims,
    ArrayRefParameter<"int64_t">:$insertedWindowDims,
    ArrayRefParameter<"int64_t">:$inputBatchingDims,
    ArrayRefParameter<"int64_t">:$scatterIndicesBatchingDims,
    ArrayRefParameter<"int64_t">:$scatterDimsToOperandDims,
    "int64_t":$indexVectorDim);
}

def Stablehlo_ConvDimensionNumbers : Stablehlo_RecordAttr<"ConvDimensionNumbers", "conv"> {
  let summary = "Layout of the operands and the result of a convolution";
  let description = [{
    `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`: one entry a dim, digits count spatial dims. What cannot be
    written so (a dim with two roles, say) is written field by field after `raw`.
  }];
  let parameters = (ins
    "int64_t":$inputBatchDimension, "int64_t":$inputFeatureDimension,
    ArrayRefParameter<"int64_t">:$inputSpatialDimensions,
    "int64_t":$kernelInputFeatureDimension, "int64_t":$kernelOutputFeatureDimension,
    ArrayRefParameter<"int64_t">:$kernelSpatialDimensions,
    "int64_t":$outputBatchDimension, "int64_t":$outputFeatureDimension,
    ArrayRefParameter<"int64_t">:$outputSpatialDimensions);
}

def Stablehlo_DotAlgorithm : Stablehlo_Attr<"DotAlgorithm", "dot_algorithm"> {
  let summary = "How a dot computes inside";
  let parameters = (ins
    "::mlir::Type":$lhsPrecisionType, "::mlir::Type":$rhsPrecisionType,
    "::mlir::Type":$accumulationType, "int64_t":$lhsComponentCount, "int64_t":$rhsComponentCount,
    "int64_t":$numPrimitiveOperations, "bool":$allowImpreciseAccumulation);
  let assemblyFormat = [{
    `<` `lhs_precision_type` `=` $lhsPrecisionType `,` `rhs_precision_type` `=` $rhsPrecisionType `,`
        `accumulation_type` `=` $accumulationType `,` `lhs_component_count` `=` $lhsComponentCount `,`
        `rhs_component_count` `=` $rhsComponentCount `,`
        `num_primitive_operations` `=` $numPrimitiveOperations `,`
        `allow_imprecise_accumulation` `=` $allowImpreciseAccumulation `>`
  }];
  let genVerifyDecl = 1;
}

//===- Calls and accuracy --------------------------------------------------------------------------===//

def Stablehlo_ChannelHandle : Stablehlo_RecordAttr<"ChannelHandle", "channel_handle"> {
  let summary = "A channel: its number, and what it connects (1: devices)";
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
}

def Stablehlo_OutputOperandAlias : Stablehlo_RecordAttr<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "A result (or part of one) that shares its buffer with an operand";
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$outputTupleIndices, "int64_t":$operandIndex,
    ArrayRefParameter<"int64_t">:$operandTupleIndices);
}

def Stablehlo_ResultAccuracy : Stablehlo_RecordAttr<"ResultAccuracy", "result_accuracy"> {
  let summary = "How precise the result of a transcendental op has to be";
  let parameters = (ins
    APFloatParameter<"absolute tolerance">:$atol, APFloatParameter<"relative tolerance">:$rtol,
    "int64_t":$ulps, "::spmd::stablehlo::ResultAccuracyModeAttr":$mode);
  let constBuilderCall = "$0";
  let genVerifyDecl = 1;
}
def Stablehlo_DefaultResultAccuracy : DefaultValuedOptionalAttr<Stablehlo_ResultAccuracy,
    "::spmd::stablehlo::defaultResultAccuracy($_builder.getContext())">;

def Stablehlo_TypeExtensions
    : AttrDef<Stablehlo_Dialect, "TypeExtensions", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "bounds";
  let summary = "Upper bounds of the dynamic dims of a tensor type";
  let description = [{ `#stablehlo.bounds<4, ?>`: one entry a dim, `?` where there is no bound. }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$bounds);
  let hasCustomAssemblyFormat = 1;
}

//===- Device groups -------------------------------------------------------------------------------===//

def Stablehlo_MeshAxis : Stablehlo_Attr<"MeshAxis", "mesh_axis"> {
  let parameters = (ins "::mlir::StringAttr":$name, "int64_t":$size);
  let assemblyFormat = "`<` `name` `=` $name `,` `size` `=` $size `>`";
}

def Stablehlo_Mesh : Stablehlo_Attr<"Mesh", "mesh"> {
  let summary = "A mesh of devices, axes major first";
  let parameters = (ins ArrayRefParameter<"::spmd::stablehlo::MeshAxisAttr">:$axes,
                        OptionalParameter<"::mlir::DenseIntElementsAttr">:$deviceIds);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Stablehlo_SubAxisInfo : Stablehlo_Attr<"SubAxisInfo", "sub_axis_info"> {
  let summary = "The part `(preSize)size` of an axis";
  let parameters = (ins "int64_t":$preSize, "int64_t":$size);
  let assemblyFormat = "`(` $preSize `)` `` $size";
}

def Stablehlo_AxisRef : Stablehlo_Attr<"AxisRef", "axis_ref"> {
  let summary = "A mesh axis, or a part of one";
  let parameters = (ins "::mlir::StringAttr":$name,
                        OptionalParameter<"::spmd::stablehlo::SubAxisInfoAttr">:$subAxisInfo);
  let assemblyFormat = "`<` `name` `=` $name (`,` `sub_axis_info` `=` $subAxisInfo^)? `>`";
  let genVerifyDecl = 1;
}

def Stablehlo_ReplicaGroupMeshAxes : Stablehlo_Attr<"ReplicaGroupMeshAxes", "replica_group_mesh_axes"> {
  let summary = "Groups of devices that differ only along some mesh axes";
  let description = [{
    `mesh` is a symbol (`@mesh`) or a `#stablehlo.mesh`. Cut the mesh along all axes but `axes`; each piece
    is a group, its devices ordered by `axes`, major first.
  }];
  let parameters = (ins "::mlir::Attribute":$mesh, ArrayRefParameter<"::spmd::stablehlo::AxisRefAttr">:$axes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// Rows of device numbers (-1 pads short rows), or mesh axes.
def Stablehlo_ReplicaGroups
    : Attr<CPred<"::spmd::stablehlo::isReplicaGroups($_self)">,
           "2-D i64 tensor or #stablehlo.replica_group_mesh_axes"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

// A constant table of i64, as in `dense<[[0, 1]]> : tensor<1x2xi64>`.
def Stablehlo_I64Table
    : Attr<CPred<"::spmd::stablehlo::isI64Table($_self)">, "2-D i64 tensor"> {
  let storageType = "::mlir::DenseIntElementsAttr";
  let returnType = "::mlir::DenseIntElementsAttr";
  let convertFromStorage = "$_self";
}

#endif
