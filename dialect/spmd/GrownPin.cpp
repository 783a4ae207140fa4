#include "spmd/dialect/spmd/GrownPin.h"

namespace spmd {

/// Whether an axis begins with another, of which it may be more: `"x"` with `"x":(1)2`.
static bool beginsWith(const AxisSpec &axis, const AxisSpec &front) {
  bool mayBeMore = axis.size == 0 || (front.size != 0 && axis.size % front.size == 0);
  return axis.name == front.name && axis.preSize == front.preSize && mayBeMore;
}

bool mayGrowInto(sdy::ShardingAttr pin, sdy::ShardingAttr grown) {
  const ShardingSpec &from = pin.getSpec(), &to = grown.getSpec();
  auto isGrown = [](const auto &dims) {
    const auto &[before, after] = dims;
    return before.open == after.open && before.axes.size() <= after.axes.size() &&
           (before.open || before.axes == after.axes) &&
           (before.axes.empty() ||
            (std::equal(before.axes.begin(), before.axes.end() - 1, after.axes.begin()) &&
             beginsWith(after.axes[before.axes.size() - 1], before.axes.back())));
  };
  auto isSplit = [](const DimSpec &dim) { return !dim.axes.empty(); };
  bool areOfOneMesh = pin.getMeshOrRef() == grown.getMeshOrRef() ||
                      llvm::none_of(from.dims, isSplit); // No mesh stands for any.
  auto areAlike = [](const std::vector<AxisSpec> &a, const std::vector<AxisSpec> &b) {
    return a.size() == b.size() && std::is_permutation(a.begin(), a.end(), b.begin());
  };
  return areOfOneMesh && from.dims.size() == to.dims.size() && from.kind == to.kind &&
         areAlike(from.unreduced, to.unreduced) && areAlike(from.replicated, to.replicated) &&
         llvm::all_of(llvm::zip_equal(from.dims, to.dims), isGrown);
}

static sdy::ShardingPerValueAttr notesOf(mlir::Operation *op) {
  if (op->getRawDictionaryAttrs().empty())
    return {}; // Which is quick to see.
  auto notes = llvm::dyn_cast_if_present<sdy::ShardingPerValueAttr>(
      op->getDiscardableAttr(grownFromAttrName));
  return notes && notes.size() == op->getNumResults() ? notes : nullptr;
}

ValueSharding originalPinOf(mlir::Value value) {
  ValueSharding pin = pinOf(value);
  if (!pin)
    return pin;
  sdy::ShardingAttr noted;
  if (auto result = llvm::dyn_cast<mlir::OpResult>(value)) {
    if (sdy::ShardingPerValueAttr notes = notesOf(result.getOwner()))
      noted = notes[result.getResultNumber()];
  } else if (auto argument = llvm::cast<mlir::BlockArgument>(value);
             auto func = llvm::dyn_cast<mlir::func::FuncOp>(argument.getOwner()->getParentOp())) {
    noted = func.getArgAttrOfType<sdy::ShardingAttr>(argument.getArgNumber(), grownFromAttrName);
  }
  if (noted && mayGrowInto(noted, pin.attr))
    pin.attr = noted;
  return pin;
}

void noteOriginalPin(mlir::NamedAttrList &attributes, sdy::ShardingAttr pin) {
  if (attributes.get(shardingAttrName) == pin)
    attributes.erase(grownFromAttrName);
  else
    attributes.set(grownFromAttrName, pin);
}

void noteOriginalPin(mlir::OpResult result, sdy::ShardingAttr pin) {
  mlir::Operation *op = result.getOwner();
  llvm::SmallVector<sdy::ShardingAttr> notes;
  for (mlir::Value each : op->getResults())
    notes.push_back(each == result ? pin : originalPinOf(each).attr);
  bool isGrown = false;
  for (auto [note, each] : llvm::zip_equal(notes, op->getResults())) {
    sdy::ShardingAttr lies = shardingOf(each).attr;
    if (!note)
      note = lies;
    isGrown |= note != lies;
  }
  if (isGrown && llvm::all_of(notes, [](sdy::ShardingAttr note) { return note != nullptr; }))
    op->setDiscardableAttr(grownFromAttrName,
                           sdy::ShardingPerValueAttr::get(op->getContext(), notes));
  else
    op->removeDiscardableAttr(grownFromAttrName);
}

} // namespace spmd
