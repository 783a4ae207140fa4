#include "spmd/passes/plan/ReferenceFiles.h"

#include "spmd/dialect/import/Load.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Callers.h"
#include "spmd/passes/refine/References.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace spmd {

using mlir::func::FuncOp;

/// Returns the path of the reference file of `rule`: as it is written, or beside the plan.
static std::string pathOf(const PlanRule &rule, llvm::StringRef plan) {
  if (llvm::sys::path::is_absolute(rule.referenceFile))
    return rule.referenceFile;
  llvm::SmallString<128> path(llvm::sys::path::parent_path(plan));
  llvm::sys::path::append(path, rule.referenceFile);
  return path.str().str();
}

/// Removes how the values of `module` are sharded: a reference runs on one device's operands.
static void dropShardings(mlir::ModuleOp module) {
  module.walk([](mlir::Operation *op) {
    op->removeAttr(sdy::shardingName);
    if (auto func = llvm::dyn_cast<FuncOp>(op)) {
      func.removeArgAttrsAttr();
      func.removeResAttrsAttr();
    } else if (llvm::isa<sdy::ShardingConstraintOp, sdy::ReshardOp, sdy::PropagationBarrierOp>(
                   op)) {
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
    } else if (llvm::isa<sdy::ShardingGroupOp>(op)) {
      op->erase();
    }
  });
}

ReferenceFiles::File ReferenceFiles::read(const PlanRule &rule, llvm::StringRef path) {
  std::string text;
  llvm::raw_string_ostream errors(text);
  llvm::SourceMgr sourceMgr;
  std::vector<mlir::Diagnostic> found;
  auto keep = [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      found.push_back(std::move(diagnostic));
    return mlir::success();
  };
  File file{loadProgram(path, *program.getContext(), sourceMgr, errors, /*keepNames=*/false, keep)};
  if (file.module) {
    dropShardings(*file.module);
    rename(file, rule);
    return file;
  }
  mlir::InFlightDiagnostic &error = reporter.error(rule.place);
  error << "reference file '" << path << "' of '" << rule.target << "' cannot be read";
  llvm::StringRef why = llvm::StringRef(text).trim();
  constexpr llvm::StringLiteral severity = "error: ";
  if (size_t at = why.find(severity); at != llvm::StringRef::npos)
    error << ": " << why.drop_front(at + severity.size());
  for (mlir::Diagnostic &diagnostic : found)
    error.attachNote(diagnostic.getLocation()) << diagnostic.str();
  return {};
}

/// Gives the functions of a file names that the program does not have.
void ReferenceFiles::rename(File &file, const PlanRule &rule) {
  mlir::SymbolTable symbols(*file.module);
  for (auto func : llvm::to_vector(file.module->getOps<FuncOp>())) {
    std::string name = func.getSymName().str(), unique = name;
    for (int i = 0; functionNamed(program, unique); ++i)
      unique = rule.target + "." + name + (i == 0 ? "" : "." + std::to_string(i));
    file.names[name] = unique;
    if (unique != name && mlir::failed(symbols.rename(func, unique)))
      file.names.erase(name); // Another function of the file has that name.
  }
}

std::string ReferenceFiles::bring(const PlanRule &rule, llvm::StringRef name) {
  std::string path = pathOf(rule, plan.file);
  auto known = files.find(path);
  if (known == files.end())
    known = files.try_emplace(path, read(rule, path)).first;
  File &file = known->second;
  if (!file.module)
    return "";
  auto found = file.names.find(name);
  FuncOp wanted = found == file.names.end() ? FuncOp() : functionNamed(program, found->second);
  if (!wanted && found != file.names.end())
    wanted = file.module->lookupSymbol<FuncOp>(found->second);
  if (!wanted || wanted.isExternal()) {
    reporter.error(rule.place) << "reference file '" << path << "' of '" << rule.target
                               << "' has no function '" << name << "' with a body; it has "
                               << llvm::join(llvm::to_vector(file.names.keys()), ", ");
    return "";
  }
  // All of them: who calls whom is found out where references are dropped that nobody needs.
  mlir::ModuleOp references = makeReferencesModule(program);
  for (auto func : llvm::to_vector(file.module->getOps<FuncOp>())) {
    func.setPrivate();
    func->moveBefore(references.getBody(), references.getBody()->end());
  }
  return found->second;
}

} // namespace spmd
