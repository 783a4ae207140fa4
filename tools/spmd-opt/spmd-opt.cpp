// The pass driver: MLIR's, with our dialects and passes, and our manners about files and exit
// codes.

#include "spmd/dialect/Register.h"
#include "spmd/dialect/import/Booleans.h"
#include "spmd/dialect/import/Bytecode.h"
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
#include "mlir/IR/BuiltinOps.h"
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

static cl::opt<std::string> explainRequest(
    "spmd-explain",
    cl::desc("Print where shardings come from, instead of the program: value=NAME, "
             "missing, format=text|json|picture, conflicts=classes|shardy, plan=FILE, alone"),
    cl::value_desc("words"));

static cl::opt<std::string>
    doctorRequest("spmd-doctor",
                  cl::desc("Print which known failure modes the program contains, instead of it: "
                           "format=text|json, plan=FILE"),
                  cl::value_desc("words"), cl::ValueOptional);

static cl::opt<bool> verbose("verbose", cl::desc(spmd::verboseText));

/// Gives `--verbose` to the passes of the command line that have the option of that name.
static std::vector<std::string> withVerbosePasses(llvm::ArrayRef<const char *> arguments) {
  std::vector<std::string> made(arguments.begin(), arguments.end());
  auto isVerbose = [](llvm::StringRef word) { return word == "--verbose" || word == "-verbose"; };
  if (llvm::none_of(made, isVerbose))
    return made;
  for (std::string &word : made) {
    auto [flag, options] = llvm::StringRef(word).split('=');
    flag = flag.ltrim('-');
    if (flag == "spmd-propagate" || flag == "spmd-expand-composites" || flag == "spmd-pipeline")
      word += (options.empty() ? "=verbose=true" : " verbose=true");
  }
  return made;
}

/// Takes out options of MLIR's driver that these tools do not serve. A plugin needs MLIR's symbols,
/// and the tools link MLIR from archives and export none; a driver of one's own links both
/// (README.md, "As a library").
static void removePluginOptions() {
  for (const char *name : {"load-pass-plugin", "load-dialect-plugin"})
    if (cl::Option *option = cl::getRegisteredOptions().lookup(name))
      option->removeArgument();
}

static void registerOptions(mlir::DialectRegistry &registry) {
  spmd::registerDialects(registry);
  spmd::registerPasses();
  mlir::registerTransformsPasses();
  mlir::MlirOptMainConfig::registerCLOptions(registry);
  removePluginOptions();
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

/// Returns why the driver cannot read `text` (`1:1: error: ..`); nothing if it may.
static std::string whyNotRead(llvm::StringRef text, mlir::DialectRegistry &registry,
                              const mlir::MlirOptMainConfig &config) {
  std::string why = spmd::whyNotText(text);
  if (why.empty() && spmd::isBytecode(text)) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
    spmd::parseBytecode({text, inputFile}, context, why);
  }
  return why;
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

/// Attributes of dialects that are not known may stay, but no ops: they are refused before any pass
/// sees them. Sets `isParsed` once the program is read.
static void keepUnknownAttributes(mlir::MlirOptMainConfig &config, bool &isParsed) {
  config.allowUnregisteredDialects(true);
  config.setPassPipelineSetupFn([driver = config, &isParsed](mlir::PassManager &manager) {
    isParsed = true;
    manager.addPass(spmd::createCheckKnownPass());
    return driver.setupPassPipeline(manager);
  });
}

/// Options of passes are part of the command line, so they are checked before the program is read.
/// Where it is asked to, the pipeline is printed here, as it was given; the driver prints none,
/// since it has one more pass.
static bool arePassesRight(const mlir::MlirOptMainConfig &config) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::PassManager manager(&context, mlir::ModuleOp::getOperationName(),
                            mlir::PassManager::Nesting::Implicit);
  bool areRight = mlir::succeeded(config.setupPassPipeline(manager));
  if (cl::Option *dump = cl::getRegisteredOptions().lookup("dump-pass-pipeline"))
    dump->reset();
  return areRight;
}

int main(int argc, char **argv) {
  spmd::reportLostOutput();
  spmd::reportLostMemory();
  mlir::DialectRegistry registry;
  registerOptions(registry);
  std::vector<std::string> words = withVerbosePasses(llvm::ArrayRef(argv, argc));
  std::vector<const char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(word.c_str());
  if (!cl::ParseCommandLineOptions(static_cast<int>(pointers.size()), pointers.data(),
                                   "Reads a program, runs the passes given, prints the result.\n",
                                   &llvm::errs()))
    return 2;
  spmd::reportLostMemoryAt(inputFile);
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses()) // They need no input.
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(llvm::outs(), llvm::MemoryBuffer::getMemBuffer(""), registry, config));

  if (!arePassesRight(config))
    return 2;
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
  if (std::string why = whyNotRead(text, registry, config); !why.empty()) {
    llvm::errs() << inputFile << ":" << why << "\n";
    return 1;
  }
  bool isBytecode = spmd::isBytecode(text);
  std::optional<std::string> packed;
  if (!isBytecode)
    packed = spmd::packBooleans(text);
  if (packed)
    text = *packed;
  std::string result;
  llvm::raw_string_ostream os(result);
  std::unique_ptr<llvm::MemoryBuffer> copy =
      llvm::MemoryBuffer::getMemBuffer(text, (*buffer)->getBufferIdentifier(),
                                       /*RequiresNullTerminator=*/false);
  bool isParsed = false;
  if (!takesUnknownOps)
    keepUnknownAttributes(config, isParsed);
  if (!config.shouldVerifyDiagnostics() && config.inputSplitMarker().empty())
    showShortLines(config, *copy);
  if (mlir::failed(mlir::MlirOptMain(os, std::move(copy), registry, config))) {
    if (!isBytecode && !isParsed && !config.shouldVerifyDiagnostics() && !takesUnknownOps)
      nameUnknownOps(text, registry);
    return 1;
  }
  return spmd::writeFile(outputFile, result, llvm::errs()) ? 0 : 1;
}
