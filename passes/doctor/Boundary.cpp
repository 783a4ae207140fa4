// Arguments that came stamped whole by accident, and dims that do not divide.

#include "spmd/passes/doctor/Checks.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/ModulePlace.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/ir/sharding/Layout.h"
#include "spmd/passes/propose/Proposal.h"

#include <algorithm>
#include <map>

namespace spmd {

static mlir::func::FuncOp mainOf(mlir::ModuleOp module) {
  return module.lookupSymbol<mlir::func::FuncOp>("main");
}

/// Whether every dim is closed and empty: somebody wrote that each device holds it all.
static bool isPinnedWhole(mlir::Value value) {
  ValueSharding pin = pinOf(value);
  mlir::RankedTensorType type = tensorTypeOf(value);
  return pin && isClosed(pin) && !isSplit(pin) && type && type.hasStaticShape() &&
         type.getNumElements() > 1;
}

void findReplicatedParameters(mlir::ModuleOp program, const PipelineOptions &options,
                              Findings &findings) {
  ShardingCodec codec(program);
  mlir::func::FuncOp main = mainOf(program);
  if (codec.mainMesh() < 0 || !main || main.isExternal())
    return;
  const Mesh &mesh = codec.mesh(codec.mainMesh());
  llvm::SmallVector<mlir::Value> whole;
  double allBytes = 0, wholeBytes = 0;
  size_t numSplit = 0;
  for (mlir::BlockArgument argument : main.getArguments()) {
    allBytes += bytesOf(argument);
    numSplit += isSplit(pinOf(argument));
    if (!isPinnedWhole(argument))
      continue;
    whole.push_back(argument);
    wholeBytes += bytesOf(argument);
  }
  // A few whole tensors are a plan; all of the parameters beside a split batch are the accident.
  if (numSplit == 0 || whole.size() < 2 || whole.size() <= numSplit || wholeBytes * 2 < allBytes)
    return;
  std::string count = std::to_string(whole.size());
  Finding finding{"replicated-parameters", placeText(whole.front().getLoc()),
                  count + " arguments, " + sizeText(wholeBytes) + " of " + sizeText(allBytes) +
                      ", are pinned whole on each of " + std::to_string(mesh.numDevices()) +
                      " devices, while others are split; some exporters stamp parameters so that "
                      "nobody marked"};
  constexpr size_t mostNamed = 3;
  for (mlir::Value value : llvm::ArrayRef(whole).take_front(mostNamed))
    finding.notes.push_back(
        {placeText(value.getLoc()), nameOf(value) + " is " + sizeText(bytesOf(value)) +
                                        ", pinned as " + pinOf(value).attr.getSpec().str()});
  if (whole.size() > mostNamed)
    finding.notes.push_back({placeText(whole[mostNamed].getLoc()),
                             std::to_string(whole.size() - mostNamed) + " more from here on"});
  if (std::optional<Proposal> proposal = proposePlan(program, options))
    finding.fix = "if each device should hold a part, write a plan, and pass it with --plan: " +
                  proposal->text();
  else
    finding.fix = "if each device should hold a part, split the largest along an axis of the mesh; "
                  "no plan that was tried made a device move or hold less";
  findings.push_back(std::move(finding));
}

void findRepeatedWork(mlir::ModuleOp program, const RepeatedWork &work,
                      const PipelineOptions &options, Findings &findings) {
  RepeatedWorkReport report = reportRepeatedWork(program, work, options);
  findings.push_back({"replicated-computation", work.location, report.message(), {}, report.fix()});
}

namespace {

/// Tells of dims of which the last devices hold less.
class UnevenDims {
public:
  UnevenDims(mlir::ModuleOp module, Findings &findings) : codec(module), findings(findings) {}

  /// Reports the first of all values whose dims come out alike; counts the others.
  void look(mlir::Value value, mlir::Location place, llvm::StringRef name, ValueSharding sharding) {
    mlir::RankedTensorType type = tensorTypeOf(value);
    if (!isSplit(sharding) || !type || !type.hasStaticShape())
      return;
    const MeshSharding *decoded = codec.decode(sharding.attr);
    if (!decoded)
      return;
    for (auto [d, dim] : llvm::enumerate(decoded->sharding.dims)) {
      int64_t size = type.getDimSize(d), shards = sizeOf(dim.axes);
      if (size % shards == 0)
        continue;
      auto [known, isNew] = alike.try_emplace({size, shards}, findings.size());
      if (isNew)
        add(place, name.str(), d, size, sharding.attr.getSpec().dims[d], shards);
      else
        findings[known->second].notes.push_back(
            {placeText(place), name.str() + " dim " + std::to_string(d) + ", too"});
    }
  }

private:
  static std::string partsText(int64_t size, int64_t shards) {
    int64_t part = (size + shards - 1) / shards;
    std::string text;
    constexpr int64_t mostShown = 8;
    for (int64_t i = 0; i < std::min(shards, mostShown); ++i)
      text += (i ? ", " : "") + std::to_string(std::clamp<int64_t>(size - i * part, 0, part));
    return text + (shards > mostShown ? ", .." : "");
  }

  void add(mlir::Location place, const std::string &name, size_t d, int64_t size,
           const DimSpec &dim, int64_t shards) {
    int64_t part = (size + shards - 1) / shards;
    int64_t empty = shards - (size + part - 1) / part;
    std::string axes = str(dim.axes);
    Finding finding{"uneven-dim", placeText(place),
                    name + " dim " + std::to_string(d) + " of size " + std::to_string(size) +
                        " is split " + std::to_string(shards) + " ways along " + axes +
                        ": the devices hold " + partsText(size, shards) + " rows" +
                        (empty ? ", " + std::to_string(empty) + " of them none" : "") +
                        ", and pad what they hold to " + std::to_string(part)};
    finding.fix = "it is computed right; to waste nothing, make the size a multiple of " +
                  std::to_string(shards) + " (" + std::to_string(part * shards) +
                  "), or split another dim";
    findings.push_back(std::move(finding));
  }

  ShardingCodec codec;
  Findings &findings;
  std::map<std::pair<int64_t, int64_t>, size_t> alike;
};

} // namespace

void findUnevenDims(mlir::ModuleOp propagated, Findings &findings) {
  UnevenDims uneven(propagated, findings);
  if (mlir::func::FuncOp main = mainOf(propagated); main && !main.isExternal())
    for (mlir::BlockArgument argument : main.getArguments())
      uneven.look(argument, argument.getLoc(), nameOf(argument), shardingOf(argument));
  propagated.walk([&](mlir::Operation *op) {
    for (mlir::OpResult result : op->getResults())
      if (ValueSharding pin = pinOf(result))
        uneven.look(result, op->getLoc(), nameOf(result), pin);
  });
}

} // namespace spmd
