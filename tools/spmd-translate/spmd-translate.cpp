// Programs from one notation to another: StableHLO with shardings in `sdy`'s notation or GSPMD's,
// HLO as text or bytes.

#include "spmd/dialect/Register.h"
#include "spmd/dialect/export/hlo/ExportHlo.h"
#include "spmd/dialect/import/Load.h"
#include "spmd/dialect/import/LoadHlo.h"
#include "spmd/ir/hlo/Hlo.h"
#include "spmd/passes/Passes.h"
#include "spmd/tools/Files.h"
#include "spmd/tools/OutOfMemory.h"
#include "spmd/tools/SourceLines.h"
#include "spmd/tools/spmd-translate/OpTable.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

namespace cl = llvm::cl;

using namespace spmd;

namespace {

enum class Action {
  importHlo,
  importProto,
  importGspmd,
  exportHlo,
  exportProto,
  exportGspmd,
  opTable
};

cl::OptionCategory category("spmd-translate");
cl::opt<std::string> file(cl::Positional, cl::desc("FILE"), cl::init("-"), cl::cat(category));
cl::opt<std::string> outputFile("o", cl::desc("Write the result here"), cl::value_desc("file"),
                                cl::init("-"), cl::cat(category));
cl::opt<Action> action(
    cl::desc("What to make of the program:"), cl::cat(category),
    cl::values(clEnumValN(Action::importHlo, "import-hlo", "HLO text to StableHLO"),
               clEnumValN(Action::importProto, "import-hlo-proto", "HLO bytes to StableHLO"),
               clEnumValN(Action::importGspmd, "import-gspmd",
                          "StableHLO with GSPMD's shardings to StableHLO with sdy's"),
               clEnumValN(Action::exportHlo, "export-hlo", "any program to HLO text"),
               clEnumValN(Action::exportProto, "export-hlo-proto", "any program to HLO bytes"),
               clEnumValN(Action::exportGspmd, "export-gspmd",
                          "any program to StableHLO with GSPMD's shardings"),
               clEnumValN(Action::opTable, "op-table",
                          "a program with an example of each op to a table of their rules")));
cl::opt<ShardingForm> form("form", cl::desc("How shardings are exported"),
                           cl::init(ShardingForm::v2), shardingFormValues(), cl::cat(category));
cl::opt<bool> noMetadata("no-metadata",
                         cl::desc("Export no locations: neither files and lines nor names of ops"),
                         cl::cat(category));

bool isExport() {
  return action == Action::exportHlo || action == Action::exportProto ||
         action == Action::exportGspmd;
}

/// What the file of an import must hold.
ProgramFormat expectedFormat() {
  return action == Action::importHlo     ? ProgramFormat::hloText
         : action == Action::importProto ? ProgramFormat::hloProto
                                         : ProgramFormat::mlir;
}

llvm::StringRef nameOf(ProgramFormat format) {
  return format == ProgramFormat::hloText    ? "HLO text"
         : format == ProgramFormat::hloProto ? "an HLO proto"
                                             : "StableHLO";
}

/// Imports ask for one format; exports take any.
bool hasRightFormat() {
  if (isExport())
    return true;
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (file == "-" || !buffer) // Reported when it is read.
    return true;
  ProgramFormat format = formatOf((*buffer)->getBuffer());
  if (format == expectedFormat())
    return true;
  llvm::errs() << file << ": error: holds " << nameOf(format) << "; expected "
               << nameOf(expectedFormat()) << "\n";
  return false;
}

/// Brings the program to the form that is asked for.
bool convert(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  if (action != Action::exportGspmd) {
    LegalizeChloPassOptions options;
    options.keepHlo = true;
    manager.addPass(createLegalizeChloPass(options));
  }
  manager.addPass(createExportShardingsPass({form}));
  return mlir::succeeded(manager.run(module));
}

std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  os << "\n";
  return text;
}

std::optional<std::string> hloOf(mlir::ModuleOp module) {
  std::optional<hlo::StoredModule> stored =
      exportHlo(module, /*keepLeftOut=*/action == Action::exportHlo);
  if (!stored)
    return std::nullopt;
  hlo::HloModuleProto &proto = **stored;
  for (hlo::HloComputationProto &computation : *proto.mutable_computations())
    for (hlo::HloInstructionProto &instruction : *computation.mutable_instructions())
      if (noMetadata)
        instruction.clear_metadata();
  if (action == Action::exportHlo)
    return hlo::printHlo(proto);
  std::string bytes;
  if (proto.SerializeToString(&bytes))
    return bytes;
  llvm::errs() << file << ": error: the module takes more than 2 GB\n";
  return std::nullopt;
}

/// Returns the result, or nothing after diagnostics.
std::optional<std::string> translate() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sourceMgr;
  cutLongLines(sourceMgr, llvm::errs());
  mlir::OwningOpRef<mlir::ModuleOp> module = loadProgram(file, context, sourceMgr, llvm::errs());
  if (!module)
    return std::nullopt;
  SourceLinesHandler handler(sourceMgr, &context, llvm::errs());
  if (action == Action::opTable)
    return opTable(*module);
  if (isExport() && !convert(*module))
    return std::nullopt;
  bool isHlo = action == Action::exportHlo || action == Action::exportProto;
  return isHlo ? hloOf(*module) : printed(*module);
}

} // namespace

int main(int argc, char **argv) {
  reportLostOutput();
  reportLostMemory();
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "spmd-translate " SPMD_VERSION "\n"; });
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Translates a program between StableHLO and HLO, and shardings between notations.\n\n"
          "  spmd-translate model.mlir --export-hlo --form=v3 -o model.hlo.txt\n"
          "  spmd-translate model.hlo.pb --import-hlo-proto\n\n"
          "Exit code: 0 done, 1 the program is wrong or cannot be said so, 2 a wrong command "
          "line.\n",
          &llvm::errs()))
    return 2;
  if (action.getNumOccurrences() == 0) {
    llvm::errs() << "spmd-translate: say what to make of the program, for example --export-hlo; "
                    "--help lists all\n";
    return 2;
  }
  if (!hasRightFormat())
    return 1;
  std::optional<std::string> result = translate();
  return result && writeFile(outputFile, *result, llvm::errs()) ? 0 : 1;
}
