#include "spmd/lowering/interpreter/Arithmetic.h"

namespace spmd {

void ChoiceLog::add(int64_t device, int32_t choice, std::vector<Tensor> results) {
  if (static_cast<int64_t>(entries.size()) <= device)
    entries.resize(device + 1);
  if (static_cast<int32_t>(entries[device].size()) <= choice)
    entries[device].resize(choice + 1);
  for (const Tensor &result : results)
    bytes += result.sizeInBytes();
  entries[device][choice].push_back(std::move(results));
}

const std::vector<Tensor> *ChoiceLog::find(int64_t device, int32_t choice,
                                           size_t occurrence) const {
  bool isThere = device < static_cast<int64_t>(entries.size()) &&
                 choice < static_cast<int32_t>(entries[device].size()) &&
                 occurrence < entries[device][choice].size();
  return isThere ? &entries[device][choice][occurrence] : nullptr;
}

static thread_local const Arithmetic *arithmeticNow = nullptr;
static thread_local uint64_t *positionNow = nullptr;

ArithmeticScope::ArithmeticScope(const Arithmetic *arithmetic, uint64_t *position)
    : before(arithmeticNow), positionBefore(positionNow) {
  arithmeticNow = arithmetic;
  positionNow = position;
}

ArithmeticScope::~ArithmeticScope() {
  arithmeticNow = before;
  positionNow = positionBefore;
}

const Arithmetic *ArithmeticScope::current() { return arithmeticNow; }

uint64_t ArithmeticScope::take(int64_t n) {
  if (!positionNow)
    return 0;
  uint64_t first = *positionNow;
  *positionNow += n;
  return first;
}

} // namespace spmd
