#include "spmd/tools/spmd-run/Session.h"

#include "spmd/tools/SourceLines.h"
#include "spmd/tools/Verifying.h"
#include "spmd/tools/spmd-run/Arrays.h"
#include "spmd/tools/spmd-run/BoundProgram.h"
#include "spmd/tools/spmd-run/CompareRuns.h"
#include "spmd/tools/spmd-run/Describe.h"
#include "spmd/tools/spmd-run/Devices.h"
#include "spmd/tools/spmd-run/Failures.h"
#include "spmd/tools/spmd-run/HostMemory.h"
#include "spmd/tools/spmd-run/Shapes.h"
#include "spmd/tools/spmd-run/StandIns.h"

#include "spmd/dialect/Register.h"
#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/import/Load.h"
#include "spmd/dialect/interpreter/Dialect.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/ModulePlace.h"
#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/lowering/compile/Compile.h"
#include "spmd/lowering/interpreter/Boundary.h"
#include "spmd/lowering/interpreter/CheckLog.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/Executable.h"
#include "spmd/lowering/interpreter/KernelRegistry.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"
#include "spmd/passes/plan/ApplyPlan.h"
#include "spmd/passes/refine/References.h"
#include "spmd/passes/refine/RefineShapes.h"

#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"
#include "mlir/IR/Diagnostics.h"

#include <chrono>

namespace spmd {

namespace {

class Session {
public:
  Session(const RunSettings &settings, RunReport &report, llvm::raw_ostream &errors)
      : settings(settings), report(report), errors(errors), context(registry()),
        handler(sourceMgr, &context, errors) {
    context.disableMultithreading();
    context.printOpOnDiagnostic(false); // The location says which; the op may be a whole program.
    addBuiltinKernels(kernels);
    addCheckCalls(kernels, &checks);
  }

  bool run() {
    if (!load() || !loadDeviceProfile() || !refine() || !compile())
      return false;
    if (profile && !report.estimate)
      return failAtModule(absl::InvalidArgumentError(
          "nothing is partitioned; --device-profile is for the program of one device"));
    if (settings.why)
      return true;
    describeProgram(mainProgram(), report);
    report.isRun = !settings.runNothing;
    return settings.runNothing ||
           (fits() && readInputs() && readExpected() && execute() && judge() && writeOutputs());
  }

private:
  static const mlir::DialectRegistry &registry() {
    static const mlir::DialectRegistry all = [] {
      mlir::DialectRegistry dialects;
      registerDialects(dialects);
      return dialects;
    }();
    return all;
  }

  template <typename Function> bool timed(const char *stage, Function function) {
    auto start = std::chrono::steady_clock::now();
    bool ok = function();
    std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    report.times.emplace_back(stage, took.count());
    return ok;
  }

  bool fail(const absl::Status &status) {
    if (reportAtOp(status, context))
      return false;
    if (absl::IsResourceExhausted(status))
      return failAtModule(status);
    errors << settings.file << ": error: " << std::string(status.message()) << "\n";
    return false;
  }

  /// Reports an error of the program as a whole, at its start.
  bool failAtModule(const absl::Status &status) {
    mlir::emitError(placeOf(*module)) << std::string(status.message());
    return false;
  }

  //===- Compiling -----------------------------------------------------------===//

  bool load() {
    return timed("parse", [&] {
      module = loadProgram(settings.file, context, sourceMgr, errors, /*keepNames=*/settings.why);
      if (!module || mlir::failed(hideReferences(*module)))
        return false;
      warnOfReplicas(*module, settings.file, errors);
      return true;
    });
  }

  bool refine() {
    bool isToRefine = isDynamic(*module) || !settings.sizes.empty();
    return !isToRefine || timed("refine", [&] {
      std::optional<WorkBudget> budget = newBudget(settings);
      WorkScope scope(budget ? &*budget : nullptr);
      return refineToInputs(module, settings, kernels, errors);
    });
  }

  bool compile() {
    if (settings.numDevices > 0 && mlir::failed(setNumDevices(*module, settings.numDevices)))
      return false;
    if (settings.why)
      return explainWhy();
    if (runsOthers())
      return lower(*module, wholeProgram, "lower");
    bool isLocal = isPartitioned(*module);
    saysNoCuts = isLocal && (*module)->hasAttr(partitionedAttrName) && !hasShardedArgument();
    if (isLocal && !settings.pipeline.plan.empty())
      return failAtModule(absl::InvalidArgumentError(
          "program is partitioned already; a plan is for programs of whole tensors"));
    wholeWanted = settings.runWhole && !isLocal && !isWrittenForItsMesh();
    if (!settings.unpartitionedFile.empty())
      return isLocal ? compileBoth()
                     : failAtModule(absl::InvalidArgumentError(
                           "program is not partitioned; it is compared with itself, without "
                           "--unpartitioned"));
    if (!isLocal) {
      if (wholeWanted && !cloneWhole())
        return false;
      if (!settings.runPartitioned && !wholeWanted)
        return failAtModule(absl::InvalidArgumentError("nothing to run; use --engine=partitioned"));
      if (!settings.runPartitioned)
        return lowerWhole();
      if (!runStages())
        return false;
    }
    if (!estimate() || !lower(*module, program, "lower"))
      return false;
    return !wholeWanted || lowerWhole();
  }

  bool loadDeviceProfile() {
    if (!settings.deviceProfile.empty())
      profile = loadProfile(context, settings.deviceProfile);
    return settings.deviceProfile.empty() || profile;
  }

  /// Estimates the partitioned program, where a device is described.
  bool estimate() {
    return !profile || timed("estimate", [&] {
      report.estimate = estimateModule(*module, *profile);
      return report.estimate.has_value();
    });
  }

  /// Compiles a program that is partitioned, and the one that it was made of.
  bool compileBoth() {
    if (!estimate() || !lower(*module, program, "lower"))
      return false;
    llvm::SourceMgr sources; // Beside the other, of which each knows one file.
    SourceLinesHandler toldOfThese(sources, &context, errors);
    wholeModule = loadProgram(settings.unpartitionedFile, context, sources, errors);
    if (!wholeModule || mlir::failed(hideReferences(*wholeModule)))
      return false;
    if (isPartitioned(*wholeModule)) {
      mlir::emitError(placeOf(*wholeModule))
          << "program is partitioned, too; give the one that " << settings.file << " was made of";
      return false;
    }
    if (!lowerWhole())
      return false;
    absl::Status status = expectSameBoundaries(program->program, wholeProgram->program);
    if (!status.ok())
      mlir::emitError(placeOf(*wholeModule)) << std::string(status.message());
    return status.ok();
  }

  using Stage = PipelineOptions::Stage;

  bool runStages() {
    const std::pair<const char *, Stage> stages[] = {{"functionalize", Stage::functionalize},
                                                     {"propagate", Stage::propagate},
                                                     {"reshard", Stage::reshard},
                                                     {"partition", Stage::partition},
                                                     {"optimize", Stage::optimize}};
    for (auto [name, stage] : stages) {
      if (!timed(name, [&, stage = stage] { return runStage(*module, stage, settings.pipeline); }))
        return false;
      if (stage == Stage::functionalize)
        original = module->clone();
      if (stage == Stage::propagate)
        report.missing = collectFlags(*module);
      if (stage == Stage::reshard && !settings.why)
        warnOfRepeatedWork();
    }
    return true;
  }

  /// Warns of a program whose devices do the same. `original` is not needed behind it.
  void warnOfRepeatedWork() {
    if (RepeatedWork work = repeatedWorkOf(*module); work.isMost()) {
      report.repeatedWork = reportRepeatedWork(*original, work, settings.pipeline);
      errors << work.location << ": warning: " << report.repeatedWork->message() << "\n"
             << work.location << ": note: " << report.repeatedWork->fix() << "\n";
    }
    original = nullptr;
  }

  /// Compiles, and says where the collectives come from.
  bool explainWhy() {
    if (isPartitioned(*module))
      return failAtModule(absl::InvalidArgumentError(
          "program is partitioned already; --why is for programs of whole tensors"));
    if (!runStages() || !estimate())
      return false;
    mlir::FailureOr<WhyReport> told = explainCollectives(*original, *module, settings.pipeline);
    if (mlir::failed(told))
      return false;
    report.why = *std::move(told);
    return true;
  }

  /// A program that runs others side by side says itself what runs where.
  bool runsOthers() {
    return module->walk([](interpreter::RunParallelOp) { return mlir::WalkResult::interrupt(); })
        .wasInterrupted();
  }

  /// Regions with collectives of their own have no meaning on one device.
  bool isWrittenForItsMesh() {
    bool found = false;
    module->walk([&](sdy::ManualComputationOp) { found = true; });
    if (found && settings.runWhole)
      errors << settings.file
             << ": remark: the program is written for its mesh; there is no unpartitioned run\n";
    return found;
  }

  /// Keeps the program as it is for the unpartitioned run. Of a plan, that needs what custom calls
  /// write and compute.
  bool cloneWhole() {
    wholeModule = module->clone();
    wholeModule->walk(
        [](mlir::Operation *op) { op->removeDiscardableAttr(sdy::shardingRuleName); });
    const std::string &plan = settings.pipeline.plan;
    return plan.empty() || mlir::succeeded(describeCustomCalls(*wholeModule, plan));
  }

  /// The unpartitioned run keeps its buffers: it is what functionalization is judged by. Whatever
  /// is wrong with the program and its plan together, the stages have reported before.
  bool lowerWhole() {
    PipelineOptions options = settings.pipeline;
    options.functionalize = false;
    options.plan.clear(); // It says nothing else about one device.
    // The stages have said all that there is to remark of the program.
    mlir::ScopedDiagnosticHandler told(&context, [&](mlir::Diagnostic &diagnostic) {
      bool isRemark = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Remark;
      return mlir::success(isRemark && settings.runPartitioned);
    });
    if (!runStage(*wholeModule, Stage::functionalize, options))
      return false;
    nameFunctions();
    return lower(*wholeModule, wholeProgram, nullptr);
  }

  /// Names the ops that become formulas, so that the judge knows that other implementations have
  /// other formulas for these functions. The attribute goes to the op that ends the formula.
  void nameFunctions() {
    const mlir::Dialect *functions = context.getLoadedDialect<chlo::ChloDialect>();
    wholeModule->walk([&](mlir::Operation *op) {
      if (op->getDialect() == functions)
        op->setDiscardableAttr("spmd.function",
                               mlir::StringAttr::get(&context, op->getName().getStringRef()));
    });
  }

  bool runStage(mlir::ModuleOp source, Stage stage, const PipelineOptions &options) {
    mlir::PassManager manager(&context);
    addStage(manager, stage, options);
    if (stage == PipelineOptions::Stage::optimize)
      verifyAtEnd(manager);
    else
      verifyLater(manager);
    return mlir::succeeded(manager.run(source));
  }

  /// Whether results of the unpartitioned program will be judged by its rounding.
  bool willBeJudged() const {
    bool hasTolerances = !settings.rtol.empty() || !settings.atol.empty();
    bool isCompared = program || (!settings.expectDir.empty() && !hasTolerances);
    return isCompared && !settings.runNothing && settings.denormals != Denormals::flush;
  }

  bool lower(mlir::ModuleOp source, std::optional<BoundProgram> &target, const char *stage) {
    auto compileIt = [&] {
      if (settings.runNothing)
        standInForLeftOut(source);
      mlir::PassManager manager(&context);
      manager.addPass(createResolveCallbacksPass({settings.pipeline.callbacks}));
      addDevicePasses(manager);
      verifyAtEnd(manager);
      if (mlir::failed(inlineReferences(source)) || mlir::failed(manager.run(source)))
        return false;
      mlir::FailureOr<DeviceProgram> compiled = compileModule(source);
      if (mlir::failed(compiled))
        return false;
      if (settings.runNothing)
        standInForCalls(*compiled, kernels);
      bool records = &target == &wholeProgram && willBeJudged();
      absl::StatusOr<BoundProgram> bound =
          BoundProgram::bind(*std::move(compiled), records, kernels);
      if (!bound.ok())
        return fail(bound.status());
      target = *std::move(bound);
      return true;
    };
    return stage ? timed(stage, compileIt) : compileIt();
  }

  DeviceProgram &mainProgram() { return (program ? program : wholeProgram)->program; }

  //===- Running -------------------------------------------------------------===//

  bool readInputs() {
    std::vector<Boundary> &boundaries = mainProgram().arguments;
    if (settings.inputDir.empty()) {
      absl::StatusOr<std::vector<Tensor>> made = randomArrays(boundaries, settings.seed);
      if (!made.ok())
        return fail(made.status());
      inputs = *std::move(made);
      return true;
    }
    if (readArrays(settings.inputDir, boundaries, "argument", mainProgram().numDevices, inputs,
                   errors))
      return true;
    if (saysNoCuts)
      errors << settings.file
             << ": note: the program is partitioned already, and none of its arguments has a "
                "sharding, so that every device takes the whole of each; the HLO text of XLA's "
                "partitioner lacks these shardings, its .hlo.pb has them\n";
    return false;
  }

  bool hasShardedArgument() {
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    for (unsigned i = 0; main && i < main.getNumArguments(); ++i)
      if (main.getArgAttr(i, sdy::shardingName))
        return true;
    return false;
  }

  bool readExpected() {
    return settings.expectDir.empty() ||
           readArrays(settings.expectDir, mainProgram().results, "result", mainProgram().numDevices,
                      expected, errors);
  }

  /// Each simulated device takes some hundred bytes, whatever the program.
  static constexpr int64_t mostDevices = 1 << 20;

  bool fits() {
    if (mainProgram().numDevices > mostDevices)
      return failAtModule(absl::ResourceExhaustedError(
          absl::StrCat("program is for ", mainProgram().numDevices, " devices; at most ",
                       mostDevices, " are simulated")));
    int64_t needed = program ? bytesToRun(program->program) : 0;
    if (wholeProgram)
      needed = std::max(needed, bytesToRun(wholeProgram->program));
    absl::Status status = checkHostMemory(needed);
    return status.ok() || failAtModule(status);
  }

  bool execute() {
    return (!program || runRepeatedly("run", *program, results)) &&
           (!wholeProgram || runRepeatedly("run_whole", *wholeProgram, wholeResults));
  }

  /// Runs as often as the settings ask, and keeps the shortest time.
  bool runRepeatedly(const char *stage, const BoundProgram &executed, RunResults &given) {
    for (int i = 0; i < settings.repeats; ++i) {
      if (!timed(stage, [&] { return runProgram(executed, given); }))
        return false;
      if (i == 0)
        continue;
      double latest = report.times.back().second;
      report.times.pop_back();
      report.times.back().second = std::min(report.times.back().second, latest);
    }
    return true;
  }

  bool runProgram(const BoundProgram &executed, RunResults &given) {
    absl::StatusOr<RunResults> results = executed.run(settings, inputs, kernels);
    if (!results.ok() && absl::IsDataLoss(results.status())) {
      report.verdict = Verdict::no;
      report.differences.push_back(std::string(results.status().message()));
      return true;
    }
    if (!results.ok())
      return fail(results.status());
    given = *std::move(results);
    return true;
  }

  //===- Judging -------------------------------------------------------------===//

  bool judge() {
    for (const std::string &failure : checks.failures()) {
      report.verdict = Verdict::no;
      report.differences.push_back(failure);
    }
    bool comparesPrograms = program && wholeProgram, hasExpected = !settings.expectDir.empty();
    report.isCompared = comparesPrograms || hasExpected || checks.hasRun();
    if (report.verdict == Verdict::no || (!comparesPrograms && !hasExpected))
      return true; // Replicas differ, or there is nothing to compare.
    return timed("judge", [&] {
      ComparedRuns runs{mainProgram(), wholeProgram ? wholeProgram->program : program->program};
      runs.comparesPrograms = comparesPrograms;
      runs.results = program ? &results : &wholeResults;
      runs.wholeResults = &wholeResults;
      runs.recorded = wholeProgram ? wholeProgram->recorded : nullptr;
      absl::Status status = compareRuns(settings, runs, inputs, expected, kernels, report);
      return status.ok() || fail(status);
    });
  }

  bool writeOutputs() {
    if (settings.outputDir.empty() || report.verdict == Verdict::no)
      return true;
    const std::vector<Tensor> &written = (program ? results : wholeResults).joined;
    for (size_t i = 0; i < written.size(); ++i)
      if (!written[i])
        return fail(absl::InvalidArgumentError(
            absl::StrCat("result ", i,
                         " cannot be joined: the program does not say which part "
                         "each device holds; give the ROOT a sharding")));
    return writeArrays(settings.outputDir, written, errors);
  }

  const RunSettings &settings;
  RunReport &report;
  llvm::raw_ostream &errors;
  llvm::SourceMgr sourceMgr;
  mlir::MLIRContext context;
  SourceLinesHandler handler;
  CheckLog checks;
  KernelRegistry kernels;
  mlir::OwningOpRef<mlir::ModuleOp> module, wholeModule;
  mlir::OwningOpRef<mlir::ModuleOp> original; ///< As propagation found it, if that is needed.
  std::optional<DeviceProfile> profile;
  std::optional<BoundProgram> program, wholeProgram;
  bool wholeWanted = false;
  bool saysNoCuts = false; ///< Partitioned elsewhere, without shardings of arguments.
  std::vector<Tensor> inputs, expected;
  RunResults results, wholeResults;
};

} // namespace

bool runSession(const RunSettings &settings, RunReport &report, llvm::raw_ostream &errors) {
  return Session(settings, report, errors).run();
}

} // namespace spmd
