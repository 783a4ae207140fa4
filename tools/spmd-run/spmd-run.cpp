// Runs a sharded program on its devices and compares it with the unpartitioned run.

#include "spmd/tools/spmd-run/Command.h"
#include "spmd/tools/spmd-run/Session.h"

#include "spmd/passes/plan/ApplyPlan.h"
#include "spmd/tools/Files.h"
#include "spmd/tools/OutOfMemory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace cl = llvm::cl;
using namespace spmd;

namespace {

enum class Engine { partitioned, whole, both, none };

/// Where LLVM is a shared library, it brings options of all its tools; ours take the places of
/// theirs.
const bool namesAreFree = [] {
  for (const char *name : {"in",
                           "expect",
                           "out",
                           "rtol",
                           "atol",
                           "seed",
                           "sizes",
                           "denormals",
                           "memory-limit",
                           "work-limit",
                           "devices",
                           "engine",
                           "accept-undecided",
                           "json",
                           "device-profile",
                           "plan",
                           "repeat",
                           "threads",
                           "verbose",
                           "why",
                           "callbacks",
                           "unpartitioned"})
    if (auto found = cl::getRegisteredOptions().find(name);
        found != cl::getRegisteredOptions().end())
      found->second->removeArgument();
  return true;
}();

cl::OptionCategory category("Options");
cl::opt<std::string> file(cl::Positional, cl::Required, cl::desc("FILE"), cl::cat(category));
cl::opt<std::string> inputDir("in", cl::value_desc("dir"), cl::desc("Arguments, as N.npy"),
                              cl::cat(category));
cl::opt<std::string> expectDir("expect", cl::value_desc("dir"),
                               cl::desc("Expected results, as N.npy"), cl::cat(category));
cl::opt<std::string> outputDir("out", cl::value_desc("dir"),
                               cl::desc("Write the joined results here, as N.npy"),
                               cl::cat(category));
cl::opt<std::string> unpartitionedFile(
    "unpartitioned", cl::value_desc("file"),
    cl::desc("The program that FILE, which is partitioned, was made of: both are run and compared"),
    cl::cat(category));
cl::list<double> rtols(
    "rtol", cl::CommaSeparated, cl::value_desc("r"),
    cl::desc("Relative tolerance: one, or one per result (default: what the program's own rounding "
             "makes of each element)"),
    cl::cat(category));
cl::list<double> atols("atol", cl::CommaSeparated, cl::value_desc("a"),
                       cl::desc("Absolute tolerance: one, or one per result"), cl::cat(category));
cl::opt<bool> acceptUndecided("accept-undecided",
                              cl::desc("Exit with 0, too, where results cannot be told apart from "
                                       "right ones (equal: undecided)"),
                              cl::cat(category));
cl::opt<uint64_t> seed("seed", cl::init(0), cl::desc("Makes the arguments where there is no --in"),
                       cl::cat(category));
cl::list<int64_t> sizes("sizes", cl::CommaSeparated, cl::value_desc("n"),
                        cl::desc("Sizes of the dynamic dims of the arguments, in order, where "
                                 "there is no --in"),
                        cl::cat(category));
cl::opt<int64_t> devices("devices", cl::value_desc("n"),
                         cl::desc("Run a program that has no mesh on so many devices"),
                         cl::cat(category));
cl::opt<Engine>
    engine("engine", cl::desc("What to run"), cl::init(Engine::both),
           cl::values(clEnumValN(Engine::partitioned, "partitioned", "the device programs"),
                      clEnumValN(Engine::whole, "whole", "the unpartitioned program on one device"),
                      clEnumValN(Engine::both, "both", "both, and compare"),
                      clEnumValN(Engine::none, "none", "nothing; say what it would move")),
           cl::cat(category));
cl::opt<std::string> jsonFile("json", cl::value_desc("file"),
                              cl::desc("Write the report as JSON (- for stdout); an error that "
                                       "is no number is \"inf\""),
                              cl::cat(category));
cl::opt<bool> checkUserRules("check-user-rules", cl::desc(checkUserRulesText),
                             cl::init(PipelineOptions().checkUserRules), cl::cat(category));
enum class Why { no, text, json };
cl::opt<Why> why("why", cl::ValueOptional, cl::init(Why::no),
                 cl::desc("Run nothing; print where each collective comes from, and what would "
                          "spare it (docs/why.md); --json has it, too"),
                 cl::values(clEnumValN(Why::text, "", "for people"),
                            clEnumValN(Why::text, "text", "for people"),
                            clEnumValN(Why::json, "json", "for programs")),
                 cl::cat(category));
cl::opt<std::string> deviceProfile(
    "device-profile", cl::value_desc("name|file"),
    cl::desc("Estimate how long a step takes on such devices (docs/cost-model.md): cpu, "
             "h100-nvlink-ib, tpu-v5p, or a file"),
    cl::cat(category));
cl::opt<std::string> planFile("plan", cl::value_desc("file"), cl::desc(planText),
                              cl::cat(category));
cl::opt<uint64_t> memoryLimit("memory-limit", cl::init(0), cl::value_desc("bytes"),
                              cl::desc(memoryLimitText), cl::cat(category));
cl::opt<int64_t> workLimit("work-limit", cl::init(0), cl::value_desc("operations"),
                           cl::desc("The operations on elements that one run may take, as they are "
                                    "estimated before each op; 0 is no limit"),
                           cl::cat(category));
cl::opt<int> threads("threads", cl::init(1), cl::desc("Threads that run devices"),
                     cl::cat(category));
cl::opt<Denormals>
    denormals("denormals", cl::desc("What denormal f32 and f64 numbers are"),
              cl::init(Denormals::zeroInComparisons),
              cl::values(clEnumValN(Denormals::zeroInComparisons, "zero-in-comparisons",
                                    "numbers, but zeros in comparisons"),
                         clEnumValN(Denormals::keep, "keep", "numbers, as IEEE 754 has it"),
                         clEnumValN(Denormals::flush, "flush", "zeros, as XLA on CPUs has it")),
              cl::cat(category));
cl::opt<int> repeats("repeat", cl::init(1), cl::value_desc("n"),
                     cl::desc("Run so often, and report the shortest time"), cl::cat(category));
cl::opt<bool> noFunctionalize("no-functionalize",
                              cl::desc("Let buffers live through the whole pipeline"),
                              cl::cat(category));
cl::opt<OnMissing> onMissing("on-missing", cl::desc(onMissingText), onMissingValues(),
                             cl::init(PipelineOptions().onMissing), cl::cat(category));
cl::opt<Callbacks> callbacks("callbacks", cl::desc(callbacksText), cl::init(Callbacks::drop),
                             cl::values(clEnumValN(Callbacks::drop, "drop",
                                                   "leave out what only prints; others are errors"),
                                        clEnumValN(Callbacks::error, "error", "each is an error")),
                             cl::cat(category));
cl::opt<bool> verbose("verbose", cl::desc(verboseText), cl::cat(category));
cl::opt<OnNoRule> onNoRule("on-no-rule", cl::desc(onNoRuleText), onNoRuleValues(),
                           cl::init(PipelineOptions().onNoRule), cl::cat(category));

RunSettings settingsFromFlags() {
  RunSettings settings;
  settings.file = file;
  settings.unpartitionedFile = unpartitionedFile;
  settings.inputDir = inputDir;
  settings.expectDir = expectDir;
  settings.outputDir = outputDir;
  settings.jsonFile = jsonFile;
  settings.deviceProfile = deviceProfile;
  settings.rtol.assign(rtols.begin(), rtols.end());
  settings.atol.assign(atols.begin(), atols.end());
  settings.seed = seed;
  settings.sizes.assign(sizes.begin(), sizes.end());
  settings.threads = threads;
  settings.denormals = denormals;
  settings.workLimit = workLimit;
  settings.repeats = repeats;
  settings.numDevices = devices;
  settings.runPartitioned = engine != Engine::whole;
  settings.runWhole = engine == Engine::whole || engine == Engine::both;
  settings.runNothing = engine == Engine::none;
  settings.why = why != Why::no;
  settings.pipeline.functionalize = !noFunctionalize;
  settings.pipeline.plan = planFile;
  settings.pipeline.memoryLimit = memoryLimit;
  settings.pipeline.checkUserRules = checkUserRules;
  // What runs nothing counts what the program as it is moves, prints included.
  bool isToRun = !settings.runNothing && !settings.why;
  settings.pipeline.callbacks =
      isToRun || callbacks.getNumOccurrences() ? callbacks : Callbacks::ignore;
  settings.pipeline.verbose = verbose;
  if (!planFile.empty())
    followPolicies(settings.pipeline);
  if (planFile.empty() || onMissing.getNumOccurrences())
    settings.pipeline.onMissing = onMissing;
  if (planFile.empty() || onNoRule.getNumOccurrences())
    settings.pipeline.onNoRule = onNoRule;
  return settings;
}

/// Reports the first of `tolerances` that nothing or everything is within.
bool areTolerances(const cl::list<double> &tolerances) {
  for (double tolerance : tolerances)
    if (!(tolerance >= 0) || std::isinf(tolerance)) {
      llvm::errs() << "spmd-run: --" << tolerances.ArgStr << " has "
                   << llvm::formatv("{0}", tolerance)
                   << "; a finite number of at least 0 is needed\n";
      return false;
    }
  return true;
}

/// Prints the report, as JSON if that is for standard output, and writes the file of JSON if there
/// is one.
bool writeReport(const RunReport &report, const std::string &path) {
  std::string table, json;
  llvm::raw_string_ostream tableStream(table), jsonStream(json);
  if (report.why) {
    printText(*report.why, tableStream);
    if (report.estimate)
      printText(*report.estimate, /*peakBytes=*/0, tableStream << "\n");
    printJson(*report.why, jsonStream, [&](llvm::json::OStream &json) {
      if (!report.estimate)
        return;
      json.attributeBegin("estimate");
      writeJson(*report.estimate, json);
      json.attributeEnd();
    });
  } else {
    printTable(report, tableStream);
    printJson(report, jsonStream);
  }
  if (why == Why::json)
    table = json;
  return writeFile("-", path == "-" ? json : table, llvm::errs()) &&
         (path.empty() || path == "-" || writeFile(path, json, llvm::errs()));
}

} // namespace

int spmd::runCommand(int argc, char **argv) {
  reportLostOutput();
  reportLostMemory();
  static_cast<void>(namesAreFree);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "spmd-run " SPMD_VERSION "\n"; });
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Partitions a sharded program, runs it on its devices and on one, and compares.\n",
          &llvm::errs()))
    return 2;
  if (threads < 1) {
    llvm::errs() << "spmd-run: --threads is " << threads << "; at least 1 is needed\n";
    return 2;
  }
  if (repeats < 1) {
    llvm::errs() << "spmd-run: --repeat is " << repeats << "; at least 1 is needed\n";
    return 2;
  }
  if (workLimit < 0) {
    llvm::errs() << "spmd-run: --work-limit is " << workLimit << "; at least 0 is needed\n";
    return 2;
  }
  if (devices.getNumOccurrences() && devices < 1) {
    llvm::errs() << "spmd-run: --devices is " << devices << "; at least 1 is needed\n";
    return 2;
  }
  if (!sizes.empty() && !inputDir.empty()) {
    llvm::errs() << "spmd-run: --sizes is for runs without --in, whose files have sizes\n";
    return 2;
  }
  if (!areTolerances(rtols) || !areTolerances(atols))
    return 2;
  reportLostMemoryAt(file);
  RunReport report;
  RunSettings settings = settingsFromFlags();
  if (!runSession(settings, report, llvm::errs()))
    return 1;
  if (!writeReport(report, settings.jsonFile))
    return 1;
  bool isAccepted =
      report.verdict == Verdict::yes || (report.verdict == Verdict::undecided && acceptUndecided);
  return isAccepted ? 0 : 1;
}
