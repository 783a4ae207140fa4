// select_and_scatter, convolution and bodies of every kind, against naive loops.
#include "Programs.h"

#include "absl/strings/match.h"

#include <algorithm>

namespace spmd::test {
namespace {

using E = ElementType;
using F32 = std::vector<float>;

Function greaterOrEqual() {
  FunctionBuilder body("select", {f32(), f32()});
  ValueId result =
      body.add("compare", {0, 1}, {type(E::i1)}, {{"comparison_direction", std::string("GE")}});
  return body.returning({result});
}

TEST(SelectAndScatter, GradientOfAMaximum) {
  for (int64_t stride : {1, 2, 3})
    for (Ints padding : {Ints{0, 0, 0, 0}, Ints{1, 1, 0, 2}, Ints{-1, 0, 2, 0}}) {
      Ints in = {5, 6}, window = {2, 3}, out;
      for (int d = 0; d < 2; ++d)
        out.push_back((in[d] + padding[2 * d] + padding[2 * d + 1] - window[d]) / stride + 1);
      Tensor operand = randomF32(in, stride), source = randomF32(out, 50 + stride);
      auto result = runOp("select_and_scatter",
                          {operand, source, Tensor::of<float>(E::f32, {}, {10})}, {f32(in)},
                          {{"window_dimensions", window},
                           {"window_strides", Ints{stride, stride}},
                           {"padding", padding}},
                          {greaterOrEqual(), binaryBody("add", f32())});
      ASSERT_TRUE(result.ok()) << result.status();
      F32 expected(in[0] * in[1], 10);
      for (int64_t i = 0; i < out[0]; ++i)
        for (int64_t j = 0; j < out[1]; ++j) {
          int64_t best = -1;
          for (int64_t a = 0; a < window[0]; ++a)
            for (int64_t b = 0; b < window[1]; ++b) {
              int64_t row = i * stride + a - padding[0], column = j * stride + b - padding[2];
              if (row < 0 || row >= in[0] || column < 0 || column >= in[1])
                continue;
              int64_t at = row * in[1] + column;
              if (best < 0 || !(operand.as<float>()[best] >= operand.as<float>()[at]))
                best = at;
            }
          if (best >= 0)
            expected[best] += source.as<float>()[i * out[1] + j];
        }
      EXPECT_EQ(elementsOf<float>((*result)[0]), expected);
    }
}

// A window over more padding than there is memory for is refused, though its result is small.
TEST(ReduceWindow, TooMuchPadding) {
  Tensor operand = randomF32({1, 1, 1}, 1), init = Tensor::of<float>(E::f32, {}, {0});
  int64_t most = INT32_MAX;
  auto result = runOp("reduce_window", {operand, init}, {f32({1, 1, 1})},
                      {{"window_dimensions", Ints{most, most, most}},
                       {"padding", Ints{0, most - 1, 0, most - 1, 0, most - 1}}},
                      {binaryBody("add", f32())});
  ASSERT_FALSE(result.ok());
  EXPECT_TRUE(absl::StrContains(result.status().message(), "padded operand has too many elements"))
      << result.status();
}

/// A body with a call is run element by element, with the same result.
TEST(Body, WhatIsNotElementwiseRunsAlone) {
  FunctionBuilder body("body", {f32(), f32()}), inner("inner", {f32(), f32()});
  Function caller = body.returning({body.add("call", {0, 1}, {f32()}, {}, {2})});
  ValueId sum = inner.add("add", {0, 1}, {f32()});
  Function callee = inner.returning({sum});
  Tensor in = randomF32({4, 5}, 1), zero = Tensor::of<float>(E::f32, {}, {0});
  for (int64_t dim : {0, 1}) {
    TensorType to = f32({dim == 0 ? 5 : 4});
    auto alone = runOp("reduce", {in, zero}, {to}, {{"dimensions", Ints{dim}}}, {caller, callee});
    auto plain =
        runOp("reduce", {in, zero}, {to}, {{"dimensions", Ints{dim}}}, {binaryBody("add", f32())});
    ASSERT_TRUE(alone.ok()) << alone.status();
    EXPECT_EQ(elementsOf<float>((*alone)[0]), elementsOf<float>((*plain)[0]));
  }
}

struct ConvolutionCase {
  int64_t groups, batchGroups, stride, lhsDilation, rhsDilation, low, high;
  bool reversed;
};

/// One spatial dim; layouts [b, f, 0] x [o, i, 0] -> [b, f, 0].
TEST(Convolution, MatchesNaiveForEveryAttribute) {
  const ConvolutionCase cases[] = {{1, 1, 1, 1, 1, 0, 0, false}, {1, 1, 2, 1, 1, 1, 2, false},
                                   {1, 1, 1, 3, 1, 2, 2, false}, {1, 1, 1, 1, 2, -1, 1, true},
                                   {2, 1, 1, 1, 1, 1, 1, false}, {4, 1, 2, 2, 2, 3, 1, true},
                                   {1, 2, 1, 1, 1, 0, 1, false}, {1, 1, 1, 2, 1, 0, -6, false}};
  for (const ConvolutionCase &c : cases)
    for (int64_t taps : {1, 3}) {
      int64_t batch = 4, features = 4, outFeatures = 8, size = 7, inPerGroup = features / c.groups;
      Tensor lhs = randomF32({batch, features, size}, 1);
      Tensor rhs = randomF32({outFeatures, inPerGroup, taps}, 2);
      int64_t padded = (size - 1) * c.lhsDilation + 1 + c.low + c.high;
      int64_t span = (taps - 1) * c.rhsDilation + 1;
      int64_t places = span > padded ? 0 : (padded - span) / c.stride + 1;
      int64_t outBatch = batch / c.batchGroups;
      auto result = runOp("convolution", {lhs, rhs}, {f32({outBatch, outFeatures, places})},
                          {{"input_batch_dimension", int64_t{0}},
                           {"input_feature_dimension", int64_t{1}},
                           {"input_spatial_dimensions", Ints{2}},
                           {"kernel_output_feature_dimension", int64_t{0}},
                           {"kernel_input_feature_dimension", int64_t{1}},
                           {"kernel_spatial_dimensions", Ints{2}},
                           {"output_batch_dimension", int64_t{0}},
                           {"output_feature_dimension", int64_t{1}},
                           {"output_spatial_dimensions", Ints{2}},
                           {"feature_group_count", c.groups},
                           {"batch_group_count", c.batchGroups},
                           {"window_strides", Ints{c.stride}},
                           {"lhs_dilation", Ints{c.lhsDilation}},
                           {"rhs_dilation", Ints{c.rhsDilation}},
                           {"window_reversal", Ints{c.reversed}},
                           {"padding", Ints{c.low, c.high}}});
      ASSERT_TRUE(result.ok()) << result.status();
      F32 actual = elementsOf<float>((*result)[0]);
      for (int64_t b = 0; b < outBatch; ++b)
        for (int64_t o = 0; o < outFeatures; ++o)
          for (int64_t p = 0; p < places; ++p) {
            int64_t group = o / (outFeatures / c.groups);
            int64_t from = b + o / (outFeatures / c.batchGroups) * outBatch;
            float sum = 0;
            for (int64_t i = 0; i < inPerGroup; ++i)
              for (int64_t t = 0; t < taps; ++t) {
                int64_t at = p * c.stride + t * c.rhsDilation - c.low;
                if (at < 0 || at % c.lhsDilation != 0 || at / c.lhsDilation >= size)
                  continue;
                int64_t feature = group * inPerGroup + i;
                sum +=
                    lhs.as<float>()[(from * features + feature) * size + at / c.lhsDilation] *
                    rhs.as<float>()[(o * inPerGroup + i) * taps + (c.reversed ? taps - 1 - t : t)];
              }
            EXPECT_EQ(actual[(b * outFeatures + o) * places + p], sum);
          }
    }
}

TEST(Bitcast, ElementsOfFewBitsArePacked) {
  std::vector<int8_t> nibbles = {1, -1, 7, -8};
  auto packed =
      runOp("bitcast_convert", {Tensor::of<int8_t>(E::i4, {2, 2}, nibbles)}, {type(E::ui8, {2})});
  ASSERT_TRUE(packed.ok()) << packed.status();
  EXPECT_EQ(elementsOf<uint8_t>((*packed)[0]), (std::vector<uint8_t>{0xf1, 0x87}));
  auto again = runOp("bitcast_convert", {(*packed)[0]}, {type(E::i4, {2, 2})});
  EXPECT_EQ(elementsOf<int8_t>((*again)[0]), nibbles);
  auto bits = runOp("bitcast_convert", {(*packed)[0]}, {type(E::i1, {2, 8})});
  EXPECT_EQ(elementsOf<uint8_t>((*bits)[0]),
            (std::vector<uint8_t>{1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1}));
}

TEST(Dynamic, SizesAreOperands) {
  Tensor in = randomF32({4, 3}, 1);
  auto sizes = [](std::vector<int32_t> values) {
    return Tensor::of<int32_t>(E::i32, {static_cast<int64_t>(values.size())}, values);
  };
  auto reshaped = runOp("dynamic_reshape", {in, sizes({2, 6})}, {f32({2, 6})});
  ASSERT_TRUE(reshaped.ok()) << reshaped.status();
  EXPECT_EQ(elementsOf<float>((*reshaped)[0]), elementsOf<float>(in));
  auto cut =
      runOp("real_dynamic_slice", {in, sizes({1, 0}), sizes({3, 3}), sizes({1, 2})}, {f32({2, 2})});
  ASSERT_TRUE(cut.ok()) << cut.status();
  EXPECT_EQ(elementsOf<float>((*cut)[0])[3], in.as<float>()[8]);
  EXPECT_EQ(runOp("dynamic_reshape", {in, sizes({3, 4})}, {f32({2, 6})}).status().message(),
            "'dynamic_reshape': asks for a result of 3x4xf32; its type is 2x6xf32");
  EXPECT_FALSE(
      runOp("real_dynamic_slice", {in, sizes({1, 0}), sizes({9, 3}), sizes({1, 2})}, {f32({2, 2})})
          .ok());
}

} // namespace
} // namespace spmd::test
