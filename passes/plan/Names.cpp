#include "spmd/passes/plan/Names.h"

#include "spmd/dialect/spmd/Donation.h"
#include "spmd/dialect/spmd/WrittenNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace spmd {

constexpr llvm::StringLiteral argumentInfoName = "jax.arg_info";
constexpr llvm::StringLiteral resultInfoName = "jax.result_info";

static void addString(mlir::Attribute attribute, std::vector<std::string> &names) {
  if (auto name = llvm::dyn_cast_if_present<mlir::StringAttr>(attribute))
    names.push_back(name.str());
}

std::vector<std::string> ValueNames::ofArgument(mlir::func::FuncOp func, unsigned index) {
  std::vector<std::string> names;
  mlir::Location location = withoutWrittenNames(func.getArgument(index).getLoc());
  if (std::string name = inSource(location); !name.empty())
    names.push_back(name);
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(location))
    names.push_back(named.getName().str());
  addString(func.getArgAttr(index, argumentInfoName), names);
  auto donated = func.getArgAttrOfType<mlir::IntegerAttr>(index, donationName);
  if (donated && !donated.getValue().isNegative() && donated.getValue().ult(func.getNumResults()))
    addString(func.getResultAttr(donated.getInt(), resultInfoName), names);
  names.push_back(llvm::utostr(index));
  names.push_back("arg" + llvm::utostr(index));
  return names;
}

std::vector<std::string> ValueNames::ofResult(mlir::func::FuncOp func, unsigned index) {
  std::vector<std::string> names;
  addString(func.getResultAttr(index, resultInfoName), names);
  names.push_back(llvm::utostr(index));
  return names;
}

/// Returns the line that `place` is in. The file may have changed or be gone; then there is none.
std::optional<llvm::StringRef> ValueNames::lineOf(mlir::FileLineColLoc place) {
  if (place.getLine() == 0 || place.getColumn() == 0)
    return std::nullopt;
  return files.lineAt(place.getFilename().getValue(), place.getLine());
}

static bool isOfName(char c) { return llvm::isAlnum(c) || llvm::StringRef("_.$-").contains(c); }

/// Returns `w1` where the text at `location` is `%w1`; empty if there is no name.
std::string ValueNames::inSource(mlir::Location location) {
  auto place = llvm::dyn_cast<mlir::FileLineColLoc>(location);
  std::optional<llvm::StringRef> line = place ? lineOf(place) : std::nullopt;
  if (!line)
    return "";
  llvm::StringRef rest = line->drop_front(std::min<size_t>(place.getColumn() - 1, line->size()));
  return rest.consume_front("%") ? rest.take_while(isOfName).str() : "";
}

/// Returns `3` where the text before `location`, an op's, is `%3 = ` or `%3:2 = `.
std::string ValueNames::beforeEquals(mlir::Location location) {
  auto place = llvm::dyn_cast<mlir::FileLineColLoc>(location);
  std::optional<llvm::StringRef> line = place ? lineOf(place) : std::nullopt;
  if (!line)
    return "";
  llvm::StringRef before = line->take_front(place.getColumn() - 1).rtrim();
  if (!before.consume_back("="))
    return "";
  before = before.rtrim();
  llvm::StringRef name = before.drop_front(std::min(before.rfind('%'), before.size()));
  name.consume_front("%");
  return name.take_while(isOfName).str();
}

/// Returns `12:8`, the place in the file that is read, which needs no name.
static void addPlace(mlir::Location location, std::vector<std::string> &names) {
  if (auto place = location->findInstanceOf<mlir::FileLineColLoc>())
    names.push_back(llvm::utostr(place.getLine()) + ":" + llvm::utostr(place.getColumn()));
}

std::vector<std::string> ValueNames::aliasesOfArgument(mlir::func::FuncOp func, unsigned index) {
  mlir::Location location = withoutWrittenNames(func.getArgument(index).getLoc());
  std::vector<std::string> names = namesOfLocation(location);
  addPlace(location, names);
  names.push_back("arg:" + llvm::utostr(index));
  if (std::string name = inSource(location); !name.empty())
    names.push_back("%" + name);
  return names;
}

std::vector<std::string> ValueNames::aliasesOfResult(unsigned index) {
  return {"result:" + llvm::utostr(index)};
}

std::vector<std::string> ValueNames::aliasesOfOp(mlir::Operation *op) {
  mlir::Location location = withoutWrittenNames(op->getLoc());
  std::vector<std::string> names;
  addPlace(location, names);
  for (const std::string &name : {inSource(location), beforeEquals(location)})
    if (!name.empty())
      names.push_back("%" + name);
  return names;
}

/// Whether `name` is `3` or `arg3`.
static bool isNumbered(llvm::StringRef name) {
  name.consume_front("arg");
  return !name.empty() && llvm::all_of(name, llvm::isDigit);
}

bool hasFrameworkNames(mlir::func::FuncOp func) {
  ValueNames names;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (!llvm::all_of(names.ofArgument(func, i), isNumbered))
      return true;
  return false;
}

std::vector<std::string> namesOfLocation(mlir::Location location) {
  constexpr size_t mostParts = 64; // Of a fused location or a chain of calls.
  std::vector<std::string> names;
  llvm::SmallVector<mlir::Location> parts = {location};
  for (size_t next = 0; next < parts.size() && next < mostParts; ++next) {
    if (auto named = llvm::dyn_cast<mlir::NameLoc>(parts[next])) {
      names.push_back(named.getName().str());
      parts.push_back(named.getChildLoc());
    } else if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(parts[next])) {
      llvm::append_range(parts, fused.getLocations());
    } else if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(parts[next])) {
      parts.push_back(call.getCallee());
      parts.push_back(call.getCaller());
    } else if (auto place = llvm::dyn_cast<mlir::FileLineColLoc>(parts[next])) {
      llvm::StringRef file = place.getFilename().getValue();
      std::string line = ":" + llvm::utostr(place.getLine());
      std::string column = line + ":" + llvm::utostr(place.getColumn());
      for (llvm::StringRef each : {file, llvm::sys::path::filename(file)}) {
        names.push_back(each.str() + line);
        names.push_back(each.str() + column);
      }
    }
  }
  return names;
}

} // namespace spmd
