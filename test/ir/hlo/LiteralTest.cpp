#include "Programs.h"

#include "spmd/ir/hlo/Hlo.h"
#include "spmd/ir/hlo/PrimitiveTypes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace spmd::hlo {
namespace {

LiteralProto literalOf(const std::string &shape, const std::string &elements) {
  auto module = parseHloText(inModule("  ROOT c = " + shape + " constant(" + elements + ")"));
  EXPECT_TRUE(module.ok()) << shape << elements << module.status();
  EXPECT_TRUE(verify(*module).ok()) << verify(*module);
  return module->computations(0).instructions(0).literal();
}

TEST(LiteralTest, EachTypeIsPrintedAsItWasRead) {
  const std::pair<const char *, const char *> cases[] = {
      {"pred[3]{0}", "{1, 0, 1}"},
      {"pred[]", "true"},
      {"s4[3]{0}", "{-8, 0, 7}"},
      {"u4[2]{0}", "{0, 15}"},
      {"s2[2]{0}", "{-2, 1}"},
      {"u1[2]{0}", "{0, 1}"},
      {"s8[2]{0}", "{-128, 127}"},
      {"u8[2]{0}", "{0, 255}"},
      {"s16[2]{0}", "{-32768, 32767}"},
      {"u16[2]{0}", "{0, 65535}"},
      {"s32[2]{0}", "{-2147483648, 2147483647}"},
      {"u32[1]{0}", "{4294967295}"},
      {"s64[2]{0}", "{-9223372036854775808, 9223372036854775807}"},
      {"u64[1]{0}", "{18446744073709551615}"},
      {"f16[5]{0}", "{1, -0, 65504, 5.9605e-08, nan(0x1)}"},
      {"bf16[4]{0}", "{1, 3.39e+38, -inf, -nan}"},
      {"f32[6]{0}", "{0.1, 1.17549435e-38, 3.40282347e+38, nan, -nan(0x1), inf}"},
      {"f64[3]{0}", "{0.1, 1.7976931348623157e+308, nan(0x7)}"},
      {"c64[2]{0}", "{(1, -2), (inf, nan)}"},
      {"c128[]", "(0.5, 1e+300)"},
      {"f8e5m2[4]{0}", "{5.7e+04, 1.5e-05, inf, nan}"},
      {"f8e4m3[2]{0}", "{240, inf}"},
      {"f8e3m4[2]{0}", "{15.5, nan}"},
      {"f8e4m3fn[3]{0}", "{448, 0.00195, -nan}"},
      {"f8e4m3b11fnuz[2]{0}", "{30, -nan}"},
      {"f8e5m2fnuz[2]{0}", "{5.7e+04, -nan}"},
      {"f8e4m3fnuz[2]{0}", "{240, -0.000977}"},
      {"f8e8m0fnu[3]{0}", "{1, 1.7e+38, nan}"},
      {"f4e2m1fn[3]{0}", "{6, -0.5, 0}"},
      {"f32[2,2]{1,0}", "{ { 1, 2 }, { 3, 4 } }"},
      {"f32[1,2,1]{2,1,0}", "{ { { 1 }, { 2 } } }"},
      {"f32[0]{0}", "{}"},
      {"f32[2,0]{1,0}", "{ {}, {} }"},
      {"f32[]", "{...}"},
      {"f32[8,8]{1,0}", "{...}"},
      {"(f32[], s32[2]{0})", "(1, {2, 3})"},
  };
  for (auto [shape, elements] : cases) {
    std::string text = inModule(std::string("  ROOT c = ") + shape + " constant(" + elements + ")");
    auto module = parseHloText(text);
    ASSERT_TRUE(module.ok()) << text << module.status();
    EXPECT_TRUE(verify(*module).ok()) << text << verify(*module);
    std::string printed = printHlo(*module, {/*percent=*/false});
    EXPECT_NE(printed.find(std::string("constant(") + elements + ")\n"), std::string::npos)
        << text << printed;
  }
}

TEST(LiteralTest, ElementsAreInTheOrderOfTheText) {
  LiteralProto literal = literalOf("s32[2,3]{0,1}", "{ {1, 2, 3}, {4, 5, 6} }");
  EXPECT_EQ(std::vector<int>(literal.s32s().begin(), literal.s32s().end()),
            (std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(literal.shape().layout().minor_to_major(0), 1);
}

TEST(LiteralTest, BytesInAnotherOrderArePrintedInTheOrderOfTheDims) {
  HloModuleProto module =
      *parseHloText(inModule("  ROOT c = s32[2,3]{0,1} constant({ {1, 2, 3}, {4, 5, 6} })"));
  LiteralProto &literal =
      *module.mutable_computations(0)->mutable_instructions(0)->mutable_literal();
  literal.clear_s32s();
  for (int element : {1, 4, 2, 5, 3, 6})
    literal.add_s32s(element);
  *literal.mutable_shape() = module.computations(0).instructions(0).shape();
  EXPECT_NE(printHlo(module).find("constant({ { 1, 2, 3 }, { 4, 5, 6 } })"), std::string::npos)
      << printHlo(module);
}

TEST(LiteralTest, OldReleasesRepeatTheShape) {
  EXPECT_EQ(literalOf("f32[2]{0}", "f32[2]{0} {1, 2}").f32s_size(), 2);
}

TEST(LiteralTest, LongLiteralsAreElidedOnDemand) {
  PrintOptions options;
  options.mostElements = 2;
  auto module = parseHloText(inModule("  ROOT c = f32[3]{0} constant({1, 2, 3})"));
  EXPECT_NE(printHlo(*module, options).find("constant({...})"), std::string::npos);
}

TEST(LiteralTest, SmallFloatsAreReadBackFromEachOfTheirBits) {
  for (PrimitiveType type : {F16, BF16, F8E5M2, F8E4M3, F8E3M4, F8E4M3FN, F8E4M3B11FNUZ, F8E5M2FNUZ,
                             F8E4M3FNUZ, F8E8M0FNU, F4E2M1FN, F6E3M2FN, F6E2M3FN}) {
    const PrimitiveTypeInfo &info = *findPrimitiveType(type);
    for (uint32_t bits = 0; bits < (1u << info.bits); ++bits) {
      double value = decodeFloat(info.format, bits);
      uint32_t again = encodeFloat(info.format, value);
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(decodeFloat(info.format, again))) << info.name << bits;
      else
        ASSERT_EQ(again, bits) << info.name << " " << value;
    }
  }
}

TEST(LiteralTest, SmallFloatsRoundToTheNearestAndTiesToEven) {
  const FloatFormat &fn = findPrimitiveType(F8E4M3FN)->format;
  EXPECT_EQ(decodeFloat(fn, encodeFloat(fn, 17)), 16);
  EXPECT_EQ(decodeFloat(fn, encodeFloat(fn, 19)), 20);
  EXPECT_EQ(decodeFloat(fn, encodeFloat(fn, 1e9)), 448);
  const FloatFormat &half = findPrimitiveType(F16)->format;
  EXPECT_TRUE(std::isinf(decodeFloat(half, encodeFloat(half, 65520))));
  EXPECT_EQ(decodeFloat(half, encodeFloat(half, 65519)), 65504);
}

} // namespace
} // namespace spmd::hlo
