#include "spmd/passes/plan/ParameterUses.h"

#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/spmd/DataFlow.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <functional>
#include <numeric>

namespace spmd {

namespace {

/// Where a value comes from: a parameter, or the first product of one.
struct Origin {
  int64_t parameter = ParameterUse::none;
  bool isProduct = false;
  bool isTruth = false;  ///< Made of what is true or not of the parameter.
  bool isScaled = false; ///< It has met a smaller parameter before.
  /// For each dim of the value, the dims of the parameter in it.
  llvm::SmallVector<llvm::SmallVector<int64_t, 1>, 4> dims;
  llvm::SmallVector<int64_t, 2> kept; ///< Of a product, the dims of the parameter that it keeps.

  explicit operator bool() const { return parameter != ParameterUse::none; }
};

/// Which tensors of a rule have which factors.
bool holds(const TensorFactors &tensor, int32_t factor) {
  return llvm::any_of(tensor,
                      [&](const DimFactors &dim) { return llvm::is_contained(dim, factor); });
}

bool anyHolds(const std::vector<TensorFactors> &tensors, int32_t factor) {
  return llvm::any_of(tensors, [&](const TensorFactors &each) { return holds(each, factor); });
}

class UseFinder {
public:
  UseFinder(mlir::ModuleOp module, mlir::func::FuncOp entry) : entry(entry) {
    size_t numOps = 0;
    module.walk([&](mlir::Operation *op) {
      ++numOps;
      if (auto func = llvm::dyn_cast<mlir::func::FuncOp>(op))
        functions[func.getSymName()] = func;
    });
    budget = 100000 + 8 * numOps;
  }

  std::vector<ParameterUse> run() {
    uses.resize(entry.getNumArguments());
    if (entry.getBody().empty())
      return uses;
    for (mlir::BlockArgument argument : entry.getArguments()) {
      Origin origin{argument.getArgNumber(), false, false, false, {}, {}};
      for (int64_t d = 0; d < static_cast<int64_t>(shapeOf(argument).size()); ++d)
        origin.dims.push_back({d});
      origins[argument] = std::move(origin);
    }
    visitBlock(entry.getBody().front());
    return std::move(uses);
  }

private:
  void visitBlock(mlir::Block &block) {
    for (mlir::Operation &op : block) {
      if (budget == 0)
        return;
      --budget;
      visitOp(&op);
    }
  }

  void visitOp(mlir::Operation *op) {
    for (mlir::Value result : op->getResults())
      origins.erase(result); // Of an earlier visit, where a function is called twice.
    markFree(op);
    if (llvm::any_of(op->getOperands(), [&](mlir::Value each) { return made.contains(each); }))
      made.insert_range(op->getResults());
    if (llvm::none_of(op->getOperands(), [&](mlir::Value each) { return origins.contains(each); }))
      return;
    if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
      return visitCall(call);
    if (auto flow = llvm::dyn_cast<DataFlow>(op))
      return visitDataFlow(flow);
    const Strategies *strategies = strategyCache.lookup(op);
    if (!strategies)
      return;
    const OpRule &rule = strategies->front().rule;
    if (rule.operands.size() == op->getNumOperands() && rule.results.size() == op->getNumResults())
      visitRule(op, rule);
  }

  /// Notes whether the results are made of nothing but constants and scalars.
  void markFree(mlir::Operation *op) {
    bool isFree = !llvm::isa<mlir::CallOpInterface>(op) &&
                  makesConstants(op, [&](mlir::Value each) { return !isReal(each); });
    for (mlir::Value result : op->getResults())
      if (isFree)
        freeValues.insert(result);
  }

  /// Whether `value` is a tensor that says something of its own.
  bool isReal(mlir::Value value) const {
    return !shapeOf(value).empty() && !freeValues.contains(value);
  }

  //===- Regions and calls ---------------------------------------------------===//

  /// Calls nest that deep at most; so does the stack of this process.
  static constexpr int maxDepth = 200;

  void visitCall(mlir::CallOpInterface call) {
    auto symbol = llvm::dyn_cast<mlir::SymbolRefAttr>(call.getCallableForCallee());
    mlir::func::FuncOp callee =
        symbol ? functions.lookup(symbol.getRootReference().getValue()) : mlir::func::FuncOp();
    if (!callee || callee.getBody().empty() || depth == maxDepth || !running.insert(callee).second)
      return;
    ++depth;
    mlir::Block &body = callee.getBody().front();
    for (auto [operand, argument] : llvm::zip(call.getArgOperands(), body.getArguments()))
      pass(operand, argument);
    visitBlock(body);
    if (!body.empty())
      for (auto [returned, result] : llvm::zip(body.back().getOperands(), call->getResults()))
        pass(returned, result);
    --depth;
    running.erase(callee);
  }

  /// What comes in from outside comes out of the flow; a branch's result is what the branch
  /// returns.
  void visitDataFlow(DataFlow op) {
    llvm::SmallVector<Flow, 0> flows = op.getFlows();
    for (const Flow &flow : flows)
      for (mlir::OpOperand *source : flow.sources)
        if (source->getOwner() == op)
          for (mlir::Value target : flow.targets)
            pass(source->get(), target);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        visitBlock(block);
    for (const Flow &flow : flows)
      for (mlir::Value target : flow.targets)
        if (target.getDefiningOp() == op && !origins.contains(target))
          pass(flow.sources.front()->get(), target);
    for (const Flow &flow : flows)
      if (llvm::any_of(flow.sources, [&](auto *each) { return made.contains(each->get()); }))
        made.insert_range(flow.targets);
  }

  void pass(mlir::Value from, mlir::Value to) {
    origins.erase(to);
    freeValues.erase(to);
    if (auto found = origins.find(from); found != origins.end()) {
      Origin origin = found->second;
      origins[to] = std::move(origin);
    }
    if (freeValues.contains(from))
      freeValues.insert(to);
    if (made.contains(from))
      made.insert(to);
  }

  //===- Rules ---------------------------------------------------------------===//

  void visitRule(mlir::Operation *op, const OpRule &rule) {
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      auto found = origins.find(op->getOperand(i));
      if (found == origins.end())
        continue;
      Origin origin = found->second; // The map grows below.
      if (!isJoined(op, i, origin))
        setResults(op, rule, i, origin);
      else if (isProduct(op, rule, i))
        addProduct(op, rule, i, origin);
      else if (!origin.isProduct)
        addJoin(op, rule, i, origin);
    }
  }

  /// Whether another operand than `index` is a tensor of its own, not made of the same.
  bool isJoined(mlir::Operation *op, unsigned index, const Origin &origin) const {
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (i != index && isReal(op->getOperand(i)) && !isOf(op->getOperand(i), origin))
        return true;
    return false;
  }

  bool isOf(mlir::Value value, const Origin &origin) const {
    auto found = origins.find(value);
    return found != origins.end() && found->second.parameter == origin.parameter &&
           found->second.isProduct == origin.isProduct;
  }

  bool otherHolds(mlir::Operation *op, const OpRule &rule, unsigned index, int32_t factor) const {
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (i != index && isReal(op->getOperand(i)) && holds(rule.operands[i], factor))
        return true;
    return false;
  }

  static bool isInResults(const OpRule &rule, const DimFactors &dim) {
    return llvm::any_of(dim, [&](int32_t factor) { return anyHolds(rule.results, factor); });
  }

  /// Whether operand `index` loses a dim to the others: one that both are summed over, or one that
  /// is looked up in at places which the others give.
  bool isProduct(mlir::Operation *op, const OpRule &rule, unsigned index) const {
    const TensorFactors &own = rule.operands[index];
    bool losesDim = false, shares = false, othersGive = false;
    for (const DimFactors &dim : own)
      if (!isInResults(rule, dim)) {
        losesDim = true;
        shares |=
            llvm::any_of(dim, [&](int32_t factor) { return otherHolds(op, rule, index, factor); });
      }
    for (int32_t factor = 0; factor < rule.numFactors(); ++factor)
      othersGive |= !holds(own, factor) && anyHolds(rule.results, factor) &&
                    otherHolds(op, rule, index, factor);
    return losesDim && (shares || othersGive);
  }

  /// Whether operand `index` of a product is real numbers, and not only what is true of some, and
  /// the product sums over them or looks them up: a dim of one element is none that is summed over.
  static bool isOfNumbers(mlir::Operation *op, const OpRule &rule, unsigned index,
                          const Origin &origin) {
    mlir::Value operand = op->getOperand(index);
    if (origin.isTruth || llvm::isa<mlir::IntegerType>(mlir::getElementTypeOrSelf(operand)))
      return false;
    return llvm::any_of(llvm::zip(rule.operands[index], shapeOf(operand)), [&](auto pair) {
      const auto &[factors, size] = pair;
      return size > 1 && !isInResults(rule, factors);
    });
  }

  void addProduct(mlir::Operation *op, const OpRule &rule, unsigned index, const Origin &origin) {
    made.insert_range(op->getResults());
    ParameterUse &use = uses[origin.parameter];
    use.isOfNumbers |= isOfNumbers(op, rule, index, origin);
    if (origin.isProduct || origin.isScaled)
      return;
    auto add = [](llvm::SmallVectorImpl<int64_t> &dims, llvm::ArrayRef<int64_t> more) {
      for (int64_t dim : more)
        if (!llvm::is_contained(dims, dim))
          dims.push_back(dim);
    };
    Origin product = origin;
    product.isProduct = true;
    llvm::SmallVector<int64_t> summed, lost; // Looked up in, or under the window of a convolution.
    for (auto [dim, factors] : llvm::zip(origin.dims, rule.operands[index])) {
      bool isShared = false;
      for (int32_t factor : factors)
        isShared |= otherHolds(op, rule, index, factor);
      if (isInResults(rule, factors) && !isShared)
        add(product.kept, dim);
      else if (!isInResults(rule, factors))
        add(isShared ? summed : lost, dim);
    }
    if (summed.empty())
      summed = lost;
    llvm::sort(product.kept);
    llvm::sort(summed);
    // Of a tied weight the first product says how it lies; what is added to the second goes with
    // the second, unless that is of another weight, too.
    if (use.isInProduct() &&
        llvm::any_of(op->getResults(), [&](mlir::Value each) { return origins.contains(each); }))
      return;
    if (!use.isInProduct()) {
      use.kept.assign(product.kept.begin(), product.kept.end());
      use.summed = std::move(summed);
      addFactors(op, index, use);
    }
    setResults(op, rule, index, product);
  }

  /// Notes which parameters operand `index` is multiplied by.
  void addFactors(mlir::Operation *op, unsigned index, ParameterUse &use) const {
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (auto found = origins.find(op->getOperand(i)); i != index && found != origins.end())
        if (!found->second.isProduct)
          use.factors.push_back(found->second.parameter);
  }

  /// A parameter that meets a product element by element goes with what made it; parameters that
  /// meet each other are the largest of them: the others scale it, or shift it.
  void addJoin(mlir::Operation *op, const OpRule &rule, unsigned index, const Origin &origin) {
    ParameterUse &use = uses[origin.parameter];
    use.meetsProduct |=
        llvm::any_of(op->getOperands(), [&](mlir::Value each) { return made.contains(each); });
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      auto found = origins.find(op->getOperand(i));
      if (i == index || found == origins.end() || !found->second.isProduct)
        continue;
      Origin product = found->second;
      if (!use.isInProduct() && use.partner == ParameterUse::none) {
        use.partner = product.parameter;
        use.partnerKept.assign(product.kept.begin(), product.kept.end());
        use.partnerDims.assign(shapeOf(entry.getArgument(origin.parameter)).size(),
                               ParameterUse::none);
        alignDims(rule.operands[index], origin, rule.operands[i], product, use.partnerDims);
      }
      return setResults(op, rule, i, product);
    }
    if (isLargest(op, index, origin)) {
      Origin scaled = origin;
      scaled.isScaled = true;
      setResults(op, rule, index, scaled);
    }
  }

  /// Whether all operands that say something are of parameters, and none in front of `index` is of
  /// one as large, none of a larger one.
  bool isLargest(mlir::Operation *op, unsigned index, const Origin &origin) {
    auto sizeOf = [&](const Origin &each) {
      llvm::ArrayRef<int64_t> shape = shapeOf(entry.getArgument(each.parameter));
      return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
    };
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      if (i == index || !isReal(op->getOperand(i)))
        continue;
      auto found = origins.find(op->getOperand(i));
      if (found == origins.end() || found->second.isProduct ||
          sizeOf(found->second) > sizeOf(origin) - (i > index ? 0 : 1))
        return false;
    }
    return true;
  }

  static void alignDims(const TensorFactors &own, const Origin &origin, const TensorFactors &others,
                        const Origin &product, llvm::SmallVector<int64_t> &partnerDims) {
    for (auto [dim, factors] : llvm::zip(origin.dims, own))
      for (auto [otherDim, otherFactors] : llvm::zip(product.dims, others))
        for (int32_t factor : factors)
          if (llvm::is_contained(otherFactors, factor))
            for (int64_t from : dim)
              if (!otherDim.empty())
                partnerDims[from] = otherDim.front();
  }

  /// Gives the results the dims of operand `index`, by the factors that they share with it.
  void setResults(mlir::Operation *op, const OpRule &rule, unsigned index, const Origin &origin) {
    for (mlir::OpResult result : op->getResults()) {
      const TensorFactors &factors = rule.results[result.getResultNumber()];
      bool isTruth = mlir::getElementTypeOrSelf(result.getType()).isInteger(1);
      Origin made{
          origin.parameter, origin.isProduct, origin.isTruth || isTruth, origin.isScaled, {},
          origin.kept};
      made.dims.resize(factors.size());
      for (auto [dim, from] : llvm::zip(rule.operands[index], origin.dims))
        for (int32_t factor : dim)
          for (auto [resultDim, to] : llvm::zip(factors, made.dims))
            if (llvm::is_contained(resultDim, factor))
              for (int64_t each : from)
                if (!llvm::is_contained(to, each))
                  to.push_back(each);
      if (llvm::any_of(made.dims, [](const auto &dim) { return !dim.empty(); }))
        origins[result] = std::move(made);
    }
  }

  mlir::func::FuncOp entry;
  llvm::StringMap<mlir::func::FuncOp> functions;
  StrategyCache strategyCache;
  std::vector<ParameterUse> uses;
  llvm::DenseMap<mlir::Value, Origin> origins;
  llvm::DenseSet<mlir::Value> freeValues;
  llvm::DenseSet<mlir::Value> made; ///< What products of arguments, and what follows, have made.
  llvm::DenseSet<mlir::Operation *> running; ///< Functions whose calls are being followed.
  size_t budget = 0;                         ///< Ops that may still be looked at.
  int depth = 0;
};

} // namespace

std::vector<ParameterUse> parameterUses(mlir::ModuleOp module, mlir::func::FuncOp entry) {
  return UseFinder(module, entry).run();
}

} // namespace spmd
