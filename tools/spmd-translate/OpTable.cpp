#include "spmd/tools/spmd-translate/OpTable.h"

#include "spmd/dialect/chlo/Dialect.h"
#include "spmd/dialect/partitioning/CustomCallRules.h"
#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/dialect/stablehlo/Dialect.h"

#include "absl/strings/str_cat.h"

#include <map>
#include <set>

namespace spmd {

static constexpr char heading[] = R"(# How ops split

Made by `tools/dev ops` from the strategies in `dialect/partitioning/`, on the examples in `test/rules/`; not to be edited.
`--spmd-check-rules` runs the examples of StableHLO and chlo, split in every way that their rules allow, against the op as it is.

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

Calls of functions, and what speaks of shardings, split as their values do ([partitioning](partitioning.md)).
)";

static constexpr char collectivesText[] = R"(
## Collectives

Of those that a program contains itself, in manual computations, along the axes that are left to the compiler there; their groups run
along others. `test/exec/random_collectives.py` runs them.
)";

static constexpr char customCallsText[] = R"(
## Custom calls

These are known. Others split as their rule says ([custom ops](custom-ops.md)). What stands for something else is replaced before: what
speaks of shardings (`@Sharding`, `@xla.sdy.GlobalToLocalShape`) by `--spmd-import-shardings`, functions (`@mhlo.erf`, `@ApproxTopK`) by
`--spmd-legalize-chlo`, what has its sizes as operands (`@stablehlo.dynamic_reduce_window`) by `--spmd-refine-shapes`.
)";

static constexpr char othersText[] = R"(
## Without a rule of their own

| op | how it splits |
|---|---|
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

/// What is told of ops that no rule says anything of.
static const std::map<llvm::StringRef, const char *> &toldOf() {
  static constexpr char token[] = "not at all: a token has no dims";
  static constexpr char sizes[] = "as its static form, which `--spmd-refine-shapes` makes of it";
  static constexpr char parts[] = "as its parts, which `--spmd-flatten-tuples` makes values";
  static constexpr char whole[] =
      "not at all: every device runs it whole, and a warning says what is gathered";
  static const std::map<llvm::StringRef, const char *> told = {
      {"chlo.scan", "as the loop that `--spmd-legalize-chlo` makes of it"},
      {"stablehlo.after_all", token},
      {"stablehlo.async_done", "as what it waits for"},
      {"stablehlo.async_start",
       "a slice or an update as it does elsewhere, for it runs where it is done; "
       "of a collective, not at all"},
      {"stablehlo.composite",
       "as a call of its decomposition, or, if it has one, by a rule of its own"},
      {"stablehlo.create_token", token},
      {"stablehlo.cross-replica-sum", whole},
      {"stablehlo.custom_call",
       "by its rule; without one, every device runs it whole, and a warning says what is gathered"},
      {"stablehlo.dynamic_broadcast_in_dim", sizes},
      {"stablehlo.dynamic_conv", sizes},
      {"stablehlo.dynamic_gather", sizes},
      {"stablehlo.dynamic_iota", sizes},
      {"stablehlo.dynamic_pad", sizes},
      {"stablehlo.dynamic_reshape", sizes},
      {"stablehlo.get_dimension_size", sizes},
      {"stablehlo.get_tuple_element", parts},
      {"stablehlo.infeed", whole},
      {"stablehlo.outfeed", whole},
      {"stablehlo.real_dynamic_slice", sizes},
      {"stablehlo.recv", whole},
      {"stablehlo.return", "as what goes through the region that it ends"},
      {"stablehlo.send", whole},
      {"stablehlo.set_dimension_size", sizes},
      {"stablehlo.tuple", parts},
  };
  return told;
}

static constexpr char toldOfFlows[] =
    "as what goes through it: what comes into a region and what comes out lie alike";

static bool isOurs(mlir::RegisteredOperationName name) {
  return name.getDialectNamespace() == "stablehlo" || name.getDialectNamespace() == "chlo";
}

/// Whether examples must have the op.
static bool needsExample(mlir::RegisteredOperationName name) {
  return isOurs(name) && name.hasInterface<Partitionable>() && !name.hasInterface<DataFlow>() &&
         !toldOf().count(name.getStringRef());
}

/// By section and op, in order of the examples.
using Rows = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

/// Returns the section of an op: its dialect, or what it is.
static std::string sectionOf(mlir::Operation *op) {
  if (customCallTarget(op))
    return "custom calls";
  bool isCollective = op->hasTrait<stablehlo::Collective>() ||
                      llvm::isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp>(op);
  return isCollective ? "collectives" : op->getName().getDialectNamespace().str();
}

static Rows rowsOf(mlir::ModuleOp examples) {
  Rows rows;
  StrategyCache cache;
  examples.walk([&](mlir::Operation *op) {
    std::optional<llvm::StringRef> target = customCallTarget(op);
    std::string name = target ? "@" + target->str() : op->getName().getStringRef().str();
    if ((!target && !needsExample(*op->getRegisteredInfo())) ||
        op->getParentOfType<Partitionable>())
      return; // Bodies of reductions and the like compute with single elements.
    const Strategies *strategies = cache.lookup(op);
    for (size_t i = 0; strategies && i < strategies->size(); ++i) {
      const Strategy &strategy = (*strategies)[i];
      std::string row =
          absl::StrCat("| `", name, "` | ", i ? "or" : signature(op), " | `",
                       ruleText(strategy.rule), "` | ", kindsText(strategy.rule), " | ",
                       sharesText(strategy), " | ", paddingText(strategy), " |\n");
      std::vector<std::string> &known = rows[sectionOf(op)][name];
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
  std::set<std::string> shown;
  for (const auto &[section, byOp] : rows)
    for (const auto &[name, lines] : byOp)
      shown.insert(name);
  std::map<std::string, std::string> others;
  bool isComplete = true;
  for (mlir::RegisteredOperationName op : examples.getContext()->getRegisteredOperations()) {
    std::string name = op.getStringRef().str();
    auto told = toldOf().find(name);
    if (!isOurs(op) || shown.count(name))
      continue;
    if (told != toldOf().end() || op.hasInterface<DataFlow>()) {
      others[name] = told != toldOf().end() ? told->second : toldOfFlows;
      continue;
    }
    mlir::emitError(examples.getLoc())
        << "'" << name << "' has "
        << (needsExample(op) ? "a rule and no example; add one"
                             : "no rule, and nothing is told of it; add what becomes of it");
    isComplete = false;
  }
  if (!isComplete)
    return std::nullopt;
  std::string text = heading;
  auto add = [&](llvm::StringRef title, const std::string &section) {
    absl::StrAppend(&text, title.str(), "\n| op | of | rule | factors | shares | padding |\n",
                    "|---|---|---|---|---|---|\n");
    for (const auto &[name, lines] : rows[section])
      for (const std::string &line : lines)
        text += line;
  };
  add("\n## stablehlo\n", "stablehlo");
  add("\n## chlo\n", "chlo");
  add(collectivesText, "collectives");
  add(customCallsText, "custom calls");
  text += othersText;
  for (const auto &[name, how] : others)
    absl::StrAppend(&text, "| `", name, "` | ", how, " |\n");
  return text;
}

} // namespace spmd
