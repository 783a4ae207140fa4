// The pass driver: MLIR's, with our dialects and passes, and our manners about files and exit
// codes.

#include "spmd/dialect/Register.h"
#include "spmd/dialect/import/Booleans.h"
#include "spmd/dialect/import/Load.h"
#include "spmd/dialect/import/LoadHlo.h"
#include "spmd/dialect/import/UnknownOps.h"
#include "spmd/passes/Passes.h"
#include "spmd/tools/Files.h"
#include "spmd/tools/OutOfMemory.h"
#include "spmd/tools/SourceLines.h"
#include "spmd/tools/Verifying.h"
#include "spmd/tools/spmd-opt/Doctoring.h"
#include "spmd/tools/spmd-opt/Explaining.h"

#include "mlir/Debug/CLOptionsSetup.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

namespace cl = llvm::cl;

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE"), cl::init("-"));
static cl::opt<std::string> outputFile("o", cl::desc("Write the result here"),
                                       cl::value_desc("file"), cl::init("-"));

static cl::opt<std::string>
    explainRequest("spmd-explain",
                   cl::desc("Print where shardings come from, instead of the program: value=NAME, "
                            "missing, format=text|json|picture, conflicts=classes|shardy, alone"),
                   cl::value_desc("words"));

static cl::opt<std::string>
    doctorRequest("spmd-doctor",
                  cl::desc("Print which known failure modes the program contains, instead of it: "
                           "format=text|json, plan=FILE"),
                  cl::value_desc("words"), cl::ValueOptional);

static void registerOptions(mlir::DialectRegistry &registry) {
  spmd::registerDialects(registry);
  spmd::registerPasses();
  mlir::registerTransformsPasses();
  mlir::MlirOptMainConfig::registerCLOptions(registry);
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "spmd-opt " SPMD_VERSION " (MLIR " LLVM_VERSION_STRING ")\n";
  });
}

/// The parser stops at the first op it does not know; names all of them.
static void nameUnknownOps(llvm::StringRef text, mlir::DialectRegistry &registry) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(text, inputFile, /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  spmd::reportUnknownOps(sourceMgr, sourceMgr.getMainFileID(), context, llvm::errs());
}

/// Returns the HLO in `text` as the driver reads programs: as MLIR, with its locations. Empty after
/// diagnostics.
static std::string hloAsMlir(llvm::StringRef text, mlir::DialectRegistry &registry) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sourceMgr;
  mlir::SourceMgrDiagnosticHandler handler(sourceMgr, &context, llvm::errs());
  mlir::OwningOpRef<mlir::ModuleOp> module = spmd::loadHlo(text, inputFile, context);
  std::string result;
  llvm::raw_string_ostream os(result);
  if (module)
    module->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  return result;
}

/// Shows what passes report as the other tools do. The driver makes a context and a handler of its
/// own; this one, made behind it, comes before it.
static void showShortLines(mlir::MlirOptMainConfig &config, llvm::MemoryBufferRef text) {
  struct Shown {
    Shown(llvm::MemoryBufferRef text, mlir::MLIRContext *context)
        : handler(
              (sourceMgr.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text), llvm::SMLoc()),
               sourceMgr),
              context, llvm::errs()) {}
    llvm::SourceMgr sourceMgr;
    spmd::SourceLinesHandler handler;
  };
  config.setPassPipelineSetupFn([driver = config, text](mlir::PassManager &manager) {
    // It must last as long as the context, of which it would take its leave.
    static const Shown *const shown = new Shown(text, manager.getContext());
    static_cast<void>(shown);
    return driver.setupPassPipeline(manager);
  });
}

/// Passes are verified one by one only where the command line says so.
static void verifySeldom(mlir::MlirOptMainConfig &config) {
  if (cl::getRegisteredOptions().lookup("verify-each")->getNumOccurrences() > 0)
    return;
  config.setPassPipelineSetupFn([driver = config](mlir::PassManager &manager) {
    if (mlir::failed(driver.setupPassPipeline(manager)))
      return mlir::failure();
    spmd::verifyAtEnd(manager);
    return mlir::success();
  });
}

namespace {
/// Reports ops that are not known, before any pass sees them.
struct RefuseUnknownOps : mlir::PassWrapper<RefuseUnknownOps, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RefuseUnknownOps)

  llvm::StringRef getName() const override { return "refuse-unknown-ops"; }
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (mlir::failed(spmd::checkKnown(getOperation()))) {
      reported = true;
      signalPassFailure();
    }
  }
  static inline bool reported = false;
};
} // namespace

/// Attributes of dialects that are not known may stay, but no ops.
static void keepUnknownAttributes(mlir::MlirOptMainConfig &config) {
  config.allowUnregisteredDialects(true);
  config.setPassPipelineSetupFn([driver = config](mlir::PassManager &manager) {
    manager.addPass(std::make_unique<RefuseUnknownOps>());
    return driver.setupPassPipeline(manager);
  });
}

int main(int argc, char **argv) {
  spmd::reportLostOutput();
  spmd::reportLostMemory();
  mlir::DialectRegistry registry;
  registerOptions(registry);
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "Reads a program, runs the passes given, prints the result.\n",
                                   &llvm::errs()))
    return 2;
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses()) // They need no input.
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(llvm::outs(), llvm::MemoryBuffer::getMemBuffer(""), registry, config));

  { // Options of passes are part of the command line, too.
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    mlir::PassManager manager(&context);
    if (mlir::failed(config.setupPassPipeline(manager)))
      return 2;
  }
  verifySeldom(config);
  bool takesUnknownOps = config.shouldAllowUnregisteredDialects();
  bool isDoctorAsked = doctorRequest.getNumOccurrences() > 0;
  if (isDoctorAsked || explainRequest.getNumOccurrences() > 0) {
    std::string told;
    int code = isDoctorAsked ? spmd::examineFile(inputFile, doctorRequest, registry, told)
                             : spmd::explainFile(inputFile, explainRequest, registry, config, told);
    if (code != 0 && outputFile != "-")
      return code; // What is not complete takes no file's place.
    return spmd::writeFile(outputFile, told, llvm::errs()) ? code : 1;
  }
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(inputFile);
  if (!buffer) {
    llvm::errs() << inputFile << ": error: cannot open the file: " << buffer.getError().message()
                 << "\n";
    return 1;
  }
  llvm::StringRef text = spmd::withoutMark((*buffer)->getBuffer());
  std::string imported;
  if (spmd::formatOf(text) != spmd::ProgramFormat::mlir) {
    imported = hloAsMlir(text, registry);
    if (imported.empty())
      return 1;
    text = imported;
  }
  if (std::string why = spmd::whyNotText(text); !why.empty()) {
    llvm::errs() << inputFile << ":" << why << "\n";
    return 1;
  }
  std::optional<std::string> packed = spmd::packBooleans(text);
  if (packed)
    text = *packed;
  std::string result;
  llvm::raw_string_ostream os(result);
  std::unique_ptr<llvm::MemoryBuffer> copy =
      llvm::MemoryBuffer::getMemBuffer(text, (*buffer)->getBufferIdentifier(),
                                       /*RequiresNullTerminator=*/false);
  if (!takesUnknownOps)
    keepUnknownAttributes(config);
  if (!config.shouldVerifyDiagnostics() && config.inputSplitMarker().empty())
    showShortLines(config, *copy);
  if (mlir::failed(mlir::MlirOptMain(os, std::move(copy), registry, config))) {
    if (!config.shouldVerifyDiagnostics() && !takesUnknownOps && !RefuseUnknownOps::reported)
      nameUnknownOps(text, registry);
    return 1;
  }
  return spmd::writeFile(outputFile, result, llvm::errs()) ? 0 : 1;
}
