#include "spmd/passes/optimize/merge/Surroundings.h"

#include "spmd/dialect/spmd/ByName.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/Support/xxhash.h"

namespace spmd {

namespace {

/// Spreads every bit over all others.
uint64_t mixed(uint64_t bits) {
  bits ^= bits >> 32;
  bits *= 0xd6e8feb86659fd93;
  bits ^= bits >> 32;
  bits *= 0xd6e8feb86659fd93;
  return bits ^ (bits >> 32);
}

/// Says of a type how large it is, which is what types differ by as a rule.
uint64_t numberOf(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  mlir::Type element = tensor ? tensor.getElementType() : type;
  uint64_t number = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  if (tensor)
    for (int64_t size : tensor.getShape())
      number = mixed(number) + size;
  return number;
}

class Finder {
public:
  explicit Finder(const BlockGraph &graph) : graph(graph), isAnyOrder(graph.size()) {}

  std::vector<Surroundings> run() {
    std::vector<uint64_t> numbers = ownNumbers();
    std::vector<Surroundings> result(graph.size());
    std::vector<uint64_t> all = allAround(numbers);
    for (int radius = 0; radius < nearest; ++radius) {
      numbers = withNeighbours(numbers);
      for (int32_t number = 0; number < graph.size(); ++number)
        result[number][radius] = numbers[number];
    }
    for (int32_t number = 0; number < graph.size(); ++number)
      result[number][nearest] = all[number];
    return result;
  }

private:
  struct Name {
    uint64_t number = 0;
    bool isCommutative = false;
  };

  static Name nameOf(mlir::Operation *op) {
    return {llvm::xxh3_64bits(op->getName().getStringRef()),
            op->hasTrait<mlir::OpTrait::IsCommutative>()};
  }

  uint64_t ofType(mlir::Type type) {
    auto [known, isNew] = types.try_emplace(type.getAsOpaquePointer());
    if (isNew)
      known->second = numberOf(type);
    return known->second;
  }

  /// Returns what tells each op from others if nothing around it counts.
  std::vector<uint64_t> ownNumbers() {
    std::vector<uint64_t> numbers(graph.size());
    for (int32_t number = 0; number < graph.size(); ++number) {
      mlir::Operation *op = graph.op(number);
      Name name = names.of(op, nameOf);
      isAnyOrder[number] = name.isCommutative || isEnd(number);
      numbers[number] = name.number;
      for (mlir::Type type : op->getResultTypes())
        numbers[number] = mixed(numbers[number]) + ofType(type);
    }
    return numbers;
  }

  bool isEnd(int32_t number) const { return number == graph.size() - 1; }

  /// Calls `visit` with each op that op `number` waits for, and a number for its place among them.
  template <typename Visit> void forEachBefore(int32_t number, Visit visit) const {
    uint64_t place = 0;
    for (int32_t earlier : graph.before(number))
      visit(earlier, isAnyOrder[number] ? 0 : ++place);
  }

  /// Returns the numbers of ops together with those of what they wait for and what waits for them.
  /// The end of the block waits for what has nothing to do with each other.
  std::vector<uint64_t> withNeighbours(const std::vector<uint64_t> &numbers) const {
    std::vector<uint64_t> result = numbers;
    for (int32_t number = 0; number < graph.size(); ++number)
      forEachBefore(number, [&](int32_t earlier, uint64_t place) {
        if (!isEnd(number))
          result[number] += mixed(numbers[earlier] + place);
        result[earlier] += mixed(~numbers[number] + place);
      });
    for (uint64_t &number : result)
      number = mixed(number);
    return result;
  }

  /// Returns the numbers of ops together with those of all that leads to them, and of all that
  /// these and they lead to.
  std::vector<uint64_t> allAround(const std::vector<uint64_t> &numbers) const {
    std::vector<uint64_t> makers = numbers, result(graph.size());
    for (int32_t number = 0; number < graph.size(); ++number) {
      forEachBefore(number, [&](int32_t earlier, uint64_t place) {
        makers[number] += mixed(makers[earlier] + place);
      });
      makers[number] = mixed(makers[number]);
    }
    // What reads an op has added itself when its turn comes.
    for (int32_t number = graph.size() - 1; number >= 0; --number) {
      result[number] = mixed(result[number] + makers[number]);
      forEachBefore(number, [&](int32_t earlier, uint64_t place) {
        result[earlier] += mixed(~result[number] + place);
      });
    }
    return result;
  }

  const BlockGraph &graph;
  std::vector<bool> isAnyOrder; ///< Of what it waits for.
  ByName<Name> names;
  llvm::DenseMap<const void *, uint64_t> types;
};

} // namespace

std::vector<Surroundings> surroundingsOf(const BlockGraph &graph) { return Finder(graph).run(); }

} // namespace spmd
