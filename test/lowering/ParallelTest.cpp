// Programs side by side: run_parallel, infeed, send and recv, collectives to one device.
#include "Programs.h"

namespace spmd::test {
namespace {

using E = ElementType;

/// Returns a program of one instruction, `run_parallel` of `inner`.
DeviceProgram running(DeviceProgram inner) {
  std::vector<TensorType> arguments, results;
  for (int64_t device = 0; device < inner.numDevices; ++device) {
    const Function &entry = inner.functions[inner.entryOf(device)];
    arguments.insert(arguments.end(), entry.values.begin(),
                     entry.values.begin() + entry.numArguments);
    for (ValueId id : entry.results)
      results.push_back(entry.values[id]);
  }
  FunctionBuilder main("main", arguments);
  std::vector<ValueId> operands(arguments.size()), ids(results.size());
  for (size_t i = 0; i < operands.size(); ++i)
    operands[i] = i;
  ValueId first = main.add("run_parallel", operands, results, {{"program", int64_t{0}}});
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = first + i;
  DeviceProgram program;
  program.functions.push_back(main.returning(ids));
  program.programs.push_back(std::move(inner));
  return program;
}

Tensor number(int32_t value) { return Tensor::of<int32_t>(E::i32, {}, {value}); }

std::vector<int32_t> numbers(const absl::StatusOr<std::vector<std::vector<Tensor>>> &results) {
  EXPECT_TRUE(results.ok()) << results.status();
  std::vector<int32_t> out;
  if (results.ok())
    for (const Tensor &tensor : (*results)[0])
      out.push_back(tensor.as<int32_t>()[0]);
  return out;
}

TEST(Parallel, IdsAreRowsAndColumns) {
  FunctionBuilder ids("ids", {});
  ValueId replica = ids.add("replica_id", {}, {type(E::ui32)});
  ValueId partition = ids.add("partition_id", {}, {type(E::ui32)});
  DeviceProgram inner;
  inner.numDevices = 6;
  inner.numReplicas = 2;
  inner.functions.push_back(ids.returning({replica, partition}));
  EXPECT_EQ(numbers(run(running(std::move(inner)), {{}})),
            (std::vector<int32_t>{0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2}));
}

/// Device 0 sends twice, device 1 receives in that order, whoever runs first.
DeviceProgram sending(Attributes attributes) {
  FunctionBuilder sender("sender", {i32(), i32()});
  sender.add("send", {0}, {}, attributes);
  sender.add("send", {1}, {}, attributes);
  FunctionBuilder receiver("receiver", {});
  ValueId first = receiver.add("recv", {}, {i32()}, attributes);
  ValueId second = receiver.add("recv", {}, {i32()}, attributes);
  DeviceProgram inner;
  inner.numDevices = 2;
  inner.functions = {sender.returning({}), receiver.returning({first, second})};
  inner.entries = {0, 1};
  return inner;
}

TEST(Parallel, SendAndReceive) {
  for (Attributes attributes :
       {Attributes{{"channel", int64_t{3}}}, Attributes{{"source_target_pairs", Ints{0, 1}}}}) {
    EXPECT_EQ(numbers(run(running(sending(attributes)), {{number(7), number(8)}})),
              (std::vector<int32_t>{7, 8}));
    DeviceProgram reversed = sending(attributes);
    reversed.entries = {1, 0};
    if (!attributes.contains("source_target_pairs"))
      EXPECT_EQ(numbers(run(running(reversed), {{number(7), number(8)}})),
                (std::vector<int32_t>{7, 8}));
  }
}

TEST(Parallel, NobodySends) {
  DeviceProgram inner = sending({{"channel", int64_t{3}}});
  inner.entries = {1, 1};
  auto results = run(running(std::move(inner)), {{}});
  EXPECT_EQ(results.status().message(),
            "'run_parallel': deadlock: device 0 waits at 'recv' for a value that nobody sends; "
            "device 1 waits at 'recv' for a value that nobody sends");
}

TEST(Parallel, InfeedGivesOneEntryAfterTheOther) {
  auto source = [](int64_t pool) {
    FunctionBuilder function("source", {});
    ValueId value = function.add("constant", {}, {i32()}, {{"pool", pool}});
    return function.returning({value});
  };
  FunctionBuilder reader("reader", {});
  ValueId first = reader.add("infeed", {}, {i32()}), second = reader.add("infeed", {}, {i32()});
  DeviceProgram inner;
  inner.functions = {reader.returning({first, second}), source(0), source(1)};
  inner.constants = {std::string("\4\0\0\0", 4), std::string("\5\0\0\0", 4)};
  inner.infeed = {1, 2};
  EXPECT_EQ(numbers(run(running(inner), {{}})), (std::vector<int32_t>{4, 5}));
  inner.infeed = {1};
  EXPECT_EQ(run(running(inner), {{}}).status().message(),
            "'run_parallel': 'infeed': nothing is left in the infeed, which had 1 entry");
}

/// One device of each group gets the sum, its other members and those in no group get zeros.
TEST(Parallel, ReductionsToOneDevice) {
  FunctionBuilder body("body", {i32(), i32()});
  ValueId mine = body.add("collective_reduce", {0, 1}, {i32(), i32()}, {}, {1}, 0);
  DeviceProgram inner;
  inner.numDevices = 4;
  inner.functions = {body.returning({mine, mine + 1}), binaryBody("add", i32())};
  inner.groups = {{{2, 1, 3}}};
  std::vector<Tensor> arguments;
  for (int i = 0; i < 8; ++i)
    arguments.push_back(number(1 << i));
  EXPECT_EQ(numbers(run(running(std::move(inner)), {arguments})),
            (std::vector<int32_t>{0, 0, 0, 0, 4 + 16 + 64, 8 + 32 + 128, 0, 0}));
}

TEST(Parallel, BroadcastFromRootsThatAreComputed) {
  FunctionBuilder body("body", {i32(), i32({1})});
  ValueId result = body.add("collective_broadcast", {0, 1}, {i32()}, {{"has_dynamic_root", true}});
  DeviceProgram inner;
  inner.numDevices = 2;
  inner.functions = {body.returning({result})};
  auto root = [](int32_t value) { return Tensor::of<int32_t>(E::i32, {1}, {value}); };
  EXPECT_EQ(numbers(run(running(inner), {{number(5), root(1), number(6), root(1)}})),
            (std::vector<int32_t>{6, 6}));
  EXPECT_FALSE(run(running(inner), {{number(5), root(0), number(6), root(1)}}).ok());
  EXPECT_FALSE(run(running(inner), {{number(5), root(2), number(6), root(2)}}).ok());
}

TEST(Parallel, BadPrograms) {
  DeviceProgram program = running(sending({}));
  DeviceProgram &inner = program.programs[0];
  inner.entries = {0};
  EXPECT_EQ(verify(program).message(), "program #0: program has 1 entry functions for 2 devices");
  inner.entries = {0, 1};
  inner.numReplicas = 3;
  EXPECT_EQ(verify(program).message(), "program #0: program has 3 replicas on 2 devices");
  inner.numReplicas = 1;
  inner.infeed = {0};
  EXPECT_FALSE(verify(program).ok());
}

} // namespace
} // namespace spmd::test
