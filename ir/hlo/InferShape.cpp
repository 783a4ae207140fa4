#include "spmd/ir/hlo/InferShape.h"

#include "spmd/ir/hlo/Opcodes.h"
#include "spmd/ir/hlo/PrimitiveTypes.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

#include <algorithm>

namespace spmd::hlo {

namespace {

using Shapes = absl::Span<const ShapeProto *const>;
using Result = absl::StatusOr<ShapeProto>;

/// What a rule works on.
struct Request {
  const HloInstructionProto &instruction;
  Shapes operands, called;

  const ShapeProto &operand(size_t i) const { return *operands[i]; }
};

using Rule = Result (*)(const Request &);

absl::Status misfit(const std::string &why) { return absl::InvalidArgumentError(why); }

//===- Shapes -------------------------------------------------------------===//

ShapeProto arrayOf(PrimitiveType element, absl::Span<const int64_t> dims = {}) {
  ShapeProto shape;
  shape.set_element_type(element);
  shape.mutable_dimensions()->Add(dims.begin(), dims.end());
  return shape;
}

/// Returns `shape` without its layout.
ShapeProto plain(const ShapeProto &shape) {
  ShapeProto copy = shape;
  copy.clear_layout();
  for (int i = 0; i < copy.tuple_shapes_size(); ++i)
    *copy.mutable_tuple_shapes(i) = plain(copy.tuple_shapes(i));
  return copy;
}

ShapeProto withElement(const ShapeProto &shape, PrimitiveType element) {
  ShapeProto copy = plain(shape);
  copy.set_element_type(element);
  return copy;
}

template <typename List> ShapeProto tupleOf(const List &shapes) {
  ShapeProto tuple;
  tuple.set_element_type(TUPLE);
  for (const ShapeProto &shape : shapes)
    *tuple.add_tuple_shapes() = plain(shape);
  return tuple;
}

/// One shape as it is, several as a tuple.
ShapeProto joined(const std::vector<ShapeProto> &shapes) {
  return shapes.size() == 1 ? shapes.front() : tupleOf(shapes);
}

std::vector<int64_t> dimsOf(const ShapeProto &shape) {
  return {shape.dimensions().begin(), shape.dimensions().end()};
}

template <typename List> bool contains(const List &list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Whether each of `dims` is a dim of an array of rank `rank`.
template <typename List> bool areDims(const List &dims, int64_t rank) {
  return std::all_of(dims.begin(), dims.end(), [&](int64_t d) { return d >= 0 && d < rank; });
}

PrimitiveType realOf(PrimitiveType element) {
  return element == C64 ? F32 : element == C128 ? F64 : element;
}

//===- Elementwise ----------------------------------------------------------===//

template <int number> Result asOperand(const Request &at) { return plain(at.operand(number)); }

Result asPredicate(const Request &at) { return withElement(at.operand(0), PRED); }

Result asReal(const Request &at) {
  return withElement(at.operand(0), realOf(at.operand(0).element_type()));
}

Result ofComplex(const Request &at) {
  PrimitiveType part = at.operand(0).element_type();
  if (part != F32 && part != F64)
    return misfit("its operand has no complex type");
  return withElement(at.operand(0), part == F32 ? C64 : C128);
}

Result ofAllOperands(const Request &at) {
  std::vector<ShapeProto> shapes;
  size_t roots = at.instruction.has_dynamic_root() ? 1 : 0;
  if (at.operands.size() <= roots)
    return misfit("it has no operand beside the roots");
  for (const ShapeProto *shape : at.operands.first(at.operands.size() - roots))
    shapes.push_back(plain(*shape));
  return joined(shapes);
}

Result ofCalled(const Request &at) {
  if (at.called.empty())
    return misfit("it calls no computation");
  return plain(*at.called.front());
}

Result ofMap(const Request &at) {
  if (at.called.empty() || at.operands.empty())
    return misfit("it has no operand, or calls no computation");
  return withElement(at.operand(0), at.called.front()->element_type());
}

template <PrimitiveType element> Result scalar(const Request &) { return arrayOf(element); }

//===- Moves ----------------------------------------------------------------===//

Result ofTuple(const Request &at) {
  std::vector<ShapeProto> shapes;
  for (const ShapeProto *shape : at.operands)
    shapes.push_back(*shape);
  return tupleOf(shapes);
}

Result ofElement(const Request &at) {
  int64_t index = at.instruction.tuple_index();
  if (index < 0 || index >= at.operand(0).tuple_shapes_size())
    return misfit(
        absl::StrCat("there is no element ", index, " of ", at.operand(0).tuple_shapes_size()));
  return plain(at.operand(0).tuple_shapes(static_cast<int>(index)));
}

Result ofConcatenate(const Request &at) {
  ShapeProto shape = plain(at.operand(0));
  if (at.instruction.dimensions_size() != 1 ||
      !areDims(at.instruction.dimensions(), shape.dimensions_size()))
    return misfit("'dimensions' is no dim of its operand");
  int dim = static_cast<int>(at.instruction.dimensions(0));
  for (const ShapeProto *other : at.operands.subspan(1)) {
    if (other->dimensions_size() != shape.dimensions_size())
      return misfit("its operands have different ranks");
    shape.set_dimensions(dim, shape.dimensions(dim) + other->dimensions(dim));
  }
  return shape;
}

Result ofTranspose(const Request &at) {
  const ShapeProto &operand = at.operand(0);
  const auto &order = at.instruction.dimensions();
  if (order.size() != operand.dimensions_size() || !areDims(order, order.size()))
    return misfit("'dimensions' does not name the dims of its operand");
  ShapeProto shape = plain(operand);
  for (int i = 0; i < order.size(); ++i) {
    shape.set_dimensions(i, operand.dimensions(static_cast<int>(order[i])));
    if (shape.is_dynamic_dimension_size() > i)
      shape.set_is_dynamic_dimension(i, operand.is_dynamic_dimension(static_cast<int>(order[i])));
  }
  return shape;
}

Result ofPad(const Request &at) {
  ShapeProto shape = plain(at.operand(0));
  const auto &padding = at.instruction.padding_config().dimensions();
  if (padding.size() != shape.dimensions_size())
    return misfit("'padding' is not that of each dim");
  for (int i = 0; i < padding.size(); ++i) {
    int64_t size = shape.dimensions(i);
    int64_t inner = std::max<int64_t>(size - 1, 0) * padding[i].interior_padding();
    shape.set_dimensions(i, size + inner + padding[i].edge_padding_low() +
                                padding[i].edge_padding_high());
  }
  return shape;
}

Result ofSlice(const Request &at) {
  ShapeProto shape = plain(at.operand(0));
  const auto &slices = at.instruction.slice_dimensions();
  if (slices.size() != shape.dimensions_size())
    return misfit("'slice' is not that of each dim");
  for (int i = 0; i < slices.size(); ++i) {
    int64_t stride = slices[i].stride();
    if (stride < 1 || slices[i].limit() < slices[i].start())
      return misfit("'slice' has a stride below 1 or ends before it starts");
    shape.set_dimensions(i, (slices[i].limit() - slices[i].start() + stride - 1) / stride);
  }
  return shape;
}

Result ofDynamicSlice(const Request &at) {
  const auto &sizes = at.instruction.dynamic_slice_sizes();
  if (sizes.size() != at.operand(0).dimensions_size())
    return misfit("'dynamic_slice_sizes' is not that of each dim");
  return arrayOf(at.operand(0).element_type(), std::vector<int64_t>(sizes.begin(), sizes.end()));
}

Result ofGather(const Request &at) {
  const GatherDimensionNumbers &numbers = at.instruction.gather_dimension_numbers();
  std::vector<int64_t> window;
  const auto &sizes = at.instruction.gather_slice_sizes();
  for (int i = 0; i < sizes.size(); ++i)
    if (!contains(numbers.collapsed_slice_dims(), i) &&
        !contains(numbers.operand_batching_dims(), i))
      window.push_back(sizes[i]);
  std::vector<int64_t> batch = dimsOf(at.operand(1));
  int64_t vector = numbers.index_vector_dim();
  if (vector >= 0 && vector < static_cast<int64_t>(batch.size()))
    batch.erase(batch.begin() + vector);
  if (window.size() != static_cast<size_t>(numbers.offset_dims_size()))
    return misfit("'offset_dims' does not name the dims of its slices");
  std::vector<int64_t> dims;
  size_t nextWindow = 0, nextBatch = 0;
  for (size_t i = 0; i < window.size() + batch.size(); ++i) {
    bool isWindow = contains(numbers.offset_dims(), static_cast<int64_t>(i));
    if (isWindow ? nextWindow == window.size() : nextBatch == batch.size())
      return misfit("'offset_dims' does not name dims of its result");
    dims.push_back(isWindow ? window[nextWindow++] : batch[nextBatch++]);
  }
  return arrayOf(at.operand(0).element_type(), dims);
}

//===- Reductions -------------------------------------------------------------===//

/// Of `reduce` and `reduce-window`: half of the operands are reduced, the others begin with.
template <typename Dims> Result ofReduced(const Request &at, Dims dimsOfOne) {
  size_t count = at.operands.size() / 2;
  if (count == 0 || at.operands.size() % 2 != 0)
    return misfit("it has not as many initial values as arrays");
  std::vector<ShapeProto> shapes;
  for (size_t i = 0; i < count; ++i) {
    absl::StatusOr<std::vector<int64_t>> dims = dimsOfOne(at.operand(i));
    if (!dims.ok())
      return dims.status();
    shapes.push_back(arrayOf(at.operand(count + i).element_type(), *dims));
  }
  return joined(shapes);
}

Result ofReduce(const Request &at) {
  return ofReduced(at, [&](const ShapeProto &shape) -> absl::StatusOr<std::vector<int64_t>> {
    if (!areDims(at.instruction.dimensions(), shape.dimensions_size()))
      return misfit("'dimensions' names no dims of its operand");
    std::vector<int64_t> kept;
    for (int d = 0; d < shape.dimensions_size(); ++d)
      if (!contains(at.instruction.dimensions(), d))
        kept.push_back(shape.dimensions(d));
    return kept;
  });
}

/// Returns at how many places a window stands, or nothing if its sizes are not positive.
absl::StatusOr<int64_t> numPlaces(int64_t size, const WindowDimension &window) {
  int64_t stride = window.stride(), width = window.size();
  int64_t base = std::max<int64_t>(window.base_dilation(), 1);
  int64_t dilation = std::max<int64_t>(window.window_dilation(), 1);
  if (stride < 1 || width < 1)
    return misfit("'window' has sizes or strides below 1");
  int64_t padded =
      (size == 0 ? 0 : (size - 1) * base + 1) + window.padding_low() + window.padding_high();
  int64_t spanned = (width - 1) * dilation + 1;
  return padded < spanned ? 0 : (padded - spanned) / stride + 1;
}

Result ofReduceWindow(const Request &at) {
  const auto &window = at.instruction.window().dimensions();
  return ofReduced(at, [&](const ShapeProto &shape) -> absl::StatusOr<std::vector<int64_t>> {
    if (window.size() != shape.dimensions_size())
      return misfit("'window' is not that of each dim");
    std::vector<int64_t> dims;
    for (int d = 0; d < window.size(); ++d) {
      absl::StatusOr<int64_t> places = numPlaces(shape.dimensions(d), window[d]);
      if (!places.ok())
        return places.status();
      dims.push_back(*places);
    }
    return dims;
  });
}

Result ofScatter(const Request &at) {
  size_t count = (at.operands.size() - 1) / 2; // Arrays, indices, as many updates.
  std::vector<ShapeProto> shapes;
  for (size_t i = 0; i < count; ++i)
    shapes.push_back(plain(at.operand(i)));
  return joined(shapes);
}

Result ofTopK(const Request &at) {
  ShapeProto values = plain(at.operand(0));
  if (values.dimensions().empty())
    return misfit("its operand is a scalar");
  values.set_dimensions(values.dimensions_size() - 1, at.instruction.k());
  return tupleOf(std::vector<ShapeProto>{values, withElement(values, S32)});
}

//===- Linear algebra -----------------------------------------------------------===//

/// Returns the wider of two types of elements of one kind.
PrimitiveType widerOf(PrimitiveType a, PrimitiveType b) {
  const PrimitiveTypeInfo *first = findPrimitiveType(a), *second = findPrimitiveType(b);
  return first && second && second->bits > first->bits ? b : a;
}

/// Of a product whose dims, not those in `groups` of the second operand, stand behind `dims`.
Result ofProduct(const Request &at, const DotDimensionNumbers &numbers, std::vector<int64_t> dims,
                 const google::protobuf::RepeatedField<int64_t> &groups) {
  const ShapeProto &lhs = at.operand(0), &rhs = at.operand(1);
  if (!areDims(numbers.lhs_batch_dimensions(), lhs.dimensions_size()))
    return misfit("'lhs_batch_dims' names no dims of its operand");
  for (int64_t d : numbers.lhs_batch_dimensions())
    dims.push_back(lhs.dimensions(static_cast<int>(d)));
  for (int d = 0; d < lhs.dimensions_size(); ++d)
    if (!contains(numbers.lhs_batch_dimensions(), d) &&
        !contains(numbers.lhs_contracting_dimensions(), d))
      dims.push_back(lhs.dimensions(d));
  for (int d = 0; d < rhs.dimensions_size(); ++d)
    if (!contains(numbers.rhs_batch_dimensions(), d) &&
        !contains(numbers.rhs_contracting_dimensions(), d) && !contains(groups, d))
      dims.push_back(rhs.dimensions(d));
  return arrayOf(widerOf(lhs.element_type(), rhs.element_type()), dims);
}

Result ofDot(const Request &at) {
  return ofProduct(at, at.instruction.dot_dimension_numbers(), {}, {});
}

/// Groups of rows have one product. Groups of a contracted dim have a product each: the result has
/// a dim for them in front.
Result ofRaggedDot(const Request &at) {
  const auto &ragged = at.instruction.ragged_dot_dimension_numbers();
  const DotDimensionNumbers &numbers = ragged.dot_dimension_numbers();
  const ShapeProto &sizes = at.operand(2);
  if (ragged.lhs_ragged_dimensions_size() != 1 || sizes.dimensions().empty())
    return misfit("it has no ragged dim, or no sizes of groups");
  std::vector<int64_t> front;
  if (contains(numbers.lhs_contracting_dimensions(), ragged.lhs_ragged_dimensions(0)))
    front.push_back(*sizes.dimensions().rbegin());
  return ofProduct(at, numbers, std::move(front), ragged.rhs_group_dimensions());
}

Result ofConvolution(const Request &at) {
  const ConvolutionDimensionNumbers &numbers = at.instruction.convolution_dimension_numbers();
  const auto &window = at.instruction.window().dimensions();
  const ShapeProto &input = at.operand(0), &kernel = at.operand(1);
  int rank = numbers.output_spatial_dimensions_size() + 2;
  bool fits = window.size() == rank - 2 && input.dimensions_size() == rank &&
              kernel.dimensions_size() == rank &&
              areDims(numbers.output_spatial_dimensions(), rank) &&
              areDims(numbers.input_spatial_dimensions(), rank) &&
              numbers.input_spatial_dimensions_size() == rank - 2 &&
              areDims(std::vector<int64_t>{numbers.input_batch_dimension(),
                                           numbers.kernel_output_feature_dimension(),
                                           numbers.output_batch_dimension(),
                                           numbers.output_feature_dimension()},
                      rank);
  if (!fits)
    return misfit("'window' and 'dim_labels' do not fit its operands");
  std::vector<int64_t> dims(rank);
  int64_t groups = std::max<int64_t>(at.instruction.batch_group_count(), 1);
  dims[numbers.output_batch_dimension()] =
      input.dimensions(static_cast<int>(numbers.input_batch_dimension())) / groups;
  dims[numbers.output_feature_dimension()] =
      kernel.dimensions(static_cast<int>(numbers.kernel_output_feature_dimension()));
  for (int i = 0; i < window.size(); ++i) {
    auto size = input.dimensions(static_cast<int>(numbers.input_spatial_dimensions(i)));
    absl::StatusOr<int64_t> places = numPlaces(size, window[i]);
    if (!places.ok())
      return places.status();
    dims[numbers.output_spatial_dimensions(i)] = *places;
  }
  return arrayOf(widerOf(input.element_type(), kernel.element_type()), dims);
}

Result ofFft(const Request &at) {
  ShapeProto shape = plain(at.operand(0));
  const auto &lengths = at.instruction.fft_length();
  if (lengths.empty() || lengths.size() > shape.dimensions_size())
    return misfit("'fft_length' has more dims than its operand");
  int last = shape.dimensions_size() - 1;
  if (at.instruction.fft_type() == RFFT) {
    shape.set_element_type(shape.element_type() == F64 ? C128 : C64);
    if (shape.dimensions(last) != 0)
      shape.set_dimensions(last, lengths[lengths.size() - 1] / 2 + 1);
  } else if (at.instruction.fft_type() == IRFFT) {
    shape.set_element_type(realOf(shape.element_type()));
    shape.set_dimensions(last, lengths[lengths.size() - 1]);
  }
  return shape;
}

/// The normalized array (or its gradient), then two arrays of the size of the feature dim.
Result ofBatchNorm(const Request &at) {
  const ShapeProto &operand = at.operand(0);
  int64_t feature = at.instruction.feature_index();
  if (feature < 0 || feature >= operand.dimensions_size())
    return misfit("'feature_index' is no dim of its operand");
  ShapeProto one = arrayOf(operand.element_type(), {operand.dimensions(static_cast<int>(feature))});
  return tupleOf(std::vector<ShapeProto>{operand, one, one});
}

//===- The table ----------------------------------------------------------------===//

struct RuleOf {
  const char *opcodes; ///< With spaces between.
  Rule rule;
};

constexpr RuleOf rules[] = {
    {"acos acosh add add-dependency and asin asinh atan2 atanh batch-norm-inference cbrt "
     "ceil cholesky copy cosh cosine count-leading-zeros divide domain "
     "dynamic-update-slice erf exponential exponential-minus-one floor log log-plus-one logistic "
     "maximum minimum mulhi multiply negate not opt-barrier or popcnt power reduce-precision "
     "remainder reverse round-nearest-afz round-nearest-even rsqrt select-and-scatter "
     "set-dimension-size shift-left shift-right-arithmetic shift-right-logical sign sine sinh sqrt "
     "subtract tan tanh while xor",
     asOperand<0>},
    {"clamp select triangular-solve", asOperand<1>},
    {"abs imag real", asReal},
    {"compare is-finite", asPredicate},
    {"complex", ofComplex},
    {"all-reduce all-to-all collective-broadcast collective-permute collective-reduce sort",
     ofAllOperands},
    {"call conditional", ofCalled},
    {"map", ofMap},
    {"get-dimension-size", scalar<S32>},
    {"partition-id replica-id", scalar<U32>},
    {"after-all", scalar<TOKEN>},
    {"tuple", ofTuple},
    {"get-tuple-element", ofElement},
    {"concatenate", ofConcatenate},
    {"transpose", ofTranspose},
    {"pad", ofPad},
    {"slice", ofSlice},
    {"dynamic-slice", ofDynamicSlice},
    {"gather", ofGather},
    {"reduce", ofReduce},
    {"reduce-window", ofReduceWindow},
    {"scatter", ofScatter},
    {"topk", ofTopK},
    {"dot", ofDot},
    {"ragged-dot", ofRaggedDot},
    {"convolution", ofConvolution},
    {"fft", ofFft},
    {"batch-norm-training batch-norm-grad", ofBatchNorm},
};

Rule ruleOf(absl::string_view opcode) {
  static const auto *table = [] {
    auto *byName = new absl::flat_hash_map<std::string, Rule>;
    for (const RuleOf &each : rules)
      for (absl::string_view name : absl::StrSplit(each.opcodes, ' '))
        byName->emplace(name, each.rule);
    return byName;
  }();
  auto found = table->find(opcode);
  return found == table->end() ? nullptr : found->second;
}

} // namespace

absl::StatusOr<ShapeProto> inferShape(const HloInstructionProto &instruction, Shapes operands,
                                      Shapes called) {
  Rule rule = ruleOf(instruction.opcode());
  if (!rule)
    return misfit(absl::StrCat("the shape of '", instruction.opcode(),
                               "' does not follow from its operands"));
  const OpcodeInfo &info = *findOpcode(instruction.opcode());
  int count = static_cast<int>(operands.size());
  if (count == 0
          ? info.leastOperands > 0 || rule == ofAllOperands
          : count < info.leastOperands || (info.mostOperands >= 0 && count > info.mostOperands))
    return misfit(absl::StrCat("'", instruction.opcode(), "' has ", count, " operands"));
  return rule({instruction, operands, called});
}

} // namespace spmd::hlo
