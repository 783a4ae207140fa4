// Which arguments that a style for parameters meets by a pattern are none.
#pragma once

#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/plan/ParameterUses.h"

namespace spmd {

/// Whether `own` is a pin that splits some dim.
bool isCut(ValueSharding own);

/// Tells, in a program that trains, arguments that it only reads from parameters that it keeps as
/// they are. To gather the former would cost more than they take.
class Parameters {
public:
  /// `uses` has one for each argument of `entry`; both are to outlive this.
  Parameters(mlir::func::FuncOp entry, llvm::ArrayRef<ParameterUse> uses);

  /// Returns why argument `index` is no parameter, as the end of a sentence that begins with "the
  /// program updates others but not this, and"; null if it may be one. It is none if it is not
  /// updated, and
  /// - holds indices, or
  /// - only scales or shifts what products make (tables of rotary embeddings, masks), but for what
  ///   a product of two trained weights is added to (LoRA's), or
  /// - is multiplied by a trained weight, in a program that cuts some argument itself, and so says
  ///   how its inputs lie.
  const char *whyNone(int64_t index) const;

private:
  bool isCutArgument(int64_t index) const;
  bool isTrained(int64_t index) const;
  bool meetsProductOfWeights(const ParameterUse &use) const;
  bool isInput(const ParameterUse &use) const;

  mlir::Block::BlockArgListType arguments;
  llvm::ArrayRef<ParameterUse> uses;
  bool trains = false, cutsSome = false;
};

} // namespace spmd
