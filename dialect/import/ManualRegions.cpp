#include "spmd/dialect/import/ManualRegions.h"

#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/EquivalenceClasses.h"

#include <map>

namespace spmd {

namespace {

using mlir::LogicalResult;
using stablehlo::CustomCallOp;

enum class Border { none, in, out };

Border borderOf(mlir::Operation *op) {
  auto call = llvm::dyn_cast<CustomCallOp>(op);
  if (!call)
    return Border::none;
  return call.getCallTargetName() == "SPMDFullToShardShape"   ? Border::in
         : call.getCallTargetName() == "SPMDShardToFullShape" ? Border::out
                                                              : Border::none;
}

mlir::Value globalOf(mlir::Operation *border) {
  return borderOf(border) == Border::in ? border->getOperand(0) : border->getResult(0);
}

mlir::Value localOfBorder(mlir::Operation *border) {
  return borderOf(border) == Border::in ? border->getResult(0) : border->getOperand(0);
}

bool isShardingCall(mlir::Operation *op) {
  auto call = llvm::dyn_cast_if_present<CustomCallOp>(op);
  return call && call.getCallTargetName() == "Sharding";
}

/// Made anew wherever it is used.
bool isConstant(mlir::Operation *op) {
  return llvm::isa_and_nonnull<stablehlo::ConstantOp, stablehlo::IotaOp>(op);
}

class Regions {
public:
  Regions(mlir::Block &block, const BorderShardings &shardings)
      : block(block), shardings(shardings) {}

  LogicalResult run() {
    findMembers();
    if (members.empty())
      return mlir::success();
    std::map<unsigned, llvm::SmallVector<mlir::Operation *>> components;
    llvm::DenseMap<mlir::Operation *, unsigned> numberOf;
    for (mlir::Operation *op : members) {
      mlir::Operation *leader = connected.getLeaderValue(op);
      unsigned number = numberOf.try_emplace(leader, numberOf.size()).first->second;
      components[number].push_back(op);
    }
    for (const auto &entry : components)
      if (mlir::failed(build(entry.second)))
        return mlir::failure();
    if (mlir::sortTopologically(&block))
      return mlir::success();
    return block.getParentOp()->emitError()
           << "a manual region depends on its own results; mark what stands between "
              "@SPMDShardToFullShape and @SPMDFullToShardShape as manual, too";
  }

private:
  mlir::Operation *inBlock(mlir::Operation *op) { return block.findAncestorOpInBlock(*op); }

  void addMember(mlir::Operation *op) {
    if (isMember.insert(op).second)
      connected.insert(op);
  }

  /// Everything that uses local values is local, up to the calls that end it; so is what such a
  /// call takes that no local value went into.
  void findMembers() {
    for (mlir::Operation &op : block)
      if (borderOf(&op) != Border::none) {
        addMember(&op);
        if (borderOf(&op) == Border::out)
          addSources(op.getOperand(0), &op);
      }
    for (mlir::Operation &op : block)
      if (isMember.contains(&op) && borderOf(&op) != Border::out)
        for (mlir::Operation *user : op.getUsers())
          if (mlir::Operation *at = inBlock(user); !at->hasTrait<mlir::OpTrait::IsTerminator>()) {
            addMember(at);
            connected.unionSets(&op, at);
          }
    for (mlir::Operation &op : block)
      if (isMember.contains(&op))
        members.push_back(&op);
  }

  void addSources(mlir::Value value, mlir::Operation *user) {
    mlir::Operation *source = value.getDefiningOp();
    if (!source || source->getBlock() != &block)
      return;
    addMember(source);
    connected.unionSets(source, user);
    if (isShardingCall(source) && source->getNumOperands() == 1)
      addSources(source->getOperand(0), source);
  }

  //===- The mesh --------------------------------------------------------------===//

  const MeshByName &own() const { return shardings.meshes[number]; }

  /// Finds the first mesh that has axes for what all borders say, and tells the ops of it.
  LogicalResult findMesh(llvm::ArrayRef<mlir::Operation *> ops) {
    llvm::SmallVector<mlir::Value> values;
    for (mlir::Operation *op : ops)
      if (borderOf(op) != Border::none)
        values.append({globalOf(op), localOfBorder(op)});
    mlir::Value misfit; // On the mesh that fits most.
    size_t mostFitting = 0, nearest = 0;
    for (number = 0; number < shardings.meshes.size(); ++number) {
      auto unfitting = llvm::make_filter_range(
          values, [&](mlir::Value value) { return !shardings.fits(value, number); });
      size_t fitting = values.size() - std::distance(unfitting.begin(), unfitting.end());
      if (fitting == values.size()) {
        for (mlir::Operation *op : ops)
          op->walk([&](mlir::Operation *inner) { shardings.standsOn(inner, number); });
        return mlir::success();
      }
      if (misfit && fitting <= mostFitting)
        continue;
      misfit = *unfitting.begin();
      mostFitting = fitting;
      nearest = number;
    }
    return mlir::emitError(misfit.getLoc())
           << "goes into or out of a manual region, whose mesh "
           << shardings.meshes[nearest].mesh.str() << " has no axes for its sharding";
  }

  //===- What is manual ------------------------------------------------------===//

  /// Sets `manual` to the axes, whole ones, that are manual in `inner` and not in `outer`, or
  /// checks that they are the same.
  LogicalResult setManual(mlir::Operation *op, const PlacedTiles &inner, const PlacedTiles &outer) {
    AxisList axes;
    for (const AxisRef &axis : inner.manual)
      if (!overlaps(axis, outer.manual))
        axes.push_back(axis);
    if (manual && *manual != axes)
      return op->emitError() << "its local values are manual along other axes than those that it "
                                "is computed with";
    manual = axes;
    return mlir::success();
  }

  /// Sets `attr` to the sharding of `placed` with nothing but the manual axes, which come first in
  /// each dim. Fails with a diagnostic if these axes do not split the global value of `op` into
  /// parts of the local value's type. A value that is unreduced along a manual axis stays so: the
  /// region sees each device's share.
  LogicalResult setSharding(mlir::Operation *op, const PlacedTiles &placed,
                            sdy::ShardingAttr &attr) {
    Sharding sharding = placed.sharding;
    bool someFree = sizeOf(*manual) < own().mesh.numDevices();
    llvm::erase_if(sharding.unreduced,
                   [&](const AxisRef &axis) { return !overlaps(axis, *manual); });
    if (sharding.unreduced.empty())
      sharding.kind = ReductionKind::sum;
    sharding.replicated.clear();
    for (DimSharding &dim : sharding.dims) {
      AxisList kept;
      for (const AxisRef &axis : dim.axes)
        if (overlaps(axis, *manual))
          kept.push_back(axis);
      dim = {kept, someFree};
    }
    attr = sdy::ShardingAttr::get(own().name, own().mesh, sharding);
    return checkPart(op, sharding);
  }

  LogicalResult checkPart(mlir::Operation *op, const Sharding &sharding) {
    mlir::Type global = globalOf(op).getType(), local = localOfBorder(op).getType();
    auto tensor = llvm::cast<mlir::RankedTensorType>(global);
    llvm::SmallVector<int64_t> shape(tensor.getShape());
    for (auto [d, dim] : llvm::enumerate(sharding.dims)) {
      int64_t shards = sizeOf(dim.axes);
      if (tensor.isDynamicDim(d))
        continue;
      if (shape[d] % shards != 0)
        return op->emitError() << "makes dim " << d << " of size " << shape[d]
                               << " manual along axes with " << shards
                               << " shards, which do not divide it; pad it";
      shape[d] /= shards;
    }
    if (mlir::Type part = tensor.clone(shape); part != local)
      return op->emitError() << "has local type " << local << " for global type " << global
                             << ", of which manual axes make " << part;
    return mlir::success();
  }

  static std::string unknown(const char *which) {
    return std::string("the sharding of its ") + which + " is not known";
  }

  LogicalResult readBorder(mlir::Operation *op, sdy::ShardingAttr &sharding) {
    mlir::Value global = globalOf(op), local = localOfBorder(op);
    for (mlir::Type type : {global.getType(), local.getType()})
      if (!llvm::isa<mlir::RankedTensorType>(type))
        return op->emitError() << "takes and returns one tensor of known rank, not " << type;
    std::optional<PlacedTiles> outer = shardings.placementOf(global, number),
                               inner = shardings.placementOf(local, number);
    if (!inner && outer && manual) // As the local values that it is computed with.
      return setSharding(op, *outer, sharding);
    if (!inner || (!outer && global.getType() != local.getType()))
      return op->emitError() << unknown(!outer == (borderOf(op) == Border::in) ? "operand"
                                                                               : "result");
    if (!outer) {
      auto type = llvm::cast<mlir::RankedTensorType>(global.getType());
      outer = PlacedTiles{Sharding::replicatedOf(type.getRank()), {}, {}};
    }
    if (mlir::failed(setManual(op, *inner, *outer)))
      return mlir::failure();
    return setSharding(op, *outer, sharding);
  }

  //===- Building --------------------------------------------------------------===//

  LogicalResult build(llvm::ArrayRef<mlir::Operation *> ops) {
    if (mlir::failed(findMesh(ops)))
      return mlir::failure();
    manual.reset();
    inputs.clear();
    inShardings.clear();
    localOf.clear();
    llvm::SmallVector<mlir::Operation *> outs, body;
    llvm::SmallVector<mlir::Attribute> outShardings;
    llvm::SmallVector<sdy::ShardingAttr> ins(ops.size()), outAttrs;
    for (mlir::Operation *op : ops) {
      if (borderOf(op) == Border::none) {
        body.push_back(op);
        continue;
      }
      sdy::ShardingAttr sharding;
      if (mlir::failed(readBorder(op, sharding)))
        return mlir::failure();
      if (borderOf(op) == Border::in) {
        inputs.push_back(op->getOperand(0));
        inShardings.push_back(sharding);
        localOf.push_back(op->getResult(0));
      } else {
        outs.push_back(op);
        outAttrs.push_back(sharding);
      }
    }
    if (mlir::failed(checkUses(ops)))
      return mlir::failure();
    create(ops, body, outs, outAttrs);
    return mlir::success();
  }

  /// Only the ops of the region use its local values.
  LogicalResult checkUses(llvm::ArrayRef<mlir::Operation *> ops) {
    for (mlir::Operation *op : ops)
      if (borderOf(op) != Border::out)
        for (mlir::Operation *user : op->getUsers())
          if (!isMember.contains(inBlock(user)))
            return op->emitError() << "its local value is used outside of the manual region; end "
                                      "the region with @SPMDShardToFullShape";
    return mlir::success();
  }

  void create(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<mlir::Operation *> body,
              llvm::ArrayRef<mlir::Operation *> outs,
              llvm::ArrayRef<sdy::ShardingAttr> outShardings) {
    llvm::SmallPtrSet<mlir::Operation *, 16> inside(body.begin(), body.end());
    mlir::OpBuilder builder(ops.back());
    llvm::SetVector<mlir::Value> captured;
    llvm::DenseSet<mlir::Value> locals(localOf.begin(), localOf.end());
    auto note = [&](mlir::Value value) {
      mlir::Operation *source = value.getDefiningOp();
      bool isOwn = locals.contains(value) || (source && inside.contains(inBlock(source))) ||
                   isWithin(value, inside);
      if (!isOwn)
        captured.insert(value);
    };
    for (mlir::Operation *op : body)
      op->walk([&](mlir::Operation *inner) { llvm::for_each(inner->getOperands(), note); });
    for (mlir::Operation *out : outs)
      note(out->getOperand(0));
    mlir::Block *region = new mlir::Block;
    for (mlir::Value local : localOf)
      local.replaceAllUsesWith(region->addArgument(local.getType(), local.getLoc()));
    auto isUsedInside = [&](mlir::OpOperand &use) {
      mlir::Operation *at = inBlock(use.getOwner());
      return inside.contains(at) || llvm::is_contained(outs, at);
    };
    for (mlir::Value value : captured) {
      if (isConstant(value.getDefiningOp())) {
        mlir::Operation *copy = value.getDefiningOp()->clone();
        region->push_back(copy);
        value.replaceUsesWithIf(copy->getResult(0), isUsedInside);
        continue;
      }
      auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
      Sharding whole = Sharding::replicatedOf(type ? type.getRank() : 0);
      inputs.push_back(value);
      inShardings.push_back(sdy::ShardingAttr::get(own().name, own().mesh, whole));
      value.replaceUsesWithIf(region->addArgument(value.getType(), value.getLoc()), isUsedInside);
    }
    llvm::SmallVector<mlir::Value> returned;
    llvm::SmallVector<mlir::Type> types;
    for (mlir::Operation *out : outs) {
      returned.push_back(out->getOperand(0));
      types.push_back(out->getResult(0).getType());
    }
    llvm::SmallVector<mlir::StringAttr> axes;
    for (const AxisRef &axis : *manual)
      axes.push_back(builder.getStringAttr(own().mesh.axes()[axis.axis].name));
    mlir::MLIRContext *context = builder.getContext();
    auto made = sdy::ManualComputationOp::create(
        builder, withoutWrittenNames(ops.front()->getLoc()), types, inputs,
        sdy::ShardingPerValueAttr::get(context, inShardings),
        sdy::ShardingPerValueAttr::get(context, outShardings),
        sdy::ManualAxesAttr::get(context, axes));
    made->getRegion(0).push_back(region);
    for (mlir::Operation *op : body)
      op->moveBefore(region, region->end());
    builder.setInsertionPointToEnd(region);
    sdy::ReturnOp::create(builder, made.getLoc(), returned);
    for (auto [out, result] : llvm::zip_equal(outs, made->getResults())) {
      handNamesOn(out->getResult(0), result);
      out->getResult(0).replaceAllUsesWith(result);
    }
    for (mlir::Operation *op : ops)
      if (!inside.contains(op))
        op->erase();
  }

  /// Whether `value` is an argument of a region in one of the ops.
  bool isWithin(mlir::Value value, const llvm::SmallPtrSet<mlir::Operation *, 16> &inside) {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    mlir::Operation *owner = argument ? argument.getOwner()->getParentOp() : nullptr;
    mlir::Operation *at = owner ? inBlock(owner) : nullptr;
    return inside.contains(at);
  }

  mlir::Block &block;
  const BorderShardings &shardings;

  llvm::SmallPtrSet<mlir::Operation *, 16> isMember;
  llvm::SmallVector<mlir::Operation *> members; ///< In program order.
  llvm::EquivalenceClasses<mlir::Operation *> connected;

  // Of the region being built.
  size_t number = 0; ///< That of its mesh.
  std::optional<AxisList> manual;
  llvm::SmallVector<mlir::Value> inputs, localOf;
  llvm::SmallVector<sdy::ShardingAttr> inShardings;
};

} // namespace

mlir::LogicalResult makeManualRegions(mlir::Block &block, const BorderShardings &shardings) {
  return Regions(block, shardings).run();
}

} // namespace spmd
