#include "spmd/passes/explain/Explain.h"

#include "spmd/passes/explain/Find.h"
#include "spmd/passes/explain/Print.h"
#include "spmd/passes/explain/Tell.h"
#include "spmd/passes/propagate/Spread.h"

namespace spmd {

/// A location may name this many values; what else it names is counted.
constexpr size_t mostValues = 16;

/// Finds all values that were asked for. Returns false after a line for each that there is not.
static bool findAll(Places &places, const ExplainRequest &request, std::vector<int32_t> &values,
                    llvm::raw_ostream &errors) {
  if (request.values.empty())
    return true;
  bool ok = true;
  Finder finder(places);
  for (const std::string &name : request.values) {
    Found found = finder.find(name);
    if (!found.error.empty())
      errors << "error: " << found.error << "\n";
    ok &= found.error.empty();
    if (found.values.size() > mostValues) {
      errors << "warning: '" << name << "' names " << found.values.size() << " values; the first "
             << mostValues << " are explained\n";
      found.values.resize(mostValues);
    }
    values.insert(values.end(), found.values.begin(), found.values.end());
  }
  return ok;
}

/// Says where a function is called, if it has several instances.
static std::string callIfSeveral(Places &places, int32_t value) {
  const ProgramGraph &program = places.program;
  int32_t body = program.instances[program.instanceOfValue(value)].body;
  auto isOfBody = [&](const ProgramGraph::Instance &instance) { return instance.body == body; };
  return llvm::count_if(program.instances, isOfBody) > 1 ? callOf(places, value) : "";
}

mlir::LogicalResult explain(mlir::ModuleOp module, const ExplainRequest &request,
                            llvm::raw_ostream &os, llvm::raw_ostream &errors) {
  History history;
  mlir::FailureOr<std::unique_ptr<ProgramGraph>> program =
      propagateModule(module, request.conflicts, &history);
  if (mlir::failed(program))
    return mlir::failure();
  std::vector<bool> isFree = (*program)->freeValues();
  std::vector<Knowledge> knowledge = classify((*program)->graph, isFree);
  Places places(**program);
  std::vector<int32_t> values;
  if (!findAll(places, request, values, errors))
    return mlir::failure();
  Past past((*program)->graph, history);
  Teller teller(places, past, isFree, knowledge);
  std::vector<Explanation> told;
  for (int32_t value : values) {
    told.push_back(teller.tell(value));
    told.back().call = callIfSeveral(places, value);
  }
  std::vector<Flag> flags;
  if (request.missing)
    flags = findFlags(**program, knowledge);
  if (request.asJson) {
    printJson(told, request.missing ? &flags : nullptr, os);
    return mlir::success();
  }
  for (const Explanation &each : told)
    printText(each, os);
  for (const Flag &flag : flags)
    printText(flag, os);
  if (request.missing && flags.empty())
    os << "no value is without a sharding\n";
  return mlir::success();
}

} // namespace spmd
