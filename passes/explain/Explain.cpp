#include "spmd/passes/explain/Explain.h"

#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/passes/explain/Computations.h"
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

namespace {

/// A value of the graph, and what it was asked for as.
struct Asked {
  int32_t value;
  mlir::Value asked; ///< As in FoundValues.
  llvm::StringRef name;
};

} // namespace

/// Finds the values that were asked for. Returns those that there are not, after an error for each.
static std::vector<UnknownName> findAll(Places &places, const ExplainRequest &request,
                                        mlir::Location location, std::vector<Asked> &all) {
  std::vector<UnknownName> unknown;
  if (request.values.empty())
    return unknown;
  Finder finder(places, request.written);
  for (const std::string &name : request.values) {
    FoundValues found = finder.find(name);
    if (!found.error.empty()) {
      mlir::emitError(location) << found.error;
      unknown.push_back({name, found.error});
    }
    if (found.values.size() > mostValues) {
      mlir::emitWarning(location) << "'" << name << "' names " << found.values.size()
                                  << " values; the first " << mostValues << " are explained";
      found.values.resize(mostValues);
      found.asked.resize(mostValues);
    }
    for (auto [value, asked] : llvm::zip_equal(found.values, found.asked))
      all.push_back({value, asked, name});
  }
  return unknown;
}

/// Says where a function is called, if it has several instances.
static std::string callIfSeveral(Places &places, int32_t value) {
  const ProgramGraph &program = places.program;
  int32_t body = program.instances[program.instanceOfValue(value)].body;
  auto isOfBody = [&](const ProgramGraph::Instance &instance) { return instance.body == body; };
  return llvm::count_if(program.instances, isOfBody) > 1 ? callOf(places, value) : "";
}

/// Whether `asked` is `%p`, with or without its `%`, and maybe `@f:` before it.
static bool isAskedAs(llvm::StringRef name, llvm::StringRef asked) {
  bool isEnd = asked.consume_back(name) || asked.consume_back(name.drop_front());
  return isEnd && (asked.empty() || asked.ends_with(":"));
}

/// Calls what is told of by what was asked for, where the graph's name is that of another value
/// that lies as it does: of a loop's result, for an argument of its body; and says by which of its
/// names it was asked for, if that is not its first.
static void nameAsAsked(const Asked &each, const std::string &known, Explanation &told) {
  std::string name = each.asked ? writtenName(each.asked) : "";
  if (name.empty())
    return;
  if (name != known) {
    told.name = name;
    told.description = describeValue(each.asked) + ", which lies as " + known;
    told.location = placeText(each.asked.getLoc());
  }
  for (const std::string &other : writtenNames(each.asked))
    if (other != name && isAskedAs(other, each.name))
      told.alsoCalled = other;
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
  llvm::DenseMap<mlir::Operation *, Places::Border> computations;
  inlineWithNames(module, computations);
  History history;
  mlir::FailureOr<std::unique_ptr<ProgramGraph>> program =
      propagateModule(module, request.conflicts, Hints::use, &history);
  if (mlir::failed(program))
    return mlir::failure();
  std::vector<bool> isFree = (*program)->freeValues();
  std::vector<Knowledge> knowledge = classify((*program)->graph, isFree, *(*program)->uses);
  noteUnused(**program, knowledge);
  Places places(**program);
  places.computations = std::move(computations);
  std::vector<Asked> found;
  std::vector<UnknownName> unknown = findAll(places, request, startOf(module, request.path), found);
  Past past((*program)->graph, history);
  Teller teller(places, past, isFree, knowledge);
  std::vector<Explanation> told;
  for (const Asked &each : found) {
    told.push_back(teller.tell(each.value));
    nameAsAsked(each, places.nameOf(each.value), told.back());
    told.back().call = callIfSeveral(places, each.value);
    if (request.asPicture)
      told.back().picture = pictureOf(places, each.value);
  }
  std::vector<Flag> flags;
  if (request.missing)
    flags = findFlags(**program, knowledge);
  if (request.asJson) {
    printJson(told, request.missing ? &flags : nullptr, request.repeatedWork, unknown, os);
    return mlir::success(unknown.empty());
  }
  for (const Explanation &each : told)
    request.asPicture ? printPicture(each, os) : printText(each, os);
  for (const Flag &flag : flags)
    printText(flag, os);
  if (request.repeatedWork)
    printText(*request.repeatedWork, os);
  if (request.missing && flags.empty())
    os << "no value is without a sharding\n";
  return mlir::success(unknown.empty());
}

} // namespace spmd
