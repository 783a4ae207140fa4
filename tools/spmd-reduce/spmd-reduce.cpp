// Shrinks a program while a command of the user's still does on it what it did.

#include "spmd/tools/spmd-reduce/Reduce.h"

#include "spmd/dialect/Register.h"
#include "spmd/dialect/import/Load.h"
#include "spmd/tools/Files.h"
#include "spmd/tools/OutOfMemory.h"
#include "spmd/tools/SourceLines.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

#include <csignal>

namespace cl = llvm::cl;
using namespace spmd;

namespace {

/// Where LLVM is a shared library, it brings options of all its tools; ours take the places of
/// theirs.
const bool namesAreFree = [] {
  for (const char *name :
       {"o", "test", "expect-exit", "expect-stderr", "timeout", "max-runs", "lines"})
    if (auto found = cl::getRegisteredOptions().find(name);
        found != cl::getRegisteredOptions().end())
      found->second->removeArgument();
  return true;
}();

cl::OptionCategory category("Options");
cl::opt<std::string> file(cl::Positional, cl::Required, cl::desc("FILE"), cl::cat(category));
cl::opt<std::string> outputFile("o", cl::desc("Write the smaller program here"),
                                cl::value_desc("file"), cl::init("-"), cl::cat(category));
cl::opt<std::string>
    command("test", cl::Required, cl::value_desc("command"),
            cl::desc("What to run on a program, by /bin/sh; {} stands for its file, "
                     "which else is the last word"),
            cl::cat(category));
cl::opt<std::string> exitText("expect-exit", cl::value_desc("n|nonzero|crash"), cl::init("0"),
                              cl::desc("The command's exit code on an interesting program (default "
                                       "0; crash is a signal: 128 and more)"),
                              cl::cat(category));
cl::list<std::string>
    errorTexts("expect-stderr", cl::value_desc("text"),
               cl::desc("What the command's standard error must hold, too; may be "
                        "given several times"),
               cl::cat(category));
cl::opt<int64_t> limit("timeout", cl::value_desc("s"), cl::init(60),
                       cl::desc("A command that runs longer is killed, and the program not "
                                "interesting (default 60)"),
                       cl::cat(category));
cl::opt<int64_t> maxRuns("max-runs", cl::value_desc("n"), cl::init(0),
                         cl::desc("Stop after so many runs of the command (default: when nothing "
                                  "can be removed)"),
                         cl::cat(category));
cl::opt<bool> byLines("lines", cl::desc("Do not parse the file: remove lines of text"),
                      cl::cat(category));

volatile std::sig_atomic_t wasInterrupted = 0;

/// The first interruption ends the search, so that what was found is written.
void stopOnSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int) { wasInterrupted = 1; };
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    sigaction(signal, &action, nullptr);
}

bool isCommandLineRight(std::optional<ExpectedExit> exit) {
  if (!exit)
    llvm::errs() << "spmd-reduce: --expect-exit is '" << exitText
                 << "'; a number from 0 to 255, nonzero or crash is needed\n";
  else if (limit < 1 || limit > 1000000)
    llvm::errs() << "spmd-reduce: --timeout is " << limit << "; 1 to 1000000 is needed\n";
  else if (maxRuns < 0)
    llvm::errs() << "spmd-reduce: --max-runs is " << maxRuns << "; at least 0 is needed\n";
  else
    return true;
  return false;
}

/// Reads the file as text. Nothing after a message if that fails.
std::optional<std::string> readText() {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (buffer)
    return (*buffer)->getBuffer().str();
  llvm::errs() << file << ": error: cannot open the file: " << buffer.getError().message() << "\n";
  return std::nullopt;
}

/// Reports a program that the command does nothing to.
bool isInteresting(Interest &interest, const std::string &text) {
  if (interest.isInteresting(text))
    return true;
  llvm::errs() << file << ": error: the program is not interesting to begin with"
               << (byLines ? "" : ", as spmd-reduce prints it") << ": " << interest.whyNot()
               << "\n";
  return false;
}

/// Returns the smaller program, or nothing after a message.
std::optional<std::string> reduce(Interest &interest) {
  std::optional<std::string> text;
  if (byLines) {
    text = readText();
    if (!text || !isInteresting(interest, *text))
      return std::nullopt;
    reduceLines(*text, interest, llvm::errs());
    return text;
  }
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sourceMgr;
  cutLongLines(sourceMgr, llvm::errs());
  mlir::OwningOpRef<mlir::ModuleOp> module = loadProgram(file, context, sourceMgr, llvm::errs());
  if (!module)
    return std::nullopt;
  text = printed(*module);
  if (!isInteresting(interest, *text))
    return std::nullopt;
  reduceProgram(module, *text, interest, llvm::errs());
  return text;
}

} // namespace

int main(int argc, char **argv) {
  reportLostOutput();
  reportLostMemory();
  static_cast<void>(namesAreFree);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "spmd-reduce " SPMD_VERSION "\n"; });
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Shrinks a program while it stays interesting: while a command ends on it as "
          "expected.\n\n"
          "  spmd-reduce bug.mlir --test='spmd-run --seed=7' --expect-exit=1 -o small.mlir\n"
          "  spmd-reduce bug.mlir --test='spmd-opt --spmd-pipeline {}' --expect-exit=crash\n\n"
          "Progress goes to standard error. An interruption writes the smallest program so far.\n"
          "Exit code: 0 done, 1 the program is wrong or not interesting, 2 a wrong command line.\n",
          &llvm::errs()))
    return 2;
  InterestSettings settings;
  std::optional<ExpectedExit> exit = ExpectedExit::fromText(exitText);
  if (!isCommandLineRight(exit))
    return 2;
  settings.command = command;
  settings.exit = *exit;
  settings.errorTexts.assign(errorTexts.begin(), errorTexts.end());
  settings.limitInSeconds = limit;
  settings.maxRuns = maxRuns;
  settings.shouldStop = [] { return wasInterrupted != 0; };
  stopOnSignals();

  Interest interest(std::move(settings));
  if (!interest.isReady()) {
    llvm::errs() << "spmd-reduce: error: " << interest.whyNot() << "\n";
    return 1;
  }
  std::optional<std::string> smallest = reduce(interest);
  if (!smallest)
    return 1;
  llvm::errs() << "spmd-reduce: " << (interest.isOver() ? "stopped" : "done") << " after "
               << interest.numRuns() << " runs, " << smallest->size() << " bytes\n";
  return writeFile(outputFile, *smallest, llvm::errs()) ? 0 : 1;
}
