#include "spmd/lowering/interpreter/kernels/SortKeys.h"

#include "spmd/lowering/interpreter/Denormals.h"
#include "spmd/lowering/interpreter/Storage.h"

#include <cstring>
#include <map>

namespace spmd {

/// Walks a comparator from its result to its arguments.
class Recogniser {
public:
  Recogniser(const DeviceProgram &program, const Function &body, size_t count,
             const KernelRegistry &registry)
      : program(program), body(body), count(count), registry(registry),
        makers(body.values.size(), nullptr) {
    for (const Instruction &instruction : body.instructions)
      for (ValueId result : instruction.results)
        makers[result] = &instruction;
  }

  bool run(SortKeys &out) {
    return body.results.size() == 1 && addKeys(body.results[0]) && makeKeys(out);
  }

private:
  /// A comparison of the same function of both sides.
  struct Comparison {
    ValueId left = -1; ///< The function of the left side.
    std::string direction;
    bool total = false;
  };

  const Instruction *madeBy(ValueId value, const char *op) const {
    const Instruction *maker = makers[value];
    return maker && maker->op == op ? maker : nullptr;
  }

  std::optional<Comparison> comparisonAt(ValueId value) const {
    const Instruction *compare = madeBy(value, "compare");
    if (!compare || compare->operands.size() != 2)
      return std::nullopt;
    auto direction = compare->attributes.get<std::string>("comparison_direction");
    auto type = compare->attributes.getOr<std::string>("compare_type", "");
    if (!direction.ok() || !type.ok())
      return std::nullopt;
    Comparison out{compare->operands[0], *direction, *type == "TOTALORDER"};
    if (mirrors(compare->operands[0], compare->operands[1]))
      return out;
    if (!mirrors(compare->operands[1], compare->operands[0]))
      return std::nullopt;
    static const std::map<std::string, std::string> swapped = {
        {"LT", "GT"}, {"GT", "LT"}, {"EQ", "EQ"}, {"NE", "NE"}};
    auto it = swapped.find(out.direction);
    if (it == swapped.end())
      return std::nullopt;
    out.left = compare->operands[1];
    out.direction = it->second;
    return out;
  }

  /// Returns whether `right` is the function of the right side that `left` is of the left side.
  bool mirrors(ValueId left, ValueId right) const {
    auto [known, isNew] = mirrored.try_emplace({left, right}, false);
    if (isNew)
      return mirrored[{left, right}] = computesMirror(left, right);
    return known->second;
  }

  bool computesMirror(ValueId left, ValueId right) const {
    if (left == right)
      return madeBy(left, "constant");
    if (left < body.numArguments || right < body.numArguments)
      return left < body.numArguments && left % 2 == 0 && right == left + 1;
    const Instruction *a = makers[left], *b = makers[right];
    if (a->op != b->op || !(a->attributes == b->attributes) || !a->functions.empty() ||
        a->operands.size() != b->operands.size() || a->results.size() != 1)
      return false;
    for (size_t i = 0; i < a->operands.size(); ++i)
      if (!mirrors(a->operands[i], b->operands[i]))
        return false;
    return true;
  }

  static bool samePlace(const Comparison &a, const Comparison &b) {
    return a.left == b.left && a.total == b.total;
  }

  /// Notes the keys by which `value` says that the left side comes first.
  bool addKeys(ValueId value) {
    if (auto compare = comparisonAt(value)) {
      found.push_back(*compare);
      return compare->direction == "LT" || compare->direction == "GT";
    }
    if (const Instruction *either = madeBy(value, "or"))
      return addTie(either->operands[0], either->operands[1]) ||
             addTie(either->operands[1], either->operands[0]);
    const Instruction *select = madeBy(value, "select");
    if (!select)
      return false;
    std::optional<Comparison> tie = comparisonAt(select->operands[0]);
    if (!tie || (tie->direction != "EQ" && tie->direction != "NE"))
      return false;
    bool isEqual = tie->direction == "EQ";
    return addFirst(select->operands[isEqual ? 2 : 1], *tie) &&
           addKeys(select->operands[isEqual ? 1 : 2]);
  }

  /// `first` decides, unless its sides are equal and `rest` decides.
  bool addTie(ValueId first, ValueId rest) {
    const Instruction *both = madeBy(rest, "and");
    for (int i = 0; both && i < 2; ++i) {
      std::optional<Comparison> tie = comparisonAt(both->operands[i]);
      size_t before = found.size();
      if (tie && tie->direction == "EQ" && addFirst(first, *tie) && addKeys(both->operands[1 - i]))
        return true;
      found.resize(before);
    }
    return false;
  }

  bool addFirst(ValueId value, const Comparison &tie) {
    std::optional<Comparison> first = comparisonAt(value);
    if (!first || !samePlace(*first, tie) || (first->direction != "LT" && first->direction != "GT"))
      return false;
    found.push_back(*first);
    return true;
  }

  bool makeKeys(SortKeys &out) const {
    for (const Comparison &comparison : found) {
      SortKeys::Key key;
      key.element = body.values[comparison.left].element;
      key.descending = comparison.direction == "GT";
      key.total = comparison.total;
      if (isComplex(key.element) || storedBytes(key.element) > static_cast<int>(sizeof(uint64_t)))
        return false;
      absl::StatusOr<TileProgram> value =
          TileProgram::create(program, functionOf(comparison.left), registry);
      if (!value.ok())
        return false;
      key.value = *std::move(value);
      out.keys.push_back(std::move(key));
    }
    return true;
  }

  /// Returns the function from one element of each operand to `value`.
  Function functionOf(ValueId value) const {
    std::vector<bool> isNeeded(body.values.size(), false);
    isNeeded[value] = true;
    for (auto it = body.instructions.rbegin(); it != body.instructions.rend(); ++it)
      if (it->results.size() == 1 && isNeeded[it->results[0]])
        for (ValueId operand : it->operands)
          isNeeded[operand] = true;
    Function out;
    out.name = body.name;
    std::vector<ValueId> numbers(body.values.size(), -1);
    for (size_t i = 0; i < count; ++i) {
      numbers[2 * i] = i;
      out.values.push_back(body.values[2 * i]);
    }
    out.numArguments = count;
    for (const Instruction &instruction : body.instructions) {
      if (instruction.results.size() != 1 || !isNeeded[instruction.results[0]])
        continue;
      Instruction copy = instruction;
      copy.releases.clear();
      for (ValueId &operand : copy.operands)
        operand = numbers[operand];
      numbers[instruction.results[0]] = copy.results[0] = out.values.size();
      out.values.push_back(body.values[instruction.results[0]]);
      out.instructions.push_back(std::move(copy));
    }
    out.results = {numbers[value]};
    return out;
  }

  const DeviceProgram &program;
  const Function &body;
  size_t count;
  const KernelRegistry &registry;
  std::vector<const Instruction *> makers;
  std::vector<Comparison> found;
  mutable std::map<std::pair<ValueId, ValueId>, bool> mirrored;
};

std::optional<SortKeys> SortKeys::recognise(const DeviceProgram &program, const Function &body,
                                            size_t count, const KernelRegistry &registry) {
  SortKeys keys;
  if (Recogniser(program, body, count, registry).run(keys))
    return keys;
  return std::nullopt;
}

int SortKeys::bits(size_t key) const { return 8 * storageOf(keys[key].element).nativeBytes; }

/// Sets `code` so that codes are ordered as numbers are. Returns false for a NaN that is in no
/// order.
template <typename T>
static bool encodeKey(T value, bool total, bool zeroesDenormals, uint64_t &code) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!total && value != value)
      return false;
    if (!total && zeroesDenormals)
      value = withoutDenormal(value);
    if (!total && value == 0)
      value = 0; // Both zeros are equal.
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr Bits sign = Bits(1) << (8 * sizeof(T) - 1);
    Bits bits;
    std::memcpy(&bits, &value, sizeof(bits));
    code = bits & sign ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | sign);
  } else if constexpr (std::is_same_v<T, bool>) {
    code = value;
  } else if constexpr (std::is_integral_v<T>) {
    using Bits = std::make_unsigned_t<T>;
    code =
        static_cast<Bits>(static_cast<Bits>(value) ^
                          (std::is_signed_v<T> ? Bits(Bits(1) << (8 * sizeof(T) - 1)) : Bits(0)));
  } else {
    return false;
  }
  return true;
}

std::optional<std::vector<uint64_t>> SortKeys::codes(size_t index, int64_t n,
                                                     absl::Span<const void *const> operands) const {
  const Key &key = keys[index];
  const Storage &storage = storageOf(key.element);
  std::vector<std::byte> stored(n * storedBytes(key.element)), native;
  key.value.run(n, operands, {stored.data()}, std::vector<bool>(operands.size(), false));
  const std::byte *values = stored.data();
  if (!storage.isDirect()) {
    native.resize(n * storage.nativeBytes);
    storage.load(n, stored.data(), native.data());
    values = native.data();
  }
  std::vector<uint64_t> out(n);
  uint64_t flip = key.descending ? ~uint64_t{0} >> (64 - bits(index)) : 0;
  bool zeroesDenormals = DenormalScope::current() != Denormals::keep;
  bool ordered = visitNative(key.element, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    auto *in = reinterpret_cast<const T *>(values);
    for (int64_t i = 0; i < n; ++i) {
      if (!encodeKey(in[i], key.total, zeroesDenormals, out[i]))
        return false;
      out[i] ^= flip;
    }
    return true;
  });
  if (!ordered)
    return std::nullopt;
  return out;
}

} // namespace spmd
