// Which partial values pass an elementwise op: what the tables say holds for every value that a
// share may have, infinities and the ends of the integers included.
#include "spmd/test/lowering/Programs.h"

#include "spmd/dialect/Register.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/lowering/compile/Compile.h"
#include "spmd/lowering/interpreter/Elements.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

namespace spmd::test {
namespace {

using Texts = std::vector<std::string>;

/// `stablehlo.NAME` on operands of element type `from`.
struct Case {
  std::string name;
  size_t numOperands;
  std::string from, to;
  std::string attributes = {};
};

bool isFloat(const std::string &element) { return element[0] == 'f' || element[0] == 'b'; }

std::string opOf(ReductionKind kind) {
  const char *ops[] = {"add", "maximum", "minimum", "multiply", "and", "or", "xor"};
  return ops[static_cast<int>(kind)];
}

/// Returns whether there are partial values of this type and kind.
bool occurs(const std::string &element, ReductionKind kind) {
  bool isBitwise = kind >= ReductionKind::logicalAnd;
  return element == "i1" ? isBitwise : !isFloat(element) || !isBitwise;
}

/// What a share may hold. The sum of scaled infinities may be no number, so sums stay finite.
Texts samplesOf(const std::string &element, ReductionKind kind) {
  if (element == "i1")
    return {"false", "true"};
  if (element == "ui8")
    return {"0", "1", "3", "255"};
  if (element == "i32")
    return {"-2147483648", "-3", "-1", "0", "1", "2147483647"};
  Texts samples = {"-4.0", "-1.0", "-0.5", "0.5", "1.0", "4.0"};
  if (kind == ReductionKind::max || kind == ReductionKind::min)
    for (const char *infinity : {"C00", "F800000"})
      for (const char *sign : {"0x7", "0xF"})
        if ((element == "f16") == (std::strlen(infinity) == 3))
          samples.push_back(std::string(sign) + infinity);
  return samples;
}

/// The program that applies an op to shares and combines, and combines shares and applies it. It
/// does so for all combinations of the samples.
class Law {
public:
  Law(const Case &tested, ReductionKind kind, ReductionKind becomes, std::vector<bool> isPartial)
      : tested(tested), isPartial(std::move(isPartial)) {
    samples = samplesOf(tested.from, kind);
    Texts first, second, combined;
    for (size_t i = 0; i < tested.numOperands; ++i) {
      first.push_back(variable());
      second.push_back(this->isPartial[i] ? variable() : first.back());
    }
    std::string from = type(tested.from), to = type(tested.to);
    for (size_t i = 0; i < tested.numOperands; ++i)
      combined.push_back(this->isPartial[i] ? line(opOf(kind), {first[i], second[i]}, from)
                                            : first[i]);
    std::string before = line(opOf(becomes), {apply(first), apply(second)}, to);
    std::string after = apply(combined);
    body += "  return " + before + ", " + after + " : " + to + ", " + to + "\n";
  }

  std::string text() const {
    std::string to = type(tested.to);
    return "func.func public @main() -> (" + to + ", " + to + ") {\n" + body + "}\n";
  }

private:
  size_t numElements() const {
    size_t count = 1;
    for (size_t i = 0; i < tested.numOperands; ++i)
      count *= samples.size() * (isPartial[i] ? samples.size() : 1);
    return count;
  }
  std::string type(const std::string &element) const {
    return "tensor<" + std::to_string(numElements()) + "x" + element + ">";
  }
  /// Adds an op and returns the name of its result.
  std::string line(const std::string &op, const Texts &operands, const std::string &result) {
    bool isTested = op == tested.name;
    std::string name = "%v" + std::to_string(numValues++);
    Texts types(operands.size(), isTested ? type(tested.from) : result);
    body += "  " + name + " = \"stablehlo." + op + "\"(" + llvm::join(operands, ", ") + ")" +
            (isTested ? tested.attributes : "") + " : (" + llvm::join(types, ", ") + ") -> " +
            result + "\n";
    return name;
  }
  std::string apply(const Texts &operands) { return line(tested.name, operands, type(tested.to)); }
  /// A constant that takes every sample for each combination of the variables before it.
  std::string variable() {
    size_t repeat = 1;
    for (size_t i = 0; i < numVariables; ++i)
      repeat *= samples.size();
    ++numVariables;
    Texts values;
    for (size_t i = 0; i < numElements(); ++i)
      values.push_back(samples[i / repeat % samples.size()]);
    std::string name = "%c" + std::to_string(numVariables);
    body += "  " + name + " = stablehlo.constant dense<[" + llvm::join(values, ", ") +
            "]> : " + type(tested.from) + "\n";
    return name;
  }

  const Case &tested;
  std::vector<bool> isPartial;
  Texts samples;
  std::string body;
  size_t numVariables = 0, numValues = 0;
};

class CommutingTest : public testing::Test {
protected:
  CommutingTest() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Checks every entry of the op's table, and returns the table.
  std::vector<Commuting> check(const Case &tested) {
    std::vector<Commuting> table = tableOf(tested);
    for (size_t operand = 0; operand < table.size(); ++operand)
      for (ReductionKind kind : allReductionKinds)
        if (Commuting::Entry entry = table[operand][kind];
            entry.passing != Passing::no && occurs(tested.from, kind))
          checkEntry(tested, table, operand, kind);
    return table;
  }

private:
  void checkEntry(const Case &tested, const std::vector<Commuting> &table, size_t operand,
                  ReductionKind kind) {
    Commuting::Entry entry = table[operand][kind];
    std::vector<bool> isPartial(table.size());
    for (size_t i = 0; i < table.size(); ++i)
      isPartial[i] = i == operand || (entry.passing == Passing::jointly &&
                                      table[i][kind].passing == Passing::jointly);
    std::string text = Law(tested, kind, entry.becomes, isPartial).text();
    SCOPED_TRACE(tested.name + " of " + tested.from + ", operand " + std::to_string(operand) +
                 ", " + nameOf(kind));
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    mlir::FailureOr<DeviceProgram> program = compileModule(*module);
    ASSERT_TRUE(mlir::succeeded(program));
    auto results = run(*program, {{}});
    ASSERT_TRUE(results.ok()) << results.status();
    auto before = toComplexDoubles((*results)[0][0]), after = toComplexDoubles((*results)[0][1]);
    for (size_t i = 0; i < before.size(); ++i)
      ASSERT_TRUE(before[i] == after[i] || (before[i] != before[i] && after[i] != after[i]))
          << "element " << i << ": " << before[i] << " and " << after[i];
  }

  std::vector<Commuting> tableOf(const Case &tested) {
    std::string text = Law(tested, ReductionKind::sum, ReductionKind::sum,
                           std::vector<bool>(tested.numOperands, false))
                           .text();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    StrategyCache cache;
    std::vector<Commuting> table;
    module->walk([&](mlir::Operation *op) {
      if (op->getName().getStringRef() == "stablehlo." + tested.name)
        table = cache.lookup(op)->front().commuting;
    });
    return table;
  }

  mlir::MLIRContext context;
};

TEST_F(CommutingTest, TablesHoldForEveryShare) {
  for (const char *element : {"f32", "f16"}) {
    for (const char *op :
         {"abs", "cbrt", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "log",
          "log_plus_one", "logistic", "negate", "round_nearest_afz", "round_nearest_even", "rsqrt",
          "sign", "sine", "sqrt", "tan", "tanh"})
      check({op, 1, element, element});
    check({"reduce_precision", 1, element, element,
           " <{exponent_bits = 5 : i32, mantissa_bits = 2 : i32}>"});
    for (const char *op : {"add", "atan2", "divide", "maximum", "minimum", "multiply", "power",
                           "remainder", "subtract"})
      check({op, 2, element, element});
  }
  for (const char *element : {"i32", "ui8"}) {
    for (const char *op : {"negate", "not", "popcnt", "count_leading_zeros"})
      check({op, 1, element, element});
    for (const char *op : {"add", "and", "divide", "maximum", "minimum", "multiply", "or",
                           "remainder", "subtract", "xor"})
      check({op, 2, element, element});
  }
  for (const char *op : {"and", "or", "xor"})
    check({op, 2, "i1", "i1"});
}

TEST_F(CommutingTest, ConversionsHoldForEveryShare) {
  for (const char *from : {"f32", "f16", "i32", "ui8"})
    for (const char *to : {"f64", "f32", "f16", "bf16", "f8E5M2", "f8E4M3FN", "i32"})
      check({"convert", 1, from, to});
}

TEST_F(CommutingTest, WhatIsSafePasses) {
  EXPECT_EQ(check({"exponential", 1, "f32", "f32"})[0][ReductionKind::max].passing, Passing::alone);
  EXPECT_EQ(check({"negate", 1, "f32", "f32"})[0][ReductionKind::max].becomes, ReductionKind::min);
  EXPECT_EQ(check({"negate", 1, "i32", "i32"})[0][ReductionKind::sum].passing, Passing::alone);
  EXPECT_EQ(check({"subtract", 2, "i32", "i32"})[1][ReductionKind::sum].passing, Passing::jointly);
  EXPECT_EQ(check({"convert", 1, "f16", "f32"})[0][ReductionKind::sum].passing, Passing::alone);
  EXPECT_EQ(check({"convert", 1, "f32", "f16"})[0][ReductionKind::max].passing, Passing::alone);
}

TEST_F(CommutingTest, WhatHasNoOrderOrWrapsDoesNot) {
  for (const char *op : {"log", "log_plus_one", "sqrt", "rsqrt", "abs"})
    for (const Commuting &operand : check({op, 1, "f32", "f32"}))
      EXPECT_EQ(operand[ReductionKind::max].passing, Passing::no) << op;
  EXPECT_EQ(check({"negate", 1, "i32", "i32"})[0][ReductionKind::max].passing, Passing::no);
  for (const char *op : {"add", "subtract"})
    for (const char *element : {"i32", "f32"})
      EXPECT_EQ(check({op, 2, element, element})[0][ReductionKind::max].passing, Passing::no);
  EXPECT_EQ(check({"convert", 1, "f16", "f32"})[0][ReductionKind::product].passing, Passing::no);
  EXPECT_EQ(check({"convert", 1, "f32", "f16"})[0][ReductionKind::sum].passing, Passing::no);
  EXPECT_EQ(check({"convert", 1, "f32", "f8E4M3FN"})[0][ReductionKind::max].passing, Passing::no);
}

} // namespace
} // namespace spmd::test
