// The interpreter's kernels on one core, and a collective over eight devices.

#include "spmd/bench/Measure.h"
#include "spmd/lowering/interpreter/Executable.h"
#include "spmd/lowering/program/Releases.h"

#include <cblas.h>

namespace spmd::bench {

using Shape = std::vector<int64_t>;

static TensorType f32(Shape shape) { return {ElementType::f32, std::move(shape)}; }

/// Adds `op` to `function` and returns its result.
static ValueId append(Function &function, std::string op, std::vector<ValueId> operands,
                      TensorType result, Attributes attributes = {},
                      std::vector<int32_t> functions = {}) {
  Instruction instruction;
  instruction.op = std::move(op);
  instruction.operands = std::move(operands);
  instruction.results = {static_cast<ValueId>(function.values.size())};
  instruction.attributes = std::move(attributes);
  instruction.functions = std::move(functions);
  function.values.push_back(std::move(result));
  function.instructions.push_back(std::move(instruction));
  return function.values.size() - 1;
}

static Function functionOf(std::vector<TensorType> arguments) {
  Function function;
  function.numArguments = arguments.size();
  function.values = std::move(arguments);
  return function;
}

/// `(%0, %1) -> add(%0, %1)` on scalars.
static Function sumBody() {
  Function body = functionOf({f32({}), f32({})});
  body.results = {append(body, "add", {0, 1}, f32({}))};
  return body;
}

/// A program that is one function, and the bodies it uses.
static DeviceProgram programOf(Function main, std::vector<Function> bodies = {},
                               int64_t numDevices = 1) {
  DeviceProgram program;
  program.numDevices = numDevices;
  program.functions.push_back(std::move(main));
  for (Function &body : bodies)
    program.functions.push_back(std::move(body));
  planReleases(program);
  return program;
}

/// Runs `program` on small numbers, the same arguments each time.
static void runProgram(benchmark::State &state, const DeviceProgram &program) {
  KernelRegistry registry;
  addBuiltinKernels(registry);
  absl::StatusOr<Executable> executable = Executable::prepare(program, registry);
  if (!executable.ok())
    return state.SkipWithError(std::string(executable.status().message()).c_str());
  const Function &main = program.functions[program.entry];
  std::vector<Tensor> arguments;
  for (int32_t i = 0; i < main.numArguments; ++i) {
    Tensor tensor = *Tensor::allocate(main.values[i]);
    for (int64_t e = 0; e < tensor.numElements(); ++e)
      tensor.mutableAs<float>()[e] = static_cast<float>(e % 7) * 0.25f;
    arguments.push_back(std::move(tensor));
  }
  std::vector<std::vector<Tensor>> all(program.numDevices, arguments);
  for (auto _ : state)
    if (auto results = executable->run(all); !results.ok())
      return state.SkipWithError(std::string(results.status().message()).c_str());
}

static void reportRate(benchmark::State &state, const char *name, double perIteration) {
  state.counters[name] =
      benchmark::Counter(perIteration, benchmark::Counter::kIsIterationInvariantRate);
}

//===- Products ------------------------------------------------------------===//

static double flopsOfProduct(int64_t n) {
  double size = static_cast<double>(n);
  return 2 * size * size * size;
}

static void dot(benchmark::State &state) {
  int64_t n = state.range(0);
  Function main = functionOf({f32({n, n}), f32({n, n})});
  main.results = {
      append(main, "dot_general", {0, 1}, f32({n, n}),
             {{"lhs_contracting_dimensions", Shape{1}}, {"rhs_contracting_dimensions", Shape{0}}})};
  runProgram(state, programOf(std::move(main)));
  reportRate(state, "flop/s", flopsOfProduct(n));
}
BENCHMARK(dot)->Name("interpreter/dot")->Arg(512)->Arg(1024)->Unit(benchmark::kMillisecond);

static void openBlas(benchmark::State &state) {
  int64_t n = state.range(0);
  std::vector<float> a(n * n, 0.25f), b(n * n, 0.5f), c(n * n);
  openblas_set_num_threads(1);
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a.data(), n, b.data(), n, 0,
                c.data(), n);
    benchmark::ClobberMemory();
  }
  reportRate(state, "flop/s", flopsOfProduct(n));
}
BENCHMARK(openBlas)
    ->Name("interpreter/dot_by_openblas")
    ->Arg(512)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);

//===- Elementwise chains --------------------------------------------------===//

/// Five ops on one value.
static void appendChain(Function &function, const TensorType &type) {
  ValueId x = append(function, "multiply", {0, 1}, type);
  x = append(function, "add", {x, 1}, type);
  x = append(function, "maximum", {x, 0}, type);
  x = append(function, "subtract", {x, 1}, type);
  function.results = {append(function, "negate", {x}, type)};
}

static void chainApart(benchmark::State &state) {
  int64_t n = state.range(0);
  Function main = functionOf({f32({n}), f32({n})});
  appendChain(main, f32({n}));
  runProgram(state, programOf(std::move(main)));
  reportRate(state, "elements/s", static_cast<double>(n));
}
BENCHMARK(chainApart)
    ->Name("interpreter/chain_apart")
    ->Arg(1 << 14)
    ->Arg(1 << 20)
    ->Unit(benchmark::kMicrosecond);

static void chainFused(benchmark::State &state) {
  int64_t n = state.range(0);
  Function body = functionOf({f32({n}), f32({n})});
  appendChain(body, f32({n}));
  Function main = functionOf({f32({n}), f32({n})});
  main.results = {append(main, "fused", {0, 1}, f32({n}), {}, {1})};
  runProgram(state, programOf(std::move(main), {std::move(body)}));
  reportRate(state, "elements/s", static_cast<double>(n));
}
BENCHMARK(chainFused)
    ->Name("interpreter/chain_fused")
    ->Arg(1 << 14)
    ->Arg(1 << 20)
    ->Unit(benchmark::kMicrosecond);

//===- Moves and reductions ------------------------------------------------===//

static void reduce(benchmark::State &state) {
  int64_t n = 1024, dim = state.range(0);
  Function main = functionOf({f32({n, n}), f32({})});
  main.results = {append(main, "reduce", {0, 1}, f32({n}), {{"dimensions", Shape{dim}}}, {1})};
  runProgram(state, programOf(std::move(main), {sumBody()}));
  reportRate(state, "elements/s", static_cast<double>(n * n));
}
BENCHMARK(reduce)
    ->Name("interpreter/reduce_1024x1024/dim")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMicrosecond);

static void transpose(benchmark::State &state) {
  int64_t n = 1024;
  Function main = functionOf({f32({n, n})});
  main.results = {append(main, "transpose", {0}, f32({n, n}), {{"permutation", Shape{1, 0}}})};
  runProgram(state, programOf(std::move(main)));
  reportRate(state, "elements/s", static_cast<double>(n * n));
}
BENCHMARK(transpose)->Name("interpreter/transpose_1024x1024")->Unit(benchmark::kMicrosecond);

static void allReduce(benchmark::State &state) {
  int64_t n = state.range(0);
  Function main = functionOf({f32({n})});
  main.results = {append(main, "all_reduce", {0}, f32({n}), {}, {1})};
  runProgram(state, programOf(std::move(main), {sumBody()}, 8));
  reportRate(state, "elements/s", static_cast<double>(8 * n));
}
BENCHMARK(allReduce)
    ->Name("interpreter/all_reduce_8_devices")
    ->Arg(1 << 10)
    ->Arg(1 << 18)
    ->Unit(benchmark::kMicrosecond);

} // namespace spmd::bench
