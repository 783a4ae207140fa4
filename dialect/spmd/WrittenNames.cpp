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

/// Returns the names of a value, with blanks between.
static llvm::StringRef namesText(mlir::Value value) {
  mlir::ArrayAttr names = namesIn(value.getLoc());
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  size_t index = result ? result.getResultNumber() : 0;
  // An op that replaces another may have other results.
  if (!names || index >= names.size() ||
      (result && names.size() != result.getOwner()->getNumResults()))
    return "";
  auto name = llvm::dyn_cast<mlir::StringAttr>(names[index]);
  return name ? name.getValue() : "";
}

std::string writtenName(mlir::Value value) { return namesText(value).split(' ').first.str(); }

std::vector<std::string> writtenNames(mlir::Value value) {
  llvm::SmallVector<llvm::StringRef> names;
  namesText(value).split(names, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return {names.begin(), names.end()};
}

constexpr size_t mostNames = 8; // What many computations see has a name in each.

/// Gives `value` all names of a text.
static void setNames(mlir::Value value, const std::string &all) {
  mlir::Location location = withoutWrittenNames(value.getLoc());
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return argument.setLoc(withWrittenNames(location, {all}));
  mlir::Operation *op = value.getDefiningOp();
  std::vector<std::string> names;
  for (mlir::OpResult result : op->getResults())
    names.push_back(result == value ? all : namesText(result).str());
  op->setLoc(withWrittenNames(location, names));
}

void addWrittenName(mlir::Value value, llvm::StringRef name) {
  llvm::StringRef known = namesText(value);
  if (known.split(' ').first.contains('#') && !name.contains('#') &&
      known.count(' ') + 1 < mostNames)
    return setNames(value, (name + " " + known).str());
  addOtherName(value, name);
}

void addOtherName(mlir::Value value, llvm::StringRef name) {
  llvm::StringRef known = namesText(value);
  if (known.count(' ') + 1 < mostNames)
    setNames(value, known.empty() ? name.str() : (known + " " + name).str());
}

void handNamesOn(mlir::Value gone, mlir::Value kept) {
  for (const std::string &name : writtenNames(gone))
    addOtherName(kept, name);
}

mlir::Location withNamesOf(mlir::Value value, mlir::Location location) {
  llvm::StringRef names = namesText(value);
  return names.empty() ? location : withWrittenNames(location, {names.str()});
}

} // namespace spmd
