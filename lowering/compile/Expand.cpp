#include "spmd/lowering/compile/Expand.h"

#include "spmd/dialect/stablehlo/Einsum.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace spmd {

using Ids = std::vector<ValueId>;
using Ints = std::vector<int64_t>;
using Results = absl::StatusOr<Ids>;

namespace {

/// Emits the ops that expansions are made of, on one instruction's operands.
class Expansion {
public:
  Expansion(Emitter &emit, const Instruction &instruction, const std::vector<TensorType> &results)
      : emit(emit), instruction(instruction), results(results) {}

  Results batchNormInference();
  Results batchNormTraining();
  Results batchNormGrad();
  Results broadcast();
  Results dot();
  Results einsum();
  Results rotate();
  Results torchIndexSelect();

private:
  ValueId operand(size_t i) const { return instruction.operands[i]; }
  TensorType type(ValueId value) const { return emit.typeOf(value); }

  ValueId binary(const char *op, ValueId a, ValueId b) { return emit.add(op, {a, b}, type(a)); }

  /// Returns a tensor of `type` with `number` everywhere.
  ValueId splat(const TensorType &type, double number) {
    ValueId wide = emit.constant({ElementType::f64, {}},
                                 std::string(reinterpret_cast<const char *>(&number), 8), false);
    ValueId scalar = emit.add("convert", {wide}, {type.element, {}});
    return emit.add("broadcast_in_dim", {scalar}, type, {{"broadcast_dimensions", Ints{}}});
  }

  /// Returns the sum over `dims`.
  ValueId sum(ValueId value, const Ints &dims) {
    const TensorType from = type(value);
    TensorType to{from.element, {}};
    for (int64_t d = 0; d < from.rank(); ++d)
      if (std::find(dims.begin(), dims.end(), d) == dims.end())
        to.shape.push_back(from.shape[d]);
    ValueId zero = splat({from.element, {}}, 0);
    ValueId result = emit.add("reduce", {value, zero}, to, {{"dimensions", dims}});
    emit.function.instructions.back().functions = {emit.addBody("add", from.element)};
    return result;
  }

  // Of batch normalization: everything is spread to the shape of the operand.

  int64_t feature() const {
    return instruction.attributes.getOr<int64_t>("feature_index", 0).value_or(0);
  }
  ValueId spread(ValueId perFeature) {
    return emit.add("broadcast_in_dim", {perFeature}, type(operand(0)),
                    {{"broadcast_dimensions", Ints{feature()}}});
  }
  ValueId featureSum(ValueId value) {
    Ints dims(type(value).rank());
    std::iota(dims.begin(), dims.end(), 0);
    dims.erase(dims.begin() + feature());
    return sum(value, dims);
  }
  double elementsPerFeature() const {
    const TensorType &from = type(operand(0));
    int64_t features = from.shape[feature()];
    return features == 0 ? 0
                         : static_cast<double>(from.numElements()) / static_cast<double>(features);
  }
  /// Returns variance + epsilon, spread.
  ValueId guardedVariance(ValueId variance) {
    double epsilon = instruction.attributes.getOr<double>("epsilon", 0).value_or(0);
    return binary("add", spread(variance), splat(type(operand(0)), epsilon));
  }
  ValueId root(ValueId value) { return emit.add("sqrt", {value}, type(value)); }
  ValueId normalized(ValueId scale, ValueId offset, ValueId mean, ValueId variance) {
    ValueId centred = binary("subtract", operand(0), spread(mean));
    ValueId unit = binary("divide", centred, root(guardedVariance(variance)));
    return binary("add", binary("multiply", spread(scale), unit), spread(offset));
  }

  ValueId sumOfLetters(ValueId value, std::string &letters, const std::string &kept);
  ValueId diagonal(ValueId value, std::string &letters);

  Emitter &emit;
  const Instruction &instruction;
  const std::vector<TensorType> &results;
};

Results Expansion::batchNormInference() {
  return Ids{normalized(operand(1), operand(2), operand(3), operand(4))};
}

Results Expansion::batchNormTraining() {
  TensorType perFeature = type(operand(1));
  ValueId mean = binary("divide", featureSum(operand(0)), splat(perFeature, elementsPerFeature()));
  ValueId centred = binary("subtract", operand(0), spread(mean));
  ValueId variance = binary("divide", featureSum(binary("multiply", centred, centred)),
                            splat(perFeature, elementsPerFeature()));
  return Ids{normalized(operand(1), operand(2), mean, variance), mean, variance};
}

Results Expansion::batchNormGrad() {
  ValueId scale = operand(1), mean = operand(2), grad = operand(4);
  ValueId centred = binary("subtract", operand(0), spread(mean));
  ValueId variance = guardedVariance(operand(3)), deviation = root(variance);
  ValueId count = splat(type(operand(0)), elementsPerFeature());
  ValueId projected = spread(featureSum(binary("multiply", grad, centred)));
  ValueId along = binary("divide", binary("multiply", projected, centred), variance);
  ValueId offsetGrad = featureSum(grad);
  ValueId rest = binary(
      "subtract", binary("subtract", binary("multiply", grad, count), spread(offsetGrad)), along);
  ValueId factor = binary("divide", binary("divide", spread(scale), deviation), count);
  ValueId scaleGrad = featureSum(binary("multiply", grad, binary("divide", centred, deviation)));
  return Ids{binary("multiply", factor, rest), scaleGrad, offsetGrad};
}

/// broadcast: new dims before those of the operand.
Results Expansion::broadcast() {
  int64_t added = results[0].rank() - type(operand(0)).rank();
  Ints dims(type(operand(0)).rank());
  std::iota(dims.begin(), dims.end(), added);
  return Ids{
      emit.add("broadcast_in_dim", {operand(0)}, results[0], {{"broadcast_dimensions", dims}})};
}

/// dot: the last dim of the left operand meets the first of the right.
Results Expansion::dot() {
  return Ids{emit.add("dot_general", {operand(0), operand(1)}, results[0],
                      {{"lhs_contracting_dimensions", Ints{type(operand(0)).rank() - 1}},
                       {"rhs_contracting_dimensions", Ints{0}}})};
}

/// rotate, of `spmd`: the rows from `by` on, then those in front.
Results Expansion::rotate() {
  absl::StatusOr<int64_t> dim = instruction.attributes.get<int64_t>("dim"),
                          by = instruction.attributes.get<int64_t>("by");
  if (!dim.ok() || !by.ok())
    return dim.ok() ? by.status() : dim.status();
  auto rows = [&](int64_t from, int64_t to) {
    TensorType part = results[0];
    Ints starts(part.rank(), 0), limits = part.shape, strides(part.rank(), 1);
    starts[*dim] = from;
    limits[*dim] = to;
    part.shape[*dim] = to - from;
    return emit.add("slice", {operand(0)}, part,
                    {{"start_indices", starts}, {"limit_indices", limits}, {"strides", strides}});
  };
  ValueId first = rows(*by, results[0].shape[*dim]), second = rows(0, *by);
  return Ids{emit.add("concatenate", {first, second}, results[0], {{"dimension", *dim}})};
}

/// torch_index_select: row `index[b, i]` of dim `dim`, for each place of the batch dims.
Results Expansion::torchIndexSelect() {
  absl::StatusOr<int64_t> dim = instruction.attributes.getOr<int64_t>("dim", 0),
                          batch = instruction.attributes.getOr<int64_t>("batch_dims", 0);
  if (!dim.ok() || !batch.ok())
    return dim.ok() ? batch.status() : dim.status();
  const TensorType &from = type(operand(0)), &index = type(operand(1));
  if (*dim < 0 || *dim >= from.rank() || *batch < 0 || *batch > std::min(*dim, index.rank()))
    return absl::InvalidArgumentError("has dim or batch_dims out of range");
  Ints batching(*batch), offsets, sizes = from.shape;
  std::iota(batching.begin(), batching.end(), 0);
  for (int64_t d = *batch; d < results[0].rank(); ++d)
    if (d < *dim || d >= *dim + index.rank() - *batch)
      offsets.push_back(d);
  sizes[*dim] = std::min<int64_t>(sizes[*dim], 1);
  for (int64_t d : batching)
    sizes[d] = 1;
  return Ids{emit.add("gather", {operand(0), operand(1)}, results[0],
                      {{"offset_dims", offsets},
                       {"collapsed_slice_dims", Ints{*dim}},
                       {"operand_batching_dims", batching},
                       {"start_indices_batching_dims", batching},
                       {"start_index_map", Ints{*dim}},
                       {"index_vector_dim", index.rank()},
                       {"slice_sizes", sizes}})};
}

/// Sums over the dims whose letters nobody else has.
ValueId Expansion::sumOfLetters(ValueId value, std::string &letters, const std::string &kept) {
  Ints dims;
  std::string left;
  for (size_t d = 0; d < letters.size(); ++d)
    if (kept.find(letters[d]) == std::string::npos)
      dims.push_back(d);
    else
      left += letters[d];
  letters = left;
  return dims.empty() ? value : sum(value, dims);
}

/// Keeps of dims with the same letter the places where their indices agree; others become zero, and
/// the later dim is summed up.
ValueId Expansion::diagonal(ValueId value, std::string &letters) {
  for (size_t d = 0; d < letters.size(); ++d) {
    size_t first = letters.find(letters[d]);
    if (first == d)
      continue;
    TensorType from = type(value), index{ElementType::i64, from.shape};
    ValueId a = emit.add("iota", {}, index, {{"iota_dimension", static_cast<int64_t>(first)}});
    ValueId b = emit.add("iota", {}, index, {{"iota_dimension", static_cast<int64_t>(d)}});
    ValueId agree = emit.add("compare", {a, b}, {ElementType::i1, from.shape},
                             {{"comparison_direction", std::string("EQ")}});
    value = emit.add("select", {agree, value, splat(from, 0)}, from);
    value = sum(value, {static_cast<int64_t>(d)});
    letters.erase(d, 1);
    --d;
  }
  return value;
}

/// einsum and unary_einsum, whose dims have letters: "ab,bc->ac".
Results Expansion::einsum() {
  absl::StatusOr<std::string> text = instruction.attributes.get<std::string>("einsum_config");
  if (!text.ok())
    return text.status();
  auto malformed = [&] {
    return absl::InvalidArgumentError(
        absl::StrCat("has einsum_config \"", *text, "\" that does not fit its operands"));
  };
  std::optional<stablehlo::EinsumConfig> config = stablehlo::parseEinsum(*text);
  size_t count = instruction.operands.size();
  if (!config || config->operands.size() != count)
    return malformed();
  std::string out = config->result, letters[2] = {config->operands[0], config->operands.back()};
  ValueId values[2] = {operand(0), operand(count - 1)};
  for (size_t i = 0; i < count; ++i)
    if (!stablehlo::nameEllipsis(letters[i], type(values[i]).rank()) ||
        static_cast<int64_t>(letters[i].size()) != type(values[i]).rank())
      return malformed();
  if (!stablehlo::nameEllipsis(out, results[0].rank()))
    return malformed();
  for (size_t i = 0; i < count; ++i) {
    values[i] = diagonal(values[i], letters[i]);
    values[i] = sumOfLetters(values[i], letters[i], out + (count == 2 ? letters[1 - i] : ""));
  }
  ValueId value = values[0];
  std::string made = letters[0];
  if (count == 2) {
    Ints batch[2], contracted[2];
    std::string batchLetters, free[2];
    for (char letter : letters[0]) {
      size_t other = letters[1].find(letter);
      bool isShared = other != std::string::npos, isKept = out.find(letter) != std::string::npos;
      if (!isShared) {
        free[0] += letter;
        continue;
      }
      (isKept ? batch : contracted)[0].push_back(letters[0].find(letter));
      (isKept ? batch : contracted)[1].push_back(other);
      if (isKept)
        batchLetters += letter;
    }
    for (char letter : letters[1])
      if (letters[0].find(letter) == std::string::npos)
        free[1] += letter;
    made = batchLetters + free[0] + free[1];
    TensorType product{results[0].element, {}};
    for (char letter : made) {
      size_t side = letters[0].find(letter) == std::string::npos;
      product.shape.push_back(type(values[side]).shape[letters[side].find(letter)]);
    }
    value = emit.add("dot_general", {values[0], values[1]}, product,
                     {{"lhs_batching_dimensions", batch[0]},
                      {"rhs_batching_dimensions", batch[1]},
                      {"lhs_contracting_dimensions", contracted[0]},
                      {"rhs_contracting_dimensions", contracted[1]}});
  }
  Ints permutation;
  for (char letter : out) {
    if (made.find(letter) == std::string::npos)
      return malformed();
    permutation.push_back(made.find(letter));
  }
  if (permutation.size() != made.size())
    return malformed();
  return Ids{emit.add("transpose", {value}, results[0], {{"permutation", permutation}})};
}

struct Entry {
  const char *op;
  Results (Expansion::*expand)();
};
constexpr Entry entries[] = {{"batch_norm_grad", &Expansion::batchNormGrad},
                             {"batch_norm_inference", &Expansion::batchNormInference},
                             {"batch_norm_training", &Expansion::batchNormTraining},
                             {"broadcast", &Expansion::broadcast},
                             {"dot", &Expansion::dot},
                             {"einsum", &Expansion::einsum},
                             {"rotate", &Expansion::rotate},
                             {"torch_index_select", &Expansion::torchIndexSelect},
                             {"unary_einsum", &Expansion::einsum}};

const Entry *entryOf(const std::string &op) {
  const Entry *entry = std::find_if(std::begin(entries), std::end(entries),
                                    [&](const Entry &candidate) { return candidate.op == op; });
  return entry == std::end(entries) ? nullptr : entry;
}

} // namespace

bool isExpanded(const std::string &op) { return entryOf(op) != nullptr; }

Results expand(Emitter &emit, const Instruction &instruction,
               const std::vector<TensorType> &results) {
  Expansion expansion(emit, instruction, results);
  return (expansion.*entryOf(instruction.op)->expand)();
}

} // namespace spmd
