// The pass `spmd-refine-shapes`: functions and calls. Ops are refined in Body.cpp.

#include "spmd/passes/refine/RefineShapes.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/import/EmptyDims.h"
#include "spmd/dialect/import/ShapeOps.h"
#include "spmd/dialect/sdy/GroupCopies.h"
#include "spmd/dialect/spmd/ModulePlace.h"
#include "spmd/dialect/spmd/Sizes.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/dialect/stablehlo/InferSizes.h"
#include "spmd/passes/Passes.h"
#include "spmd/passes/legalize/Legalize.h"
#include "spmd/passes/refine/Body.h"
#include "spmd/passes/refine/Callees.h"
#include "spmd/passes/refine/References.h"

namespace spmd {

#define GEN_PASS_DEF_REFINESHAPESPASS
#include "spmd/passes/Passes.h.inc"

using mlir::LogicalResult;
using mlir::RankedTensorType;
using mlir::func::FuncOp;

namespace {

/// Refines functions, each once for all calls that know the same of their arguments.
class Program : public Calls {
public:
  Program(mlir::ModuleOp module, Execution *execution)
      : symbols(module), callees(module), groupCopies(module) {
    if (execution)
      computed.emplace(symbols, callees, *execution);
  }

  LogicalResult run(FuncOp main, llvm::ArrayRef<ArgumentFacts> facts);
  LogicalResult runRest(mlir::ModuleOp module);

  const Version *versionFor(mlir::Operation *call, llvm::ArrayRef<const Ints *> known) override;
  bool canDrop(mlir::Operation *call) override {
    FuncOp callee = symbols.lookup<FuncOp>(calleeOf(call).getValue());
    return callee && !callees.isDynamic(callee) && !callees.hasEffects(callee);
  }
  Evaluation *evaluation() override { return computed ? &*computed : nullptr; }

private:
  using Key = std::pair<mlir::Operation *, mlir::Attribute>;

  static LogicalResult take(FuncOp main, unsigned index, const ArgumentFacts &facts,
                            KnownInts &known);
  FuncOp instanceOf(FuncOp callee);
  std::vector<Ints> learn(FuncOp callee, mlir::Operation *call,
                          llvm::SmallVectorImpl<const Ints *> &known);
  Version makeVersion(FuncOp callee, mlir::Operation *call, llvm::ArrayRef<const Ints *> known);

  /// Deeper calls than these would use up the stack.
  static constexpr size_t maxDepth = 512;

  mlir::SymbolTable symbols;
  Callees callees;
  sdy::GroupCopies groupCopies;
  std::map<mlir::Operation *, mlir::OwningOpRef<FuncOp>> originals;
  llvm::DenseMap<Key, std::unique_ptr<Version>> versions;
  std::vector<std::unique_ptr<Version>> ofOneCall; ///< Their sizes depend on its data.
  std::optional<Evaluation> computed;
  /// Numbers of arguments that sizes followed from in a version that serves one call alone.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> decisive;
  llvm::DenseSet<mlir::Operation *> running;
};

} // namespace

/// Gives an argument of @main the type it has in this run.
LogicalResult Program::take(FuncOp main, unsigned index, const ArgumentFacts &facts,
                            KnownInts &known) {
  mlir::BlockArgument argument = main.getArgument(index);
  auto declared = llvm::dyn_cast<RankedTensorType>(argument.getType());
  if (facts.type) {
    bool fits = declared && declared.getElementType() == facts.type.getElementType() &&
                mlir::succeeded(mlir::verifyCompatibleShape(declared, facts.type));
    if (!fits)
      return mlir::emitError(argument.getLoc())
             << describeValue(argument) << " has type " << argument.getType() << ", given is "
             << facts.type;
    auto bounds = llvm::dyn_cast_if_present<stablehlo::TypeExtensionsAttr>(declared.getEncoding());
    for (int64_t dim = 0; bounds && dim < declared.getRank(); ++dim)
      if (!mlir::ShapedType::isDynamic(bounds.getBounds()[dim]) &&
          facts.type.getDimSize(dim) > bounds.getBounds()[dim])
        return mlir::emitError(argument.getLoc())
               << describeValue(argument) << " has size " << facts.type.getDimSize(dim)
               << " in dim " << dim << ", its bound is " << bounds.getBounds()[dim];
    argument.setType(stablehlo::refined(declared, facts.type.getShape()));
  }
  if (isDynamic(argument.getType()))
    return mlir::emitError(argument.getLoc())
           << describeValue(argument) << " has type " << argument.getType()
           << "; give its sizes to run the program";
  if (facts.elements && KnownInts::canHold(argument.getType()))
    known.set(argument,
              llvm::to_vector_of<llvm::APInt, 4>(facts.elements.getValues<llvm::APInt>()));
  return mlir::success();
}

LogicalResult Program::run(FuncOp main, llvm::ArrayRef<ArgumentFacts> facts) {
  KnownInts known;
  bool failed = false;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    failed |= mlir::failed(take(main, i, i < facts.size() ? facts[i] : ArgumentFacts(), known));
  if (failed)
    return mlir::failure();
  running.insert(main);
  if (computed)
    computed->enter(main, nullptr);
  LogicalResult refined = refineBody(main, *this, known);
  running.erase(main);
  return refined;
}

/// Refines the public functions that are not called: of these, sizes follow from what they declare.
LogicalResult Program::runRest(mlir::ModuleOp module) {
  computed.reset(); // The arguments of this run are those of @main.
  bool failed = false;
  for (auto func : llvm::to_vector(module.getOps<FuncOp>())) // Versions are added meanwhile.
    if (func.isPublic() && !func.isExternal() && func.getSymName() != "main" &&
        callees.isDynamic(func) && !originals.count(func) &&
        llvm::none_of(func.getArgumentTypes(), [](mlir::Type type) { return isDynamic(type); }))
      failed |= mlir::failed(run(func, {}));
  return mlir::failure(failed);
}

/// Returns the function to refine for one more version of `callee`: itself at first, then copies of
/// what it was.
FuncOp Program::instanceOf(FuncOp callee) {
  mlir::OwningOpRef<FuncOp> &original = originals[callee];
  if (!original) {
    original = callee.clone();
    return callee;
  }
  FuncOp copy = original->clone();
  copy.setPrivate();
  groupCopies.separate(copy);
  symbols.insert(copy, std::next(callee->getIterator()));
  callees.addRefined(copy, callee);
  return copy;
}

Version Program::makeVersion(FuncOp callee, mlir::Operation *call,
                             llvm::ArrayRef<const Ints *> known) {
  bool isRunning = running.contains(callee);
  if (isRunning || running.size() > maxDepth) {
    call->emitOpError() << "calls @" << callee.getSymName()
                        << (isRunning ? ", which is still running; sizes are not followed through "
                                        "recursion"
                                      : "; calls lie too deep within each other");
    return {callee, {}, /*failed=*/true};
  }
  bool isShared = !callees.isDynamic(callee);
  Version made{isShared ? callee : instanceOf(callee), {}, /*failed=*/false};
  KnownInts inside;
  for (auto [i, argument] : llvm::enumerate(made.func.getArguments())) {
    if (!isShared)
      argument.setType(call->getOperand(i).getType());
    if (known[i])
      inside.set(argument, *known[i]);
  }
  running.insert(callee);
  if (computed)
    computed->enter(made.func, call);
  made.failed = mlir::failed(refineBody(made.func, *this, inside, isShared));
  if (computed)
    if (auto asked = computed->leave(); !asked.empty()) {
      made.isOfOneCall = true;
      decisive[callee] = std::move(asked);
    }
  running.erase(callee);
  if (made.failed)
    return made;
  for (mlir::Value value : made.func.getBody().front().getTerminator()->getOperands()) {
    const Ints *elements = inside.lookup(value);
    made.results.push_back(elements ? std::make_optional(*elements) : std::nullopt);
  }
  return made;
}

/// Finds out, where that is possible, what sizes followed from in another call of `callee`: calls
/// that agree on it share a version. Returns what `known` points at then.
std::vector<Ints> Program::learn(FuncOp callee, mlir::Operation *call,
                                 llvm::SmallVectorImpl<const Ints *> &known) {
  llvm::SmallVector<unsigned> numbers = decisive.lookup(callee);
  llvm::erase_if(numbers, [&](unsigned number) { return known[number] != nullptr; });
  llvm::SmallVector<mlir::Value> values;
  for (unsigned number : numbers)
    values.push_back(call->getOperand(number));
  std::vector<Ints> elements;
  auto canHold = [](mlir::Value value) { return KnownInts::canHold(value.getType()); };
  if (values.empty() || !llvm::all_of(values, canHold) || computed->compute(values, elements))
    return {};
  for (auto [number, found] : llvm::zip(numbers, elements))
    known[number] = &found;
  return elements;
}

const Version *Program::versionFor(mlir::Operation *call, llvm::ArrayRef<const Ints *> told) {
  FuncOp callee = symbols.lookup<FuncOp>(calleeOf(call).getValue());
  if (!callee || callee.isExternal() || callee.getNumArguments() != call->getNumOperands())
    return nullptr; // What stands behind it is said by the types alone.
  if (!callees.isDynamic(callee) && llvm::none_of(callee.getResultTypes(), KnownInts::canHold))
    return nullptr;
  llvm::SmallVector<const Ints *> known(told);
  std::vector<Ints> learnt = learn(callee, call, known);
  llvm::SmallVector<mlir::Attribute> facts;
  for (auto [operand, elements] : llvm::zip(call->getOperands(), known))
    facts.push_back(elements
                        ? constantOf(llvm::cast<RankedTensorType>(operand.getType()), *elements)
                        : mlir::TypeAttr::get(operand.getType()));
  Key key{callee, mlir::ArrayAttr::get(call->getContext(), facts)};
  if (auto found = versions.find(key); found != versions.end())
    return found->second.get();
  auto version = std::make_unique<Version>(makeVersion(callee, call, known));
  if (version->isOfOneCall)
    return ofOneCall.emplace_back(std::move(version)).get();
  return (versions[key] = std::move(version)).get(); // Others may have been made meanwhile.
}

LogicalResult refineShapes(mlir::ModuleOp module, llvm::ArrayRef<ArgumentFacts> arguments,
                           Execution *execution) {
  if (!isDynamic(module))
    return mlir::success();
  auto main = module.lookupSymbol<FuncOp>("main");
  if (!main || main.isExternal())
    return mlir::emitError(placeOf(module),
                           "module has dynamic shapes and no function @main with a body, from "
                           "whose arguments their sizes could follow");
  module.getContext()->getOrLoadDialect<chlo::ChloDialect>(); // Some calls become its ops.
  legalize::joinLocalMoves(module);                           // So that sizes may follow from them.
  Program program(module, execution);
  if (mlir::failed(program.run(main, arguments)) || mlir::failed(program.runRest(module)))
    return mlir::failure();
  eraseUnreached(module);
  dropAxesOfEmptyDims(module);
  return verifySizes(module);
}

//===- The pass ------------------------------------------------------------===//

LogicalResult argumentsOfSizes(mlir::ModuleOp module, llvm::ArrayRef<int64_t> sizes,
                               llvm::SmallVectorImpl<ArgumentFacts> &facts) {
  for (int64_t size : sizes)
    if (size < 0)
      return mlir::emitError(placeOf(module)) << "sizes has " << size << "; a size is at least 0";
  auto main = module.lookupSymbol<FuncOp>("main");
  size_t next = 0;
  for (mlir::Type type : main ? main.getArgumentTypes() : llvm::ArrayRef<mlir::Type>()) {
    ArgumentFacts &fact = facts.emplace_back();
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.hasStaticShape())
      continue;
    llvm::SmallVector<int64_t> shape(tensor.getShape());
    for (int64_t &size : shape)
      if (mlir::ShapedType::isDynamic(size) && next++ < sizes.size())
        size = sizes[next - 1];
    fact.type = RankedTensorType::get(shape, tensor.getElementType());
  }
  if (sizes.empty() || next == sizes.size())
    return mlir::success();
  return mlir::emitError(placeOf(module))
         << "sizes has " << sizes.size() << " entries, the arguments of @main have " << next
         << " dynamic dims";
}

namespace {

struct RefineShapesPass : impl::RefineShapesPassBase<RefineShapesPass> {
  using RefineShapesPassBase::RefineShapesPassBase;

  void runOnOperation() override {
    llvm::SmallVector<ArgumentFacts> facts;
    if (mlir::failed(importShapeOps(getOperation())) ||
        mlir::failed(hideReferences(getOperation())) ||
        mlir::failed(argumentsOfSizes(getOperation(), sizes, facts)) ||
        mlir::failed(refineShapes(getOperation(), facts)))
      signalPassFailure();
  }
};

} // namespace
} // namespace spmd
