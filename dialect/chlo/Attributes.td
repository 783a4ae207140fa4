// Attributes: enumerations that repeat StableHLO's under this dialect's name, dimension numbers.
#ifndef SPMD_DIALECT_CHLO_ATTRIBUTES
#define SPMD_DIALECT_CHLO_ATTRIBUTES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "spmd/dialect/chlo/Dialect.td"

// `#chlo<precision HIGH>`.
class Chlo_Enum<string name, string attrMnemonic, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, attrMnemonic, cases> {
  let cppNamespace = "::spmd::chlo";
  let genSpecializedAttr = 0;
}
class Chlo_EnumAttr<EnumAttrInfo enumInfo> : EnumAttr<Chlo_Dialect, enumInfo, enumInfo.summary>;

def Chlo_Precision : Chlo_Enum<"Precision", "precision", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>, I32EnumAttrCase<"HIGHEST", 2>]>;
def Chlo_PrecisionAttr : Chlo_EnumAttr<Chlo_Precision>;
def Chlo_PrecisionConfig : TypedArrayAttrBase<Chlo_PrecisionAttr, "array of #chlo<precision ...>">;

def Chlo_ComparisonDirection : Chlo_Enum<"ComparisonDirection", "comparison_direction", [
  I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>, I32EnumAttrCase<"GE", 2>,
  I32EnumAttrCase<"GT", 3>, I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def Chlo_ComparisonDirectionAttr : Chlo_EnumAttr<Chlo_ComparisonDirection>;

def Chlo_ComparisonType : Chlo_Enum<"ComparisonType", "comparison_type", [
  I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>, I32EnumAttrCase<"TOTALORDER", 2>,
  I32EnumAttrCase<"SIGNED", 3>, I32EnumAttrCase<"UNSIGNED", 4>]>;
def Chlo_ComparisonTypeAttr : Chlo_EnumAttr<Chlo_ComparisonType>;

def Chlo_RaggedDotDimensionNumbers : AttrDef<Chlo_Dialect, "RaggedDotDimensionNumbers"> {
  let mnemonic = "ragged_dot";
  let summary = "Batching, contracting, ragged and group dims of a ragged dot";
  let description = [{
    `<field = [dims], ...>` in any order; printed in the order declared, without empty lists.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$lhsBatchingDimensions,
    ArrayRefParameter<"int64_t">:$rhsBatchingDimensions,
    ArrayRefParameter<"int64_t">:$lhsContractingDimensions,
    ArrayRefParameter<"int64_t">:$rhsContractingDimensions,
    ArrayRefParameter<"int64_t">:$lhsRaggedDimensions,
    ArrayRefParameter<"int64_t">:$rhsGroupDimensions);
  let hasCustomAssemblyFormat = 1;
}

#endif
