// Functionalization, per op, of programs with a buffer for every ten ops, more than half of them
// updated through ten views in a row. Times are user CPU; a program is built in memory for each
// run, outside of the time.
//
// `on` and `off` say whether buffers become values or are only accessed whole; `10x` is how many
// times longer it takes than on a tenth of the ops.

#include "spmd/bench/Measure.h"
#include "spmd/dialect/Register.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd::bench {

namespace {

constexpr int64_t viewsInARow = 10;

class Mutable {
public:
  explicit Mutable(mlir::MLIRContext &context)
      : builder(&context), loc(builder.getUnknownLoc()),
        type(mlir::RankedTensorType::get({24, 16}, builder.getF32Type())) {}

  mlir::OwningOpRef<mlir::ModuleOp> run(int64_t numOps) {
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    auto main = mlir::func::FuncOp::create(builder, loc, "main", builder.getFunctionType({}, type));
    builder.setInsertionPointToEnd(main.addEntryBlock());
    mlir::Value last;
    for (int64_t count = 0, index = 0; count < numOps; ++index) {
      // Of 12 buffers, 7 are seen through views: ten ops a buffer on average.
      mlir::Value buffer = AllocOp::create(builder, loc, BufferType::get(type)), shown = buffer;
      bool hasViews = index % 12 < 7;
      for (int64_t i = 0; hasViews && i < viewsInARow; ++i)
        shown = viewOf(shown, i);
      mlir::Value old = LoadOp::create(builder, loc, shown);
      mlir::Value sum = stablehlo::AddOp::create(builder, loc, old.getType(), old, old);
      StoreOp::create(builder, loc, sum, shown);
      last = LoadOp::create(builder, loc, buffer);
      count += 5 + (hasViews ? viewsInARow : 0);
    }
    mlir::func::ReturnOp::create(builder, loc, last);
    return module;
  }

private:
  mlir::Value viewOf(mlir::Value shown, int64_t index) {
    mlir::RankedTensorType from = llvm::cast<BufferType>(shown.getType()).getTensor();
    int64_t rows = from.getDimSize(0), columns = from.getDimSize(1);
    auto typeOf = [&](int64_t first, int64_t second) {
      return BufferType::get(from.clone({first, second}));
    };
    auto numbers = [](int64_t first, int64_t second) {
      return llvm::SmallVector<int64_t, 2>{first, second};
    };
    if (index % 3 == 0)
      return TransposeViewOp::create(builder, loc, typeOf(columns, rows), shown, numbers(1, 0));
    if (index % 3 == 1)
      return SliceViewOp::create(builder, loc, typeOf(rows - 2, columns), shown, numbers(1, 0),
                                 numbers(rows - 1, columns), numbers(1, 1));
    return ReshapeViewOp::create(builder, loc, typeOf(rows * columns / 2, 2), shown);
  }

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::RankedTensorType type;
};

} // namespace

static void functionalize(benchmark::State &state, bool toValues, int64_t numOps) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  double seconds = 0;
  for (auto _ : state) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    mlir::OwningOpRef<mlir::ModuleOp> module = Mutable(context).run(numOps);
    mlir::PassManager manager(&context);
    manager.enableVerifier(false);
    PipelineOptions options;
    options.functionalize = toValues;
    addStage(manager, PipelineOptions::Stage::functionalize, options);
    double start = userSeconds();
    if (mlir::failed(manager.run(*module))) {
      state.SkipWithError("functionalize");
      return;
    }
    double taken = userSeconds() - start;
    state.SetIterationTime(taken);
    seconds += taken;
  }
  seconds /= static_cast<double>(state.iterations());
  reportPerOp(state, "ns/op", seconds, static_cast<double>(numOps));
  reportGrowth(state, toValues ? "on" : "off", numOps, seconds);
}

static void registerAll() {
  for (bool toValues : {true, false})
    for (int64_t numOps : {10'000, 100'000, 1'000'000}) {
      std::string name =
          std::string("functionalize/") + (toValues ? "on/" : "off/") + std::to_string(numOps);
      benchmark::RegisterBenchmark(name.c_str(), functionalize, toValues, numOps)
          ->UseManualTime()
          ->Iterations(numOps < 1'000'000 ? 3 : 1)
          ->Unit(benchmark::kMillisecond);
    }
}

static const bool isRegistered = (registerAll(), true);

} // namespace spmd::bench
