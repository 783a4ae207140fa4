// A value with a dim changed, made of products whose weights are changed.
#pragma once

#include "spmd/passes/weights/Bytes.h"
#include "spmd/passes/weights/DimChange.h"

namespace spmd {

class Source {
public:
  Source(const DimChanger &changer, const Bytes &bytes) : changer(changer), bytes(bytes) {}

  /// Returns the bytes on a device of what has to be changed. Nothing if `value` comes from no
  /// product, or what is between cannot be made anew.
  std::optional<double> cost(mlir::Value value, int64_t dim);

  /// Returns `value` with dim `dim` changed, as `cost` found it possible.
  mlir::Value make(mlir::OpBuilder &builder, mlir::Value value, int64_t dim, bool isRoot = true);

private:
  /// Where the dim lies in what `value` is made of; nothing if the value itself is to be changed.
  std::optional<llvm::SmallVector<OperandDim>> stepFrom(mlir::Value value, int64_t dim,
                                                        bool isRoot) const;
  void add(mlir::Value value, int64_t dim, bool isRoot);
  void addChanged(mlir::Value value, int64_t dim);

  const DimChanger &changer;
  const Bytes &bytes;
  double total = 0;
  int numOps = 0;
  bool hasProduct = false, isPossible = true;
};

} // namespace spmd
