// Propagation alone: time and memory, on programs of any size and against parsing. Times are user
// CPU.
//
// `B/op` is what the pass adds to the peak of the process; the program it works on is not counted.
// `10x` is how many times longer it takes than on a tenth of the ops, `of_8` how many times longer
// than on a mesh of 8 devices, `of_single` how many times longer than on as many values of one user
// each.

#include "spmd/bench/Measure.h"
#include "spmd/bench/Programs.h"
#include "spmd/dialect/Register.h"
#include "spmd/passes/Passes.h"

#include "mlir/Parser/Parser.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace spmd::bench {

/// Returns the user seconds that the pass takes on `module`, or nothing if it fails. What it tells
/// of the program is dropped.
static std::optional<double> propagate(mlir::ModuleOp module) {
  mlir::ScopedDiagnosticHandler quiet(module.getContext(),
                                      [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::PassManager manager(module.getContext());
  manager.enableVerifier(false);
  manager.addPass(createPropagatePass());
  double start = userSeconds();
  if (mlir::failed(manager.run(module)))
    return std::nullopt;
  return userSeconds() - start;
}

/// Makes a program and propagates it. Reports the bytes that this adds to the peak, if asked to.
static std::optional<double> propagateAnew(const mlir::DialectRegistry &registry, ProgramKind kind,
                                           int64_t numOps, int64_t numDevices,
                                           double *bytes = nullptr) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  mlir::OwningOpRef<mlir::ModuleOp> module = makeProgram(context, kind, numOps, numDevices);
  PeakMemory memory;
  std::optional<double> taken = propagate(*module);
  if (bytes)
    *bytes = memory.growth();
  return taken;
}

static void propagateProgram(benchmark::State &state, ProgramKind kind, int64_t numOps,
                             int64_t numDevices) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  double total = 0, onEight = 0, bytes = 0;
  for (auto _ : state) {
    std::optional<double> taken = propagateAnew(registry, kind, numOps, numDevices, &bytes);
    std::optional<double> other =
        numDevices == 8 ? taken : propagateAnew(registry, kind, numOps, 8);
    if (!taken || !other)
      return state.SkipWithError("propagation fails");
    state.SetIterationTime(*taken);
    total += *taken;
    onEight += *other;
  }
  double perRun = total / static_cast<double>(state.iterations());
  reportPerOp(state, "ns/op", perRun, static_cast<double>(numOps));
  state.counters["B/op"] = bytes / static_cast<double>(numOps);
  if (numDevices == 8)
    reportGrowth(state, nameOf(kind), numOps, perRun);
  else
    state.counters["of_8"] = total / onEight;
}

/// One value of so many users and so many values of one, by turns.
static void propagateUsers(benchmark::State &state, int64_t numUsers) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  double many = 0, single = 0;
  for (auto _ : state) {
    std::optional<double> ofOne = propagateAnew(registry, ProgramKind::hub, numUsers, 8);
    std::optional<double> ofMany = propagateAnew(registry, ProgramKind::line, numUsers, 8);
    if (!ofOne || !ofMany)
      return state.SkipWithError("propagation fails");
    state.SetIterationTime(*ofOne);
    many += *ofOne;
    single += *ofMany;
  }
  state.counters["of_single"] = many / single;
}

/// Parses and propagates by turns. `of_parse` is the time of propagation over that of parsing.
static void propagateText(benchmark::State &state, const std::string &text) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  double parsing = 0, propagating = 0;
  for (auto _ : state) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    double start = userSeconds();
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    parsing += userSeconds() - start;
    std::optional<double> taken = module ? propagate(*module) : std::nullopt;
    if (!taken)
      return state.SkipWithError("the program does not parse, or propagation fails");
    state.SetIterationTime(*taken);
    propagating += *taken;
  }
  double runs = static_cast<double>(state.iterations());
  state.counters["parse_ms"] = parsing / runs * 1e3;
  state.counters["of_parse"] = propagating / parsing;
}

/// The program in the file that SPMD_BENCH_PROGRAM names, as `propagate/file`.
static void registerFile() {
  const char *path = std::getenv("SPMD_BENCH_PROGRAM");
  if (!path)
    return;
  benchmark::RegisterBenchmark("propagate/file",
                               [path = std::string(path)](benchmark::State &state) {
                                 std::ifstream file(path, std::ios::binary);
                                 propagateText(state, {std::istreambuf_iterator<char>(file),
                                                       std::istreambuf_iterator<char>()});
                               })
      ->UseManualTime()
      ->Iterations(20)
      ->Unit(benchmark::kMillisecond);
}

static void add(ProgramKind kind, int64_t numOps, int64_t numDevices = 8) {
  std::string name = std::string("propagate/") + nameOf(kind) + "/" + std::to_string(numOps);
  if (numDevices != 8)
    name += "/devices:" + std::to_string(numDevices);
  benchmark::RegisterBenchmark(name.c_str(), propagateProgram, kind, numOps, numDevices)
      ->UseManualTime()
      ->Iterations(numOps < 1'000'000 ? 5 : 2)
      ->Unit(benchmark::kMillisecond);
}

static void registerAll() {
  registerFile();
  benchmark::RegisterBenchmark("propagate/users/100000", propagateUsers, 100'000)
      ->UseManualTime()
      ->Iterations(10)
      ->Unit(benchmark::kMillisecond);
  for (ProgramKind kind : allProgramKinds)
    for (int64_t numOps : {100'000, 1'000'000})
      add(kind, numOps);
  for (int64_t numDevices : {512, 8192})
    for (ProgramKind kind : {ProgramKind::chain, ProgramKind::conflicts, ProgramKind::fanOut})
      add(kind, 100'000, numDevices);
}

static const bool registered = (registerAll(), true);

} // namespace spmd::bench
