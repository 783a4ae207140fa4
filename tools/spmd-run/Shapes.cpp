#include "spmd/tools/spmd-run/Shapes.h"

#include "spmd/lowering/compile/ConvertAttributes.h"
#include "spmd/lowering/interpreter/Npy.h"
#include "spmd/lowering/interpreter/kernels/Indices.h"
#include "spmd/passes/refine/RefineShapes.h"
#include "spmd/tools/spmd-run/Arrays.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spmd {

using mlir::RankedTensorType;

/// Lists of sizes are short; what is longer is no list of sizes.
static constexpr int64_t mostElements = 256;

/// Returns the integers in array `path` of type `type`; null if it holds others, or too many.
static absl::StatusOr<mlir::DenseIntElementsAttr> integersIn(const std::string &path,
                                                             RankedTensorType type) {
  std::optional<TensorType> converted = convertType(type);
  IndexReader read = converted ? indexReaderOf(converted->element) : nullptr;
  if (!read || converted->numElements() > mostElements)
    return mlir::DenseIntElementsAttr();
  absl::StatusOr<Tensor> array = readNpy(path, *converted);
  if (!array.ok())
    return array.status();
  unsigned width = type.getElementTypeBitWidth();
  llvm::SmallVector<llvm::APInt> elements;
  for (int64_t i = 0; i < array->numElements(); ++i)
    elements.push_back(llvm::APInt(64, read(array->data(), i)).trunc(width));
  return mlir::DenseIntElementsAttr::get(type, elements);
}

/// Finds out what array `path` says of an argument of type `type`.
static absl::StatusOr<ArgumentFacts> factsOf(const std::string &path, RankedTensorType type) {
  absl::StatusOr<std::vector<int64_t>> shape = readNpyShape(path);
  if (!shape.ok())
    return shape.status();
  ArgumentFacts facts;
  facts.type = RankedTensorType::get(*shape, type.getElementType());
  bool fits = mlir::succeeded(mlir::verifyCompatibleShape(type.getShape(), *shape));
  absl::StatusOr<mlir::DenseIntElementsAttr> elements =
      fits ? integersIn(path, facts.type) : mlir::DenseIntElementsAttr();
  if (!elements.ok())
    return elements.status();
  facts.elements = *elements;
  return facts;
}

bool refineToInputs(mlir::ModuleOp module, const RunSettings &settings, llvm::raw_ostream &errors) {
  llvm::SmallVector<ArgumentFacts> facts;
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (settings.inputDir.empty())
    return mlir::succeeded(argumentsOfSizes(module, settings.sizes, facts)) &&
           mlir::succeeded(refineShapes(module, facts));
  bool ok = true;
  for (unsigned i = 0; main && i < main.getNumArguments(); ++i) {
    ArgumentFacts &fact = facts.emplace_back();
    auto type = llvm::dyn_cast<RankedTensorType>(main.getArgumentTypes()[i]);
    if (!type)
      continue;
    absl::StatusOr<ArgumentFacts> found = factsOf(arrayPath(settings.inputDir, i), type);
    if (found.ok()) {
      fact = *found;
      continue;
    }
    errors << "error: argument " << i << ": " << std::string(found.status().message()) << "\n";
    ok = false;
  }
  return ok && mlir::succeeded(refineShapes(module, facts));
}

} // namespace spmd
