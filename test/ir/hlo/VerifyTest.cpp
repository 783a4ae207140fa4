#include "Programs.h"

#include "spmd/ir/hlo/Hlo.h"

#include <gtest/gtest.h>

namespace spmd::hlo {
namespace {

std::string findingOf(const HloModuleProto &module) {
  return std::string(verify(module).message());
}

/// Returns what is found of a module whose text can be read.
std::string findingOf(const std::string &instructions, const std::string &header = "") {
  auto module = parseHloText(inModule(instructions, header));
  EXPECT_TRUE(module.ok()) << instructions << module.status();
  return module.ok() ? findingOf(*module) : "";
}

TEST(VerifyTest, Instructions) {
  const std::pair<const char *, const char *> cases[] = {
      {"f32[2]{0} add(p)", "has 1 operands, 'add' takes 2"},
      {"f32[2]{0} concatenate(), dimensions={0}", "has 0 operands, 'concatenate' takes at least 1"},
      {"f32[2]{0} call(p)", "calls 0 computations, 'call' calls 1"},
      {"f32[2]{0} conditional(i, p)", "calls 0 computations, 'conditional' calls at least 1"},
      {"f32[2]{1} negate(p)", "has a layout that does not name each of its 1 dims once"},
      {"f32[2]{0,1} negate(p)", "has a layout of 2 dims on a shape of 1"},
      {"f32[4611686018427387904,4] negate(p)", "has more elements than fit 64 bits"},
      {"token[2] after-all()", "has dims, and is no array"},
      {"f32[2]{0} get-tuple-element(p), index=0", "takes element 0 of a tuple of 0"},
      {"f32[2]{0} reverse(p), dimensions={1}", "names dim 1 of 1 as one of its dimensions"},
      {"f32[2,2]{1,0} broadcast(p), dimensions={}", "has 0 dimensions for 1"},
      {"f32[2,2]{1,0} transpose(q), dimensions={0,0}",
       "names dim 0 twice as one of its dimensions"},
      {"f32[2]{0} iota(), iota_dimension=3", "names dim 3 of 1 as one of its dimensions"},
      {"f32[] dot(p, p), lhs_contracting_dims={0}, rhs_contracting_dims={}",
       "has 0 rhs_contracting_dims for 1"},
      {"f32[1]{0} slice(p), slice={[0:9]}", "slices [0:9:1] from dim 0 of size 2"},
      {"f32[1]{0} slice(p), slice={}", "has 0 dims of the slice for 1"},
      {"f32[2]{0} pad(p, i), padding=0_0_-1", "has negative padding between elements"},
      {"f32[1]{0} dynamic-slice(p, i), dynamic_slice_sizes={}", "has 0 dynamic_slice_sizes for 1"},
      {"f32[2]{0} gather(p, i), offset_dims={7}, collapsed_slice_dims={}, start_index_map={}, "
       "index_vector_dim=0, "
       "slice_sizes={1}",
       "names dim 7 of 1 as one of its offset_dims"},
      {"f32[2]{0} convolution(p, p), window={size=1}, dim_labels=b0f_0io->b0f",
       "has 3 dims of the input in dim_labels for 1"},
      {"f32[2,2]{1,0} convolution(q, q), window={size=1}, dim_labels=bf_io->bf",
       "has 1 dims of the window for 0"},
      {"f32[2]{0} custom-call(p), custom_call_target=\"f\", window={size=1 stride=0}",
       "has a window of negative size, or a stride or dilation below 1"},
      {"f32[2]{0} collective-broadcast(p), replica_groups={{0,0}}",
       "names device 0 twice in its groups"},
      {"f32[2]{0} collective-broadcast(p), replica_groups={{-1}}", "names device -1 in its groups"},
      {"f32[2]{0} collective-broadcast(p), replica_groups=[2,2]<=[3]",
       "has an iota of 3 devices for 4"},
      {"f32[2]{0} collective-broadcast(p), replica_groups=[0,2]<=[3]",
       "has groups whose sizes are below 1 or make more than 16777216 devices"},
  };
  for (auto [line, finding] : cases)
    EXPECT_EQ(
        findingOf(std::string("  p = f32[2]{0} parameter(0)\n  q = f32[2,2]{1,0} parameter(1)\n"
                              "  i = s32[] parameter(2)\n  ROOT r = ") +
                  line),
        std::string("instruction 'r' of 'main' ") + finding)
        << line;
}

TEST(VerifyTest, Scatter) {
  EXPECT_EQ(
      std::string(
          verify(*parseHloText(
                     "f { ROOT x = f32[] parameter(0) }\nENTRY main {\n  p = f32[2] parameter(0)\n"
                     "  ROOT r = f32[2] scatter(p, p, p, p), to_apply=f\n}"))
              .message()),
      "instruction 'r' of 'main' has 4 operands, not inputs, indices and as many updates");
}

TEST(VerifyTest, Shardings) {
  const std::pair<const char *, const char *> cases[] = {
      {"{devices=[2,2]<=[4]}", "has a sharding of 2 dims, and 1 dims"},
      {"{devices=[2]0,1,2}", "names 3 devices for 2"},
      {"{devices=[2]1,1}", "names device 1 twice"},
      {"{devices=[0]0}", "has tiles whose sizes are below 1 or make more than 16777216 devices"},
      {"{devices=[4]<=[2,2]T(0,0)}",
       "has an iota of devices whose order does not name each of its 2 dims once"},
      {"{maximal}", "names 0 devices for 1"},
      {"{{replicated}}", "has 1 shardings for 1 array"},
      {"{unreduced metadata={op_type=\"sdy::reduction_op\" op_name=\"AVG\"}}",
       "has a sharding unreduced by 'AVG'; write SUM, MAX or MIN"},
      {"{mesh['x'=2], [{},{}]}", "has the shardings of 2 dims, and 1 dims"},
      {"{mesh['x'=0]}", "has a mesh whose sizes are below 1 or make more than 16777216 devices"},
      {"{mesh['x'=2], device_ids=(0)}", "names 1 devices for 2"},
      {"{mesh['x'=4], [{'x':(3)2}]}", "names the sub-axis (3)2 of axis 'x' of size 4"},
  };
  for (auto [text, finding] : cases)
    EXPECT_EQ(findingOf(std::string("  ROOT p = f32[2]{0} parameter(0), sharding=") + text),
              std::string("instruction 'p' of 'main' ") + finding)
        << text;
  EXPECT_EQ(findingOf("  ROOT p = (f32[], f32[]) parameter(0), sharding={{replicated}}"),
            "instruction 'p' of 'main' has 1 shardings for 2 parts");
  EXPECT_EQ(findingOf("  ROOT p = (f32[]) parameter(0), sharding={{{replicated}}}"),
            "instruction 'p' of 'main' has a tuple of shardings in another");
  EXPECT_EQ(findingOf("  ROOT p = (f32[], s32[2]) parameter(0), sharding={replicated}"), "");
}

TEST(VerifyTest, Aliases) {
  const char *root = "  ROOT p = f32[] parameter(0)";
  EXPECT_EQ(findingOf(root, ", buffer_donor={ (1, {}) }"),
            "buffer_donor names parameter 1 or a part that does not exist");
  EXPECT_EQ(findingOf(root, ", input_output_alias={ {0}: (0, {}) }"),
            "input_output_alias names a part of the result that does not exist");
  EXPECT_EQ(findingOf(root, ", input_output_alias={ {}: (0, {1}) }"),
            "input_output_alias names parameter 0 or a part that does not exist");
  EXPECT_EQ(findingOf(root, ", entry_computation_layout={()->f32[]}"),
            "the layout of the entry has 0 parameters, the entry 1");
}

/// What text cannot say, and bytes can.
TEST(VerifyTest, Bytes) {
  HloModuleProto good =
      *parseHloText("f { ROOT y = f32[] parameter(0) }\nENTRY main {\n  p = f32[] parameter(0)\n"
                    "  c = f32[1]{0} constant({1})\n  ROOT r = f32[] call(p), to_apply=f\n}");
  ASSERT_EQ(findingOf(good), "");
  auto changed = [&](auto change) {
    HloModuleProto module = good;
    auto &main = *module.mutable_computations(1);
    change(module, main, *main.mutable_instructions(0), *main.mutable_instructions(1),
           *main.mutable_instructions(2));
    return findingOf(module);
  };
  using M = HloModuleProto &;
  using C = HloComputationProto &;
  using I = HloInstructionProto &;
  EXPECT_EQ(changed([](M, C, I p, I, I) { p.set_opcode("x"); }),
            "instruction 'p' of 'main' has the unknown opcode 'x'");
  EXPECT_EQ(changed([](M, C, I p, I, I r) { r.set_id(p.id()); }),
            "instruction 'r' of 'main' has the id of another: " +
                std::to_string(good.computations(1).instructions(0).id()));
  EXPECT_EQ(
      changed([](M, C, I, I, I r) { r.set_operand_ids(0, 99); }),
      "instruction 'r' of 'main' has an operand with id 99, which is no instruction before it");
  EXPECT_EQ(changed([](M, C, I, I, I r) { r.add_control_predecessor_ids(99); }),
            "instruction 'r' of 'main' has a control predecessor with id 99, which is no "
            "instruction before it");
  EXPECT_EQ(
      changed([](M, C, I, I, I r) { r.set_called_computation_ids(0, 99); }),
      "instruction 'r' of 'main' calls a computation with id 99, which is none before its own");
  EXPECT_EQ(changed([](M, C, I p, I, I) { p.set_parameter_number(7); }),
            "instruction 'p' of 'main' is the parameter with number 7");
  EXPECT_EQ(changed([](M, C, I p, I, I) { p.set_parameter_number(1); }),
            "computation 'main' has no parameter with number 0");
  EXPECT_EQ(changed([](M, C, I, I c, I) {
              c.clear_literal();
              c.set_opcode("parameter");
            }),
            "instruction 'c' of 'main' is a second parameter with number 0");
  EXPECT_EQ(changed([](M, C main, I, I, I) { main.set_root_id(99); }),
            "computation 'main' has no instruction with the id of its root: 99");
  EXPECT_EQ(changed([](M, C main, I, I, I) { main.clear_program_shape(); }),
            "computation 'main' has 1 parameters, its program shape 0");
  EXPECT_EQ(changed([](M module, C, I, I, I) { module.set_entry_computation_id(99); }),
            "the module has no computation with the id of its entry: 99");
  EXPECT_EQ(changed([](M module, C main, I, I, I) { main.set_id(module.computations(0).id()); }),
            "computation 'main' has the id of another: " +
                std::to_string(good.computations(0).id()));
  EXPECT_EQ(changed([](M, C, I, I c, I) { c.mutable_literal()->add_f32s(2); }),
            "instruction 'c' of 'main' has a literal of 2 elements for 1");
  EXPECT_EQ(
      changed([](M, C, I, I c, I) { c.mutable_literal()->mutable_shape()->set_element_type(S32); }),
      "instruction 'c' of 'main' has a literal of another shape");
  EXPECT_EQ(changed([](M, C, I, I c, I) { c.mutable_shape()->set_dimensions(0, -5); }),
            "instruction 'c' of 'main' has size -5 in dim 0");
  EXPECT_EQ(
      changed([](M, C, I, I c, I) { c.mutable_shape()->set_element_type(PrimitiveType(77)); }),
      "instruction 'c' of 'main' has the unknown element type 77");
  EXPECT_EQ(changed([](M, C, I, I c, I) { c.mutable_shape()->add_tuple_shapes(); }),
            "instruction 'c' of 'main' is an array with the parts of a tuple");
  EXPECT_EQ(changed([](M, C, I, I c, I) {
              c.mutable_shape()->add_is_dynamic_dimension(true);
              c.mutable_shape()->add_is_dynamic_dimension(true);
            }),
            "instruction 'c' of 'main' says of 2 dims whether they are dynamic, it has 1");
  EXPECT_EQ(changed([](M, C, I p, I, I) { p.mutable_shape()->set_element_type(BUFFER); }),
            "instruction 'p' of 'main' has the wrong number of parts for its type");
  EXPECT_EQ(changed([](M, C, I p, I, I) { p.mutable_sharding()->set_type(OpSharding::Type(9)); }),
            "instruction 'p' of 'main' has a sharding of the unknown type 9");
  EXPECT_EQ(changed([](M module, C, I, I, I) {
              module.mutable_host_program_shape()->mutable_result()->clear_element_type();
            }),
            "the result of the entry has the unknown element type 0");
}

} // namespace
} // namespace spmd::hlo
