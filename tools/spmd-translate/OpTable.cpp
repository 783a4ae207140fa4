#include "spmd/tools/spmd-translate/OpTable.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "absl/strings/str_cat.h"

#include <map>
#include <set>

namespace spmd {

static constexpr char heading[] = R"(# How ops split

Made by `tools/dev ops` from the strategies in `dialect/partitioning/`, on the examples in `test/rules/`; not to be edited.
`--spmd-check-rules` runs each of these examples, split in every way that its rule allows, against the op as it is.

A rule writes each dim of each operand and result as a list of factors; `*` is a dim without one. Dims without a factor
are whole. What a factor's kind takes when it is split ([partitioning](partitioning.md)):

| kind | splitting it takes | algorithm |
|---|---|---|
| pass | nothing | each device does its part |
| reduce | combining shares of results | all-reduce or reduce-scatter, where the result is wanted |
| window | neighbours' rows | `algorithms/Halo.h` |
| index | an offset, a mask and a sum of shares | `algorithms/Indexed.h` |
| scan | the totals of the shards before | `algorithms/Scan.h` |
| fold | one result of each shard, gathered and combined | the op's own `localize` |
| sort | rows dealt out and back, and a halo | `algorithms/SortShards.h` |
| transpose | lines sent out and back | `algorithms/Lines.h` |
| whole | it is not split; its axes may go to another dim and come back | the reshard stage |

*Shares* tells which operands may come as shares of a sum, a maximum and so on: `a` and `b` are operands 0 and 1; several
in brackets must all be so. *Padding* tells what uneven operands must hold.

Loops, branches, calls, collectives and what speaks of shardings are no part of this table: they split as their values do
([partitioning](partitioning.md)). A custom call splits as its rule says ([adding an op](adding-an-op.md)).
)";

static std::string typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  llvm::StringRef inner = text;
  if (inner.consume_front("tensor<"))
    inner = inner.drop_back();
  return inner.str();
}

static std::string signature(mlir::Operation *op) {
  std::string text;
  auto append = [&](mlir::TypeRange types) {
    for (auto [i, type] : llvm::enumerate(types))
      absl::StrAppend(&text, i ? ", " : "", typeText(type));
  };
  append(op->getOperandTypes());
  absl::StrAppend(&text, text.empty() ? "-> " : " -> ");
  append(op->getResultTypes());
  return text;
}

/// Returns the rule without sizes, which the signature has.
static std::string ruleText(const OpRule &rule) {
  std::string text = rule.str();
  size_t end = text.find(" {");
  return text.substr(0, end);
}

/// Returns `k reduce (sum)`, `i window`, for what does not simply pass; "all pass" where all do.
static std::string kindsText(const OpRule &rule) {
  std::string text;
  for (int64_t f = 0; f < rule.numFactors(); ++f) {
    const Factor &factor = rule.factors[f];
    if (factor.kind == FactorKind::pass)
      continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", factorName(f), " ", nameOf(factor.kind));
    if (leavesPartial(factor.kind))
      absl::StrAppend(&text, " (", nameOf(factor.reduction), ")");
  }
  return !text.empty() ? text : rule.factors.empty() ? "none" : "all pass";
}

static std::string operandName(size_t i) {
  return i < 26 ? std::string(1, static_cast<char>('a' + i)) : absl::StrCat("operand ", i);
}

/// Returns `sum: a; max: a` and, for kinds that pass the same operands, their names together.
static std::string sharesText(const Strategy &strategy) {
  std::vector<std::pair<std::string, std::string>> byOperands; // Operands, then kinds.
  for (ReductionKind kind : allReductionKinds) {
    std::string alone, jointly;
    for (size_t i = 0; i < strategy.commuting.size(); ++i) {
      const Commuting::Entry &entry = strategy.commuting[i][kind];
      std::string &list = entry.passing == Passing::jointly ? jointly : alone;
      if (entry.passing != Passing::no)
        absl::StrAppend(&list, list.empty() ? "" : ", ", operandName(i));
    }
    if (!jointly.empty())
      alone += (alone.empty() ? "(" : ", (") + jointly + ")";
    if (alone.empty())
      continue;
    auto same = llvm::find_if(byOperands, [&](const auto &entry) { return entry.first == alone; });
    if (same == byOperands.end())
      byOperands.push_back({alone, nameOf(kind)});
    else
      absl::StrAppend(&same->second, ", ", nameOf(kind));
  }
  std::string text;
  for (const auto &[operands, kinds] : byOperands)
    absl::StrAppend(&text, text.empty() ? "" : "; ",
                    llvm::StringRef(kinds).count(',') + 1 == std::size(allReductionKinds) ? "any"
                                                                                          : kinds,
                    " of ", operands);
  return text;
}

static const char *nameOf(FillValue fill) {
  switch (fill) {
  case FillValue::anything:
    return "anything";
  case FillValue::zero:
    return "0";
  case FillValue::one:
    return "1";
  case FillValue::lowest:
    return "the lowest";
  case FillValue::highest:
    return "the highest";
  case FillValue::allOnes:
    break;
  }
  return "all ones";
}

static std::string paddingText(const Strategy &strategy) {
  std::string text;
  for (const PaddingNeed &need : strategy.padding)
    if (need.fill != FillValue::anything)
      absl::StrAppend(&text, text.empty() ? "" : ", ", factorName(need.factor), " of ",
                      operandName(need.operand), ": ", nameOf(need.fill));
  return text;
}

/// Whether examples must have the op: not one that lies as its values do, or makes none.
static bool needsExample(mlir::RegisteredOperationName name) {
  static const std::set<llvm::StringRef> without = {"stablehlo.after_all",
                                                    "stablehlo.all_gather",
                                                    "stablehlo.all_reduce",
                                                    "stablehlo.all_to_all",
                                                    "stablehlo.collective_broadcast",
                                                    "stablehlo.collective_permute",
                                                    "stablehlo.create_token",
                                                    "stablehlo.custom_call",
                                                    "stablehlo.partition_id",
                                                    "stablehlo.reduce_scatter",
                                                    "stablehlo.replica_id"};
  bool isOurs = name.getDialectNamespace() == "stablehlo" || name.getDialectNamespace() == "chlo";
  return isOurs && name.hasInterface<Partitionable>() && !name.hasInterface<DataFlow>() &&
         !without.count(name.getStringRef());
}

using Rows = std::map<std::string, std::vector<std::string>>; // By op, in order of the examples.

static Rows rowsOf(mlir::ModuleOp examples) {
  Rows rows;
  StrategyCache cache;
  examples.walk([&](mlir::Operation *op) {
    std::string name = op->getName().getStringRef().str();
    if (!needsExample(*op->getRegisteredInfo()) || op->getParentOfType<Partitionable>())
      return; // Bodies of reductions and the like compute with single elements.
    const Strategies *strategies = cache.lookup(op);
    for (size_t i = 0; strategies && i < strategies->size(); ++i) {
      const Strategy &strategy = (*strategies)[i];
      std::string row =
          absl::StrCat("| `", name, "` | ", i ? "or" : signature(op), " | `",
                       ruleText(strategy.rule), "` | ", kindsText(strategy.rule), " | ",
                       sharesText(strategy), " | ", paddingText(strategy), " |\n");
      std::vector<std::string> &known = rows[name];
      if (!llvm::is_contained(known, row))
        known.push_back(std::move(row));
    }
  });
  return rows;
}

std::optional<std::string> opTable(mlir::ModuleOp examples) {
  examples.getContext()->getOrLoadDialect<chlo::ChloDialect>();
  examples.getContext()->getOrLoadDialect<stablehlo::StablehloDialect>();
  Rows rows = rowsOf(examples);
  bool isComplete = true;
  for (mlir::RegisteredOperationName name : examples.getContext()->getRegisteredOperations())
    if (needsExample(name) && !rows.count(name.getStringRef().str())) {
      mlir::emitError(examples.getLoc())
          << "'" << name.getStringRef() << "' has a rule and no example; add one";
      isComplete = false;
    }
  if (!isComplete)
    return std::nullopt;
  std::string text = heading;
  for (const char *dialect : {"stablehlo", "chlo"}) {
    absl::StrAppend(
        &text, "\n## ", dialect,
        "\n\n| op | of | rule | factors | shares | padding |\n|---|---|---|---|---|---|\n");
    for (const auto &[name, lines] : rows)
      if (llvm::StringRef(name).starts_with(std::string(dialect) + "."))
        for (const std::string &line : lines)
          text += line;
  }
  return text;
}

} // namespace spmd
