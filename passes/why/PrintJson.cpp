#include "spmd/passes/explain/Print.h"
#include "spmd/passes/why/Why.h"

namespace spmd {

namespace {

class Writer {
public:
  Writer(llvm::json::OStream &json, llvm::function_ref<void(llvm::json::OStream &)> addMore)
      : json(json), addMore(addMore) {}

  void write(const WhyReport &report) {
    json.object([&] {
      json.attribute("program", report.program);
      json.attribute("mesh", report.mesh);
      json.attribute("devices", report.numDevices);
      json.attribute("wire_bytes_per_device", report.wireBytes);
      json.attribute("argument_and_result_bytes_per_device", report.localBytes);
      json.attributeArray("collectives", [&] {
        for (const WhyCollective &each : report.collectives)
          write(each);
      });
      addMore(json);
    });
  }

private:
  void write(const WhyCollective &each) {
    json.object([&] {
      json.attribute("kind", each.kind);
      json.attribute("group_size", each.groupSize);
      json.attribute("runs", each.runs);
      if (each.hasUnknownTrips)
        json.attribute("unknown_trip_count", true);
      json.attribute("wire_bytes", each.wireBytes);
      bytes("lower_bound", each.least);
      if (each.sharesMoveWith >= 0)
        json.attribute("part_of_move_of", each.sharesMoveWith);
      json.attributeArray("causes", [&] {
        for (const WhyCause &cause : each.causes)
          write(cause);
      });
      json.attributeArray("advice", [&] {
        for (const WhyAdvice &advice : each.advice)
          write(advice);
      });
    });
  }

  void write(const WhyCause &cause) {
    json.object([&] {
      json.attribute("reason", cause.reason);
      some("user", cause.user);
      json.attribute("user_location", cause.userLocation);
      some("value", cause.value);
      json.attribute("value_location", cause.valueLocation);
      some("from", cause.from);
      some("to", cause.to);
      some("type", cause.type);
      bytes("lower_bound", cause.least);
      json.attributeArray("chains", [&] {
        for (const WhyChain &chain : cause.chains)
          json.object([&] {
            json.attribute("text", chain.text);
            json.attributeArray("chain", [&] { writeJson(chain.chain, json); });
          });
      });
    });
  }

  void write(const WhyAdvice &advice) {
    json.object([&] {
      json.attribute("write", advice.write);
      json.attribute("wire_bytes_per_device", advice.wireBytes);
      json.attribute("argument_and_result_bytes_per_device", advice.localBytes);
    });
  }

  /// Writes an attribute unless it is empty.
  void some(llvm::StringRef name, const std::string &text) {
    if (!text.empty())
      json.attribute(name, text);
  }
  void bytes(llvm::StringRef name, std::optional<int64_t> number) {
    if (number)
      json.attribute(name, *number);
  }

  llvm::json::OStream &json;
  llvm::function_ref<void(llvm::json::OStream &)> addMore;
};

} // namespace

void printJson(const WhyReport &report, llvm::raw_ostream &os,
               llvm::function_ref<void(llvm::json::OStream &)> addMore) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  Writer(json, addMore).write(report);
  os << "\n";
}

} // namespace spmd
