// Cutting, joining, comparing and storing tensors.
#include "Programs.h"

#include "spmd/lowering/interpreter/Boundary.h"
#include "spmd/lowering/interpreter/Compare.h"
#include "spmd/lowering/interpreter/Npy.h"

#include <cmath>

namespace spmd::test {
namespace {

using E = ElementType;

Boundary boundary(Ints shape, const char *sharding, const char *mesh = "<[\"x\"=2, \"y\"=2]>") {
  return {f32(std::move(shape)), mesh, sharding, -1, ""};
}

Tensor iota(Ints shape) {
  Tensor tensor = *Tensor::allocate(f32(std::move(shape)));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.mutableAs<float>()[i] = i;
  return tensor;
}

TEST(Boundary, CutThenJoinIsTheIdentity) {
  for (const char *sharding :
       {"[{}, {}]", "[{\"x\"}, {}]", "[{\"y\"}, {\"x\"}]", "[{\"y\", \"x\"}, {}]",
        "[{\"x\"}, {}], unreduced={\"y\"}", "[{}, {}], unreduced=max{\"x\", \"y\"}",
        "[{}, {\"y\"}], unreduced=product{\"x\"}"})
    for (const Ints &shape : {Ints{4, 6}, Ints{3, 5}, Ints{1, 1}}) {
      Boundary b = boundary(shape, sharding);
      Tensor global = iota(shape);
      auto locals = cut(b, global, 4);
      ASSERT_TRUE(locals.ok()) << locals.status();
      auto back = join(b, *locals, builtins());
      ASSERT_TRUE(back.ok()) << back.status();
      EXPECT_TRUE(identical(*back, global)) << sharding;
    }
}

TEST(Boundary, PartsAndPoison) {
  auto locals = cut(boundary({3}, "[{\"x\"}]"), iota({3}), 4);
  ASSERT_TRUE(locals.ok()) << locals.status();
  EXPECT_EQ(elementsOf<float>((*locals)[1]), (std::vector<float>{0, 1}));
  EXPECT_EQ((*locals)[2].as<float>()[0], 2);
  EXPECT_TRUE(std::isnan((*locals)[2].as<float>()[1]));
  EXPECT_TRUE((*locals)[2].buffer() == (*locals)[3].buffer());
  Boundary booleans{type(E::i1, {1}), "<[\"x\"=2]>", "[{\"x\"}]", -1, ""};
  auto flags = cut(booleans, Tensor::of<uint8_t>(E::i1, {1}, {0}), 2);
  EXPECT_EQ(elementsOf<uint8_t>((*flags)[1]), std::vector<uint8_t>{1});
  Boundary integers{type(E::i8, {1}), "<[\"x\"=2]>", "[{\"x\"}]", -1, ""};
  auto bytes = cut(integers, Tensor::of<int8_t>(E::i8, {1}, {0}), 2);
  EXPECT_EQ(elementsOf<int8_t>((*bytes)[1]), std::vector<int8_t>{127});
  Boundary uneven{type(E::i8, {5}), "<[\"x\"=2]>", "[{\"x\"}]", -1, ""};
  auto parts = cut(uneven, Tensor::of<int8_t>(E::i8, {5}, {1, 2, 3, 4, 5}), 2);
  EXPECT_EQ(elementsOf<int8_t>((*parts)[1]), (std::vector<int8_t>{4, 5, -127}));
}

TEST(Boundary, DeviceOrder) {
  auto locals = cut(boundary({2}, "[{\"x\"}]", "<[\"x\"=2], device_ids=[1, 0]>"), iota({2}), 2);
  ASSERT_TRUE(locals.ok()) << locals.status();
  EXPECT_EQ(elementsOf<float>((*locals)[0]), std::vector<float>{1});
}

TEST(Boundary, EveryReplicaIsCompared) {
  Tensor a = Tensor::of<float>(E::f32, {2}, {1, 2}), b = Tensor::of<float>(E::f32, {2}, {1, 3});
  EXPECT_EQ(join(boundary({4}, "[{\"x\"}]"), {a, a, a, b}, builtins()).status().message(),
            "device 3 holds 3 at [1] of its part, device 2 holds 2");
  // Partial values are added up before they are compared.
  EXPECT_TRUE(join(boundary({2}, "[{}], unreduced={\"y\"}"), {a, b, b, a}, builtins()).ok());
  // Padding is not compared: only the first row of the second shard is in the tensor.
  EXPECT_TRUE(join(boundary({3}, "[{\"x\"}]"), {a, a, a, b}, builtins()).ok());
}

TEST(Boundary, Mistakes) {
  EXPECT_EQ(cut(boundary({4}, "[{\"x\"}]"), iota({4}), 8).status().message(),
            "mesh <[\"x\"=2, \"y\"=2]> has 4 devices, the program 8");
  EXPECT_EQ(cut(boundary({4}, "[{\"x\"}]"), iota({5}), 4).status().message(),
            "tensor has type 5xf32; expected 4xf32");
  EXPECT_FALSE(cut(boundary({4}, "[{\"q\"}]"), iota({4}), 4).ok());
  EXPECT_FALSE(cut(boundary({4}, "[{\"x\"}, {}]"), iota({4}), 4).ok());
}

TEST(Compare, Tolerances) {
  float nan = std::nanf("");
  Tensor expected = Tensor::of<float>(E::f32, {2, 2}, {1, 2, nan, 4});
  Tensor actual = Tensor::of<float>(E::f32, {2, 2}, {1, 2.5, nan, 5});
  auto strict = compare(actual, expected, 0, 0);
  EXPECT_FALSE(strict->equal);
  EXPECT_EQ(strict->numDifferent, 2);
  EXPECT_EQ(strict->maxAbsError, 1);
  EXPECT_EQ(strict->maxRelError, 0.25);
  EXPECT_EQ(strict->message, "[0, 1] is 2.5, expected 2");
  EXPECT_TRUE(compare(actual, expected, 0.25, 0)->equal);
  EXPECT_TRUE(compare(actual, expected, 0, 1)->equal);
  Tensor one = Tensor::of<int32_t>(E::i32, {1}, {1}), two = Tensor::of<int32_t>(E::i32, {1}, {2});
  EXPECT_FALSE(compare(one, two, 10, 10)->equal);
  EXPECT_FALSE(compare(one, expected, 0, 0).ok());
}

/// What is infinitely far is said to be, not left out.
TEST(Compare, NonFiniteDifferences) {
  float nan = std::nanf(""), inf = HUGE_VALF;
  auto of = [](float value) { return Tensor::of<float>(E::f32, {1}, {value}); };
  for (auto [a, b] : {std::pair(inf, 1.f), {1.f, inf}, {nan, 1.f}, {0.f, nan}, {inf, -inf}}) {
    auto comparison = compare(of(a), of(b), 1, 1);
    EXPECT_FALSE(comparison->equal) << a << " and " << b;
    EXPECT_EQ(comparison->maxAbsError, HUGE_VAL) << a << " and " << b;
    EXPECT_EQ(comparison->maxRelError, HUGE_VAL) << a << " and " << b;
  }
  for (float same : {inf, -inf, nan}) {
    EXPECT_TRUE(compare(of(same), of(same), 0, 0)->equal);
    EXPECT_EQ(compare(of(same), of(same), 0, 0)->maxAbsError, 0);
  }
}

TEST(Npy, RoundTripsEveryType) {
  for (int i = 0; i < numElementTypes; ++i) {
    Tensor tensor = *Tensor::zeros(TypeRef(type(static_cast<E>(i), {3, 1})));
    auto back = npyFromBytes(npyToBytes(tensor), tensor.type());
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_TRUE(identical(*back, tensor));
  }
  for (const Ints &shape : {Ints{}, Ints{3}, Ints{0, 2}}) {
    auto back = npyFromBytes(npyToBytes(iota(shape)));
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(back->type(), f32(shape));
  }
}

TEST(Npy, ColumnMajor) {
  // NumPy stores a transposed array as it lies: element (i, j, k) is at i + 2 * (j + 3 * k).
  std::string bytes = npyToBytes(iota({2, 3, 4}));
  bytes.replace(bytes.find("False"), 5, "True ");
  auto tensor = npyFromBytes(bytes, f32({2, 3, 4}));
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  int64_t at = 0;
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 3; ++j)
      for (int64_t k = 0; k < 4; ++k)
        EXPECT_EQ(tensor->as<float>()[at++], static_cast<float>(i + 2 * (j + 3 * k)));
}

TEST(Npy, BadFiles) {
  std::string good = npyToBytes(iota({2, 3}));
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_EQ(npyFromBytes(std::string_view(good).substr(0, length)).status().code(),
              absl::StatusCode::kInvalidArgument);
  auto with = [&](const char *from, std::string to) {
    std::string bad = good;
    to.resize(std::string(from).size(), ' ');
    return std::string(npyFromBytes(bad.replace(bad.find(from), to.size(), to)).status().message());
  };
  EXPECT_EQ(with("<f4", ">f4"), "npy array is '>f4', which is not little-endian");
  EXPECT_EQ(with("<f4", "<f9"), "npy array has element type 'f9'");
  EXPECT_EQ(with("False", "Maybe"), "npy header has no 'fortran_order'");
  EXPECT_EQ(with("(2, 3)", "(2, 4)"), "npy array 2x4xf32 has 24 bytes of data");
  EXPECT_EQ(with("(2, 3)", "(2, -)"), "npy header has size ' -'");
  EXPECT_EQ(npyFromBytes(good, i32({2, 3})).status().message(),
            "npy array has type 2x3xf32; expected 2x3xi32");
  EXPECT_EQ(readNpy("/nonexistent/0.npy").status().code(), absl::StatusCode::kNotFound);
}

} // namespace
} // namespace spmd::test
