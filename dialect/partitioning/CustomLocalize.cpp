// Calls with a user's rule, on one device: counts of what is split, rows of others, blocks that go
// round.

#include "spmd/dialect/partitioning/CustomRule.h"

#include "spmd/dialect/partitioning/CallAttributes.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/partitioning/Windows.h"
#include "spmd/dialect/partitioning/algorithms/Rows.h"
#include "spmd/dialect/partitioning/algorithms/Shards.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"

namespace spmd {

using namespace stablehlo;
using Way = CustomRule::Way;

namespace {

/// The dim of a tensor that is `factor`; -1 if none is.
int64_t dimOf(const TensorFactors &tensor, int32_t factor) {
  for (auto [d, dim] : llvm::enumerate(tensor))
    if (llvm::is_contained(dim, factor))
      return static_cast<int64_t>(d);
  return -1;
}

mlir::RankedTensorType withRows(mlir::Type type, int64_t dim, int64_t rows) {
  auto tensor = llvm::cast<mlir::RankedTensorType>(type);
  llvm::SmallVector<int64_t> shape(tensor.getShape());
  shape[dim] = rows;
  return tensor.clone(shape);
}

int64_t rowsOf(mlir::Value value, int64_t dim) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getDimSize(dim);
}

/// Turns one call into what a device runs.
class CustomLocalizer {
public:
  CustomLocalizer(mlir::Operation *op, Localizer &localizer, const CustomRule &rule,
                  const CustomStrategy &chosen)
      : op(op), localizer(localizer), builder(localizer.builder), loc(op->getLoc()),
        positions(localizer.positions), rule(rule), chosen(chosen) {}

  mlir::LogicalResult run() {
    if (mlir::failed(rewriteAttributes()))
      return mlir::failure();
    op->removeAttr(customRuleAttrName);
    localizer.setResultTypes();
    for (const CustomRule::Offset &offset : rule.offsets)
      addRows(offset, firstRowGiven(offset.factor));
    readNeighbours();
    for (const CustomRule::Along *along : those(Way::gather))
      shareResults(*along);
    for (const CustomRule::Along *along : those(Way::ring)) // One at most; it replaces the op.
      rotate(*along);
    return mlir::success();
  }

private:
  const OpRule &split() const { return chosen.strategy.rule; }
  bool isSplit(int32_t factor) const { return numShards(factor) > 1; }
  int64_t numShards(int32_t factor) const { return sizeOf(localizer.axesOf(factor)); }

  /// What this way is taken along.
  llvm::SmallVector<const CustomRule::Along *> those(Way wanted) const {
    llvm::SmallVector<const CustomRule::Along *> found;
    for (auto [along, way] : llvm::zip(rule.along, chosen.ways))
      if (way == wanted && isSplit(along.with))
        found.push_back(&along);
    return found;
  }

  //===- Attributes and offsets ----------------------------------------------===//

  /// Divides counts of what is split by the number of shards, wherever the attribute stands.
  mlir::LogicalResult rewriteAttributes() {
    for (const CustomRule::LocalAttribute &local : rule.locals) {
      int64_t shards = numShards(local.factor);
      if (shards == 1)
        continue;
      mlir::Attribute count = attributeOf(op, local.attribute);
      std::optional<int64_t> number = integerIn(count);
      if (number && *number % shards == 0 && setInteger(op, local.attribute, *number / shards))
        continue;
      mlir::InFlightDiagnostic error = op->emitOpError();
      if (!number)
        return error << "has no integer attribute '" << local.attribute.getValue()
                     << "', which its rule makes local"
                     << (hasUnreadableConfig(op)
                             ? ", and its backend_config is neither JSON nor a dictionary of MLIR"
                             : "")
                     << "; give it one, or take it out of the rule";
      return error << "has " << count << " as attribute '" << local.attribute.getValue()
                   << "', which its rule makes local, and " << shards
                   << " does not divide; split it otherwise";
    }
    return mlir::success();
  }

  /// Returns how many rows of `factor` are in front of those that the op is given, which may be
  /// some of a neighbour; null for none.
  mlir::Value firstRowGiven(int32_t factor) {
    mlir::Value first = firstRowOf(factor);
    for (const CustomRule::Along *along : those(Way::halo))
      if (first && along->factor == factor)
        first = AddOp::create(builder, loc, first, scalar(-along->low));
    return first;
  }

  /// Returns how many rows of `factor` are in front of the device's own; null for none.
  mlir::Value firstRowOf(int32_t factor) {
    for (size_t t = 0; t < static_cast<size_t>(split().numTensors()); ++t) {
      const Localizer::Tensor &tensor = t < op->getNumOperands()
                                            ? localizer.operand(t)
                                            : localizer.result(t - op->getNumOperands());
      int64_t dim = tensor.type ? dimOf(split().tensor(t), factor) : -1;
      if (dim >= 0)
        return positions.firstRow(localizer.mesh, tensor.sharding->dims[dim],
                                  localizer.localType(tensor).getDimSize(dim));
    }
    return nullptr;
  }

  /// Adds `rows`, null for none, to an operand that counts rows.
  void addRows(const CustomRule::Offset &offset, mlir::Value rows) {
    if (rows)
      op->setOperand(offset.operand, sumOf(op->getOperand(offset.operand), rows));
  }

  mlir::Value sumOf(mlir::Value counter, mlir::Value rows) {
    auto type = llvm::cast<mlir::RankedTensorType>(counter.getType());
    auto scalar = llvm::cast<mlir::RankedTensorType>(rows.getType()).clone(type.getElementType());
    if (rows.getType() != scalar)
      rows = ConvertOp::create(builder, loc, scalar, rows);
    if (type != scalar)
      rows = ReshapeOp::create(builder, loc, type, rows);
    return AddOp::create(builder, loc, counter, rows);
  }

  //===- Gathered rows -------------------------------------------------------===//

  /// Results that have the gathered rows are the device's share of them: add them up, onto parts.
  void shareResults(const CustomRule::Along &along) {
    int64_t shards = numShards(along.with);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(op);
    for (mlir::OpResult result : op->getResults()) {
      unsigned i = result.getResultNumber();
      int64_t dim = dimOf(rule.dims.results[i], along.factor);
      if (dim < 0 || dimOf(rule.dims.results[i], along.with) >= 0)
        continue;
      auto local = llvm::cast<mlir::RankedTensorType>(result.getType());
      int64_t size = localizer.result(i).type.getDimSize(dim), rows = local.getDimSize(dim);
      result.setType(withRows(local, dim, size));
      RowBuilder make{builder, loc, positions, dim};
      mlir::Value padded = make.pad(result, 0, shards * rows - size, 0, nullptr);
      mlir::Value part = localizer.collectives.reduceScatter(
          builder, loc, local, padded, dim, ReductionKind::sum, groupOf(along.with));
      mlir::Operation *first = padded == result ? part.getDefiningOp() : padded.getDefiningOp();
      result.replaceUsesWithIf(part, [&](mlir::OpOperand &use) { return use.getOwner() != first; });
    }
  }

  CollectiveBuilder::Group groupOf(int32_t factor) {
    return {&localizer.mesh, localizer.meshAttr, localizer.axesOf(factor)};
  }

  //===- Neighbours ----------------------------------------------------------===//

  /// The op runs on the device's rows and some of its neighbours, zeros beyond the ends; what it
  /// makes of these is cut off, along each dim.
  void readNeighbours() {
    llvm::SmallVector<const CustomRule::Along *> halos = those(Way::halo);
    if (halos.empty())
      return;
    for (const SplitWindow &window : splitWindows(localizer)) {
      if (window.windowed.window.stride == 0)
        continue; // Rows that are gathered, or go round.
      mlir::Value operand = op->getOperand(window.operand);
      auto element = llvm::cast<mlir::RankedTensorType>(operand.getType()).getElementType();
      mlir::Value zero =
          fillConstant(builder, loc, mlir::RankedTensorType::get({}, element), FillValue::zero);
      op->setOperand(window.operand,
                     readRows(localizer, operand, window.dim, window.axes, window.windowed, zero));
    }
    mlir::OpBuilder::InsertionGuard guard(builder);
    for (mlir::OpResult result : op->getResults()) {
      for (const CustomRule::Along *along : halos) {
        int64_t dim = dimOf(rule.dims.results[result.getResultNumber()], along->factor);
        if (dim < 0)
          continue;
        builder.setInsertionPointAfter(op); // In front of what cuts the dims before.
        int64_t rows = rowsOf(result, dim);
        result.setType(withRows(result.getType(), dim, rows + along->low + along->high));
        RowBuilder make{builder, loc, positions, dim};
        mlir::Value own = make.slice(result, along->low, rows);
        result.replaceAllUsesExcept(own, own.getDefiningOp());
      }
    }
  }

  //===- Rings ---------------------------------------------------------------===//

  /// How a tensor takes part in a ring.
  enum class Role {
    stays,    ///< The same in each step, or a result that steps add to.
    goesRound ///< A block of rows, or a result for one.
  };

  Role roleOf(const TensorFactors &tensor, const CustomRule::Along &along) const {
    return staysInRing(tensor, along) ? Role::stays : Role::goesRound;
  }

  /// Pairs by which each device gets what the next one along the ring has.
  std::vector<std::pair<int64_t, int64_t>> pairsOf(int32_t factor) {
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (const std::vector<int64_t> &line : deviceGroups(localizer.mesh, localizer.axesOf(factor)))
      for (size_t i = 0; i < line.size(); ++i)
        pairs.emplace_back(line[(i + 1) % line.size()], line[i]);
    return pairs;
  }

  mlir::Value pass(mlir::Value value, const CustomRule::Along &along) {
    return localizer.collectives.permute(builder, loc, value, pairsOf(along.with));
  }

  /// A scalar of the type that rows are counted in, made here: in a loop, too.
  mlir::Value scalar(int64_t value) {
    auto type = mlir::RankedTensorType::get({}, positions.indexElement());
    mlir::Attribute number = builder.getIntegerAttr(positions.indexElement(), value);
    return ConstantOp::create(builder, loc, type, mlir::DenseElementsAttr::get(type, number));
  }

  /// Runs the op on `operands`, of which those that go round are block number `block`, a scalar.
  llvm::SmallVector<mlir::Value> runOn(llvm::ArrayRef<mlir::Value> operands, mlir::Value block,
                                       const CustomRule::Along &along) {
    int64_t blockRows = rule.dims.factors[along.factor].size / numShards(along.with);
    mlir::Value first = MulOp::create(builder, loc, block, scalar(blockRows));
    llvm::SmallVector<mlir::Value> own(operands);
    for (auto [i, operand] : llvm::enumerate(own)) {
      int64_t dim = dimOf(rule.dims.operands[i], along.factor);
      if (dim >= 0 && roleOf(rule.dims.operands[i], along) == Role::stays) // Of the block alone.
        operand = RowBuilder{builder, loc, positions, dim}.slice(operand, first, blockRows);
      for (const CustomRule::Offset &offset : rule.offsets)
        if (offset.operand == i && offset.factor == along.factor)
          operand = sumOf(operand, first);
    }
    mlir::Operation *call = builder.clone(*op);
    call->setOperands(own);
    return {call->result_begin(), call->result_end()};
  }

  /// Puts the results of a step to those before it.
  llvm::SmallVector<mlir::Value> merge(llvm::ArrayRef<mlir::Value> before,
                                       llvm::ArrayRef<mlir::Value> now,
                                       const CustomRule::Along &along) {
    llvm::SmallVector<mlir::Value> merged(now), operands;
    llvm::SmallVector<size_t> staying;
    for (size_t i = 0; i < now.size(); ++i) {
      if (along.merge && roleOf(rule.dims.results[i], along) == Role::stays)
        staying.push_back(i);
      else
        merged[i] = AddOp::create(builder, loc, before[i], now[i]);
    }
    for (llvm::ArrayRef<mlir::Value> side : {before, now})
      for (size_t i : staying)
        operands.push_back(side[i]);
    if (staying.empty())
      return merged;
    llvm::SmallVector<mlir::Type> types;
    for (size_t i : staying)
      types.push_back(now[i].getType());
    auto call = CustomCallOp::create(builder, loc, types, operands);
    call.setCallTargetName(along.merge.getValue());
    call->setAttr(referenceAttrName, mlir::FlatSymbolRefAttr::get(along.merge));
    call->setAttr(mergeAttrName, builder.getUnitAttr());
    for (auto [i, result] : llvm::zip(staying, call->getResults()))
      merged[i] = result;
    return merged;
  }

  mlir::Block *addBlock(mlir::Region &region, mlir::TypeRange types) {
    mlir::Block *block = builder.createBlock(&region);
    for (mlir::Type type : types)
      block->addArgument(type, loc);
    return block;
  }

  /// What goes from one step of a ring to the next: the blocks that are here, and the results of
  /// all blocks so far.
  struct State {
    llvm::SmallVector<mlir::Value> blocks, results;
  };

  /// Runs the op on the blocks of `state`, which came from `distance`, a scalar, places further.
  llvm::SmallVector<mlir::Value> runStep(const State &state, mlir::Value distance,
                                         llvm::ArrayRef<size_t> moving,
                                         const CustomRule::Along &along) {
    llvm::SmallVector<mlir::Value> operands(op->getOperands());
    for (auto [i, block] : llvm::zip(moving, state.blocks))
      operands[i] = block;
    mlir::Value own = positions.coordinate(localizer.mesh, localizer.axesOf(along.with));
    mlir::Value place = AddOp::create(builder, loc, own, distance);
    place = RemOp::create(builder, loc, place, scalar(numShards(along.with)));
    llvm::SmallVector<mlir::Value> now = runOn(operands, place, along), before;
    for (auto [i, result] : llvm::enumerate(state.results))
      before.push_back(roleOf(rule.dims.results[i], along) == Role::goesRound ? pass(result, along)
                                                                              : result);
    return before.empty() ? now : merge(before, now, along);
  }

  llvm::SmallVector<mlir::Value> passAll(llvm::ArrayRef<mlir::Value> blocks,
                                         const CustomRule::Along &along) {
    llvm::SmallVector<mlir::Value> passed;
    for (mlir::Value block : blocks)
      passed.push_back(pass(block, along));
    return passed;
  }

  /// A step on the device's own block, a loop over those in between, a step on the last. The next
  /// blocks are on their way while the op runs on those at hand.
  void rotate(const CustomRule::Along &along) {
    State state;
    llvm::SmallVector<size_t> moving;
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (roleOf(rule.dims.operands[operand.getOperandNumber()], along) == Role::goesRound) {
        moving.push_back(operand.getOperandNumber());
        state.blocks.push_back(operand.get());
      }
    llvm::SmallVector<mlir::Value> next = passAll(state.blocks, along);
    state = {next, runStep(state, scalar(0), moving, along)};
    int64_t shards = numShards(along.with);
    if (shards > 2)
      state = addLoop(state, shards - 1, moving, along);
    llvm::SmallVector<mlir::Value> found = runStep(state, scalar(shards - 1), moving, along);
    for (auto [i, value] : llvm::enumerate(found)) // Home, by one step more.
      if (roleOf(rule.dims.results[i], along) == Role::goesRound)
        value = pass(value, along);
    localizer.replaceWith(found);
  }

  /// Steps 1 to `end` - 1.
  State addLoop(const State &state, int64_t end, llvm::ArrayRef<size_t> moving,
                const CustomRule::Along &along) {
    llvm::SmallVector<mlir::Value> start{scalar(1)};
    llvm::append_range(start, state.blocks);
    llvm::append_range(start, state.results);
    mlir::TypeRange types(start);
    auto loop = WhileOp::create(builder, loc, types, start);
    auto stateIn = [&](mlir::ValueRange values) {
      auto blocks = values.slice(1, moving.size()), results = values.drop_front(1 + moving.size());
      return State{llvm::to_vector(blocks), llvm::to_vector(results)};
    };
    mlir::OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = addBlock(loop.getCond(), types);
    mlir::Value isLess = CompareOp::create(builder, loc, block->getArgument(0), scalar(end),
                                           ComparisonDirection::LT);
    ReturnOp::create(builder, loc, isLess);
    block = addBlock(loop.getBody(), types);
    State inside = stateIn(block->getArguments());
    llvm::SmallVector<mlir::Value> returned = passAll(inside.blocks, along);
    llvm::append_range(returned, runStep(inside, block->getArgument(0), moving, along));
    returned.insert(returned.begin(),
                    AddOp::create(builder, loc, block->getArgument(0), scalar(1)));
    ReturnOp::create(builder, loc, returned);
    return stateIn(loop->getResults());
  }

  mlir::Operation *op;
  Localizer &localizer;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  Positions &positions;
  const CustomRule &rule;
  const CustomStrategy &chosen;
};

} // namespace

mlir::LogicalResult localizeCustomRule(mlir::Operation *op, Localizer &localizer) {
  std::vector<std::vector<int64_t>> operandShapes, resultShapes;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operandShapes.push_back(localizer.operand(i).type.getShape().vec());
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    resultShapes.push_back(localizer.result(i).type.getShape().vec());
  absl::StatusOr<CustomRule> rule = customRuleOf(op, operandShapes, resultShapes);
  if (!rule.ok())
    return op->emitOpError() << std::string(rule.status().message());
  for (const CustomStrategy &each : customStrategies(*rule, op))
    if (each.strategy.rule == localizer.strategy->rule)
      return CustomLocalizer(op, localizer, *rule, each).run();
  return op->emitOpError("has a rule that changed since it was split");
}

} // namespace spmd
