#include "spmd/dialect/import/LoadHlo.h"

#include "spmd/dialect/import/GlobalTypes.h"
#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/import/hlo/ImportHlo.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Notation.h"
#include "spmd/ir/hlo/Hlo.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

namespace spmd {

/// Skips spaces and comments.
static llvm::StringRef skipBlanks(llvm::StringRef text) {
  while (true) {
    text = text.ltrim();
    if (text.starts_with("//"))
      text = text.drop_until([](char c) { return c == '\n'; });
    else if (text.starts_with("/*"))
      text = text.drop_front(std::min(text.size(), text.find("*/", 2))).drop_front(2);
    else
      return text;
  }
}

/// All three messages that hold a module begin with their field 1, which has a length; MLIR that
/// begins with an empty line does so, too, but makes no message and has no zero bytes. A message
/// that is cut off has.
static bool isProto(llvm::StringRef contents) {
  return contents.starts_with("\n") &&
         (hlo::parseHloProto({contents.data(), contents.size()}).ok() ||
          contents.take_front(1 << 16).contains('\0'));
}

llvm::StringRef withoutMark(llvm::StringRef contents) {
  contents.consume_front("\xef\xbb\xbf");
  return contents;
}

ProgramFormat formatOf(llvm::StringRef contents) {
  contents = withoutMark(contents);
  if (contents.starts_with("ML\xefR"))
    return ProgramFormat::mlir;
  if (isProto(contents))
    return ProgramFormat::hloProto;
  llvm::StringRef text = skipBlanks(contents);
  bool isHlo = text.starts_with("HloModule") || text.starts_with("ENTRY ") ||
               (text.take_front(1 << 20).contains("\nENTRY ") && !text.starts_with("module"));
  return isHlo ? ProgramFormat::hloText : ProgramFormat::mlir;
}

static void addMeshOfPartitions(mlir::ModuleOp module) {
  auto count = module->getAttrOfType<mlir::IntegerAttr>("mhlo.num_partitions");
  if (!count || count.getInt() <= 1 || !module.getOps<sdy::MeshOp>().empty())
    return;
  absl::StatusOr<Mesh> mesh = Mesh::create({{"axis_0", count.getInt()}});
  if (!mesh.ok())
    return;
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(module.getBody());
  auto made = sdy::MeshOp::create(builder, module.getLoc(), "mesh",
                                  sdy::MeshAttr::get(module.getContext(), *std::move(mesh)));
  mlir::SymbolTable(module).insert(made, module.getBody()->begin());
}

/// Shardings on a mesh are for as many partitions, which HLO need not say.
static void addPartitionsOfMesh(mlir::ModuleOp module) {
  if (module->hasAttr("mhlo.num_partitions"))
    return;
  int64_t count = 1;
  for (auto mesh : module.getOps<sdy::MeshOp>())
    count = std::max(count, mesh.getMeshAttr().getMesh().numDevices());
  if (count > 1)
    module->setAttr("mhlo.num_partitions",
                    mlir::IntegerAttr::get(mlir::IntegerType::get(module.getContext(), 32), count));
}

/// Reports `status` at `path`; that of a text begins with its line and column.
static void report(const absl::Status &status, bool hasPlace, llvm::StringRef path,
                   mlir::MLIRContext &context) {
  std::string message(status.message());
  llvm::StringRef rest = message;
  unsigned line = 1, column = 1;
  if (hasPlace && !rest.consumeInteger(10, line) && rest.consume_front(":") &&
      !rest.consumeInteger(10, column) && rest.consume_front(":"))
    message = rest.trim().str();
  mlir::emitError(mlir::FileLineColLoc::get(&context, path, line, column)) << message;
}

mlir::OwningOpRef<mlir::ModuleOp> loadHlo(llvm::StringRef contents, llvm::StringRef path,
                                          mlir::MLIRContext &context, bool keepNames) {
  contents = withoutMark(contents);
  std::string_view view(contents.data(), contents.size());
  bool isText = formatOf(contents) == ProgramFormat::hloText;
  hlo::StoredModule read;
  hlo::TextPlaces places;
  absl::Status status =
      isText ? hlo::parseHloText(view, *read, &places) : hlo::parseHloProto(view, *read);
  if (status.ok())
    status = hlo::verify(*read, isText ? &places : nullptr);
  if (!status.ok()) {
    report(status, isText, path, context);
    return {};
  }
  mlir::OwningOpRef<mlir::ModuleOp> module =
      importHlo(*read, context, {path, isText ? &places : nullptr, keepNames});
  if (!module || mlir::failed(importShardings(*module)) || mlir::failed(importGlobalTypes(*module)))
    return {};
  // What attributes say in Shardy's notation need not fit the mesh.
  if (mlir::failed(mlir::verify(*module)))
    return {};
  addMeshOfPartitions(*module);
  addPartitionsOfMesh(*module);
  for (auto mesh : module->getOps<sdy::MeshOp>())
    setNotation(mesh, Notation::hlo);
  return module;
}

} // namespace spmd
