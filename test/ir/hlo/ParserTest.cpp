#include "Programs.h"

#include "spmd/ir/hlo/Hlo.h"

#include <gtest/gtest.h>

namespace spmd::hlo {
namespace {

HloModuleProto parsed(const std::string &text) {
  auto module = parseHloText(text);
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *module : HloModuleProto();
}

const HloInstructionProto &named(const HloModuleProto &module, const std::string &name) {
  for (const auto &computation : module.computations())
    for (const auto &instruction : computation.instructions())
      if (instruction.name() == name)
        return instruction;
  ADD_FAILURE() << "no instruction " << name;
  return HloInstructionProto::default_instance();
}

TEST(ParserTest, AllSpellingsOfNamesAndOperandsAreTheSame) {
  std::string bare = "  a = f32[2]{0} parameter(0)\n  ROOT b = (f32[2]{0}) tuple(a)";
  std::string full = "  %a = f32[2]{0} parameter(0) // comment\n  ROOT %b = (f32[2]{0}) /*one*/ "
                     "tuple(f32[2]{0} %a)";
  EXPECT_EQ(printHlo(parsed(inModule(bare))), printHlo(parsed(inModule(full))));
}

TEST(ParserTest, TheLastComputationAndInstructionStandForEntryAndRoot) {
  HloModuleProto module = parsed("a { x = f32[] parameter(0) }\nb {\n  y = f32[] parameter(0)\n"
                                 "  z = f32[] negate(y)\n}");
  EXPECT_EQ(module.entry_computation_name(), "b");
  EXPECT_EQ(module.name(), "b");
  EXPECT_EQ(module.computations(1).root_id(), named(module, "z").id());
}

TEST(ParserTest, CalleesAreMovedBeforeTheirCallers) {
  HloModuleProto module = parsed("HloModule m\nENTRY main {\n  x = f32[] parameter(0)\n"
                                 "  ROOT c = f32[] call(x), to_apply=late\n}\n"
                                 "late {\n  ROOT y = f32[] parameter(0)\n}");
  EXPECT_EQ(module.computations(0).name(), "late");
  EXPECT_EQ(module.entry_computation_name(), "main");
  EXPECT_EQ(named(module, "c").called_computation_ids(0), module.computations(0).id());
  EXPECT_TRUE(verify(module).ok());
}

TEST(ParserTest, OperandsAreMovedBeforeTheirUsers) {
  HloModuleProto module =
      parsed(inModule("  ROOT c = f32[] call(n), to_apply=f\n  n = f32[] negate(x)\n"
                      "  x = f32[] parameter(0)") +
             "f {\n  ROOT y = f32[] parameter(0)\n}");
  EXPECT_TRUE(verify(module).ok()) << verify(module);
  EXPECT_EQ(named(module, "c").operand_ids(0), named(module, "n").id());
  EXPECT_EQ(named(module, "c").called_computation_ids_size(), 1);
}

TEST(ParserTest, LoopsKeepTheirBodyBeforeTheirCondition) {
  HloModuleProto module =
      parsed("HloModule m\nbody { ROOT x = s32[] parameter(0) }\n"
             "cond {\n  y = s32[] parameter(0)\n  ROOT z = pred[] constant(false)\n}\n"
             "ENTRY main {\n  i = s32[] parameter(0)\n"
             "  ROOT w = s32[] while(i), condition=cond, body=body\n}");
  const HloInstructionProto &loop = named(module, "w");
  EXPECT_EQ(loop.called_computation_ids(0), module.computations(0).id());
  EXPECT_EQ(loop.called_computation_ids(1), module.computations(1).id());
}

TEST(ParserTest, AConditionalOnAFlagNamesItsTwoBranches) {
  std::string text =
      "HloModule m\nt { ROOT x = f32[] parameter(0) }\nf { ROOT y = f32[] parameter(0) }\n"
      "ENTRY main {\n  p = pred[] parameter(0)\n  a = f32[] parameter(1)\n  ROOT c = f32[] "
      "conditional(p, a, a), true_computation=t, false_computation=f\n}";
  HloModuleProto module = parsed(text);
  EXPECT_NE(printHlo(module).find("true_computation=%t, false_computation=%f"), std::string::npos);
}

TEST(ParserTest, AShortAsyncStartGetsAComputationOfItsOwn) {
  HloModuleProto module =
      parsed(inModule("  p = f32[8]{0} parameter(0)\n"
                      "  s = ((f32[8]{0}), f32[4]{0}, s32[]) slice-start(p), slice={[0:4]}\n"
                      "  ROOT d = f32[4]{0} slice-done(s)"));
  EXPECT_TRUE(verify(module).ok()) << verify(module);
  EXPECT_EQ(named(module, "s").opcode(), "async-start");
  EXPECT_EQ(named(module, "d").opcode(), "async-done");
  EXPECT_EQ(module.computations(0).name(), "s.async");
  EXPECT_EQ(named(module, "s.inner").slice_dimensions(0).limit(), 4);
  std::string text = printHlo(module);
  EXPECT_EQ(printHlo(parsed(text)), text);
}

// Ids are counted in the order of the module, so that what is printed reads as the same message.
TEST(ParserTest, IdsCountInTheOrderOfTheModule) {
  for (const char *text :
       {"ENTRY main {\n  a = f32[] negate(b)\n  b = f32[] parameter(0)\n  c = f32[] add(a, a)\n}",
        "ENTRY main {\n  x = f32[] parameter(0)\n  ROOT r = f32[] call(x), to_apply=f\n}\n"
        "f {\n  y = f32[] parameter(0)\n  ROOT z = f32[] negate(y)\n}",
        "f {\n  y = f32[] parameter(0)\n  ROOT z = f32[] negate(y)\n}\n"
        "ENTRY main {\n  x = f32[] parameter(0)\n  s = ((f32[]), f32[]) call-start(x), to_apply=f\n"
        "  ROOT d = f32[] call-done(s)\n}",
        "ENTRY main {\n  t = (f32[], f32[]) parameter(0)\n"
        "  ROOT r = f32[] add(t#1, f32[] negate(t#0))\n}"}) {
    HloModuleProto module = parsed(text);
    EXPECT_TRUE(verify(module).ok()) << verify(module);
    EXPECT_EQ(parsed(printHlo(module)).SerializeAsString(), module.SerializeAsString()) << text;
    int64_t next = 1;
    for (const HloComputationProto &computation : module.computations()) {
      EXPECT_EQ(computation.id(), next++);
      for (const HloInstructionProto &instruction : computation.instructions())
        EXPECT_EQ(instruction.id(), next++);
    }
  }
}

TEST(ParserTest, AShortAsyncStartKeepsWhatItCalls) {
  HloModuleProto module = parsed(
      "f { x = f32[] parameter(0)\n  ROOT y = f32[] negate(x) }\n"
      "ENTRY main {\n  p = f32[] parameter(0)\n  s = ((f32[]), f32[]) call-start(p), to_apply=f\n"
      "  u = f32[] call(p), to_apply=f\n  ROOT d = f32[] call-done(s)\n}");
  EXPECT_TRUE(verify(module).ok()) << verify(module);
  ASSERT_EQ(module.computations_size(), 3);
  const HloComputationProto &body = module.computations(1);
  EXPECT_EQ(body.name(), "s.async");
  EXPECT_EQ(body.instructions(1).opcode(), "call");
  EXPECT_EQ(body.instructions(1).called_computation_ids(0), module.computations(0).id());
  EXPECT_EQ(named(module, "s").called_computation_ids(0), body.id());
  EXPECT_EQ(named(module, "u").called_computation_ids(0), module.computations(0).id());
}

TEST(ParserTest, AnInstructionMayStandInPlaceOfAnOperand) {
  HloModuleProto shortForm = parsed("ENTRY main {\n  negate.3 = f32[2]{0} parameter(0)\n"
                                    "  a = f32[2]{0} add(f32[2]{0} negate(f32[2]{0} "
                                    "negate(negate.3)), f32[2]{0} constant({1, 2}))\n}");
  EXPECT_TRUE(verify(shortForm).ok()) << verify(shortForm);
  HloModuleProto longForm = parsed(
      "ENTRY main {\n  negate.3 = f32[2]{0} parameter(0)\n  negate.2 = f32[2]{0} negate(negate.3)\n"
      "  negate.1 = f32[2]{0} negate(negate.2)\n  constant.3 = f32[2]{0} constant({1, 2})\n"
      "  ROOT a = f32[2]{0} add(negate.1, constant.3)\n}");
  EXPECT_EQ(printHlo(shortForm), printHlo(longForm));
}

TEST(ParserTest, AnElementOfATupleMayStandInPlaceOfAnOperand) {
  HloModuleProto shortForm = parsed(
      "ENTRY main {\n  n = f32[] negate(t#1#0)\n"
      "  t = (f32[2]{0}, (f32[], s32[])) parameter(0)\n  ROOT r = f32[] add(n, f32[] %t#1#0)\n}");
  EXPECT_TRUE(verify(shortForm).ok()) << verify(shortForm);
  EXPECT_EQ(shortForm.computations(0).instructions_size(), 7);
  EXPECT_EQ(named(shortForm, "get-tuple-element.1").shape().element_type(), TUPLE);
  EXPECT_EQ(named(shortForm, "get-tuple-element.2").shape().element_type(), F32);
  EXPECT_EQ(named(shortForm, "get-tuple-element.2").tuple_index(), 0);
}

TEST(ParserTest, AComputationMayStandInPlaceOfItsName) {
  // The name of the module and of the entry may be left out, too.
  HloModuleProto shortForm = parsed(
      "HloModule , num_partitions=1\n\nENTRY {\n  x = f32[2]{0} parameter(0)\n"
      "  c = f32[2]{0} call(x), to_apply=\n  {\n    y = f32[2]{0} parameter(0)\n"
      "    f = f32[2]{0} fusion(y), kind=kLoop, calls={ z = f32[2]{0} parameter(0) "
      "ROOT n = f32[2]{0} negate(z), metadata={op_name=\"}\"} }\n    ROOT a = f32[2]{0} add(f, y)\n"
      "  }, frontend_attributes={k=\"v\"}\n"
      "  p = pred[] constant(true)\n  ROOT r = f32[2]{0} conditional(p, c, c), "
      "branch_computations={ { b = f32[2]{0} parameter(0) }, { d = f32[2]{0} parameter(0) } }\n}");
  EXPECT_TRUE(verify(shortForm).ok()) << verify(shortForm);
  HloModuleProto longForm =
      parsed("HloModule main, num_partitions=1\n\n"
             "computation.4 {\n  z = f32[2]{0} parameter(0)\n"
             "  ROOT n = f32[2]{0} negate(z), metadata={op_name=\"}\"}\n}\n"
             "computation.1 {\n  y = f32[2]{0} parameter(0)\n"
             "  f = f32[2]{0} fusion(y), kind=kLoop, calls=computation.4\n"
             "  ROOT a = f32[2]{0} add(f, y)\n}\n"
             "computation.2 {\n  b = f32[2]{0} parameter(0)\n}\n"
             "computation.3 {\n  d = f32[2]{0} parameter(0)\n}\n"
             "ENTRY main {\n  x = f32[2]{0} parameter(0)\n"
             "  c = f32[2]{0} call(x), to_apply=computation.1, frontend_attributes={k=\"v\"}\n"
             "  p = pred[] constant(true)\n  ROOT r = f32[2]{0} conditional(p, c, c), "
             "branch_computations={computation.2, computation.3}\n}");
  EXPECT_EQ(printHlo(shortForm), printHlo(longForm));
}

/// The shapes of what a computation says without them, by name.
TEST(ParserTest, ShapesThatFollowFromOperandsMayBeAbsent) {
  std::string start = "HloModule m\nsum { a = f32[] parameter(0) b = f32[] parameter(1) "
                      "ROOT c = add(a, b) }\n"
                      "twice { x = f32[2,3] parameter(0) ROOT y = multiply(x, x) }\n"
                      "ENTRY main { p = f32[2,3] parameter(0) q = f32[4,3] parameter(1) "
                      "i = s32[2,1] parameter(2) z = c64[2,5] parameter(3) zero = f32[] "
                      "constant(0) s = s32[] constant(1) w = f32[2,3,5] parameter(4) "
                      "v = f32[3,5] parameter(5) g = s32[2] parameter(6) ";
  const std::pair<const char *, const char *> cases[] = {
      {"negate(p)", "f32[2,3]"},
      {"compare(p, p), direction=LT", "pred[2,3]"},
      {"is-finite(p)", "pred[2,3]"},
      {"complex(p, p)", "c64[2,3]"},
      {"abs(z)", "f32[2,5]"},
      {"clamp(zero, p, zero)", "f32[2,3]"},
      {"transpose(p), dimensions={1,0}", "f32[3,2]"},
      {"concatenate(p, q), dimensions={0}", "f32[6,3]"},
      {"pad(p, zero), padding=1_2x0_0_1", "f32[5,5]"},
      {"slice(q), slice={[0:4:2],[1:3]}", "f32[2,2]"},
      {"dynamic-slice(q, s, s), dynamic_slice_sizes={2,1}", "f32[2,1]"},
      {"dynamic-update-slice(q, p, s, s)", "f32[4,3]"},
      {"gather(q, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
       "index_vector_dim=1, slice_sizes={1,3}",
       "f32[2,3]"},
      {"reduce(p, zero), dimensions={0}, to_apply=sum", "f32[3]"},
      {"reduce-window(p, zero), window={size=2x2 stride=1x2 pad=0_0x1_0}, to_apply=sum",
       "f32[1,2]"},
      {"dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}", "f32[2,4]"},
      {"ragged-dot(q, w, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
       "lhs_ragged_dims={0}, rhs_group_dims={0}",
       "f32[4,5]"},
      {"ragged-dot(q, v, g), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
       "lhs_ragged_dims={1}, rhs_group_dims={}",
       "f32[2,4,5]"},
      {"collective-broadcast(p, q, g), has_dynamic_root=true", "(f32[2,3], f32[4,3])"},
      {"fft(p), fft_type=RFFT, fft_length={3}", "c64[2,2]"},
      {"fft(z), fft_type=IRFFT, fft_length={8}", "f32[2,8]"},
      {"sort(p), dimensions={1}, to_apply=sum", "f32[2,3]"},
      {"tuple(p, zero)", "(f32[2,3], f32[])"},
      {"get-tuple-element(tuple(p, zero)), index=1", "f32[]"},
      {"call(p), to_apply=twice", "f32[2,3]"},
      {"map(zero), to_apply=sum", "f32[]"},
      {"get-dimension-size(p), dimensions={0}", "s32[]"},
      {"partition-id()", "u32[]"},
      {"after-all()", "token[]"},
      {"multiply(negate(p), abs(p))", "f32[2,3]"},
      {"topk(p), k=2, largest=true", "(f32[2,2], s32[2,2])"},
  };
  for (auto [text, shape] : cases) {
    auto module = parseHloText(start + "ROOT r = " + text + " }");
    ASSERT_TRUE(module.ok()) << text << ": " << module.status();
    auto written = parseHloText(start + "ROOT r = " + shape + " " + text + " }");
    ASSERT_TRUE(written.ok()) << text << ": " << written.status();
    EXPECT_EQ(printHlo(*module), printHlo(*written)) << text;
    EXPECT_EQ(module->host_program_shape().result().SerializeAsString(),
              named(*module, "r").shape().SerializeAsString());
  }
}

TEST(ParserTest, ShapesAreInferredOfWhatComesLater) {
  HloModuleProto module =
      parsed("HloModule m\nENTRY main {\n  ROOT c = call(t#1), to_apply=late\n"
             "  t = tuple(p, n)\n  n = negate(p)\n  p = f32[2] parameter(0)\n}\n"
             "late {\n  x = f32[2] parameter(0)\n  ROOT y = tanh(x)\n}");
  EXPECT_TRUE(verify(module).ok()) << verify(module);
  EXPECT_EQ(named(module, "c").shape().dimensions(0), 2);
  EXPECT_EQ(named(module, "t").shape().tuple_shapes_size(), 2);
}

TEST(ParserTest, AComparisonHasATypeOrAnOrder) {
  auto printed = [](const std::string &element, const std::string &attributes) {
    std::string text =
        printHlo(parsed(inModule("  x = " + element +
                                 "[4]{0} parameter(0)\n  ROOT r = pred[4]{0} compare(x, "
                                 "x), direction=LT" +
                                 attributes)));
    size_t start = text.find("direction=");
    return text.substr(start, text.find('\n', start) - start);
  };
  EXPECT_EQ(printed("f32", ", order=TOTAL"), "direction=LT, order=TOTAL");
  EXPECT_EQ(printed("f32", ", order=PARTIAL"), "direction=LT");
  EXPECT_EQ(printed("s32", ", order=TOTAL"), "direction=LT");
  EXPECT_EQ(printed("f32", ", type=TOTALORDER"), "direction=LT, type=TOTALORDER");
}

TEST(ParserTest, FusionsAreMarked) {
  HloModuleProto module =
      parsed("HloModule m\nf { ROOT x = f32[] parameter(0) }\nENTRY main {\n"
             "  p = f32[] parameter(0)\n  ROOT r = f32[] fusion(p), kind=kLoop, calls=f\n}");
  EXPECT_TRUE(module.computations(0).is_fusion_computation());
  EXPECT_EQ(named(module, "r").fusion_kind(), "kLoop");
}

TEST(ParserTest, TextDefaultsAreThoseOfTheWire) {
  HloModuleProto module =
      parsed(inModule("  ROOT r = f32[] custom-call(), custom_call_target=\"f\""));
  EXPECT_EQ(named(module, "r").custom_call_api_version(), API_VERSION_ORIGINAL);
  EXPECT_EQ(named(module, "r").feature_group_count(), 1);
}

TEST(ParserTest, ManyComputationsAndInstructionsAreReadWithoutRecursion) {
  // A chain of calls, written callers first.
  std::string text = "HloModule m\nENTRY f0 {\n  x = f32[] parameter(0)\n  ROOT c = f32[] call(x), "
                     "to_apply=f1\n}\n";
  for (int i = 1; i < 20000; ++i) {
    std::string name = "f" + std::to_string(i), next = "f" + std::to_string(i + 1);
    text +=
        name + " {\n  ROOT c = f32[] call(x), to_apply=" + next + "\n  x = f32[] parameter(0)\n}\n";
  }
  text += "f20000 { ROOT x = f32[] parameter(0) }\n";
  EXPECT_TRUE(verify(parsed(text)).ok());
}

} // namespace
} // namespace spmd::hlo
