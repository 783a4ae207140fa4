#include "spmd/ir/graph/Agenda.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace spmd {
namespace {

TEST(AgendaTest, GivesNumbersOutInOrderWhateverComesInBetween) {
  for (int32_t size : {1, 63, 64, 65, 4096, 4097, 300000}) {
    Agenda agenda(size);
    std::set<int32_t> expected;
    std::mt19937 random(size);
    auto takeFirst = [&] {
      int32_t first = Agenda::none;
      if (!expected.empty()) {
        first = *expected.begin();
        expected.erase(expected.begin());
      }
      return first;
    };
    auto insert = [&](int32_t number) {
      agenda.insert(number);
      expected.insert(number);
    };
    insert(size - 1); // The last place of all levels.
    for (int i = 0; i < 2000; ++i)
      if (random() % 3 == 0)
        ASSERT_EQ(agenda.takeFirst(), takeFirst()) << "of " << size;
      else
        insert(static_cast<int32_t>(random() % size));
    while (!expected.empty())
      ASSERT_EQ(agenda.takeFirst(), takeFirst()) << "of " << size;
    EXPECT_EQ(agenda.takeFirst(), Agenda::none);
  }
}

} // namespace
} // namespace spmd
