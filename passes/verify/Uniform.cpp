#include "spmd/passes/verify/Uniform.h"

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace spmd {

using namespace stablehlo;

namespace {

/// An integer on each device.
using PerDevice = std::vector<int64_t>;

/// Works out scalars that are arithmetic on `partition_id`.
class Evaluator {
public:
  explicit Evaluator(int64_t numDevices) : numDevices(numDevices) {}

  /// Returns what `value` is on each device, or null if that is not known.
  const PerDevice *evaluate(mlir::Value value, int depth = 0) {
    auto [entry, isNew] = known.try_emplace(value);
    if (isNew) {
      std::unique_ptr<PerDevice> found = compute(value, depth);
      return (known[value] = std::move(found)).get(); // The table may have grown.
    }
    return entry->second.get();
  }

private:
  /// How deep a chain of scalar ops is followed.
  static constexpr int maxDepth = 64;

  std::unique_ptr<PerDevice> compute(mlir::Value value, int depth) {
    auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
    mlir::Operation *op = value.getDefiningOp();
    if (!op || depth == maxDepth || !type || type.getNumElements() != 1 ||
        !type.getElementType().isInteger() || type.getElementTypeBitWidth() > 32 ||
        op->getNumRegions() > 0)
      return nullptr;
    mlir::DenseIntElementsAttr constant;
    if (mlir::matchPattern(value, mlir::m_Constant(&constant)))
      return std::make_unique<PerDevice>(
          numDevices, wrap(type, constant.getSplatValue<llvm::APInt>().getSExtValue()));
    if (llvm::isa<PartitionIdOp>(op)) {
      auto ids = std::make_unique<PerDevice>(numDevices);
      std::iota(ids->begin(), ids->end(), 0);
      return ids;
    }
    llvm::SmallVector<const PerDevice *, 3> operands;
    if (op->getNumOperands() == 0 || !isArithmetic(op))
      return nullptr;
    for (mlir::Value operand : op->getOperands()) {
      operands.push_back(evaluate(operand, depth + 1));
      if (!operands.back())
        return nullptr;
    }
    auto result = std::make_unique<PerDevice>();
    for (int64_t device = 0; device < numDevices; ++device) {
      auto at = [&](size_t i) { return (*operands[std::min(i, operands.size() - 1)])[device]; };
      std::optional<int64_t> number = apply(op, at(0), at(1), at(2));
      if (!number)
        return nullptr;
      result->push_back(wrap(type, *number));
    }
    return result;
  }

  static bool isArithmetic(mlir::Operation *op) {
    return llvm::isa<AddOp, SubtractOp, MulOp, DivOp, RemOp, MinOp, MaxOp, AndOp, OrOp, XorOp,
                     NotOp, ConvertOp, ReshapeOp, CompareOp, SelectOp>(op);
  }

  static std::optional<int64_t> apply(mlir::Operation *op, int64_t a, int64_t b, int64_t c) {
    using Result = std::optional<int64_t>;
    return llvm::TypeSwitch<mlir::Operation *, Result>(op)
        .Case<AddOp>([&](auto) { return a + b; })
        .Case<SubtractOp>([&](auto) { return a - b; })
        .Case<MulOp>([&](auto) { return a * b; })
        .Case<DivOp>([&](auto) { return b == 0 ? Result() : a / b; })
        .Case<RemOp>([&](auto) { return b == 0 ? Result() : a % b; })
        .Case<MinOp>([&](auto) { return std::min(a, b); })
        .Case<MaxOp>([&](auto) { return std::max(a, b); })
        .Case<AndOp>([&](auto) { return a & b; })
        .Case<OrOp>([&](auto) { return a | b; })
        .Case<XorOp>([&](auto) { return a ^ b; })
        .Case<NotOp>([&](auto) { return ~a; })
        .Case<ConvertOp>([&](ConvertOp convert) {
          bool toBool = elementOf(convert).isInteger(1);
          return toBool ? static_cast<int64_t>(a != 0) : a;
        })
        .Case<ReshapeOp>([&](auto) { return a; })
        .Case<SelectOp>([&](auto) { return a ? b : c; })
        .Case<CompareOp>([&](CompareOp compare) { return isTrue(compare, a, b); })
        .Default([](auto) { return Result(); });
  }

  static mlir::Type elementOf(mlir::Operation *op) {
    return mlir::getElementTypeOrSelf(op->getResult(0).getType());
  }

  static int64_t isTrue(CompareOp compare, int64_t a, int64_t b) {
    switch (compare.getComparisonDirection()) {
    case ComparisonDirection::EQ:
      return a == b;
    case ComparisonDirection::NE:
      return a != b;
    case ComparisonDirection::LT:
      return a < b;
    case ComparisonDirection::LE:
      return a <= b;
    case ComparisonDirection::GT:
      return a > b;
    case ComparisonDirection::GE:
      return a >= b;
    }
    return 0;
  }

  /// Returns `number` as a value of the element type.
  static int64_t wrap(mlir::RankedTensorType type, int64_t number) {
    mlir::Type element = type.getElementType();
    llvm::APInt bits(64, static_cast<uint64_t>(number));
    bits = bits.trunc(element.getIntOrFloatBitWidth());
    bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
    return isUnsigned ? static_cast<int64_t>(bits.getZExtValue()) : bits.getSExtValue();
  }

  int64_t numDevices;
  llvm::DenseMap<mlir::Value, std::unique_ptr<PerDevice>> known;
};

class Checker {
public:
  Checker(mlir::ModuleOp module, int64_t numDevices)
      : module(module), numDevices(numDevices), evaluator(numDevices) {}

  mlir::LogicalResult run(llvm::ArrayRef<DataFlow> branches) {
    for (DataFlow branch : branches)
      if (isReached(branch))
        check(branch);
    return mlir::failure(failed);
  }

private:
  /// Whether data flows to `branch`, through nothing that computes with single elements.
  bool isReached(mlir::Operation *branch) const {
    mlir::Operation *around = branch->getParentOp();
    while (llvm::isa_and_nonnull<DataFlow>(around))
      around = around->getParentOp();
    return around && around->getParentOp() == module && llvm::isa<mlir::func::FuncOp>(around);
  }

  void check(DataFlow branch) {
    const PerDevice *decision = evaluator.evaluate(branch.getDecision());
    if (!decision || llvm::all_equal(*decision))
      return;
    std::vector<unsigned> taken;
    for (int64_t value : *decision)
      taken.push_back(branch.getRegionFor(value));
    for (auto [i, region] : llvm::enumerate(branch->getRegions())) {
      llvm::DenseSet<mlir::Operation *> seen;
      auto takes = [&taken, index = i](int64_t device) { return taken[device] == index; };
      checkRegion(branch, region, takes, seen);
    }
  }

  using Takes = llvm::function_ref<bool(int64_t)>;

  /// Checks the collectives of `region`, and of the functions that it calls.
  void checkRegion(mlir::Operation *branch, mlir::Region &region, Takes takes,
                   llvm::DenseSet<mlir::Operation *> &seen) {
    region.walk([&](mlir::Operation *op) {
      if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
        auto callee = module.lookupSymbol<mlir::func::FuncOp>(call.getCallee());
        if (callee && !callee.isExternal() && seen.insert(callee).second)
          checkRegion(branch, callee.getBody(), takes, seen);
      } else if (op->hasTrait<stablehlo::Collective>()) {
        for (const std::vector<int64_t> &group : groupsOf(op))
          if (!checkGroup(branch, op, group, takes))
            return;
      }
    });
  }

  /// The devices that wait for each other; none if they are reported elsewhere.
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
    auto groups = attr ? expandGroups(op, attr, numDevices)
                       : mlir::FailureOr<std::vector<std::vector<int64_t>>>(mlir::failure());
    return mlir::succeeded(groups) ? *groups : std::vector<std::vector<int64_t>>();
  }

  /// Returns whether all devices of `group`, or none, take the branch; reports it if not.
  bool checkGroup(mlir::Operation *branch, mlir::Operation *op, llvm::ArrayRef<int64_t> group,
                  Takes takes) {
    auto isDevice = [&](int64_t device) { return device >= 0 && device < numDevices; };
    if (!llvm::all_of(group, isDevice))
      return true; // Reported elsewhere.
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
  int64_t numDevices;
  Evaluator evaluator;
  bool failed = false;
};

} // namespace

mlir::LogicalResult checkUniform(mlir::ModuleOp module, llvm::ArrayRef<DataFlow> branches,
                                 int64_t numDevices) {
  return Checker(module, numDevices).run(branches);
}

} // namespace spmd
