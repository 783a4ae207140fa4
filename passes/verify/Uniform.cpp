#include "spmd/passes/verify/Uniform.h"

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/passes/verify/PerDevice.h"

namespace spmd {

using namespace stablehlo;

namespace {

class Checker {
public:
  Checker(mlir::ModuleOp module, int64_t numDevices)
      : module(module), symbols(module), numDevices(numDevices), calls(module),
        evaluator(calls, numDevices) {}

  mlir::LogicalResult run(llvm::ArrayRef<DataFlow> flows) {
    for (DataFlow flow : flows) {
      if (!isReached(flow))
        continue;
      if (auto loop = llvm::dyn_cast<WhileOp>(flow.getOperation()))
        checkLoop(loop);
      else
        check(flow);
    }
    return mlir::failure(failed);
  }

private:
  /// Whether data flows to `branch`, through nothing that computes with single elements.
  bool isReached(mlir::Operation *branch) const {
    mlir::Operation *around = branch->getParentOp();
    while (llvm::isa<DataFlow>(around))
      around = around->getParentOp();
    return llvm::isa<mlir::func::FuncOp>(around);
  }

  void check(DataFlow branch) {
    const PerDevice *decision = evaluator.evaluate(branch.getDecision());
    if (!decision)
      return;
    std::vector<unsigned> taken;
    for (int64_t value : *decision)
      taken.push_back(branch.getRegionFor(value));
    for (auto [i, region] : llvm::enumerate(branch->getRegions())) {
      llvm::DenseSet<mlir::Operation *> seen;
      auto takes = [&taken, index = i](int64_t device) { return taken[device] == index; };
      checkRegion(region, seen, [&](mlir::Operation *op, llvm::ArrayRef<int64_t> group) {
        return checkGroup(branch, op, group, takes);
      });
    }
  }

  void checkLoop(WhileOp loop) {
    std::optional<PerDevice> turns = turnsOf(loop);
    if (!turns)
      return;
    llvm::DenseSet<mlir::Operation *> seen;
    checkRegion(loop.getBody(), seen, [&](mlir::Operation *op, llvm::ArrayRef<int64_t> group) {
      return checkTurns(loop, op, group, *turns);
    });
  }

  /// What a loop carries, where that is known.
  using Carried = std::vector<std::optional<PerDevice>>;

  static Carried evaluateAll(Evaluator &evaluator, mlir::ValueRange values) {
    Carried numbers;
    for (mlir::Value value : values) {
      const PerDevice *number = evaluator.evaluate(value);
      numbers.push_back(number ? std::optional(*number) : std::nullopt);
    }
    return numbers;
  }

  /// How many turns of a loop are followed.
  static constexpr int maxTurns = 1000;

  /// Returns how many turns each device takes if that depends on its number and can be told.
  std::optional<PerDevice> turnsOf(WhileOp loop) {
    mlir::Block &condition = loop.getCond().front(), &body = loop.getBody().front();
    mlir::Value predicate = condition.getTerminator()->getOperand(0);
    if (!mayDependOnDevice(predicate, calls))
      return std::nullopt;
    Carried carried = evaluateAll(evaluator, loop->getOperands());
    PerDevice turns(numDevices, 0);
    llvm::SmallVector<bool> areTurning(numDevices, true);
    for (int turn = 0; turn < maxTurns; ++turn) {
      Evaluator inside(calls, numDevices);
      for (auto [i, number] : llvm::enumerate(carried))
        if (number) {
          inside.bind(condition.getArgument(i), *number);
          inside.bind(body.getArgument(i), *number);
        }
      const PerDevice *more = inside.evaluate(predicate);
      if (!more)
        return std::nullopt;
      for (auto [isTurning, goesOn, count] : llvm::zip_equal(areTurning, *more, turns)) {
        isTurning = isTurning && goesOn;
        count += isTurning;
      }
      if (!llvm::is_contained(areTurning, true))
        return turns;
      carried = evaluateAll(inside, body.getTerminator()->getOperands());
    }
    return std::nullopt;
  }

  /// Judges a group of a collective; returns whether the others need a look.
  using Judge = llvm::function_ref<bool(mlir::Operation *, llvm::ArrayRef<int64_t>)>;
  using Takes = llvm::function_ref<bool(int64_t)>;

  /// Checks the collectives of `region`, and of the functions that it calls.
  void checkRegion(mlir::Region &region, llvm::DenseSet<mlir::Operation *> &seen, Judge judge) {
    region.walk([&](mlir::Operation *op) {
      if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
        auto callee = symbols.lookup<mlir::func::FuncOp>(call.getCallee());
        if (seen.insert(callee).second)
          checkRegion(callee.getBody(), seen, judge);
      } else if (op->hasTrait<stablehlo::Collective>()) {
        for (const std::vector<int64_t> &group : groupsOf(op))
          if (!judge(op, group))
            return;
      }
    });
  }

  /// Returns the devices that wait for each other.
  std::vector<std::vector<int64_t>> groupsOf(mlir::Operation *op) {
    if (auto permute = llvm::dyn_cast<CollectivePermuteOp>(op)) {
      std::vector<std::vector<int64_t>> pairs;
      for (int64_t device : permute.getSourceTargetPairs().getValues<int64_t>()) {
        if (pairs.empty() || pairs.back().size() == 2)
          pairs.emplace_back();
        pairs.back().push_back(device);
      }
      return pairs;
    }
    mlir::Attribute attr = op->getAttr("replica_groups");
    if (!attr)
      return {};
    auto groups = expandGroups(op, attr, numDevices);
    return mlir::succeeded(groups) ? *groups : std::vector<std::vector<int64_t>>();
  }

  /// Returns whether all devices of `group` take as many turns of a loop; reports it if not.
  bool checkTurns(mlir::Operation *loop, mlir::Operation *op, llvm::ArrayRef<int64_t> group,
                  const PerDevice &turns) {
    if (group.empty())
      return true;
    auto takesMore = [&](int64_t a, int64_t b) { return turns[a] < turns[b]; };
    int64_t waits = *std::max_element(group.begin(), group.end(), takesMore);
    int64_t absent = *std::min_element(group.begin(), group.end(), takesMore);
    if (turns[waits] == turns[absent])
      return true;
    mlir::InFlightDiagnostic error = op->emitOpError()
                                     << "joins devices " << waits << " and " << absent
                                     << ", which take " << turns[waits] << " and " << turns[absent]
                                     << " turns of a loop around it; device " << waits
                                     << " would wait for ever";
    error.attachNote(loop->getLoc())
        << "'" << loop->getName() << "' decides by the number of the device";
    failed = true;
    return false;
  }

  /// Returns whether all devices of `group`, or none, take the branch; reports it if not.
  bool checkGroup(mlir::Operation *branch, mlir::Operation *op, llvm::ArrayRef<int64_t> group,
                  Takes takes) {
    auto waits = llvm::find_if(group, takes);
    auto absent = llvm::find_if_not(group, takes);
    if (waits == group.end() || absent == group.end())
      return true;
    mlir::InFlightDiagnostic error = op->emitOpError()
                                     << "joins devices " << *waits << " and " << *absent
                                     << ", of which only device " << *waits
                                     << " gets here; it would wait for ever";
    error.attachNote(branch->getLoc())
        << "'" << branch->getName() << "' decides by the number of the device";
    failed = true;
    return false;
  }

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  int64_t numDevices;
  CallSites calls;
  Evaluator evaluator;
  bool failed = false;
};

} // namespace

mlir::LogicalResult checkUniform(mlir::ModuleOp module, llvm::ArrayRef<DataFlow> flows,
                                 int64_t numDevices) {
  return Checker(module, numDevices).run(flows);
}

} // namespace spmd
