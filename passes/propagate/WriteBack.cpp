#include "spmd/passes/propagate/WriteBack.h"

#include "spmd/dialect/sdy/GroupCopies.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/spmd/GrownPin.h"
#include "spmd/passes/propagate/Missing.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <numeric>

namespace spmd {

namespace {

class Writer {
public:
  Writer(ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge,
         const WriteBackOptions &options)
      : program(program), knowledge(knowledge), options(options), origins(options.origins),
        groupCopies(program.bodies.empty()
                        ? mlir::ModuleOp()
                        : llvm::cast<mlir::ModuleOp>(program.bodies.front().func->getParentOp())) {}

  void run() {
    if (program.graph.numMeshes() == 0)
      return;
    numberVariants();
    findMissing();
    cloneFunctions();
    for (size_t i = 0; i < program.instances.size(); ++i)
      if (isFirstOfVariant[i])
        writeInstance(i);
  }

private:
  /// A variant of a function, and where the values of the original are in it.
  struct Variant {
    mlir::func::FuncOp func;
    std::unique_ptr<mlir::IRMapping> mapping; ///< Null for the original.

    mlir::Value map(mlir::Value value) const { return mapping ? mapping->lookup(value) : value; }
    mlir::Operation *map(mlir::Operation *op) const { return mapping ? mapping->lookup(op) : op; }
  };

  /// Gives instances the same variant if they are of one body and all their values lie alike, in
  /// what they call too.
  void numberVariants() {
    size_t count = program.instances.size();
    if (count == program.bodies.size()) { // No body has two instances.
      variantOf.assign(count, 0);
      numVariants.assign(count, 1);
      isFirstOfVariant.assign(count, true);
      return;
    }
    variantOf.assign(count, 0);
    isFirstOfVariant.assign(count, false);
    std::vector<int32_t> numInstances(program.bodies.size(), 0);
    for (const ProgramGraph::Instance &instance : program.instances)
      ++numInstances[instance.body];
    std::vector<std::map<std::vector<int32_t>, int32_t>> known(program.bodies.size());
    numVariants.assign(program.bodies.size(), 0);
    for (int32_t i : calleesFirst()) {
      const ProgramGraph::Instance &instance = program.instances[i];
      if (numInstances[instance.body] == 1) { // Such as the longest, mostly.
        numVariants[instance.body] = 1;
        continue;
      }
      std::vector<int32_t> signature;
      for (size_t t = 0; t < program.bodies[instance.body].tensors.size(); ++t)
        signature.push_back(finalSharding(instance.firstValue + t));
      for (int32_t child : instance.children)
        signature.push_back(variantOf[child]);
      signature.push_back(
          manualAxes.try_emplace(instance.manualAxes, manualAxes.size()).first->second);
      auto [entry, isNew] = known[instance.body].try_emplace(std::move(signature), 0);
      if (isNew)
        entry->second = numVariants[instance.body]++;
      variantOf[i] = entry->second;
    }
    // The first instance in program order stands for its variant.
    std::vector<std::vector<bool>> seen(program.bodies.size());
    for (size_t i = 0; i < count; ++i) {
      int32_t body = program.instances[i].body;
      seen[body].resize(numVariants[body], false);
      isFirstOfVariant[i] = !seen[body][variantOf[i]];
      seen[body][variantOf[i]] = true;
    }
  }

  /// Notes what has no sharding: in some instance of a variant.
  void findMissing() {
    std::vector<bool> reported = reportedMissing(program, knowledge);
    if (reported.empty())
      return;
    for (auto [index, instance] : llvm::enumerate(program.instances))
      for (size_t t = 0; t < program.bodies[instance.body].tensors.size(); ++t)
        if (reported[instance.firstValue + t])
          missing.insert({instance.body, variantOf[index], static_cast<int32_t>(t)});
  }

  std::vector<int32_t> calleesFirst() const {
    std::vector<int32_t> order(program.instances.size());
    std::iota(order.begin(), order.end(), 0);
    auto rank = [&](int32_t i) { return program.bodies[program.instances[i].body].callOrder; };
    llvm::sort(order,
               [&](int32_t a, int32_t b) { return std::pair(rank(a), a) < std::pair(rank(b), b); });
    return order;
  }

  /// The sharding that a value ends up with, or `none`.
  int32_t finalSharding(int32_t v) {
    const ShardGraph::Value &value = program.graph.value(v);
    if (value.sharding != ShardGraph::none)
      return value.sharding;
    if (knowledge[v] == Knowledge::nothing && !options.replicateMissing)
      return ShardGraph::none;
    int32_t rank = program.graph.shape(value.shape).size();
    while (static_cast<int32_t>(openOfRank.size()) <= rank)
      openOfRank.push_back(program.graph.internSharding(
          {defaultMesh(), Sharding::replicatedOf(openOfRank.size(), /*open=*/true)}));
    return openOfRank[rank];
  }

  /// The first mesh that has axes.
  int32_t defaultMesh() const {
    for (int32_t i = 0; i < program.graph.numMeshes(); ++i)
      if (!program.graph.mesh(i).axes().empty())
        return i;
    return 0;
  }

  void cloneFunctions() {
    functions.resize(program.bodies.size());
    for (size_t i = 0; i < program.instances.size(); ++i) {
      int32_t body = program.instances[i].body;
      functions[body].resize(numVariants[body]);
      if (!isFirstOfVariant[i])
        continue;
      Variant &function = functions[body][variantOf[i]];
      function.func = program.bodies[body].func;
      if (cloned.insert(body).second)
        continue; // The first variant keeps the function itself.
      function.mapping = std::make_unique<mlir::IRMapping>();
      mlir::OpBuilder builder(program.bodies[body].func);
      builder.setInsertionPointAfter(lastOf[body] ? lastOf[body] : program.bodies[body].func);
      mlir::func::FuncOp clone = llvm::cast<mlir::func::FuncOp>(
          builder.clone(*program.bodies[body].func.getOperation(), *function.mapping));
      clone.setSymName(freshName(program.bodies[body].func.getSymName()));
      if (!program.groupMembers.empty())
        groupCopies.separate(clone);
      lastOf[body] = clone;
      function.func = clone;
    }
  }

  /// Returns the first of name_1, name_2, .. that no symbol has.
  std::string freshName(llvm::StringRef name) {
    if (symbols.empty())
      for (mlir::Operation &op : *program.bodies[0].func->getBlock())
        if (auto symbol = llvm::dyn_cast<mlir::SymbolOpInterface>(op))
          symbols.insert(symbol.getName());
    for (int &i = lastSuffix[name];;) {
      std::string candidate = (name + "_" + llvm::Twine(++i)).str();
      if (symbols.insert(candidate).second)
        return candidate;
    }
  }

  void writeInstance(size_t index) {
    const ProgramGraph::Instance &instance = program.instances[index];
    const ProgramGraph::Body &body = program.bodies[instance.body];
    Variant &function = functions[instance.body][variantOf[index]];
    BoundaryAttributes boundary(function.func);
    llvm::SmallVector<std::pair<mlir::Value, sdy::ShardingAttr>, 0> pins; // Till they have grown.
    for (mlir::Value value : body.openlyPinned)
      pins.emplace_back(function.map(value), originalPinOf(function.map(value)).attr);
    for (size_t t = 0; t < body.tensors.size();) {
      const ProgramGraph::Tensor &tensor = body.tensors[t];
      if (!tensor.value) {
        bool isInside = tensor.resultIndex == ProgramGraph::Tensor::inside;
        mlir::func::FuncOp func = body.func;
        if (!isInside && tensorTypeOf(func.getResultTypes()[tensor.resultIndex])) // No tuple.
          writeResult(boundary.ofResult(tensor.resultIndex), index, t);
        ++t;
      } else if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(tensor.value)) {
        ValueSharding sharding = shardingAt(instance.firstValue + t);
        if (sharding && argument.getOwner()->getParentOp() == body.func)
          setBoundary(boundary.ofArgument(argument.getArgNumber()), instance.firstValue + t,
                      sharding);
        if (argument.getOwner()->getParentOp() == body.func)
          markArgument(boundary.ofArgument(argument.getArgNumber()), isMissing(index, t));
        ++t;
      } else {
        t += writeOp(index, t, function);
      }
    }
    for (auto [value, pin] : pins)
      if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
          argument && argument.getOwner()->getParentOp() == function.func)
        noteOriginalPin(boundary.ofArgument(argument.getArgNumber()), pin);
    boundary.write();
    if (!instance.manualAxes.empty())
      function.func->setAttr(
          manualAxesAttrName,
          mlir::Builder(function.func.getContext()).getStrArrayAttr(instance.manualAxes));
    for (const ProgramGraph::FlowOp &flowOp : body.flowOps)
      writeFlows(flowOp, instance.firstValue, function);
    if (options.edges)
      options.edges->visit(index, [&](mlir::Operation *op, mlir::NamedAttribute edges) {
        function.map(op)->setDiscardableAttr(edges.getName(), edges.getValue());
      });
    for (auto [access, tensor] : body.accesses)
      if (ValueSharding sharding = shardingAt(instance.firstValue + tensor))
        setShardings(
            function.map(access.getDefiningOp()),
            {{sharding.attr, pinOf(access) ? ShardingState::pinned : ShardingState::inferred}});
    for (auto [value, pin] : pins)
      if (auto result = llvm::dyn_cast<mlir::OpResult>(value))
        noteOriginalPin(result, pin);
    for (auto [call, child] : llvm::zip(body.calls, instance.children))
      if (Variant &callee = functions[program.instances[child].body][variantOf[child]];
          callee.mapping) // Else it is the one that is called already.
        function.map(call.op)->setAttr("callee", mlir::FlatSymbolRefAttr::get(callee.func));
  }

  void writeResult(mlir::NamedAttrList &attributes, size_t index, size_t t) {
    int32_t v = program.instances[index].firstValue + static_cast<int32_t>(t);
    if (ValueSharding sharding = shardingAt(v))
      setBoundary(attributes, v, sharding);
    int result = program.bodies[program.instances[index].body].tensors[t].resultIndex;
    if (sdy::PropagationEdgesAttr edges =
            options.edges ? options.edges->ofResult(index, result) : nullptr)
      attributes.set(sdy::propagationEdgesName, edges);
  }

  void setBoundary(mlir::NamedAttrList &attributes, int32_t v, ValueSharding sharding) {
    attributes.erase(unevenAttrName); // Of another run.
    if (attributes.empty()) {
      // Most have no other attributes: those that lie alike share theirs.
      mlir::DictionaryAttr &known = ofBoundaries[{sharding.attr, static_cast<int>(sharding.state)}];
      if (!known) {
        setSharding(attributes, sharding);
        known = attributes.getDictionary(sharding.attr.getContext());
      }
      attributes = known;
    } else {
      setSharding(attributes, sharding);
    }
    if (auto found = program.uneven.find(v); found != program.uneven.end())
      attributes.set(unevenAttrName, found->second);
    if (mlir::DictionaryAttr from = origins ? origins->of(v) : nullptr; from && !from.empty())
      attributes.set(sdy::shardingOriginsName, from);
  }

  void writeOrigins(mlir::Operation *op, int32_t v, size_t count) {
    if (origins && !llvm::isa<DataFlow>(op)) // Which say it of their flows.
      origins->write(op, v, count);
  }

  void writeFlows(const ProgramGraph::FlowOp &flowOp, int32_t firstValue, Variant &function) {
    auto op = llvm::cast<DataFlow>(function.map(flowOp.op));
    llvm::SmallVector<sdy::ShardingAttr> shardings;
    llvm::SmallVector<int32_t> values;
    for (int32_t tensor : flowOp.tensors) {
      values.push_back(tensor == ShardGraph::none ? tensor : firstValue + tensor);
      shardings.push_back(tensor == ShardGraph::none ? nullptr : shardingAt(values.back()).attr);
    }
    op.setFlowShardings(shardings);
    if (origins)
      origins->writeFlows(op, values);
  }

  bool isMissing(size_t index, size_t t) const {
    return !missing.empty() && missing.contains({program.instances[index].body, variantOf[index],
                                                 static_cast<int32_t>(t)});
  }

  void markArgument(mlir::NamedAttrList &attributes, bool isMissing) const {
    if (isMissing)
      attributes.set(missingAttrName,
                     mlir::UnitAttr::get(program.bodies.front().func.getContext()));
    else if (!attributes.empty()) // From another run, maybe.
      attributes.erase(missingAttrName);
  }

  /// Marks an op whose results of these numbers have no sharding: all of them by a unit.
  static void markResults(mlir::Operation *op, llvm::ArrayRef<int64_t> numbers) {
    mlir::MLIRContext *context = op->getContext();
    if (!numbers.empty())
      op->setDiscardableAttr(missingAttrName, numbers.size() == op->getNumResults()
                                                  ? mlir::Attribute(mlir::UnitAttr::get(context))
                                                  : mlir::DenseI64ArrayAttr::get(context, numbers));
  }

  /// Writes the results of the op whose first tensor is `t`; returns how many tensors they are.
  size_t writeOp(size_t index, size_t t, Variant &function) {
    const ProgramGraph::Instance &instance = program.instances[index];
    mlir::Operation *op = program.bodies[instance.body].tensors[t].value.getDefiningOp();
    int32_t v = instance.firstValue + static_cast<int32_t>(t);
    size_t count = 0;
    if (!op->getRawDictionaryAttrs().empty()) // From another run, maybe.
      function.map(op)->removeDiscardableAttr(missingAttrName);
    llvm::SmallVector<ValueSharding, 1> shardings;
    llvm::SmallVector<int64_t, 1> without;
    bool hasAny = false;
    if (holdsSharding(op)) {
      for (mlir::OpResult result : op->getResults())
        if (tensorTypeOf(result) && isMissing(index, t + count++))
          without.push_back(result.getResultNumber());
      growConstraint(function.map(op), v);
      markResults(function.map(op), without);
      writeOrigins(function.map(op), v, count);
      return count;
    }
    for (mlir::OpResult result : op->getResults()) {
      if (!tensorTypeOf(result)) {
        shardings.push_back({nothingToSplit(), ShardingState::inferred});
        continue;
      }
      if (isMissing(index, t + count))
        without.push_back(result.getResultNumber());
      shardings.push_back(shardingAt(v + count++));
      hasAny |= static_cast<bool>(shardings.back());
    }
    if (hasAny)
      writer.set(function.map(op), shardings);
    markResults(function.map(op), without);
    writeOrigins(function.map(op), v, count);
    return count;
  }

  /// Writes what the open dims of a constraint took up into it.
  void growConstraint(mlir::Operation *op, int32_t v) {
    auto partitionable = llvm::dyn_cast<Partitionable>(op);
    if (!partitionable || !partitionable.isPlacement() || op->getNumResults() != 1)
      return;
    ValueSharding pin = pinOf(op->getResult(0)); // A data flow edge need not have one.
    if (!pin || isClosed(pin) || !hasGrown(pin, v))
      return;
    if (ValueSharding lies = shardingAt(v))
      sdy::setSharding(op->getResult(0), lies.attr);
  }

  /// Whether a value is split along more than its pin says.
  bool hasGrown(ValueSharding pin, int32_t v) const {
    const ShardGraph::Value &value = program.graph.value(v);
    if (value.sharding == ShardGraph::none)
      return false;
    const Sharding &lies = program.graph.sharding(value.sharding).sharding;
    return !llvm::equal(pin.attr.getSpec().dims, lies.dims,
                        [](const DimSpec &said, const DimSharding &has) {
                          return said.axes.size() == has.axes.size();
                        });
  }

  /// What stands for a token among the results of an op.
  sdy::ShardingAttr nothingToSplit() {
    return attrOf(program.graph.internSharding({defaultMesh(), Sharding::replicatedOf(0)}));
  }

  ValueSharding shardingAt(int32_t v) {
    int32_t index = finalSharding(v);
    if (index == ShardGraph::none)
      return {};
    const ShardGraph::Value &value = program.graph.value(v);
    bool hasPriorities = index == value.sharding && program.graph.hasPriorities(v);
    return {hasPriorities ? program.codec.encode(program.graph.shardingOf(v)) : attrOf(index),
            value.state == ShardingState::pinned ? ShardingState::pinned : ShardingState::inferred};
  }

  sdy::ShardingAttr attrOf(int32_t index) {
    if (static_cast<int32_t>(attrs.size()) <= index)
      attrs.resize(program.graph.numShardings());
    if (!attrs[index])
      attrs[index] = program.codec.encode(program.graph.sharding(index));
    return attrs[index];
  }

  ProgramGraph &program;
  llvm::ArrayRef<Knowledge> knowledge;
  WriteBackOptions options;
  Origins *origins; ///< May be null.
  std::vector<int32_t> variantOf, numVariants, openOfRank;
  std::vector<bool> isFirstOfVariant;
  std::vector<std::vector<Variant>> functions;                         ///< By body and variant.
  std::map<llvm::SmallVector<llvm::StringRef, 0>, int32_t> manualAxes; ///< Numbered.
  llvm::DenseSet<std::tuple<int32_t, int32_t, int32_t>> missing;       ///< Body, variant, tensor.
  llvm::DenseSet<int32_t> cloned;
  llvm::DenseMap<int32_t, mlir::Operation *> lastOf;
  llvm::StringSet<> symbols;       ///< Of the module, once a fresh name was asked for.
  llvm::StringMap<int> lastSuffix; ///< By name: suffixes up to this are taken.
  std::vector<sdy::ShardingAttr> attrs;
  ShardingWriter writer;
  sdy::GroupCopies groupCopies;
  llvm::DenseMap<std::pair<mlir::Attribute, int>, mlir::DictionaryAttr> ofBoundaries;
};

} // namespace

void writeBack(ProgramGraph &program, llvm::ArrayRef<Knowledge> knowledge,
               const WriteBackOptions &options) {
  Writer(program, knowledge, options).run();
}

} // namespace spmd
