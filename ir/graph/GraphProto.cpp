#include "spmd/ir/graph/ShardGraph.h"
#include "spmd/ir/graph/shard_graph.pb.h"
#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"

namespace spmd {

ShardGraphProto toProto(const ShardGraph &graph) {
  ShardGraphProto proto;
  for (int32_t i = 0; i < graph.numMeshes(); ++i)
    proto.add_meshes(graph.mesh(i).str());
  for (int32_t i = 0; i < graph.numRules(); ++i)
    proto.add_rules(graph.rule(i).str());
  for (int32_t i = 0; i < graph.numShardings(); ++i) {
    const MeshSharding &sharding = graph.sharding(i);
    ShardGraphProto::Sharding *message = proto.add_shardings();
    message->set_mesh(sharding.mesh);
    message->set_sharding(toSpec(graph.mesh(sharding.mesh), sharding.sharding).str());
  }
  for (int32_t i = 0; i < graph.numValues(); ++i) {
    const ShardGraph::Value &value = graph.value(i);
    while (proto.shapes_size() <= value.shape) {
      ShardGraphProto::Shape *shape = proto.add_shapes();
      for (int64_t size : graph.shape(proto.shapes_size() - 1))
        shape->add_dims(size);
    }
    ShardGraphProto::Value *message = proto.add_values();
    message->set_shape(value.shape);
    message->set_element_bits(value.elementBits);
    message->set_state(static_cast<ShardGraphProto::State>(value.state));
    message->set_sharding(value.sharding + 1);
    message->set_origin(value.origin + 1);
  }
  for (int32_t i = 0; i < graph.numOps(); ++i) {
    const ShardGraph::Op &op = graph.op(i);
    ShardGraphProto::Op *message = proto.add_ops();
    message->set_rule(op.rule);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    for (int32_t t = 0; t < op.numOperands; ++t)
      message->add_operands(tensors[t]);
    for (size_t t = op.numOperands; t < tensors.size(); ++t)
      message->add_results(tensors[t]);
  }
  return proto;
}

namespace {

/// Rebuilds a graph from its message, which may hold anything.
class Reader {
public:
  explicit Reader(const ShardGraphProto &proto) : proto(proto) {}

  absl::StatusOr<ShardGraph> read() {
    for (absl::Status (Reader::*part)() :
         {&Reader::readMeshes, &Reader::readRules, &Reader::readShardings, &Reader::readValues,
          &Reader::readOps})
      if (absl::Status status = (this->*part)(); !status.ok())
        return status;
    std::vector<std::string> findings = verify(graph);
    if (!findings.empty())
      return absl::InvalidArgumentError(findings.front());
    return std::move(graph);
  }

private:
  static absl::Status outOfRange(const char *what, int64_t index, const char *field) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " ", index, ": ", field, " is out of range"));
  }

  absl::Status readMeshes() {
    for (const std::string &text : proto.meshes()) {
      absl::StatusOr<Mesh> mesh = meshFromText(text);
      if (!mesh.ok())
        return mesh.status();
      meshes.push_back(graph.addMesh(*mesh));
    }
    return absl::OkStatus();
  }

  absl::Status readRules() {
    for (const std::string &text : proto.rules()) {
      absl::StatusOr<OpRule> rule = ruleFromText(text);
      if (!rule.ok())
        return rule.status();
      rules.push_back(graph.internRule(*rule));
    }
    return absl::OkStatus();
  }

  absl::Status readShardings() {
    for (int i = 0; i < proto.shardings_size(); ++i) {
      const ShardGraphProto::Sharding &message = proto.shardings(i);
      if (message.mesh() < 0 || message.mesh() >= static_cast<int64_t>(meshes.size()))
        return outOfRange("sharding", i, "mesh");
      absl::StatusOr<ShardingSpec> spec = shardingFromText(message.sharding());
      if (!spec.ok())
        return spec.status();
      absl::StatusOr<Sharding> sharding = resolve(graph.mesh(meshes[message.mesh()]), *spec);
      if (!sharding.ok())
        return sharding.status();
      shardings.push_back(graph.internSharding({meshes[message.mesh()], *std::move(sharding)}));
    }
    return absl::OkStatus();
  }

  absl::Status readValues() {
    for (int i = 0; i < proto.values_size(); ++i) {
      const ShardGraphProto::Value &message = proto.values(i);
      if (message.shape() < 0 || message.shape() >= proto.shapes_size())
        return outOfRange("value", i, "shape");
      if (message.sharding() < 0 || message.sharding() > static_cast<int64_t>(shardings.size()))
        return outOfRange("value", i, "sharding");
      if (message.state() < 0 || message.state() > ShardGraphProto::PINNED)
        return outOfRange("value", i, "state");
      if (message.origin() < 0 || message.origin() > proto.ops_size())
        return outOfRange("value", i, "origin");
      const auto &dims = proto.shapes(message.shape()).dims();
      int32_t value = graph.addValue({dims.begin(), dims.end()}, message.element_bits());
      if (message.sharding() > 0)
        graph.value(value).sharding = shardings[message.sharding() - 1];
      graph.value(value).state = static_cast<ShardingState>(message.state());
      graph.value(value).origin = message.origin() - 1;
    }
    return absl::OkStatus();
  }

  absl::Status readOps() {
    for (int i = 0; i < proto.ops_size(); ++i) {
      const ShardGraphProto::Op &message = proto.ops(i);
      if (message.rule() < 0 || message.rule() >= static_cast<int64_t>(rules.size()))
        return outOfRange("op", i, "rule");
      for (const auto &list : {message.operands(), message.results()})
        for (int32_t tensor : list)
          if (tensor < 0 || tensor >= graph.numValues())
            return outOfRange("op", i, "value");
      graph.addOp(rules[message.rule()],
                  absl::MakeConstSpan(message.operands().data(), message.operands_size()),
                  absl::MakeConstSpan(message.results().data(), message.results_size()));
    }
    return absl::OkStatus();
  }

  const ShardGraphProto &proto;
  ShardGraph graph;
  std::vector<int32_t> meshes, rules, shardings;
};

} // namespace

absl::StatusOr<ShardGraph> fromProto(const ShardGraphProto &proto) { return Reader(proto).read(); }

} // namespace spmd
