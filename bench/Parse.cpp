// Reading program text, verifier included. Times are user CPU.

#include "spmd/bench/Measure.h"
#include "spmd/bench/Programs.h"
#include "spmd/dialect/Register.h"

#include "mlir/Parser/Parser.h"

namespace spmd::bench {

static std::string textOf(ProgramKind kind, int64_t numOps) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string text;
  llvm::raw_string_ostream stream(text);
  makeProgram(context, kind, numOps)->print(stream);
  return text;
}

static void parse(benchmark::State &state, ProgramKind kind, int64_t numOps) {
  std::string text = textOf(kind, numOps);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  double total = 0, bytes = 0;
  for (auto _ : state) {
    PeakMemory memory;
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    double start = userSeconds();
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    double seconds = userSeconds() - start;
    if (!module) {
      state.SkipWithError("the program does not parse");
      break;
    }
    state.SetIterationTime(seconds);
    total += seconds;
    bytes = memory.growth();
  }
  double perRun = total / static_cast<double>(state.iterations());
  reportPerOp(state, "ns/op", perRun, static_cast<double>(numOps));
  state.counters["B/op"] = bytes / static_cast<double>(numOps);
  reportGrowth(state, nameOf(kind), numOps, perRun);
}

static void registerAll() {
  for (ProgramKind kind : {ProgramKind::chain, ProgramKind::tree, ProgramKind::calls})
    for (int64_t numOps : {10'000, 100'000, 1'000'000}) {
      if (numOps == 1'000'000 && kind != ProgramKind::chain)
        continue;
      std::string name = std::string("parse/") + nameOf(kind) + "/" + std::to_string(numOps);
      benchmark::RegisterBenchmark(name.c_str(), parse, kind, numOps)
          ->UseManualTime()
          ->Iterations(numOps < 100'000 ? 5 : 1)
          ->Unit(benchmark::kMillisecond);
    }
}

static const bool registered = (registerAll(), true);

} // namespace spmd::bench
