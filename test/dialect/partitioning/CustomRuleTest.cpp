// Rules of custom calls that a program registers, written as `spmd.rule` would be.
#include "spmd/dialect/partitioning/CustomRule.h"
#include "spmd/dialect/Register.h"
#include "spmd/dialect/partitioning/CustomCallRules.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace spmd::test {
namespace {

constexpr char rule[] = R"rule({dims = "([i, j], [k, j])->([i, j])",
    along = [{factor = "k", with = "i", ways = ["gather", "ring"]}],
    only_if = [{attribute = "keep_prob", is = ["1.0"]}]})rule";

constexpr char program[] = R"mlir(
func.func @main(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>) {
  %0 = stablehlo.custom_call @attend(%q, %k) {keep_prob = 1.0 : f32} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.custom_call @attend(%q, %k) {keep_prob = 0.5 : f32} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.custom_call @attend(%q, %k) {spmd.rule = {dims = "([i, j], [*, *])->([i, j])"}} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.custom_call @unheard_of(%q) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
})mlir";

TEST(CustomRuleTest, ADescribedRuleCountsForAllCallsOfItsTarget) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  CustomCallRule registered;
  registered.described = llvm::cast<mlir::DictionaryAttr>(mlir::parseAttribute(rule, &context));
  registerCustomCallRule(context, "attend", registered);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
  ASSERT_TRUE(module);
  std::vector<mlir::Operation *> calls;
  module->walk([&](mlir::Operation *op) {
    if (customCallTarget(op))
      calls.push_back(op);
  });
  ASSERT_EQ(calls.size(), 4u);
  StrategyCache cache;
  const Strategies *both = cache.lookup(calls[0]);
  ASSERT_TRUE(both);
  ASSERT_EQ(both->size(), 2u);
  EXPECT_EQ((*both)[0].rule.factors[0].kind, FactorKind::pass);
  EXPECT_EQ((*both)[0].rule.factors[2].kind, FactorKind::whole);
  EXPECT_EQ((*both)[1].rule.operands[1][0][0], 0); // The ring's blocks are cut as the rows are.
  // What an attribute forbids holds for that call alone.
  const Strategies *none = cache.lookup(calls[1]);
  ASSERT_TRUE(none);
  ASSERT_EQ(none->size(), 1u);
  EXPECT_EQ((*none)[0].rule.factors[0].kind, FactorKind::whole);
  ASSERT_TRUE(unmetCondition(calls[1]));
  EXPECT_EQ(unmetCondition(calls[1])->reason, "where 'keep_prob' is 0.5");
  EXPECT_FALSE(unmetCondition(calls[1])->isUnknown);
  EXPECT_FALSE(unmetCondition(calls[0]));
  // The call's own rule comes first.
  const Strategies *own = cache.lookup(calls[2]);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->front().rule.operands[1][0].size(), 0u);
  EXPECT_FALSE(cache.lookup(calls[3]));
}

} // namespace
} // namespace spmd::test
