#include "spmd/lowering/program/CallOrder.h"

#include "absl/strings/str_cat.h"

namespace spmd {

namespace {

/// A depth-first search with a stack of its own, since chains of calls may be long.
class CallOrder {
public:
  explicit CallOrder(const DeviceProgram &program)
      : program(program), colors(program.functions.size(), Color::white) {}

  absl::StatusOr<std::vector<int32_t>> run() {
    for (size_t root = 0; root < program.functions.size(); ++root)
      if (absl::Status status = visit(root); !status.ok())
        return status;
    return std::move(order);
  }

private:
  enum class Color : uint8_t { white, grey, black };
  struct Visit {
    int32_t function;
    std::vector<int32_t> callees;
  };

  Visit enter(int32_t index) {
    colors[index] = Color::grey;
    Visit visit{index, {}};
    for (const Instruction &instruction : program.functions[index].instructions)
      visit.callees.insert(visit.callees.end(), instruction.functions.begin(),
                           instruction.functions.end());
    return visit;
  }

  absl::Status visit(int32_t root) {
    if (colors[root] != Color::white)
      return absl::OkStatus();
    std::vector<Visit> stack = {enter(root)};
    while (!stack.empty()) {
      if (stack.back().callees.empty()) {
        colors[stack.back().function] = Color::black;
        order.push_back(stack.back().function);
        stack.pop_back();
        continue;
      }
      int32_t callee = stack.back().callees.back();
      stack.back().callees.pop_back();
      if (colors[callee] == Color::grey)
        return absl::InvalidArgumentError(absl::StrCat(
            "function #", callee, " \"", program.functions[callee].name, "\" calls itself"));
      if (colors[callee] == Color::white)
        stack.push_back(enter(callee));
    }
    return absl::OkStatus();
  }

  const DeviceProgram &program;
  std::vector<Color> colors;
  std::vector<int32_t> order;
};

} // namespace

absl::StatusOr<std::vector<int32_t>> calleesFirst(const DeviceProgram &program) {
  return CallOrder(program).run();
}

} // namespace spmd
