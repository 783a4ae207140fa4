#include "spmd/ir/graph/ShardGraph.h"

#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <numeric>

namespace spmd {

template <typename T> static void reserveMore(std::vector<T> &items, size_t more) {
  if (items.capacity() - items.size() < more)
    items.reserve(std::max(items.size() + more, 2 * items.capacity()));
}

void ShardGraph::reserve(size_t moreValues, size_t moreOps, size_t moreTensors) {
  reserveMore(values_, moreValues);
  reserveMore(ops_, moreOps);
  reserveMore(tensors_, moreTensors);
}

int32_t ShardGraph::addTensors(absl::Span<const int32_t> tensors, int32_t shift) {
  size_t first = tensors_.size();
  tensors_.resize(first + tensors.size());
  std::transform(tensors.begin(), tensors.end(), tensors_.begin() + first,
                 [shift](int32_t value) { return value + shift; });
  return static_cast<int32_t>(first);
}

int32_t ShardGraph::addOp(int32_t rule, absl::Span<const int32_t> operands,
                          absl::Span<const int32_t> results) {
  int32_t first = addTensors(operands);
  addTensors(results);
  return addOp(
      {rule, first, static_cast<int32_t>(operands.size()), static_cast<int32_t>(results.size())});
}

int32_t ShardGraph::addOp(const OpRule &rule, absl::Span<const int32_t> operands,
                          absl::Span<const int32_t> results) {
  return addOp(internRule(rule), operands, results);
}

int32_t ShardGraph::ruleOfEdge(int32_t shapeIndex, size_t count) {
  auto [rule, isNew] = edgeRules_.try_emplace({shapeIndex, count}, none);
  if (isNew)
    rule->second = internRule(identityRule(shape(shapeIndex), count));
  return rule->second;
}

int32_t ShardGraph::addEdge(absl::Span<const int32_t> values) {
  int32_t rule = ruleOfEdge(value(values.front()).shape, values.size());
  return addOp({rule, addTensors(values), 1, static_cast<int32_t>(values.size()) - 1});
}

void ShardGraph::setSharding(int32_t value, MeshSharding sharding) {
  std::vector<DimSharding> &dims = sharding.sharding.dims;
  dropPriorities(value);
  if (std::any_of(dims.begin(), dims.end(),
                  [](const DimSharding &dim) { return dim.priority.has_value(); })) {
    if (static_cast<size_t>(value) >= firstPriorities_.size())
      firstPriorities_.resize(value + 1, none);
    firstPriorities_[value] = static_cast<int32_t>(priorities_.size());
    for (DimSharding &dim : dims)
      priorities_.push_back(std::exchange(dim.priority, std::nullopt));
  }
  values_[value].sharding = internSharding(sharding);
}

void ShardGraph::copyPriorities(int32_t from, int32_t to) {
  if (!hasPriorities(from))
    return dropPriorities(to);
  if (static_cast<size_t>(to) >= firstPriorities_.size())
    firstPriorities_.resize(to + 1, none);
  firstPriorities_[to] = firstPriorities_[from];
}

bool ShardGraph::hasLowerPriorities() const {
  return std::any_of(priorities_.begin(), priorities_.end(),
                     [](std::optional<int64_t> priority) { return priority.value_or(0) > 0; });
}

MeshSharding ShardGraph::shardingOf(int32_t value) const {
  MeshSharding sharding = shardings_[values_[value].sharding];
  if (hasPriorities(value))
    for (size_t d = 0; d < sharding.sharding.dims.size(); ++d)
      sharding.sharding.dims[d].priority = priorities_[firstPriorities_[value] + d];
  return sharding;
}

double ShardGraph::bytesOf(const Value &value) const {
  double bits = value.elementBits;
  for (int64_t size : shape(value.shape))
    bits *= static_cast<double>(size);
  return bits / 8;
}

void ShardGraph::opsOfValues(std::vector<int32_t> &offsets, std::vector<int32_t> &ops) const {
  offsets.assign(values_.size() + 1, 0);
  for (int32_t tensor : tensors_)
    ++offsets[tensor + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  ops.resize(tensors_.size());
  std::vector<int32_t> next(offsets.begin(), offsets.end() - 1);
  for (int32_t op = 0; op < numOps(); ++op)
    for (int32_t tensor : tensorsOf(ops_[op]))
      ops[next[tensor]++] = op;
}

OpRule identityRule(const ShardGraph::Shape &shape, size_t count) {
  RuleBuilder builder(1, count - 1);
  builder.operandRank(0, shape.size());
  for (size_t result = 0; result + 1 < count; ++result)
    builder.resultRank(result, shape.size());
  for (size_t d = 0; d < shape.size(); ++d) {
    int32_t factor = builder.factor(shape[d]);
    builder.operand(0, d, {factor});
    for (size_t result = 0; result + 1 < count; ++result)
      builder.result(result, d, {factor});
  }
  return builder.take();
}

//===- Text ----------------------------------------------------------------===//

static const char *nameOf(ShardingState state) {
  constexpr const char *names[] = {"unspecified", "inferred", "pinned"};
  return names[static_cast<int>(state)];
}

std::string ShardGraph::str() const {
  std::string text;
  for (int32_t i = 0; i < numMeshes(); ++i)
    absl::StrAppend(&text, "mesh ", i, ": ", mesh(i).str(), "\n");
  for (int32_t i = 0; i < numValues(); ++i) {
    const Value &v = value(i);
    absl::StrAppend(&text, "value ", i, ": ", absl::StrJoin(shape(v.shape), "x"),
                    shape(v.shape).empty() ? "" : "x", v.elementBits, "b");
    if (v.sharding != none) {
      MeshSharding s = shardingOf(i);
      absl::StrAppend(&text, " ", nameOf(v.state), " mesh ", s.mesh, " ",
                      toSpec(mesh(s.mesh), s.sharding).str());
    }
    text += "\n";
  }
  for (int32_t i = 0; i < numOps(); ++i) {
    absl::Span<const int32_t> tensors = tensorsOf(ops_[i]);
    absl::StrAppend(&text, "op ", i, ": (", absl::StrJoin(tensors.first(ops_[i].numOperands), ", "),
                    ") -> (", absl::StrJoin(tensors.subspan(ops_[i].numOperands), ", "), ") ",
                    rule(ops_[i].rule).str(), "\n");
  }
  return text;
}

//===- Checking ------------------------------------------------------------===//

static absl::Status verifyValue(const ShardGraph &graph, const ShardGraph::Value &value) {
  if (value.elementBits < 0)
    return absl::InvalidArgumentError("element has a negative size");
  for (int64_t size : graph.shape(value.shape))
    if (size < 0)
      return absl::InvalidArgumentError("a dim has a negative size");
  if (value.sharding == ShardGraph::none)
    return absl::OkStatus();
  const MeshSharding &sharding = graph.sharding(value.sharding);
  return verify(graph.mesh(sharding.mesh), sharding.sharding, graph.shape(value.shape));
}

static absl::Status verifyOp(const ShardGraph &graph, const ShardGraph::Op &op) {
  std::vector<std::vector<int64_t>> shapes;
  for (int32_t tensor : graph.tensorsOf(op))
    shapes.push_back(graph.shape(graph.value(tensor).shape));
  auto all = absl::MakeConstSpan(shapes);
  return verify(graph.rule(op.rule), all.first(op.numOperands), all.subspan(op.numOperands));
}

std::vector<std::string> verify(const ShardGraph &graph) {
  std::vector<std::string> findings;
  auto report = [&](const char *what, int32_t index, const absl::Status &status) {
    if (!status.ok())
      findings.push_back(absl::StrCat(what, " ", index, ": ", status.message()));
  };
  for (int32_t i = 0; i < graph.numValues(); ++i)
    report("value", i, verifyValue(graph, graph.value(i)));
  for (int32_t i = 0; i < graph.numOps(); ++i)
    report("op", i, verifyOp(graph, graph.op(i)));
  return findings;
}

} // namespace spmd
