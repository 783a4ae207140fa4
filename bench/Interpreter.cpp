// The interpreter's kernels on one core, and a collective over eight devices.

#include "spmd/bench/Measure.h"
#include "spmd/lowering/interpreter/Executable.h"
#include "spmd/lowering/program/Releases.h"

#include <algorithm>
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

/// Copies as many bytes as one operand of the moves below: what they are measured by.
static void copy(benchmark::State &state) {
  int64_t n = 1024;
  std::vector<float> from(n * n, 1.f), to(n * n);
  for (auto _ : state) {
    std::copy(from.begin(), from.end(), to.begin());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  reportRate(state, "elements/s", static_cast<double>(n * n));
}
BENCHMARK(copy)->Name("interpreter/copy_1024x1024_by_library")->Unit(benchmark::kMicrosecond);

static void move(benchmark::State &state, const char *op, std::vector<Shape> operands, Shape result,
                 Attributes attributes) {
  std::vector<TensorType> arguments;
  std::vector<ValueId> ids;
  for (Shape &shape : operands) {
    ids.push_back(ids.size());
    arguments.push_back(f32(std::move(shape)));
  }
  TensorType to = f32(std::move(result));
  double elements = static_cast<double>(to.numElements());
  Function main = functionOf(std::move(arguments));
  main.results = {append(main, op, ids, to, std::move(attributes))};
  runProgram(state, programOf(std::move(main)));
  reportRate(state, "elements/s", elements);
}
BENCHMARK_CAPTURE(move, slice, "slice", {{1100, 1100}}, {1024, 1024},
                  {{"start_indices", Shape{3, 5}}, {"limit_indices", Shape{1027, 1029}}})
    ->Name("interpreter/slice_1024x1024")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(move, strided_slice, "slice", {{1024, 2048}}, {1024, 1024},
                  {{"start_indices", Shape{0, 0}},
                   {"limit_indices", Shape{1024, 2048}},
                   {"strides", Shape{1, 2}}})
    ->Name("interpreter/strided_slice_1024x1024")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(move, pad, "pad", {{1000, 1000}, {}}, {1024, 1024},
                  {{"edge_padding_low", Shape{12, 12}}, {"edge_padding_high", Shape{12, 12}}})
    ->Name("interpreter/pad_1024x1024")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(move, concatenate, "concatenate", {{1024, 512}, {1024, 512}}, {1024, 1024},
                  {{"dimension", int64_t{1}}})
    ->Name("interpreter/concatenate_1024x1024")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(move, broadcast_rows, "broadcast_in_dim", {{1024}}, {1024, 1024},
                  {{"broadcast_dimensions", Shape{1}}})
    ->Name("interpreter/broadcast_rows_1024x1024")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(move, broadcast_columns, "broadcast_in_dim", {{1024}}, {1024, 1024},
                  {{"broadcast_dimensions", Shape{0}}})
    ->Name("interpreter/broadcast_columns_1024x1024")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(move, transpose3, "transpose", {{64, 128, 128}}, {128, 64, 128},
                  {{"permutation", Shape{1, 0, 2}}})
    ->Name("interpreter/transpose_outer_64x128x128")
    ->Unit(benchmark::kMicrosecond);

static void gather(benchmark::State &state) {
  int64_t rows = 1 << 14, width = state.range(0), count = (1 << 20) / width;
  Function main = functionOf({f32({rows, width}), f32({count})});
  ValueId indices = append(main, "convert", {1}, {ElementType::i32, {count}});
  main.results = {append(main, "gather", {0, indices}, f32({count, width}),
                         {{"offset_dims", Shape{1}},
                          {"collapsed_slice_dims", Shape{0}},
                          {"start_index_map", Shape{0}},
                          {"index_vector_dim", int64_t{1}},
                          {"slice_sizes", Shape{1, width}}})};
  runProgram(state, programOf(std::move(main)));
  reportRate(state, "elements/s", 1 << 20);
}
BENCHMARK(gather)->Name("interpreter/gather_rows")->Arg(8)->Arg(64)->Unit(benchmark::kMicrosecond);

//===- Sorting -------------------------------------------------------------===//

/// Numbers in no order: the low bits of multiples of an odd number.
static std::vector<float> shuffled(int64_t n) {
  std::vector<float> out;
  for (uint32_t i = 0; i < n; ++i)
    out.push_back(static_cast<float>((i * 2654435761u) >> 8));
  return out;
}

static void sort(benchmark::State &state) {
  int64_t n = state.range(0);
  Function body = functionOf({f32({}), f32({})});
  body.results = {append(
      body, "compare", {0, 1}, {ElementType::i1, {}},
      {{"comparison_direction", std::string("LT")}, {"compare_type", std::string("TOTALORDER")}})};
  Function main = functionOf({f32({n})});
  main.results = {append(main, "sort", {0}, f32({n}), {{"dimension", int64_t{0}}}, {1})};
  KernelRegistry registry;
  addBuiltinKernels(registry);
  auto executable = Executable::prepare(programOf(std::move(main), {std::move(body)}), registry);
  if (!executable.ok())
    return state.SkipWithError(std::string(executable.status().message()).c_str());
  Tensor in = Tensor::of<float>(ElementType::f32, {n}, shuffled(n));
  for (auto _ : state)
    if (auto results = executable->run({{in}}); !results.ok())
      return state.SkipWithError(std::string(results.status().message()).c_str());
  reportRate(state, "elements/s", static_cast<double>(n));
}
BENCHMARK(sort)
    ->Name("interpreter/sort")
    ->Arg(1 << 10)
    ->Arg(1 << 20)
    ->Unit(benchmark::kMicrosecond);

static void sortByLibrary(benchmark::State &state) {
  int64_t n = state.range(0);
  std::vector<float> in = shuffled(n);
  for (auto _ : state) {
    std::vector<float> copy = in;
    std::sort(copy.begin(), copy.end());
    benchmark::DoNotOptimize(copy.data());
  }
  reportRate(state, "elements/s", static_cast<double>(n));
}
BENCHMARK(sortByLibrary)
    ->Name("interpreter/sort_by_library")
    ->Arg(1 << 10)
    ->Arg(1 << 20)
    ->Unit(benchmark::kMicrosecond);

//===- Convolutions --------------------------------------------------------===//

/// 3x3 and 1x1 windows over 16 images of 28x28, in the layout [b, 0, 1, f].
static void convolution(benchmark::State &state) {
  int64_t window = state.range(0), features = state.range(1), size = 28, batch = 16,
          pad = window / 2;
  Function main =
      functionOf({f32({batch, size, size, features}), f32({window, window, features, features})});
  main.results = {append(main, "convolution", {0, 1}, f32({batch, size, size, features}),
                         {{"input_batch_dimension", int64_t{0}},
                          {"input_feature_dimension", int64_t{3}},
                          {"input_spatial_dimensions", Shape{1, 2}},
                          {"kernel_input_feature_dimension", int64_t{2}},
                          {"kernel_output_feature_dimension", int64_t{3}},
                          {"kernel_spatial_dimensions", Shape{0, 1}},
                          {"output_batch_dimension", int64_t{0}},
                          {"output_feature_dimension", int64_t{3}},
                          {"output_spatial_dimensions", Shape{1, 2}},
                          {"padding", Shape{pad, pad, pad, pad}}})};
  runProgram(state, programOf(std::move(main)));
  reportRate(state, "flop/s",
             2.0 *
                 static_cast<double>(batch * size * size * features * features * window * window));
}
BENCHMARK(convolution)
    ->Name("interpreter/convolution_28x28")
    ->Args({3, 32})
    ->Args({3, 128})
    ->Args({1, 128})
    ->Unit(benchmark::kMillisecond);

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
