#include "spmd/lowering/interpreter/WorkBudget.h"

#include "absl/strings/str_cat.h"

namespace spmd {

static thread_local WorkBudget *budgetNow = nullptr;

absl::Status WorkBudget::spend(int64_t work) {
  if (left.fetch_sub(work, std::memory_order_relaxed) >= work)
    return absl::OkStatus();
  left.fetch_add(work, std::memory_order_relaxed); // Nobody spends it; the rest stays small.
  return absl::ResourceExhaustedError(
      absl::StrCat("the run takes more than the ", given, " operations that it may"));
}

WorkScope::WorkScope(WorkBudget *budget) : before(budgetNow) { budgetNow = budget; }
WorkScope::~WorkScope() { budgetNow = before; }
WorkBudget *WorkScope::current() { return budgetNow; }

} // namespace spmd
