#include "spmd/dialect/import/ShardyAttributes.h"
#include "spmd/dialect/spmd/ModulePlace.h"

#include "spmd/dialect/import/ManualSignature.h"
#include "spmd/dialect/import/hlo/ParseQuietly.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/Walk.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

namespace spmd {

namespace {

using mlir::LogicalResult;
using stablehlo::CustomCallOp;

constexpr llvm::StringLiteral frontendName = "mhlo.frontend_attributes";
constexpr llvm::StringLiteral tilesName = "mhlo.sharding";
constexpr llvm::StringLiteral prefix = "xla.sdy.";

class Importer {
public:
  explicit Importer(mlir::ModuleOp module) : module(module), symbols(module) {}

  LogicalResult run() {
    if (mlir::failed(readMeshes()))
      return mlir::failure();
    for (auto function : llvm::make_early_inc_range(module.getOps<mlir::func::FuncOp>()))
      if (mlir::failed(readFunction(function)))
        return mlir::failure();
    eraseBodies();
    // The parser verified the texts as strings.
    return isFound ? mlir::verify(module) : mlir::success();
  }

private:
  /// Returns the text called `xla.sdy.<name>` among `attributes`, or null.
  static mlir::StringAttr textOf(mlir::DictionaryAttr attributes, llvm::StringRef name) {
    auto frontend =
        attributes ? attributes.getAs<mlir::DictionaryAttr>(frontendName) : mlir::DictionaryAttr();
    return frontend ? frontend.getAs<mlir::StringAttr>((prefix + name).str()) : mlir::StringAttr();
  }

  /// Reads `text` as an attribute of the kind `Attr`; null after a diagnostic if it is none.
  template <typename Attr>
  Attr parsed(mlir::Operation *op, llvm::StringRef name, mlir::StringAttr text) {
    mlir::Attribute value = parseQuietly(text.getValue(), *module.getContext());
    auto found = llvm::dyn_cast_if_present<Attr>(value);
    isFound = true;
    if (!found)
      op->emitError() << "'" << prefix << name << "' cannot be read: '" << text.getValue() << "'";
    return found;
  }

  /// Returns the shardings that `op` has as `xla.sdy.<name>`, of which there must be `count`.
  sdy::ShardingPerValueAttr perValue(mlir::Operation *op, llvm::StringRef name, size_t count) {
    mlir::StringAttr text = textOf(op->getDiscardableAttrDictionary(), name);
    if (!text)
      return op->emitError() << "has no '" << prefix << name << "'", sdy::ShardingPerValueAttr();
    auto found = parsed<sdy::ShardingPerValueAttr>(op, name, text);
    if (found && found.getShardings().size() != count)
      return op->emitError() << "'" << prefix << name << "' has " << found.getShardings().size()
                             << " shardings for " << count << " values",
             sdy::ShardingPerValueAttr();
    return found;
  }

  LogicalResult readMeshes() {
    auto frontend = module->getAttrOfType<mlir::DictionaryAttr>(frontendName);
    mlir::StringAttr text =
        frontend ? frontend.getAs<mlir::StringAttr>((prefix + "meshes").str()) : mlir::StringAttr();
    if (!text)
      return mlir::success();
    auto meshes = parsed<mlir::DictionaryAttr>(module, "meshes", text);
    if (!meshes)
      return mlir::failure();
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(module.getBody());
    for (mlir::NamedAttribute entry : meshes) {
      auto mesh = llvm::dyn_cast<sdy::MeshAttr>(entry.getValue());
      if (!mesh)
        return mlir::emitError(placeOf(module))
               << "'" << prefix << "meshes' says of '" << entry.getName().getValue()
               << "' what is no mesh";
      if (!symbols.lookup(entry.getName()))
        symbols.insert(
            sdy::MeshOp::create(builder, module.getLoc(), entry.getName().getValue(), mesh));
    }
    llvm::SmallVector<mlir::NamedAttribute> left;
    for (mlir::NamedAttribute entry : frontend)
      if (!entry.getName().getValue().starts_with(prefix))
        left.push_back(entry);
    if (left.empty())
      module->removeAttr(frontendName);
    else
      module->setAttr(frontendName, mlir::DictionaryAttr::get(module.getContext(), left));
    return mlir::success();
  }

  /// Erases functions that were taken in, and that nothing else calls.
  void eraseBodies() {
    if (bodies.empty())
      return;
    llvm::DenseSet<mlir::StringAttr> named = namesOf(findCallers(module));
    for (mlir::func::FuncOp body : bodies)
      if (!named.contains(body.getSymNameAttr()))
        body.erase();
  }

  /// Reads a function once. The body of a manual computation is read before it is taken in.
  LogicalResult readFunction(mlir::func::FuncOp function) {
    if (!done.insert(function).second)
      return mlir::success();
    if (mlir::failed(readBoundary(function)))
      return mlir::failure();
    llvm::SmallVector<CustomCallOp> calls;
    llvm::SmallVector<mlir::Operation *> pinned;
    forEachOp(function, [&](mlir::Operation *op) {
      if (auto call = llvm::dyn_cast<CustomCallOp>(op))
        calls.push_back(call);
      else if (op->getNumResults() > 0 && textOf(op->getDiscardableAttrDictionary(), "sharding"))
        pinned.push_back(op);
    });
    for (mlir::Operation *op : pinned)
      if (mlir::failed(readPin(op)))
        return mlir::failure();
    llvm::SmallVector<mlir::Operation *> outer = std::exchange(dead, {});
    for (CustomCallOp call : calls)
      if (mlir::failed(readCall(call)))
        return mlir::failure();
    for (mlir::Operation *op : llvm::reverse(dead))
      if (op->use_empty())
        op->erase();
    dead = std::move(outer);
    return mlir::success();
  }

  LogicalResult readBoundary(mlir::func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      mlir::StringAttr text = textOf(function.getArgAttrDict(i), "sharding");
      if (!text)
        continue;
      auto sharding = parsed<sdy::ShardingAttr>(function, "sharding", text);
      if (!sharding)
        return mlir::failure();
      function.setArgAttr(i, sdy::shardingName, sharding);
      function.removeArgAttr(i, frontendName);
    }
    return mlir::success();
  }

  LogicalResult readCall(CustomCallOp call) {
    llvm::StringRef target = call.getCallTargetName();
    if (target == "Sharding" && textOf(call->getDiscardableAttrDictionary(), "sharding"))
      return readConstraint(call);
    if (target == "xla.sdy.FuncResultSharding")
      return readResult(call);
    if (target == "xla.sdy.ShardingGroup")
      return readGroup(call);
    if (target == "xla.sdy.PropagationBarrier")
      return readBarrier(call);
    if (target == "xla.sdy.LocalToGlobalShape")
      return readManual(call);
    if (target == "xla.sdy.GlobalToLocalShape")
      return readManualWithoutResults(call); // Others are read with the call that ends them.
    if (target.starts_with(prefix))
      return call.emitError() << "calls of @" << target << " are not known";
    if (call->getNumResults() > 0 && textOf(call->getDiscardableAttrDictionary(), "sharding") &&
        mlir::failed(readPin(call)))
      return mlir::failure();
    return readRule(call);
  }

  /// Reads the sharding of an ordinary op.
  LogicalResult readPin(mlir::Operation *op) {
    auto shardings = perValue(op, "sharding", op->getNumResults());
    if (!shardings)
      return mlir::failure();
    op->setDiscardableAttr(sdy::shardingName, shardings);
    op->removeDiscardableAttr(tilesName);
    auto frontend = llvm::cast<mlir::DictionaryAttr>(op->removeDiscardableAttr(frontendName));
    mlir::NamedAttrList left(frontend);
    left.erase((prefix + "sharding").str());
    if (!left.empty())
      op->setDiscardableAttr(frontendName, left.getDictionary(op->getContext()));
    return mlir::success();
  }

  LogicalResult expectUnary(CustomCallOp call, unsigned results) {
    if (call->getNumOperands() == 1 && call->getNumResults() == results)
      return mlir::success();
    return call.emitError() << "@" << call.getCallTargetName() << " has " << call->getNumOperands()
                            << " operands and " << call->getNumResults()
                            << " results; expected 1 and " << results;
  }

  LogicalResult readConstraint(CustomCallOp call) {
    if (mlir::failed(expectUnary(call, 1)))
      return mlir::failure();
    auto shardings = perValue(call, "sharding", 1);
    if (!shardings)
      return mlir::failure();
    mlir::OpBuilder builder(call);
    auto made =
        sdy::ShardingConstraintOp::create(builder, call.getLoc(), call->getOperand(0).getType(),
                                          call->getOperand(0), shardings.getShardings()[0]);
    call->getResult(0).replaceAllUsesWith(made.getResult());
    dead.push_back(call);
    return mlir::success();
  }

  /// Says how a result of the function lies, where it is returned.
  LogicalResult readResult(CustomCallOp call) {
    if (mlir::failed(expectUnary(call, 1)))
      return mlir::failure();
    auto shardings = perValue(call, "sharding", 1);
    if (!shardings)
      return mlir::failure();
    for (mlir::OpOperand &use : call->getResult(0).getUses()) {
      auto end = llvm::dyn_cast<mlir::func::ReturnOp>(use.getOwner());
      if (!end)
        continue;
      auto function = llvm::cast<mlir::func::FuncOp>(end->getParentOp());
      function.setResultAttr(use.getOperandNumber(), sdy::shardingName,
                             shardings.getShardings()[0]);
      function.removeResultAttr(use.getOperandNumber(),
                                mlir::StringAttr::get(module.getContext(), tilesName));
    }
    handNamesOn(call->getResult(0), call->getOperand(0));
    call->getResult(0).replaceAllUsesWith(call->getOperand(0));
    dead.push_back(call);
    return mlir::success();
  }

  LogicalResult readGroup(CustomCallOp call) {
    if (mlir::failed(expectUnary(call, 0)))
      return mlir::failure();
    mlir::StringAttr text = textOf(call->getDiscardableAttrDictionary(), "sharding_group_id");
    if (!text)
      return call.emitError() << "has no '" << prefix << "sharding_group_id'";
    auto id = parsed<mlir::IntegerAttr>(call, "sharding_group_id", text);
    if (!id)
      return mlir::failure();
    mlir::OpBuilder builder(call);
    sdy::ShardingGroupOp::create(builder, call.getLoc(), call->getOperand(0), id.getInt());
    dead.push_back(call);
    return mlir::success();
  }

  LogicalResult readBarrier(CustomCallOp call) {
    if (mlir::failed(expectUnary(call, 1)))
      return mlir::failure();
    mlir::StringAttr text = textOf(call->getDiscardableAttrDictionary(), "allowed_direction");
    if (!text)
      return call.emitError() << "has no '" << prefix << "allowed_direction'";
    auto number = parsed<mlir::IntegerAttr>(call, "allowed_direction", text);
    if (!number)
      return mlir::failure();
    auto direction = sdy::symbolizePropagationDirection(number.getInt());
    if (!direction || call->getOperand(0).getType() != call->getResult(0).getType())
      return call.emitError() << "@" << call.getCallTargetName() << " allows direction "
                              << number.getInt() << " of a value of type "
                              << call->getOperand(0).getType()
                              << "; expected 0 (none), 1 (forward) "
                              << "or 2 (backward), and one type";
    mlir::OpBuilder builder(call);
    mlir::Value value = call->getOperand(0);
    if (*direction != sdy::PropagationDirection::BOTH)
      value = sdy::PropagationBarrierOp::create(builder, call.getLoc(), value.getType(), value,
                                                *direction);
    call->getResult(0).replaceAllUsesWith(value);
    dead.push_back(call);
    return mlir::success();
  }

  LogicalResult readRule(CustomCallOp call) {
    mlir::StringAttr text = textOf(call->getDiscardableAttrDictionary(), "sharding_rule");
    if (!text)
      return mlir::success();
    auto rule = parsed<sdy::OpShardingRuleAttr>(call, "sharding_rule", text);
    if (!rule)
      return mlir::failure();
    call->setDiscardableAttr(sdy::shardingRuleName, rule);
    return mlir::success();
  }

  /// A manual computation is a call between two custom calls that change shapes. It has a function
  /// of its own, whose body goes into the region.
  LogicalResult readManual(CustomCallOp end) {
    auto call = end->getNumOperands() > 0 ? end->getOperand(0).getDefiningOp<mlir::func::CallOp>()
                                          : mlir::func::CallOp();
    if (!call || call->getNumResults() != end->getNumOperands() ||
        !llvm::equal(call->getResults(), end->getOperands()))
      return end.emitError() << "operands are not all results of one call";
    CustomCallOp begin;
    if (call->getNumOperands() > 0)
      begin = call->getOperand(0).getDefiningOp<CustomCallOp>();
    bool fits = begin ? begin.getCallTargetName() == "xla.sdy.GlobalToLocalShape" &&
                            llvm::equal(begin->getResults(), call->getOperands())
                      : call->getNumOperands() == 0;
    if (!fits)
      return end.emitError() << "operands of its call do not all come from one "
                                "@xla.sdy.GlobalToLocalShape";
    return takeIn(begin, call, end);
  }

  /// No call ends a manual computation that returns nothing.
  LogicalResult readManualWithoutResults(CustomCallOp begin) {
    auto call = begin->use_empty() ? mlir::func::CallOp()
                                   : llvm::dyn_cast<mlir::func::CallOp>(*begin->user_begin());
    if (!call || call->getNumResults() > 0)
      return mlir::success();
    if (!llvm::equal(begin->getResults(), call->getOperands()))
      return call.emitError() << "operands do not all come from one @xla.sdy.GlobalToLocalShape";
    return takeIn(begin, call, {});
  }

  /// Replaces a call by a manual computation. Begin and end calls around it, which may be null,
  /// name its shardings.
  LogicalResult takeIn(CustomCallOp begin, mlir::func::CallOp call, CustomCallOp end) {
    mlir::Operation *last = end ? end.getOperation() : call.getOperation();
    auto body = symbols.lookup<mlir::func::FuncOp>(call.getCallee());
    auto own = call->getParentOfType<mlir::func::FuncOp>();
    if (!body || body == own || body.isExternal())
      return last->emitError() << "there is no body to call";
    mlir::FailureOr<ManualSignature> signature = signatureOf(begin, call, end);
    if (mlir::failed(signature) || mlir::failed(readFunction(body)))
      return mlir::failure();
    build(last, begin, call, body, *signature);
    return mlir::success();
  }

  mlir::FailureOr<ManualSignature> signatureOf(CustomCallOp begin, mlir::func::CallOp call,
                                               CustomCallOp end) {
    CustomCallOp says = end ? end : begin;
    mlir::StringAttr axesText = textOf(says->getDiscardableAttrDictionary(), "manual_axes");
    if (!axesText)
      return readManualSignature(begin, call, end, symbols);
    ManualSignature signature;
    auto none = sdy::ShardingPerValueAttr::get(module.getContext(), {});
    signature.axes = parsed<sdy::ManualAxesAttr>(says, "manual_axes", axesText);
    signature.out = end ? perValue(end, "out_shardings", end->getNumResults()) : none;
    signature.in = begin ? perValue(begin, "in_shardings", begin->getNumOperands()) : none;
    if (!signature.axes || !signature.in || !signature.out)
      return mlir::failure();
    return signature;
  }

  /// Builds the computation in place of `last`, whose results are the global ones.
  void build(mlir::Operation *last, CustomCallOp begin, mlir::func::CallOp call,
             mlir::func::FuncOp body, const ManualSignature &signature) {
    mlir::OpBuilder builder(last);
    mlir::ValueRange inputs;
    if (begin)
      inputs = begin->getOperands();
    auto made =
        sdy::ManualComputationOp::create(builder, last->getLoc(), last->getResultTypes(), inputs,
                                         signature.in, signature.out, signature.axes);
    mlir::Block &block = made->getRegion(0).emplaceBlock();
    mlir::IRMapping mapping;
    for (mlir::BlockArgument argument : body.getArguments())
      mapping.map(argument, block.addArgument(argument.getType(), argument.getLoc()));
    builder.setInsertionPointToEnd(&block);
    for (mlir::Operation &op : body.front().without_terminator())
      builder.clone(op, mapping);
    llvm::SmallVector<mlir::Value> returned;
    for (mlir::Value value : body.front().getTerminator()->getOperands())
      returned.push_back(mapping.lookup(value));
    sdy::ReturnOp::create(builder, last->getLoc(), returned);
    if (begin)
      for (auto [part, argument] : llvm::zip_equal(begin->getResults(), block.getArguments()))
        handNamesOn(part, argument);
    for (auto [result, value] : llvm::zip_equal(call->getResults(), returned))
      handNamesOn(result, value);
    last->replaceAllUsesWith(made->getResults());
    if (begin)
      dead.push_back(begin);
    dead.push_back(call);
    if (last != call)
      dead.push_back(last);
    bodies.insert(body);
  }

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  llvm::SmallPtrSet<mlir::Operation *, 16> done; ///< Functions.
  llvm::SmallVector<mlir::Operation *> dead;     ///< Of the function at hand; users stand last.
  llvm::SetVector<mlir::func::FuncOp> bodies;
  bool isFound = false; ///< Some text.
};

} // namespace

mlir::LogicalResult importShardyAttributes(mlir::ModuleOp module) { return Importer(module).run(); }

} // namespace spmd
