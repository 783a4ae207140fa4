// Sharding groups in copies of functions.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace spmd::sdy {

/// Keeps sharding groups apart where functions are copied. A group that has all its members in one
/// function ties them in each call; so it has a number of its own in each copy, or it would tie the
/// copies to each other. One of several functions ties what they are copied to, too.
class GroupCopies {
public:
  /// `module` is read when the first copy is separated, which may stand in it.
  explicit GroupCopies(mlir::ModuleOp module) : module(module) {}

  /// Renumbers groups of a copy of a function. Linear in the copy.
  void separate(mlir::func::FuncOp copy);

  /// Gives the groups of `others`, which are functions of no module that was read, numbers that no
  /// group of the module has. Linear in both.
  void renumber(mlir::ModuleOp others);

private:
  void readBut(mlir::func::FuncOp copy);
  uint64_t freshNumber();

  mlir::ModuleOp module;
  bool isRead = false;
  std::map<uint64_t, mlir::Operation *> functionOf; ///< By group; null if there are several.
  uint64_t next = 0;
};

} // namespace spmd::sdy
