#include "spmd/ir/rules/Strategy.h"

#include <gtest/gtest.h>

namespace spmd {
namespace {

TEST(StrategyTest, IdentitiesLeaveReductionsUnchanged) {
  EXPECT_EQ(identityOf(ReductionKind::sum), FillValue::zero);
  EXPECT_EQ(identityOf(ReductionKind::product), FillValue::one);
  EXPECT_EQ(identityOf(ReductionKind::max), FillValue::lowest);
  EXPECT_EQ(identityOf(ReductionKind::min), FillValue::highest);
  EXPECT_EQ(identityOf(ReductionKind::logicalAnd), FillValue::allOnes);
  EXPECT_EQ(identityOf(ReductionKind::logicalOr), FillValue::zero);
  EXPECT_EQ(identityOf(ReductionKind::logicalXor), FillValue::zero);
}

TEST(StrategyTest, NothingPassesUnlessSaid) {
  for (ReductionKind kind : allReductionKinds)
    EXPECT_EQ(Commuting()[kind].passing, Passing::no);
}

TEST(StrategyTest, LinearOpsPassSumsAlone) {
  EXPECT_EQ(Commuting::linear()[ReductionKind::sum].passing, Passing::alone);
  EXPECT_EQ(Commuting::linear()[ReductionKind::max].passing, Passing::no);
}

TEST(StrategyTest, MonotoneOpsPassExtremesAndNoSums) {
  EXPECT_EQ(Commuting::monotone()[ReductionKind::max].passing, Passing::alone);
  EXPECT_EQ(Commuting::monotone()[ReductionKind::min].passing, Passing::alone);
  EXPECT_EQ(Commuting::monotone()[ReductionKind::sum].passing, Passing::no);
}

TEST(StrategyTest, AKindMayBecomeAnother) {
  Commuting negation = Commuting().pass(ReductionKind::max, Passing::alone, ReductionKind::min);
  EXPECT_EQ(negation[ReductionKind::max].becomes, ReductionKind::min);
  for (ReductionKind kind : allReductionKinds)
    EXPECT_EQ(Commuting::movesElements()[kind].becomes, kind);
}

} // namespace
} // namespace spmd
