#include "spmd/bench/Programs.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

namespace spmd::bench {

using namespace stablehlo;

const char *nameOf(ProgramKind kind) {
  constexpr const char *names[] = {"chain", "tree",     "fan_out",   "hub",
                                   "line",  "constant", "conflicts", "layers",
                                   "calls", "shared",   "barrier",   "priorities"};
  return names[static_cast<int>(kind)];
}

namespace {

/// Divides by every mesh in use, so that shards are even.
constexpr const char *square = "tensor<8192x8192xf32>";

constexpr const char *rowsOnX = R"([{"x"}, {}])", *columnsOnX = R"([{}, {"x"}])",
                     *columnsOnY = R"([{}, {"y"}])";

std::string argument(int64_t index, llvm::StringRef type, llvm::StringRef dims) {
  return ("%arg" + llvm::Twine(index) + ": " + type + " {sdy.sharding = #sdy.sharding<@mesh, " +
          dims + ">}")
      .str();
}

class ProgramBuilder {
public:
  ProgramBuilder(mlir::MLIRContext &context, ProgramKind kind, int64_t numOps, int64_t numDevices)
      : context(context), builder(&context), loc(builder.getUnknownLoc()), kind(kind),
        numOps(numOps), numDevices(numDevices) {}

  mlir::OwningOpRef<mlir::ModuleOp> run() {
    openModule();
    mlir::Value first = main.getArgument(0);
    mlir::Operation *end = main.getBody().front().getTerminator();
    builder.setInsertionPoint(end);
    end->setOperand(0, body(first));
    return std::move(module);
  }

private:
  mlir::Value body(mlir::Value x) {
    switch (kind) {
    case ProgramKind::chain:
      return chain(x, main.getArgument(1), numOps, /*withProducts=*/true);
    case ProgramKind::tree:
      return tree(x, main.getArgument(1));
    case ProgramKind::fanOut:
      return fanOut(dot(x, main.getArgument(1)));
    case ProgramKind::hub:
      return hub(x);
    case ProgramKind::line:
      return chain(x, x, numOps, /*withProducts=*/false);
    case ProgramKind::constant:
      return sums(x);
    case ProgramKind::conflicts:
      return conflicts(x);
    case ProgramKind::layers:
      return layers(x);
    case ProgramKind::calls:
      return calls(x, numOps / (opsOfCallee + 2), numOps / (opsOfCallee + 2));
    case ProgramKind::shared:
      return calls(x, 1, numOps / opsOfCallee);
    case ProgramKind::barrier:
      return barrier(x, main.getArgument(1));
    case ProgramKind::priorities:
      return priorities(x);
    }
    return x;
  }

  //===- Kinds ---------------------------------------------------------------===//

  mlir::Value chain(mlir::Value x, mlir::Value weight, int64_t length, bool withProducts) {
    for (int64_t i = 0; i < length; ++i)
      x = withProducts && i % 8 == 7 ? dot(x, weight) : i % 8 == 3 ? add(x, weight) : unary(i, x);
    return x;
  }

  mlir::Value tree(mlir::Value a, mlir::Value b) {
    std::vector<mlir::Value> level;
    for (int64_t i = 0; i < numOps / 2; ++i) {
      level.push_back(unary(i, i % 2 ? b : a));
      if (i % 64 == 0)
        level.back() = constrain(level.back(), columnsOnY);
    }
    while (level.size() > 1) {
      std::vector<mlir::Value> above;
      for (size_t i = 0; i + 1 < level.size(); i += 2)
        above.push_back(add(level[i], level[i + 1]));
      if (level.size() % 2)
        above.push_back(level.back());
      level = std::move(above);
    }
    return level.front();
  }

  mlir::Value fanOut(mlir::Value hub) {
    mlir::Value sum = hub;
    for (int64_t i = 0; i < numOps / 2; ++i)
      sum = add(sum, i % 2 ? transpose(hub) : unary(i, hub));
    return sum;
  }

  mlir::Value hub(mlir::Value x) {
    mlir::Value last = x;
    for (int64_t i = 0; i < numOps; ++i)
      last = unary(i, x);
    return last;
  }

  mlir::Value sums(mlir::Value x) {
    mlir::Value one =
        ConstantOp::create(builder, loc,
                           mlir::DenseElementsAttr::get(llvm::cast<mlir::ShapedType>(x.getType()),
                                                        builder.getF32FloatAttr(1.0f)));
    for (int64_t i = 0; i < numOps; ++i)
      x = add(x, one);
    return x;
  }

  mlir::Value conflicts(mlir::Value x) {
    const char *dims[] = {rowsOnX, columnsOnX, R"([{"y"}, {"x"}])", R"([{"x", "y"}, {}])"};
    for (int64_t i = 0; i < numOps; ++i) {
      x = unary(i, x);
      if (i % 4 == 3)
        x = constrain(x, dims[i / 4 % 4]);
    }
    return x;
  }

  mlir::Value layers(mlir::Value x) {
    for (unsigned i = 1; i + 1 < main.getNumArguments(); i += 2) {
      mlir::Value wide = dot(unary(0, x), main.getArgument(i));
      mlir::Value gated = MulOp::create(builder, loc, wide, unary(5, wide));
      x = add(x, dot(gated, main.getArgument(i + 1)));
    }
    return x;
  }

  /// Of a function that is called; its return and the call are two more.
  static constexpr int64_t opsOfCallee = 8;

  /// Calls of `numFunctions` functions in turn.
  mlir::Value calls(mlir::Value x, int64_t numFunctions, int64_t numCalls) {
    std::vector<mlir::func::FuncOp> functions;
    mlir::FunctionType type = builder.getFunctionType({x.getType(), x.getType()}, x.getType());
    mlir::OpBuilder atEnd = mlir::OpBuilder::atBlockEnd(module->getBody());
    for (int64_t i = 0; i < numFunctions; ++i) {
      auto func = mlir::func::FuncOp::create(atEnd, loc, ("f" + llvm::Twine(i)).str(), type);
      func.setPrivate();
      mlir::OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(func.addEntryBlock());
      mlir::func::ReturnOp::create(
          builder, loc,
          chain(func.getArgument(0), func.getArgument(1), opsOfCallee, /*withProducts=*/true));
      functions.push_back(func);
    }
    for (int64_t i = 0; i < numCalls; ++i)
      x = mlir::func::CallOp::create(builder, loc, functions[i % numFunctions],
                                     mlir::ValueRange{x, main.getArgument(1)})
              .getResult(0);
    return x;
  }

  mlir::Value barrier(mlir::Value a, mlir::Value b) {
    std::vector<mlir::Value> values;
    for (int64_t i = 0; i < numOps / 2; ++i)
      values.push_back(unary(i, i % 2 ? b : a));
    auto barrier = OptimizationBarrierOp::create(
        builder, loc, mlir::TypeRange(mlir::ValueRange(values)), mlir::ValueRange(values));
    mlir::Value last;
    for (int64_t i = 0; i < numOps / 2; ++i)
      last = unary(i, barrier->getResult(i));
    return last;
  }

  mlir::Value priorities(mlir::Value x) {
    const char *axes[] = {"x", "y"};
    for (int64_t i = 0; i < numOps / 2; ++i)
      x = constrain(unary(i, x),
                    ("[{\"" + llvm::Twine(axes[i % 2]) + "\"}p" + llvm::Twine(i) + ", {?}]").str());
    return x;
  }

  //===- Ops -----------------------------------------------------------------===//

  mlir::Value unary(int64_t i, mlir::Value x) {
    switch (i % 6) {
    case 0:
      return TanhOp::create(builder, loc, x);
    case 1:
      return NegOp::create(builder, loc, x);
    case 2:
      return SineOp::create(builder, loc, x);
    case 3:
      return CosineOp::create(builder, loc, x);
    case 4:
      return FloorOp::create(builder, loc, x);
    default:
      return LogisticOp::create(builder, loc, x);
    }
  }

  mlir::Value add(mlir::Value a, mlir::Value b) { return AddOp::create(builder, loc, a, b); }
  mlir::Value transpose(mlir::Value x) {
    return TransposeOp::create(builder, loc, x, llvm::ArrayRef<int64_t>{1, 0});
  }

  mlir::Value dot(mlir::Value a, mlir::Value b) {
    auto left = llvm::cast<mlir::RankedTensorType>(a.getType()),
         right = llvm::cast<mlir::RankedTensorType>(b.getType());
    return DotGeneralOp::create(builder, loc, left.clone({left.getDimSize(0), right.getDimSize(1)}),
                                a, b, DotDimensionNumbersAttr::get(&context, {}, {}, {1}, {0}),
                                nullptr, nullptr);
  }

  mlir::Value constrain(mlir::Value x, llvm::StringRef dims) {
    mlir::Attribute &sharding = shardings[dims];
    if (!sharding)
      sharding = mlir::parseAttribute(("#sdy.sharding<@mesh, " + dims + ">").str(), &context);
    return sdy::ShardingConstraintOp::create(builder, loc, x,
                                             llvm::cast<sdy::ShardingAttr>(sharding));
  }

  //===- Module --------------------------------------------------------------===//

  /// A module with the mesh and a `@main` that returns its first argument.
  void openModule() {
    std::string arguments = argument(0, square, rowsOnX);
    if (kind == ProgramKind::layers) {
      for (int64_t i = 0; i < std::max<int64_t>(numOps / 6, 1); ++i)
        arguments += ", " + argument(2 * i + 1, square, columnsOnX) + ", " +
                     argument(2 * i + 2, square, rowsOnX);
    } else {
      arguments += ", " + argument(1, square, columnsOnY);
    }
    std::string text = ("sdy.mesh @mesh = <[\"x\"=" + llvm::Twine(numDevices / 2) +
                        ", \"y\"=2]>\n" + "func.func public @main(" + arguments + ") -> " + square +
                        " {\n" + "return %arg0 : " + square + "\n}\n")
                           .str();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    main = module->lookupSymbol<mlir::func::FuncOp>("main");
  }

  mlir::MLIRContext &context;
  mlir::OpBuilder builder;
  mlir::Location loc;
  ProgramKind kind;
  int64_t numOps, numDevices;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp main;
  llvm::StringMap<mlir::Attribute> shardings;
};

} // namespace

mlir::OwningOpRef<mlir::ModuleOp> makeProgram(mlir::MLIRContext &context, ProgramKind kind,
                                              int64_t numOps, int64_t numDevices) {
  return ProgramBuilder(context, kind, numOps, numDevices).run();
}

} // namespace spmd::bench
