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

/// Returns `w1` where the text at `location` is `%w1`. The file may have changed or be gone; then
/// there is no name.
std::string ValueNames::inSource(mlir::Location location) {
  auto place = llvm::dyn_cast<mlir::FileLineColLoc>(location);
  if (!place || place.getLine() == 0 || place.getColumn() == 0)
    return "";
  std::optional<llvm::StringRef> line =
      files.lineAt(place.getFilename().getValue(), place.getLine());
  if (!line)
    return "";
  llvm::StringRef rest = *line;
  rest = rest.drop_front(std::min<size_t>(place.getColumn() - 1, rest.size()));
  if (!rest.consume_front("%"))
    return "";
  return rest
      .take_while([](char c) { return llvm::isAlnum(c) || llvm::StringRef("_.$-").contains(c); })
      .str();
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
