#include "spmd/dialect/import/LoadHlo.h"

#include "spmd/dialect/import/Shardings.h"
#include "spmd/dialect/import/hlo/ImportHlo.h"
#include "spmd/dialect/sdy/Dialect.h"

#include "mlir/IR/Diagnostics.h"

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

/// Reads a module, or one in an HloProto or HloSnapshot; a module has computations.
static std::optional<hlo::HloModuleProto> protoIn(llvm::StringRef contents) {
  hlo::HloModuleProto module;
  hlo::HloProto proto;
  hlo::HloSnapshot snapshot;
  if (module.ParseFromArray(contents.data(), contents.size()) && module.computations_size() > 0)
    return module;
  if (proto.ParseFromArray(contents.data(), contents.size()) &&
      proto.hlo_module().computations_size() > 0)
    return proto.hlo_module();
  if (snapshot.ParseFromArray(contents.data(), contents.size()) &&
      snapshot.hlo().hlo_module().computations_size() > 0)
    return snapshot.hlo().hlo_module();
  return std::nullopt;
}

ProgramFormat formatOf(llvm::StringRef contents) {
  if (contents.starts_with("ML\xefR"))
    return ProgramFormat::mlir;
  // All three messages begin with their field 1, a length-delimited one.
  if (contents.starts_with("\n") && contents.size() < (size_t{1} << 31) && protoIn(contents))
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

mlir::OwningOpRef<mlir::ModuleOp> loadHlo(llvm::StringRef contents, llvm::StringRef path,
                                          mlir::MLIRContext &context) {
  mlir::Location location = mlir::FileLineColLoc::get(&context, path, 1, 1);
  if (formatOf(contents) != ProgramFormat::hloProto) {
    mlir::emitError(location) << "HLO text is not read yet; expected an HloModuleProto";
    return {};
  }
  mlir::OwningOpRef<mlir::ModuleOp> module = importHlo(*protoIn(contents), context);
  if (!module || mlir::failed(importShardings(*module)))
    return {};
  addMeshOfPartitions(*module);
  return module;
}

} // namespace spmd
