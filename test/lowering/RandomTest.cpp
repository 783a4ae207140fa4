// Random bits: the generators against their authors' known answers, and the layout of results.
#include "Programs.h"

#include "spmd/lowering/interpreter/kernels/RandomBits.h"

#include <cmath>

namespace spmd::test {
namespace {

using E = ElementType;

TEST(RandomBits, KnownAnswers) {
  EXPECT_EQ(threefry({0, 0}, {0, 0}), (Block2{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(threefry({~0u, ~0u}, {~0u, ~0u}), (Block2{0x1cb996fc, 0xbb002be7}));
  EXPECT_EQ(threefry({0x243f6a88, 0x85a308d3}, {0x13198a2e, 0x03707344}),
            (Block2{0xc4923a9c, 0x483df7a0}));
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Block4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block4{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

std::vector<Tensor> generate(const char *algorithm, std::vector<uint64_t> state, TensorType type) {
  Tensor in = Tensor::of<uint64_t>(E::ui64, {static_cast<int64_t>(state.size())}, state);
  auto results = runOp("rng_bit_generator", {in}, {in.type(), type},
                       {{"rng_algorithm", std::string(algorithm)}});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? *results : std::vector<Tensor>();
}

/// The two halves of a block lie beside each other in the first even dim, else in the longest.
TEST(RandomBits, ThreefryFillsHalves) {
  uint64_t key = 0x123456789abcdef0, counter = 0xfffffffe;
  std::vector<Tensor> results = generate("THREE_FRY", {key, counter}, type(E::ui32, {3, 4}));
  std::vector<uint32_t> words = elementsOf<uint32_t>(results[1]);
  for (uint64_t i = 0; i < 6; ++i) {
    Block2 block = threefry(halvesOf(counter + i), halvesOf(key));
    EXPECT_EQ(words[2 * i], block[0]);
    EXPECT_EQ(words[2 * i + 1], block[1]);
  }
  EXPECT_EQ(elementsOf<uint64_t>(results[0]), (std::vector<uint64_t>{key, counter + 6}));

  results =
      generate("THREE_FRY", {key, 5}, type(E::i8, {5, 3})); // Dim 0, of which one half misses.
  std::vector<uint8_t> bytes = elementsOf<uint8_t>(results[1]);
  for (int64_t i = 0; i < 9; ++i) {
    Block2 block = threefry(halvesOf(5 + i), halvesOf(key));
    EXPECT_EQ(bytes[(2 * (i / 3)) * 3 + i % 3], block[0] & 0xff);
    if (2 * (i / 3) + 1 < 5)
      EXPECT_EQ(bytes[(2 * (i / 3) + 1) * 3 + i % 3], block[1] & 0xff);
  }
  results = generate("THREE_FRY", {key, 0}, type(E::ui64, {2}));
  Block2 block = threefry({1, 0}, halvesOf(key));
  EXPECT_EQ(elementsOf<uint64_t>(results[1])[1], joined(block[0], block[1]));
}

TEST(RandomBits, PhiloxFillsInOrder) {
  uint64_t key = 77;
  std::vector<Tensor> results = generate("PHILOX", {key, ~uint64_t{0}, 9}, type(E::ui32, {2, 3}));
  std::vector<uint32_t> words = elementsOf<uint32_t>(results[1]);
  Block4 first = philox({~0u, ~0u, 9, 0}, halvesOf(key)),
         second = philox({0, 0, 10, 0}, halvesOf(key));
  EXPECT_EQ(words,
            (std::vector<uint32_t>{first[0], first[1], first[2], first[3], second[0], second[1]}));
  EXPECT_EQ(elementsOf<uint64_t>(results[0]), (std::vector<uint64_t>{key, 1, 10}));
  // A state of two words: the key is also the upper half of the counter.
  results = generate("DEFAULT", {key, 3}, type(E::ui64, {3}));
  Block4 block = philox({4, 0, static_cast<uint32_t>(key), 0}, halvesOf(key));
  EXPECT_EQ(elementsOf<uint64_t>(results[1])[2], joined(block[0], block[1]));
  EXPECT_EQ(elementsOf<uint64_t>(results[0]), (std::vector<uint64_t>{key, 5}));
}

TEST(RandomBits, EmptyAndRefused) {
  std::vector<Tensor> results = generate("THREE_FRY", {1, 2}, type(E::ui32, {0, 3}));
  EXPECT_EQ(elementsOf<uint64_t>(results[0]), (std::vector<uint64_t>{1, 2}));
  Tensor state = Tensor::of<uint64_t>(E::ui64, {3}, {1, 2, 3});
  EXPECT_EQ(runOp("rng_bit_generator", {state}, {state.type(), type(E::ui32, {1})},
                  {{"rng_algorithm", std::string("THREE_FRY")}})
                .status()
                .message(),
            "'rng_bit_generator': has a state of type 3xui64; expected two 64-bit words");
}

/// Numbers are where they are asked for, with the mean they are asked to have, twice the same.
TEST(Rng, DistributionsAndDeterminism) {
  constexpr int64_t n = 20000;
  auto draw = [&](E element, auto a, auto b, const char *distribution) {
    Tensor shape = Tensor::of<int64_t>(E::i64, {1}, {n});
    auto results = runOp("rng",
                         {Tensor::of<decltype(a)>(element, {}, {a}),
                          Tensor::of<decltype(b)>(element, {}, {b}), shape},
                         {type(element, {n})}, {{"rng_distribution", std::string(distribution)}});
    EXPECT_TRUE(results.ok()) << results.status();
    return elementsOf<decltype(a)>((*results)[0]);
  };
  std::vector<float> uniform = draw(E::f32, -1.f, 3.f, "UNIFORM");
  double sum = 0;
  for (float value : uniform) {
    EXPECT_TRUE(value >= -1 && value <= 3);
    sum += value;
  }
  EXPECT_NEAR(sum / n, 1, 0.05);
  EXPECT_EQ(draw(E::f32, -1.f, 3.f, "UNIFORM"), uniform);
  for (int32_t value : draw(E::i32, int32_t{-2}, int32_t{3}, "UNIFORM"))
    EXPECT_TRUE(value >= -2 && value < 3);
  double mean = 0, square = 0;
  for (double value : draw(E::f64, 2.0, 0.5, "NORMAL")) {
    mean += value / n;
    square += (value - 2) * (value - 2) / n;
  }
  EXPECT_NEAR(mean, 2, 0.02);
  EXPECT_NEAR(std::sqrt(square), 0.5, 0.02);
}

} // namespace
} // namespace spmd::test
