// The pass `spmd-write-rules`: the rule of each op in Shardy's notation, for reading and comparing.

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/Passes.h"

namespace spmd {

#define GEN_PASS_DEF_WRITERULESPASS
#include "spmd/passes/Passes.h.inc"

namespace {

/// Numbers the factors of a rule in the order in which Shardy meets them: those of the results
/// first, but of a reduction those of its operand.
class Order {
public:
  explicit Order(const OpRule &rule) : rule(rule), place(rule.factors.size(), -1) {
    if (rule.operands.size() == 1 && rule.results.size() == 1)
      addBoth(factorsOf(rule.operands.front()), factorsOf(rule.results.front()));
    else if (!llvm::any_of(rule.results, [&](auto &tensor) { return hasAll(tensor); }) &&
             !rule.operands.empty() && hasAll(rule.operands.front()))
      add(factorsOf(rule.operands.front()));
    for (const TensorFactors &result : rule.results)
      add(factorsOf(result));
    for (const TensorFactors &operand : rule.operands)
      add(factorsOf(operand));
  }

  /// For each factor of the rule its new number.
  std::vector<int32_t> take() { return std::move(place); }

private:
  static llvm::SmallVector<int32_t> factorsOf(const TensorFactors &tensor) {
    llvm::SmallVector<int32_t> factors;
    for (const DimFactors &dim : tensor)
      llvm::append_range(factors, dim);
    return factors;
  }

  bool hasAll(const TensorFactors &tensor) const {
    return factorsOf(tensor).size() == rule.factors.size();
  }

  void add(llvm::ArrayRef<int32_t> factors) {
    for (int32_t factor : factors)
      if (place[factor] < 0)
        place[factor] = next++;
  }

  /// Walks an operand and a result side by side: what only the operand has, then what only the
  /// result has, then what both have.
  void addBoth(llvm::ArrayRef<int32_t> operand, llvm::ArrayRef<int32_t> result) {
    for (int32_t shared : result) {
      if (!llvm::is_contained(operand, shared))
        continue;
      auto isOwn = [&](llvm::ArrayRef<int32_t> list, llvm::ArrayRef<int32_t> other) {
        return list.take_while([&](int32_t f) { return !llvm::is_contained(other, f); });
      };
      add(isOwn(operand, result));
      add(isOwn(result, operand));
      add(shared);
      operand = operand.drop_while([&](int32_t f) { return place[f] >= 0; });
      result = result.drop_while([&](int32_t f) { return place[f] >= 0; });
    }
  }

  const OpRule &rule;
  std::vector<int32_t> place;
  int32_t next = 0;
};

/// What Shardy calls a kind that it does not know: rows that are looked up are added up, a running
/// value goes from neighbour to neighbour.
FactorKind shardyKind(FactorKind kind) {
  switch (kind) {
  case FactorKind::index:
  case FactorKind::fold:
    return FactorKind::reduce;
  case FactorKind::scan:
    return FactorKind::window;
  default:
    return kind;
  }
}

/// Gives dims without a factor one of their own: of size 1 it does not matter, others must not be
/// split.
void fillDims(OpRule &rule, std::vector<TensorFactors> &tensors, mlir::TypeRange types) {
  for (auto [tensor, type] : llvm::zip(tensors, types))
    for (auto [dim, size] : llvm::zip(tensor, tensorTypeOf(type).getShape()))
      if (dim.empty()) {
        dim.push_back(static_cast<int32_t>(rule.factors.size()));
        rule.factors.push_back({size, size == 1 ? FactorKind::pass : FactorKind::whole});
      }
}

OpRule inShardysForm(OpRule rule, mlir::Operation *op) {
  fillDims(rule, rule.operands, op->getOperandTypes());
  fillDims(rule, rule.results, op->getResultTypes());
  std::vector<int32_t> place = Order(rule).take();
  OpRule renamed = rule;
  for (size_t f = 0; f < place.size(); ++f) {
    renamed.factors[place[f]] = rule.factors[f];
    renamed.factors[place[f]].kind = shardyKind(rule.factors[f].kind);
  }
  for (std::vector<TensorFactors> *tensors : {&renamed.operands, &renamed.results})
    for (TensorFactors &tensor : *tensors)
      for (DimFactors &dim : tensor)
        for (int32_t &factor : dim)
          factor = place[factor];
  return renamed;
}

struct WriteRulesPass : impl::WriteRulesPassBase<WriteRulesPass> {
  using WriteRulesPassBase::WriteRulesPassBase;

  void runOnOperation() override {
    StrategyCache cache;
    for (auto func : getOperation().getOps<mlir::func::FuncOp>())
      walkDataFlow(func, [&](mlir::Operation *op) {
        auto known = op->getAttrOfType<sdy::OpShardingRuleAttr>(sdy::shardingRuleName);
        if (op->getNumOperands() > 0 && !(known && known.getRule().custom))
          write(op, cache.lookup(op));
      });
  }

private:
  /// Writes the first of an op's strategies, if it has any and all that it takes and gives are
  /// tensors.
  void write(mlir::Operation *op, const Strategies *strategies) {
    auto isTensor = [](mlir::Type type) { return tensorTypeOf(type) != nullptr; };
    if (!strategies || strategies->empty() || !llvm::all_of(op->getOperandTypes(), isTensor) ||
        !llvm::all_of(op->getResultTypes(), isTensor))
      return;
    const OpRule &rule = strategies->front().rule;
    if (rule.operands.size() == op->getNumOperands() && rule.results.size() == op->getNumResults())
      op->setDiscardableAttr(sdy::shardingRuleName,
                             sdy::OpShardingRuleAttr::get(&getContext(), inShardysForm(rule, op)));
  }
};

} // namespace
} // namespace spmd
