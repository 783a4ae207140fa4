// The text of a device program.
#include "spmd/lowering/program/DeviceProgram.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_join.h"

namespace spmd {

static std::string listOf(char sigil, absl::Span<const int32_t> numbers) {
  return absl::StrJoin(numbers, ", ", [&](std::string *out, int32_t number) {
    absl::StrAppend(out, std::string(1, sigil), number);
  });
}

static std::string quoted(const std::string &text) {
  return absl::StrCat("\"", absl::CEscape(text), "\"");
}

static std::string str(const ReplicaGroups &groups) {
  return absl::StrCat("[",
                      absl::StrJoin(groups, ", ",
                                    [](std::string *out, const auto &group) {
                                      absl::StrAppend(out, "[", absl::StrJoin(group, ", "), "]");
                                    }),
                      "]");
}

static std::string str(const Boundary &boundary) {
  std::string text;
  if (!boundary.name.empty())
    absl::StrAppend(&text, " ", quoted(boundary.name));
  if (boundary.known == Known::part)
    absl::StrAppend(&text, ": a part ", boundary.global.str());
  else
    absl::StrAppend(&text, boundary.known == Known::sharding ? ": about " : ": ",
                    boundary.global.str(), " on ", boundary.mesh, " as ", boundary.sharding);
  if (boundary.aliases >= 0)
    absl::StrAppend(&text, ", donated to result ", boundary.aliases);
  return text + "\n";
}

static std::string str(const Attributes &attributes) {
  return absl::StrJoin(attributes, ", ", [](std::string *out, const Attributes::Entry &entry) {
    absl::StrAppend(out, entry.first, " = ", str(entry.second));
  });
}

static std::string str(const Instruction &instruction, const Function &function) {
  std::string text = "  ";
  text += absl::StrJoin(instruction.results, ", ", [&](std::string *out, ValueId id) {
    bool known = id >= 0 && id < static_cast<ValueId>(function.values.size());
    absl::StrAppend(out, "%", id, ": ", known ? function.values[id].str() : "?");
  });
  absl::StrAppend(&text, instruction.results.empty() ? "" : " = ", instruction.op, "(",
                  listOf('%', instruction.operands), ")");
  if (!instruction.attributes.empty())
    absl::StrAppend(&text, " {", str(instruction.attributes), "}");
  if (!instruction.functions.empty())
    absl::StrAppend(&text, " functions [", listOf('#', instruction.functions), "]");
  if (instruction.groups >= 0)
    absl::StrAppend(&text, " groups #", instruction.groups);
  if (!instruction.releases.empty())
    absl::StrAppend(&text, " release [", listOf('%', instruction.releases), "]");
  return text + "\n";
}

static std::string str(const Function &function, int32_t index, bool isEntry) {
  std::string text =
      absl::StrCat(isEntry ? "entry " : "", "function #", index, " ", quoted(function.name), "(");
  for (ValueId id = 0; id < function.numArguments; ++id)
    absl::StrAppend(&text, id ? ", " : "", "%", id, ": ", function.values[id].str());
  text += ") {\n";
  for (const Instruction &instruction : function.instructions)
    text += str(instruction, function);
  absl::StrAppend(&text, "  return", function.results.empty() ? "" : " ",
                  listOf('%', function.results), "\n}\n");
  return text;
}

std::string str(const DeviceProgram &program) {
  std::string text =
      absl::StrCat("program ", quoted(program.name), " on ", program.numDevices, " devices");
  if (program.numReplicas != 1)
    absl::StrAppend(&text, ", ", program.numReplicas, " replicas");
  text += "\n";
  if (!program.entries.empty())
    absl::StrAppend(&text, "entries [", listOf('#', program.entries), "]\n");
  if (!program.infeed.empty())
    absl::StrAppend(&text, "infeed [", listOf('#', program.infeed), "]\n");
  for (size_t i = 0; i < program.groups.size(); ++i)
    absl::StrAppend(&text, "groups #", i, ": ", str(program.groups[i]), "\n");
  for (size_t i = 0; i < program.constants.size(); ++i)
    absl::StrAppend(&text, "constant #", i, ": ", program.constants[i].size(), " bytes\n");
  for (size_t i = 0; i < program.arguments.size(); ++i)
    absl::StrAppend(&text, "argument ", i, str(program.arguments[i]));
  for (size_t i = 0; i < program.results.size(); ++i)
    absl::StrAppend(&text, "result ", i, str(program.results[i]));
  for (size_t i = 0; i < program.functions.size(); ++i)
    text += str(program.functions[i], i, static_cast<int32_t>(i) == program.entry);
  for (size_t i = 0; i < program.programs.size(); ++i)
    absl::StrAppend(&text, "program #", i, ":\n", str(program.programs[i]));
  return text;
}

std::string describe(const Instruction &instruction) {
  std::string text = absl::StrCat("'", instruction.op, "'");
  if (auto target = instruction.attributes.getOr<std::string>("call_target_name", "");
      target.ok() && !target->empty())
    absl::StrAppend(&text, " of @", *target);
  if (!instruction.location.empty())
    absl::StrAppend(&text, " at ", instruction.location);
  return text;
}

} // namespace spmd
