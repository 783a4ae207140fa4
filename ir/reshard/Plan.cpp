#include "spmd/ir/reshard/Plan.h"

#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd {

int64_t Plan::numCollectives() const {
  return std::count_if(steps_.begin(), steps_.end(),
                       [](const Step &step) { return step.isCollective(); });
}

int64_t Plan::wireBytes() const {
  int64_t elements = 0;
  for (const Step &step : steps_)
    elements += step.wireElements();
  return elements * elementBytes_;
}

double Plan::cost(const CostModel &model) const {
  return model.latency * numCollectives() + wireBytes() / model.bandwidth;
}

int64_t Plan::peakBytes() const {
  // A reshape is another name for its operand's block, an update for the block it writes into.
  int count = steps_.size() + 1;
  std::vector<int> block(count), lastUse(count, -1);
  for (int reg = 1; reg < count; ++reg) {
    const Step &step = steps_[reg - 1];
    block[reg] = step.kind == StepKind::reshape  ? block[step.operand]
                 : step.into != Step::noRegister ? block[step.into]
                                                 : reg;
  }
  for (int i = 0; i < count - 1; ++i) {
    lastUse[block[steps_[i].operand]] = i;
    if (steps_[i].into != Step::noRegister)
      lastUse[block[steps_[i].into]] = i;
  }
  int64_t live = numElements(inputShape_), peak = live;
  for (int i = 0; i < count - 1; ++i) {
    if (block[i + 1] == i + 1)
      live += numElements(steps_[i].outputShape);
    peak = std::max(peak, live);
    for (int reg = 0; reg <= i; ++reg)
      if (block[reg] == reg && lastUse[reg] == i && reg != block[count - 1])
        live -= numElements(shapeOf(reg));
  }
  return peak * elementBytes_;
}

std::string Plan::str() const {
  std::string text;
  for (size_t i = 0; i < steps_.size(); ++i) {
    std::string line = steps_[i].str(from_, to_);
    size_t word = std::min(line.find(' '), line.size());
    absl::StrAppend(&text, "%", i + 1, " = ", line.substr(0, word), " %", steps_[i].operand,
                    line.substr(word), "\n");
  }
  return text;
}

} // namespace spmd
