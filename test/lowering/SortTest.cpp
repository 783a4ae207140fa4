// sort: by keys and by any comparator, against the library.
#include "Programs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spmd::test {
namespace {

using E = ElementType;

/// (lhs, rhs, ..) -> compare(direction, lhs, rhs) on operand number `key` of `types`.
Function comparator(const std::vector<E> &types, size_t key, const char *direction,
                    const char *kind = "") {
  std::vector<TensorType> arguments;
  for (E element : types)
    arguments.insert(arguments.end(), 2, type(element));
  FunctionBuilder body("comparator", arguments);
  ValueId first = static_cast<ValueId>(2 * key);
  ValueId result = body.add(
      "compare", {first, first + 1}, {type(E::i1)},
      {{"comparison_direction", std::string(direction)}, {"compare_type", std::string(kind)}});
  return body.returning({result});
}

/// As above, but no kernel can see what it compares: the result goes through a call of identity.
std::vector<Function> opaqueComparator(E element, const char *direction) {
  FunctionBuilder body("opaque", {type(element), type(element)});
  ValueId result = body.add("compare", {0, 1}, {type(E::i1)},
                            {{"comparison_direction", std::string(direction)}});
  ValueId passed = body.add("call", {result}, {type(E::i1)}, {}, {2});
  FunctionBuilder identity("identity", {type(E::i1)});
  return {body.returning({passed}), identity.returning({0})};
}

template <typename T> std::vector<T> randomElements(int64_t n, unsigned seed, int range) {
  std::mt19937 generator(seed);
  std::vector<T> out(n);
  for (T &value : out)
    value = static_cast<T>(static_cast<int>(generator() % range) - range / 2);
  return out;
}

/// Returns for each line along `dim` the places its sorted elements come from.
template <typename T, typename Less>
std::vector<int64_t> sortedPlaces(const std::vector<T> &values, const Ints &shape, size_t dim,
                                  Less less) {
  std::vector<int64_t> places(values.size());
  Ints strides = rowMajorStrides(shape);
  for (int64_t first = 0; first < static_cast<int64_t>(values.size()); ++first) {
    if (first / strides[dim] % shape[dim] != 0)
      continue;
    std::vector<int64_t> line;
    for (int64_t i = 0; i < shape[dim]; ++i)
      line.push_back(first + i * strides[dim]);
    std::vector<int64_t> order = line;
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      bool isLess = less(values[a], values[b]), isMore = less(values[b], values[a]);
      return isLess || (!isMore && a < b);
    });
    for (int64_t i = 0; i < shape[dim]; ++i)
      places[line[i]] = order[i];
  }
  return places;
}

template <typename T>
void expectSortedBy(E element, const char *direction, Ints shape, int64_t dim) {
  int64_t n = type(element, shape).numElements();
  std::vector<T> keys = randomElements<T>(n, 7, 60);
  std::vector<int32_t> payload(n);
  std::iota(payload.begin(), payload.end(), 0);
  auto results = runOp(
      "sort", {Tensor::of<T>(element, shape, keys), Tensor::of<int32_t>(E::i32, shape, payload)},
      {type(element, shape), i32(shape)}, {{"dimension", dim}},
      {comparator({element, E::i32}, 0, direction)});
  ASSERT_TRUE(results.ok()) << results.status();
  bool ascending = std::string(direction) == "LT";
  std::vector<int64_t> places =
      sortedPlaces(keys, shape, dim, [&](T a, T b) { return ascending ? a < b : b < a; });
  std::vector<int32_t> got = elementsOf<int32_t>((*results)[1]);
  std::vector<T> sorted = elementsOf<T>((*results)[0]);
  for (int64_t i = 0; i < n; ++i) {
    EXPECT_EQ(got[i], places[i]) << nameOf(element) << " " << direction << " at " << i;
    EXPECT_EQ(sorted[i], keys[places[i]]);
  }
}

TEST(Sort, ByOneKeyIsStable) {
  for (const char *direction : {"LT", "GT"}) {
    expectSortedBy<float>(E::f32, direction, {500}, 0);
    expectSortedBy<double>(E::f64, direction, {3, 70, 2}, 1);
    expectSortedBy<int8_t>(E::i8, direction, {5, 9}, 0);
    expectSortedBy<uint8_t>(E::ui8, direction, {5, 90}, 1);
    expectSortedBy<int64_t>(E::i64, direction, {300, 2}, 0);
    expectSortedBy<uint32_t>(E::ui32, direction, {1}, 0);
    expectSortedBy<int16_t>(E::i16, direction, {0, 3}, 1);
  }
}

TEST(Sort, TotalOrderOfFloats) {
  float nan = std::nanf(""), inf = HUGE_VALF;
  std::vector<float> values = {nan, 1, -0.f, 0.f, -inf, inf, -nan, -1};
  auto results = runOp("sort", {Tensor::of<float>(E::f32, {8}, values)}, {f32({8})},
                       {{"dimension", int64_t{0}}}, {comparator({E::f32}, 0, "LT", "TOTALORDER")});
  ASSERT_TRUE(results.ok()) << results.status();
  std::vector<float> sorted = elementsOf<float>((*results)[0]);
  EXPECT_TRUE(std::isnan(sorted[0]) && std::signbit(sorted[0]));
  EXPECT_EQ(sorted[1], -inf);
  EXPECT_TRUE(sorted[3] == 0 && std::signbit(sorted[3]) && !std::signbit(sorted[4]));
  EXPECT_EQ(sorted[6], inf);
  EXPECT_TRUE(std::isnan(sorted[7]) && !std::signbit(sorted[7]));
}

/// A NaN in a plain comparison is less than nothing: the elements stay, none is lost.
TEST(Sort, UnorderedElementsSurvive) {
  std::vector<float> values = {3, std::nanf(""), 1, 2};
  auto results = runOp("sort", {Tensor::of<float>(E::f32, {4}, values)}, {f32({4})}, {},
                       {comparator({E::f32}, 0, "LT")});
  ASSERT_TRUE(results.ok()) << results.status();
  std::vector<float> sorted = elementsOf<float>((*results)[0]);
  EXPECT_EQ(std::count_if(sorted.begin(), sorted.end(), [](float x) { return std::isnan(x); }), 1);
  EXPECT_EQ(std::count(sorted.begin(), sorted.end(), 2.f), 1);
}

/// Two keys: `a < b || (a == b && c > d)`, and the same said with a select.
TEST(Sort, ByTwoKeys) {
  for (bool withSelect : {false, true}) {
    FunctionBuilder body("two", {i32(), i32(), f32(), f32()});
    auto compare = [&](const char *direction, ValueId a, ValueId b) {
      return body.add("compare", {a, b}, {type(E::i1)},
                      {{"comparison_direction", std::string(direction)}});
    };
    ValueId less = compare("LT", 0, 1), same = compare("EQ", 0, 1), more = compare("GT", 2, 3);
    ValueId result =
        withSelect
            ? body.add("select", {same, more, less}, {type(E::i1)})
            : body.add("or", {less, body.add("and", {same, more}, {type(E::i1)})}, {type(E::i1)});
    std::vector<int32_t> first = randomElements<int32_t>(200, 1, 5);
    std::vector<float> second = randomElements<float>(200, 2, 40);
    auto results =
        runOp("sort",
              {Tensor::of<int32_t>(E::i32, {200}, first), Tensor::of<float>(E::f32, {200}, second)},
              {i32({200}), f32({200})}, {{"dimension", int64_t{0}}}, {body.returning({result})});
    ASSERT_TRUE(results.ok()) << results.status();
    std::vector<std::pair<int32_t, float>> expected;
    for (size_t i = 0; i < first.size(); ++i)
      expected.emplace_back(first[i], second[i]);
    std::sort(expected.begin(), expected.end(), [](const auto &a, const auto &b) {
      return a.first < b.first || (a.first == b.first && a.second > b.second);
    });
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(elementsOf<int32_t>((*results)[0])[i], expected[i].first);
      EXPECT_EQ(elementsOf<float>((*results)[1])[i], expected[i].second);
    }
  }
}

TEST(Sort, ByAnyComparator) {
  std::vector<int32_t> values = randomElements<int32_t>(61, 3, 20), expected = values;
  std::sort(expected.begin(), expected.end(), std::greater<>());
  auto results = runOp("sort", {Tensor::of<int32_t>(E::i32, {61}, values)}, {i32({61})},
                       {{"dimension", int64_t{0}}}, opaqueComparator(E::i32, "GT"));
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(elementsOf<int32_t>((*results)[0]), expected);
}

TEST(Sort, Refusals) {
  Tensor in = Tensor::of<float>(E::f32, {2}, {1, 2});
  EXPECT_EQ(
      runOp("sort", {in}, {f32({2})}, {{"dimension", int64_t{1}}}, {comparator({E::f32}, 0, "LT")})
          .status()
          .message(),
      "'sort': attribute 'dimension' is 1 for a tensor of rank 1");
  EXPECT_FALSE(runOp("sort", {in}, {f32({2})}, {}, {binaryBody("add", f32())}).ok());
}

TEST(Map, AppliesABodyAtEachPlace) {
  FunctionBuilder body("body", {f32(), i32()});
  ValueId wide = body.add("convert", {1}, {f32()});
  Function function = body.returning({body.add("multiply", {0, wide}, {f32()})});
  auto results = runOp(
      "map",
      {Tensor::of<float>(E::f32, {3}, {1, 2, 3}), Tensor::of<int32_t>(E::i32, {3}, {4, 5, 6})},
      {f32({3})}, {}, {function});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(elementsOf<float>((*results)[0]), (std::vector<float>{4, 10, 18}));
}

} // namespace
} // namespace spmd::test
