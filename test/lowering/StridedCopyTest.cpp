// Strided copies of any layout, against a loop over elements; and memory that is kept.
#include "Programs.h"

#include "spmd/lowering/interpreter/Memory.h"
#include "spmd/lowering/interpreter/StridedCopy.h"

#include <algorithm>
#include <cstring>

namespace spmd::test {
namespace {

/// A random box whose elements lie apart on the target side: strides of a dense tensor in any order
/// of dims, spread or reversed; on the source side also 0.
struct RandomBox {
  CopyBox box;
  int64_t sourceFirst = 0, sourceSize = 1, targetFirst = 0, targetSize = 1;

  explicit RandomBox(std::mt19937 &random) {
    size_t rank = random() % 5;
    for (size_t d = 0; d < rank; ++d)
      box.shape.push_back(random() % 4 == 0 ? random() % 40 : 1 + random() % 7);
    box.sourceStrides = strides(random, sourceFirst, sourceSize, /*mayRepeat=*/true);
    box.targetStrides = strides(random, targetFirst, targetSize, /*mayRepeat=*/false);
  }

private:
  Ints strides(std::mt19937 &random, int64_t &first, int64_t &size, bool mayRepeat) {
    Ints out(box.shape.size(), 0), order;
    for (size_t d = 0; d < out.size(); ++d)
      order.insert(order.begin() + random() % (order.size() + 1), d);
    for (int64_t d : order) {
      if (mayRepeat && random() % 5 == 0)
        continue; // The same elements along this dim.
      int64_t spread = random() % 3 == 0 ? 1 + random() % 3 : 1;
      out[d] = size * spread;
      size *= std::max<int64_t>(box.shape[d], 1) * spread;
      if (random() % 6 == 0) {
        first += (std::max<int64_t>(box.shape[d], 1) - 1) * out[d];
        out[d] = -out[d];
      }
    }
    return out;
  }
};

TEST(StridedCopy, MatchesALoopOverElements) {
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    RandomBox made(random);
    int64_t bytes = int64_t{1} << (random() % 5);
    std::vector<std::byte> source(made.sourceSize * bytes), target(made.targetSize * bytes);
    for (std::byte &byte : source)
      byte = static_cast<std::byte>(random());
    std::vector<std::byte> expected = target;
    const std::byte *from = source.data() + made.sourceFirst * bytes;
    bool isEmpty = std::count(made.box.shape.begin(), made.box.shape.end(), 0) > 0;
    Ints index(made.box.shape.size(), 0);
    if (!isEmpty)
      do {
        std::memcpy(expected.data() +
                        (made.targetFirst + offsetOf(index, made.box.targetStrides)) * bytes,
                    from + offsetOf(index, made.box.sourceStrides) * bytes, bytes);
      } while (nextIndex(index, made.box.shape));
    StridedCopy(made.box, bytes).run(from, target.data() + made.targetFirst * bytes);
    ASSERT_EQ(target, expected) << "case " << i << ", " << bytes << " bytes";
  }
}

/// Every element, and nothing beside the target; whole blocks, parts of blocks and what is narrower
/// than a vector; rows a power of two apart are copied in other blocks.
TEST(StridedCopy, TransposesOfAnySize) {
  std::mt19937 random(11);
  std::vector<std::byte> noise(2200 * 600 * 16);
  for (size_t i = 0; i < noise.size(); ++i)
    noise[i] = static_cast<std::byte>(random());
  const Ints sizes = {1, 3, 16, 17, 64, 200, 512, 1030, 2048};
  for (int64_t bytes : {1, 2, 4, 8, 16, 32, 64})
    for (int64_t rows : sizes)
      for (int64_t columns : sizes) {
        int64_t size = rows * columns * bytes;
        if (size > static_cast<int64_t>(noise.size()) || rows * columns > 1030 * 600)
          continue;
        std::vector<std::byte> to(size + 64, std::byte{0x5a});
        transposeElements(rows, columns, bytes, noise.data() + 3, to.data());
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = 0; j < columns; ++j)
            ASSERT_EQ(0, std::memcmp(to.data() + (j * rows + i) * bytes,
                                     noise.data() + 3 + (i * columns + j) * bytes, bytes))
                << rows << "x" << columns << " of " << bytes << " bytes";
        for (int64_t i = 0; i < 64; ++i)
          ASSERT_EQ(to[size + i], std::byte{0x5a});
      }
}

TEST(Memory, IsAlignedAndOwnedByOneAtATime) {
  std::mt19937 random(3);
  std::vector<std::pair<std::byte *, int64_t>> held;
  for (int i = 0; i < 20000; ++i) {
    if (held.size() > 40 || (i % 3 == 0 && !held.empty())) {
      size_t at = random() % held.size();
      auto [memory, bytes] = held[at];
      for (int64_t b : {int64_t{0}, bytes / 2, bytes - 1})
        ASSERT_EQ(memory[b], static_cast<std::byte>(bytes * 7)) << bytes;
      giveMemory(memory, bytes);
      held.erase(held.begin() + at);
    }
    int64_t bytes = 1 + random() % (int64_t{1} << (random() % 22));
    auto *memory = static_cast<std::byte *>(takeMemory(bytes));
    ASSERT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
    std::memset(memory, static_cast<int>(bytes * 7) & 0xff, bytes);
    held.emplace_back(memory, bytes);
  }
  for (auto [memory, bytes] : held)
    giveMemory(memory, bytes);
}

} // namespace
} // namespace spmd::test
