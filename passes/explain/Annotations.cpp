#include "spmd/passes/explain/Annotations.h"

#include "spmd/dialect/spmd/Notation.h"
#include "spmd/dialect/spmd/WrittenNames.h"
#include "spmd/passes/propagate/LineTexts.h"

namespace spmd {

/// Returns what stands between `#sdy.sharding<` or `#sdy.sharding_per_value<` and its `>`.
static std::string insideOf(mlir::Attribute attr) {
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  llvm::StringRef inner = text;
  inner = inner.substr(inner.find('<') + 1);
  inner.consume_back(">");
  return inner.str();
}

/// Returns `name` as the text has it in front of `=` but for the number of results.
static std::string nameAt(const std::string &name) {
  return name.empty() ? "%value" : llvm::StringRef(name).split('#').first.str();
}

/// Returns `out_shardings=[<..>]`, `sharding=<..>` or `{sdy.sharding = ..}`: the attribute of the
/// op that holds the sharding of `value`, with another. Empty if no attribute does.
static std::string attributeWith(mlir::Operation *op, mlir::Value value,
                                 sdy::ShardingAttr sharding) {
  mlir::DictionaryAttr before = op->getAttrDictionary();
  if (!sdy::setSharding(value, sharding))
    return "";
  mlir::DictionaryAttr after = op->getAttrDictionary();
  op->setAttrs(before);
  for (mlir::NamedAttribute attr : after) {
    if (before.get(attr.getName()) == attr.getValue())
      continue;
    if (attr.getName() == shardingAttrName) {
      std::string text;
      llvm::raw_string_ostream(text) << attr.getValue();
      return "{sdy.sharding = " + text + "}";
    }
    std::string inner = insideOf(attr.getValue());
    return attr.getName().str() + "=" +
           (llvm::isa<sdy::ShardingAttr>(attr.getValue()) ? "<" + inner + ">" : inner);
  }
  return "";
}

/// Returns what stands at the named computation that a value was the border of.
static std::string lineOfComputation(const Places::Border &border, sdy::ShardingAttr sharding) {
  llvm::SmallVector<sdy::ShardingAttr> all(border.shardings.getShardings());
  all[border.index] = sharding;
  return border.attribute + "=" +
         insideOf(sdy::ShardingPerValueAttr::get(sharding.getContext(), all)) + " at " +
         nameAt(border.name);
}

std::string lineOfAnnotation(Places &places, mlir::Value value, sdy::ShardingAttr sharding) {
  mlir::Operation *op = value.getDefiningOp();
  if (auto border = places.computations.find(op); op && border != places.computations.end())
    return lineOfComputation(border->second, sharding);
  mlir::Operation *holder = op ? op : value.getParentBlock()->getParentOp();
  if (!pinOf(value) || llvm::isa<mlir::func::FuncOp>(holder))
    return "";
  if (llvm::isa_and_present<sdy::ShardingConstraintOp, sdy::ReshardOp>(op))
    return lineInPlaceOf(op, sharding, op->getName().getStringRef(), places.names);
  if (llvm::isa_and_present<sdy::CollectiveOpInterface>(op))
    return lineInPlaceOf(op, sharding, sdy::ReshardOp::getOperationName(), places.names);
  return lineThatPins(value, sharding);
}

std::string lineThatPins(mlir::Value value, sdy::ShardingAttr sharding) {
  mlir::Operation *op = value.getDefiningOp();
  mlir::Operation *holder = op ? op : value.getParentBlock()->getParentOp();
  if (notationFor(sharding, holder) != Notation::shardy)
    return "";
  std::string attribute = attributeWith(holder, value, sharding);
  if (attribute.empty())
    return "";
  mlir::Value made = op ? value : holder->getNumResults() > 0 ? holder->getResult(0) : value;
  return attribute + " at " + nameAt(writtenName(made));
}

std::vector<Follower> followersOf(Places &places, mlir::Value value) {
  std::vector<Follower> found;
  for (mlir::Operation *user : value.getUsers())
    if (auto collective = llvm::dyn_cast<sdy::CollectiveOpInterface>(user))
      found.push_back({user, lineInPlaceOf(user, collective.getOutSharding(),
                                           sdy::ReshardOp::getOperationName(), places.names)});
  llvm::sort(found, [](const Follower &a, const Follower &b) {
    return a.op->getBlock() == b.op->getBlock() && a.op->isBeforeInBlock(b.op);
  });
  return found;
}

} // namespace spmd
