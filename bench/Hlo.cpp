// HLO modules from text and from bytes, and back to text, to StableHLO and back: time an
// instruction, and growth with the size.

#include "spmd/ir/hlo/Hlo.h"
#include "spmd/bench/Measure.h"
#include "spmd/dialect/export/hlo/ExportHlo.h"
#include "spmd/dialect/import/hlo/ImportHlo.h"

#include "absl/strings/str_cat.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdlib>
#include <string>

namespace spmd::bench {

/// Text as frameworks write it: a chain of layers with shardings and source locations.
static std::string chainOf(int64_t numInstructions) {
  std::string text = "HloModule chain, num_partitions=8\n\nENTRY main {\n"
                     "  x0 = f32[128,64]{1,0} parameter(0), sharding={devices=[8,1]<=[8]}\n"
                     "  w = f32[64,64]{1,0} parameter(1), sharding={replicated}\n";
  for (int64_t i = 1; i + 2 <= numInstructions; ++i) {
    std::string name = "x" + std::to_string(i), before = "x" + std::to_string(i - 1);
    text += "  " + name + " = f32[128,64]{1,0} ";
    if (i % 3 == 0)
      text += "dot(" + before + ", w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    else if (i % 3 == 1)
      text += "custom-call(" + before +
              "), custom_call_target=\"Sharding\", sharding={devices=[4,1,2]<=[2,4]T(1,0) "
              "last_tile_dim_replicate}";
    else
      text += absl::StrCat("add(", before, ", ", before, ")");
    text += ", metadata={op_name=\"jit(step)/layer/op\" source_file=\"model.py\" source_line=12}\n";
  }
  return text + "}\n";
}

template <typename Run>
static void measure(benchmark::State &state, const std::string &what, Run run) {
  double start = userSeconds();
  for (auto _ : state)
    benchmark::DoNotOptimize(run());
  double seconds = (userSeconds() - start) / static_cast<double>(state.iterations());
  reportPerOp(state, "ns/instruction", seconds, static_cast<double>(state.range(0)));
  reportGrowth(state, what, state.range(0), seconds);
}

static void parseText(benchmark::State &state) {
  std::string text = chainOf(state.range(0));
  measure(state, "text", [&] {
    hlo::StoredModule module;
    return hlo::parseHloText(text, *module);
  });
}

static void parseBytes(benchmark::State &state) {
  std::string bytes = hlo::parseHloText(chainOf(state.range(0)))->SerializeAsString();
  measure(state, "bytes", [&] {
    hlo::StoredModule module;
    return hlo::parseHloProto(bytes, *module);
  });
}

/// Returns the chain of a benchmark as a module.
static hlo::StoredModule parsedChain(const benchmark::State &state) {
  hlo::StoredModule module;
  if (!hlo::parseHloText(chainOf(state.range(0)), *module).ok())
    std::abort();
  return module;
}

static void print(benchmark::State &state) {
  hlo::StoredModule module = parsedChain(state);
  measure(state, "print", [&] { return hlo::printHlo(*module); });
}

static void verify(benchmark::State &state) {
  hlo::StoredModule module = parsedChain(state);
  measure(state, "verify", [&] { return hlo::verify(*module); });
}

static void import(benchmark::State &state) {
  hlo::StoredModule module = parsedChain(state);
  measure(state, "import", [&] {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    return static_cast<bool>(importHlo(*module, context));
  });
}

static void exportAgain(benchmark::State &state) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = importHlo(*parsedChain(state), context);
  measure(state, "export", [&] { return exportHlo(*module).has_value(); });
}

static void sizes(benchmark::internal::Benchmark *bench) {
  bench->RangeMultiplier(10)->Range(1000, 1000000)->Unit(benchmark::kMillisecond);
}
BENCHMARK(parseText)->Name("hlo/parse-text/instructions")->Apply(sizes);
BENCHMARK(parseBytes)->Name("hlo/parse-bytes/instructions")->Apply(sizes);
BENCHMARK(print)->Name("hlo/print/instructions")->Apply(sizes);
BENCHMARK(verify)->Name("hlo/verify/instructions")->Apply(sizes);
BENCHMARK(import)->Name("hlo/import/instructions")->Apply(sizes);
BENCHMARK(exportAgain)->Name("hlo/export/instructions")->Apply(sizes);

} // namespace spmd::bench
