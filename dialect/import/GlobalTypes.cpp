#include "spmd/dialect/import/GlobalTypes.h"

#include "spmd/dialect/import/hlo/ParseQuietly.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/spmd/ModulePlace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

static constexpr llvm::StringLiteral frontendName = "mhlo.frontend_attributes";

/// Takes the text called `name` out of `dictionary`, which becomes null if nothing is left.
static mlir::StringAttr take(mlir::DictionaryAttr &dictionary, llvm::StringRef name) {
  mlir::NamedAttrList entries(dictionary);
  auto text = llvm::dyn_cast_if_present<mlir::StringAttr>(entries.erase(name));
  if (text)
    dictionary =
        entries.empty() ? mlir::DictionaryAttr() : entries.getDictionary(text.getContext());
  return text;
}

/// Returns the type that `attribute` is, if a local value of type `local` can be a part of it.
static mlir::TypeAttr fitting(mlir::Attribute attribute, mlir::Type local) {
  auto type = llvm::dyn_cast_if_present<mlir::TypeAttr>(attribute);
  auto whole =
      type ? llvm::dyn_cast<mlir::RankedTensorType>(type.getValue()) : mlir::RankedTensorType();
  auto part = llvm::dyn_cast<mlir::RankedTensorType>(local);
  bool fits = whole && part && whole.hasStaticShape() && whole.getRank() == part.getRank() &&
              whole.getElementType() == part.getElementType();
  return fits ? type : mlir::TypeAttr();
}

mlir::LogicalResult importGlobalTypes(mlir::ModuleOp module) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main)
    return mlir::success();
  mlir::MLIRContext &context = *module.getContext();
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto frontend = main.getArgAttrOfType<mlir::DictionaryAttr>(i, frontendName);
    mlir::StringAttr text = frontend ? take(frontend, globalTypeAttrName) : mlir::StringAttr();
    if (!text)
      continue;
    mlir::TypeAttr type =
        fitting(parseQuietly(text.getValue(), context), main.getArgumentTypes()[i]);
    if (!type)
      return main.emitError() << "argument " << i << " has '" << globalTypeAttrName << "' "
                              << text.getValue() << ", which is no type that it can be a part of";
    main.setArgAttr(i, globalTypeAttrName, type);
    if (frontend)
      main.setArgAttr(i, frontendName, frontend);
    else
      main.removeArgAttr(i, frontendName);
  }
  auto frontend = module->getAttrOfType<mlir::DictionaryAttr>(frontendName);
  mlir::StringAttr text = frontend ? take(frontend, "spmd.result_types") : mlir::StringAttr();
  if (!text)
    return mlir::success();
  auto types = llvm::dyn_cast_if_present<mlir::ArrayAttr>(parseQuietly(text.getValue(), context));
  bool fits = types && types.size() == main.getNumResults();
  for (unsigned i = 0; fits && i < main.getNumResults(); ++i) {
    mlir::TypeAttr type = fitting(types[i], main.getResultTypes()[i]);
    fits = static_cast<bool>(type);
    if (fits)
      main.setResultAttr(i, globalTypeAttrName, type);
  }
  if (!fits)
    return mlir::emitError(placeOf(module))
           << "'spmd.result_types' " << text.getValue()
           << " is no list of types that the results can be parts of";
  if (frontend)
    module->setAttr(frontendName, frontend);
  else
    module->removeAttr(frontendName);
  return mlir::success();
}

} // namespace spmd
