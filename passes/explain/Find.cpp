#include "spmd/passes/explain/Find.h"

#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/ir/plan/Glob.h"
#include "spmd/passes/plan/Names.h"
#include "spmd/passes/plan/Targets.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <set>

namespace spmd {

/// In every function.
constexpr int32_t anyBody = ShardGraph::none;

/// Returns `@f`, or `@"a name"` for what is no identifier.
static std::string symbolText(llvm::StringRef name) {
  bool isIdentifier = llvm::all_of(
      name, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("_$.-").contains(c); });
  return isIdentifier ? ("@" + name).str() : ("@\"" + name + "\"").str();
}

/// Splits `@f:%3` or `@"f":%3` into the name of the function and what follows the colon.
static std::pair<llvm::StringRef, llvm::StringRef> splitFunction(llvm::StringRef name) {
  if (!name.consume_front("@\""))
    return name.drop_front().split(':');
  auto [function, rest] = name.split('"');
  rest.consume_front(":");
  return {function, rest};
}

/// Returns `%3` for `%3:2`, which stands before `=` where an op has several results.
static llvm::StringRef withoutCount(llvm::StringRef name) {
  auto [plain, count] = name.rsplit(':');
  bool isCounted = name.starts_with("%") && !count.empty() && llvm::all_of(count, llvm::isDigit);
  return isCounted ? plain : name;
}

llvm::StringSet<> writtenNamesIn(mlir::ModuleOp module) {
  llvm::StringSet<> names;
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    auto add = [&](mlir::Value value) {
      for (const std::string &name : writtenNames(value))
        names.insert((func.getSymName() + ":" + name).str());
    };
    func.walk([&](mlir::Operation *op) {
      llvm::for_each(op->getResults(), add);
      for (mlir::Region &region : op->getRegions())
        llvm::for_each(region.getArguments(), add);
    });
  }
  return names;
}

Finder::Finder(Places &places, const llvm::StringSet<> &written)
    : places(places), written(written) {
  for (size_t body = 0; body < places.program.bodies.size(); ++body)
    addFunction(static_cast<int32_t>(body));
}

void Finder::addFunction(int32_t index) {
  ProgramGraph::Body &body = places.program.bodies[index];
  for (mlir::BlockArgument argument : body.func.getArguments()) {
    addValue(index, argument);
    std::string number = llvm::utostr(argument.getArgNumber());
    std::vector<std::string> &names = candidates.back().names;
    for (const std::string &known : ValueNames().ofArgument(body.func, argument.getArgNumber()))
      names.push_back(known);
    names.insert(names.end(), {number, "arg:" + number});
  }
  for (unsigned i = 0; i < body.func.getNumResults(); ++i) {
    std::vector<std::string> names = ValueNames::aliasesOfResult(i);
    for (std::string &known : ValueNames::ofResult(body.func, i))
      if (!llvm::all_of(known, llvm::isDigit)) // A number is that of an argument.
        names.push_back(std::move(known));
    candidates.push_back({{}, index, body.firstResult + static_cast<int32_t>(i), std::move(names)});
  }
  body.func.getBody().walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    for (mlir::Value result : op->getResults())
      addValue(index, result);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments())
          addValue(index, argument);
  });
}

void Finder::addValue(int32_t body, mlir::Value value) {
  const ProgramGraph::Instance none = {body, 0, 0, {}};
  Candidate candidate = {value, body, places.program.valueOf(none, value), {}};
  for (const std::string &written : writtenNames(value)) {
    candidate.names.push_back(written);
    if (!llvm::isDigit(written[1])) // A number is that of an argument.
      candidate.names.push_back(written.substr(1));
    // MLIR takes %3#0 for the only result, too.
    size_t several = written.find('#');
    std::string other = several == std::string::npos ? written + "#0" : written.substr(0, several);
    if (several != std::string::npos && !llvm::isDigit(written[1]))
      candidate.aliases.push_back(other.substr(1));
    candidate.aliases.push_back(std::move(other));
  }
  for (std::string &name : namesOfLocation(value.getLoc())) {
    // A place in the file that is read needs no file.
    if (name.front() == ':')
      name.erase(0, 1);
    candidate.names.push_back(std::move(name));
  }
  if (auto place = value.getLoc()->findInstanceOf<mlir::FileLineColLoc>())
    candidate.names.push_back(llvm::utostr(place.getLine()) + ":" +
                              llvm::utostr(place.getColumn()));
  candidates.push_back(std::move(candidate));
}

std::vector<const Finder::Candidate *> Finder::matches(llvm::StringRef name, int32_t body) const {
  std::vector<const Candidate *> found;
  for (const Candidate &candidate : candidates)
    if ((body == anyBody || candidate.body == body) &&
        (llvm::is_contained(candidate.aliases, name) || llvm::is_contained(candidate.names, name)))
      found.push_back(&candidate);
  Glob pattern(name.str());
  if (!found.empty() || pattern.isName())
    return found;
  for (const Candidate &candidate : candidates) // As in plans.
    if ((body == anyBody || candidate.body == body) &&
        llvm::any_of(candidate.names, [&](auto &known) { return pattern.matches(known); }))
      found.push_back(&candidate);
  return found;
}

/// Whether the file has a name in a function, with or without its `%`. A number is that of an
/// argument.
bool Finder::isWritten(llvm::StringRef function, llvm::StringRef name) const {
  bool isBare = !name.empty() && name.front() != '%' && !llvm::isDigit(name.front());
  llvm::StringRef percent = isBare ? "%" : "";
  return written.contains((function + ":" + percent + name).str());
}

/// Whether the file has a name in the function of a body, or, where it is looked for in all, in
/// any: functions that nothing calls any more have no body.
bool Finder::isGone(llvm::StringRef name, int32_t body) const {
  std::vector<ProgramGraph::Body> &bodies = places.program.bodies;
  if (body != anyBody && bodies.size() > 1)
    return isWritten(bodies[body].func.getSymName(), name);
  return llvm::any_of(written.keys(), [&](llvm::StringRef key) {
    return key.consume_back(name) && (key.ends_with(":") || key.ends_with(":%"));
  });
}

FoundValues Finder::find(llvm::StringRef name) const {
  std::vector<ProgramGraph::Body> &bodies = places.program.bodies;
  if (name.starts_with("@")) {
    auto [function, inside] = splitFunction(name);
    for (size_t body = 0; body < bodies.size(); ++body)
      if (bodies[body].func.getSymName() == function)
        return inside.empty()
                   ? FoundValues{{},
                                 {},
                                 "name a value of " + symbolText(function) +
                                     " behind a colon, as in " + symbolText(function) + ":0"}
                   : findIn(withoutCount(inside), static_cast<int32_t>(body));
    std::string error = "there is no function " + symbolText(function);
    constexpr size_t mostNamed = 4;
    for (size_t body = 0; body < std::min(bodies.size(), mostNamed); ++body)
      error +=
          (body == 0 ? "; the program has " : ", ") + symbolText(bodies[body].func.getSymName());
    if (bodies.size() > mostNamed)
      error += " and " + llvm::utostr(bodies.size() - mostNamed) + " more";
    return {{}, {}, error};
  }
  name = withoutCount(name);
  // Numbers are those of @main's arguments and results, other names first looked for there.
  bool isNumber =
      llvm::all_of(name, llvm::isDigit) || name.starts_with("arg:") || name.starts_with("result:");
  for (size_t body = 0; body < bodies.size(); ++body)
    if (bodies[body].func.getSymName() == "main" &&
        (isNumber || isWritten("main", name) || !matches(name, static_cast<int32_t>(body)).empty()))
      return findIn(name, static_cast<int32_t>(body));
  return findIn(name, bodies.size() == 1 ? 0 : anyBody);
}

FoundValues Finder::findIn(llvm::StringRef name, int32_t body) const {
  std::vector<const Candidate *> found = matches(name, body);
  if (found.empty()) {
    llvm::StringRef number = name;
    bool isResult = number.consume_front("result:");
    number.consume_front("arg:");
    bool isNumber = !number.empty() && llvm::all_of(number, llvm::isDigit);
    return isNumber && body != anyBody ? beyond(number, isResult, body) : unknown(name, body);
  }
  bool isPlace = name.contains(':') && !name.starts_with("%");
  llvm::SmallVector<int32_t> functions;
  for (const Candidate *candidate : found)
    if (functions.empty() || functions.back() != candidate->body)
      functions.push_back(candidate->body);
  if (functions.size() == 1 || (isPlace && !name.starts_with("result:")))
    return valuesOf(found, name);
  std::string error = ("'" + name + "' is in several functions; write").str();
  constexpr size_t mostNamed = 4;
  for (int32_t function : llvm::ArrayRef(functions).take_front(mostNamed))
    error += (function == functions.front() ? " " : " or ") +
             symbolText(places.program.bodies[function].func.getSymName()) + ":" + name.str();
  return {{}, {}, error};
}

FoundValues Finder::beyond(llvm::StringRef number, bool isResult, int32_t body) const {
  mlir::func::FuncOp func = places.program.bodies[body].func;
  unsigned count = isResult ? func.getNumResults() : func.getNumArguments();
  const char *what = isResult ? " result" : " argument";
  return {{},
          {},
          ("@" + func.getSymName() + " has no" + what + " " + number + "; it has " +
           llvm::Twine(count) + what + (count == 1 ? "" : "s"))
              .str()};
}

/// The values of all instances that do not lie alike. Uses of a constant have copies of it, which
/// are one again where they lie alike.
FoundValues Finder::valuesOf(llvm::ArrayRef<const Candidate *> chosen, llvm::StringRef name) const {
  FoundValues found;
  llvm::DenseSet<int32_t> seen;
  std::set<std::tuple<const void *, std::string, int32_t>> seenCopies;
  const ProgramGraph &program = places.program;
  for (const Candidate *candidate : chosen) {
    if (candidate->tensor == ShardGraph::none)
      continue;
    bool isCopied = program.bodies[candidate->body].tensors[candidate->tensor].isFree;
    llvm::SmallVector<int32_t> shardings;
    for (const ProgramGraph::Instance &instance : program.instances) {
      if (instance.body != candidate->body)
        continue;
      int32_t value = instance.firstValue + candidate->tensor;
      int32_t sharding = program.graph.value(value).sharding;
      if (llvm::is_contained(shardings, sharding) || !seen.insert(value).second)
        continue;
      shardings.push_back(sharding);
      if (isCopied && !seenCopies
                           .insert({candidate->value.getLoc().getAsOpaquePointer(),
                                    writtenName(candidate->value), sharding})
                           .second)
        continue;
      found.values.push_back(value);
      found.asked.push_back(candidate->value);
    }
  }
  if (found.values.empty())
    found.error = ("'" + name +
                   "' is no tensor that has a sharding: a token, a tuple, or part of a "
                   "computation with single elements")
                      .str();
  return found;
}

/// Returns how far `known` is from what was asked for, nothing if too far: letters that differ, or,
/// behind all those, what a longer name has besides (`head/dot` of `jit(f)/head/dot_general`,
/// `x` of `x.7`).
static std::optional<unsigned> distanceOf(llvm::StringRef name, llvm::StringRef known) {
  size_t size = std::max<size_t>(name.size(), 1);
  unsigned most = std::min<size_t>(std::max<size_t>(1, size / 3), size - 1); // Not all of it.
  unsigned distance = name.edit_distance(known, /*AllowReplacements=*/true, most);
  if (distance <= most)
    return distance;
  constexpr size_t leastPart = 3, farther = 1000;
  bool isPart = name.size() >= leastPart && known.contains(name);
  bool isNumbered = known.consume_front(name) && known.starts_with("."); // `x.7`
  if (isPart || isNumbered)
    return farther + known.size();
  return std::nullopt;
}

/// Returns the line in `12:8`, `file:12` or `file:12:8`; nothing for what is no location.
static std::optional<unsigned> lineIn(llvm::StringRef name) {
  auto [before, last] = name.rsplit(':');
  unsigned line = 0, column = 0;
  bool isPlace = before.find_first_of("./") != llvm::StringRef::npos ||
                 (!before.empty() && llvm::all_of(before, llvm::isDigit));
  if (!isPlace || name.starts_with("%") || last.getAsInteger(10, column))
    return std::nullopt;
  return before.rsplit(':').second.getAsInteger(10, line) && before.getAsInteger(10, line) ? column
                                                                                           : line;
}

/// Adds the place of a value, as far as it is from a line.
static void addPlace(mlir::Value value, unsigned line,
                     std::vector<std::pair<unsigned, std::string>> &near, llvm::StringSet<> &seen) {
  auto place = value ? value.getLoc()->findInstanceOf<mlir::FileLineColLoc>() : nullptr;
  if (!place)
    return;
  std::string text = llvm::utostr(place.getLine()) + ":" + llvm::utostr(place.getColumn());
  if (seen.insert(text).second)
    near.emplace_back(std::max(line, place.getLine()) - std::min(line, place.getLine()), text);
}

FoundValues Finder::unknown(llvm::StringRef name, int32_t body) const {
  if (isGone(name, body))
    return {{},
            {},
            ("'" + name +
             "' is gone before propagation: it was known already, nothing used it, or it was "
             "merged into what uses it")
                .str()};
  constexpr size_t mostNamed = 3;
  std::vector<std::pair<unsigned, std::string>> near;
  llvm::StringSet<> seen;
  bool isNumber = llvm::all_of(name, llvm::isDigit);
  std::optional<unsigned> line = lineIn(name);
  for (const Candidate &candidate : candidates) {
    if (isNumber || (body != anyBody && candidate.body != body))
      continue;
    if (line) {
      if (candidate.tensor != ShardGraph::none)
        addPlace(candidate.value, *line, near, seen);
      continue;
    }
    for (const std::string &known : candidate.names)
      if (std::optional<unsigned> distance = distanceOf(name, known);
          distance && seen.insert(known).second)
        near.emplace_back(*distance, known);
  }
  llvm::sort(near);
  std::string error = ("no value is called '" + name + "'").str();
  if (near.empty())
    error += "; name it as the file does (%3), by an argument's number (0), by a result's "
             "(result:0), or by file:line";
  llvm::StringSet<> named; // With or without its %, a name is the same.
  for (const auto &[distance, known] : near)
    if (named.size() < mostNamed && named.insert(llvm::StringRef(known).ltrim('%')).second)
      error += (named.size() == 1 ? "; near it are '" : "', '") + known;
  if (!near.empty())
    error += "'";
  mlir::func::FuncOp entry =
      entryFunction(places.program.bodies.front().func->getParentOfType<mlir::ModuleOp>());
  bool isOfText = name.starts_with("%") || line || isNumber;
  if (!isOfText && entry && !hasFrameworkNames(entry))
    error += namesAdvice;
  return {{}, {}, error};
}

std::string callOf(Places &places, int32_t value) {
  const ProgramGraph &program = places.program;
  int32_t callee = program.instanceOfValue(value);
  for (const ProgramGraph::Instance &caller : program.instances)
    for (size_t c = 0; c < caller.children.size(); ++c)
      if (caller.children[c] == callee)
        return placeText(program.bodies[caller.body].calls[c].op->getLoc());
  return "";
}

} // namespace spmd
