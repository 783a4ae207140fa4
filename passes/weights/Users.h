// What is made of a value that is joined of pieces, made of the pieces: products of them, with
// weights changed, and joined results.
#pragma once

#include "spmd/passes/weights/Bytes.h"
#include "spmd/passes/weights/DimChange.h"

namespace spmd {

class Users {
public:
  /// The changes that make the pieces of the joined value: several cuts, or one dim as several.
  Users(llvm::ArrayRef<DimChanger> changers, const Bytes &bytes)
      : changers(changers), bytes(bytes) {}

  /// Returns the bytes on a device of the weights to be changed and of the results to be joined.
  /// Nothing if some user of `value` can only read it whole, or none is a product.
  std::optional<double> cost(mlir::Value value, int64_t dim);

  /// Makes all users of `value` of its `pieces`, as `cost` found it possible. Appends the ops that
  /// nothing reads any more to `unused`.
  void remake(mlir::Value value, int64_t dim, llvm::ArrayRef<mlir::Value> pieces,
              llvm::SmallVectorImpl<mlir::Operation *> &unused);

private:
  using Values = llvm::SmallVector<mlir::Value>;

  void add(mlir::Value value, int64_t dim);
  bool canChange(mlir::Value value, int64_t dim) const;
  /// Returns the sum of the products of all pieces, for the product that has `use` and sums over
  /// the dim.
  mlir::Value sum(mlir::OpBuilder &builder, mlir::OpOperand &use, int64_t dim, int64_t otherDim,
                  llvm::ArrayRef<mlir::Value> pieces) const;
  /// Returns the pieces as one, in place of `before`.
  mlir::Value join(mlir::OpBuilder &builder, mlir::Value before, int64_t dim,
                   llvm::ArrayRef<mlir::Value> pieces) const;

  llvm::ArrayRef<DimChanger> changers;
  const Bytes &bytes;
  double total = 0;
  int numOps = 0;
  bool hasProduct = false, isPossible = true;
};

} // namespace spmd
