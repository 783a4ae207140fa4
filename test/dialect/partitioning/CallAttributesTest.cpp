// Attributes of custom calls, wherever they are kept.
#include "spmd/dialect/partitioning/CallAttributes.h"
#include "spmd/dialect/Register.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

namespace spmd::test {
namespace {

struct CallAttributesTest : ::testing::Test {
  CallAttributesTest() : context(mlir::MLIRContext::Threading::DISABLED), builder(&context) {}

  /// An op whose `backend_config` is `text`.
  mlir::OwningOpRef<mlir::ModuleOp> withConfig(llvm::StringRef text) {
    mlir::OwningOpRef<mlir::ModuleOp> op = mlir::ModuleOp::create(builder.getUnknownLoc());
    op->getOperation()->setAttr("backend_config", builder.getStringAttr(text));
    return op;
  }
  std::string configOf(mlir::ModuleOp op) {
    return op->getAttrOfType<mlir::StringAttr>("backend_config").str();
  }

  mlir::MLIRContext context;
  mlir::Builder builder;
};

TEST_F(CallAttributesTest, ReadsJson) {
  auto op = withConfig(R"( {"n": 8, "p": 0.5, "on": true, "none": null, "text": "a\"}b", "big": 1e3,
      "list": [1, 2], "in": {"n": 4, "deep": {"m": "12"}}} )");
  EXPECT_EQ(attributeOf(*op, "n"), builder.getI64IntegerAttr(8));
  EXPECT_EQ(attributeOf(*op, "p"), builder.getF64FloatAttr(0.5));
  EXPECT_EQ(attributeOf(*op, "on"), builder.getBoolAttr(true));
  EXPECT_EQ(attributeOf(*op, "none"), builder.getStringAttr("null"));
  EXPECT_EQ(attributeOf(*op, "text"), builder.getStringAttr("a\"}b"));
  EXPECT_EQ(attributeOf(*op, "in.n"), builder.getI64IntegerAttr(4));
  EXPECT_EQ(attributeOf(*op, "in.deep.m"), builder.getStringAttr("12"));
  EXPECT_FALSE(attributeOf(*op, "m"));
  EXPECT_FALSE(attributeOf(*op, "in.m"));
  EXPECT_FALSE(hasUnreadableConfig(*op));
}

TEST_F(CallAttributesTest, ReadsDictionariesOfMlir) {
  auto op = withConfig("{n = 8 : i32, in = {u = 4 : ui64}}");
  EXPECT_EQ(integerIn(attributeOf(*op, "n")), 8);
  EXPECT_EQ(integerIn(attributeOf(*op, "in.u")), 4);
  EXPECT_TRUE(setInteger(*op, "in.u", 2));
  EXPECT_EQ(configOf(*op), "{in = {u = 2 : ui64}, n = 8 : i32}");
}

TEST_F(CallAttributesTest, ChangesNothingElseOfJson) {
  auto op =
      withConfig(R"({ "z" : [8, {"n": 1}], "n":8 ,"in": {"n" : "16", "q\"": 1}, "a":  0.10 })");
  EXPECT_TRUE(setInteger(*op, "n", 4));
  EXPECT_TRUE(setInteger(*op, "in.n", 2));
  EXPECT_EQ(configOf(*op),
            R"({ "z" : [8, {"n": 1}], "n":4 ,"in": {"n" : "2", "q\"": 1}, "a":  0.10 })");
  EXPECT_FALSE(setInteger(*op, "a", 1));
  EXPECT_FALSE(setInteger(*op, "z", 1));
  EXPECT_FALSE(setInteger(*op, "y", 1));
}

TEST_F(CallAttributesTest, ReadsNoOtherText) {
  for (const char *text : {"n = 8", "{n: 8}", "{\"n\": 8", "{\"n\": }", "140235049402768", "[8]",
                           "{n = array<index: 1>}", "{'n': 8}"}) {
    auto op = withConfig(text);
    EXPECT_FALSE(attributeOf(*op, "n")) << text;
    EXPECT_TRUE(hasUnreadableConfig(*op)) << text;
  }
  EXPECT_FALSE(hasUnreadableConfig(*withConfig("")));
  std::string deep(100000, '[');
  EXPECT_FALSE(attributeOf(*withConfig("{\"n\": " + deep), "n"));
}

TEST_F(CallAttributesTest, TheCallsOwnComeFirst) {
  auto op = withConfig(R"({"n": 8, "m": 3})");
  op->getOperation()->setAttr("n", builder.getI32IntegerAttr(6));
  EXPECT_TRUE(setInteger(*op, "n", 3));
  EXPECT_EQ(attributeOf(*op, "n"), builder.getI32IntegerAttr(3));
  EXPECT_EQ(configOf(*op), R"({"n": 8, "m": 3})");
}

} // namespace
} // namespace spmd::test
