#include "spmd/passes/propagate/Flags.h"

#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/ModulePlace.h"
#include "spmd/dialect/spmd/WrittenNames.h"

#include "spmd/ir/sharding/Spec.h"
#include "spmd/passes/propagate/Lines.h"
#include "spmd/passes/propagate/Listing.h"
#include "spmd/passes/propagate/Missing.h"
#include "spmd/passes/propagate/Neighbours.h"
#include "spmd/passes/propagate/NothingPasses.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <functional>

namespace spmd {

namespace {

/// What to do about it; the same words everywhere.
std::string adviceFor(OnMissing onMissing) {
  return onMissing == OnMissing::replicate
             ? "has no sharding; every device holds it whole; annotate it to split it"
             : "has no sharding; annotate it or set on-missing=replicate";
}

/// What stands around a flagged value.
struct Around {
  struct Near {
    mlir::Value value; ///< Null if there is none.
    std::string sharding;
    int32_t distance = 0;
  };
  Near operand, user;
  std::string write;
  WholeLine whole; ///< Where no line splits it.
};

/// How values lie, read from the graph or from attributes.
struct Lie {
  SplitAlike::Lookup known;
  std::function<std::string(mlir::Value)> text; ///< `[{"x"}]`, of one that is split.

  bool isSplit(mlir::Value value) const {
    const MeshSharding *sharding = known(value);
    return sharding && !sharding->sharding.isFullyReplicated();
  }
};

/// Looks around flagged values.
class Surroundings {
public:
  Surroundings(ShardingCodec &codec, Lie lie)
      : codec(codec), lie(std::move(lie)), alike(codec, this->lie.known),
        neighbours([this](mlir::Value value) { return this->lie.isSplit(value); }) {}

  Around of(mlir::Value value) {
    Around around = {near(neighbours.madeFrom(value)), near(neighbours.usedFor(value)), "", {}};
    if (std::optional<DimSplit> split = alike.of(value))
      around.write = lineThatSplits(codec, value, *split, names);
    else
      around.whole = lineThatKeepsWhole(codec, value, names);
    return around;
  }

private:
  Around::Near near(Neighbours::Near found) const {
    return {found.value, found.value ? lie.text(found.value) : "", found.distance};
  }

  ShardingCodec &codec;
  Lie lie;
  SplitAlike alike;
  Neighbours neighbours;
  SourceNames names;
};

/// Tells of a flagged value where it comes from and where it goes, remembering what it told of ops.
class Notes {
public:
  void add(mlir::InFlightDiagnostic &diagnostic, mlir::Value value, const Around &around) {
    mlir::Operation *definition = value.getDefiningOp();
    if (pinOf(value))
      diagnostic.attachNote(value.getLoc())
          << "its annotation leaves all dims open, and no other reaches it";
    if (isWithoutRule(definition)) {
      std::string &why = reasons[definition];
      if (why.empty())
        why = whyNothingPasses(definition);
      diagnostic.attachNote(definition->getLoc()) << "'" << definition->getName() << "' " << why;
    }
    // The first use in program order; use lists run backward.
    mlir::OpOperand *first = nullptr;
    for (mlir::OpOperand &use : value.getUses())
      if (!isGroup(use.getOwner()) &&
          (!first || (use.getOwner()->getBlock() == first->getOwner()->getBlock() &&
                      use.getOwner()->isBeforeInBlock(first->getOwner()))))
        first = &use;
    if (first)
      diagnostic.attachNote(first->getOwner()->getLoc())
          << "used by '" << first->getOwner()->getName() << "' as operand "
          << first->getOperandNumber() << " here" << shardedOperand(first->getOwner());
    addNear(diagnostic, around.operand, "made of what lies as ", " before");
    addNear(diagnostic, around.user, "used for what lies as ", " behind");
    if (!around.write.empty())
      diagnostic.attachNote(value.getLoc()) << "to split it, write: " << around.write;
    else if (!around.whole.text.empty())
      diagnostic.attachNote(value.getLoc())
          << "nothing splits it: " << around.whole.reason
          << "; to say that it is whole on purpose, write: " << around.whole.text;
  }

  /// Whether `op`, which may be null, is one that nothing passes through.
  bool isWithoutRule(mlir::Operation *op) {
    if (!op || llvm::isa<mlir::CallOpInterface, DataFlow>(op))
      return false;
    auto [known, isNew] = withoutRule.try_emplace(op, false); // It may have thousands of results.
    if (isNew)
      known->second = !strategies.lookup(op);
    return known->second;
  }

private:
  /// Whether `op` only says that values lie alike, which uses nothing.
  static bool isGroup(mlir::Operation *op) {
    auto partitionable = llvm::dyn_cast<Partitionable>(op);
    return partitionable && partitionable.getGroup();
  }

  static void addNear(mlir::InFlightDiagnostic &diagnostic, const Around::Near &near,
                      llvm::StringRef relation, llvm::StringRef direction) {
    if (near.value)
      diagnostic.attachNote(near.value.getLoc())
          << relation << near.sharding << ", " << near.distance
          << (near.distance == 1 ? " op" : " ops") << direction;
  }

  /// Returns `; operand 0 dim 1 is sharded on "x"` for the first operand of `user` that is, or
  /// nothing. That is no flagged value: nobody wrote a sharding for those.
  const std::string &shardedOperand(mlir::Operation *user) {
    auto [known, isNew] = shardedOperands.try_emplace(user);
    if (isNew)
      known->second = findShardedOperand(user);
    return known->second;
  }

  static std::string findShardedOperand(mlir::Operation *user) {
    for (mlir::OpOperand &operand : user->getOpOperands()) {
      ValueSharding sharding = shardingOf(operand.get());
      if (!sharding)
        continue;
      for (auto [d, dim] : llvm::enumerate(sharding.attr.getSpec().dims))
        if (!dim.axes.empty())
          return ("; operand " + llvm::Twine(operand.getOperandNumber()) + " dim " +
                  llvm::Twine(d) + " is sharded on " + str(dim.axes))
              .str();
    }
    return "";
  }

  StrategyCache strategies;
  llvm::DenseMap<mlir::Operation *, bool> withoutRule;
  llvm::DenseMap<mlir::Operation *, std::string> reasons;
  llvm::DenseMap<mlir::Operation *, std::string> shardedOperands;
};

} // namespace

SplitAlike::Lookup shardingsIn(const ProgramGraph &program) {
  std::vector<const ProgramGraph::Instance *> firstOf(program.bodies.size(), nullptr);
  for (const ProgramGraph::Instance &instance : llvm::reverse(program.instances))
    firstOf[instance.body] = &instance;
  llvm::DenseMap<mlir::Operation *, const ProgramGraph::Instance *> ofFunction;
  for (auto [index, body] : llvm::enumerate(program.bodies))
    ofFunction[body.func] = firstOf[index];
  return [&program, ofFunction](mlir::Value value) -> const MeshSharding * {
    mlir::Operation *parent = value.getParentRegion()->getParentOp();
    while (parent && !llvm::isa<mlir::func::FuncOp>(parent))
      parent = parent->getParentOp();
    const ProgramGraph::Instance *instance = ofFunction.lookup(parent);
    int32_t v = instance ? program.valueOf(*instance, value) : ShardGraph::none;
    int32_t known = v < 0 ? ShardGraph::none : program.graph.value(v).sharding;
    return known == ShardGraph::none ? nullptr : &program.graph.sharding(known);
  };
}

static Lie lieIn(const ProgramGraph &program) {
  SplitAlike::Lookup known = shardingsIn(program);
  return {known, [=, &program](mlir::Value value) {
            const MeshSharding *sharding = known(value);
            return toSpec(program.graph.mesh(sharding->mesh), sharding->sharding).str();
          }};
}

/// Tells how many there are, if not each was told of, or if they are held whole.
static void summarize(mlir::ModuleOp module, size_t count, const Listing &listing,
                      OnMissing onMissing) {
  bool isWhole = onMissing == OnMissing::replicate;
  if (count == 0 || (!isWhole && listing.numOthers == 0))
    return;
  mlir::InFlightDiagnostic remark = mlir::emitRemark(placeOf(module));
  remark << count << (count == 1 ? " value has" : " values have") << " no sharding"
         << (isWhole ? "; held whole on every device" : "");
  if (listing.numOthers > 0)
    remark << "; " << listing.numOthers << " of them, " << listing.bytesOfOthers
           << " bytes in all, are not listed above; --verbose lists all";
}

mlir::LogicalResult reportMissing(ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge,
                                  OnMissing onMissing, OnNoRule onNoRule, bool verbose) {
  if (program.bodies.empty())
    return mlir::success();
  Notes notes;
  Lie lie = lieIn(program);
  Surroundings surroundings(program.codec, lie);
  std::vector<mlir::Value> missing = findMissing(program, knowledge);
  // The reshard stage reports an op without a rule if something around it is split.
  if (onMissing == OnMissing::replicate && onNoRule == OnNoRule::error)
    llvm::erase_if(missing, [&](mlir::Value value) {
      mlir::Operation *op = value.getDefiningOp();
      return notes.isWithoutRule(op) &&
             llvm::any_of(op->getOperands(), [&](mlir::Value each) { return lie.isSplit(each); });
    });
  auto module = program.bodies.front().func->getParentOfType<mlir::ModuleOp>();
  bool isError = onMissing == OnMissing::error;
  Listing listing = listValues(module, missing, /*all=*/verbose || isError);
  for (const ListedValues &group : listing.listed) {
    mlir::Value value = group.values.front();
    std::string text = textOfFlag(value, onMissing);
    mlir::InFlightDiagnostic diagnostic =
        isError ? mlir::emitError(value.getLoc(), text) : mlir::emitWarning(value.getLoc(), text);
    notes.add(diagnostic, value, surroundings.of(value));
    if (size_t others = group.values.size() - 1)
      diagnostic.attachNote(value.getLoc())
          << "so with " << others << (others == 1 ? " more value" : " more values")
          << " of this line, " << group.bytes << " bytes in all";
  }
  summarize(module, missing.size(), listing, onMissing);
  return mlir::failure(isError && !missing.empty());
}

static Flag::Near nearOf(const Around::Near &near) {
  if (!near.value)
    return {};
  std::string name = writtenName(near.value);
  return {name.empty() ? describeValue(near.value) : name, placeText(near.value.getLoc()),
          near.sharding, near.distance};
}

static Flag flagOf(mlir::Value value, const Around &around) {
  return {placeText(value.getLoc()),
          describeValue(value),
          adviceFor(OnMissing::replicate),
          "whole on every device",
          nearOf(around.operand),
          nearOf(around.user),
          around.write,
          around.whole.reason,
          around.whole.text};
}

std::vector<Flag> findFlags(ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge) {
  std::vector<Flag> flags;
  Surroundings surroundings(program.codec, lieIn(program));
  for (mlir::Value value : findMissing(program, knowledge))
    flags.push_back(flagOf(value, surroundings.of(value)));
  return flags;
}

static void writeJson(const Flag::Near &near, llvm::StringRef name, llvm::json::OStream &json) {
  if (near.value.empty())
    return;
  json.attributeObject(name, [&] {
    json.attribute("value", near.value);
    json.attribute("location", near.location);
    json.attribute("sharding", near.sharding);
    json.attribute("distance", near.distance);
  });
}

void writeJson(const Flag &flag, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("location", flag.location);
    json.attribute("value", flag.value);
    json.attribute("message", flag.message);
    json.attribute("assumed", flag.assumed);
    writeJson(flag.operand, "operand", json);
    writeJson(flag.user, "user", json);
    if (!flag.write.empty())
      json.attribute("write", flag.write);
    if (!flag.keepWhole.empty()) {
      json.attribute("unsplit", flag.unsplit);
      json.attribute("keep_whole", flag.keepWhole);
    }
  });
}

static std::string textInModule(mlir::Value value) {
  return shardingOf(value).attr.getSpec().str();
}

std::string textOfFlag(mlir::Value value, OnMissing onMissing) {
  return describeValue(value) + " " + adviceFor(onMissing);
}

std::vector<Flag> collectFlags(mlir::ModuleOp module) {
  std::vector<Flag> flags;
  ShardingCodec codec(module);
  auto known = [&](mlir::Value value) {
    ValueSharding sharding = shardingOf(value);
    return sharding ? codec.decode(sharding.attr) : nullptr;
  };
  Surroundings surroundings(codec, {known, textInModule});
  forEachFlagged(
      module, [&](mlir::Value value) { flags.push_back(flagOf(value, surroundings.of(value))); });
  return flags;
}

void forEachFlagged(mlir::ModuleOp module, llvm::function_ref<void(mlir::Value)> visit) {
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    for (mlir::BlockArgument argument : func.getArguments())
      if (func.getArgAttr(argument.getArgNumber(), missingAttrName))
        visit(argument);
    func.walk([&](mlir::Operation *op) {
      mlir::Attribute mark = op->getAttr(missingAttrName);
      auto some = llvm::dyn_cast_if_present<mlir::DenseI64ArrayAttr>(mark);
      for (mlir::OpResult result : op->getResults())
        if (mark && (!some || llvm::is_contained(some.asArrayRef(), result.getResultNumber())))
          visit(result);
    });
  }
}

} // namespace spmd
