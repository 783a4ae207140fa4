// Chains of elementwise instructions: what is merged, and that the results stay the same.
#include "spmd/test/lowering/Programs.h"

#include "spmd/lowering/program/Fuse.h"
#include "spmd/lowering/program/Peak.h"

namespace spmd::test {
namespace {

DeviceProgram programOf(Function main, std::vector<std::string> constants = {}) {
  DeviceProgram program;
  program.functions.push_back(std::move(main));
  program.constants = std::move(constants);
  return program;
}

std::vector<std::string> opsOf(const Function &function) {
  std::vector<std::string> ops;
  for (const Instruction &instruction : function.instructions)
    ops.push_back(instruction.op);
  return ops;
}

using Ops = std::vector<std::string>;

/// Fuses `program`, and expects the same results as without, bit for bit, and no more memory.
void expectSame(DeviceProgram &program, const std::vector<Tensor> &arguments) {
  DeviceProgram apart = program;
  fuseElementwise(program);
  ASSERT_TRUE(verify(program).ok()) << verify(program) << str(program);
  auto before = run(apart, {arguments}), after = run(program, {arguments});
  ASSERT_TRUE(before.ok()) << before.status();
  ASSERT_TRUE(after.ok()) << after.status() << str(program);
  for (size_t i = 0; i < (*before)[0].size(); ++i)
    EXPECT_TRUE(identical((*before)[0][i], (*after)[0][i])) << "result " << i;
  planReleases(apart);
  planReleases(program);
  EXPECT_LE(peakBytes(program), peakBytes(apart));
}

std::string bytesOf(float value) { return {reinterpret_cast<const char *>(&value), sizeof(value)}; }

TEST(Fuse, ChainBecomesOneInstruction) {
  FunctionBuilder main("main", {f32({1000}), f32({1000})});
  ValueId product = main.add("multiply", {0, 1}, {f32({1000})});
  ValueId sum = main.add("add", {product, product}, {f32({1000})});
  ValueId result = main.add("tanh", {sum}, {f32({1000})});
  DeviceProgram program = programOf(main.returning({result}));
  expectSame(program, {randomF32({1000}, 1), randomF32({1000}, 2)});
  EXPECT_EQ(opsOf(program.functions[0]), (Ops{"fused"}));
  EXPECT_EQ(opsOf(program.functions[1]), (Ops{"multiply", "add", "tanh"}));
}

TEST(Fuse, RoundsAfterEachStep) {
  TensorType bf16 = type(ElementType::bf16, {600});
  FunctionBuilder main("main", {bf16, bf16});
  ValueId once = main.add("add", {0, 1}, {bf16});
  ValueId twice = main.add("multiply", {once, 0}, {bf16});
  DeviceProgram program = programOf(main.returning({twice}));
  std::vector<uint16_t> a(600), b(600);
  for (int i = 0; i < 600; ++i)
    a[i] = 0x4380 + i % 64, b[i] = 0x3f80 + i % 32;
  expectSame(program,
             {Tensor::of(ElementType::bf16, {600}, a), Tensor::of(ElementType::bf16, {600}, b)});
  EXPECT_EQ(opsOf(program.functions[0]), (Ops{"fused"}));
}

TEST(Fuse, SplatsAndBroadcastScalarsGoInside) {
  FunctionBuilder main("main", {f32({700}), f32()});
  ValueId two = main.add("constant", {}, {f32({700})}, {{"pool", int64_t{0}}, {"splat", true}});
  ValueId wide =
      main.add("broadcast_in_dim", {1}, {f32({700})}, {{"broadcast_dimensions", Ints{}}});
  ValueId sum = main.add("add", {0, two}, {f32({700})});
  ValueId less = main.add("compare", {sum, wide}, {type(ElementType::i1, {700})},
                          {{"comparison_direction", std::string("LT")}});
  ValueId chosen = main.add("select", {less, wide, two}, {f32({700})});
  DeviceProgram program = programOf(main.returning({chosen}), {bytesOf(2)});
  expectSame(program, {randomF32({700}, 3), Tensor::of<float>(ElementType::f32, {}, {1.5f})});
  EXPECT_EQ(opsOf(program.functions[0]), (Ops{"fused"}));
  EXPECT_EQ(program.functions[0].instructions[0].operands, (std::vector<ValueId>{0, 1}));
}

/// Rows, columns, and both at once, of direct and of small floats; tiles end within rows.
TEST(Fuse, BroadcastsOfSmallerTensorsGoInside) {
  for (ElementType element : {ElementType::f32, ElementType::bf16})
    for (Ints shape : {Ints{40, 30, 7}, Ints{3, 5, 600}, Ints{2, 1, 9}}) {
      TensorType full = type(element, shape), row = type(element, {shape[2]}),
                 column = type(element, {shape[0], 1}), middle = type(element, {shape[1]});
      FunctionBuilder main("main",
                           {f32(shape), f32(row.shape), f32(column.shape), f32(middle.shape)});
      ValueId x = main.add("convert", {0}, {full}), r = main.add("convert", {1}, {row}),
              c = main.add("convert", {2}, {column}), m = main.add("convert", {3}, {middle});
      auto wide = [&](ValueId value, Ints dims) {
        return main.add("broadcast_in_dim", {value}, {full}, {{"broadcast_dimensions", dims}});
      };
      ValueId rows = wide(r, {2}), columns = wide(c, {0, 2}), middles = wide(m, {1});
      ValueId sum = main.add("add", {x, rows}, {full});
      ValueId product = main.add("multiply", {sum, columns}, {full});
      ValueId result = main.add("subtract", {product, middles}, {full});
      DeviceProgram program = programOf(main.returning({result}));
      expectSame(program, {randomF32(shape, 8), randomF32(row.shape, 9),
                           randomF32(column.shape, 10), randomF32(middle.shape, 11)});
      if (shape[1] > 1) {
        EXPECT_EQ(opsOf(program.functions[0]), (Ops{"convert", "convert", "convert", "fused"}));
      }
    }
}

TEST(Fuse, BroadcastOfABroadcastGoesInside) {
  FunctionBuilder main("main", {f32({4, 6, 5}), f32({5})});
  ValueId plane =
      main.add("broadcast_in_dim", {1}, {f32({6, 5})}, {{"broadcast_dimensions", Ints{1}}});
  ValueId wide = main.add("broadcast_in_dim", {plane}, {f32({4, 6, 5})},
                          {{"broadcast_dimensions", Ints{1, 2}}});
  ValueId sum = main.add("add", {0, wide}, {f32({4, 6, 5})});
  ValueId result = main.add("abs", {sum}, {f32({4, 6, 5})});
  DeviceProgram program = programOf(main.returning({result}));
  expectSame(program, {randomF32({4, 6, 5}, 12), randomF32({5}, 13)});
  EXPECT_EQ(opsOf(program.functions[0]), (Ops{"fused"}));
}

TEST(Fuse, ValuesReadTwiceInOneChainGoInside) {
  FunctionBuilder main("main", {f32({900})});
  ValueId shifted = main.add("add", {0, 0}, {f32({900})});
  ValueId gate = main.add("logistic", {shifted}, {f32({900})});
  ValueId result = main.add("multiply", {shifted, gate}, {f32({900})});
  DeviceProgram program = programOf(main.returning({result}));
  expectSame(program, {randomF32({900}, 14)});
  EXPECT_EQ(opsOf(program.functions[0]), (Ops{"fused"}));
}

TEST(Fuse, ValuesReadTwiceStay) {
  FunctionBuilder main("main", {f32({40})});
  ValueId shared = main.add("negate", {0}, {f32({40})});
  ValueId left = main.add("tanh", {shared}, {f32({40})});
  ValueId right = main.add("sine", {shared}, {f32({40})});
  DeviceProgram program =
      programOf(main.returning({main.add("add", {left, right}, {f32({40})}), shared}));
  expectSame(program, {randomF32({40}, 4)});
  EXPECT_EQ(opsOf(program.functions[0]), (Ops{"negate", "fused"}));
}

TEST(Fuse, StopsAtOtherInstructionsAndShapes) {
  FunctionBuilder main("main", {f32({8, 4}), f32({4, 8})});
  ValueId before = main.add("negate", {0}, {f32({8, 4})});
  ValueId moved = main.add("transpose", {before}, {f32({4, 8})}, {{"permutation", Ints{1, 0}}});
  ValueId sum = main.add("add", {moved, 1}, {f32({4, 8})});
  ValueId last = main.add("abs", {sum}, {f32({4, 8})});
  DeviceProgram program = programOf(main.returning({last}));
  expectSame(program, {randomF32({8, 4}, 5), randomF32({4, 8}, 6)});
  EXPECT_EQ(opsOf(program.functions[0]), (Ops{"negate", "transpose", "fused"}));
}

/// What is spread is not held while others run, unless they read it as a whole.
TEST(Fuse, BroadcastsAreMadeAgainFarBehind) {
  for (bool isReadAsWhole : {false, true}) {
    FunctionBuilder main("main", {f32({8, 4}), f32({4})});
    ValueId wide =
        main.add("broadcast_in_dim", {1}, {f32({8, 4})}, {{"broadcast_dimensions", Ints{1}}});
    ValueId sum = main.add("add", {0, wide}, {f32({8, 4})});
    auto turn = [&](ValueId value, Ints to) {
      return main.add("transpose", {value}, {f32(to)}, {{"permutation", Ints{1, 0}}});
    };
    ValueId there = turn(isReadAsWhole ? wide : sum, {4, 8}), back = turn(there, {8, 4});
    ValueId product = main.add("multiply", {back, wide}, {f32({8, 4})});
    DeviceProgram program = programOf(main.returning({product, sum}));
    expectSame(program, {randomF32({8, 4}, 5), randomF32({4}, 6)});
    Ops first = {"broadcast_in_dim", "add", "transpose", "transpose"};
    Ops last = isReadAsWhole ? Ops{"multiply"} : Ops{"broadcast_in_dim", "multiply"};
    first.insert(first.end(), last.begin(), last.end());
    EXPECT_EQ(opsOf(program.functions[0]), first);
  }
}

TEST(Fuse, LongChainsAreCut) {
  FunctionBuilder main("main", {f32({16})});
  ValueId x = 0;
  for (int i = 0; i < 200; ++i)
    x = main.add(i % 2 ? "negate" : "tanh", {x}, {f32({16})});
  DeviceProgram program = programOf(main.returning({x}));
  expectSame(program, {randomF32({16}, 7)});
  EXPECT_EQ(opsOf(program.functions[0]), (Ops{"fused", "fused", "fused", "fused"}));
}

// The tiles of constants are as long as any; elements past the first tile see them, too.
TEST(Fuse, ConstantsFillEveryTile) {
  for (int64_t n : {1, 3, 512, 513, 1300}) {
    FunctionBuilder main("main", {f32({n})});
    ValueId two = main.add("constant", {}, {f32({n})}, {{"pool", int64_t{0}}, {"splat", true}});
    ValueId half = main.add("constant", {}, {f32({n})}, {{"pool", int64_t{1}}, {"splat", true}});
    ValueId product = main.add("multiply", {0, two}, {f32({n})});
    ValueId sum = main.add("add", {product, half}, {f32({n})});
    ValueId result = main.add("subtract", {two, sum}, {f32({n})});
    DeviceProgram program = programOf(main.returning({result}), {bytesOf(2), bytesOf(0.5)});
    expectSame(program, {randomF32({n}, 1)});
    EXPECT_EQ(opsOf(program.functions[0]), (Ops{"fused"}));
  }
}

} // namespace
} // namespace spmd::test
