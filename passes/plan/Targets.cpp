#include "spmd/passes/plan/Targets.h"

#include "spmd/dialect/spmd/WrittenNames.h"

#include "spmd/dialect/partitioning/Partitionable.h"
#include "spmd/dialect/spmd/DataFlow.h"
#include "spmd/passes/plan/Names.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace spmd {

using Kind = PlanTarget::Kind;

static mlir::func::FuncOp functionOf(const PlanTarget &target) {
  return llvm::cast<mlir::func::FuncOp>(target.op);
}

mlir::RankedTensorType PlanTarget::type() const {
  switch (kind) {
  case Kind::argument:
  case Kind::argumentUses:
    return tensorTypeOf(functionOf(*this).getFunctionType().getInput(index));
  case Kind::returned:
  case Kind::result:
    return tensorTypeOf(functionOf(*this).getFunctionType().getResult(index));
  case Kind::opResult:
  case Kind::opResultUses:
    return tensorTypeOf(op->getResult(index));
  case Kind::operand:
  case Kind::operandUse:
    return tensorTypeOf(op->getOperand(index));
  }
  return {};
}

mlir::Location PlanTarget::location() const {
  if (kind == Kind::argument || kind == Kind::argumentUses)
    return functionOf(*this).getArgument(index).getLoc();
  return op->getLoc();
}

std::string PlanTarget::describe() const {
  std::string number = std::to_string(index);
  switch (kind) {
  case Kind::argument:
  case Kind::argumentUses:
    return "argument " + number + " of @" + functionOf(*this).getSymName().str();
  case Kind::returned:
  case Kind::result:
    return "result " + number + " of @" + functionOf(*this).getSymName().str();
  case Kind::opResult:
  case Kind::opResultUses:
    return "'" + op->getName().getStringRef().str() + "' op result " + number;
  case Kind::operand:
  case Kind::operandUse:
    return "'" + op->getName().getStringRef().str() + "' op operand " + number;
  }
  return "";
}

sdy::ShardingConstraintOp constraintOf(mlir::Value value) {
  if (!value.hasOneUse() || value.getDefiningOp<sdy::ShardingConstraintOp>())
    return {};
  return llvm::dyn_cast<sdy::ShardingConstraintOp>(*value.getUsers().begin());
}

mlir::func::FuncOp entryFunction(mlir::ModuleOp module) {
  mlir::func::FuncOp entry;
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    if (func.isExternal())
      continue;
    if (func.getSymName() == "main")
      return func;
    if (!entry && func.isPublic())
      entry = func;
  }
  return entry;
}

namespace {

class Matcher {
public:
  Matcher(mlir::ModuleOp module, const ProgramPlan &plan, FileReporter &reporter)
      : module(module), plan(plan), reporter(reporter), entry(entryFunction(module)) {}

  PlanTargets run() {
    for (const PlanEntry &each : plan.entries) {
      matchBoundary(each, each.arguments, /*isArgument=*/true);
      matchBoundary(each, each.results, /*isArgument=*/false);
    }
    matchOps();
    return std::move(targets);
  }

private:
  //===- Arguments and results -----------------------------------------------===//

  void matchBoundary(const PlanEntry &from, const std::vector<PlanPattern> &patterns,
                     bool isArgument) {
    const std::vector<std::vector<std::string>> &names =
        patterns.empty() ? argumentNames : namesOf(isArgument);
    for (const PlanPattern &pattern : patterns) {
      Glob glob = withoutEntry(pattern.glob);
      std::vector<unsigned> matched;
      if (glob.isName())
        matched = indexOf(isArgument).lookup(glob.str());
      else
        for (unsigned i = 0; i < names.size(); ++i)
          if (matches(glob, names[i]))
            matched.push_back(i);
      for (unsigned i : matched)
        isArgument ? claimArgument(from, i, glob.isName()) : claimResult(from, i);
      if (matched.empty())
        reportUnmatched(pattern, isArgument, names);
    }
  }

  static bool matches(const Glob &glob, const std::vector<std::string> &names) {
    return llvm::any_of(names, [&](const std::string &name) { return glob.matches(name); });
  }

  /// Drops `@main:`, which `--spmd-explain` takes in front of a name.
  Glob withoutEntry(const Glob &glob) {
    std::string prefix = entry ? "@" + entry.getSymName().str() + ":" : "";
    bool hasIt = !prefix.empty() && glob.str().compare(0, prefix.size(), prefix) == 0;
    return hasIt ? Glob(glob.str().substr(prefix.size())) : glob;
  }

  /// The arguments or results by name and alias, found when they are first asked for: a plan may
  /// name each of many.
  const llvm::StringMap<std::vector<unsigned>> &indexOf(bool isArgument) {
    llvm::StringMap<std::vector<unsigned>> &index = isArgument ? argumentIndex : resultIndex;
    const std::vector<std::vector<std::string>> &names = namesOf(isArgument);
    if (!index.empty())
      return index;
    for (unsigned i = 0; i < names.size(); ++i) {
      std::vector<std::string> all =
          isArgument ? valueNames.aliasesOfArgument(entry, i) : ValueNames::aliasesOfResult(i);
      all.insert(all.end(), names[i].begin(), names[i].end());
      for (const std::string &name : all)
        if (std::vector<unsigned> &known = index[name]; known.empty() || known.back() != i)
          known.push_back(i);
    }
    return index;
  }

  /// The names of all arguments or results, found when they are first asked for.
  const std::vector<std::vector<std::string>> &namesOf(bool isArgument) {
    std::vector<std::vector<std::string>> &names = isArgument ? argumentNames : resultNames;
    if (!entry || !names.empty())
      return names;
    unsigned count = isArgument ? entry.getNumArguments() : entry.getNumResults();
    for (unsigned i = 0; i < count; ++i)
      names.push_back(isArgument ? valueNames.ofArgument(entry, i)
                                 : ValueNames::ofResult(entry, i));
    return names;
  }

  void reportUnmatched(const PlanPattern &pattern, bool isArgument,
                       const std::vector<std::vector<std::string>> &names) {
    const char *word = isArgument ? "argument" : "result";
    mlir::InFlightDiagnostic &error = reporter.error(pattern.place)
                                      << word << " '" << pattern.glob.str()
                                      << "' matches nothing; ";
    if (!entry) {
      error << "the program has no public function";
      return;
    }
    error << "@" << entry.getSymName() << " has ";
    if (names.empty())
      error << "no " << word << "s";
    std::vector<std::string> shown;
    for (const std::vector<std::string> &each : names)
      shown.push_back(each.front());
    listNames(error, shown);
    if (isArgument && !names.empty() && !hasFrameworkNames(entry))
      error << namesAdvice;
  }

  static void listNames(mlir::InFlightDiagnostic &error, const std::vector<std::string> &names) {
    constexpr size_t mostShown = 8;
    for (size_t i = 0; i < names.size() && i < mostShown; ++i)
      error << (i > 0 ? ", " : "") << "'" << names[i] << "'";
    if (names.size() > mostShown)
      error << " and " << names.size() - mostShown << " more";
  }

  void claimArgument(const PlanEntry &from, unsigned index, bool isByName) {
    const auto *change = std::get_if<ChangeStatement>(&from.statement);
    if (!change)
      return claim({Kind::argument, entry, index}, {&from, specOf(from), isByName});
    if (change->from)
      claim({Kind::argument, entry, index}, {&from, &*change->from});
    claim({Kind::argumentUses, entry, index}, {&from, &change->to});
  }

  void claimResult(const PlanEntry &from, unsigned index) {
    const auto *change = std::get_if<ChangeStatement>(&from.statement);
    if (!change)
      return claim({Kind::result, entry, index}, {&from, specOf(from)});
    if (change->from)
      claim({Kind::returned, entry, index}, {&from, &*change->from});
    claim({Kind::result, entry, index}, {&from, &change->to});
  }

  //===- Ops -----------------------------------------------------------------===//

  /// An entry that speaks of ops, and which of its patterns have matched one.
  struct OpEntry {
    const PlanEntry *from;
    std::vector<bool> ops, locations;
    bool hasTarget = false;
  };

  void matchOps() {
    std::vector<OpEntry> entries;
    for (const PlanEntry &each : plan.entries)
      if (!each.ops.empty() || !each.locations.empty())
        entries.push_back(
            {&each, std::vector<bool>(each.ops.size()), std::vector<bool>(each.locations.size())});
    if (entries.empty())
      return;
    forEachOp([&](mlir::Operation *op) { matchOp(op, entries); });
    for (const OpEntry &each : entries)
      reportUnmatchedOps(each);
  }

  void matchOp(mlir::Operation *op, std::vector<OpEntry> &entries) {
    std::vector<std::string> places, aliases;
    for (OpEntry &each : entries) {
      llvm::StringRef name = op->getName().getStringRef();
      if (!matches(each.from->ops, each.ops, {name.str()}))
        continue;
      if (!each.from->locations.empty() && places.empty()) {
        places = namesOfLocation(op->getLoc());
        aliases = valueNames.aliasesOfOp(op);
      }
      if (matches(each.from->locations, each.locations, places, aliases))
        each.hasTarget |= claimOp(*each.from, op);
    }
  }

  /// Whether any of `patterns`, if there are some, matches any of `names`, or is one of `aliases`;
  /// notes which do.
  static bool matches(const std::vector<PlanPattern> &patterns, std::vector<bool> &matched,
                      const std::vector<std::string> &names,
                      const std::vector<std::string> &aliases = {}) {
    bool isMatch = patterns.empty();
    for (auto [i, pattern] : llvm::enumerate(patterns))
      if (matches(pattern.glob, names) || llvm::is_contained(aliases, pattern.glob.str()))
        isMatch = matched[i] = true;
    return isMatch;
  }

  bool claimOp(const PlanEntry &from, mlir::Operation *op) {
    const auto *change = std::get_if<ChangeStatement>(&from.statement);
    if (change && change->isInput)
      return claimOperand(from, *change, op);
    bool hasTarget = false;
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      if (!tensorTypeOf(op->getResult(i)) || (from.number && *from.number != i))
        continue;
      hasTarget = true;
      if (!change)
        claim({Kind::opResult, op, i}, {&from, specOf(from)});
      else if (change->from)
        claim({Kind::opResult, op, i}, {&from, &*change->from});
      if (change)
        claim({Kind::opResultUses, op, i}, {&from, &change->to});
    }
    return hasTarget;
  }

  bool claimOperand(const PlanEntry &from, const ChangeStatement &change, mlir::Operation *op) {
    if (change.operand >= op->getNumOperands() || !tensorTypeOf(op->getOperand(change.operand)))
      return false;
    unsigned index = change.operand;
    if (change.from)
      claim({Kind::operand, op, index}, {&from, &*change.from});
    claim({Kind::operandUse, op, index}, {&from, &change.to});
    return true;
  }

  void reportUnmatchedOps(const OpEntry &each) {
    bool isReported = false;
    for (auto [pattern, isMatched] : llvm::zip(each.from->ops, each.ops))
      if (!isMatched) {
        listNames(reporter.error(pattern.place)
                      << "op '" << pattern.glob.str() << "' matches nothing; the program has ",
                  namesOfOps());
        isReported = true;
      }
    for (auto [pattern, isMatched] : llvm::zip(each.from->locations, each.locations))
      if (!isReported && !isMatched) {
        reporter.error(pattern.place) << "location '" << pattern.glob.str() << "' matches "
                                      << (each.from->ops.empty() || !isSomewhere(pattern.glob)
                                              ? "nothing"
                                              : "no op that the entry's 'op' matches")
                                      << (hasNamesOfLocations() ? "" : namesAdvice.data());
        isReported = true;
      }
    if (isReported || each.hasTarget)
      return;
    const auto *change = std::get_if<ChangeStatement>(&each.from->statement);
    bool isOfOperand = change && change->isInput;
    int64_t number = isOfOperand ? change->operand : each.from->number.value_or(0);
    reporter.error(each.from->place)
        << "entry matches nothing: no op that it matches has a tensor as "
        << (isOfOperand ? "operand " : "result ") << number;
  }

  /// Calls `function` for each op that an entry can speak of.
  template <typename Function> void forEachOp(Function function) {
    for (auto func : module.getOps<mlir::func::FuncOp>())
      if (!func.isExternal())
        walkDataFlow(func, [&](mlir::Operation *op) {
          if (!op->hasTrait<mlir::OpTrait::IsTerminator>())
            function(op);
        });
  }

  std::vector<std::string> namesOfOps() {
    llvm::SetVector<mlir::OperationName> names;
    forEachOp([&](mlir::Operation *op) { names.insert(op->getName()); });
    std::vector<std::string> texts;
    for (mlir::OperationName name : names)
      texts.push_back(name.getStringRef().str());
    return texts;
  }

  /// Whether some op has a name in its location, or comes from a file of the framework's.
  bool hasNamesOfLocations() {
    bool isFound = false;
    forEachOp([&](mlir::Operation *op) {
      isFound |= !llvm::isa<mlir::FileLineColLoc>(withoutWrittenNames(op->getLoc()));
    });
    return isFound || !entry || hasFrameworkNames(entry);
  }

  bool isSomewhere(const Glob &location) {
    bool isFound = false;
    forEachOp([&](mlir::Operation *op) {
      isFound =
          isFound || llvm::any_of(namesOfLocation(op->getLoc()),
                                  [&](const std::string &name) { return location.matches(name); });
    });
    return isFound;
  }

  //===- Claims --------------------------------------------------------------===//

  static const PlanSharding *specOf(const PlanEntry &from) {
    const auto *sharding = std::get_if<ShardingStatement>(&from.statement);
    return sharding ? &sharding->spec : nullptr;
  }

  /// Tokens and the like are matched, but nothing can be said of them.
  void claim(PlanTarget target, PlanClaim made) {
    if (!target.type())
      return;
    // An op's result, and the constraint that says how it lies, are one place.
    mlir::Operation *place = target.op;
    if (target.kind == Kind::opResult || target.kind == Kind::opResultUses)
      if (sdy::ShardingConstraintOp constraint = constraintOf(place->getResult(target.index)))
        place = constraint;
    unsigned index = place == target.op ? target.index : 0;
    auto &[kept, claims] = targets[{static_cast<int>(target.kind), place, index}];
    if (claims.empty())
      kept = target;
    if (claims.empty() || claims.back().entry != made.entry) // Two patterns of one entry.
      claims.push_back(made);
    claims.back().isByName |= made.isByName;
  }

  mlir::ModuleOp module;
  const ProgramPlan &plan;
  FileReporter &reporter;
  mlir::func::FuncOp entry;
  ValueNames valueNames;
  std::vector<std::vector<std::string>> argumentNames, resultNames;
  llvm::StringMap<std::vector<unsigned>> argumentIndex, resultIndex;
  PlanTargets targets;
};

} // namespace

PlanTargets matchTargets(mlir::ModuleOp module, const ProgramPlan &plan, FileReporter &reporter) {
  return Matcher(module, plan, reporter).run();
}

} // namespace spmd
