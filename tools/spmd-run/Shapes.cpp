#include "spmd/tools/spmd-run/Shapes.h"

#include "spmd/lowering/compile/ConvertAttributes.h"
#include "spmd/lowering/interpreter/Npy.h"
#include "spmd/lowering/interpreter/kernels/Indices.h"
#include "spmd/passes/refine/RefineShapes.h"
#include "spmd/tools/spmd-run/Arrays.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

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

/// Finds out what the arrays in `settings.inputDir` say of the arguments of @main.
static bool readFacts(mlir::ModuleOp module, const RunSettings &settings,
                      llvm::SmallVectorImpl<ArgumentFacts> &facts, llvm::raw_ostream &errors) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
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
  return ok;
}

/// Refines by the types alone, so that the program does with the integers what it would do with
/// others. Returns null if that does not work.
static mlir::OwningOpRef<mlir::ModuleOp> refinedByTypes(mlir::ModuleOp module,
                                                        llvm::SmallVector<ArgumentFacts> facts) {
  for (ArgumentFacts &fact : facts)
    fact.elements = {};
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  mlir::ScopedDiagnosticHandler quiet(module.getContext(), [](mlir::Diagnostic &) {});
  bool works = mlir::succeeded(refineShapes(*copy, facts)) && mlir::succeeded(mlir::verify(*copy));
  return works ? std::move(copy) : nullptr;
}

bool refineToInputs(mlir::OwningOpRef<mlir::ModuleOp> &module, const RunSettings &settings,
                    llvm::raw_ostream &errors) {
  llvm::SmallVector<ArgumentFacts> facts;
  if (settings.inputDir.empty()) {
    if (mlir::failed(argumentsOfSizes(*module, settings.sizes, facts)))
      return false;
  } else if (!readFacts(*module, settings, facts, errors)) {
    return false;
  } else if (mlir::OwningOpRef<mlir::ModuleOp> refined = refinedByTypes(*module, facts)) {
    module = std::move(refined);
    return true;
  }
  return mlir::succeeded(refineShapes(*module, facts)) && mlir::succeeded(mlir::verify(*module));
}

} // namespace spmd
