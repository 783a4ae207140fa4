// Functions that rules of a plan name, brought into the program from files of their own.
//
//     rule { target: "attend" rule: ".." reference: "attention" reference_file: "attention.mlir" }
#pragma once

#include "spmd/dialect/spmd/FileReporter.h"
#include "spmd/ir/plan/Plan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace spmd {

class ReferenceFiles {
public:
  ReferenceFiles(mlir::ModuleOp program, const ProgramPlan &plan, FileReporter &reporter)
      : program(program), plan(plan), reporter(reporter) {}

  /// Brings function `name` of the reference file of `rule`, and all that it calls, into the module
  /// @spmd.references of the program. Returns its name there, which is another one if the program
  /// has that name; empty after an error at the rule. Reads each file once.
  std::string bring(const PlanRule &rule, llvm::StringRef name);

private:
  /// A file, and what its functions are called in the program; no module if it was wrong.
  struct File {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    llvm::StringMap<std::string> names = {};
  };

  File read(const PlanRule &rule, llvm::StringRef path);
  void rename(File &file, const PlanRule &rule);

  mlir::ModuleOp program;
  const ProgramPlan &plan;
  FileReporter &reporter;
  llvm::StringMap<File> files; ///< By path.
};

} // namespace spmd
