// Every op says what sizes its results have: of each op in the programs of this folder, the results
// are made dynamic, and what is inferred must be what stood there.
#include "spmd/dialect/stablehlo/InferSizes.h"

#include "spmd/dialect/Register.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace spmd::test {
namespace {

using namespace mlir;

/// Whose result types say what nothing else does, or what only operands that are no constants do;
/// regions, calls, dims without letters,
/// and collectives of groups that the process grid decides.
bool saysMore(Operation *op) {
  static const llvm::StringSet<> names = {"all_gather",
                                          "async_done",
                                          "async_start",
                                          "broadcast_in_dim",
                                          "case",
                                          "composite",
                                          "constant",
                                          "create_token",
                                          "custom_call",
                                          "dynamic_broadcast_in_dim",
                                          "dynamic_conv",
                                          "dynamic_gather",
                                          "dynamic_iota",
                                          "dynamic_pad",
                                          "dynamic_reshape",
                                          "get_tuple_element",
                                          "if",
                                          "infeed",
                                          "iota",
                                          "real_dynamic_slice",
                                          "recv",
                                          "reshape",
                                          "rng",
                                          "rng_bit_generator",
                                          "set_dimension_size",
                                          "while",
                                          "einsum",
                                          "partition_id",
                                          "replica_id",
                                          "get_dimension_size",
                                          "tuple",
                                          "scan"};
  return names.contains(op->getName().stripDialect());
}

RankedTensorType opened(RankedTensorType type) {
  SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
  return RankedTensorType::get(shape, type.getElementType());
}

void check(Operation *op) {
  SmallVector<Type> before(op->getResultTypes());
  for (Value result : op->getResults())
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      result.setType(opened(type));
  FailureOr<stablehlo::ResultSizes> sizes = stablehlo::inferSizes(op);
  EXPECT_TRUE(succeeded(sizes)) << op->getName().getStringRef().str();
  for (auto [i, type] : llvm::enumerate(before)) {
    Value result = op->getResult(i);
    auto open = dyn_cast<RankedTensorType>(result.getType());
    if (open && succeeded(sizes) && cast<RankedTensorType>(type).hasStaticShape())
      EXPECT_EQ(stablehlo::refined(open, (*sizes)[i]).getShape(),
                cast<RankedTensorType>(type).getShape())
          << op->getName().getStringRef().str() << " result " << i;
    result.setType(type);
  }
}

/// The valid programs of `folder`.
std::vector<std::string> programsIn(const std::string &folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(SPMD_TEST_DIR + folder, error), end;
       at != end && !error; at.increment(error)) {
    StringRef path = at->path();
    if (path.ends_with(".mlir") && !path.contains("invalid"))
      found.push_back(path.str());
  }
  return found;
}

TEST(InferSizes, OfEachOpAreThoseItHas) {
  DialectRegistry dialects;
  registerDialects(dialects);
  MLIRContext context(dialects);
  std::vector<std::string> programs = programsIn("/dialect/stablehlo");
  llvm::append_range(programs, programsIn("/dialect/chlo"));
  llvm::StringSet<> checked;
  for (const std::string &path : programs) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(static_cast<bool>(buffer));
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>((*buffer)->getBuffer(), &context);
    ASSERT_TRUE(static_cast<bool>(module)) << path;
    module->walk([&](Operation *op) {
      StringRef dialect = op->getName().getDialectNamespace();
      if ((dialect != "stablehlo" && dialect != "chlo") || saysMore(op) || op->getNumResults() == 0)
        return;
      SCOPED_TRACE(path);
      check(op);
      checked.insert(op->getName().getStringRef());
    });
  }
  EXPECT_GE(checked.size(), 100u); // Nearly all ops stand in these programs.
}

} // namespace
} // namespace spmd::test
