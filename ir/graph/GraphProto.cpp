#include "spmd/ir/graph/ShardGraph.h"
#include "spmd/ir/graph/shard_graph.pb.h"
#include "spmd/ir/sharding/Spec.h"

#include "absl/strings/str_cat.h"

namespace spmd {

//===- Writing -------------------------------------------------------------===//

static void write(const OpRule &rule, ShardGraphProto::Rule &message) {
  message.set_text(rule.str());
  for (const Factor &factor : rule.factors) {
    ShardGraphProto::Factor *each = message.add_factors();
    each->set_kind(nameOf(factor.kind));
    each->set_reduction(nameOf(factor.reduction));
    each->set_custom(factor.custom);
    const Window &window = factor.window;
    if (window == Window())
      continue;
    ShardGraphProto::Window *out = each->mutable_window();
    out->set_size(window.size);
    out->set_stride(window.stride);
    out->set_pad_low(window.padLow);
    out->set_pad_high(window.padHigh);
    out->set_base_dilation(window.baseDilation);
    out->set_window_dilation(window.windowDilation);
    out->set_reversed(window.reversed);
  }
}

static void write(const ShardGraph &graph, const MeshSharding &sharding,
                  ShardGraphProto::Sharding &out) {
  out.set_mesh(sharding.mesh);
  out.set_sharding(toSpec(graph.mesh(sharding.mesh), sharding.sharding).str());
}

/// Shardings whose dims have user priorities come after the others.
ShardGraphProto toProto(const ShardGraph &graph) {
  ShardGraphProto proto;
  for (int32_t i = 0; i < graph.numMeshes(); ++i)
    proto.add_meshes(graph.mesh(i).str());
  for (int32_t i = 0; i < graph.numRules(); ++i)
    write(graph.rule(i), *proto.add_rules());
  for (int32_t i = 0; i < graph.numShardings(); ++i)
    write(graph, graph.sharding(i), *proto.add_shardings());
  absl::flat_hash_map<MeshSharding, int32_t> withPriorities;
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
    if (value.sharding != ShardGraph::none && graph.hasPriorities(i)) {
      MeshSharding sharding = graph.shardingOf(i);
      auto [index, isNew] = withPriorities.try_emplace(sharding, proto.shardings_size());
      if (isNew)
        write(graph, sharding, *proto.add_shardings());
      message->set_sharding(index->second + 1);
    }
    message->set_origin(value.origin + 1);
    if (value.turns != 1)
      message->set_turns(value.turns);
  }
  for (int32_t i = 0; i < graph.numOps(); ++i) {
    const ShardGraph::Op &op = graph.op(i);
    ShardGraphProto::Op *message = proto.add_ops();
    message->set_rule(op.rule);
    if (op.turns != 1)
      message->set_turns(op.turns);
    absl::Span<const int32_t> tensors = graph.tensorsOf(op);
    for (int32_t t = 0; t < op.numOperands; ++t)
      message->add_operands(tensors[t]);
    for (size_t t = op.numOperands; t < tensors.size(); ++t)
      message->add_results(tensors[t]);
  }
  return proto;
}

//===- Reading -------------------------------------------------------------===//

namespace {

/// Returns the kind that `name` stands for, or nothing if no kind has that name.
std::optional<FactorKind> factorKindNamed(std::string_view name) {
  for (int kind = 0; kind <= static_cast<int>(FactorKind::whole); ++kind)
    if (name == nameOf(static_cast<FactorKind>(kind)))
      return static_cast<FactorKind>(kind);
  return std::nullopt;
}

Window windowOf(const ShardGraphProto::Window &message) {
  return {message.size(),          message.stride(),          message.pad_low(), message.pad_high(),
          message.base_dilation(), message.window_dilation(), message.reversed()};
}

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
    for (int i = 0; i < proto.rules_size(); ++i) {
      absl::StatusOr<OpRule> rule = ruleFromText(proto.rules(i).text());
      if (!rule.ok())
        return rule.status();
      const auto &factors = proto.rules(i).factors();
      if (factors.size() != rule->numFactors())
        return absl::InvalidArgumentError(absl::StrCat("rule ", i, ": text has ",
                                                       rule->numFactors(), " factors, the message ",
                                                       factors.size()));
      for (int f = 0; f < factors.size(); ++f) {
        std::optional<FactorKind> kind = factorKindNamed(factors[f].kind());
        std::optional<ReductionKind> reduction = reductionNamed(factors[f].reduction());
        if (!kind)
          return outOfRange("rule", i, "factor kind");
        if (!reduction)
          return outOfRange("rule", i, "reduction");
        rule->factors[f].kind = *kind;
        rule->factors[f].reduction = *reduction;
        rule->factors[f].custom = factors[f].custom();
        if (factors[f].has_window())
          rule->factors[f].window = windowOf(factors[f].window());
      }
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
      shardings.push_back({meshes[message.mesh()], *std::move(sharding)});
      MeshSharding plain = shardings.back();
      for (DimSharding &dim : plain.sharding.dims)
        dim.priority = std::nullopt;
      graph.internSharding(plain);
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
        graph.setSharding(value, shardings[message.sharding() - 1]);
      graph.value(value).state = static_cast<ShardingState>(message.state());
      graph.value(value).origin = message.origin() - 1;
      graph.value(value).turns = message.has_turns() ? message.turns() : 1;
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
      int32_t op =
          graph.addOp(rules[message.rule()],
                      absl::MakeConstSpan(message.operands().data(), message.operands_size()),
                      absl::MakeConstSpan(message.results().data(), message.results_size()));
      graph.op(op).turns = message.has_turns() ? message.turns() : 1;
    }
    return absl::OkStatus();
  }

  const ShardGraphProto &proto;
  ShardGraph graph;
  std::vector<int32_t> meshes, rules;
  std::vector<MeshSharding> shardings;
};

} // namespace

absl::StatusOr<ShardGraph> fromProto(const ShardGraphProto &proto) { return Reader(proto).read(); }

} // namespace spmd
