#include "spmd/tools/spmd-run/Failures.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Regex.h"

namespace spmd {

bool reportAtOp(const absl::Status &status, mlir::MLIRContext &context) {
  llvm::StringRef message(status.message().data(), status.message().size());
  static const llvm::Regex opWithPlace("('[a-z_]+'( of @[^' ]+)?) at ([^:']+):([0-9]+):([0-9]+)");
  llvm::SmallVector<llvm::StringRef> parts;
  unsigned line = 0, column = 0;
  if (!opWithPlace.match(message, &parts) || parts[4].getAsInteger(10, line) ||
      parts[5].getAsInteger(10, column))
    return false;
  llvm::StringRef before(message.begin(), parts[0].begin() - message.begin());
  mlir::emitError(mlir::FileLineColLoc::get(&context, parts[3], line, column))
      << before << parts[1] << message.drop_front(before.size() + parts[0].size());
  return true;
}

} // namespace spmd
