#include "Programs.h"

#include "spmd/ir/hlo/Hlo.h"

#include <gtest/gtest.h>

namespace spmd::hlo {
namespace {

struct Case {
  std::string text;
  std::string message;
};

void expectMessages(const std::vector<Case> &cases) {
  for (const Case &c : cases)
    EXPECT_EQ(std::string(parseHloText(c.text).status().message()), c.message) << c.text;
}

TEST(ParserErrorTest, Modules) {
  expectMessages({
      {"", "1:1: expected a computation, got the end of the text"},
      {"HloModule", "1:10: expected the name of the module, got the end of the text"},
      {"HloModule m, nonsense=1", "1:14: a module has no attribute 'nonsense'"},
      {"HloModule m, =1", "1:14: expected the name of an attribute, got '='"},
      {"HloModule m, num_partitions=0", "1:30: the number is not positive"},
      {"HloModule m, num_partitions=x", "1:29: expected a number, got 'x'"},
      {"HloModule m, is_scheduled=maybe", "1:27: expected 'true' or 'false', got 'maybe'"},
      {"HloModule m, entry_computation_layout={()}", "1:42: expected '->', got '}'"},
      {"HloModule m, input_output_alias={ {}: (0, {}, x) }",
       "1:47: expected 'may-alias' or 'must-alias', got 'x'"},
      {"HloModule m\nFileNames\n2 \"a\"", "3:3: expected line 1 of the table, got 2"},
      {"HloModule m\nFileLocations\n1 {x=1}", "3:4: expected a field of FileLocation, got 'x'"},
  });
}

TEST(ParserErrorTest, Computations) {
  expectMessages({
      {"a {\n}", "2:2: computation 'a' is empty"},
      {"a", "1:2: expected '{', got the end of the text"},
      {"a (x: f32[]) f32[] {", "1:14: expected '->', got 'f32'"},
      {"a { ROOT x = f32[] parameter(0) }\na { ROOT x = f32[] parameter(0) }",
       "2:1: a second computation is named 'a'"},
      {"ENTRY a { ROOT x = f32[] parameter(0) }\nENTRY b { ROOT x = f32[] parameter(0) }",
       "2:7: the module has a second ENTRY computation"},
      {"a { x = f32[] parameter(1) }",
       "1:29: the parameters of 'a' have no number 0, or twice one before"},
      {"a { x = f32[] parameter(0) ROOT y = f32[] call(x), to_apply=b }",
       "1:61: the module has no computation 'b'"},
      {"a { x = f32[] parameter(0) ROOT y = f32[] call(x), to_apply=a }",
       "1:64: computation 'a' calls itself"},
  });
}

TEST(ParserErrorTest, Instructions) {
  expectMessages({
      {"a { x = }", "1:9: expected a shape, got '}'"},
      {"a { x = f32[] frobnicate() }", "1:15: computation 'a': opcode 'frobnicate' is not known"},
      {"a { x = f32[] add(y, y) }", "1:19: computation 'a' has no instruction 'y'"},
      {"a { x = f32[] add(y y) }", "1:21: expected ',' or ')', got 'y'"},
      {"a { x = f32[] add(,) }", "1:19: expected an operand, got ','"},
      {"a { x = f32[] negate(x) }", "1:22: instruction 'x' depends on itself"},
      {"a { x = f32[] negate(y) y = f32[] negate(x) }", "1:22: instruction 'x' depends on itself"},
      {"a { x = f32[] parameter(0) x = f32[] parameter(1) }",
       "1:28: a second instruction is named 'x'"},
      {"a { ROOT x = f32[] parameter(0) ROOT y = f32[] parameter(1) }",
       "1:38: the computation has a second ROOT"},
      {"a { x = f32[] parameter(-1) }", "1:25: the number of the parameter is negative: -1"},
      {"a { x = f32[] parameter(x) }", "1:25: expected the number of the parameter, got 'x'"},
      {"a { x = f32[] parameter(0), }", "1:29: expected the name of an attribute, got '}'"},
      {"a { x = f32[] parameter(0), sharding={manual}, sharding={replicated} }",
       "1:48: attribute 'sharding' is given twice"},
      {"a { x = f32[4] parameter(0), sharding={devices=[2]<=[2] mesh[]} }",
       "1:57: the sharding says already how the value lies"},
      {"a { x = f32[4] parameter(0), sharding={devices=[2]<=[2] device=1} }",
       "1:57: the sharding says already how the value lies"},
      {"a { x = f32[4] parameter(0), sharding={maximal device=1 device=1} }",
       "1:57: the sharding says already how the value lies"},
      {"a { x = f32[4] parameter(0), sharding={replicated last_tile_dim_replicate} }",
       "1:51: what the last tile dims mean stands behind 'devices='"},
      {"a { x = f32[] parameter(0), nonsense=1 }", "1:29: 'parameter' has no attribute 'nonsense'"},
      {"a { = f32[] parameter(0) }", "1:5: expected an instruction or '}', got '='"},
      {"a { p = f32[2]{0} parameter(0) s = f32[2]{0} slice-start(p), slice={[0:2]} }",
       "1:76: the result of 'slice-start' is not a tuple of its operands, its result and more"},
      {"a { p = f32[2]{0} parameter(0) s = ((), f32[2]{0}) slice-start(p), slice={[0:2]} }",
       "1:82: the result of 'slice-start' begins with a tuple of 0 operands, it has 1"},
      {"a { x = f32[] }", "1:15: expected an opcode, got '}'"},
  });
}

// What is not UTF-8 cannot be written as bytes. A backend's own configuration can.
TEST(ParserErrorTest, Strings) {
  expectMessages({
      {"a {\n x = f32[] parameter(0) // \xff\n}", "2:28: the text is no UTF-8"},
      {"a { x = f32[] parameter(0), metadata={op_name=\"\\377\"} }",
       "1:47: the string is no UTF-8"},
      {"a { x = f32[] parameter(0), backend_config=\"\\377\" }", ""},
  });
}

TEST(ParserErrorTest, ShortForms) {
  std::string deep;
  for (int i = 0; i < 300; ++i)
    deep += "f32[] negate(";
  expectMessages({
      {"a { x = f32[] negate(constant(1)) }",
       "1:31: a constant has no shape; write it before the opcode"},
      {"a { x = " + deep + "y", "1:1322: more than 100 nested levels"},
      {"a { p = f32[] parameter(0) x = f32[] negate(p#0) }", "1:46: there is no element 0 of 0"},
      {"a { p = (f32[]) parameter(0) x = f32[] negate(p#-1) }",
       "1:48: there is no element -1 of 1"},
      {"a { p = (f32[]) parameter(0) x = f32[] negate(p#x) }",
       "1:49: expected the number of an element, got 'x'"},
      {"a { x = f32[] negate(q#0) }", "1:22: computation 'a' has no instruction 'q'"},
      {"a { x = f32[] negate(x#0) }", "1:23: there is no element 0 of 0"},
  });
}

TEST(ParserErrorTest, ShapesAndLiterals) {
  expectMessages({
      {"a { x = f32 parameter(0) }", "1:13: expected '[', got 'parameter'"},
      {"a { p = f32[4] parameter(0) x = reshape(p) }",
       "1:29: instruction 'x' has no shape before 'reshape': the shape of 'reshape' does not "
       "follow from its operands; write the shape"},
      {"a { p = f32[4] parameter(0) x = add(p) }",
       "1:29: instruction 'x' has no shape before 'add': 'add' has 1 operands; write the shape"},
      {"a { p = f32[4] parameter(0) x = transpose(p), dimensions={1} }",
       "1:29: instruction 'x' has no shape before 'transpose': 'dimensions' does not name the dims "
       "of its operand; write the shape"},
      {"a { x = constant(1) }", "1:18: a constant has no shape; write it before the opcode"},
      {"a { p = f32[4] parameter(0) x = pred[4] compare(p, p), direction=LT, order=ODD }",
       "1:76: expected 'PARTIAL' or 'TOTAL'"},
      {"a { p = f32[4] parameter(0) x = pred[4] compare(p, p), type=FLOAT, order=TOTAL }",
       "1:74: 'compare' has both a 'type' and an 'order'; write one"},
      {"a { x = f99[] parameter(0) }", "1:9: expected a shape, got 'f99'"},
      {"a { x = f32[-1] parameter(0) }", "1:15: the size of a dim is negative: -1"},
      {"a { x = f32[99999999999999999999] parameter(0) }",
       "1:13: the size of a dim does not fit 64 bits"},
      {"a { x = f32[2 3] parameter(0) }", "1:15: expected ',' or ']', got '3'"},
      {"a { x = f32[2]{0:Q} parameter(0) }",
       "1:18: expected an item of a layout, such as T(8,128) or S(1), got 'Q'"},
      {"a { x = f32[2]{0:D(X)} parameter(0) }",
       "1:20: expected 'D', 'C', 'S' or 'H', how a dim is stored, got 'X'"},
      {"a { x = f32[2]{0:#(q)} parameter(0) }", "1:21: expected an element type, got ')'"},
      {"a { x = f32[2]{0} constant({1}) }", "1:30: the literal has fewer than 2 elements in dim 0"},
      {"a { x = f32[2]{0} constant({1, 2, 3}) }",
       "1:35: the literal has more than 2 elements in dim 0"},
      {"a { x = s8[] constant(200) }", "1:23: the integer does not fit 8 bits"},
      {"a { x = u8[] constant(-1) }", "1:23: expected an integer, got '-1'"},
      {"a { x = s32[] constant(1.5) }", "1:24: expected an integer, got '1.5'"},
      {"a { x = f32[] constant(1e99) }", "1:24: the number is too large for its type"},
      {"a { x = f32[] constant(one) }", "1:24: expected a number, got 'one'"},
      {"a { x = f32[] constant(nan(0x0)) }",
       "1:24: the payload of a NaN is not a number such as 0x1 that fits its mantissa"},
      {"a { x = f6e2m3fn[] constant(1) }", "1:29: constants of type f6e2m3fn are not supported"},
      {"a { x = pred[] constant(2) }", "1:25: expected 'true' or 'false', got '2'"},
  });
}

TEST(ParserErrorTest, Attributes) {
  auto with = [](const std::string &attribute) {
    return "a { x = f32[2]{0} parameter(0), " + attribute + " }";
  };
  expectMessages({
      {with("metadata={op_name=\"x}"), "1:51: the string has no end"},
      {with("metadata={op_name=\"\\q\"}"),
       "1:51: the string has a wrong escape: Unknown escape sequence: \\q"},
      {with("metadata={nonsense=1}"), "1:43: expected a field of OpMetadata, got 'nonsense'"},
      {with("metadata={source_line=9999999999}"), "1:65: 9999999999 does not fit 32 bits"},
      {with("frontend_attributes={a=1}"), "1:56: expected a string in quotes, got '1'"},
      {with("frontend_attributes={=1}"), "1:54: expected the name of an attribute, got '='"},
      {"a { x = f32[] parameter(0), backend_config={\"a\":1", "1:44: the '{' is not closed"},
      {with("window={width=3}"), "1:41: expected 'size', 'stride', 'pad', 'lhs_dilate', "
                                 "'rhs_dilate' or 'rhs_reversal', got 'width'"},
      {with("dim_labels=bf_io"),
       "1:44: expected the dims of a convolution, such as b01f_01io->b01f"},
      {with("algorithm=fast"),
       "1:43: expected an algorithm, such as dot_bf16_bf16_f32, got 'fast'"},
      {with("operand_precision={low}"), "1:52: expected a value of operand_precision, got 'low'"},
      {with("result_accuracy={best}"), "1:50: expected 'mode' or 'tolerance', got 'best'"},
      {"a { x = f32[2]{0} parameter(0) y = f32[2]{0} domain(x), domain={} }",
       "1:65: expected {kind=\"sharding\", entry={..}, exit={..}}, got '}'"},
      {with("domain={}"), "1:33: 'parameter' has no attribute 'domain'"},
      {with("epsilon=x"), "1:41: expected a number, got 'x'"},
      {with("origin="), "1:41: expected a value, got '}'"},
  });
}

TEST(ParserErrorTest, ShardingsAndGroups) {
  auto with = [](const std::string &sharding) {
    return "a { x = f32[2]{0} parameter(0), sharding=" + sharding + " }";
  };
  expectMessages({
      {with("{nonsense}"), "1:43: expected a sharding, got 'nonsense'"},
      {with("{devices=[2]}"), "1:54: expected a device, got '}'"},
      {with("{devices=[2,2]<=[2,2]}"), "1:63: expected 'T', the order of the iota's dims, got '}'"},
      {with("{devices=[2]0,1 last_tile_dims={x}}"),
       "1:74: expected 'replicated', 'manual', 'unreduced' or 'unknown', got 'x'"},
      {with("{replicated shard_as x}"), "1:63: expected the number of a shard group, got 'x'"},
      {with("{mesh[x=2]}"), "1:48: expected the name of an axis in quotes, got 'x'"},
      {with("{mesh['x'=2] [{'y'}]}"), "1:57: the mesh has no axis 'y'"},
      {with("{mesh['x'=2] [{1}]}"), "1:57: the mesh has no axis 1"},
      {with("{mesh['x'=2] [{?,'x'}]}"), "1:59: expected '}' after '?', got '''"},
      {with("{mesh['x'=2] nonsense}"), "1:55: expected the shardings of dims in brackets, or "
                                       "'replicated', 'unreduced', 'manual', got 'nonsense'"},
      {with("{mesh['x'=2] unreduced=[avg]{'x'}}"),
       "1:66: expected 'sum', 'max' or 'min', got 'avg'"},
      {with("{maximal_mesh[x]}"), "1:56: expected '[device_id=', a device and ']', got 'x'"},
      {"a { x = f32[] partition-id(), replica_groups=[2,2] }", "1:52: expected '<=', got '}'"},
  });
  EXPECT_EQ(parseHloSharding("{replicated} x").status().message(),
            "1:14: expected the end of the sharding, got 'x'");
}

TEST(ParserErrorTest, Nesting) {
  EXPECT_EQ(parseHloText("a { x = " + std::string(101, '(')).status().message(),
            "1:109: more than 100 nested levels");
  std::string bodies = "y = f32[] constant(1)";
  for (int i = 0; i < 101; ++i)
    bodies = "x = f32[] call(), to_apply={ " + bodies + " }";
  EXPECT_EQ(parseHloText("a { " + bodies + " }").status().message(),
            "1:2932: more than 100 nested levels");
  EXPECT_EQ(parseHloText("a { x = f32[] call(), to_apply={ y = f32[]").status().message(),
            "1:32: the '{' is not closed");
}

} // namespace
} // namespace spmd::hlo
