// Reading program text, verifier included. Times are user CPU.

#include "spmd/bench/Measure.h"
#include "spmd/bench/Programs.h"
#include "spmd/dialect/Register.h"

#include "mlir/Parser/Parser.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

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

/// Seconds that all iterations took, and bytes that the last one left in use.
struct Taken {
  double total = 0, bytes = 0;
};

/// Parses `text` in a context of its own, once an iteration.
static Taken parseText(benchmark::State &state, const std::string &text) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  Taken taken;
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
    taken.total += seconds;
    taken.bytes = memory.growth();
  }
  return taken;
}

static void parse(benchmark::State &state, ProgramKind kind, int64_t numOps) {
  Taken taken = parseText(state, textOf(kind, numOps));
  double perRun = taken.total / static_cast<double>(state.iterations());
  reportPerOp(state, "ns/op", perRun, static_cast<double>(numOps));
  state.counters["B/op"] = taken.bytes / static_cast<double>(numOps);
  reportGrowth(state, nameOf(kind), numOps, perRun);
}

/// The program in the file that SPMD_BENCH_PROGRAM names, as `parse/file`.
static void registerFile() {
  const char *path = std::getenv("SPMD_BENCH_PROGRAM");
  if (!path)
    return;
  benchmark::RegisterBenchmark(
      "parse/file",
      [path = std::string(path)](benchmark::State &state) {
        std::ifstream file(path, std::ios::binary);
        parseText(state, {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
      })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

static void registerAll() {
  registerFile();
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
