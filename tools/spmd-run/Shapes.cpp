#include "spmd/tools/spmd-run/Shapes.h"

#include "spmd/lowering/compile/Boundaries.h"
#include "spmd/lowering/interpreter/Npy.h"
#include "spmd/passes/refine/inputs/RefineToInputs.h"
#include "spmd/tools/spmd-run/Arrays.h"

#include "absl/strings/str_cat.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

using mlir::RankedTensorType;

namespace {

/// Where the arrays of a run come from, before there is a program that says which it takes.
class Arrays {
public:
  Arrays(mlir::ModuleOp module, const RunSettings &settings) : settings(settings) {
    if (auto main = module.lookupSymbol<mlir::func::FuncOp>("main"))
      declared = llvm::to_vector(main.getArgumentTypes());
  }

  /// Finds out the types of the arguments in this run. Returns false after messages.
  bool readTypes(mlir::ModuleOp module, std::vector<ArgumentFacts> &facts,
                 llvm::raw_ostream &errors);

  /// Returns the tensors of argument `index`: of the files, or made of the seed.
  absl::StatusOr<std::vector<Tensor>> tensorsOf(unsigned index);

private:
  bool readShapes(std::vector<ArgumentFacts> &facts, llvm::raw_ostream &errors) const;
  absl::Status describe();

  const RunSettings &settings;
  llvm::SmallVector<mlir::Type> declared, actual;
  /// One for each tensor, as the runtime numbers them; those of argument i begin at `firsts[i]`.
  std::vector<Boundary> boundaries;
  std::vector<size_t> firsts;
  std::vector<Tensor> made; ///< All of them, of the seed.
};

} // namespace

bool Arrays::readTypes(mlir::ModuleOp module, std::vector<ArgumentFacts> &facts,
                       llvm::raw_ostream &errors) {
  llvm::SmallVector<ArgumentFacts> found;
  if (!settings.inputDir.empty() ? !readShapes(facts, errors)
                                 : mlir::failed(argumentsOfSizes(module, settings.sizes, found)))
    return false;
  facts.insert(facts.end(), found.begin(), found.end());
  for (auto [fact, type] : llvm::zip(facts, declared))
    actual.push_back(fact.type ? mlir::Type(fact.type) : type);
  return true;
}

/// Takes the sizes of tensors from the arrays in `settings.inputDir`.
bool Arrays::readShapes(std::vector<ArgumentFacts> &facts, llvm::raw_ostream &errors) const {
  bool ok = true;
  size_t number = 0;
  for (mlir::Type type : declared) {
    ArgumentFacts &fact = facts.emplace_back();
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    if (!tensor) {
      std::optional<std::vector<TensorType>> parts = deviceTypes(type);
      number += parts ? parts->size() : 1;
      continue;
    }
    absl::StatusOr<std::vector<int64_t>> shape = readNpyShape(arrayPath(settings.inputDir, number));
    if (shape.ok()) {
      fact.type = RankedTensorType::get(*shape, tensor.getElementType());
    } else {
      errors << "error: argument " << number << ": " << std::string(shape.status().message())
             << "\n";
      ok = false;
    }
    ++number;
  }
  return ok;
}

absl::Status Arrays::describe() {
  for (mlir::Type type : actual) {
    firsts.push_back(boundaries.size());
    std::optional<std::vector<TensorType>> types = deviceTypes(type);
    if (!types)
      return absl::InvalidArgumentError(
          absl::StrCat("argument ", firsts.size() - 1, " has no form on a device"));
    for (TensorType &each : *types)
      boundaries.emplace_back().global = std::move(each);
  }
  firsts.push_back(boundaries.size());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Tensor>> Arrays::tensorsOf(unsigned index) {
  if (firsts.empty())
    if (absl::Status status = describe(); !status.ok())
      return status;
  bool isMade = settings.inputDir.empty();
  if (isMade && made.empty()) {
    absl::StatusOr<std::vector<Tensor>> all = randomArrays(boundaries, settings.seed);
    if (!all.ok())
      return all.status();
    made = *std::move(all);
  }
  std::vector<Tensor> tensors;
  for (size_t i = firsts[index]; i < firsts[index + 1]; ++i) {
    absl::StatusOr<Tensor> tensor =
        isMade ? made[i] : readNpy(arrayPath(settings.inputDir, i), boundaries[i].global);
    if (!tensor.ok())
      return tensor.status();
    tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

bool refineToInputs(mlir::OwningOpRef<mlir::ModuleOp> &module, const RunSettings &settings,
                    const KernelRegistry &kernels, llvm::raw_ostream &errors) {
  Arrays arrays(*module, settings);
  RunInputs inputs;
  if (!arrays.readTypes(*module, inputs.facts, errors))
    return false;
  inputs.tensorsOf = [&](unsigned index) { return arrays.tensorsOf(index); };
  return mlir::succeeded(refineToInputs(module, inputs, kernels, settings.threads));
}

} // namespace spmd
