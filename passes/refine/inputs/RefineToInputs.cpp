#include "spmd/passes/refine/inputs/RefineToInputs.h"

#include "spmd/dialect/spmd/ModulePlace.h"
#include "spmd/dialect/spmd/PartitionedModule.h"
#include "spmd/lowering/compile/Compile.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/Executable.h"
#include "spmd/lowering/interpreter/kernels/Indices.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/refine/Execution.h"

#include "absl/strings/str_cat.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

namespace spmd {

using mlir::LogicalResult;
using mlir::RankedTensorType;

namespace {

/// Runs parts of programs in the interpreter, whole and on one device.
class Interpretation : public Execution {
public:
  Interpretation(const RunInputs &inputs, const KernelRegistry &kernels, int threads)
      : inputs(inputs), kernels(kernels), threads(threads) {}

  absl::StatusOr<ArrayRef> argument(unsigned index, mlir::Type) override {
    absl::StatusOr<std::vector<Tensor>> tensors = inputs.tensorsOf(index);
    if (!tensors.ok())
      return tensors.status();
    return std::make_shared<Tensors>(*std::move(tensors));
  }

  absl::StatusOr<std::vector<ArrayRef>> run(mlir::ModuleOp program,
                                            llvm::ArrayRef<ArrayRef> arguments) override;

  Ints elements(const Array &array, RankedTensorType type) override;

private:
  /// A value as the runtime knows it: one tensor, or those in a tuple.
  struct Tensors : Array {
    explicit Tensors(std::vector<Tensor> tensors) : tensors(std::move(tensors)) {}
    std::vector<Tensor> tensors;
  };
  static const std::vector<Tensor> &tensorsOf(const Array &array) {
    return static_cast<const Tensors &>(array).tensors;
  }

  const RunInputs &inputs;
  const KernelRegistry &kernels;
  const int threads;
};

} // namespace

/// Returns how many tensors the runtime makes of a value of type `type`.
static size_t numTensors(mlir::Type type) {
  auto tuple = llvm::dyn_cast<mlir::TupleType>(type);
  if (!tuple)
    return 1;
  llvm::SmallVector<mlir::Type> parts;
  tuple.getFlattenedTypes(parts);
  return parts.size();
}

absl::StatusOr<std::vector<Execution::ArrayRef>>
Interpretation::run(mlir::ModuleOp program, llvm::ArrayRef<ArrayRef> arguments) {
  mlir::PassManager manager(program.getContext());
  addDevicePasses(manager);
  mlir::FailureOr<DeviceProgram> compiled = mlir::failure();
  if (mlir::succeeded(manager.run(program)))
    compiled = compileModule(program);
  if (mlir::failed(compiled))
    return absl::InvalidArgumentError("");
  absl::StatusOr<Executable> executable = Executable::prepare(*compiled, kernels);
  if (!executable.ok())
    return executable.status();
  std::vector<std::vector<Tensor>> given(1);
  for (const ArrayRef &argument : arguments)
    for (const Tensor &tensor : tensorsOf(*argument))
      given[0].push_back(tensor);
  absl::StatusOr<std::vector<std::vector<Tensor>>> results =
      executable->run(std::move(given), {threads});
  if (!results.ok())
    return results.status();
  std::vector<ArrayRef> arrays;
  auto next = (*results)[0].begin();
  for (mlir::Type type : program.lookupSymbol<mlir::func::FuncOp>("main").getResultTypes()) {
    auto end = next + numTensors(type);
    arrays.push_back(std::make_shared<Tensors>(std::vector<Tensor>(next, end)));
    next = end;
  }
  return arrays;
}

Ints Interpretation::elements(const Array &array, RankedTensorType type) {
  const Tensor &tensor = tensorsOf(array).front();
  unsigned width = type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
  IndexReader read = indexReaderOf(tensor.type().element); // Null for booleans.
  Ints found;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    found.push_back(
        llvm::APInt(64, read ? read(tensor.data(), i) : tensor.as<uint8_t>()[i]).trunc(width));
  return found;
}

/// Refines by the types alone, so that the program does with data what it would do with others.
/// Returns null if that does not work.
static mlir::OwningOpRef<mlir::ModuleOp> refinedByTypes(mlir::ModuleOp module,
                                                        llvm::ArrayRef<ArgumentFacts> facts) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  mlir::ScopedDiagnosticHandler quiet(module.getContext(), [](mlir::Diagnostic &) {});
  bool works = mlir::succeeded(refineShapes(*copy, facts)) && mlir::succeeded(mlir::verify(*copy));
  return works ? std::move(copy) : nullptr;
}

/// Returns what is known of arguments. Those of a program that is partitioned already are parts,
/// of which the types of inputs, which are whole, say nothing.
static llvm::SmallVector<ArgumentFacts> factsOf(mlir::ModuleOp module, const RunInputs &inputs) {
  llvm::SmallVector<ArgumentFacts> facts(inputs.facts.begin(), inputs.facts.end());
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main || !isPartitioned(module))
    return facts;
  for (auto [type, fact] : llvm::zip(main.getArgumentTypes(), facts))
    if (auto tensor = llvm::dyn_cast<RankedTensorType>(type); tensor && tensor.hasStaticShape())
      fact.type = {};
  return facts;
}

LogicalResult refineToInputs(mlir::OwningOpRef<mlir::ModuleOp> &module, const RunInputs &inputs,
                             const KernelRegistry &kernels, int threads) {
  if (!isDynamic(*module))
    return mlir::success();
  llvm::SmallVector<ArgumentFacts> facts = factsOf(*module, inputs);
  if (mlir::OwningOpRef<mlir::ModuleOp> refined = refinedByTypes(*module, facts)) {
    module = std::move(refined);
    return mlir::success();
  }
  // What each device has of a program that is partitioned already is no whole to compute with.
  Interpretation interpretation(inputs, kernels, threads);
  Execution *execution = isPartitioned(*module) ? nullptr : &interpretation;
  return mlir::success(mlir::succeeded(refineShapes(*module, facts, execution)) &&
                       mlir::succeeded(mlir::verify(*module)));
}

LogicalResult refineToInputs(mlir::OwningOpRef<mlir::ModuleOp> &module,
                             absl::Span<const Tensor> tensors, const KernelRegistry &kernels,
                             int threads) {
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  std::vector<size_t> firsts(1, 0);
  RunInputs inputs;
  for (mlir::Type type : main ? main.getArgumentTypes() : llvm::ArrayRef<mlir::Type>()) {
    ArgumentFacts &facts = inputs.facts.emplace_back();
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    if (tensor && firsts.back() < tensors.size())
      facts.type =
          RankedTensorType::get(tensors[firsts.back()].type().shape, tensor.getElementType());
    firsts.push_back(firsts.back() + numTensors(type));
  }
  if (firsts.back() != tensors.size())
    return mlir::emitError(placeOf(*module))
           << tensors.size() << " tensors are given, the arguments of @main are " << firsts.back();
  inputs.tensorsOf = [&](unsigned index) -> absl::StatusOr<std::vector<Tensor>> {
    return std::vector<Tensor>(tensors.begin() + firsts[index],
                               tensors.begin() + firsts[index + 1]);
  };
  return refineToInputs(module, inputs, kernels, threads);
}

} // namespace spmd
