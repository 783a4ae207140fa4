#include "spmd/passes/why/Collectives.h"

#include "spmd/dialect/groups/Groups.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/NumPartitions.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/reshard/WireBytes.h"

#include "mlir/Interfaces/CallInterfaces.h"

#include <algorithm>
#include <limits>

namespace spmd {

using namespace stablehlo;

static int64_t times(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

static int64_t plus(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

int64_t bytesOf(mlir::TypeRange types) {
  int64_t bytes = 0;
  for (mlir::Type type : types)
    if (mlir::RankedTensorType tensor = tensorTypeOf(type); tensor && tensor.hasStaticShape())
      bytes = plus(bytes, times(tensor.getNumElements(),
                                std::max(1, spmd::elementBits(tensor.getElementType()) / 8)));
  return bytes;
}

/// Also the exchange of ragged rows, which is a custom call.
static bool isCollective(mlir::Operation *op) {
  auto call = llvm::dyn_cast<CustomCallOp>(op);
  return op->hasTrait<stablehlo::Collective>() ||
         (call && call.getCallTargetName() == "ragged_all_to_all");
}

namespace {

/// How often something runs.
struct Runs {
  int64_t count = 0;
  bool isAtLeast = false;

  Runs operator*(const Runs &other) const {
    return {times(count, other.count), isAtLeast || other.isAtLeast};
  }
  void operator+=(const Runs &other) {
    count = plus(count, other.count);
    isAtLeast |= other.isAtLeast;
  }
};

class Search {
public:
  explicit Search(mlir::ModuleOp module) : module(module) {
    auto count = module->getAttrOfType<mlir::IntegerAttr>(numPartitionsName);
    numDevices = count ? count.getInt() : 1;
  }

  std::vector<FoundCollective> run() {
    mlir::func::FuncOp entry = entryOf(module);
    if (!entry)
      return {};
    order(entry);
    runs[entry].count = 1;
    for (mlir::func::FuncOp func : llvm::reverse(calleesFirst))
      visit(func.getBody(), runs[func]);
    return std::move(found);
  }

private:
  mlir::func::FuncOp calleeOf(mlir::Operation *op) {
    auto call = llvm::dyn_cast<mlir::CallOpInterface>(op);
    auto callee =
        call ? llvm::dyn_cast_if_present<mlir::func::FuncOp>(call.resolveCallableInTable(&symbols))
             : mlir::func::FuncOp();
    return callee && !callee.isExternal() ? callee : nullptr;
  }

  /// Lists what `entry` calls before it, with a stack of its own: chains of calls may be long.
  void order(mlir::func::FuncOp entry) {
    std::vector<std::pair<mlir::func::FuncOp, bool>> pending = {{entry, false}};
    while (!pending.empty()) {
      auto [func, isDone] = pending.back();
      pending.pop_back();
      if (isDone) {
        calleesFirst.push_back(func);
        continue;
      }
      if (!known.insert(func).second)
        continue;
      pending.emplace_back(func, true);
      func.walk([&, into = &pending](mlir::Operation *op) {
        if (mlir::func::FuncOp callee = calleeOf(op); callee && !known.contains(callee))
          into->emplace_back(callee, false);
      });
    }
  }

  void visit(mlir::Region &region, Runs runsHere) {
    for (mlir::Block &block : region)
      for (mlir::Operation &op : block) {
        if (mlir::func::FuncOp callee = calleeOf(&op)) {
          runs[callee] += runsHere;
          continue;
        }
        if (isCollective(&op)) {
          add(&op, runsHere);
          continue;
        }
        auto flow = llvm::dyn_cast<DataFlow>(op);
        Runs turns = {1, false};
        if (flow && flow.isLoop()) {
          std::optional<int64_t> trips = flow.getTripCount();
          turns = {trips.value_or(1), !trips};
        }
        for (mlir::Region &inner : op.getRegions())
          visit(inner, runsHere * turns);
      }
  }

  int64_t groupSizeOf(mlir::Operation *op) {
    mlir::Attribute groups = op->getAttr("replica_groups");
    if (!groups)
      return numDevices;
    auto [entry, isNew] = sizes.try_emplace(groups, 1);
    if (isNew)
      if (auto expanded = expandGroups(op, groups, numDevices, /*mustCover=*/false);
          mlir::succeeded(expanded))
        for (const std::vector<int64_t> &group : *expanded)
          entry->second = std::max<int64_t>(entry->second, group.size());
    return entry->second;
  }

  static bool sendsNothing(mlir::Operation *op) {
    auto permute = llvm::dyn_cast<CollectivePermuteOp>(op);
    if (!permute)
      return false;
    auto ids = llvm::to_vector(permute.getSourceTargetPairs().getValues<int64_t>());
    for (size_t i = 0; i + 1 < ids.size(); i += 2)
      if (ids[i] != ids[i + 1])
        return false;
    return true;
  }

  void add(mlir::Operation *op, const Runs &runsHere) {
    FoundCollective one;
    one.op = op;
    auto call = llvm::dyn_cast<CustomCallOp>(op);
    one.kind = call ? call.getCallTargetName().str() : op->getName().stripDialect().str();
    one.runs = runsHere.count;
    one.hasUnknownTrips = runsHere.isAtLeast;
    one.groupSize = groupSizeOf(op);
    mlir::ValueRange operands = op->getOperands();
    int64_t operandBytes = bytesOf(call ? operands.take_front(1).getTypes() : operands.getTypes());
    one.wireBytes = times(one.runs, wireBytes(one.kind, operandBytes, bytesOf(op->getResultTypes()),
                                              one.groupSize, sendsNothing(op)));
    one.causes = causesOf(op->getLoc());
    found.push_back(std::move(one));
  }

  mlir::ModuleOp module;
  mlir::SymbolTableCollection symbols;
  int64_t numDevices = 1;
  llvm::DenseSet<mlir::Operation *> known;
  std::vector<mlir::func::FuncOp> calleesFirst;
  llvm::DenseMap<mlir::Operation *, Runs> runs;
  llvm::DenseMap<mlir::Attribute, int64_t> sizes; ///< By groups.
  std::vector<FoundCollective> found;
};

} // namespace

mlir::func::FuncOp entryOf(mlir::ModuleOp module) {
  if (auto main = module.lookupSymbol<mlir::func::FuncOp>("main"))
    return main;
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (func.isPublic() && !func.isExternal())
      return func;
  return nullptr;
}

std::vector<FoundCollective> findCollectives(mlir::ModuleOp module) { return Search(module).run(); }

int64_t wireBytesOf(const std::vector<FoundCollective> &collectives) {
  int64_t sum = 0;
  for (const FoundCollective &each : collectives)
    sum = plus(sum, each.wireBytes);
  return sum;
}

} // namespace spmd
