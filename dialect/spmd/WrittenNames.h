// How the text of a program calls its values, kept in their locations.
//
// The parser drops SSA names. Where someone will ask for them (`spmd-opt --spmd-explain`), each
// location is fused with the names of what is made there, several with blanks between; passes hand
// locations on, and so the names. Nothing else prints or reads them.
#pragma once

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

#include <string>
#include <vector>

namespace spmd {

/// Returns `location` with the names of what is made there: of each result of an op, or of one
/// argument. Names begin with `%`; empty ones are unknown.
mlir::Location withWrittenNames(mlir::Location location, llvm::ArrayRef<std::string> names);

/// Gives `value` one name more: in front of one that counts (`%x#1`, `name` does not), else behind
/// those that it has. Renames no other result of its op.
void addWrittenName(mlir::Value value, llvm::StringRef name);

/// Gives `value` one name more, behind those that it has: one that not all places know.
void addOtherName(mlir::Value value, llvm::StringRef name);

/// Gives `kept`, which takes the place of `gone`, the names of that, too.
void handNamesOn(mlir::Value gone, mlir::Value kept);

/// Returns `location` with the names that `value` has.
mlir::Location withNamesOf(mlir::Value value, mlir::Location location);

/// Returns `location` as it was before.
mlir::Location withoutWrittenNames(mlir::Location location);

/// Returns "file:line:column", or as MLIR prints what is none.
std::string placeText(mlir::Location location);

/// Returns `%3`, or `%3#1` for a result of several; empty if that is not known.
std::string writtenName(mlir::Value value);

/// Returns all names of a value, the first as `writtenName`. HLO has several for what goes through
/// tuples.
std::vector<std::string> writtenNames(mlir::Value value);

} // namespace spmd
