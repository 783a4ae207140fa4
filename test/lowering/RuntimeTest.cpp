// The scheduler: control flow, collectives, cells, deadlocks.
#include "Programs.h"

#include "spmd/lowering/program/Peak.h"

namespace spmd::test {
namespace {

using E = ElementType;

/// Tensors 10 * device + 0, 1, .. of `shape`.
std::vector<std::vector<Tensor>> numbered(int64_t numDevices, Ints shape) {
  std::vector<std::vector<Tensor>> arguments;
  for (int64_t device = 0; device < numDevices; ++device) {
    Tensor tensor = *Tensor::allocate(f32(shape));
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      tensor.mutableAs<float>()[i] = 10 * device + i;
    arguments.push_back({tensor});
  }
  return arguments;
}

/// A program of one collective.
DeviceProgram collective(const char *op, int64_t numDevices, TensorType in, TensorType out,
                         Attributes attributes, ReplicaGroups groups = {}) {
  FunctionBuilder main("main", {in});
  bool isGrouped = !groups.empty();
  ValueId result = main.add(op, {0}, {out}, std::move(attributes), {1}, isGrouped ? 0 : -1);
  DeviceProgram program;
  program.numDevices = numDevices;
  program.functions = {main.returning({result}), binaryBody("add", f32())};
  if (isGrouped)
    program.groups = {groups};
  return program;
}

std::vector<std::vector<float>> runFloats(const DeviceProgram &program, Ints shape, int threads) {
  auto results = run(program, numbered(program.numDevices, shape), threads);
  EXPECT_TRUE(results.ok()) << results.status();
  std::vector<std::vector<float>> out;
  if (results.ok())
    for (const auto &device : *results)
      out.push_back(elementsOf<float>(device[0]));
  return out;
}

using Floats = std::vector<std::vector<float>>;

TEST(Collectives, EveryDeviceAndThreadCount) {
  for (int64_t n = 1; n <= 8; ++n)
    for (int threads = 1; threads <= 4; ++threads) {
      Floats gathered = runFloats(
          collective("all_gather", n, f32({2}), f32({2 * n}), {{"all_gather_dim", int64_t{0}}}),
          {2}, threads);
      Floats reduced = runFloats(collective("all_reduce", n, f32({2}), f32({2}), {}), {2}, threads);
      Floats scattered = runFloats(
          collective("reduce_scatter", n, f32({n}), f32({1}), {{"scatter_dimension", int64_t{0}}}),
          {n}, threads);
      Floats exchanged = runFloats(collective("all_to_all", n, f32({n}), f32({n}),
                                              {{"split_dimension", int64_t{0}},
                                               {"concat_dimension", int64_t{0}},
                                               {"split_count", n}}),
                                   {n}, threads);
      float sum = 10.0f * (n * (n - 1) / 2);
      for (int64_t device = 0; device < n; ++device) {
        for (int64_t other = 0; other < n; ++other) {
          EXPECT_EQ(gathered[device][2 * other + 1], 10 * other + 1);
          EXPECT_EQ(exchanged[device][other], 10 * other + device);
        }
        EXPECT_EQ(reduced[device], (std::vector<float>{sum, sum + n}));
        EXPECT_EQ(scattered[device], std::vector<float>{sum + n * device});
      }
    }
}

TEST(Collectives, Groups) {
  Floats out = runFloats(collective("all_gather", 4, f32({1}), f32({2}),
                                    {{"all_gather_dim", int64_t{0}}}, {{2, 0}, {1, 3}}),
                         {1}, 2);
  EXPECT_EQ(out, (Floats{{20, 0}, {10, 30}, {20, 0}, {10, 30}}));
  out = runFloats(collective("collective_broadcast", 4, f32({1}), f32({1}), {}, {{2, 0}, {1, 3}}),
                  {1}, 2);
  EXPECT_EQ(out, (Floats{{20}, {10}, {20}, {10}}));
}

TEST(Collectives, PermuteGivesZerosWhereNobodySends) {
  Floats out = runFloats(collective("collective_permute", 4, f32({1}), f32({1}),
                                    {{"source_target_pairs", Ints{0, 1, 1, 2, 3, 3}}}),
                         {1}, 2);
  EXPECT_EQ(out, (Floats{{0}, {0}, {10}, {30}}));
}

TEST(Collectives, ResultsThatAreAlikeAreShared) {
  auto results = run(collective("all_reduce", 2, f32({2}), f32({2}), {}), numbered(2, {2}));
  ASSERT_TRUE(results.ok());
  EXPECT_TRUE((*results)[0][0].buffer() == (*results)[1][0].buffer());
}

TEST(Collectives, UnevenGroupsAreRefused) {
  auto results = run(collective("all_gather", 3, f32({1}), f32({2}),
                                {{"all_gather_dim", int64_t{0}}}, {{0, 1}, {2}}),
                     numbered(3, {1}));
  EXPECT_EQ(results.status().message(), "'all_gather': has groups of 2 and of 1 devices");
}

/// Body of a loop that all-reduces its carry, and counts down: (n, x) -> (n - 1, sum of x).
DeviceProgram loopProgram(int64_t numDevices) {
  FunctionBuilder main("main", {i32(), f32({2})});
  main.add("while", {0, 1}, {i32(), f32({2})}, {}, {1, 2});
  FunctionBuilder condition("condition", {i32(), f32({2})});
  ValueId zero = condition.add("constant", {}, {i32()}, {{"pool", int64_t{0}}});
  ValueId more = condition.add("compare", {0, zero}, {type(E::i1)},
                               {{"comparison_direction", std::string("GT")}});
  FunctionBuilder body("body", {i32(), f32({2})});
  ValueId one = body.add("constant", {}, {i32()}, {{"pool", int64_t{1}}});
  ValueId less = body.add("subtract", {0, one}, {i32()});
  ValueId sum = body.add("all_reduce", {1}, {f32({2})}, {}, {3}, -1, "loop.mlir:7");
  DeviceProgram program;
  program.numDevices = numDevices;
  program.functions = {main.returning({2, 3}), condition.returning({more}),
                       body.returning({less, sum}), binaryBody("add", f32())};
  program.constants = {std::string("\0\0\0\0", 4), std::string("\1\0\0\0", 4)};
  return program;
}

TEST(Runtime, LoopsAreTheSameForAnyNumberOfThreads) {
  for (int threads = 1; threads <= 4; ++threads) {
    std::vector<std::vector<Tensor>> arguments = numbered(4, {2});
    for (auto &device : arguments)
      device.insert(device.begin(), Tensor::of<int32_t>(E::i32, {}, {3}));
    auto results = run(loopProgram(4), arguments, threads);
    ASSERT_TRUE(results.ok()) << results.status();
    // 60 and 64 after the first sum, times 4 with each of the two that follow.
    for (const auto &device : *results)
      EXPECT_EQ(elementsOf<float>(device[1]), (std::vector<float>{60 * 16, 64 * 16}));
  }
}

TEST(Runtime, ABudgetEndsALoopOfNoInstructions) {
  DeviceProgram program;
  FunctionBuilder main("main", {f32()});
  ValueId result = main.add("while", {0}, {f32()}, {}, {1, 2}, -1, "loop.mlir:3:5");
  program.functions.push_back(main.returning({result}));
  FunctionBuilder condition("condition", {f32()});
  ValueId isTrue = condition.add("constant", {}, {type(ElementType::i1)}, {{"pool", int64_t{0}}});
  program.functions.push_back(condition.returning({isTrue}));
  program.functions.push_back(FunctionBuilder("body", {f32()}).returning({0}));
  program.constants = {std::string(1, 1)};
  absl::StatusOr<Executable> executable = Executable::prepare(program, builtins());
  ASSERT_TRUE(executable.ok()) << executable.status();
  WorkBudget budget(1000);
  auto results = executable->run({{randomF32({}, 1)}}, {1, Denormals::keep, &budget});
  EXPECT_EQ(results.status().message(),
            "'while' at loop.mlir:3:5: the run takes more than the 1000 operations that it may");
}

TEST(Runtime, DeadlockNamesWhoWaitsForWhom) {
  for (int threads = 1; threads <= 4; ++threads) {
    std::vector<std::vector<Tensor>> arguments = numbered(3, {2});
    for (int device = 0; device < 3; ++device)
      arguments[device].insert(arguments[device].begin(),
                               Tensor::of<int32_t>(E::i32, {}, {device == 1 ? 1 : 2}));
    auto results = run(loopProgram(3), arguments, threads);
    EXPECT_EQ(results.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(results.status().message(), "deadlock: devices 0, 2 wait at 'all_reduce' at "
                                          "loop.mlir:7 for device 1; device 1 has finished");
  }
}

TEST(Runtime, MismatchNamesBothOps) {
  // Device 0 takes the first branch, device 1 the second: the collectives never meet.
  FunctionBuilder main("main", {type(E::i1), f32({2})});
  main.add("if", {0, 1}, {f32({2})}, {}, {1, 2});
  FunctionBuilder yes("yes", {f32({2})}), no("no", {f32({2})});
  yes.add("all_reduce", {0}, {f32({2})}, {}, {3}, -1, "a:1");
  no.add("all_reduce", {0}, {f32({2})}, {}, {3}, -1, "b:2");
  DeviceProgram program;
  program.numDevices = 2;
  program.functions = {main.returning({2}), yes.returning({1}), no.returning({1}),
                       binaryBody("add", f32())};
  std::vector<std::vector<Tensor>> arguments = numbered(2, {2});
  for (uint8_t device = 0; device < 2; ++device)
    arguments[device].insert(arguments[device].begin(),
                             Tensor::of<uint8_t>(E::i1, {}, {device == 0}));
  auto results = run(program, arguments, 2);
  EXPECT_EQ(results.status().message(),
            "deadlock: device 0 waits at 'all_reduce' at a:1 for device 1; "
            "device 1 waits at 'all_reduce' at b:2 for device 0");
}

TEST(Runtime, CallsAndCase) {
  FunctionBuilder main("main", {i32(), f32({2})});
  ValueId picked = main.add("case", {0, 1}, {f32({2})}, {}, {1, 2});
  ValueId called = main.add("call", {picked}, {f32({2})}, {}, {1});
  FunctionBuilder negate("negate", {f32({2})}), square("square", {f32({2})});
  negate.add("negate", {0}, {f32({2})});
  square.add("square", {0}, {f32({2})});
  DeviceProgram program;
  program.functions = {main.returning({called}), negate.returning({1}), square.returning({1})};
  auto with = [&](int32_t index) {
    auto results =
        run(program,
            {{Tensor::of<int32_t>(E::i32, {}, {index}), Tensor::of<float>(E::f32, {2}, {1, 2})}});
    return elementsOf<float>((*results)[0][0]);
  };
  EXPECT_EQ(with(0), (std::vector<float>{1, 2}));
  EXPECT_EQ(with(1), (std::vector<float>{-1, -4}));
  EXPECT_EQ(with(-5), (std::vector<float>{-1, -4})); // Out of range: the last.
}

TEST(Runtime, CellsKeepWhatWasLoaded) {
  FunctionBuilder main("main", {f32({2})});
  ValueId cell = main.add("buffer_alloc", {0}, {f32({2})});
  ValueId before = main.add("buffer_load", {cell}, {f32({2})});
  ValueId twice = main.add("add", {before, before}, {f32({2})});
  main.add("buffer_store", {cell, twice}, {});
  ValueId after = main.add("buffer_load", {cell}, {f32({2})});
  DeviceProgram program;
  program.functions = {main.returning({before, after})};
  auto results = run(program, {{Tensor::of<float>(E::f32, {2}, {1, 2})}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(elementsOf<float>((*results)[0][0]), (std::vector<float>{1, 2}));
  EXPECT_EQ(elementsOf<float>((*results)[0][1]), (std::vector<float>{2, 4}));
}

TEST(Runtime, CellsAreNoTensors) {
  FunctionBuilder main("main", {f32({2})});
  ValueId cell = main.add("buffer_alloc", {0}, {f32({2})});
  ValueId wrong = main.add("negate", {cell}, {f32({2})});
  DeviceProgram program;
  program.functions = {main.returning({wrong})};
  EXPECT_EQ(run(program, numbered(1, {2})).status().message(),
            "'negate': operand 0 is a cell; expected a tensor");
}

TEST(Runtime, DonatedArgumentsAreUpdatedInPlace) {
  FunctionBuilder main("main", {f32({2})});
  ValueId result = main.add("negate", {0}, {f32({2})});
  DeviceProgram program;
  program.functions = {main.returning({result})};
  program.arguments = {{f32({2}), "<[\"x\"=1]>", "[{}]", 0, ""}};
  program.results = {{f32({2}), "<[\"x\"=1]>", "[{}]", -1, ""}};
  Tensor tensor = Tensor::of<float>(E::f32, {2}, {1, 2});
  const std::byte *data = tensor.data();
  std::vector<std::vector<Tensor>> arguments(1);
  arguments[0].push_back(std::move(tensor));
  auto results = run(program, std::move(arguments));
  ASSERT_TRUE(results.ok());
  EXPECT_EQ((*results)[0][0].data(), data);
  // Shared with the caller it is copied.
  arguments = {{(*results)[0][0]}};
  results = run(program, arguments);
  EXPECT_NE((*results)[0][0].data(), data);
  EXPECT_EQ(elementsOf<float>(arguments[0][0]), (std::vector<float>{-1, -2}));
}

// A buffer goes on as another type; what somebody else holds stays as it is.
TEST(Runtime, BuffersAreTakenOver) {
  FunctionBuilder main("main", {f32({3})});
  ValueId whole = main.add("convert", {0}, {i32({3})});
  ValueId negated = main.add("negate", {whole}, {i32({3})});
  ValueId twice = main.add("add", {negated, whole}, {i32({3})});
  ValueId result = main.add("convert", {negated}, {f32({3})});
  DeviceProgram program;
  program.functions = {main.returning({result, twice})};
  std::vector<std::vector<Tensor>> arguments = {{Tensor::of<float>(E::f32, {3}, {1, 2, 3})}};
  auto results = run(program, arguments);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(elementsOf<float>((*results)[0][0]), (std::vector<float>{-1, -2, -3}));
  EXPECT_EQ(elementsOf<int32_t>((*results)[0][1]), (std::vector<int32_t>{0, 0, 0}));
  EXPECT_EQ(elementsOf<float>(arguments[0][0]), (std::vector<float>{1, 2, 3}));
}

// As operands of all that takes values, and as results.
TEST(Runtime, ConstantsArePassedOn) {
  FunctionBuilder less("less", {i32(), i32()}), next("next", {i32(), i32()});
  ValueId goesOn = less.add("compare", {0, 1}, {type(ElementType::i1)},
                            {{"comparison_direction", std::string("LT")}});
  ValueId one = next.add("constant", {}, {i32()}, {{"pool", int64_t{1}}, {"splat", true}});
  ValueId sum = next.add("add", {0, one}, {i32()});
  FunctionBuilder same("same", {i32()}), main("main", {});
  ValueId seven = same.add("constant", {}, {i32()}, {{"pool", int64_t{2}}, {"splat", true}});
  ValueId zero = main.add("constant", {}, {i32()}, {{"pool", int64_t{0}}, {"splat", true}});
  ValueId five = main.add("call", {zero}, {i32(), i32()}, {}, {3});
  ValueId count = main.add("while", {zero, five}, {i32(), i32()}, {}, {1, 2});
  DeviceProgram program;
  for (int32_t value : {0, 1, 7})
    program.constants.emplace_back(reinterpret_cast<const char *>(&value), sizeof(value));
  program.functions = {main.returning({count, zero, five + 1}), less.returning({goesOn}),
                       next.returning({sum, 1}), same.returning({seven, 0})};
  auto results = run(program, {{}});
  ASSERT_TRUE(results.ok()) << results.status();
  std::vector<int32_t> found;
  for (const Tensor &tensor : (*results)[0])
    found.push_back(tensor.as<int32_t>()[0]);
  EXPECT_EQ(found, (std::vector<int32_t>{7, 0, 0}));
}

TEST(Runtime, CustomCalls) {
  KernelRegistry registry;
  addBuiltinKernels(registry);
  registry.addCustomCall("scale", [](absl::Span<const Tensor> in, absl::Span<Tensor> out,
                                     const Attributes &attributes) {
    absl::StatusOr<double> factor = attributes.get<double>("factor");
    if (!factor.ok())
      return factor.status();
    for (int64_t i = 0; i < in[0].numElements(); ++i)
      out[0].mutableAs<float>()[i] = in[0].as<float>()[i] * *factor;
    return absl::OkStatus();
  });
  auto program = [](const char *target, Attributes attributes) {
    attributes.set("call_target_name", std::string(target));
    FunctionBuilder main("main", {f32({2})});
    main.add("custom_call", {0}, {f32({2})}, attributes, {}, -1, "m:3");
    DeviceProgram out;
    out.functions = {main.returning({1})};
    return out;
  };
  auto results = run(program("scale", {{"factor", 3.0}}), numbered(1, {2}), 1, registry);
  EXPECT_EQ(elementsOf<float>((*results)[0][0]), (std::vector<float>{0, 3}));
  EXPECT_EQ(run(program("scale", {}), numbered(1, {2}), 1, registry).status().message(),
            "'custom_call' of @scale at m:3: attribute 'factor' is missing");
  EXPECT_EQ(
      run(program("unknown", {}), numbered(1, {2})).status().message(),
      "'custom_call' of @unknown at m:3: no custom call is registered for target \"unknown\"; "
      "name a function that computes it in a plan: rule { target: \"unknown\" reference: "
      "\"f\" }, or as spmd.reference = @f on the call; or register a kernel in a program "
      "that embeds the runtime");
}

TEST(Runtime, PartitionId) {
  FunctionBuilder main("main", {});
  ValueId id = main.add("partition_id", {}, {type(E::ui32)});
  DeviceProgram program;
  program.numDevices = 3;
  program.functions = {main.returning({id})};
  auto results = run(program, {{}, {}, {}});
  ASSERT_TRUE(results.ok());
  for (uint32_t device = 0; device < 3; ++device)
    EXPECT_EQ(elementsOf<uint32_t>((*results)[device][0]), std::vector<uint32_t>{device});
}

TEST(Runtime, WrongArgumentsAreReported) {
  DeviceProgram program = collective("all_reduce", 2, f32({2}), f32({2}), {});
  EXPECT_EQ(run(program, numbered(1, {2})).status().message(),
            "arguments are for 1 devices, the program runs on 2");
  EXPECT_EQ(run(program, numbered(2, {3})).status().message(),
            "argument 0 of device 0 has type 3xf32; expected 2xf32");
}

/// Returns the peak of `main`, whose first argument is a cell.
int64_t peakOfCells(Function main) {
  DeviceProgram program;
  program.functions.push_back(std::move(main));
  planReleases(program);
  return peakBytes(program);
}

TEST(Peak, WhatACellSharesCountsOnce) {
  TensorType type = f32({6}); // 24 bytes
  FunctionBuilder load("main", {type});
  ValueId loaded = load.add("buffer_load", {0}, {type});
  EXPECT_EQ(peakOfCells(load.returning({loaded})), 24);

  // What was loaded outlives the store.
  FunctionBuilder update("main", {type});
  ValueId before = update.add("buffer_load", {0}, {type});
  ValueId after = update.add("negate", {before}, {type});
  update.add("buffer_store", {0, after}, {});
  ValueId again = update.add("buffer_load", {0}, {type});
  EXPECT_EQ(peakOfCells(update.returning({before, again})), 2 * 24);

  // What was stored before is let go.
  FunctionBuilder twice("main", {type, type});
  ValueId first = twice.add("negate", {1}, {type});
  twice.add("buffer_store", {0, first}, {});
  ValueId second = twice.add("negate", {1}, {type});
  twice.add("buffer_store", {0, second}, {});
  EXPECT_EQ(peakOfCells(twice.returning({})), 3 * 24);

  // A tensor that is taken out is updated in place.
  FunctionBuilder taken("main", {type});
  ValueId out = taken.add("buffer_load", {0}, {type}, {{"take", true}});
  ValueId negated = taken.add("negate", {out}, {type});
  taken.add("buffer_store", {0, negated}, {});
  EXPECT_EQ(peakOfCells(taken.returning({})), 24);
}

TEST(Runtime, ConstantsAlikeAreOneTensor) {
  FunctionBuilder main("main", {});
  Attributes splat = {{"pool", int64_t{0}}, {"splat", true}};
  ValueId first = main.add("constant", {}, {f32({5})}, splat);
  ValueId same = main.add("constant", {}, {f32({5})}, splat);
  ValueId other = main.add("constant", {}, {f32({6})}, splat);
  ValueId rows = main.add("iota", {}, {i32({2, 2})}, {{"iota_dimension", int64_t{0}}});
  ValueId columns = main.add("iota", {}, {i32({2, 2})}, {{"iota_dimension", int64_t{1}}});
  DeviceProgram program;
  program.constants = {std::string(4, '\0')};
  program.functions = {main.returning({first, same, other, rows, columns})};
  auto all = run(program, {{}});
  ASSERT_TRUE(all.ok()) << all.status();
  const std::vector<Tensor> &results = (*all)[0];
  EXPECT_TRUE(results[0].buffer() == results[1].buffer());
  EXPECT_EQ(results[2].type(), f32({6}));
  EXPECT_EQ(elementsOf<int32_t>(results[3]), (std::vector<int32_t>{0, 0, 1, 1}));
  EXPECT_EQ(elementsOf<int32_t>(results[4]), (std::vector<int32_t>{0, 1, 0, 1}));
}

TEST(Types, AreKeptOnce) {
  EXPECT_EQ(TypeRef(f32({2, 3})), TypeRef(f32({2, 3})));
  EXPECT_NE(TypeRef(f32({2, 3})), TypeRef(f32({3, 2})));
  EXPECT_NE(TypeRef(f32({2, 3})), TypeRef(i32({2, 3})));
  EXPECT_FALSE(TypeRef());
  EXPECT_EQ(TypeRef(f32({2, 3})).sizeInBytes(), 24);
  EXPECT_EQ(TypeRef(f32({-1})).numElements(), -1);
  EXPECT_EQ(TypeRef(f32({-1})).sizeInBytes(), 0);
}

/// Devices that run long without a collective, and then meet at many: threads join and leave.
TEST(Scheduler, ResultsDoNotDependOnWhoHelps) {
  constexpr int64_t numDevices = 5, size = 20000;
  FunctionBuilder main("main", {f32({size})});
  ValueId value = 0;
  for (int i = 0; i < 100; ++i)
    value = main.add("tanh", {value}, {f32({size})});
  ValueId first = main.add(
      "reduce", {value, main.add("constant", {}, {f32()}, {{"pool", int64_t{0}}, {"splat", true}})},
      {f32()}, {{"dimensions", Ints{0}}}, {1});
  for (int i = 0; i < 200; ++i)
    first = main.add("all_reduce", {main.add("tanh", {first}, {f32()})}, {f32()}, {}, {1});
  DeviceProgram program;
  program.numDevices = numDevices;
  program.constants = {std::string(4, '\0')};
  program.functions = {main.returning({first}), binaryBody("add", f32())};
  auto once = run(program, numbered(numDevices, {size}), 1);
  ASSERT_TRUE(once.ok()) << once.status();
  for (int threads : {2, 5, 16}) {
    auto again = run(program, numbered(numDevices, {size}), threads);
    ASSERT_TRUE(again.ok()) << again.status();
    for (int64_t device = 0; device < numDevices; ++device)
      EXPECT_TRUE(identical((*once)[device][0], (*again)[device][0]));
  }
}

} // namespace
} // namespace spmd::test
