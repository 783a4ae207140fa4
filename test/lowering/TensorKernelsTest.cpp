// Kernels that move and combine elements, against naive loops.
#include "Programs.h"

#include <cstring>

#include "spmd/lowering/interpreter/StridedCopy.h"

#include <algorithm>
#include <limits>

namespace spmd::test {
namespace {

using E = ElementType;
using F32 = std::vector<float>;

F32 floats(absl::StatusOr<std::vector<Tensor>> results) {
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? elementsOf<float>((*results)[0]) : F32();
}

Tensor iota(Ints shape) {
  Tensor tensor = *Tensor::allocate(f32(std::move(shape)));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.mutableAs<float>()[i] = i;
  return tensor;
}
Tensor scalar(float value) { return Tensor::of<float>(E::f32, {}, {value}); }
Tensor index(int64_t value) { return Tensor::of<int64_t>(E::i64, {}, {value}); }

TEST(Move, BroadcastTransposeReverse) {
  EXPECT_EQ(floats(runOp("broadcast_in_dim", {iota({2})}, {f32({3, 2})},
                         {{"broadcast_dimensions", Ints{1}}})),
            (F32{0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(floats(runOp("broadcast_in_dim", {iota({2, 1})}, {f32({2, 2})},
                         {{"broadcast_dimensions", Ints{0, 1}}})),
            (F32{0, 0, 1, 1}));
  EXPECT_EQ(
      floats(runOp("transpose", {iota({2, 3})}, {f32({3, 2})}, {{"permutation", Ints{1, 0}}})),
      (F32{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(floats(runOp("reverse", {iota({2, 3})}, {f32({2, 3})}, {{"dimensions", Ints{1}}})),
            (F32{2, 1, 0, 5, 4, 3}));
}

TEST(Move, SliceAndConcatenate) {
  EXPECT_EQ(
      floats(runOp(
          "slice", {iota({3, 4})}, {f32({2, 2})},
          {{"start_indices", Ints{1, 0}}, {"limit_indices", Ints{3, 3}}, {"strides", Ints{1, 2}}})),
      (F32{4, 6, 8, 10}));
  EXPECT_EQ(floats(runOp("concatenate", {iota({2, 1}), iota({2, 2})}, {f32({2, 3})},
                         {{"dimension", int64_t{1}}})),
            (F32{0, 0, 1, 1, 2, 3}));
  auto wrong = runOp("slice", {iota({3})}, {f32({4})},
                     {{"start_indices", Ints{0}}, {"limit_indices", Ints{4}}});
  EXPECT_EQ(wrong.status().message(), "'slice': dim 0 of size 3 is cut at 0:4:1");
}

TEST(Move, Pad) {
  auto pad = [](Ints low, Ints high, Ints interior, int64_t size) {
    return floats(runOp(
        "pad", {iota({3}), scalar(9)}, {f32({size})},
        {{"edge_padding_low", low}, {"edge_padding_high", high}, {"interior_padding", interior}}));
  };
  EXPECT_EQ(pad({1}, {2}, {1}, 8), (F32{9, 0, 9, 1, 9, 2, 9, 9}));
  EXPECT_EQ(pad({-1}, {0}, {1}, 4), (F32{9, 1, 9, 2}));
  EXPECT_EQ(pad({-1}, {-1}, {0}, 1), (F32{1}));
  EXPECT_EQ(pad({-5}, {3}, {0}, 1), (F32{9}));
}

TEST(Move, DynamicSlicesClamp) {
  for (auto [at, expected] : {std::pair<int64_t, F32>{1, {1, 2}}, {-3, {0, 1}}, {7, {2, 3}}}) {
    EXPECT_EQ(floats(runOp("dynamic_slice", {iota({4}), index(at)}, {f32({2})},
                           {{"slice_sizes", Ints{2}}})),
              expected);
    F32 updated =
        floats(runOp("dynamic_update_slice",
                     {iota({4}), Tensor::of<float>(E::f32, {1}, {9}), index(at)}, {f32({4})}));
    EXPECT_EQ(updated[std::clamp<int64_t>(at, 0, 3)], 9);
    EXPECT_EQ(std::count(updated.begin(), updated.end(), 9), 1);
  }
}

TEST(Move, ConstantsAndShapes) {
  auto constant = runOp("constant", {}, {i32({3})}, {{"pool", int64_t{0}}, {"splat", true}}, {},
                        {std::string("\5\0\0\0", 4)});
  EXPECT_EQ(elementsOf<int32_t>((*constant)[0]), (std::vector<int32_t>{5, 5, 5}));
  auto iotaResult = runOp("iota", {}, {type(E::bf16, {2, 2})}, {{"iota_dimension", int64_t{1}}});
  EXPECT_EQ(elementsOf<uint16_t>((*iotaResult)[0]), (std::vector<uint16_t>{0, 0x3f80, 0, 0x3f80}));
  Tensor bits = Tensor::of<float>(E::f32, {1}, {1});
  auto cast = runOp("bitcast_convert", {bits}, {type(E::ui16, {1, 2})});
  EXPECT_EQ(elementsOf<uint16_t>((*cast)[0]), (std::vector<uint16_t>{0, 0x3f80}));
  EXPECT_EQ(runOp("reshape", {iota({4})}, {f32({3})}).status().message(),
            "'reshape': takes 4xf32 to 3xf32, which hold different elements");
}

TEST(Dot, MatchesNaiveForEveryOrderOfDims) {
  // [b, m, k] x [b, k, n], with the dims of each operand in all six orders.
  const Ints sizes = {2, 3, 4}; // b, m, k; and b, k, n with n = 5.
  Ints order = {0, 1, 2};
  do {
    Ints lhsShape, rhsShape, rhsSizes = {2, 4, 5};
    Ints at(3);
    for (int64_t d = 0; d < 3; ++d) {
      lhsShape.push_back(sizes[order[d]]);
      rhsShape.push_back(rhsSizes[order[d]]);
      at[order[d]] = d;
    }
    Tensor lhs = randomF32(lhsShape, 1), rhs = randomF32(rhsShape, 2);
    Attributes attributes = {{"lhs_batching_dimensions", Ints{at[0]}},
                             {"rhs_batching_dimensions", Ints{at[0]}},
                             {"lhs_contracting_dimensions", Ints{at[2]}},
                             {"rhs_contracting_dimensions", Ints{at[1]}}};
    F32 actual = floats(runOp("dot_general", {lhs, rhs}, {f32({2, 3, 5})}, attributes));
    Ints ls = rowMajorStrides(lhsShape), rs = rowMajorStrides(rhsShape);
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t m = 0; m < 3; ++m)
        for (int64_t n = 0; n < 5; ++n) {
          float sum = 0;
          for (int64_t k = 0; k < 4; ++k)
            sum += lhs.as<float>()[b * ls[at[0]] + m * ls[at[1]] + k * ls[at[2]]] *
                   rhs.as<float>()[b * rs[at[0]] + k * rs[at[1]] + n * rs[at[2]]];
          EXPECT_EQ(actual[(b * 3 + m) * 5 + n], sum);
        }
  } while (std::next_permutation(order.begin(), order.end()));
}

/// The product of a row of `k` elements and a column: `lhs` times `rhs`, but for the last, where it
/// is `last` times `last`.
template <typename T>
static int32_t dotOfIntegers(ElementType element, int64_t k, T lhs, T rhs, T last) {
  std::vector<T> a(k, lhs), b(k, rhs);
  a.back() = b.back() = last;
  Attributes attributes = {{"lhs_contracting_dimensions", Ints{0}},
                           {"rhs_contracting_dimensions", Ints{0}}};
  auto result = runOp("dot_general", {Tensor::of(element, {k}, a), Tensor::of(element, {k}, b)},
                      {i32()}, attributes);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? (*result)[0].template as<int32_t>()[0] : 0;
}

TEST(Dot, SumsOfSmallIntegersAreExact) {
  // As many bits as an f32 has, and more; as an f64 has. What does not fit the result wraps.
  for (int64_t k : {1, 3, 1024, 1025, 70000}) {
    EXPECT_EQ(dotOfIntegers<int8_t>(ElementType::i8, k, -128, -128, 127),
              16384 * (k - 1) + 127 * 127);
    EXPECT_EQ(dotOfIntegers<int8_t>(ElementType::i8, k, -128, 127, 1), -16256 * (k - 1) + 1);
  }
  for (int64_t k : {258, 259, 30000})
    EXPECT_EQ(dotOfIntegers<uint8_t>(ElementType::ui8, k, 255, 255, 1), 65025 * (k - 1) + 1);
  EXPECT_EQ(dotOfIntegers<int16_t>(ElementType::i16, 2, -32768, -32768, 1), (1 << 30) + 1);
  EXPECT_EQ(dotOfIntegers<int16_t>(ElementType::i16, 5, -32768, -32768, 3), 9);
  EXPECT_EQ(dotOfIntegers<int32_t>(ElementType::i32, 2, 1 << 16, 1 << 16, 7), 49);
}

TEST(Dot, MixedTypes) {
  Attributes attributes = {{"lhs_contracting_dimensions", Ints{0}},
                           {"rhs_contracting_dimensions", Ints{0}}};
  Tensor a = Tensor::of<int8_t>(E::i8, {2}, {100, 100});
  auto wide = runOp("dot_general", {a, a}, {i32()}, attributes);
  EXPECT_EQ(elementsOf<int32_t>((*wide)[0]), std::vector<int32_t>{20000});
  Tensor b = Tensor::of<uint16_t>(E::bf16, {2}, {0x3f80, 0x4000});
  auto mixed = runOp("dot_general", {b, b}, {f32()}, attributes);
  EXPECT_EQ(elementsOf<float>((*mixed)[0]), F32{5});
}

TEST(Convolution, MatchesNaive) {
  // Batch, space, feature; with strides, dilations, padding, reversal and groups.
  for (int64_t groups : {1, 2})
    for (int64_t reversed : {0, 1}) {
      const int64_t n = 2, h = 5, w = 6, c = 4, kh = 2, kw = 3, o = 6, g = c / groups;
      const int64_t oh = (h * 2 - 1 + 1 - 2) / 2 + 1, ow = (w + 2 - 5) / 1 + 1;
      Tensor in = randomF32({n, h, w, c}, 3), kernel = randomF32({kh, kw, g, o}, 4);
      Attributes attributes = {{"window_strides", Ints{2, 1}},
                               {"padding", Ints{1, 0, 2, 0}},
                               {"lhs_dilation", Ints{2, 1}},
                               {"rhs_dilation", Ints{1, 2}},
                               {"window_reversal", Ints{reversed, 0}},
                               {"feature_group_count", groups},
                               {"input_batch_dimension", int64_t{0}},
                               {"input_feature_dimension", int64_t{3}},
                               {"input_spatial_dimensions", Ints{1, 2}},
                               {"kernel_input_feature_dimension", int64_t{2}},
                               {"kernel_output_feature_dimension", int64_t{3}},
                               {"kernel_spatial_dimensions", Ints{0, 1}},
                               {"output_batch_dimension", int64_t{0}},
                               {"output_feature_dimension", int64_t{3}},
                               {"output_spatial_dimensions", Ints{1, 2}}};
      F32 actual = floats(runOp("convolution", {in, kernel}, {f32({n, oh, ow, o})}, attributes));
      ASSERT_EQ(static_cast<int64_t>(actual.size()), n * oh * ow * o);
      for (int64_t i = 0, b = 0; b < n; ++b)
        for (int64_t y = 0; y < oh; ++y)
          for (int64_t x = 0; x < ow; ++x)
            for (int64_t f = 0; f < o; ++f, ++i) {
              float sum = 0;
              for (int64_t p = 0; p < kh; ++p)
                for (int64_t q = 0; q < kw; ++q)
                  for (int64_t l = 0; l < g; ++l) {
                    int64_t sy = y * 2 + p - 1, sx = x + q * 2 - 2;
                    if (sy < 0 || sy % 2 || sy / 2 >= h || sx < 0 || sx >= w)
                      continue;
                    int64_t tap = reversed ? kh - 1 - p : p, channel = f / (o / groups) * g + l;
                    sum += in.as<float>()[((b * h + sy / 2) * w + sx) * c + channel] *
                           kernel.as<float>()[((tap * kw + q) * g + l) * o + f];
                  }
              EXPECT_EQ(actual[i], sum);
            }
    }
}

TEST(Convolution, BatchGroups) {
  // Two batch groups: output feature f sees batch element f.
  Attributes attributes = {{"batch_group_count", int64_t{2}},
                           {"input_batch_dimension", int64_t{0}},
                           {"input_feature_dimension", int64_t{1}},
                           {"input_spatial_dimensions", Ints{}},
                           {"kernel_input_feature_dimension", int64_t{1}},
                           {"kernel_output_feature_dimension", int64_t{0}},
                           {"kernel_spatial_dimensions", Ints{}},
                           {"output_batch_dimension", int64_t{0}},
                           {"output_feature_dimension", int64_t{1}},
                           {"output_spatial_dimensions", Ints{}}};
  Tensor in = Tensor::of<float>(E::f32, {2, 1}, {2, 3}),
         kernel = Tensor::of<float>(E::f32, {2, 1}, {10, 100});
  EXPECT_EQ(floats(runOp("convolution", {in, kernel}, {f32({1, 2})}, attributes)), (F32{20, 300}));
}

TEST(Gather, RowsClampAndBatch) {
  Attributes rows = {{"offset_dims", Ints{1}},
                     {"collapsed_slice_dims", Ints{0}},
                     {"start_index_map", Ints{0}},
                     {"index_vector_dim", int64_t{1}},
                     {"slice_sizes", Ints{1, 2}}};
  Tensor at = Tensor::of<int32_t>(E::i32, {3, 1}, {2, -1, 9});
  EXPECT_EQ(floats(runOp("gather", {iota({3, 2}), at}, {f32({3, 2})}, rows)),
            (F32{4, 5, 0, 1, 4, 5}));
  // Batching dim 0: row b of the operand at the index of row b.
  Attributes batched = {
      {"operand_batching_dims", Ints{0}}, {"start_indices_batching_dims", Ints{0}},
      {"collapsed_slice_dims", Ints{1}},  {"start_index_map", Ints{1}},
      {"index_vector_dim", int64_t{1}},   {"slice_sizes", Ints{1, 1}}};
  Tensor columns = Tensor::of<int32_t>(E::i32, {2}, {2, 0});
  EXPECT_EQ(floats(runOp("gather", {iota({2, 3}), columns}, {f32({2})}, batched)), (F32{2, 3}));
}

TEST(Scatter, AddsSkipsAndSets) {
  Attributes rows = {{"update_window_dims", Ints{1}},
                     {"inserted_window_dims", Ints{0}},
                     {"scatter_dims_to_operand_dims", Ints{0}},
                     {"index_vector_dim", int64_t{1}}};
  Tensor at = Tensor::of<int32_t>(E::i32, {4, 1}, {2, 2, -1, 3});
  Tensor zeros = *Tensor::zeros(TypeRef(f32({3, 2})));
  EXPECT_EQ(floats(runOp("scatter", {zeros, at, iota({4, 2})}, {f32({3, 2})}, rows,
                         {binaryBody("add", f32())})),
            (F32{0, 0, 0, 0, 2, 4}));
  FunctionBuilder set("set", {f32(), f32()});
  EXPECT_EQ(floats(runOp("scatter", {zeros, at, iota({4, 2})}, {f32({3, 2})}, rows,
                         {set.returning({1})})),
            (F32{0, 0, 0, 0, 2, 3}));
  // A window that is half outside: the elements inside are updated.
  Attributes window = {{"update_window_dims", Ints{0}},
                       {"scatter_dims_to_operand_dims", Ints{0}},
                       {"index_vector_dim", int64_t{0}}};
  Tensor start = Tensor::of<int32_t>(E::i32, {1}, {2});
  EXPECT_EQ(floats(runOp("scatter", {iota({3}), start, iota({2})}, {f32({3})}, window,
                         {binaryBody("add", f32())})),
            (F32{0, 1, 2}));
}

/// A window as large as the dim that is indexed lies inside only at 0; else it is dropped.
TEST(Scatter, WindowsAsLargeAsTheDim) {
  Attributes window = {{"update_window_dims", Ints{1}},
                       {"scatter_dims_to_operand_dims", Ints{0}},
                       {"index_vector_dim", int64_t{1}}};
  Tensor starts = Tensor::of<int32_t>(E::i32, {3, 1}, {0, 1, -2});
  EXPECT_EQ(floats(runOp("scatter", {iota({3}), starts, iota({3, 3})}, {f32({3})}, window,
                         {binaryBody("add", f32())})),
            (F32{0 + 0, 1 + 1, 2 + 2}));
}

TEST(Reduce, MatchesNaiveForEverySetOfDims) {
  const Ints shape = {3, 5, 4};
  Tensor in = randomF32(shape, 5);
  for (const char *op : {"add", "maximum", "subtract"}) // The last is applied in order.
    for (int mask = 0; mask < 8; ++mask) {
      Ints dims, kept;
      for (int64_t d = 0; d < 3; ++d)
        (mask >> d & 1 ? dims : kept).push_back(d);
      Ints keptShape;
      for (int64_t d : kept)
        keptShape.push_back(shape[d]);
      F32 actual = floats(runOp("reduce", {in, scalar(1)}, {f32(keptShape)}, {{"dimensions", dims}},
                                {binaryBody(op, f32())}));
      TensorType out = f32(keptShape);
      F32 expected(out.numElements(), 1);
      Ints i(3, 0), strides = rowMajorStrides(keptShape);
      do {
        int64_t at = 0;
        for (size_t k = 0; k < kept.size(); ++k)
          at += i[kept[k]] * strides[k];
        float value = in.as<float>()[offsetOf(i, rowMajorStrides(shape))];
        expected[at] = op[0] == 'a'   ? expected[at] + value
                       : op[0] == 'm' ? std::max(expected[at], value)
                                      : expected[at] - value;
      } while (nextIndex(i, shape));
      EXPECT_EQ(actual, expected) << op << " " << mask;
    }
}

TEST(Reduce, LongRowsAndSmallFloats) {
  EXPECT_EQ(floats(runOp("reduce", {iota({2, 1500}), scalar(0)}, {f32({2})},
                         {{"dimensions", Ints{1}}}, {binaryBody("add", f32())})),
            (F32{1124250, 3374250}));
  // 512 ones in bf16 would stop at 256 if each sum were rounded.
  Tensor ones = Tensor::of<uint16_t>(E::bf16, {512}, std::vector<uint16_t>(512, 0x3f80));
  Tensor zero = Tensor::of<uint16_t>(E::bf16, {}, {0});
  auto sum = runOp("reduce", {ones, zero}, {type(E::bf16)}, {{"dimensions", Ints{0}}},
                   {binaryBody("add", type(E::bf16))});
  EXPECT_EQ(elementsOf<uint16_t>((*sum)[0]), std::vector<uint16_t>{0x4400});
}

TEST(ReduceWindow, SumsAndDilations) {
  // Cumulative sum: a window as long as the dim, padded in front.
  EXPECT_EQ(floats(runOp("reduce_window", {iota({4}), scalar(0)}, {f32({4})},
                         {{"window_dimensions", Ints{4}}, {"padding", Ints{3, 0}}},
                         {binaryBody("add", f32())})),
            (F32{0, 1, 3, 6}));
  // 2x2 pooling with stride 2.
  EXPECT_EQ(floats(runOp("reduce_window", {iota({2, 4}), scalar(-1)}, {f32({1, 2})},
                         {{"window_dimensions", Ints{2, 2}}, {"window_strides", Ints{2, 2}}},
                         {binaryBody("maximum", f32())})),
            (F32{5, 7}));
  // Base dilation: 0 _ 1 _ 2, taps two apart see each element's neighbour.
  EXPECT_EQ(floats(runOp("reduce_window", {iota({3}), scalar(0)}, {f32({3})},
                         {{"window_dimensions", Ints{2}},
                          {"base_dilations", Ints{2}},
                          {"window_dilations", Ints{2}}},
                         {binaryBody("add", f32())})),
            (F32{1, 0, 3}));
}

/// Windows as long as the dim, from the first element or to the last: the same results in one pass,
/// and where the initial value counts once for each element of padding, the plain way.
TEST(ReduceWindow, Cumulative) {
  const Ints shape = {3, 5, 4};
  Tensor in = randomF32(shape, 6);
  for (const char *op : {"add", "maximum", "subtract"})
    for (float init : {0.f, 2.f})
      for (int64_t dim : {0, 1, 2})
        for (bool isReversed : {false, true}) {
          int64_t n = shape[dim];
          Ints sizes(3, 1), padding(6, 0);
          sizes[dim] = n;
          padding[2 * dim + isReversed] = n - 1;
          F32 actual = floats(runOp("reduce_window", {in, scalar(init)}, {f32(shape)},
                                    {{"window_dimensions", sizes}, {"padding", padding}},
                                    {binaryBody(op, f32())}));
          Ints index(3, 0), strides = rowMajorStrides(shape);
          size_t at = 0;
          do {
            float expected = init;
            for (int64_t tap = 0; tap < n; ++tap) {
              int64_t place = index[dim] + tap - (isReversed ? 0 : n - 1);
              bool isInside = place >= 0 && place < n;
              float value = isInside ? in.as<float>()[offsetOf(index, strides) +
                                                      (place - index[dim]) * strides[dim]]
                                     : init;
              expected = op[0] == 'a'   ? expected + value
                         : op[0] == 'm' ? std::max(expected, value)
                                        : expected - value;
            }
            ASSERT_EQ(actual[at++], expected) << op << " " << init << " " << dim << isReversed;
          } while (nextIndex(index, shape));
        }
}

/// Far more padding than image: windows are looked up, and the padded image is never made.
TEST(Convolution, HugePadding) {
  Attributes attributes = {{"input_batch_dimension", int64_t{0}},
                           {"input_feature_dimension", int64_t{2}},
                           {"input_spatial_dimensions", Ints{1}},
                           {"kernel_input_feature_dimension", int64_t{1}},
                           {"kernel_output_feature_dimension", int64_t{2}},
                           {"kernel_spatial_dimensions", Ints{0}},
                           {"output_batch_dimension", int64_t{0}},
                           {"output_feature_dimension", int64_t{2}},
                           {"output_spatial_dimensions", Ints{1}},
                           {"window_strides", Ints{1000000000}},
                           {"padding", Ints{1000000000, 1000000000}}};
  EXPECT_EQ(floats(runOp("convolution", {iota({1, 3, 1}), iota({3, 1, 1})}, {f32({1, 3, 1})},
                         attributes)),
            (F32{0, 0 * 0 + 1 * 1 + 2 * 2, 0}));
}

TEST(Reduce, ArgmaxOfTwoOperands) {
  FunctionBuilder body("argmax", {f32(), i32(), f32(), i32()});
  ValueId keep =
      body.add("compare", {0, 2}, {type(E::i1)}, {{"comparison_direction", std::string("GE")}});
  ValueId value = body.add("select", {keep, 0, 2}, {f32()});
  ValueId at = body.add("select", {keep, 1, 3}, {i32()});
  Tensor in = Tensor::of<float>(E::f32, {2, 3}, {1, 7, 3, 9, 2, 9});
  Tensor indices = Tensor::of<int32_t>(E::i32, {2, 3}, {0, 1, 2, 0, 1, 2});
  auto results =
      runOp("reduce",
            {in, indices, scalar(-std::numeric_limits<float>::infinity()),
             Tensor::of<int32_t>(E::i32, {}, {-1})},
            {f32({2}), i32({2})}, {{"dimensions", Ints{1}}}, {body.returning({value, at})});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(elementsOf<float>((*results)[0]), (F32{7, 9}));
  EXPECT_EQ(elementsOf<int32_t>((*results)[1]), (std::vector<int32_t>{1, 0}));
}

TEST(Move, TransposesOfAnySizeMoveEachElement) {
  // Larger than the squares that are copied at a time, and no multiple of them.
  Ints shape = {3, 70, 133};
  for (Ints permutation : {Ints{2, 1, 0}, Ints{0, 2, 1}, Ints{1, 2, 0}, Ints{2, 0, 1}})
    for (ElementType element :
         {ElementType::ui8, ElementType::i16, ElementType::f32, ElementType::f64}) {
      Tensor tensor = *Tensor::allocate(type(element, shape));
      int64_t bytes = storedBytes(element);
      for (int64_t i = 0; i < tensor.sizeInBytes(); ++i)
        tensor.mutableData()[i] = static_cast<std::byte>(i * 7 + i / 251);
      Ints moved;
      for (int64_t dim : permutation)
        moved.push_back(shape[dim]);
      auto results =
          runOp("transpose", {tensor}, {type(element, moved)}, {{"permutation", permutation}});
      ASSERT_TRUE(results.ok()) << results.status();
      Ints from = rowMajorStrides(shape), to = rowMajorStrides(moved);
      for (int64_t i = 0; i < tensor.numElements(); ++i) {
        int64_t target = 0;
        for (int d = 0; d < 3; ++d)
          target += i / from[permutation[d]] % shape[permutation[d]] * to[d];
        ASSERT_EQ(
            std::memcmp((*results)[0].data() + target * bytes, tensor.data() + i * bytes, bytes),
            0);
      }
    }
}

} // namespace
} // namespace spmd::test
