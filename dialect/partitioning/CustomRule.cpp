// Reading the rules of users.

#include "spmd/dialect/partitioning/CustomRule.h"

#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/Families.h"
#include "spmd/dialect/sdy/Dialect.h"
#include "spmd/dialect/spmd/Callers.h"
#include "spmd/dialect/spmd/Dialect.h"
#include "spmd/dialect/stablehlo/Dialect.h"
#include "spmd/ir/rules/SizedRule.h"

#include "absl/strings/str_cat.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace spmd {

using Way = CustomRule::Way;

static constexpr std::pair<Way, const char *> namesOfWays[] = {{Way::gather, "gather"},
                                                               {Way::ring, "ring"},
                                                               {Way::allToAll, "all_to_all"},
                                                               {Way::halo, "halo"}};

const char *nameOf(Way way) {
  for (auto [each, name] : namesOfWays)
    if (each == way)
      return name;
  return "";
}

std::optional<Way> wayNamed(llvm::StringRef name) {
  for (auto [way, each] : namesOfWays)
    if (name == each)
      return way;
  return std::nullopt;
}

namespace {

/// Reads the dictionary; the first thing that is wrong ends it.
class RuleReader {
public:
  RuleReader(mlir::Operation *op, mlir::DictionaryAttr dictionary, CustomRule &rule)
      : op(op), dictionary(dictionary), rule(rule) {}

  absl::Status read() {
    checkFields(dictionary, {"dims", "along", "even", "local", "only_if", "unless", "offset",
                             "backward", "writes"});
    forEach(dictionary, "along", {"factor", "with", "ways", "merge", "low", "high"},
            [&](mlir::DictionaryAttr entry) { readAlong(entry); });
    forEachString(dictionary, "even",
                  [&](llvm::StringRef name) { rule.even.push_back(factorNamed(name)); });
    forEach(dictionary, "local", {"attribute", "factor"}, [&](mlir::DictionaryAttr entry) {
      rule.locals.push_back({stringOf(entry, "attribute"), factorOf(entry, "factor")});
      if (!rule.locals.back().attribute)
        fail("has an entry of local without an attribute");
    });
    constexpr llvm::StringLiteral ofConditions[] = {"attribute", "is", "factors", "default"};
    forEach(dictionary, "only_if", ofConditions,
            [&](mlir::DictionaryAttr entry) { readCondition(entry, /*isForbidden=*/false); });
    forEach(dictionary, "unless", ofConditions,
            [&](mlir::DictionaryAttr entry) { readCondition(entry, /*isForbidden=*/true); });
    forEach(dictionary, "offset", {"operand", "factor"},
            [&](mlir::DictionaryAttr entry) { readOffset(entry); });
    if (mlir::StringAttr backward = stringOf(dictionary, "backward"))
      rule.backward = backward.str();
    checkWrites();
    return status;
  }

private:
  void fail(const llvm::Twine &what) {
    if (status.ok())
      status = absl::InvalidArgumentError((llvm::Twine("rule ") + what).str());
  }

  /// `list` is the field that the dictionary stands in, empty for the rule itself.
  void checkFields(mlir::DictionaryAttr from, llvm::ArrayRef<llvm::StringLiteral> known,
                   llvm::StringRef list = "") {
    for (mlir::NamedAttribute entry : from)
      if (!llvm::is_contained(known, entry.getName().getValue()))
        fail("has no field '" + entry.getName().getValue() +
             (list.empty() ? llvm::Twine("'") : "' in an entry of " + list) + "; expected " +
             llvm::join(known, ", "));
  }

  template <typename Visit>
  void forEach(mlir::DictionaryAttr from, llvm::StringRef key,
               llvm::ArrayRef<llvm::StringLiteral> fields, Visit visit) {
    mlir::Attribute list = from.get(key);
    if (!list)
      return;
    auto entries = llvm::dyn_cast<mlir::ArrayAttr>(list);
    if (!entries || !llvm::all_of(entries, llvm::IsaPred<mlir::DictionaryAttr>))
      return fail("has '" + key + "', which is no list of dictionaries");
    for (auto entry : entries.getAsRange<mlir::DictionaryAttr>()) {
      checkFields(entry, fields, key);
      visit(entry);
    }
  }

  template <typename Visit>
  void forEachString(mlir::DictionaryAttr from, llvm::StringRef key, Visit visit) {
    mlir::Attribute list = from.get(key);
    if (!list)
      return;
    auto entries = llvm::dyn_cast<mlir::ArrayAttr>(list);
    if (!entries || !llvm::all_of(entries, llvm::IsaPred<mlir::StringAttr>))
      return fail("has '" + key + "', which is no list of strings");
    for (mlir::Attribute entry : entries)
      visit(llvm::cast<mlir::StringAttr>(entry).getValue());
  }

  mlir::StringAttr stringOf(mlir::DictionaryAttr from, llvm::StringRef key) {
    mlir::Attribute value = from.get(key);
    if (auto symbol = llvm::dyn_cast_if_present<mlir::FlatSymbolRefAttr>(value))
      return symbol.getAttr();
    auto text = llvm::dyn_cast_if_present<mlir::StringAttr>(value);
    if (value && !text)
      fail("has '" + key + "', which is no string");
    return text;
  }

  int64_t integerOf(mlir::DictionaryAttr from, llvm::StringRef key) {
    mlir::Attribute value = from.get(key);
    auto integer = llvm::dyn_cast_if_present<mlir::IntegerAttr>(value);
    if (value && (!integer || integer.getValue().getSignificantBits() > 63 || integer.getInt() < 0))
      return fail("has '" + key + "', which is no number from 0 on"), 0;
    return integer ? integer.getInt() : 0;
  }

  int32_t factorNamed(llvm::StringRef name) {
    for (int64_t i = 0; i < rule.dims.numFactors(); ++i)
      if (name == factorName(i))
        return static_cast<int32_t>(i);
    fail("names factor '" + name + "', which its dims do not have");
    return 0;
  }

  int32_t factorOf(mlir::DictionaryAttr from, llvm::StringRef key) {
    mlir::StringAttr name = stringOf(from, key);
    if (name)
      return factorNamed(name);
    fail("has an entry without '" + key + "'; name a factor");
    return 0;
  }

  void readAlong(mlir::DictionaryAttr entry) {
    CustomRule::Along along;
    along.factor = factorOf(entry, "factor");
    along.with = entry.get("with") ? factorOf(entry, "with") : along.factor;
    along.merge = stringOf(entry, "merge");
    along.low = integerOf(entry, "low");
    along.high = integerOf(entry, "high");
    forEachString(entry, "ways", [&](llvm::StringRef name) {
      std::optional<Way> way = wayNamed(name);
      if (!way)
        return fail("has way '" + name + "'; expected gather, ring, all_to_all or halo");
      if ((*way == Way::halo) != (along.factor == along.with))
        return fail(*way == Way::halo
                        ? llvm::Twine("has a halo along two factors; leave 'with' out")
                        : "has way '" + name +
                              "' along one factor; name the one that is split "
                              "as 'with'");
      along.ways.push_back(*way);
    });
    if (along.ways.empty())
      fail("has an entry of along without ways");
    if ((along.low > 0 || along.high > 0) && !llvm::is_contained(along.ways, Way::halo))
      fail("gives rows of neighbours, 'low' or 'high', to other ways than a halo; leave them out");
    rule.along.push_back(along);
  }

  void readCondition(mlir::DictionaryAttr entry, bool isForbidden) {
    CustomRule::Condition condition;
    condition.attribute = stringOf(entry, "attribute");
    condition.fallback = stringOf(entry, "default");
    condition.isForbidden = isForbidden;
    if (!condition.attribute)
      fail("has a condition without an attribute");
    forEachString(entry, "is",
                  [&](llvm::StringRef text) { condition.values.push_back(text.str()); });
    forEachString(entry, "factors",
                  [&](llvm::StringRef name) { condition.factors.push_back(factorNamed(name)); });
    rule.conditions.push_back(std::move(condition));
  }

  void readOffset(mlir::DictionaryAttr entry) {
    int64_t operand = integerOf(entry, "operand");
    int32_t factor = factorOf(entry, "factor");
    mlir::RankedTensorType type = operand < op->getNumOperands()
                                      ? tensorTypeOf(op->getOperand(operand))
                                      : mlir::RankedTensorType();
    if (!type || !type.getElementType().isInteger() || type.getNumElements() != 1)
      return fail("has operand " + llvm::Twine(operand) +
                  " as an offset, which is no integer scalar of the call");
    rule.offsets.push_back({static_cast<unsigned>(operand), factor});
  }

  /// `operandsWritten` reads them.
  void checkWrites() {
    mlir::Attribute list = dictionary.get("writes");
    auto numbers = llvm::dyn_cast_if_present<mlir::DenseI64ArrayAttr>(list);
    if (list && !numbers)
      return fail("has 'writes', which is no array of operands");
    for (int64_t operand : numbers ? numbers.asArrayRef() : llvm::ArrayRef<int64_t>())
      if (operand < 0 || operand >= op->getNumOperands())
        fail("has operand " + llvm::Twine(operand) + " as written, there are " +
             llvm::Twine(op->getNumOperands()));
      else if (!llvm::isa<BufferType>(op->getOperand(operand).getType()) && !becomesResult(operand))
        fail("has operand " + llvm::Twine(operand) +
             " as written, which is a value; only a buffer can be written, or a value that "
             "output_operand_aliases gives back as a result");
  }

  /// As in a call on buffers that has become one on values.
  bool becomesResult(int64_t operand) {
    auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op);
    return call && llvm::any_of(call.getOutputOperandAliases(), [&](mlir::Attribute alias) {
             return llvm::cast<stablehlo::OutputOperandAliasAttr>(alias).getOperandIndex() ==
                    operand;
           });
  }

  mlir::Operation *op;
  mlir::DictionaryAttr dictionary;
  CustomRule &rule;
  absl::Status status;
};

} // namespace

static std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

mlir::DictionaryAttr customRuleAttrOf(mlir::Operation *op) {
  if (mlir::Attribute own = op->getDiscardableAttr(customRuleAttrName))
    return llvm::dyn_cast<mlir::DictionaryAttr>(own);
  std::optional<llvm::StringRef> target = customCallTarget(op);
  const CustomCallRule *rule = target ? lookupCustomCallRule(op->getContext(), *target) : nullptr;
  return rule ? rule->described : nullptr;
}

/// Whether `declared` may stand for parts of tensors of `type`.
static bool isForPartsOf(mlir::Type declared, mlir::ShapedType type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(declared);
  return tensor && tensor.getElementType() == type.getElementType() &&
         tensor.getRank() == type.getRank();
}

/// What merges the results of a ring takes those that stay twice, and gives them once.
static absl::Status checkMerge(mlir::Operation *op, const OpRule &dims,
                               const CustomRule::Along &along) {
  mlir::func::FuncOp func = along.merge && llvm::is_contained(along.ways, Way::ring)
                                ? functionNamed(op, along.merge)
                                : nullptr;
  if (!func)
    return absl::OkStatus(); // What is not there is reported by those who call it.
  llvm::SmallVector<mlir::ShapedType> staying;
  for (size_t i = 0; i < op->getNumResults() && i < dims.results.size(); ++i)
    if (auto type = llvm::dyn_cast<mlir::ShapedType>(op->getResult(i).getType());
        type && staysInRing(dims.results[i], along))
      staying.push_back(type);
  if (staying.empty())
    return absl::OkStatus();
  mlir::FunctionType type = func.getFunctionType();
  auto check = [&](llvm::ArrayRef<mlir::Type> declared, size_t times, const char *what) {
    if (declared.size() != times * staying.size())
      return absl::InvalidArgumentError(
          absl::StrCat("rule merges by @", func.getSymName().str(), ", which has ", declared.size(),
                       " ", what, "s; expected ", times * staying.size(), ", ",
                       times == 2 ? "twice " : "", "the results that stay where they are"));
    for (size_t i = 0; i < declared.size(); ++i)
      if (!isForPartsOf(declared[i], staying[i % staying.size()]))
        return absl::InvalidArgumentError(absl::StrCat(
            "rule merges by @", func.getSymName().str(), ", which has ", what, " ", i, " of type ",
            textOf(declared[i]), ", for parts of ", textOf(staying[i % staying.size()]),
            "; give it the same element type and as many dims"));
    return absl::OkStatus();
  };
  absl::Status status = check(type.getInputs(), 2, "argument");
  return status.ok() ? check(type.getResults(), 1, "result") : status;
}

/// What a call changes in place is split as what it was.
static absl::Status checkAliases(mlir::Operation *op, const OpRule &dims) {
  auto check = [&](size_t operand, size_t result) {
    if (operand >= dims.operands.size() || result >= dims.results.size() ||
        dims.operands[operand] == dims.results[result])
      return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("rule gives result ", result,
                                                   " other dims than operand ", operand,
                                                   ", which it changes in place"));
  };
  std::optional<llvm::SmallVector<int64_t>> written = operandsWritten(op);
  for (size_t k = 0; written && k < written->size(); ++k)
    if (absl::Status status = check((*written)[k], op->getNumResults() + k); !status.ok())
      return status;
  auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op);
  if (!call)
    return absl::OkStatus();
  for (mlir::Attribute attribute : call.getOutputOperandAliases()) {
    auto alias = llvm::cast<stablehlo::OutputOperandAliasAttr>(attribute);
    auto operand = static_cast<size_t>(alias.getOperandIndex());
    auto result = static_cast<size_t>(
        alias.getOutputTupleIndices().empty() ? 0 : alias.getOutputTupleIndices().front());
    if (absl::Status status = check(operand, result); !status.ok())
      return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<CustomRule> customRuleOf(mlir::Operation *op,
                                        absl::Span<const std::vector<int64_t>> operandShapes,
                                        absl::Span<const std::vector<int64_t>> resultShapes) {
  mlir::DictionaryAttr dictionary = customRuleAttrOf(op);
  auto text = dictionary ? llvm::dyn_cast_if_present<mlir::StringAttr>(dictionary.get("dims"))
                         : mlir::StringAttr();
  if (!text)
    return absl::InvalidArgumentError("rule has no 'dims'; give it a rule as text");
  absl::StatusOr<OpRule> dims = sizedRule(text.str(), operandShapes, resultShapes);
  if (!dims.ok())
    return absl::InvalidArgumentError(
        absl::StrCat("in the rule '", text.str(), "', ", std::string(dims.status().message())));
  CustomRule rule;
  rule.dims = *std::move(dims);
  rule.dims.setCustom();
  if (absl::Status status = RuleReader(op, dictionary, rule).read(); !status.ok())
    return status;
  if (absl::Status status = checkAliases(op, rule.dims); !status.ok())
    return status;
  for (const CustomRule::Along &along : rule.along)
    if (absl::Status status = checkMerge(op, rule.dims, along); !status.ok())
      return status;
  return rule;
}

std::optional<llvm::SmallVector<int64_t>> operandsWritten(mlir::Operation *op) {
  auto numbers = op->getAttrOfType<mlir::DenseI64ArrayAttr>(writesAttrName);
  if (!numbers)
    if (mlir::DictionaryAttr rule = customRuleAttrOf(op))
      numbers = llvm::dyn_cast_if_present<mlir::DenseI64ArrayAttr>(rule.get("writes"));
  if (!numbers)
    return std::nullopt;
  llvm::SmallVector<int64_t> written;
  for (int64_t operand : numbers.asArrayRef())
    if (operand >= 0 && operand < op->getNumOperands() &&
        llvm::isa<BufferType>(op->getOperand(operand).getType()))
      written.push_back(operand);
  llvm::sort(written);
  written.erase(std::unique(written.begin(), written.end()), written.end());
  return written;
}

bool staysInRing(const TensorFactors &tensor, const CustomRule::Along &along) {
  auto has = [&](int32_t factor) {
    return llvm::any_of(tensor,
                        [&](const DimFactors &dim) { return llvm::is_contained(dim, factor); });
  };
  return !has(along.factor) || has(along.with);
}

static std::vector<std::vector<int64_t>> shapesOf(mlir::ValueRange values) {
  std::vector<std::vector<int64_t>> shapes;
  for (mlir::Value value : values)
    shapes.push_back(shapeOf(value).vec());
  return shapes;
}

std::vector<std::vector<int64_t>> shapesGiven(mlir::Operation *op) {
  std::vector<std::vector<int64_t>> shapes = shapesOf(op->getResults());
  if (std::optional<llvm::SmallVector<int64_t>> written = operandsWritten(op))
    for (int64_t operand : *written)
      shapes.push_back(shapeOf(op->getOperand(operand)).vec());
  return shapes;
}

absl::StatusOr<CustomRule> customRuleOf(mlir::Operation *op) {
  return customRuleOf(op, shapesOf(op->getOperands()), shapesGiven(op));
}

std::string whyNoRule(mlir::Operation *op) {
  if (!customRuleAttrOf(op)) {
    auto known = op->getAttrOfType<sdy::OpShardingRuleAttr>(sdy::shardingRuleName);
    auto isStatic = [](mlir::Type type) {
      auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
      return tensor && tensor.hasStaticShape();
    };
    if (!known || !llvm::all_of(op->getOperandTypes(), isStatic) ||
        !llvm::all_of(op->getResultTypes(), isStatic))
      return "";
    absl::Status status =
        verify(known.getRule(), shapesOf(op->getOperands()), shapesOf(op->getResults()));
    return std::string(status.message());
  }
  absl::StatusOr<CustomRule> rule = customRuleOf(op);
  return rule.ok() ? "" : std::string(rule.status().message());
}

std::string backwardTarget(mlir::Operation *op) {
  mlir::DictionaryAttr dictionary = customRuleAttrOf(op);
  auto target = dictionary ? llvm::dyn_cast_if_present<mlir::StringAttr>(dictionary.get("backward"))
                           : mlir::StringAttr();
  return target ? target.str() : "";
}

} // namespace spmd
