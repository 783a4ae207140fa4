// What the importer says of modules that nobody verified: each message, and no crash.

#include "spmd/dialect/import/hlo/ImportHlo.h"
#include "spmd/ir/hlo/Hlo.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

#include <functional>

namespace spmd::test {
namespace {

using Module = hlo::HloModuleProto;
using Instruction = hlo::HloInstructionProto;

/// Returns the messages about a module, a line each; "none" if it is imported.
std::string messagesOf(const Module &module) {
  mlir::MLIRContext context;
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    messages += (messages.empty() ? "" : "\n") + diagnostic.str();
    return mlir::success();
  });
  bool ok = static_cast<bool>(importHlo(module, context));
  EXPECT_EQ(ok, messages.empty()) << messages;
  return ok ? "none" : messages;
}

Module moduleOf(const std::string &text) {
  auto module = hlo::parseHloText(text);
  EXPECT_TRUE(module.ok()) << text << "\n" << module.status();
  return module.ok() ? *std::move(module) : Module();
}

/// The messages about `text` where `change` was made to its last instruction, `r`.
std::string messagesOf(const std::string &text, const std::function<void(Instruction &)> &change) {
  Module module = moduleOf(text);
  for (auto &computation : *module.mutable_computations())
    for (Instruction &each : *computation.mutable_instructions())
      if (each.name() == "r")
        change(each);
  return messagesOf(module);
}

/// A module with values of some shapes and one more line, which defines `r`.
std::string withLine(const std::string &line) {
  return "HloModule m, num_partitions=2\n"
         "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, "
         "b)\n}\n"
         "one {\n  c = f32[4] parameter(0)\n  ROOT d = f32[4] negate(c)\n}\n"
         "pair {\n  e = (f32[4], f32[4]) parameter(0)\n"
         "  ROOT f = f32[4] get-tuple-element(e), index=0\n}\n"
         "ENTRY main {\n"
         "  x = f32[4] parameter(0)\n  m = f32[4,4] parameter(1)\n  p = pred[] parameter(2)\n"
         "  i = s32[] parameter(3)\n  t = (f32[4], f32[4]) parameter(4)\n  z = f32[] parameter(5)\n"
         "  ROOT " +
         line + "\n}";
}

/// How a message about `r` begins.
std::string of(const std::string &opcode, const std::string &why) {
  return "instruction 'r' (" + opcode + ") of computation 'main': " + why;
}

void nothing(Instruction &) {}

TEST(ImportHlo, Operands) {
  EXPECT_EQ(messagesOf(withLine("r = f32[4] negate(x)"),
                       [](Instruction &r) { r.set_operand_ids(0, 99); }),
            of("negate", "operand number 0 is no instruction before it"));
  EXPECT_EQ(messagesOf(withLine("r = f32[4] get-tuple-element(t), index=0"),
                       [](Instruction &r) { r.set_tuple_index(7); }),
            of("get-tuple-element", "its operand has no element number 7"));
  EXPECT_EQ(messagesOf(withLine("r = f32[4] get-tuple-element(t), index=0"),
                       [](Instruction &r) { r.clear_operand_ids(); }),
            of("get-tuple-element", "expected 1 operands, got 0"));
  EXPECT_EQ(
      messagesOf(withLine("r = f32[4] copy(x)"), [](Instruction &r) { r.clear_operand_ids(); }),
      of("copy", "expected an operand"));
  EXPECT_EQ(
      messagesOf(withLine("r = f32[4] bitcast(x)"), [](Instruction &r) { r.clear_operand_ids(); }),
      of("bitcast", "expected 1 operands, got 0"));
}

TEST(ImportHlo, Computations) {
  EXPECT_EQ(messagesOf(withLine("r = f32[4] call(x), to_apply=one"),
                       [](Instruction &r) { r.clear_called_computation_ids(); }),
            of("call", "expected 1 called computations, got 0"));
  for (const char *line :
       {"r = f32[4] call(x), to_apply=one", "r = f32[4] fusion(x), kind=kLoop, calls=one",
        "r = f32[4] reduce(m, z), dimensions={0}, to_apply=sum"}) {
    Instruction seen;
    std::string messages = messagesOf(withLine(line), [&](Instruction &r) {
      r.set_called_computation_ids(0, 99);
      seen = r;
    });
    EXPECT_EQ(messages, of(seen.opcode(), "there is no computation number 99"));
  }
  EXPECT_EQ(messagesOf(withLine("r = f32[4] conditional(p, x, x), true_computation=one, "
                                "false_computation=one"),
                       [](Instruction &r) { r.set_called_computation_ids(1, 99); }),
            of("conditional", "there is no computation number 99"));
  EXPECT_EQ(messagesOf(withLine("r = f32[4] conditional(p, x, x), true_computation=one, "
                                "false_computation=one"),
                       [](Instruction &r) {
                         r.add_called_computation_ids(r.called_computation_ids(0));
                         r.add_operand_ids(r.operand_ids(1));
                       }),
            of("conditional", "expected two branches for a predicate, got 3"));
  EXPECT_EQ(messagesOf(withLine("r = f32[4] conditional(p, x, x), true_computation=one, "
                                "false_computation=one"),
                       [](Instruction &r) { r.add_operand_ids(r.operand_ids(1)); }),
            of("conditional", "expected a selector, and an operand for each branch"));
  EXPECT_EQ(
      messagesOf(withLine("r = f32[4] fusion(x), kind=kLoop, calls=pair"), nothing),
      "instruction 'e' (parameter) of computation 'pair': the computation is given no argument "
      "for parameter 0");
  EXPECT_EQ(messagesOf(withLine("r = f32[4] fusion(z), kind=kLoop, calls=one"), nothing),
            "instruction 'c' (parameter) of computation 'one': the argument that it is given has "
            "another shape");
  EXPECT_EQ(messagesOf(withLine("r = f32[5] fusion(x), kind=kLoop, calls=one"), nothing),
            of("fusion", "its shape is not what its operands and computations give"));
}

TEST(ImportHlo, Recursion) {
  for (const char *line :
       {"r = f32[4] call(x), to_apply=one", "r = f32[4] fusion(x), kind=kLoop, calls=one"}) {
    Module module = moduleOf(withLine(line));
    hlo::HloComputationProto &one = *module.mutable_computations(1);
    ASSERT_EQ(one.name(), "one");
    Instruction &d = *one.mutable_instructions(1);
    d.set_opcode(std::string(line).find("call(") != std::string::npos ? "call" : "fusion");
    d.add_called_computation_ids(one.id());
    EXPECT_EQ(messagesOf(module), "computation 'one' calls itself");
  }
}

TEST(ImportHlo, TheModule) {
  Module module = moduleOf(withLine("r = f32[4] negate(x)"));
  Module changed = module;
  changed.set_entry_computation_id(99);
  changed.set_entry_computation_name("nobody");
  EXPECT_EQ(messagesOf(changed), "the module has no entry computation");
  changed = module;
  changed.mutable_text_config()->set_num_partitions(int64_t{1} << 40);
  EXPECT_EQ(messagesOf(changed),
            "the module is for 1099511627776 partitions; at most 2^31-1 are read");
  changed = module;
  changed.mutable_computations(3)->set_root_id(99);
  EXPECT_EQ(messagesOf(changed), "computation 'main' has no root");
  changed = module;
  changed.mutable_computations(3)->mutable_instructions(2)->set_parameter_number(9);
  EXPECT_EQ(messagesOf(changed), "computation 'main': there is no parameter number 2");
}

// Ids and numbers of parameters may be any numbers.
TEST(ImportHlo, ExtremeNumbers) {
  for (int64_t id : {INT64_MAX, INT64_MAX - 1, INT64_MIN, int64_t{-1}}) {
    Module module = moduleOf("ENTRY main {\n  x = f32[4] parameter(0)\n"
                             "  ROOT r = f32[4] negate(x)\n}");
    hlo::HloComputationProto &main = *module.mutable_computations(0);
    main.mutable_instructions(0)->set_id(id);
    main.mutable_instructions(1)->set_operand_ids(0, id);
    main.set_id(id);
    module.set_entry_computation_id(id);
    EXPECT_EQ(messagesOf(module), "none");
    main.mutable_instructions(0)->set_parameter_number(id);
    EXPECT_EQ(messagesOf(module), "computation 'main': there is no parameter number 0");
  }
}

TEST(ImportHlo, Shapes) {
  EXPECT_EQ(messagesOf(withLine("r = f32[4] negate(x)"),
                       [](Instruction &r) { r.mutable_shape()->set_dimensions(0, -1); }),
            of("negate", "a dim has size -1, or the shape too many elements"));
  EXPECT_EQ(messagesOf(withLine("r = f32[4] negate(x)"),
                       [](Instruction &r) { r.mutable_shape()->add_dimensions(INT64_MAX); }),
            of("negate", "a dim has size 9223372036854775807, or the shape too many elements"));
  EXPECT_EQ(
      messagesOf(withLine("r = f32[4] negate(x)"),
                 [](Instruction &r) { r.mutable_shape()->set_element_type(hlo::OPAQUE_TYPE); }),
      of("negate", "element type OPAQUE_TYPE has no counterpart in StableHLO"));
  EXPECT_EQ(messagesOf(withLine("r = f32[4] negate(x)"),
                       [](Instruction &r) {
                         hlo::ShapeProto deep;
                         for (int i = 0; i < 70; ++i) {
                           hlo::ShapeProto outer;
                           outer.set_element_type(hlo::TUPLE);
                           outer.add_tuple_shapes()->Swap(&deep);
                           deep = outer;
                         }
                         *r.mutable_shape() = deep;
                       }),
            of("negate", "tuples are nested too deeply"));
}

TEST(ImportHlo, Literals) {
  EXPECT_EQ(messagesOf(withLine("r = f32[2] constant({1, 2})"),
                       [](Instruction &r) { r.mutable_literal()->add_f32s(3); }),
            of("constant", "literal has 3 elements, its shape 2"));
  EXPECT_EQ(messagesOf(withLine("r = bf16[2] constant({1, 2})"),
                       [](Instruction &r) { r.mutable_literal()->set_bf16s("abc"); }),
            of("constant", "literal has 1 elements, its shape 2"));
  EXPECT_EQ(messagesOf(withLine("r = (f32[], f32[]) constant((1, 2))"),
                       [](Instruction &r) {
                         r.mutable_literal()->mutable_tuple_literals()->RemoveLast();
                       }),
            of("constant", "literal and shape differ in the number of elements of a tuple"));
  EXPECT_EQ(messagesOf(withLine("r = f32[2] constant({1, 2})"),
                       [](Instruction &r) {
                         r.mutable_shape()->Clear();
                         r.mutable_shape()->set_element_type(hlo::TOKEN);
                       }),
            of("constant", "a token has no literal"));
}

TEST(ImportHlo, Attributes) {
  struct Case {
    std::string line, opcode, why;
    std::function<void(Instruction &)> change = nothing;
  };
  const Case cases[] = {
      {"r = f32[8] concatenate(x, x), dimensions={0}", "concatenate", "expected one dim",
       [](Instruction &r) { r.clear_dimensions(); }},
      {"r = f32[4] sort(x), dimensions={0}, to_apply=sum", "sort", "expected one dim",
       [](Instruction &r) { r.clear_dimensions(); }},
      {"r = f32[8] all-gather(x), dimensions={0}, replica_groups={{0,1}}", "all-gather",
       "expected one dim", [](Instruction &r) { r.clear_dimensions(); }},
      {"r = pred[4] compare(x, x), direction=LT", "compare",
       "comparison direction 'UP' is not known",
       [](Instruction &r) { r.set_comparison_direction("UP"); }},
      {"r = pred[4] compare(x, x), direction=LT", "compare", "comparison type 'ODD' is not known",
       [](Instruction &r) { r.set_comparison_type("ODD"); }},
      {"r = pred[4] compare(x, x), direction=LT", "compare", "comparison order 'ODD' is not known",
       [](Instruction &r) { r.set_comparison_order("ODD"); }},
      {"r = c64[4] fft(x), fft_type=FFT, fft_length={4}", "fft",
       "the kind of transform is not known",
       [](Instruction &r) { r.set_fft_type(static_cast<hlo::FftType>(9)); }},
      {"r = f32[4,4] triangular-solve(m, m), left_side=true", "triangular-solve",
       "the transposition is not known",
       [](Instruction &r) {
         r.mutable_triangular_solve_options()->set_transpose_a(
             static_cast<hlo::TriangularSolveOptions::Transpose>(9));
       }},
      {"r = f32[4] rng(z, z), distribution=rng_uniform", "rng",
       "expected two operands and a uniform or normal distribution",
       [](Instruction &r) { r.set_distribution(static_cast<hlo::RandomDistribution>(9)); }},
      {"r = f32[4] all-reduce(x), replica_groups=[1,2]<=[2], to_apply=sum", "all-reduce",
       "its groups of devices are no list, no transposed grid that fits its size, and no axes of "
       "its mesh",
       [](Instruction &r) {
         r.mutable_iota_collective_device_list()->set_num_replica_groups(1 << 30);
       }},
      {"r = f32[4] all-reduce(x), replica_groups=mesh['a'=2] {'a'}, to_apply=sum", "all-reduce",
       "its groups of devices are no list, no transposed grid that fits its size, and no axes of "
       "its mesh",
       [](Instruction &r) {
         r.mutable_mesh_axes_replica_group_list()->mutable_axes(0)->set_mesh_axis_index(5);
       }},
      {"r = f32[4] custom-call(x), custom_call_target=\"f\", api_version=API_VERSION_TYPED_FFI, "
       "backend_config=\"7\"",
       "custom-call", "its backend_config is no dictionary, which a typed call has"},
      {"r = f32[] dot(x, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}", "dot",
       "sparse operands are not read", [](Instruction &r) { r.add_dot_sparsity(); }},
  };
  for (const Case &each : cases)
    EXPECT_EQ(messagesOf(withLine(each.line), each.change), of(each.opcode, each.why)) << each.line;
}

// What StableHLO's own verifiers find is reported by them.
TEST(ImportHlo, TypesThatDoNotGoTogether) {
  EXPECT_EQ(messagesOf(withLine("r = f32[4] add(x, m)"), nothing).find("'stablehlo.add' op"), 0u);
  EXPECT_EQ(
      messagesOf(withLine("r = f32[4] select(x, x, x)"), nothing).find("'stablehlo.select' op"),
      0u);
  EXPECT_EQ(messagesOf(withLine("r = f32[4] reduce(m, z), dimensions={0}, to_apply=one"), nothing)
                .find("'stablehlo.reduce' op"),
            0u);
}

} // namespace
} // namespace spmd::test
