#include "spmd/dialect/spmd/WrittenNames.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace spmd {

constexpr llvm::StringLiteral namesKey = "spmd.written_names";

/// The names that `location` is fused with; null if there are none.
static mlir::ArrayAttr namesIn(mlir::Location location) {
  auto fused = llvm::dyn_cast<mlir::FusedLoc>(location);
  auto metadata = fused ? llvm::dyn_cast_if_present<mlir::DictionaryAttr>(fused.getMetadata())
                        : mlir::DictionaryAttr();
  return metadata ? metadata.getAs<mlir::ArrayAttr>(namesKey) : nullptr;
}

mlir::Location withWrittenNames(mlir::Location location, llvm::ArrayRef<std::string> names) {
  mlir::MLIRContext *context = location.getContext();
  llvm::SmallVector<mlir::Attribute> texts;
  for (const std::string &name : names)
    texts.push_back(mlir::StringAttr::get(context, name));
  mlir::NamedAttribute entry(mlir::StringAttr::get(context, namesKey),
                             mlir::ArrayAttr::get(context, texts));
  return mlir::FusedLoc::get(context, {location}, mlir::DictionaryAttr::get(context, {entry}));
}

mlir::Location withoutWrittenNames(mlir::Location location) {
  return namesIn(location) ? llvm::cast<mlir::FusedLoc>(location).getLocations().front() : location;
}

std::string placeText(mlir::Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto place = location->findInstanceOf<mlir::FileLineColLoc>())
    os << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn();
  else
    os << withoutWrittenNames(location);
  return text;
}

std::string writtenName(mlir::Value value) {
  mlir::ArrayAttr names = namesIn(value.getLoc());
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  size_t index = result ? result.getResultNumber() : 0;
  // An op that replaces another may have other results.
  if (!names || index >= names.size() ||
      (result && names.size() != result.getOwner()->getNumResults()))
    return "";
  auto name = llvm::dyn_cast<mlir::StringAttr>(names[index]);
  return name ? name.str() : "";
}

} // namespace spmd
