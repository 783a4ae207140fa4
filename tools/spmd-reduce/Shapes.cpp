// Sizes of dims, each made smaller wherever it occurs.
//
// No op is known here: a size is another one in all tensor types, and maybe in the lists of
// integers that ops hold (sizes of slices, limits ..). What does not fit together then, the
// verifier refuses.

#include "spmd/tools/spmd-reduce/Reduce.h"

#include "mlir/IR/AttrTypeSubElements.h"

#include <set>

using namespace mlir;

namespace spmd {

namespace {

/// `from` becomes `to`. Sizes that `from` divides may be made of it by a reshape: so many times
/// `from`, or powers of it.
struct Substitution {
  enum class Reach { same, multiples, powers };
  int64_t from, to;
  Reach reach;
  bool inLists; ///< In lists of integers, too.

  int64_t apply(int64_t size) const {
    if (size < 2 || reach == Reach::same || ShapedType::isDynamic(size))
      return size == from ? to : size;
    int64_t factor = 1;
    while (size % from == 0 && (factor == 1 || reach == Reach::powers)) {
      size /= from;
      factor *= to;
    }
    return size * factor;
  }
};

/// Returns the elements of `old` that lie within `shape`; where that is larger, the last ones
/// again.
DenseElementsAttr cut(DenseElementsAttr old, RankedTensorType type) {
  if (old.isSplat())
    return old.resizeSplat(type);
  auto values = old.getValues<Attribute>();
  int64_t count = old.getNumElements();
  SmallVector<Attribute> kept;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    kept.push_back(values[std::min(i, count - 1)]);
  return DenseElementsAttr::get(type, kept);
}

class ShrinkDims : public Shrinker {
public:
  llvm::StringRef name() const override { return "sizes of dims"; }
  size_t count(ModuleOp module) override { return candidates(module).size(); }
  bool isOneByOne() const override { return true; }

  void remove(ModuleOp module, size_t begin, size_t end) override {
    Substitution substitution = candidates(module)[begin];
    auto resized = [substitution](RankedTensorType type) {
      SmallVector<int64_t> shape(type.getShape());
      for (int64_t &size : shape)
        size = substitution.apply(size);
      return RankedTensorType::get(shape, type.getElementType(), type.getEncoding());
    };
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](RankedTensorType type) -> Type { return resized(type); });
    replacer.addReplacement(
        [&](DenseElementsAttr elements) -> std::optional<std::pair<Attribute, WalkResult>> {
          auto type = dyn_cast<RankedTensorType>(elements.getType());
          // Groups of devices and the like are lists of their own.
          if (!type || elements.empty() || !type.getElementType().isIntOrFloat())
            return std::make_pair(Attribute(elements), WalkResult::skip());
          return std::make_pair(Attribute(cut(elements, resized(type))), WalkResult::skip());
        });
    if (substitution.inLists)
      replacer.addReplacement([&](DenseI64ArrayAttr list) -> Attribute {
        SmallVector<int64_t> sizes(list.asArrayRef());
        for (int64_t &size : sizes)
          size = substitution.apply(size);
        return DenseI64ArrayAttr::get(list.getContext(), sizes);
      });
    replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }

private:
  /// From the last to the first they are tried: the largest size first, to the smallest one first,
  /// by the simplest change first.
  static SmallVector<Substitution> candidates(ModuleOp module) {
    SmallVector<Substitution> all;
    for (int64_t size : sizesIn(module))
      for (int64_t to : targetsOf(size))
        for (auto reach : {Substitution::Reach::powers, Substitution::Reach::multiples,
                           Substitution::Reach::same})
          for (bool inLists : {true, false})
            all.push_back({size, to, reach, inLists});
    return all;
  }

  static std::set<int64_t> sizesIn(ModuleOp module) {
    std::set<int64_t> sizes;
    auto add = [&](TypeRange types) {
      for (Type type : types)
        if (auto tensor = dyn_cast<RankedTensorType>(type))
          for (int64_t size : tensor.getShape())
            if (size > 1)
              sizes.insert(size);
    };
    module.walk([&](Operation *op) {
      add(op->getResultTypes());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          add(block.getArgumentTypes());
    });
    return sizes;
  }

  static SmallVector<int64_t> targetsOf(int64_t size) {
    SmallVector<int64_t> targets;
    for (int64_t to : {size - 1, size / 2, size / 8, int64_t(3), int64_t(2), int64_t(1)})
      if (to > 0 && to < size && !llvm::is_contained(targets, to))
        targets.push_back(to);
    return targets;
  }
};

} // namespace

std::unique_ptr<Shrinker> shrinkDims() { return std::make_unique<ShrinkDims>(); }

} // namespace spmd
