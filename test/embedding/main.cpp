// What an embedding project does: loads a program with an op of its own, says how that op splits
// and how it runs, partitions, reads the flags, executes on the mesh's devices and checks the
// numbers.

#include "spmd/dialect/Register.h"
#include "spmd/dialect/import/Load.h"
#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/sharding/Layout.h"
#include "spmd/lowering/compile/Compile.h"
#include "spmd/lowering/interpreter/Boundary.h"
#include "spmd/lowering/interpreter/Executable.h"
#include "spmd/lowering/interpreter/KernelRegistry.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/plan/ApplyPlan.h"
#include "spmd/passes/propagate/Flags.h"
#include "spmd/passes/refine/inputs/RefineToInputs.h"
#include "spmd/passes/verify/rules/CheckRules.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace {

// Every row is scaled by its own factor; `rows` tells the op how many there are on the device.
// @loose touches nothing that is annotated, so its values are flagged.
constexpr const char *program = R"mlir(
sdy.mesh @mesh = <["x"=4]>
func.func public @main(%rows: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                       %factors: tensor<8xf32>, %loose: tensor<2x2xf32>) -> (tensor<8x3xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.custom_call @scale_rows(%rows, %factors) {mhlo.backend_config = {rows = 8 : i64}}
      : (tensor<8x3xf32>, tensor<8xf32>) -> tensor<8x3xf32>
  %1 = stablehlo.negate %loose : tensor<2x2xf32>
  return %0, %1 : tensor<8x3xf32>, tensor<2x2xf32>
}
)mlir";

/// ([i, j], [i]) -> ([i, j]); the number of rows becomes the local one.
spmd::CustomCallRule scaleRowsRule() {
  spmd::CustomCallRule rule;
  rule.strategies = [](mlir::Operation *op) {
    auto shape = llvm::cast<mlir::RankedTensorType>(op->getOperand(0).getType()).getShape();
    spmd::RuleBuilder builder(2, 1);
    int16_t row = builder.factor(shape[0]), column = builder.factor(shape[1]);
    builder.operand(0, 0, {row}).operand(0, 1, {column}).operand(1, 0, {row});
    builder.result(0, 0, {row}).result(0, 1, {column});
    return spmd::Strategies{{builder.take(), {}, {}, 0}};
  };
  rule.localize = [](mlir::Operation *op, spmd::Localizer &localizer) {
    int64_t rows = llvm::cast<mlir::RankedTensorType>(op->getOperand(0).getType()).getDimSize(0);
    mlir::Builder builder(op->getContext());
    op->setDiscardableAttr("mhlo.backend_config", builder.getDictionaryAttr(builder.getNamedAttr(
                                                      "rows", builder.getI64IntegerAttr(rows))));
    return mlir::success();
  };
  return rule;
}

absl::Status runScaleRows(absl::Span<const spmd::Tensor> in, absl::Span<spmd::Tensor> out,
                          const spmd::Attributes &attributes) {
  int64_t rows = in[0].type().shape[0], columns = in[0].type().shape[1];
  absl::StatusOr<int64_t> told = attributes.get<int64_t>("backend_config.rows");
  if (!told.ok())
    return told.status();
  if (*told != rows)
    return absl::InvalidArgumentError("scale_rows was told the wrong number of rows");
  for (int64_t i = 0; i < rows * columns; ++i)
    out[0].mutableAs<float>()[i] = in[0].as<float>()[i] * in[1].as<float>()[i / columns];
  return absl::OkStatus();
}

bool expect(bool condition, const char *what) {
  if (!condition)
    std::fprintf(stderr, "embedding: %s\n", what);
  return condition;
}

bool execute(mlir::ModuleOp module) {
  mlir::FailureOr<spmd::DeviceProgram> compiled = spmd::compileModule(module);
  if (!expect(mlir::succeeded(compiled), "the partitioned program does not compile"))
    return false;
  spmd::KernelRegistry kernels;
  spmd::addBuiltinKernels(kernels);
  kernels.addCustomCall("scale_rows", runScaleRows);
  absl::StatusOr<spmd::Executable> executable = spmd::Executable::prepare(*compiled, kernels);
  if (!expect(executable.ok(), "the program cannot be prepared"))
    return false;

  std::vector<float> rows(24), factors(8), scaled(24);
  for (int i = 0; i < 8; ++i)
    factors[i] = static_cast<float>(i);
  for (int i = 0; i < 24; ++i) {
    rows[i] = static_cast<float>(i % 5);
    scaled[i] = rows[i] * factors[i / 3];
  }
  std::vector<spmd::Tensor> inputs = {
      spmd::Tensor::of(spmd::ElementType::f32, {8, 3}, rows),
      spmd::Tensor::of(spmd::ElementType::f32, {8}, factors),
      spmd::Tensor::of(spmd::ElementType::f32, {2, 2}, std::vector<float>{1, 2, 3, 4})};
  auto arguments = spmd::cutArguments(*compiled, inputs);
  if (!expect(arguments.ok() && arguments->size() == 4, "the inputs are not cut for 4 devices"))
    return false;
  auto local = executable->run(*std::move(arguments), {/*threads=*/2});
  if (!local.ok())
    std::fprintf(stderr, "%s\n", std::string(local.status().message()).c_str());
  if (!expect(local.ok(), "the program does not run"))
    return false;
  auto results = spmd::joinResults(*compiled, *local, kernels);
  return expect(results.ok(), "the results do not join") &&
         expect(identical((*results)[0], spmd::Tensor::of(spmd::ElementType::f32, {8, 3}, scaled)),
                "rows are not scaled by their factors") &&
         expect(identical((*results)[1], spmd::Tensor::of(spmd::ElementType::f32, {2, 2},
                                                          std::vector<float>{-1, -2, -3, -4})),
                "the loose value is not negated");
}

/// The rule is checked against the kernel; one that takes columns for rows is found out.
bool checksRules(mlir::MLIRContext &context, mlir::ModuleOp module) {
  spmd::KernelRegistry kernels;
  spmd::addBuiltinKernels(kernels);
  kernels.addCustomCall("scale_rows", runScaleRows);
  spmd::RuleCheckSettings settings = spmd::RuleCheckSettings::standard();
  settings.kernels = &kernels;
  if (!expect(mlir::succeeded(spmd::checkRules(module, settings, /*all=*/false)),
              "a rule that holds is rejected"))
    return false;
  spmd::CustomCallRule wrong = scaleRowsRule();
  wrong.strategies = [](mlir::Operation *op) {
    spmd::RuleBuilder builder(2, 1);
    int32_t row = builder.factor(8), column = builder.factor(3);
    builder.operand(0, 0, {row}).operand(0, 1, {column}).operandRank(1, 1);
    builder.result(0, 0, {row}).result(0, 1, {column});
    return spmd::Strategies{{builder.take(), {}, {}, 0}};
  };
  spmd::registerCustomCallRule(context, "scale_rows", wrong);
  mlir::Operation *call = nullptr;
  module.walk([&](mlir::Operation *op) {
    if (spmd::customCallTarget(op))
      call = op;
  });
  spmd::RuleFinding finding = spmd::checkRule(call, settings);
  spmd::registerCustomCallRule(context, "scale_rows", scaleRowsRule());
  return expect(finding.verdict == spmd::RuleFinding::Verdict::isFalse &&
                    finding.message.find("is false: with i over \"x\" on <[\"x\"=2]>, device ") !=
                        std::string::npos,
                "a false rule is not found out");
}

absl::Status runAccumulate(absl::Span<const spmd::Tensor> in, absl::Span<spmd::Tensor> out,
                           const spmd::Attributes &attributes) {
  absl::StatusOr<int64_t> told = attributes.get<int64_t>("rows");
  if (!told.ok())
    return told.status();
  if (*told != in[0].type().shape[0])
    return absl::InvalidArgumentError("accumulate was told the wrong number of rows");
  for (int64_t i = 0; i < in[0].numElements(); ++i)
    out[0].mutableAs<float>()[i] = in[0].as<float>()[i] + in[1].as<float>()[i];
  return absl::OkStatus();
}

/// A rule in words: which operand is written, and which attribute counts rows. Returns what the
/// program computes on two devices, after a check of the rule; nothing after an error.
std::optional<std::vector<spmd::Tensor>> runDescribed(mlir::MLIRContext &context, const char *text,
                                                      const std::vector<spmd::Tensor> &inputs) {
  auto rule = mlir::parseAttribute(R"mlir({
    dims = "([i, j], [i, j])->([i, j])", writes = array<i64: 0>,
    local = [{attribute = "rows", factor = "i"}]})mlir",
                                   &context);
  spmd::registerCustomCallRule(context, "accumulate",
                               {nullptr, nullptr, llvm::cast<mlir::DictionaryAttr>(rule)});
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  spmd::KernelRegistry kernels;
  spmd::addBuiltinKernels(kernels);
  kernels.addCustomCall("accumulate", runAccumulate);
  spmd::RuleCheckSettings settings = spmd::RuleCheckSettings::standard();
  settings.kernels = &kernels;
  mlir::PassManager manager(&context);
  spmd::buildPipeline(manager, {});
  if (!module || mlir::failed(spmd::checkRules(*module, settings, /*all=*/false)) ||
      mlir::failed(manager.run(*module)))
    return std::nullopt;
  mlir::FailureOr<spmd::DeviceProgram> compiled = spmd::compileModule(*module);
  if (mlir::failed(compiled))
    return std::nullopt;
  auto executable = spmd::Executable::prepare(*compiled, kernels);
  auto arguments = spmd::cutArguments(*compiled, inputs);
  if (!executable.ok() || !arguments.ok())
    return std::nullopt;
  auto local = executable->run(*std::move(arguments));
  auto results = local.ok() ? spmd::joinResults(*compiled, *local, kernels) : local.status();
  return results.ok() ? std::optional(*results) : std::nullopt;
}

/// Of a call on a buffer the rule says what it writes; of one on values it cannot.
bool followsDescription(mlir::MLIRContext &context) {
  using spmd::Tensor;
  Tensor ones = Tensor::of(spmd::ElementType::f32, {4, 2}, std::vector<float>(8, 1));
  auto results = runDescribed(context, R"mlir(
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%b: !spmd.buffer<tensor<4x2xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                    %t: tensor<4x2xf32>) {
      stablehlo.custom_call @accumulate(%b, %t) {rows = 4 : i64}
          : (!spmd.buffer<tensor<4x2xf32>>, tensor<4x2xf32>) -> ()
      return
    })mlir",
                              {ones, ones});
  if (!expect(results && identical((*results)[0], Tensor::of(spmd::ElementType::f32, {4, 2},
                                                             std::vector<float>(8, 2))),
              "a rule in words does not run"))
    return false;
  auto none = runDescribed(context, R"mlir(
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%b: tensor<4x2xf32>, %t: tensor<4x2xf32>) -> tensor<4x2xf32> {
      %0 = stablehlo.custom_call @accumulate(%b, %t) {rows = 4 : i64}
          : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      return %0 : tensor<4x2xf32>
    })mlir",
                           {ones, ones});
  return expect(!none, "a rule that writes a value is accepted");
}

/// A plan in memory partitions a program that says nothing of shardings.
bool followsPlan(mlir::MLIRContext &context) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
    func.func @main(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
      %0 = stablehlo.tanh %x : tensor<8x3xf32>
      return %0 : tensor<8x3xf32>
    })mlir",
                                                        &context);
  std::vector<spmd::PlanFinding> findings;
  std::optional<spmd::ProgramPlan> plan = spmd::readPlan(
      "mesh { axis { name: 'x' size: 4 } } entry { argument: '0' fsdp { axis: 'x' } }", "memory",
      findings);
  mlir::PassManager manager(&context);
  spmd::buildPipeline(manager, {});
  if (!expect(module && plan && mlir::succeeded(spmd::applyPlan(*module, *plan)) &&
                  mlir::succeeded(manager.run(*module)),
              "the plan does not apply"))
    return false;
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  auto local = llvm::cast<mlir::RankedTensorType>(main.getArgument(0).getType());
  return expect(local.getDimSize(0) == 2, "the plan does not split the argument");
}

/// As many numbers as the sum of the data says, computed on two devices.
bool followsData(mlir::MLIRContext &context) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<?xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<?xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
      %n = stablehlo.reshape %sum : (tensor<i32>) -> tensor<1xi32>
      %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    })mlir",
                                                        &context);
  spmd::KernelRegistry kernels;
  spmd::addBuiltinKernels(kernels);
  std::vector<spmd::Tensor> inputs = {
      spmd::Tensor::of(spmd::ElementType::i32, {3}, std::vector<int32_t>{1, 0, 4})};
  std::vector<spmd::Tensor> none;
  if (!expect(module && mlir::failed(spmd::refineToInputs(module, none, kernels)),
              "tensors that are not given are not missed") ||
      !expect(mlir::succeeded(spmd::refineToInputs(module, inputs, kernels)),
              "sizes do not follow from data"))
    return false;
  mlir::PassManager manager(&context);
  spmd::buildPipeline(manager, {});
  mlir::FailureOr<spmd::DeviceProgram> compiled = mlir::failure();
  if (mlir::succeeded(manager.run(*module)))
    compiled = spmd::compileModule(*module);
  if (!expect(mlir::succeeded(compiled), "the refined program does not compile"))
    return false;
  auto executable = spmd::Executable::prepare(*compiled, kernels);
  auto arguments = spmd::cutArguments(*compiled, inputs);
  if (!expect(executable.ok() && arguments.ok(), "the refined program does not fit its inputs"))
    return false;
  auto local = executable->run(*std::move(arguments));
  auto results = local.ok() ? spmd::joinResults(*compiled, *local, kernels) : local.status();
  return expect(results.ok() &&
                    identical((*results)[0], spmd::Tensor::of(spmd::ElementType::f32, {5},
                                                              std::vector<float>{0, 1, 2, 3, 4})),
                "the refined program does not count");
}

/// Calls whose sizes follow from the same data share a function, but for the first of them.
bool sharesFunctions(mlir::MLIRContext &context) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
    func.func @main(%n: tensor<1xi32>) -> tensor<?xf32> {
      %seven = stablehlo.constant dense<7> : tensor<1xi32>
      %0 = stablehlo.dynamic_iota %seven, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
      %1 = call @count(%0, %n) : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
      %2 = call @count(%1, %n) : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
      %3 = call @count(%2, %n) : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
      return %3 : tensor<?xf32>
    }
    func.func private @count(%x: tensor<?xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {
      %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
      %1 = stablehlo.add %x, %0 : tensor<?xf32>
      return %1 : tensor<?xf32>
    })mlir",
                                                        &context);
  spmd::KernelRegistry kernels;
  spmd::addBuiltinKernels(kernels);
  std::vector<spmd::Tensor> inputs = {
      spmd::Tensor::of(spmd::ElementType::i32, {1}, std::vector<int32_t>{7})};
  if (!expect(module && mlir::succeeded(spmd::refineToInputs(module, inputs, kernels)),
              "sizes do not follow through calls"))
    return false;
  auto functions = module->getOps<mlir::func::FuncOp>();
  return expect(std::distance(functions.begin(), functions.end()) == 3,
                "calls that know the same do not share a function");
}

/// A new context takes attributes and ops at once, before anything is parsed in it.
bool buildsProgram() {
  mlir::DialectRegistry registry;
  spmd::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  absl::StatusOr<spmd::Mesh> mesh = spmd::Mesh::create({{"x", 2}});
  if (!expect(mesh.ok(), "there is no mesh"))
    return false;
  mlir::OpBuilder builder(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToStart(module->getBody());
  auto op = spmd::sdy::MeshOp::create(builder, builder.getUnknownLoc(), "mesh",
                                      spmd::sdy::MeshAttr::get(&context, *std::move(mesh)));
  auto type = mlir::RankedTensorType::get({2}, builder.getF32Type());
  auto buffer = spmd::BufferType::get(type);
  auto constant = spmd::stablehlo::ConstantOp::create(
      builder, builder.getUnknownLoc(), mlir::DenseElementsAttr::get(type, {1.0f, 2.0f}));
  return expect(op && buffer && constant && mlir::succeeded(mlir::verify(*module)),
                "the program that was built does not verify");
}

/// Portable bytecode is refused with a message, though a handler of the host listens.
bool refusesBytecode(mlir::MLIRContext &context) {
  char path[] = "/tmp/spmd-embedding-XXXXXX";
  int file = mkstemp(path);
  const char bytes[] = "ML\xefR\x0dStableHLO_v1.13.0\0\x01\x05vhlo";
  bool written = write(file, bytes, sizeof(bytes)) == static_cast<ssize_t>(sizeof(bytes));
  close(file);
  std::string errors;
  llvm::raw_string_ostream os(errors);
  llvm::SourceMgr sourceMgr;
  mlir::OwningOpRef<mlir::ModuleOp> module = spmd::loadProgram(path, context, sourceMgr, os);
  std::remove(path);
  return expect(written && !module &&
                    errors.find("bytecode written by 'StableHLO_v1.13.0' cannot be read") !=
                        std::string::npos,
                "portable bytecode is not refused");
}

/// All of it in a context of its own; several run at once.
bool session() {
  mlir::DialectRegistry registry;
  spmd::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    diagnostics += diagnostic.str() + "\n";
    return mlir::success();
  });
  spmd::registerCustomCallRule(context, "scale_rows", scaleRowsRule());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(program, &context);
  if (!expect(static_cast<bool>(module), "the program does not parse"))
    return false;

  if (!checksRules(context, *module))
    return false;

  spmd::PipelineOptions options;
  mlir::PassManager propagation(&context), rest(&context);
  for (auto stage :
       {spmd::PipelineOptions::Stage::functionalize, spmd::PipelineOptions::Stage::propagate})
    spmd::addStage(propagation, stage, options);
  for (auto stage : {spmd::PipelineOptions::Stage::reshard, spmd::PipelineOptions::Stage::partition,
                     spmd::PipelineOptions::Stage::optimize})
    spmd::addStage(rest, stage, options);
  if (!expect(mlir::succeeded(propagation.run(*module)), "propagation fails"))
    return false;
  std::vector<spmd::Flag> flags = spmd::collectFlags(*module);
  if (!expect(flags.size() == 2 && flags[0].value == "argument 2 of @main" &&
                  flags[1].value == "'stablehlo.negate' op result 0",
              "the loose values are not flagged") ||
      !expect(diagnostics.find("argument 2 of @main has no sharding") != std::string::npos,
              "the flags are not reported"))
    return false;
  return expect(mlir::succeeded(rest.run(*module)), "partitioning fails") && execute(*module) &&
         buildsProgram() && refusesBytecode(context) && followsPlan(context) &&
         followsDescription(context) && followsData(context) && sharesFunctions(context);
}

} // namespace

int main() {
  bool first = false, second = false;
  std::thread one([&] { first = session(); }), two([&] { second = session(); });
  one.join();
  two.join();
  std::printf("%s\n", first && second ? "ok" : "failed");
  return first && second ? 0 : 1;
}
