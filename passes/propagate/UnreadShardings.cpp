#include "spmd/passes/propagate/UnreadShardings.h"

#include "spmd/dialect/spmd/ValueSharding.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

constexpr llvm::StringLiteral unreadAttrName = "mhlo.sharding";

void UnreadShardings::look(mlir::Operation *op) {
  auto func = llvm::dyn_cast<mlir::func::FuncOp>(op);
  if (!func)
    return add(op->getDiscardableAttrDictionary(), op->getLoc(),
               "'" + op->getName().getStringRef() + "' op");
  llvm::StringRef name = func.getSymName();
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    add(func.getArgAttrDict(i), func.isExternal() ? func.getLoc() : func.getArgument(i).getLoc(),
        "argument " + llvm::Twine(i) + " of @" + name);
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    add(func.getResultAttrDict(i), func.getLoc(), "result " + llvm::Twine(i) + " of @" + name);
}

void UnreadShardings::add(mlir::DictionaryAttr attributes, mlir::Location location,
                          const llvm::Twine &name) {
  if (!attributes || !attributes.contains(unreadAttrName) || attributes.contains(shardingAttrName))
    return;
  if (count++ < mostNamed)
    named.emplace_back(location, name.str());
}

void UnreadShardings::warn() const {
  if (count == 0)
    return;
  mlir::InFlightDiagnostic warning = mlir::emitWarning(named.front().first) << named.front().second;
  warning << " has a '" << unreadAttrName << "', which is not read";
  if (count > 1)
    warning << "; nor are those of " << count - 1 << " more values";
  warning << "; run --spmd-import-shardings first";
  for (const auto &[location, name] : llvm::drop_begin(named))
    warning.attachNote(location) << "also " << name;
}

} // namespace spmd
