#include "spmd/ir/plan/Plan.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace spmd {
namespace {

/// Reads `text` and returns its findings, `line:column: message` each.
std::vector<std::string> findingsOf(std::string_view text) {
  std::vector<PlanFinding> findings;
  std::optional<ProgramPlan> plan = readPlan(text, "a.plan", findings);
  EXPECT_EQ(plan.has_value(), findings.empty());
  std::vector<std::string> lines;
  for (const PlanFinding &each : findings)
    lines.push_back(absl::StrCat(each.place.line, ":", each.place.column, ": ", each.message));
  return lines;
}

ProgramPlan planOf(std::string_view text) {
  std::vector<PlanFinding> findings;
  std::optional<ProgramPlan> plan = readPlan(text, "a.plan", findings);
  EXPECT_TRUE(plan.has_value()) << (findings.empty() ? "" : findings[0].message);
  return plan ? *plan : ProgramPlan();
}

using Lines = std::vector<std::string>;

constexpr std::string_view asText = R"plan(# A comment.
mesh { name: "m" axis { name: "x" size: 2 } axis { name: "y" size: 2 } device_ids: [0, 2, 1, 3] }
entry { argument: "a*" argument: "3" sharding: '[{"x"}, {?}p1]' }
entry { result: "0" priority: 2 sequence_parallel { axis: "y" } }
entry { op: "stablehlo.add" location: "f.py:3" number: 1 prepare_input { operand: 1 to: '[{}]' } }
entry { argument: "w" colwise { axis: '"x":(1)2' dim: 0 } }
entry { argument: "v" hsdp { shard: "x" replicate: "y" reshard_after_forward: false } }
rule { target: "f" rule: "([i])->([i])"
}
policy { on_missing: "error" on_no_rule: "replicate" }
)plan";

constexpr std::string_view asJson = R"plan({
  "mesh": {"name": "m", "axis": [{"name": "x", "size": 2}, {"name": "y", "size": 2}],
           "deviceIds": [0, 2, 1, 3]},
  "entry": [
    {"argument": ["a*", 3], "sharding": "[{\"x\"}, {?}p1]"},
    {"result": "0", "priority": 2, "sequence_parallel": {"axis": "\u0079"}},
    {"op": "stablehlo.add", "location": "f.py:3", "number": 1,
     "prepareInput": {"operand": 1, "to": "[{}]"}},
    {"argument": "w", "colwise": {"axis": "\"x\":(1)2", "dim": 0}},
    {"argument": "v", "hsdp": {"shard": "x", "replicate": ["y"], "reshard_after_forward": false}}
  ],
  "rule": [{"target": "f", "rule": "([i])->([i])"
}],
  "policy": {"on_missing": "error", "on_no_rule": "replicate"}
})plan";

void expectContents(const ProgramPlan &plan) {
  ASSERT_TRUE(plan.mesh.has_value());
  EXPECT_EQ(plan.mesh->name, "m");
  EXPECT_EQ(plan.mesh->mesh.str(), "<[\"x\"=2, \"y\"=2], device_ids=[0, 2, 1, 3]>");
  ASSERT_EQ(plan.entries.size(), 5u);
  ASSERT_EQ(plan.entries[0].arguments.size(), 2u);
  EXPECT_EQ(plan.entries[0].arguments[1].glob.str(), "3");
  EXPECT_EQ(std::get<ShardingStatement>(plan.entries[0].statement).spec.str(), "[{\"x\"}, {?}p1]");
  EXPECT_EQ(plan.entries[1].priority, 2);
  EXPECT_EQ(std::get<DimStatement>(plan.entries[1].statement).dim, 1);
  EXPECT_EQ(std::get<DimStatement>(plan.entries[1].statement).axes[0].name, "y");
  EXPECT_EQ(plan.entries[2].number, 1);
  EXPECT_EQ(std::get<ChangeStatement>(plan.entries[2].statement).operand, 1);
  EXPECT_EQ(spmd::str(std::get<TensorParallelStatement>(plan.entries[3].statement).axes),
            "\"x\":(1)2");
  EXPECT_FALSE(std::get<FullyShardedStatement>(plan.entries[4].statement).reshardAfterForward);
  ASSERT_EQ(plan.rules.size(), 1u);
  EXPECT_EQ(plan.rules[0].target, "f");
  EXPECT_EQ(plan.onMissing, "error");
  EXPECT_EQ(plan.onNoRule, "replicate");
}

TEST(PlanTest, AByteOrderMarkIsNoText) {
  EXPECT_EQ(findingsOf("\xef\xbb\xbfpolicy { on_missing: 'error' }"), Lines());
  EXPECT_EQ(findingsOf("\xef\xbb\xbf{\"policy\": {\"on_missing\": \"error\"}}"), Lines());
}

TEST(PlanTest, BothFormsHoldTheSame) {
  expectContents(planOf(asText));
  expectContents(planOf(asJson));
}

TEST(PlanTest, RulesHaveWaysAttributesAndConditions) {
  ProgramPlan plan = planOf(R"plan(rule {
    target: "f" rule: "([i, j], [k])->([i, j])" even: "i" backward: "f_grad"
    along { factor: "k" with: "i" way: "gather" way: "ring" merge: "m" }
    along { factor: "j" way: "halo" low: 1 high: 2 }
    local { attribute: "n" factor: "i" } offset { operand: 1 factor: "k" }
    only_if { attribute: "p" is: "1.0" is: "1" factor: "j" }
    unless { attribute: "v" default: "false" } })plan");
  ASSERT_EQ(plan.rules.size(), 1u);
  const PlanRule &rule = plan.rules[0];
  EXPECT_FALSE(rule.isPlain());
  EXPECT_EQ(rule.even, std::vector<std::string>{"i"});
  EXPECT_EQ(rule.backward, "f_grad");
  ASSERT_EQ(rule.along.size(), 2u);
  EXPECT_EQ(rule.along[0].with, "i");
  EXPECT_EQ(rule.along[0].ways, (std::vector<std::string>{"gather", "ring"}));
  EXPECT_EQ(rule.along[0].merge, "m");
  EXPECT_EQ(rule.along[1].high, 2);
  EXPECT_EQ(rule.locals[0].attribute, "n");
  EXPECT_EQ(rule.offsets[0].operand, 1);
  EXPECT_EQ(rule.onlyIf[0].values, (std::vector<std::string>{"1.0", "1"}));
  EXPECT_EQ(rule.onlyIf[0].factors, std::vector<std::string>{"j"});
  EXPECT_EQ(rule.onlyIf[0].fallback, "");
  EXPECT_EQ(rule.unless[0].attribute, "v");
  EXPECT_EQ(rule.unless[0].fallback, "false");
  EXPECT_TRUE(planOf(R"plan(rule { target: "f" rule: "([i])->([i])" })plan").rules[0].isPlain());
}

TEST(PlanTest, ReferencesMayStandInFiles) {
  ProgramPlan plan = planOf(R"plan(
    rule { target: "f" reference_file: "f.mlir" }
    rule { target: "f" location: "*layer*" reference: "g" reference_file: "g.hlo" })plan");
  ASSERT_EQ(plan.rules.size(), 2u);
  EXPECT_EQ(plan.rules[0].reference, "main");
  EXPECT_EQ(plan.rules[0].referenceFile, "f.mlir");
  EXPECT_TRUE(plan.rules[0].text.empty());
  EXPECT_EQ(plan.rules[1].reference, "g");
  EXPECT_TRUE(plan.rules[1].locations[0].glob.matches("model/layer/0"));
}

TEST(PlanTest, EntriesKeepTheirPlace) {
  ProgramPlan text = planOf(asText), json = planOf(asJson);
  EXPECT_EQ(text.entries[1].place.line, 4);
  EXPECT_EQ(text.entries[1].statementPlace.column, 33);
  EXPECT_EQ(text.entries[0].arguments[1].place.column, 24);
  EXPECT_EQ(json.entries[0].place.line, 5);
  EXPECT_EQ(json.entries[0].arguments[1].place.column, 25);
  EXPECT_EQ(json.entries[1].statementPlace.column, 57);
}

TEST(PlanTest, TextThatDoesNotParseIsLocated) {
  EXPECT_EQ(findingsOf("entry {\n  argument: }"), Lines{"2:13: expected string, got: }"});
  EXPECT_EQ(findingsOf("entry {"), Lines{"1:8: expected identifier, got: the end of the file"});
  EXPECT_EQ(findingsOf("mesh { axes { } }"),
            Lines{"1:8: unknown field 'axes'; expected name, axis, device_ids"});
  EXPECT_EQ(findingsOf("mesh { axis { name: \"x\" size: 2 } }\nentri\n  { argument: \"x\" }"),
            Lines{"2:1: unknown field 'entri'; expected mesh, entry, rule, policy"});
  EXPECT_EQ(findingsOf("entry { argument: \"x\" sharding: '[]' placements: '[]' }").size(), 1u);
}

TEST(PlanTest, JsonThatDoesNotParseIsLocated) {
  EXPECT_EQ(findingsOf("{"),
            Lines{"1:2: expected the name of a field, in quotes, not the end of the file"});
  EXPECT_EQ(findingsOf("{\"entry\": 3}"), Lines{"1:11: expected '{', not '3'"});
  EXPECT_EQ(findingsOf("{\"mesh\": {\"axis\": []}\n \"entry\": []}"),
            Lines{"2:2: expected ',' or '}', not 'entry'"});
  EXPECT_EQ(findingsOf("{\"entry\": {\"argument\": [\"x\" \"y\"]}}"),
            Lines{"1:29: expected ',' or ']', not 'y'"});
  EXPECT_EQ(findingsOf("{\n \"mash\": {}}"),
            Lines{"2:2: unknown field 'mash'; expected mesh, entry, rule, policy"});
  EXPECT_EQ(findingsOf("{\"mesh\": {\"axis\": [{\"name\": \"x\", \"size\": \"2x\"}]}}"),
            Lines{"1:42: expected an integer, not '2x'"});
  EXPECT_EQ(
      planOf("{\"mesh\": {\"axis\": {\"name\": \"x\", \"size\": \"2\"}}}").mesh->mesh.numDevices(),
      2); // As Protobuf writes it.
  EXPECT_EQ(findingsOf("{\"mesh\": {\"axis\": [{\"name\": true}]}}"),
            Lines{"1:29: expected a string, not 'true'"});
  EXPECT_EQ(findingsOf("{\"entry\": {\"argument\": \"x\", \"fsdp\": {\"axis\": \"x\", "
                       "\"reshard_after_forward\": 1}}}"),
            Lines{"1:76: expected true or false, not '1'"});
  EXPECT_EQ(findingsOf("{\"entry\": {\"argument\": \"x"), Lines{"1:24: string has no end"});
  EXPECT_EQ(findingsOf("{\"entry\": {\"argument\": \"\\q\"}}"),
            Lines{"1:25: unknown escape in a string"});
  EXPECT_EQ(findingsOf("{\"entry\": {\"argument\": \"\n\"}}"),
            Lines{"1:25: string has a control character or no end"});
  EXPECT_EQ(findingsOf("{\"entry\": [] %}"), Lines{"1:14: unexpected character"});
  EXPECT_EQ(findingsOf("{} {}"), Lines{"1:4: expected the end of the file, not '{'"});
  EXPECT_EQ(findingsOf("{\"policy\": {}, \"policy\": {}}"),
            Lines{"1:16: field 'policy' is given twice"});
  EXPECT_EQ(findingsOf("{\"entry\": {\"sharding\": \"[]\", \"placements\": \"[]\"}}"),
            Lines{"1:30: field 'placements' stands beside 'sharding'; one of them is allowed"});
}

TEST(PlanTest, ThePlanMustSaySomething) {
  EXPECT_EQ(findingsOf(""),
            Lines{"0:0: plan is empty; give it an entry, a rule, a mesh or a policy"});
  EXPECT_EQ(findingsOf("mesh { }"), Lines{"1:1: mesh has no axes"});
  EXPECT_EQ(findingsOf("mesh { axis { name: 'x' size: 0 } }").size(), 1u);
  EXPECT_EQ(findingsOf("entry { argument: 'x' }"),
            Lines{"1:1: entry says nothing; give it a sharding, placements or a parallel style"});
  EXPECT_EQ(findingsOf("entry { sharding: '[]' }"),
            Lines{"1:1: entry matches nothing; give it an argument, result, op or location"});
}

TEST(PlanTest, AllFindingsAreListedInOrder) {
  EXPECT_EQ(findingsOf("policy { on_missing: 'maybe' on_no_rule: 'never' }\n"
                       "entry { argument: '' sharding: '[{]' priority: -1 }\n"
                       "rule { rule: '([i])' }\n"),
            (Lines{"1:10: on_missing is 'maybe'; expected error or replicate",
                   "1:30: on_no_rule is 'never'; expected error, replicate or infer-from-users",
                   "2:9: pattern is empty; '*' stands for any text",
                   "2:22: in the sharding '[{]', 1:3: expected the name of an axis, in quotes",
                   "2:38: priority is -1; 0 comes first",
                   "3:1: rule has no target; name the target of a custom call",
                   "3:8: in the rule '([i])', 1:6: expected '->'"}));
}

TEST(PlanTest, StylesSayWhatTheyNeed) {
  EXPECT_EQ(findingsOf("entry { argument: 'x' colwise { } }"),
            Lines{"1:23: colwise has no axis; name one of the mesh"});
  EXPECT_EQ(findingsOf("entry { argument: 'x' hsdp { shard: 'x' } }"),
            Lines{"1:23: hsdp 'replicate' has no axis; name one of the mesh"});
  EXPECT_EQ(findingsOf("entry { argument: 'x' rowwise { axis: '\"x\":(1)' } }").size(), 1u);
  EXPECT_EQ(findingsOf("entry { argument: 'x' placements: '[Shard]' }").size(), 1u);
  EXPECT_EQ(findingsOf("entry { op: 'x' fsdp { axis: 'x' } }"),
            Lines{"1:1: style is for parameters; match arguments, not results, ops or locations"});
  EXPECT_EQ(findingsOf("entry { op: 'x' prepare_input { } }"),
            Lines{"1:17: prepare_input has no 'to'; give it the sharding to change to"});
  EXPECT_EQ(findingsOf("entry { op: 'x' prepare_input { operand: -1 to: '[]' } }"),
            Lines{"1:33: operand is -1; the first has number 0"});
  EXPECT_EQ(findingsOf("entry { op: 'x' prepare_output { operand: 0 to: '[]' } }"),
            Lines{"1:34: prepare_output has no operand; 'number' says which result"});
  EXPECT_EQ(findingsOf("entry { result: 'x' prepare_input { to: '[]' } }"),
            Lines{"1:1: prepare_input is for arguments and ops, not for results"});
  EXPECT_EQ(findingsOf("entry { argument: 'x' prepare_output { to: '[]' } }"),
            Lines{"1:1: prepare_output is for results and ops, not for arguments"});
  EXPECT_EQ(findingsOf("entry { argument: 'x' number: 0 sharding: '[]' }"),
            Lines{"1:23: number is that of an op's result, and the entry matches no ops"});
  EXPECT_EQ(findingsOf("entry { op: 'x' number: -1 sharding: '[]' }"),
            Lines{"1:17: number is -1; the first result has number 0"});
}

TEST(PlanTest, ATargetHasOneRule) {
  EXPECT_EQ(
      findingsOf(
          "rule { target: 'f' rule: '([i])->([i])' }\nrule { target: 'f' rule: '([])->([])' }"),
      Lines{"2:1: target 'f' has a rule in line 1 already"});
}

/// Whatever is cut off a plan, or put in the place of a character, is read or reported.
TEST(PlanTest, NoTextIsTooStrange) {
  for (std::string_view whole : {asText, asJson})
    for (size_t at = 0; at < whole.size(); ++at) {
      findingsOf(whole.substr(0, at));
      for (char strange : {'\0', '{', '"', '\\', '\xff', '9', '\n'}) {
        std::string changed(whole);
        changed[at] = strange;
        findingsOf(changed);
      }
    }
}

/// Returns how the first entry of a plan reads `text`, or what is wrong with it.
std::string shardingOf(std::string_view text) {
  std::string plan = absl::StrCat("entry { argument: \"a\" sharding: \"",
                                  absl::string_view(text.data(), text.size()), "\" }");
  std::vector<PlanFinding> findings;
  std::optional<ProgramPlan> read = readPlan(plan, "a.plan", findings);
  if (!read)
    return findings.empty() ? "" : findings.front().message;
  const PlanSharding &sharding = std::get<ShardingStatement>(read->entries[0].statement).spec;
  return absl::StrCat(sharding.str(), sharding.isOfFirstDims ? ", .." : "");
}

TEST(Plan, ReadsPartitionSpecs) {
  EXPECT_EQ(shardingOf("P('x', None)"), "[{\"x\"}, {}], ..");
  EXPECT_EQ(shardingOf(" PartitionSpec ( ('x', 'y') , ) "), "[{\"x\", \"y\"}], ..");
  EXPECT_EQ(shardingOf("jax.sharding.PartitionSpec(None, P.UNCONSTRAINED)"), "[{}, {?}], ..");
  EXPECT_EQ(shardingOf("P()"), "[], ..");
  EXPECT_EQ(shardingOf("P((), 'x')"), "[{}, {\"x\"}], ..");
  EXPECT_EQ(shardingOf("('fsdp', None)"), "[{\"fsdp\"}, {}], ..");
  EXPECT_EQ(shardingOf("P('x', unreduced={'y'})"), "[{\"x\"}], unreduced={\"y\"}, ..");
  EXPECT_EQ(shardingOf("[{}]"), "[{}]");
  EXPECT_EQ(shardingOf("P('x'"), "in the sharding 'P('x'', expected ',' or ')' at the end");
  EXPECT_EQ(
      shardingOf("P(x)"),
      "in the sharding 'P(x)', expected the name of an axis in quotes, a tuple of names, None "
      "or P.UNCONSTRAINED before 'x)'");
  EXPECT_EQ(shardingOf("P('x') y"), "in the sharding 'P('x') y', expected nothing more before 'y'");
  EXPECT_EQ(shardingOf("P(('x' 'y'))"),
            "in the sharding 'P(('x' 'y'))', expected ',' or ')' before ''y'))'");
  EXPECT_EQ(shardingOf("P(unreduced='x')"),
            "in the sharding 'P(unreduced='x')', expected '={' before ''x')'");
}

} // namespace
} // namespace spmd
