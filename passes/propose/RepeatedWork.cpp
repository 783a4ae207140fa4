#include "spmd/passes/propose/RepeatedWork.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/choose/Work.h"
#include "spmd/passes/why/Collectives.h"
#include "spmd/passes/why/Columns.h"

#include "llvm/Support/Format.h"

#include <cmath>

namespace spmd {

namespace {

/// Whether devices hold different parts of the value, or different shares of a sum.
bool differs(ValueSharding sharding) {
  if (!sharding)
    return false;
  const ShardingSpec &spec = sharding.attr.getSpec();
  return !spec.unreduced.empty() ||
         llvm::any_of(spec.dims, [](const DimSpec &dim) { return !dim.axes.empty(); });
}

double elementsOf(mlir::ValueRange values) {
  double count = 0;
  for (mlir::Value value : values)
    if (mlir::RankedTensorType type = tensorTypeOf(value); type && type.hasStaticShape())
      count += static_cast<double>(type.getNumElements());
  return count;
}

class Counter {
public:
  void visit(mlir::Operation *op, double runs) {
    if (llvm::isa<DataFlow>(op) || op->hasTrait<mlir::OpTrait::IsTerminator>() || placesValue(op) ||
        isOfScalars(op))
      return;
    bool isRepeated = !isSplit(op);
    const Strategies *known = strategies.lookup(op);
    bool isArithmetic = known && known->front().flops > 0;
    (isArithmetic ? arithmetic : moved).add(runs * workOf(op, known), isRepeated);
  }

  void visitArgument(mlir::BlockArgument argument) {
    held.add(elementsOf(argument), !differs(shardingOf(argument)));
  }

  double share() const {
    if (arithmetic.all > 0)
      return arithmetic.share();
    // A table that every device reads a part of is no repeated work, nor is a view that needs all.
    return moved.all > 0 ? std::min(moved.share(), held.share()) : held.share();
  }

private:
  struct Sum {
    double all = 0, repeated = 0;

    double share() const { return all > 0 ? repeated / all : 0; }

    void add(double work, bool isRepeated) {
      all += work;
      repeated += isRepeated ? work : 0;
    }
  };

  static bool isOfScalars(mlir::Operation *op) {
    auto isScalar = [](mlir::Value value) {
      mlir::RankedTensorType type = tensorTypeOf(value);
      return !type || !type.hasStaticShape() || type.getNumElements() <= 1;
    };
    return llvm::all_of(op->getOperands(), isScalar) && llvm::all_of(op->getResults(), isScalar);
  }

  static double workOf(mlir::Operation *op, const Strategies *known) {
    if (!known || known->front().flops == 0)
      return elementsOf(op->getResults());
    const Strategy &strategy = known->front();
    return strategy.flops * (strategy.multiplies ? WorkWeights().wideProduct : 1);
  }

  bool isSplit(mlir::Operation *op) {
    auto isDifferent = [](mlir::Value value) { return differs(shardingOf(value)); };
    if (llvm::any_of(op->getOperands(), isDifferent) || llvm::any_of(op->getResults(), isDifferent))
      return true;
    auto manual = op->getParentOfType<sdy::ManualComputationOp>();
    return manual && isSplit(manual);
  }

  /// Whether the devices compute different things in `manual`: they are given different parts, or
  /// ask which device they are.
  bool isSplit(sdy::ManualComputationOp manual) {
    auto [known, isNew] = manuals.try_emplace(manual, false);
    if (isNew) {
      auto isDifferent = [](mlir::Value value) { return differs(shardingOf(value)); };
      bool isAsked =
          manual
              ->walk([](mlir::Operation *op) {
                bool isDevice = op->hasTrait<stablehlo::Collective>() ||
                                llvm::isa<stablehlo::PartitionIdOp>(op);
                return isDevice ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
              })
              .wasInterrupted();
      auto outer = manual->getParentOfType<sdy::ManualComputationOp>();
      bool isIn = isAsked || llvm::any_of(manual.getOperands(), isDifferent) ||
                  llvm::any_of(manual.getResults(), isDifferent) || (outer && isSplit(outer));
      manuals[manual] = isIn;
      return isIn;
    }
    return known->second;
  }

  StrategyCache strategies;
  llvm::DenseMap<mlir::Operation *, bool> manuals;
  Sum arithmetic, moved, held;
};

/// Adds up the bytes of the entry function's arguments and results.
void addBoundary(mlir::func::FuncOp entry, RepeatedWork &work) {
  int64_t largest = 0;
  work.location = placeText(entry.getLoc());
  for (mlir::BlockArgument argument : entry.getArguments()) {
    int64_t bytes = bytesOf(argument.getType());
    work.boundaryBytes += bytes;
    if (differs(shardingOf(argument)))
      continue;
    work.wholeBytes += bytes;
    if (bytes > largest) {
      largest = bytes;
      work.location = placeText(argument.getLoc());
    }
  }
  for (auto [index, type] : llvm::enumerate(entry.getResultTypes())) {
    int64_t bytes = bytesOf(type);
    work.boundaryBytes += bytes;
    work.wholeBytes += differs(shardingOfResult(entry, index)) ? 0 : bytes;
  }
}

} // namespace

RepeatedWork repeatedWorkOf(mlir::ModuleOp resharded) {
  RepeatedWork work;
  ShardingCodec codec(resharded);
  mlir::func::FuncOp entry = entryOf(resharded);
  if (codec.mainMesh() < 0 || !entry || entry.isExternal())
    return work;
  work.numDevices = codec.mesh(codec.mainMesh()).numDevices();
  addBoundary(entry, work);
  Counter counter;
  for (mlir::BlockArgument argument : entry.getArguments())
    counter.visitArgument(argument);
  forEachRun(resharded, [&](mlir::Operation *op, const RunCount &runs) {
    counter.visit(op, static_cast<double>(runs.count));
    return llvm::isa<DataFlow>(op);
  });
  work.share = counter.share();
  return work;
}

std::string describe(const RepeatedWork &work) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string devices = "each of " + withCommas(work.numDevices) + " devices";
  if (work.share == 1)
    os << devices << " does all of the work of the program";
  else
    os << devices << " does the same " << llvm::format("%.1f", std::floor(1000 * work.share) / 10)
       << " % of the work of the program";
  os << ", and holds whole " << withCommas(work.wholeBytes) << " of "
     << withCommas(work.boundaryBytes) << " bytes of arguments and results";
  return text;
}

} // namespace spmd
