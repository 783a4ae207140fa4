#include "spmd/passes/propose/Proposal.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/ValueSharding.h"
#include "spmd/passes/plan/ApplyPlan.h"
#include "spmd/passes/plan/Names.h"
#include "spmd/passes/plan/Updates.h"
#include "spmd/passes/propagate/Lines.h"
#include "spmd/passes/why/Collectives.h"
#include "spmd/passes/why/Columns.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <tuple>

namespace spmd {

namespace {

bool isPinnedWhole(ValueSharding pin) {
  return pin && pin.state == ShardingState::pinned && isClosed(pin) &&
         llvm::all_of(pin.attr.getSpec().dims, [](const DimSpec &dim) { return dim.axes.empty(); });
}

bool isSplit(ValueSharding sharding) {
  return sharding && llvm::any_of(sharding.attr.getSpec().dims,
                                  [](const DimSpec &dim) { return !dim.axes.empty(); });
}

/// Makes plans for one program.
class Planner {
public:
  Planner(mlir::ModuleOp module, const PipelineOptions &options)
      : module(module), entry(entryOf(module)), options(options), codec(module) {}

  std::optional<Proposal> run() {
    if (codec.mainMesh() < 0 || !entry || entry.isExternal())
      return std::nullopt;
    std::optional<TrialCosts> before = tryPlan(module, "", options);
    if (!before)
      return std::nullopt;
    std::optional<Proposal> best;
    size_t left = numTrials();
    for (const auto &[entries, isComplete] : plans()) {
      if (entries.empty() || left == 0)
        continue;
      --left;
      std::string plan = isComplete ? entries : withResults(entries);
      std::optional<TrialCosts> after = tryPlan(module, plan, options);
      if (!after || !after->isLessThan(*before))
        continue;
      if (!best || rankOf(*after, *before) < rankOf(best->after, *before))
        best = Proposal{plan, *before, *after};
    }
    return best;
  }

private:
  static std::tuple<bool, bool, int64_t, int64_t> rankOf(const TrialCosts &costs,
                                                         const TrialCosts &before) {
    return {costs.repeated.isMost(), costs.wireBytes > before.wireBytes, costs.heldBytes,
            costs.wireBytes};
  }

  /// Each trial partitions the program once.
  size_t numTrials() {
    constexpr int64_t mostOps = 50'000, mostTrials = 8;
    int64_t numOps = 1;
    module.walk([&](mlir::Operation *) { ++numOps; });
    return std::clamp<int64_t>(mostOps / numOps, 1, mostTrials);
  }

  /// Returns the entries of plans, and whether they speak of results as well as they can.
  std::vector<std::pair<std::string, bool>> plans() {
    std::vector<std::string> axes;
    for (const MeshAxis &axis : codec.mesh(codec.mainMesh()).axes())
      if (axis.size > 1)
        axes.push_back(axis.name);
    std::string inputs = entryOfInputs(axes);
    std::vector<std::pair<std::string, bool>> found = {{planOfPropagation(), true}};
    if (!inputs.empty())
      found.emplace_back(entryOfParameters(axes, /*priority=*/1) + " " + inputs, false);
    found.emplace_back(entryOfParameters(axes, /*priority=*/0), false);
    if (!inputs.empty())
      found.emplace_back(inputs, false);
    for (const std::string &axis : axes)
      if (axes.size() > 1)
        found.emplace_back(entryOfParameters({axis}, /*priority=*/0), false);
    return found;
  }

  //===- Entries -------------------------------------------------------------===//

  static std::string entryOfParameters(const std::vector<std::string> &axes, int priority) {
    std::string text = "entry { argument: \"*\" ";
    if (priority > 0)
      text += "priority: " + std::to_string(priority) + " ";
    text += "fsdp { ";
    for (const std::string &axis : axes)
      text += "axis: \"" + axis + "\" ";
    return text + "} }";
  }

  /// Returns the sizes of the batch's dim, which is dim 0 of the largest argument that is not
  /// updated, or, where none is updated, of the largest result.
  int64_t batchSize(const std::vector<bool> &updated) {
    bool isTraining = llvm::is_contained(updated, true);
    int64_t size = 0, largest = 0;
    auto look = [&](mlir::Type type) {
      mlir::RankedTensorType tensor = tensorTypeOf(type);
      if (!tensor || !tensor.hasStaticShape() || tensor.getRank() == 0)
        return;
      if (int64_t bytes = bytesOf(type); bytes > largest) {
        largest = bytes;
        size = tensor.getDimSize(0);
      }
    };
    if (isTraining) {
      for (auto [argument, isUpdated] : llvm::zip_equal(entry.getArguments(), updated))
        if (!isUpdated)
          look(argument.getType());
    } else {
      llvm::for_each(entry.getResultTypes(), look);
    }
    return size;
  }

  /// Returns entries that split the batch of the program's inputs; empty if there are none.
  std::string entryOfInputs(const std::vector<std::string> &axes) {
    std::vector<bool> updated = updatedArguments(module, entry);
    int64_t batch = batchSize(updated);
    if (batch < codec.mesh(codec.mainMesh()).numDevices())
      return "";
    ShardingSpec spec;
    DimSpec first;
    for (const std::string &axis : axes)
      first.axes.push_back({axis});
    std::map<std::string, std::vector<std::string>> arguments; // By what they are to be.
    for (mlir::BlockArgument argument : entry.getArguments()) {
      mlir::RankedTensorType type = tensorTypeOf(argument.getType());
      if (updated[argument.getArgNumber()] || !type || !type.hasStaticShape() ||
          type.getRank() == 0 || type.getDimSize(0) != batch || isSplit(pinOf(argument)))
        continue;
      spec.dims.assign(type.getRank(), DimSpec{{}, /*open=*/true});
      spec.dims[0] = first;
      arguments[spec.str()].push_back(nameOf(argument.getArgNumber()));
    }
    std::string text;
    for (const auto &[sharding, names] : arguments)
      text += (text.empty() ? "" : " ") + entryFor("argument", names, sharding);
    return text;
  }

  static std::string entryFor(const char *kind, const std::vector<std::string> &names,
                              const std::string &sharding) {
    std::string text = "entry { ";
    for (const std::string &name : names)
      text += std::string(kind) + ": \"" + name + "\" ";
    return text + "sharding: '" + sharding + "' }";
  }

  /// How a plan calls an argument: by its name, or where that is a pattern, by its number.
  std::string nameOf(unsigned index) {
    std::string name = names.ofArgument(entry, index).front();
    bool isPlain = name.find_first_of("*?\"\\\n") == std::string::npos;
    return isPlain ? name : std::to_string(index);
  }

  //===- Propagation ---------------------------------------------------------===//

  /// A copy of the program, some of whose pins are gone.
  struct Unpinned {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    mlir::func::FuncOp entry;
    std::vector<unsigned> arguments, results;
  };

  Unpinned copyUnpinned(bool alsoArguments) {
    Unpinned made;
    made.module = module.clone();
    made.entry = entryOf(*made.module);
    for (mlir::BlockArgument argument : made.entry.getArguments())
      if (alsoArguments && isPinnedWhole(pinOf(argument)))
        made.arguments.push_back(argument.getArgNumber());
    for (unsigned i = 0; i < made.entry.getNumResults(); ++i)
      if (isPinnedWhole(shardingOfResult(made.entry, i)))
        made.results.push_back(i);
    for (unsigned index : made.arguments)
      made.entry.removeArgAttr(index, shardingAttrName);
    for (unsigned index : made.results)
      made.entry.removeResultAttr(index,
                                  mlir::StringAttr::get(module.getContext(), shardingAttrName));
    return made;
  }

  bool propagate(mlir::ModuleOp copy) {
    mlir::ScopedDiagnosticHandler quiet(module.getContext(), [](mlir::Diagnostic &) {});
    mlir::PassManager manager(module.getContext());
    manager.enableVerifier(false);
    addStage(manager, PipelineOptions::Stage::propagate, options);
    return mlir::succeeded(manager.run(copy));
  }

  /// Returns entries for the arguments and results that are split now.
  std::string entriesOf(Unpinned &made) {
    llvm::MapVector<mlir::Attribute, std::vector<std::string>> arguments, results;
    auto isOnMainMesh = [&](ValueSharding sharding) {
      return isSplit(sharding) && sharding.attr.getMeshOrRef() == codec.meshAttr(codec.mainMesh());
    };
    for (unsigned index : made.arguments)
      if (ValueSharding found = shardingOf(made.entry.getArgument(index)); isOnMainMesh(found))
        arguments[closed(found.attr)].push_back(nameOf(index));
    for (unsigned index : made.results)
      if (ValueSharding found = shardingOfResult(made.entry, index); isOnMainMesh(found))
        results[closed(found.attr)].push_back(std::to_string(index));
    std::string text;
    auto add = [&](const char *kind, auto &found) {
      for (auto &[sharding, names] : found)
        text += (text.empty() ? "" : " ") +
                entryFor(kind, names, llvm::cast<sdy::ShardingAttr>(sharding).getSpec().str());
    };
    add("argument", arguments);
    add("result", results);
    return text;
  }

  /// Returns what propagation makes of the arguments and results that are pinned whole.
  std::string planOfPropagation() {
    Unpinned made = copyUnpinned(/*alsoArguments=*/true);
    bool isPinned = !made.arguments.empty();
    return isPinned && propagate(*made.module) ? entriesOf(made) : "";
  }

  /// Adds entries for results that are pinned whole, and follow arguments that `plan` splits.
  std::string withResults(std::string plan) {
    Unpinned made = copyUnpinned(/*alsoArguments=*/false);
    if (made.results.empty())
      return plan;
    std::vector<PlanFinding> findings;
    std::optional<ProgramPlan> read = readPlan(plan, "a plan", findings);
    mlir::ScopedDiagnosticHandler quiet(module.getContext(), [](mlir::Diagnostic &) {});
    if (!read || mlir::failed(applyPlan(*made.module, *read)))
      return plan;
    llvm::DenseSet<mlir::Type> types;
    for (mlir::BlockArgument argument : made.entry.getArguments())
      if (isSplit(pinOf(argument)))
        types.insert(argument.getType());
    llvm::erase_if(made.results, [&](unsigned index) {
      return !types.contains(made.entry.getResultTypes()[index]);
    });
    std::string results = made.results.empty() || !propagate(*made.module) ? "" : entriesOf(made);
    return results.empty() ? plan : plan + " " + results;
  }

  mlir::ModuleOp module;
  mlir::func::FuncOp entry;
  const PipelineOptions &options;
  ShardingCodec codec;
  ValueNames names;
};

} // namespace

std::optional<Proposal> proposePlan(mlir::ModuleOp module, const PipelineOptions &options) {
  return Planner(module, options).run();
}

std::string Proposal::text() const { return plan + "; " + describe(before, after); }

//===- Reports -------------------------------------------------------------===//

std::string RepeatedWorkReport::message() const { return describe(work); }

std::string RepeatedWorkReport::fix() const {
  if (!proposal)
    return "split an argument along an axis of the mesh; no plan that was tried made a device move "
           "or hold less";
  return "write a plan, and pass it with --plan: " + proposal->text();
}

RepeatedWorkReport reportRepeatedWork(mlir::ModuleOp module, const RepeatedWork &work,
                                      const PipelineOptions &options) {
  return {work, proposePlan(module, options)};
}

std::optional<RepeatedWorkReport> findRepeatedWork(mlir::ModuleOp module,
                                                   const PipelineOptions &options) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  mlir::ScopedDiagnosticHandler quiet(module.getContext(), [](mlir::Diagnostic &) {});
  mlir::PassManager manager(module.getContext());
  manager.enableVerifier(false);
  addStage(manager, PipelineOptions::Stage::propagate, options);
  addStage(manager, PipelineOptions::Stage::reshard, options);
  if (mlir::failed(manager.run(*copy)))
    return std::nullopt;
  RepeatedWork work = repeatedWorkOf(*copy);
  if (!work.isMost())
    return std::nullopt;
  return reportRepeatedWork(module, work, options);
}

static void writeCosts(const TrialCosts &costs, llvm::json::OStream &json) {
  json.attribute("wire_bytes_per_device", costs.wireBytes);
  json.attribute("argument_and_result_bytes_per_device", costs.heldBytes);
}

void writeJson(const RepeatedWorkReport &report, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("location", report.work.location);
    json.attribute("message", report.message());
    json.attribute("fix", report.fix());
    json.attribute("devices", report.work.numDevices);
    json.attribute("share_of_work", report.work.share);
    json.attribute("whole_bytes", report.work.wholeBytes);
    json.attribute("argument_and_result_bytes", report.work.boundaryBytes);
    if (!report.proposal)
      return;
    const Proposal &proposal = *report.proposal;
    json.attribute("plan", proposal.plan);
    json.attributeObject("without_plan", [&] { writeCosts(proposal.before, json); });
    json.attributeObject("with_plan", [&] { writeCosts(proposal.after, json); });
  });
}

} // namespace spmd
