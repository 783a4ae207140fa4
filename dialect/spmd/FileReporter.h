// Diagnostics at the lines of a file that is no program, such as a plan.
#pragma once

#include "spmd/ir/textproto/FileFinding.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <numeric>
#include <tuple>

namespace spmd {

/// Collects errors, and reports them in the order of the file's lines.
class FileReporter {
public:
  FileReporter(mlir::MLIRContext &context, std::string file)
      : context(context), file(std::move(file)) {}

  mlir::Location locationOf(FilePlace place) const {
    return mlir::FileLineColLoc::get(&context, file, std::max(place.line, 1),
                                     std::max(place.column, 1));
  }
  /// Returns an error to be written to; it stays until `report`.
  mlir::InFlightDiagnostic &error(FilePlace place) {
    return errors.emplace_back(place, mlir::emitError(locationOf(place))).second;
  }
  bool hasErrors() const { return !errors.empty(); }

  /// Reports all errors; fails if there are any.
  mlir::LogicalResult report() {
    std::vector<size_t> order(errors.size());
    std::iota(order.begin(), order.end(), 0);
    auto key = [&](size_t each) {
      const FilePlace &place = errors[each].first;
      return std::tuple(place.line, place.column, each);
    };
    llvm::sort(order, [&](size_t a, size_t b) { return key(a) < key(b); });
    for (size_t index : order)
      errors[index].second.report();
    return mlir::failure(hasErrors());
  }

private:
  mlir::MLIRContext &context;
  std::string file;
  std::deque<std::pair<FilePlace, mlir::InFlightDiagnostic>> errors;
};

} // namespace spmd
