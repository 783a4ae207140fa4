// Each pass, per op. Times are user CPU; a program is built in memory for each run, outside of the
// time.
//
// `stages` is propagate, reshard and partition together, `B/op` the growth of the peak of the whole
// process, program included, `10x` how many times longer these stages take than on a tenth of the
// ops.
//
// With SPMD_BENCH_PROGRAM=FILE in the environment, that program is parsed and compiled by turns:
// `of_parse` is the time of all passes over that of parsing, and so are those of the single ones.

#include "spmd/passes/Passes.h"
#include "spmd/bench/Measure.h"
#include "spmd/bench/Programs.h"
#include "spmd/dialect/Register.h"

#include "mlir/Parser/Parser.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace spmd::bench {

using Stage = PipelineOptions::Stage;

static constexpr std::pair<Stage, const char *> allStages[] = {
    {Stage::functionalize, "functionalize"},
    {Stage::propagate, "propagate"},
    {Stage::reshard, "reshard"},
    {Stage::partition, "partition"},
    {Stage::optimize, "optimize"}};

/// Programs that are made here need no first stage.
static const llvm::ArrayRef<std::pair<Stage, const char *>> stages =
    llvm::ArrayRef(allStages).drop_front();

/// Notes when passes begin.
class Clock : public mlir::PassInstrumentation {
public:
  explicit Clock(std::vector<double> &begins) : begins(begins) {}
  void runBeforePass(mlir::Pass *, mlir::Operation *) override { begins.push_back(userSeconds()); }

private:
  std::vector<double> &begins;
};

/// Runs `stages` on `module`, as one pipeline, and adds the user seconds that each takes to
/// `seconds`. Returns all of them together, or nothing if a pass fails.
static std::optional<double> run(mlir::ModuleOp module,
                                 llvm::ArrayRef<std::pair<Stage, const char *>> stages,
                                 llvm::MutableArrayRef<double> seconds) {
  mlir::PassManager manager(module.getContext());
  manager.enableVerifier(false);
  std::vector<double> begins;
  manager.addInstrumentation(std::make_unique<Clock>(begins));
  PipelineOptions options;
  options.groups = GroupForm::meshAxes;
  std::vector<size_t> firstPasses;
  for (const auto &stage : stages) {
    firstPasses.push_back(manager.size());
    addStage(manager, stage.first, options);
  }
  begins.reserve(manager.size() + 1);
  double start = userSeconds();
  if (mlir::failed(manager.run(module)))
    return std::nullopt;
  begins.push_back(userSeconds());
  firstPasses.push_back(begins.size() - 1);
  for (size_t i = 0; i < stages.size(); ++i)
    seconds[i] += begins[firstPasses[i + 1]] - (i == 0 ? start : begins[firstPasses[i]]);
  return begins.back() - start;
}

static void passes(benchmark::State &state, ProgramKind kind, int64_t numOps, int64_t numDevices) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  std::vector<double> seconds(stages.size());
  double bytes = 0;
  for (auto _ : state) {
    PeakMemory memory;
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    mlir::OwningOpRef<mlir::ModuleOp> module = makeProgram(context, kind, numOps, numDevices);
    std::optional<double> taken = run(*module, stages, seconds);
    if (!taken)
      return state.SkipWithError("a pass fails");
    state.SetIterationTime(*taken);
    bytes = memory.growth();
  }
  double runs = static_cast<double>(state.iterations());
  for (size_t i = 0; i < stages.size(); ++i)
    reportPerOp(state, stages[i].second, seconds[i] / runs, static_cast<double>(numOps));
  double together = (seconds[0] + seconds[1] + seconds[2]) / runs;
  reportPerOp(state, "stages", together, static_cast<double>(numOps));
  state.counters["B/op"] = bytes / static_cast<double>(numOps);
  reportGrowth(state, nameOf(kind) + std::to_string(numDevices), numOps, together);
}

static void passesOnText(benchmark::State &state, const std::string &text) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  double parsing = 0, seconds[std::size(allStages)] = {}, all = 0;
  for (auto _ : state) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    mlir::ScopedDiagnosticHandler quiet(&context,
                                        [](mlir::Diagnostic &) { return mlir::success(); });
    double start = userSeconds();
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    parsing += userSeconds() - start;
    std::optional<double> taken = module ? run(*module, allStages, seconds) : std::nullopt;
    if (!taken)
      return state.SkipWithError("the program does not parse, or a pass fails");
    state.SetIterationTime(*taken);
    all += *taken;
  }
  for (size_t i = 0; i < std::size(allStages); ++i)
    state.counters[allStages[i].second] = seconds[i] / parsing;
  state.counters["parse_ms"] = parsing / static_cast<double>(state.iterations()) * 1e3;
  state.counters["of_parse"] = all / parsing;
}

/// The program in the file that SPMD_BENCH_PROGRAM names, as `passes/file`.
static void registerFile() {
  const char *path = std::getenv("SPMD_BENCH_PROGRAM");
  if (!path)
    return;
  benchmark::RegisterBenchmark("passes/file",
                               [path = std::string(path)](benchmark::State &state) {
                                 std::ifstream file(path, std::ios::binary);
                                 passesOnText(state, {std::istreambuf_iterator<char>(file),
                                                      std::istreambuf_iterator<char>()});
                               })
      ->UseManualTime()
      ->Iterations(10)
      ->Unit(benchmark::kMillisecond);
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
  registerFile();
  for (ProgramKind kind : allProgramKinds)
    for (int64_t numOps : {10'000, 100'000, 1'000'000})
      add(kind, numOps);
  for (int64_t numDevices : {512, 8192})
    for (ProgramKind kind : {ProgramKind::chain, ProgramKind::conflicts})
      add(kind, 100'000, numDevices);
}

static const bool registered = (registerAll(), true);

} // namespace spmd::bench
