#include "spmd/passes/propagate/Steps.h"

#include "spmd/ir/graph/KindNumbers.h"
#include "spmd/ir/rules/Propagation.h"

#include <algorithm>

namespace spmd {

Steps::Steps(ShardGraph &graph, bool unanimous) : graph(graph), unanimous(unanimous) {
  classifyRules();
  findHandedOn();
  KindNumbers kindNumbers;
  kinds.reserve(graph.numValues());
  for (int32_t v = 0; v < graph.numValues(); ++v)
    kinds.push_back(kindNumbers.number(graph.value(v), isHandedOn[v]));
}

void Steps::classifyRules() {
  for (int32_t r = 0; r < graph.numRules(); ++r) {
    const OpRule &rule = graph.rule(r);
    RuleKind kind = {spmd::isLight(rule), spmd::isBroadcast(rule), {}};
    bool hasOtherFactors =
        std::any_of(rule.factors.begin(), rule.factors.end(),
                    [](const Factor &factor) { return factor.kind != FactorKind::pass; });
    kind.isLight &= !unanimous || !hasOtherFactors; // To Shardy, slices and the like are heavy.
    int8_t last = numRounds - 1;
    for (int8_t round = last; round >= 0; --round) {
      if ((round == 3 && kind.isBroadcast) || (round == 2 && hasOtherFactors))
        last = round; // The next one does more.
      kind.sameUntil[round] = last;
    }
    ruleKinds.push_back(kind);
  }
}

/// What comes in backward through edges of loops is seen as if nobody computed with it.
void Steps::findHandedOn() {
  isHandedOn.assign(graph.numValues(), 1);
  for (int32_t index = graph.numOps(); index-- > 0;) {
    const ShardGraph::Op &op = graph.op(index);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    bool isEnd = isLight(op.rule);
    for (int32_t v : tensors.subspan(op.numOperands))
      isEnd = isEnd && isHandedOn[v];
    if (!isEnd)
      for (int32_t v : tensors.first(op.numOperands))
        isHandedOn[v] = 0;
  }
}

int32_t Steps::numberOf(const ShardGraph::Op &op, int round) {
  absl::Span<const int32_t> tensors = graph.tensorsOf(op);
  size_t length = 2 * tensors.size() + 1;
  if (key.size() < length)
    key.resize(length);
  int32_t *next = key.data();
  *next++ = op.rule * numRounds + sameUntil(op.rule, round);
  bool hasSource = false;
  for (int32_t v : tensors) {
    int32_t sharding = graph.value(v).sharding;
    hasSource |= sharding != ShardGraph::none;
    *next++ = sharding;
    *next++ = kinds[v];
  }
  if (!hasSource)
    return ShardGraph::none;
  auto [step, isNew] = numbers.number(absl::MakeConstSpan(key).first(length));
  if (isNew)
    steps.push_back({compute(op, round)});
  return step;
}

bool Steps::isLast(int32_t step, const ShardGraph::Op &op, int round) {
  absl::Span<const int32_t> tensors = graph.tensorsOf(op);
  for (size_t t = 0; t < tensors.size(); ++t)
    if (graph.value(tensors[t]).sharding != steps[step].after[t])
      return false;
  if (!steps[step].isLast) {
    int32_t next = numberOf(op, round);
    steps[step].isLast = steps[next].after.empty();
  }
  return *steps[step].isLast;
}

/// Returns the shardings of the op's tensors after its step; nothing if no one learns.
absl::InlinedVector<int32_t, 4> Steps::compute(const ShardGraph::Op &op, int round) {
  absl::Span<const int32_t> tensors = graph.tensorsOf(op);
  std::vector<Sharding> shardings;
  std::vector<double> bytes;
  absl::InlinedVector<absl::Span<const int64_t>, 4> sizes;
  absl::InlinedVector<bool, 4> handedOn;
  int32_t mesh = ShardGraph::none;
  for (int32_t v : tensors) {
    const ShardGraph::Value &value = graph.value(v);
    double bytesOf = graph.bytesOf(value);
    sizes.push_back(graph.shape(value.shape));
    handedOn.push_back(isHandedOn[v]);
    bytes.push_back(unanimous && bytesOf > 0 ? bytesOf * 8 / value.elementBits : bytesOf);
    if (value.sharding == ShardGraph::none) {
      shardings.push_back(Sharding::replicatedOf(graph.shape(value.shape).size(), /*open=*/true));
      continue;
    }
    const MeshSharding &known = graph.sharding(value.sharding);
    if (known.sharding.dims.empty()) { // Nobody learns from it, so it may be on any mesh.
      shardings.push_back(known.sharding);
      continue;
    }
    if (graph.mesh(known.mesh).axes().empty())
      return {}; // A maximal mesh splits nothing.
    if (mesh != ShardGraph::none && mesh != known.mesh)
      return {}; // Axes of two meshes cannot be compared.
    mesh = known.mesh;
    shardings.push_back(known.sharding);
  }
  StepScope scope;
  scope.onlyPass = round <= 2;
  scope.unanimous = unanimous;
  OneWay oneWay = graph.rule(op.rule).oneWay;
  scope.forward = oneWay != OneWay::backward && (round == 4 || !ruleKinds[op.rule].isBroadcast);
  scope.backward = oneWay != OneWay::forward;
  if (!unanimous) { // Shardy takes padding as it comes.
    scope.sizes = sizes;
    scope.handedOn = handedOn;
  }
  if (!propagateStep(graph.rule(op.rule), absl::MakeSpan(shardings), bytes, scope))
    return {};
  absl::InlinedVector<int32_t, 4> after;
  for (size_t t = 0; t < tensors.size(); ++t) {
    int32_t before = graph.value(tensors[t]).sharding;
    bool isUnchanged = before == ShardGraph::none ? shardings[t].isFullyReplicated()
                                                  : graph.sharding(before).sharding == shardings[t];
    after.push_back(isUnchanged ? before : graph.internSharding({mesh, std::move(shardings[t])}));
  }
  return after;
}

} // namespace spmd
