// Where an op comes from: metadata, and the name of the instruction.

#include "spmd/dialect/export/hlo/Exporter.h"

#include "spmd/dialect/spmd/ProgramLocation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace spmd::export_hlo {

/// Names of instructions are words: `add.5`, `Arg_0`, `all-reduce.1`.
static bool isName(llvm::StringRef text) {
  return !text.empty() && (llvm::isAlpha(text.front()) || text.front() == '_') &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-'; });
}

/// Looks through what only groups locations; where a call was inlined, the callee counts. A place
/// in the text of the program is not where it comes from.
static mlir::Location innermost(mlir::Location location) {
  while (true) {
    if (isInProgram(location))
      return mlir::UnknownLoc::get(location.getContext());
    if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location))
      location = call.getCallee();
    else if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(location);
             fused && !fused.getLocations().empty())
      location = fused.getLocations().front();
    else
      return location;
  }
}

static std::string utf8(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

void writeLocation(mlir::Location location, LocationNotes &notes) {
  hlo::OpMetadata &metadata = notes.metadata;
  metadata.Clear();
  llvm::StringRef name;
  location = innermost(location);
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(location)) {
    name = named.getName();
    location = innermost(named.getChildLoc());
    if (auto inner = llvm::dyn_cast<mlir::NameLoc>(location))
      location = innermost(inner.getChildLoc());
  }
  if (auto file = llvm::dyn_cast<mlir::FileLineColLoc>(location)) {
    metadata.set_source_file(utf8(file.getFilename()));
    metadata.set_source_line(static_cast<int>(file.getLine()));
    metadata.set_source_column(static_cast<int>(file.getColumn()));
  }
  notes.wish = isName(name) ? name : "";
  if (notes.wish.empty())
    metadata.set_op_name(utf8(name));
  notes.hasMetadata = metadata.ByteSizeLong() > 0;
}

} // namespace spmd::export_hlo
