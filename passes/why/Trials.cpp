#include "spmd/passes/why/Trials.h"

#include "spmd/passes/propagate/Lines.h"
#include "spmd/passes/why/Collectives.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

namespace spmd {

//===- Lines to try ----------------------------------------------------------===//

/// The first dim that `axes` divide further, evenly.
static std::optional<size_t> dimToSplit(mlir::RankedTensorType type, const Sharding &sharding,
                                        const AxisList &axes) {
  for (size_t d = 0; d < sharding.dims.size(); ++d)
    if (type.getDimSize(d) % (sizeOf(sharding.dims[d].axes) * sizeOf(axes)) == 0)
      return d;
  return std::nullopt;
}

/// Moves `axis` to dim `d` of `sharding`.
static void splitAlong(Sharding &sharding, size_t d, const AxisRef &axis) {
  for (DimSharding &dim : sharding.dims)
    dim.axes.erase(std::remove_if(dim.axes.begin(), dim.axes.end(),
                                  [&](const AxisRef &ref) { return overlaps(ref, axis); }),
                   dim.axes.end());
  appendMerged(sharding.dims[d].axes, axis);
}

/// Returns how `result` of `op` lies if the op is split where its operand is, or nothing.
static std::optional<MeshSharding> resultSplitAs(mlir::Operation *op, unsigned operand,
                                                 mlir::OpResult result, const MeshSharding &from,
                                                 ChainFinder &finder) {
  const Strategies *strategies = finder.strategies().lookup(op);
  if (!strategies || operand >= strategies->front().rule.operands.size() ||
      result.getResultNumber() >= strategies->front().rule.results.size())
    return std::nullopt;
  const OpRule &rule = strategies->front().rule;
  MeshSharding wanted = finder.shardingOf(result).value_or(
      MeshSharding{from.mesh, Sharding::replicatedOf(tensorTypeOf(result).getRank())});
  const TensorFactors &of = rule.operands[operand], &into = rule.results[result.getResultNumber()];
  if (wanted.mesh != from.mesh || of.size() != from.sharding.dims.size())
    return std::nullopt;
  bool changes = false;
  for (size_t d = 0; d < of.size(); ++d)
    for (size_t r = 0; r < into.size() && r < wanted.sharding.dims.size(); ++r) {
      if (of[d].empty() || into[r].empty() || of[d].front() != into[r].front())
        continue;
      for (const AxisRef &axis : from.sharding.dims[d].axes)
        if (!overlaps(axis, wanted.sharding.dims[r].axes)) {
          splitAlong(wanted.sharding, r, axis);
          changes = true;
        }
    }
  wanted.sharding.unreduced.clear();
  return changes ? std::optional(wanted) : std::nullopt;
}

std::vector<TriedLine> linesFor(const Cause &cause, ChainFinder &finder) {
  std::vector<TriedLine> lines;
  if (!cause.from || !cause.to || !cause.type)
    return lines;
  ShardingCodec &codec = finder.codec();
  const MeshSharding *fromAttr = codec.decode(cause.from), *toAttr = codec.decode(cause.to);
  std::optional<MeshSharding> from, to;
  if (fromAttr && toAttr) {
    from = codec.onAxes(*fromAttr, cause.type.getRank());
    to = codec.onAxes(*toAttr, cause.type.getRank());
  }
  mlir::Value value = finder.valueOf(cause);
  Wanting wanting = finder.wantingOf(cause);
  if (!from || !to)
    return lines;
  bool isTheValue = value && tensorTypeOf(value) == cause.type;
  if (isTheValue && to->sharding.unreduced.empty())
    lines.push_back({value, {}, 0, codec.encode({to->mesh, to->sharding.layout()})});
  if (!from->sharding.unreduced.empty()) {
    MeshSharding reduced = {from->mesh, from->sharding.layout()};
    AxisList axes = std::exchange(reduced.sharding.unreduced, {});
    reduced.sharding.kind = ReductionKind::sum;
    if (std::optional<size_t> d = dimToSplit(cause.type, reduced.sharding, axes); d && isTheValue) {
      for (const AxisRef &axis : axes)
        splitAlong(reduced.sharding, *d, axis);
      lines.push_back({value, {}, 0, codec.encode(reduced)});
      from = reduced;
    }
  }
  if (!from->sharding.unreduced.empty() || !wanting.op || !wanting.operand)
    return lines;
  if (llvm::isa<mlir::func::ReturnOp>(wanting.op)) {
    auto func = wanting.op->getParentOfType<mlir::func::FuncOp>();
    if (func.getResultTypes()[*wanting.operand] == cause.type)
      lines.push_back({{}, func, *wanting.operand, codec.encode({from->mesh, from->sharding})});
    return lines;
  }
  for (mlir::OpResult result : wanting.op->getResults())
    if (mlir::RankedTensorType type = tensorTypeOf(result); type && lines.size() < 4)
      if (auto wanted = resultSplitAs(wanting.op, *wanting.operand, result, *from, finder)) {
        wanted->sharding = wanted->sharding.layout();
        lines.push_back({result, {}, 0, codec.encode(*wanted)});
      }
  return lines;
}

//===- Trials ----------------------------------------------------------------===//

Trials::Trials(mlir::ModuleOp original, const mlir::IRMapping &copies,
               const PipelineOptions &options, int64_t wireBytes)
    : original(original), options(options), wireBytes(wireBytes) {
  for (auto [value, copy] : copies.getValueMap())
    originals[copy] = value;
  constexpr int64_t mostTrials = 48, mostOps = 200'000;
  int64_t numOps = 1;
  original->walk([&](mlir::Operation *) { ++numOps; });
  left = std::min(mostTrials, mostOps / numOps);
}

static std::string lineOf(const TriedLine &line) {
  SourceNames names;
  return line.value ? lineThatShards(line.value, line.sharding, names)
                    : lineOfResult(line.func, line.result, line.sharding);
}

/// Whether a value is made alike in two programs, as far as can be seen at it.
static bool areAlike(mlir::Value a, mlir::Value b) {
  if (a.getType() != b.getType() || a.getLoc() != b.getLoc())
    return false;
  auto result = llvm::dyn_cast<mlir::OpResult>(a), other = llvm::dyn_cast<mlir::OpResult>(b);
  if (result && other)
    return result.getResultNumber() == other.getResultNumber() &&
           result.getOwner()->getName() == other.getOwner()->getName();
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(a);
  auto otherArgument = llvm::dyn_cast<mlir::BlockArgument>(b);
  return argument && otherArgument && argument.getArgNumber() == otherArgument.getArgNumber();
}

/// Returns what a value was copied from, or null. Of the copy much is gone meanwhile, and something
/// else may stand at the same address.
mlir::Value Trials::originalOf(mlir::Value copy) const {
  mlir::Value value = originals.lookup(copy);
  return value && areAlike(value, copy) ? value : mlir::Value();
}

/// Writes a line into the copy of the original that `copies` made. Returns false if the value is
/// not there.
bool Trials::writeLine(const TriedLine &line, const mlir::IRMapping &copies) const {
  if (!line.value) {
    mlir::func::FuncOp known = line.func;
    mlir::Operation *func = mlir::SymbolTable::lookupSymbolIn(original, known.getSymNameAttr());
    auto copy =
        llvm::dyn_cast_if_present<mlir::func::FuncOp>(func ? copies.lookupOrNull(func) : nullptr);
    if (!copy || copy.getFunctionType() != known.getFunctionType())
      return false; // Of the results of functions that are no entry, some may be gone.
    copy.setResultAttr(line.result, shardingAttrName, line.sharding);
    return true;
  }
  mlir::Value value = originalOf(line.value);
  value = value ? copies.lookupOrNull(value) : nullptr;
  if (!value)
    return false;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    if (auto func = llvm::dyn_cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp())) {
      func.setArgAttr(argument.getArgNumber(), shardingAttrName, line.sharding);
      return true;
    }
  mlir::OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  auto constraint = sdy::ShardingConstraintOp::create(builder, value.getLoc(), value.getType(),
                                                      value, line.sharding);
  value.replaceAllUsesExcept(constraint.getResult(), constraint);
  return true;
}

Trials::Key Trials::keyOf(const TriedLine &line) {
  const void *place = line.value ? line.value.getAsOpaquePointer() : line.func.getAsOpaquePointer();
  return {place, line.result, line.sharding.getAsOpaquePointer()};
}

std::optional<WhyAdvice> Trials::attempt(const TriedLine &line) {
  auto [entry, isNew] = known.try_emplace(keyOf(line), std::nullopt);
  if (isNew && left-- > 0)
    entry->second = run(line);
  return entry->second;
}

std::optional<WhyAdvice> Trials::run(const TriedLine &line) {
  mlir::IRMapping copies;
  mlir::OwningOpRef<mlir::ModuleOp> copy = llvm::cast<mlir::ModuleOp>(original->clone(copies));
  if (!writeLine(line, copies))
    return std::nullopt;
  mlir::ScopedDiagnosticHandler quiet(original.getContext(), [](mlir::Diagnostic &) {});
  mlir::PassManager manager(original.getContext());
  manager.enableVerifier(false);
  using Stage = PipelineOptions::Stage;
  for (Stage stage : {Stage::propagate, Stage::reshard, Stage::partition, Stage::optimize})
    addStage(manager, stage, options);
  if (mlir::failed(manager.run(*copy)))
    return std::nullopt;
  WhyAdvice advice;
  advice.wireBytes = wireBytesOf(findCollectives(*copy));
  if (advice.wireBytes >= wireBytes)
    return std::nullopt;
  if (mlir::func::FuncOp entry = entryOf(*copy))
    advice.localBytes = bytesOf(entry.getArgumentTypes()) + bytesOf(entry.getResultTypes());
  advice.write = lineOf(line);
  return advice;
}

} // namespace spmd
