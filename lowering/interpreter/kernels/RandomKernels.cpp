// rng_bit_generator and rng.
//
// rng_bit_generator gives the bits that XLA gives. The state is a key and a counter, 64 bits each
// (Philox: 128 bits if the state has three words; with two, the key is also the upper half of the
// counter). Threefry fills two halves of the result, cut along its first even dim, or the longest;
// Philox fills it in order. Elements of less than 32 bits take the lowest bits of 32. DEFAULT is
// Philox.
//
// rng, which names no state, is Philox too. A key made of the place of the instruction in its file
// and a counter of its executions on a device give a seed of two words: the state that all numbers
// are made from. Two runs of a program give the same numbers, and so do all devices. A result of
// the type of a seed is the seed itself, so that a device can make its part of another result
// (dialect/partitioning/algorithms/RandomNumbers.h).
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Storage.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"
#include "spmd/lowering/interpreter/kernels/RandomBits.h"

#include <atomic>
#include <cmath>
#include <cstring>

namespace spmd {
namespace {

/// Stores the lowest bits of each of `words` as elements of `bits` bits.
template <typename Word>
void storeWords(const std::vector<Word> &words, int64_t n, int bits, std::byte *out) {
  int64_t bytes = (bits + 7) / 8;
  Word mask = bits < static_cast<int>(8 * sizeof(Word)) ? (Word(1) << bits) - 1 : ~Word(0);
  for (int64_t i = 0; i < n; ++i) {
    Word word = words[i] & mask;
    std::memcpy(out + i * bytes, &word, bytes);
  }
}

/// Fills `out` by Threefry and returns how far the counter went.
uint64_t fillByThreefry(uint64_t key, uint64_t counter, const TensorType &type, std::byte *out) {
  int64_t n = type.numElements();
  int bits = bitWidth(type.element);
  if (bits == 64) {
    std::vector<uint64_t> words(n);
    for (int64_t i = 0; i < n; ++i) {
      Block2 block = threefry(halvesOf(counter + i), halvesOf(key));
      words[i] = joined(block[0], block[1]);
    }
    storeWords(words, n, bits, out);
    return n;
  }
  // Element 2 i + h of the split dim is half h of block i there.
  Ints shape = type.rank() == 0 ? Ints{1} : type.shape;
  size_t split = 0;
  auto isEven = [](int64_t size) { return size % 2 == 0; };
  if (auto even = std::find_if(shape.begin(), shape.end(), isEven); even != shape.end())
    split = even - shape.begin();
  else
    split = std::max_element(shape.begin(), shape.end()) - shape.begin();
  int64_t size = shape[split], halfSize = (size + 1) / 2;
  int64_t inner = product(Ints(shape.begin() + split + 1, shape.end()));
  int64_t numBlocks = size == 0 ? 0 : n / size * halfSize;
  std::vector<uint32_t> words(n);
  for (int64_t b = 0; b < numBlocks; ++b) {
    Block2 block = threefry(halvesOf(counter + b), halvesOf(key));
    int64_t outer = b / (halfSize * inner), at = b / inner % halfSize, rest = b % inner;
    for (int64_t half = 0; half < 2 && 2 * at + half < size; ++half)
      words[(outer * size + 2 * at + half) * inner + rest] = block[half];
  }
  storeWords(words, n, bits, out);
  return numBlocks;
}

/// A counter of 128 bits.
struct Counter {
  uint64_t low, high;

  Counter plus(uint64_t n) const { return {low + n, high + (low + n < low)}; }
  Block4 block() const {
    Block2 a = halvesOf(low), b = halvesOf(high);
    return {a[0], a[1], b[0], b[1]};
  }
};

/// Fills `out` by Philox and returns how far the counter went.
uint64_t fillByPhilox(uint64_t key, Counter counter, const TensorType &type, std::byte *out) {
  int64_t n = type.numElements();
  int bits = bitWidth(type.element);
  int64_t perBlock = bits == 64 ? 2 : 4, numBlocks = (n + perBlock - 1) / perBlock;
  std::vector<uint32_t> words(4 * numBlocks);
  for (int64_t b = 0; b < numBlocks; ++b) {
    Block4 block = philox(counter.plus(b).block(), halvesOf(key));
    std::copy(block.begin(), block.end(), words.begin() + 4 * b);
  }
  if (bits == 64) {
    if (n > 0)
      std::memcpy(out, words.data(), n * sizeof(uint64_t));
  } else {
    storeWords(words, n, bits, out);
  }
  return numBlocks;
}

absl::StatusOr<Kernel> prepareBitGenerator(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(1, 2));
  const TensorType &state = request.operands[0], &to = request.results[1];
  SPMD_ASSIGN_OR_RETURN(std::string algorithm,
                        request.attributes().get<std::string>("rng_algorithm"));
  SPMD_RETURN_IF_ERROR(expectType("result 0", request.results[0], state));
  if (isComplex(to.element) || to.element == ElementType::i1)
    return invalid("makes ", to.str());
  int64_t words = state.sizeInBytes() / 8;
  bool isThreefry = algorithm == "THREE_FRY";
  if (!isInteger(state.element) || state.rank() != 1 || state.sizeInBytes() % 8 != 0 || words < 2 ||
      words > (isThreefry ? 2 : 3))
    return invalid("has a state of type ", state.str(), "; expected two 64-bit words",
                   isThreefry ? "" : ", or three");
  return Kernel{[words, isThreefry](const KernelCall &call) {
    const Tensor &out = call.outputs[1];
    uint64_t state[3] = {};
    std::memcpy(state, call.inputs[0].data(), words * sizeof(uint64_t));
    if (isThreefry) {
      state[1] += fillByThreefry(state[0], state[1], out.type(), out.mutableData());
    } else {
      Counter counter{state[1], words == 3 ? state[2] : state[0]};
      uint64_t used = fillByPhilox(state[0], counter, out.type(), out.mutableData());
      counter = counter.plus(used);
      state[1] = counter.low;
      state[2] = counter.high;
    }
    std::memcpy(call.outputs[0].mutableData(), state, words * sizeof(uint64_t));
    return absl::OkStatus();
  }};
}

/// FNV-1a, the same on every machine.
uint64_t hashOf(const std::string &text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : text)
    hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

/// Returns a number in [0, 1), of 53 bits.
double unitOf(uint64_t bits) { return std::ldexp(static_cast<double>(bits >> 11), -53); }

/// One random element between `a` and `b`, or around `a` with deviation `b`.
template <typename T> T draw(const Block4 &block, T a, T b, bool isNormal) {
  uint64_t first = joined(block[0], block[1]), second = joined(block[2], block[3]);
  if constexpr (std::is_same_v<T, bool>) {
    return a == b ? a : (first & 1) != 0;
  } else if constexpr (std::is_integral_v<T>) {
    uint64_t range = static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
    return a < b ? static_cast<T>(static_cast<uint64_t>(a) + first % range) : a;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!isNormal)
      return static_cast<T>(a + (b - a) * unitOf(first));
    constexpr double pi = 3.14159265358979323846;
    double radius = std::sqrt(-2 * std::log(1 - unitOf(first)));
    return static_cast<T>(a + b * radius * std::cos(2 * pi * unitOf(second)));
  } else {
    return a;
  }
}

/// What the numbers of one execution of rng are made from.
struct Seed {
  uint64_t key;
  Counter counter;

  /// Of execution number `run` of the instruction that has `key`.
  static Seed of(uint64_t key, uint64_t run) {
    auto word = [&](uint64_t i) {
      constexpr uint64_t limit = ~uint64_t{0};
      return draw<uint64_t>(philox(Counter{i, run}.block(), halvesOf(key)), 0, limit, false);
    };
    return {word(0), {word(1), word(0)}};
  }
};

absl::StatusOr<Kernel> prepareRng(const KernelRequest &request) {
  SPMD_RETURN_IF_ERROR(request.expectCounts(3, 1));
  const TensorType &to = request.results[0];
  SPMD_ASSIGN_OR_RETURN(std::string distribution,
                        request.attributes().get<std::string>("rng_distribution"));
  for (int i = 0; i < 2; ++i)
    SPMD_RETURN_IF_ERROR(expectType("operand", request.operands[i], {to.element, {}}));
  bool isNormal = distribution == "NORMAL";
  if (isComplex(to.element) || to.element == ElementType::f128 ||
      (isNormal && !isFloat(to.element)))
    return invalid("makes ", to.str(), " with distribution ", distribution);
  const TensorType seedType{ElementType::ui64, {2}};
  uint64_t key = hashOf(request.instruction.location);
  auto runs = std::make_shared<std::vector<std::atomic<uint64_t>>>(request.program.numDevices);
  return Kernel{[=](const KernelCall &call) {
    const Tensor &out = call.outputs[0];
    const Storage &storage = storageOf(out.type().element);
    int64_t n = out.numElements();
    uint64_t run = (*runs)[call.device]++;
    bool isSeed = out.type() == seedType;
    Seed seed = isSeed ? Seed{key, {0, run}} : Seed::of(key, run);
    std::vector<std::byte> native(n * storage.nativeBytes), bounds(2 * storage.nativeBytes);
    for (int i = 0; i < 2; ++i)
      if (storage.isDirect())
        std::memcpy(bounds.data() + i * storage.nativeBytes, call.inputs[i].data(),
                    storage.nativeBytes);
      else
        storage.load(1, call.inputs[i].data(), bounds.data() + i * storage.nativeBytes);
    visitNative(out.type().element, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      auto *limits = reinterpret_cast<const T *>(bounds.data());
      auto *values = reinterpret_cast<T *>(native.data());
      for (int64_t i = 0; i < n; ++i)
        values[i] = draw<T>(philox(seed.counter.plus(i).block(), halvesOf(seed.key)), limits[0],
                            limits[1], isNormal);
    });
    if (!storage.isDirect())
      storage.store(n, native.data(), out.mutableData());
    else if (n > 0)
      std::memcpy(out.mutableData(), native.data(), native.size());
    return absl::OkStatus();
  }};
}

} // namespace

void addRandomKernels(KernelRegistry &registry) {
  registry.addKernel("rng", prepareRng);
  registry.addKernel("rng_bit_generator", prepareBitGenerator);
}

} // namespace spmd
