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

class Surroundings {
public:
  explicit Surroundings(const BlockGraph &graph) : graph(graph) {}

  std::vector<uint64_t> run() {
    std::vector<uint64_t> makers(graph.size()), result(graph.size());
    std::vector<bool> isAnyOrder(graph.size()); // Of what it reads.
    for (int32_t number = 0; number < graph.size(); ++number) {
      mlir::Operation *op = graph.op(number);
      Name name = names.of(op, nameOf);
      isAnyOrder[number] = name.isCommutative || number == graph.size() - 1;
      uint64_t place = 0, sum = name.number;
      for (mlir::Type type : op->getResultTypes())
        sum = mixed(sum) + ofType(type);
      for (int32_t earlier : graph.before(number))
        sum += mixed(makers[earlier] + (isAnyOrder[number] ? 0 : ++place));
      makers[number] = mixed(sum);
    }
    // What reads an op has added itself when its turn comes.
    for (int32_t number = graph.size() - 1; number >= 0; --number) {
      result[number] = mixed(result[number] + makers[number]);
      uint64_t place = 0;
      for (int32_t earlier : graph.before(number))
        result[earlier] += mixed(~result[number] + (isAnyOrder[number] ? 0 : ++place));
    }
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

  const BlockGraph &graph;
  ByName<Name> names;
  llvm::DenseMap<const void *, uint64_t> types;
};

} // namespace

std::vector<uint64_t> surroundingsOf(const BlockGraph &graph) { return Surroundings(graph).run(); }

} // namespace spmd
