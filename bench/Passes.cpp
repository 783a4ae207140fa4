// Each pass, per op. Times are user CPU; a program is built in memory for each run, outside of the
// time.
//
// `stages` is propagate, reshard and partition together, `B/op` the growth of the peak of the whole
// process, program included, `10x` how many times longer these stages take than on a tenth of the
// ops.

#include "spmd/passes/Passes.h"
#include "spmd/bench/Measure.h"
#include "spmd/bench/Programs.h"
#include "spmd/dialect/Register.h"

namespace spmd::bench {

using Stage = PipelineOptions::Stage;

static constexpr std::pair<Stage, const char *> stages[] = {{Stage::propagate, "propagate"},
                                                            {Stage::reshard, "reshard"},
                                                            {Stage::partition, "partition"},
                                                            {Stage::optimize, "optimize"}};

/// Returns the user seconds that `stage` takes on `module`, or nothing if it fails.
static std::optional<double> run(mlir::ModuleOp module, Stage stage) {
  mlir::PassManager manager(module.getContext());
  manager.enableVerifier(false);
  PipelineOptions options;
  options.groups = GroupForm::meshAxes;
  addStage(manager, stage, options);
  double start = userSeconds();
  if (mlir::failed(manager.run(module)))
    return std::nullopt;
  return userSeconds() - start;
}

static void passes(benchmark::State &state, ProgramKind kind, int64_t numOps, int64_t numDevices) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  double seconds[std::size(stages)] = {}, bytes = 0;
  for (auto _ : state) {
    PeakMemory memory;
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    mlir::OwningOpRef<mlir::ModuleOp> module = makeProgram(context, kind, numOps, numDevices);
    double total = 0;
    for (size_t i = 0; i < std::size(stages); ++i) {
      std::optional<double> taken = run(*module, stages[i].first);
      if (!taken) {
        state.SkipWithError(stages[i].second);
        return;
      }
      total += *taken;
      seconds[i] += *taken;
    }
    state.SetIterationTime(total);
    bytes = memory.growth();
  }
  double runs = static_cast<double>(state.iterations());
  for (size_t i = 0; i < std::size(stages); ++i)
    reportPerOp(state, stages[i].second, seconds[i] / runs, static_cast<double>(numOps));
  double together = (seconds[0] + seconds[1] + seconds[2]) / runs;
  reportPerOp(state, "stages", together, static_cast<double>(numOps));
  state.counters["B/op"] = bytes / static_cast<double>(numOps);
  reportGrowth(state, nameOf(kind) + std::to_string(numDevices), numOps, together);
}

static void add(ProgramKind kind, int64_t numOps, int64_t numDevices = 8) {
  std::string name = std::string("passes/") + nameOf(kind) + "/" + std::to_string(numOps);
  if (numDevices != 8)
    name += "/devices:" + std::to_string(numDevices);
  benchmark::RegisterBenchmark(name.c_str(), passes, kind, numOps, numDevices)
      ->UseManualTime()
      ->Iterations(numOps < 100'000     ? 5
                   : numOps < 1'000'000 ? 2
                                        : 1)
      ->Unit(benchmark::kMillisecond);
}

static void registerAll() {
  for (ProgramKind kind : allProgramKinds)
    for (int64_t numOps : {10'000, 100'000, 1'000'000})
      add(kind, numOps);
  for (int64_t numDevices : {512, 8192})
    for (ProgramKind kind : {ProgramKind::chain, ProgramKind::conflicts})
      add(kind, 100'000, numDevices);
}

static const bool registered = (registerAll(), true);

} // namespace spmd::bench
