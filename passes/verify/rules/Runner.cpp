#include "spmd/passes/verify/rules/Runner.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/lowering/compile/Compile.h"
#include "spmd/lowering/interpreter/Boundary.h"
#include "spmd/lowering/interpreter/Executable.h"
#include "spmd/lowering/interpreter/RandomTensor.h"
#include "spmd/lowering/interpreter/StatusMacros.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/passes/legalize/Legalize.h"
#include "spmd/passes/partition/Partitioner.h"
#include "spmd/passes/refine/References.h"
#include "spmd/passes/verify/rules/StandIn.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

namespace spmd {

/// No op takes more on a few rows, unless its reference does not come to an end.
static constexpr int64_t mostWork = 1 << 26;

/// Keeps the first error that is reported while it lives; nothing else is shown.
class ErrorCollector {
public:
  explicit ErrorCollector(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && message.empty())
            message = diagnostic.str();
          return mlir::success();
        }) {}

  absl::Status status() const {
    return absl::InvalidArgumentError(message.empty() ? "the compiler gave up" : message);
  }

private:
  std::string message;
  mlir::ScopedDiagnosticHandler handler;
};

static absl::StatusOr<DeviceProgram> compile(const PlacedOp &placed) {
  mlir::OwningOpRef<mlir::ModuleOp> owned = makeProgram(placed);
  mlir::ModuleOp module = *owned;
  ErrorCollector errors(module.getContext());
  auto keepNothing = [](mlir::Operation *) { return false; };
  if (placed.mesh) {
    clearScalarBodies(module);
    ModuleSituation situation(module);
    if (mlir::failed(partitionModule(situation)))
      return errors.status();
  }
  copyNamedFunctions(placed.op, module); // They speak of whole tensors, or of any.
  if (mlir::failed(replaceSubjects(module)) ||
      mlir::failed(callReferences(module, [](mlir::Operation *) {
        return true;
      }))) // Not that it is wrong: nobody can tell.
    return absl::UnimplementedError(errors.status().message());
  if (mlir::failed(refineReferences(module)) || mlir::failed(mlir::verify(module)) ||
      mlir::failed(legalize::expandAbbreviations(module, keepNothing)) ||
      mlir::failed(legalize::expandFunctions(module, keepNothing)))
    return errors.status();
  mlir::FailureOr<DeviceProgram> program = compileModule(module);
  if (mlir::failed(program))
    return errors.status();
  return *std::move(program);
}

/// Fills a tensor of floats of few bits with -1, 0 and 1, of which sums and products round nothing:
/// shares that are added before an op, or behind it.
static void fillExactly(Tensor &tensor, std::mt19937_64 &engine) {
  std::vector<float> values(tensor.numElements());
  for (float &value : values)
    value = static_cast<float>(std::uniform_int_distribution<>(-1, 1)(engine));
  storageOf(tensor.type().element).store(tensor.numElements(), values.data(), tensor.mutableData());
}

static absl::StatusOr<std::vector<Tensor>>
drawInputs(const DeviceProgram &program, absl::Span<const Tensor> given, bool areShares) {
  std::vector<Tensor> inputs;
  std::mt19937_64 engine; // The same numbers on every run.
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    if (i < given.size() && given[i] && given[i].type() == program.arguments[i].global) {
      inputs.push_back(given[i]);
      continue;
    }
    SPMD_ASSIGN_OR_RETURN(Tensor input, Tensor::allocate(program.arguments[i].global));
    ElementType element = input.type().element;
    if (areShares && isFloat(element) && !storageOf(element).isDirect())
      fillExactly(input, engine);
    else
      fillRandomly(input, engine);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

absl::StatusOr<std::vector<Tensor>> runAgain(const DeviceProgram &program,
                                             const KernelRegistry &kernels,
                                             const std::vector<Tensor> &inputs) {
  SPMD_ASSIGN_OR_RETURN(Executable executable, Executable::prepare(program, kernels));
  SPMD_ASSIGN_OR_RETURN(auto arguments, cutArguments(program, inputs));
  WorkBudget budget(mostWork);
  RunOptions options;
  options.budget = &budget;
  SPMD_ASSIGN_OR_RETURN(auto local, executable.run(std::move(arguments), options));
  return joinResults(program, local, kernels);
}

absl::StatusOr<RunOutcome> runProgram(const PlacedOp &placed, const KernelRegistry &kernels,
                                      absl::Span<const Tensor> inputs) {
  RunOutcome outcome;
  SPMD_ASSIGN_OR_RETURN(outcome.program, compile(placed));
  SPMD_ASSIGN_OR_RETURN(outcome.inputs,
                        drawInputs(outcome.program, inputs, !placed.partial.operands.empty()));
  SPMD_ASSIGN_OR_RETURN(outcome.results, runAgain(outcome.program, kernels, outcome.inputs));
  return outcome;
}

} // namespace spmd
