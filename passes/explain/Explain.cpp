#include "spmd/passes/explain/Explain.h"

#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/passes/explain/Find.h"
#include "spmd/passes/explain/Print.h"
#include "spmd/passes/explain/Tell.h"
#include "spmd/passes/propagate/Spread.h"
#include "spmd/passes/propagate/Unused.h"

#include "spmd/ir/sharding/Picture.h"

namespace spmd {

/// A location may name this many values; what else it names is counted.
constexpr size_t mostValues = 16;

/// Where to report what has no place in the program: at its start.
static mlir::Location startOf(mlir::ModuleOp module, const std::string &path) {
  if (llvm::isa<mlir::UnknownLoc>(module.getLoc())) // As the text says itself.
    return mlir::FileLineColLoc::get(module.getContext(), path, 1, 1);
  auto place = module.getLoc()->findInstanceOf<mlir::FileLineColLoc>();
  return place && place.getLine() == 0
             ? mlir::Location(mlir::FileLineColLoc::get(place.getFilename(), 1, 1))
             : module.getLoc();
}

/// What a pass makes on the way to a value has its location, and with that its name, too; only what
/// stands for the value keeps it.
static void dropNamesOnTheWay(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::Operation *> found;
  module.walk([&](mlir::Operation *op) {
    auto isOfSamePlace = [&](mlir::Operation *user) { return user->getLoc() == op->getLoc(); };
    if (op->getLoc() != withoutWrittenNames(op->getLoc()) &&
        llvm::any_of(op->getUsers(), isOfSamePlace))
      found.push_back(op);
  });
  for (mlir::Operation *op : found)
    op->setLoc(withoutWrittenNames(op->getLoc()));
}

/// Finds all values that were asked for. Returns false after an error for each that there is not.
static bool findAll(Places &places, const ExplainRequest &request, mlir::Location location,
                    FoundValues &all) {
  if (request.values.empty())
    return true;
  bool ok = true;
  Finder finder(places, request.written);
  for (const std::string &name : request.values) {
    FoundValues found = finder.find(name);
    if (!found.error.empty())
      mlir::emitError(location) << found.error;
    ok &= found.error.empty();
    if (found.values.size() > mostValues) {
      mlir::emitWarning(location) << "'" << name << "' names " << found.values.size()
                                  << " values; the first " << mostValues << " are explained";
      found.values.resize(mostValues);
      found.asked.resize(mostValues);
    }
    llvm::append_range(all.values, found.values);
    llvm::append_range(all.asked, found.asked);
  }
  return ok;
}

/// Says where a function is called, if it has several instances.
static std::string callIfSeveral(Places &places, int32_t value) {
  const ProgramGraph &program = places.program;
  int32_t body = program.instances[program.instanceOfValue(value)].body;
  auto isOfBody = [&](const ProgramGraph::Instance &instance) { return instance.body == body; };
  return llvm::count_if(program.instances, isOfBody) > 1 ? callOf(places, value) : "";
}

/// Calls what is told of by what was asked for, where the graph's name is that of another value
/// that lies as it does: of a loop's result, for an argument of its body.
static void nameAsAsked(mlir::Value asked, const std::string &known, Explanation &told) {
  std::string name = asked ? writtenName(asked) : "";
  if (name.empty() || name == known)
    return;
  told.name = name;
  told.description = describeValue(asked) + ", which lies as " + known;
  told.location = placeText(asked.getLoc());
}

/// Draws which device holds which part of a value.
static std::string pictureOf(Places &places, int32_t value) {
  const ShardGraph &graph = places.program.graph;
  const ShardGraph::Value &known = graph.value(value);
  if (known.sharding == ShardGraph::none)
    return "whole on every device\n";
  const MeshSharding &sharding = graph.sharding(known.sharding);
  return pictureOf(graph.mesh(sharding.mesh), sharding.sharding, graph.shape(known.shape));
}

mlir::LogicalResult explain(mlir::ModuleOp module, const ExplainRequest &request,
                            llvm::raw_ostream &os) {
  dropNamesOnTheWay(module);
  History history;
  llvm::DenseSet<mlir::Location> computations;
  module.walk([&](sdy::NamedComputationOp op) { computations.insert(op.getLoc()); });
  mlir::FailureOr<std::unique_ptr<ProgramGraph>> program =
      propagateModule(module, request.conflicts, Hints::use, &history);
  if (mlir::failed(program))
    return mlir::failure();
  std::vector<bool> isFree = (*program)->freeValues();
  std::vector<Knowledge> knowledge = classify((*program)->graph, isFree);
  noteUnused(**program, knowledge);
  Places places(**program);
  places.computations = std::move(computations);
  FoundValues found;
  if (!findAll(places, request, startOf(module, request.path), found))
    return mlir::failure();
  Past past((*program)->graph, history);
  Teller teller(places, past, isFree, knowledge);
  std::vector<Explanation> told;
  for (auto [value, asked] : llvm::zip_equal(found.values, found.asked)) {
    told.push_back(teller.tell(value));
    nameAsAsked(asked, places.nameOf(value), told.back());
    told.back().call = callIfSeveral(places, value);
    if (request.asPicture)
      told.back().picture = pictureOf(places, value);
  }
  std::vector<Flag> flags;
  if (request.missing)
    flags = findFlags(**program, knowledge);
  if (request.asJson) {
    printJson(told, request.missing ? &flags : nullptr, os);
    return mlir::success();
  }
  for (const Explanation &each : told)
    request.asPicture ? printPicture(each, os) : printText(each, os);
  for (const Flag &flag : flags)
    printText(flag, os);
  if (request.missing && flags.empty())
    os << "no value is without a sharding\n";
  return mlir::success();
}

} // namespace spmd
