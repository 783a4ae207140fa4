// Constants: the same element everywhere, then zero.

#include "spmd/tools/spmd-reduce/Reduce.h"

#include "spmd/dialect/stablehlo/Dialect.h"

using namespace mlir;

namespace spmd {

/// Returns `elements` with the first element everywhere, or null where that is nothing new.
static DenseElementsAttr splatOf(DenseElementsAttr elements) {
  if (elements.isSplat() || elements.empty() || !elements.getElementType().isIntOrFloat())
    return {};
  return DenseElementsAttr::get(elements.getType(), *elements.getValues<Attribute>().begin());
}

/// Returns zeros in the place of `elements`, or null where they are zero.
static DenseElementsAttr zerosFor(DenseElementsAttr elements) {
  Type element = elements.getElementType();
  if (!element.isIntOrFloat())
    return {};
  auto zeros = DenseElementsAttr::get(elements.getType(),
                                      Builder(elements.getContext()).getZeroAttr(element));
  return zeros == elements ? DenseElementsAttr() : zeros;
}

namespace {

using Simplify = DenseElementsAttr (*)(DenseElementsAttr);

class SimplifyConstants : public Shrinker {
public:
  SimplifyConstants(llvm::StringRef word, Simplify simplify) : word(word), simplify(simplify) {}

  llvm::StringRef name() const override { return word; }
  size_t count(ModuleOp module) override { return candidates(module).size(); }

  void remove(ModuleOp module, size_t begin, size_t end) override {
    auto constants = candidates(module);
    for (auto [op, value] : ArrayRef(constants).slice(begin, end - begin))
      op.setValueAttr(value);
  }

private:
  SmallVector<std::pair<stablehlo::ConstantOp, DenseElementsAttr>> candidates(ModuleOp module) {
    SmallVector<std::pair<stablehlo::ConstantOp, DenseElementsAttr>> constants;
    module.walk<WalkOrder::PreOrder>([&](stablehlo::ConstantOp op) {
      auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
      if (DenseElementsAttr simpler = elements ? simplify(elements) : elements)
        constants.push_back({op, simpler});
    });
    return constants;
  }

  llvm::StringRef word;
  Simplify simplify;
};

} // namespace

std::unique_ptr<Shrinker> splatConstants() {
  return std::make_unique<SimplifyConstants>("constants to splats", splatOf);
}
std::unique_ptr<Shrinker> zeroConstants() {
  return std::make_unique<SimplifyConstants>("constants to zeros", zerosFor);
}

} // namespace spmd
