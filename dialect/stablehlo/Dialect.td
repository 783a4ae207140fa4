// The dialect, its types, and the type constraints and op classes that every family uses.
#ifndef SPMD_DIALECT_STABLEHLO_DIALECT
#define SPMD_DIALECT_STABLEHLO_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Stablehlo_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::spmd::stablehlo";
  let summary = "Tensor computations of machine learning programs";
  let description = [{
    The ops of the public StableHLO specification, in the same text as its own printer writes. Names,
    attributes and constraint labels (C1, C2, ...) are the specification's.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 0;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser, ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

//===- Types ---------------------------------------------------------------------------------------===//

class Stablehlo_Type<string name, string typeMnemonic> : TypeDef<Stablehlo_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Stablehlo_TokenType : Stablehlo_Type<"Token", "token"> {
  let summary = "Orders side effects";
}

def Stablehlo_FutureType : Stablehlo_Type<"Future", "future"> {
  let summary = "Results of an asynchronous op that has started";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` $types `>`";
  let genVerifyDecl = 1;
}

//===- Type constraints ----------------------------------------------------------------------------===//

// A ranked tensor whose element type has one of the kinds in `mask`, see ElementKind in Types.h.
class TensorOfKind<string mask, string what>
    : Type<CPred<"::spmd::stablehlo::isTensorOf($_self, " # mask # ")">, what,
           "::mlir::RankedTensorType">;
// The same of rank 0 (or a bounded rank known only later is not allowed).
class ScalarOfKind<string mask, string what>
    : Type<CPred<"::spmd::stablehlo::isScalarOf($_self, " # mask # ")">, what,
           "::mlir::RankedTensorType">;

def AnyElementTensor : TensorOfKind<"::spmd::stablehlo::AnyElement", "tensor">;
def QuantizableTensor : TensorOfKind<"::spmd::stablehlo::AnyOrPerAxis", "tensor, quantized along a dim or not">;
def PredTensor : TensorOfKind<"::spmd::stablehlo::Pred", "tensor of i1">;
def IntTensor : TensorOfKind<"::spmd::stablehlo::Int", "tensor of integer type">;
def PredOrIntTensor : TensorOfKind<"::spmd::stablehlo::Pred | ::spmd::stablehlo::Int", "tensor of boolean or integer type">;
def FloatTensor : TensorOfKind<"::spmd::stablehlo::Float", "tensor of floating-point type">;
def FloatOrQuantTensor : TensorOfKind<"::spmd::stablehlo::Float | ::spmd::stablehlo::Quantized", "tensor of floating-point or quantized type">;
def QuantizedTensor
    : TensorOfKind<"::spmd::stablehlo::Quantized | ::spmd::stablehlo::PerAxis", "tensor of quantized type">;
def FloatOrQuantizedTensor
    : TensorOfKind<"::spmd::stablehlo::Float | ::spmd::stablehlo::Quantized | ::spmd::stablehlo::PerAxis",
                   "tensor of floating-point or quantized type">;
def FloatOrComplexTensor
    : TensorOfKind<"::spmd::stablehlo::Float | ::spmd::stablehlo::Complex | ::spmd::stablehlo::Quantized", "tensor of floating-point, complex or quantized type">;
def IntFloatOrComplexTensor
    : TensorOfKind<"::spmd::stablehlo::Int | ::spmd::stablehlo::Float | ::spmd::stablehlo::Complex | ::spmd::stablehlo::Quantized", "tensor of integer, floating-point, complex or quantized type">;
def SignedFloatOrComplexTensor
    : TensorOfKind<"::spmd::stablehlo::Signed | ::spmd::stablehlo::Float | ::spmd::stablehlo::Complex | ::spmd::stablehlo::Quantized",
               "tensor of signed integer, floating-point, complex or quantized type">;
def ComplexTensor : TensorOfKind<"::spmd::stablehlo::Complex", "tensor of complex type">;
def F32OrF64Tensor : TensorOfKind<"::spmd::stablehlo::Float", "tensor of floating-point type">;
def AnyScalar : ScalarOfKind<"::spmd::stablehlo::AnyElement", "tensor of rank 0">;
def IndexScalar : Type<CPred<"::spmd::stablehlo::isIndexType($_self)">, "tensor<i32>">;
def ShapeVector : Type<CPred<"::spmd::stablehlo::isShapeVector($_self)">,
                       "tensor of rank 1 and integer or index type", "::mlir::RankedTensorType">;
def TokenValue : Type<CPred<"::llvm::isa<::spmd::stablehlo::TokenType>($_self)">, "token">;
def FutureValue : Type<CPred<"::llvm::isa<::spmd::stablehlo::FutureType>($_self)">, "future",
                       "::spmd::stablehlo::FutureType">;
def TupleValue : Type<CPred<"::llvm::isa<::mlir::TupleType>($_self)">, "tuple", "::mlir::TupleType">;
def TensorOrTokenValue
    : AnyTypeOf<[QuantizableTensor, TokenValue], "tensor or token">;
def PredScalar : ScalarOfKind<"::spmd::stablehlo::Pred", "tensor<i1>">;
def IntScalar : ScalarOfKind<"::spmd::stablehlo::Int", "tensor of rank 0 and integer type">;

def CallValue : Type<CPred<"::spmd::stablehlo::isCallValue($_self)">,
                     "tensor, token, tuple, future or buffer">;
def CarriedValue : Type<CPred<"::spmd::stablehlo::isCarriedValue($_self)">,
                        "tensor, token, tuple, future or memref">;

//===- Op classes ----------------------------------------------------------------------------------===//

class Stablehlo_Op<string mnemonic, list<Trait> traits = []>
    : Op<Stablehlo_Dialect, mnemonic, traits>;

class Stablehlo_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::spmd::stablehlo";
}

// Operands and results have one shape; element types are the op's business.
def Stablehlo_SameShape : Stablehlo_Trait<"SameShape">;
// Operands and results have one shape and one element type (quantization parameters aside).
def Stablehlo_SameType : Stablehlo_Trait<"SameType">;
// Runs on several devices at once: may be merged with an equal op or dropped with them on every
// device, but never moved to where only some of them run.
def Stablehlo_Collective : Stablehlo_Trait<"Collective">;

#endif
