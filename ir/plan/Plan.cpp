#include "spmd/ir/plan/Plan.h"

#include "spmd/ir/plan/Forms.h"
#include "spmd/ir/plan/PartitionSpec.h"
#include "spmd/ir/rules/SizedRule.h"

#include "absl/strings/str_cat.h"

#include <algorithm>

namespace spmd {

namespace {

using EntryProto = PlanProto::EntryProto;

/// Makes a plan of a message, and lists all that is wrong with it.
class PlanReader {
public:
  PlanReader(const PlanProto &proto, const PlanPlaces &places, std::vector<PlanFinding> &findings)
      : proto(proto), places(places), findings(findings) {}

  ProgramPlan read() {
    if (proto.has_mesh())
      readMesh();
    for (int i = 0; i < proto.entry_size(); ++i)
      readEntry(proto.entry(i), places.of(proto, PlanProto::kEntryFieldNumber, i));
    for (int i = 0; i < proto.rule_size(); ++i)
      readRule(proto.rule(i), places.of(proto, PlanProto::kRuleFieldNumber, i));
    if (proto.has_policy())
      readPolicy();
    return std::move(plan);
  }

private:
  using Message = google::protobuf::Message;

  void fail(PlanPlace place, std::string message) {
    findings.push_back({place, std::move(message)});
  }

  /// The text at `field`, or the message it is in where the field was not written.
  PlanPlace placeOf(const Message &message, int field, PlanPlace otherwise, int index = 0) const {
    PlanPlace place = places.of(message, field, index);
    return place.line > 0 ? place : otherwise;
  }

  //===- Mesh ----------------------------------------------------------------===//

  void readMesh() {
    const PlanProto::MeshProto &mesh = proto.mesh();
    PlanPlace place = places.of(proto, PlanProto::kMeshFieldNumber);
    std::vector<MeshAxis> axes;
    for (const PlanProto::AxisProto &axis : mesh.axis())
      axes.push_back({axis.name(), axis.size()});
    if (axes.empty())
      return fail(place, "mesh has no axes");
    absl::StatusOr<Mesh> created =
        Mesh::create(std::move(axes), {mesh.device_ids().begin(), mesh.device_ids().end()});
    if (!created.ok())
      return fail(place, std::string(created.status().message()));
    plan.mesh = PlanMesh{place, mesh.name(), *std::move(created)};
  }

  //===- Entries -------------------------------------------------------------===//

  void readEntry(const EntryProto &from, PlanPlace place) {
    PlanEntry entry;
    entry.place = place;
    entry.priority = from.priority();
    if (entry.priority < 0)
      fail(placeOf(from, EntryProto::kPriorityFieldNumber, place),
           absl::StrCat("priority is ", entry.priority, "; 0 comes first"));
    entry.arguments = patterns(from, EntryProto::kArgumentFieldNumber, from.argument(), place);
    entry.results = patterns(from, EntryProto::kResultFieldNumber, from.result(), place);
    entry.ops = patterns(from, EntryProto::kOpFieldNumber, from.op(), place);
    entry.locations = patterns(from, EntryProto::kLocationFieldNumber, from.location(), place);
    bool hasOps = !entry.ops.empty() || !entry.locations.empty();
    if (!hasOps && entry.arguments.empty() && entry.results.empty())
      fail(place, "entry matches nothing; give it an argument, result, op or location");
    if (from.has_number())
      readNumber(from, hasOps, place, entry);
    if (readStatement(from, place, entry))
      plan.entries.push_back(std::move(entry));
  }

  template <typename Texts>
  std::vector<PlanPattern> patterns(const Message &message, int field, const Texts &texts,
                                    PlanPlace otherwise) {
    std::vector<PlanPattern> result;
    for (int i = 0; i < texts.size(); ++i) {
      PlanPlace place = placeOf(message, field, otherwise, i);
      if (texts[i].empty())
        fail(place, "pattern is empty; '*' stands for any text");
      result.push_back({Glob(texts[i]), place});
    }
    return result;
  }

  void readNumber(const EntryProto &from, bool hasOps, PlanPlace place, PlanEntry &entry) {
    entry.number = from.number();
    PlanPlace at = placeOf(from, EntryProto::kNumberFieldNumber, place);
    if (!hasOps)
      fail(at, "number is that of an op's result, and the entry matches no ops");
    else if (from.number() < 0)
      fail(at, absl::StrCat("number is ", from.number(), "; the first result has number 0"));
  }

  //===- Statements ----------------------------------------------------------===//

  bool readStatement(const EntryProto &from, PlanPlace place, PlanEntry &entry) {
    size_t before = findings.size();
    entry.statementPlace = placeOf(from, from.statement_case(), place);
    PlanPlace at = entry.statementPlace;
    switch (from.statement_case()) {
    case EntryProto::kSharding:
      entry.statement = ShardingStatement{sharding(from.sharding(), at)};
      break;
    case EntryProto::kPlacements:
      entry.statement = PlacementStatement{placements(from.placements(), at)};
      break;
    case EntryProto::kColwise:
    case EntryProto::kRowwise:
      entry.statement = tensorParallel(from);
      break;
    case EntryProto::kFsdp:
      entry.statement =
          FullyShardedStatement{axes("fsdp", from.fsdp().axis(), at), {}, reshards(from.fsdp())};
      break;
    case EntryProto::kHsdp:
      entry.statement = FullyShardedStatement{axes("hsdp 'shard'", from.hsdp().shard(), at),
                                              axes("hsdp 'replicate'", from.hsdp().replicate(), at),
                                              reshards(from.hsdp())};
      break;
    case EntryProto::kSequenceParallel:
      entry.statement = oneDim("sequence_parallel", from.sequence_parallel(), 1, true, at);
      break;
    case EntryProto::kContextParallel:
      entry.statement = oneDim("context_parallel", from.context_parallel(), 2, false, at);
      break;
    case EntryProto::kLossParallel:
      entry.statement = oneDim("loss_parallel", from.loss_parallel(), -1, false, at);
      break;
    case EntryProto::kPrepareInput:
    case EntryProto::kPrepareOutput:
      entry.statement = change(from, at);
      break;
    case EntryProto::STATEMENT_NOT_SET:
      fail(place, "entry says nothing; give it a sharding, placements or a parallel style");
    }
    checkParameters(entry);
    return findings.size() == before;
  }

  PlanSharding sharding(const std::string &text, PlanPlace place) {
    bool isOfJax = isPartitionSpec(text);
    absl::StatusOr<ShardingSpec> spec =
        isOfJax ? partitionSpecFromText(text) : shardingFromText(text);
    if (spec.ok())
      return {*std::move(spec), isOfJax};
    fail(place,
         absl::StrCat("in the sharding '", text, "', ", std::string(spec.status().message())));
    return {};
  }

  std::vector<AxisPlacement> placements(const std::string &text, PlanPlace place) {
    absl::StatusOr<std::vector<AxisPlacement>> read = placementsFromText(text);
    if (read.ok())
      return *std::move(read);
    fail(place,
         absl::StrCat("in the placements '", text, "', ", std::string(read.status().message())));
    return {};
  }

  /// Reads the axes of a style: names, or parts of axes such as `"x":(1)2`.
  template <typename Texts>
  std::vector<AxisSpec> axes(std::string_view style, const Texts &texts, PlanPlace place) {
    std::vector<AxisSpec> result;
    for (const std::string &text : texts) {
      AxisSpec axis{text};
      if (text.find('"') != std::string::npos) {
        std::string error;
        std::unique_ptr<TokenSource> tokens = tokensOf(text, error);
        axis = AxisSpec();
        if (!parseAxis(*tokens, axis) || !tokens->atEnd())
          fail(place, absl::StrCat("in the axis '", text, "', ", error));
      }
      result.push_back(std::move(axis));
    }
    if (result.empty())
      fail(place, absl::StrCat(absl::string_view(style.data(), style.size()),
                               " has no axis; name one of the mesh"));
    return result;
  }

  TensorParallelStatement tensorParallel(const EntryProto &from) {
    bool isColwise = from.statement_case() == EntryProto::kColwise;
    const PlanProto::StyleProto &style = isColwise ? from.colwise() : from.rowwise();
    PlanPlace place = places.of(from, from.statement_case());
    TensorParallelStatement statement{
        isColwise, axes(isColwise ? "colwise" : "rowwise", style.axis(), place), std::nullopt};
    if (style.has_dim())
      statement.dim = style.dim();
    return statement;
  }

  template <typename Proto> static bool reshards(const Proto &style) {
    return !style.has_reshard_after_forward() || style.reshard_after_forward();
  }

  DimStatement oneDim(const char *name, const PlanProto::StyleProto &style, int64_t dim,
                      bool mayLackDim, PlanPlace place) {
    return {name, axes(name, style.axis(), place), style.has_dim() ? style.dim() : dim, mayLackDim};
  }

  ChangeStatement change(const EntryProto &from, PlanPlace place) {
    bool isInput = from.statement_case() == EntryProto::kPrepareInput;
    const char *name = isInput ? "prepare_input" : "prepare_output";
    const PlanProto::ChangeProto &proto = isInput ? from.prepare_input() : from.prepare_output();
    ChangeStatement statement;
    statement.isInput = isInput;
    statement.operand = proto.operand();
    if (statement.operand < 0 || (proto.has_operand() && !isInput))
      fail(placeOf(proto, PlanProto::ChangeProto::kOperandFieldNumber, place),
           isInput ? absl::StrCat("operand is ", statement.operand, "; the first has number 0")
                   : "prepare_output has no operand; 'number' says which result");
    if (!proto.from().empty())
      statement.from =
          sharding(proto.from(), placeOf(proto, PlanProto::ChangeProto::kFromFieldNumber, place));
    if (proto.to().empty())
      fail(place, absl::StrCat(name, " has no 'to'; give it the sharding to change to"));
    else
      statement.to =
          sharding(proto.to(), placeOf(proto, PlanProto::ChangeProto::kToFieldNumber, place));
    return statement;
  }

  /// Styles of parameters speak of arguments alone; what comes in is no result, what goes out no
  /// argument.
  void checkParameters(const PlanEntry &entry) {
    bool hasOps = !entry.ops.empty() || !entry.locations.empty();
    bool isOfParameters = std::holds_alternative<TensorParallelStatement>(entry.statement) ||
                          std::holds_alternative<FullyShardedStatement>(entry.statement);
    if (isOfParameters && (hasOps || !entry.results.empty()))
      fail(entry.place, "style is for parameters; match arguments, not results, ops or locations");
    const auto *change = std::get_if<ChangeStatement>(&entry.statement);
    if (!change)
      return;
    if (change->isInput ? !entry.results.empty() : !entry.arguments.empty())
      fail(entry.place, change->isInput
                            ? "prepare_input is for arguments and ops, not for results"
                            : "prepare_output is for results and ops, not for arguments");
  }

  //===- Rules and policies --------------------------------------------------===//

  void readRule(const PlanProto::CustomRuleProto &rule, PlanPlace place) {
    if (rule.target().empty())
      fail(place, "rule has no target; name the target of a custom call");
    if (rule.location().empty()) {
      auto [first, isNew] = ruleLines.try_emplace(rule.target(), place.line);
      if (!isNew)
        fail(place, absl::StrCat("target '", rule.target(), "' has a rule in line ", first->second,
                                 " already"));
    }
    bool isReference = !rule.reference().empty() || !rule.reference_file().empty();
    if (rule.rule().empty() && !isReference)
      fail(place, "rule has no dims; write them as '([i, j])->([i])', or leave it out");
    else if (absl::Status status = checkRuleText(rule.rule()); !rule.rule().empty() && !status.ok())
      fail(placeOf(rule, PlanProto::CustomRuleProto::kRuleFieldNumber, place),
           absl::StrCat("in the rule '", rule.rule(), "', ", std::string(status.message())));
    PlanRule &read = plan.rules.emplace_back(PlanRule{place, rule.target(), rule.rule()});
    read.even = textsOf(rule.even());
    read.backward = rule.backward();
    read.writes.assign(rule.writes().begin(), rule.writes().end());
    read.reference = rule.reference();
    read.referenceFile = rule.reference_file();
    if (read.reference.empty() && !read.referenceFile.empty())
      read.reference = "main";
    read.locations =
        patterns(rule, PlanProto::CustomRuleProto::kLocationFieldNumber, rule.location(), place);
    for (const auto &along : rule.along())
      read.along.push_back({along.factor(), along.with(), textsOf(along.way()), along.merge(),
                            along.low(), along.high()});
    for (const auto &local : rule.local())
      read.locals.push_back({local.attribute(), local.factor()});
    for (const auto &condition : rule.only_if())
      read.onlyIf.push_back(conditionOf(condition));
    for (const auto &condition : rule.unless())
      read.unless.push_back(conditionOf(condition));
    for (const auto &offset : rule.offset())
      read.offsets.push_back({offset.operand(), offset.factor()});
    if (read.text.empty() && isReference && !read.isPlain())
      fail(place,
           "rule has no dims, and says more than a reference; write them as '([i, j])->([i])'");
  }

  template <typename Texts> static std::vector<std::string> textsOf(const Texts &texts) {
    return {texts.begin(), texts.end()};
  }

  static PlanRule::Condition conditionOf(const PlanProto::ConditionProto &condition) {
    return {condition.attribute(), textsOf(condition.is()), textsOf(condition.factor()),
            condition.default_()};
  }

  void readPolicy() {
    const PlanProto::PolicyProto &policy = proto.policy();
    PlanPlace place = places.of(proto, PlanProto::kPolicyFieldNumber);
    auto read = [&](const char *name, const std::string &value, int field, bool mayInfer) {
      if (!value.empty() && value != "error" && value != "replicate" &&
          !(mayInfer && value == "infer-from-users"))
        fail(placeOf(policy, field, place),
             absl::StrCat(name, " is '", value, "'; expected error",
                          mayInfer ? ", replicate or infer-from-users" : " or replicate"));
      return value.empty() ? std::nullopt : std::optional<std::string>(value);
    };
    plan.onMissing = read("on_missing", policy.on_missing(),
                          PlanProto::PolicyProto::kOnMissingFieldNumber, /*mayInfer=*/false);
    plan.onNoRule = read("on_no_rule", policy.on_no_rule(),
                         PlanProto::PolicyProto::kOnNoRuleFieldNumber, /*mayInfer=*/true);
  }

  const PlanProto &proto;
  const PlanPlaces &places;
  std::vector<PlanFinding> &findings;
  ProgramPlan plan;
  absl::flat_hash_map<std::string, int32_t> ruleLines; ///< By target.
};

bool isJson(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

} // namespace

std::optional<ProgramPlan> readPlan(std::string_view text, std::string_view file,
                                    std::vector<PlanFinding> &findings) {
  constexpr std::string_view byteOrderMark = "\xef\xbb\xbf"; // Some editors write it.
  if (text.substr(0, byteOrderMark.size()) == byteOrderMark)
    text.remove_prefix(byteOrderMark.size());
  PlanProto proto;
  PlanPlaces places;
  if (isJson(text) ? !readJsonForm(text, proto, places, findings)
                   : !readTextProto(text, proto, places, findings)) {
    if (findings.empty())
      findings.push_back({{}, "plan does not parse"});
    return std::nullopt;
  }
  size_t before = findings.size();
  ProgramPlan plan = PlanReader(proto, places, findings).read();
  plan.file = file;
  if (plan.entries.empty() && plan.rules.empty() && !plan.mesh && !proto.has_policy() &&
      findings.size() == before)
    findings.push_back({{}, "plan is empty; give it an entry, a rule, a mesh or a policy"});
  if (findings.size() == before)
    return plan;
  std::sort(findings.begin() + static_cast<std::ptrdiff_t>(before), findings.end(),
            [](const PlanFinding &a, const PlanFinding &b) {
              return std::tie(a.place.line, a.place.column, a.message) <
                     std::tie(b.place.line, b.place.column, b.message);
            });
  return std::nullopt;
}

} // namespace spmd
