#include "Programs.h"

#include "spmd/ir/hlo/Hlo.h"

#include <google/protobuf/util/field_comparator.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

namespace spmd::hlo {
namespace {

using google::protobuf::util::MessageDifferencer;

/// Returns the lines of a module without what only the eye sees: comments, empty lines.
std::string withoutComments(const std::string &text) {
  static const std::regex comment(R"(/\*[^*]*\*/| *//[^\n]*)"), empty("\n\n+");
  return std::regex_replace(std::regex_replace(text, comment, ""), empty, "\n");
}

PrintOptions styleOf(const std::string &text) {
  PrintOptions options;
  options.percent =
      text.find("\n  %") != std::string::npos || text.find("ROOT %") != std::string::npos;
  return options;
}

TEST(RoundTripTest, TextIsPrintedAsItWasWritten) {
  for (const std::string &path : programs(".hlo.txt")) {
    SCOPED_TRACE(path);
    std::string text = contents(path);
    auto module = parseHloText(text);
    ASSERT_TRUE(module.ok()) << module.status();
    EXPECT_TRUE(verify(*module).ok()) << verify(*module);
    PrintOptions options = styleOf(text);
    std::string printed = withoutComments(printHlo(*module, options));
    // A program writes the shapes of operands everywhere, or nowhere.
    options.operandShapes = true;
    std::string withShapes = withoutComments(printHlo(*module, options));
    std::string wanted = withoutComments(text);
    EXPECT_TRUE(wanted == printed || wanted == withShapes) << printed;
  }
}

/// Returns where two modules differ, or nothing.
std::string differences(const HloModuleProto &a, const HloModuleProto &b) {
  std::string report;
  google::protobuf::util::DefaultFieldComparator comparator;
  comparator.set_treat_nan_as_equal(true);
  MessageDifferencer differencer;
  differencer.set_field_comparator(&comparator);
  differencer.ReportDifferencesToString(&report);
  differencer.Compare(a, b);
  return report;
}

TEST(RoundTripTest, PrintingAndParsingAgainIsTheSameModule) {
  for (const std::string &path : programs(".hlo.txt")) {
    SCOPED_TRACE(path);
    auto module = parseHloText(contents(path));
    ASSERT_TRUE(module.ok()) << module.status();
    for (bool percent : {false, true}) {
      PrintOptions options{percent, /*operandShapes=*/percent};
      auto again = parseHloText(printHlo(*module, options));
      ASSERT_TRUE(again.ok()) << again.status();
      EXPECT_EQ(differences(*module, *again), "");
    }
  }
}

TEST(RoundTripTest, BytesGiveTheSameTextAgain) {
  for (const std::string &path : programs(".hlo.pb")) {
    SCOPED_TRACE(path);
    auto module = parseHloProto(contents(path));
    ASSERT_TRUE(module.ok()) << module.status();
    EXPECT_TRUE(verify(*module).ok()) << verify(*module);
    std::string text = printHlo(*module);
    auto again = parseHloText(text);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(printHlo(*again), text);
  }
}

/// Returns the lines of a text in the order of the alphabet.
std::vector<std::string> sortedLines(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

// A framework wrote both files of one program: reading either gives the same module, but for the
// order of instructions that do not depend on each other.
TEST(RoundTripTest, BytesAndTextOfAProgramAgree) {
  PrintOptions options;
  options.metadata = false;
  options.mostElements = 10; // XLA elides longer constants from its text.
  for (const std::string &path : programs(".hlo.pb")) {
    SCOPED_TRACE(path);
    auto fromBytes = parseHloProto(contents(path));
    auto fromText = parseHloText(contents(path.substr(0, path.size() - 2) + "txt"));
    ASSERT_TRUE(fromBytes.ok() && fromText.ok());
    fromText->clear_text_config(); // Only the text has it.
    EXPECT_EQ(sortedLines(printHlo(*fromBytes, options)),
              sortedLines(printHlo(*fromText, options)));
  }
}

// One line for each attribute and opcode that the programs above lack.
TEST(RoundTripTest, EachAttributeIsKept) {
  const char *const parameters =
      "  p = f32[4,6]{1,0} parameter(0)\n  s = f32[] parameter(1)\n"
      "  i = s32[] parameter(2)\n  t = token[] after-all()\n  b = pred[] parameter(3)\n";
  const char *const lines[] = {
      "rng(s, s), distribution=rng_uniform",
      "rng-bit-generator(p), algorithm=rng_three_fry",
      "rng-get-and-update-state(), delta=16",
      "convolution(p, p), window={size=3x3 stride=2x1 pad=-1_2x0_0 lhs_dilate=1x2 rhs_dilate=2x1 "
      "rhs_reversal=0x1}, dim_labels=b01f_0?1io->b01f, feature_group_count=2, batch_group_count=3, "
      "operand_precision={high,highest}, padding_type=PADDING_SAME",
      "dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
      "algorithm=dot_bf16_bf16_f32_x3, "
      "sparsity=L.1@2:4",
      "pad(p, s), padding=-1_2_1x0_0_0",
      "infeed(t), infeed_config=\"a\\\"b\\n\"",
      "outfeed(p, t), outfeed_shape=f32[4,6]{1,0}, outfeed_config=\"c\"",
      "send(p, t), channel_id=3, is_host_transfer=true",
      "custom-call(p), custom_call_target=\"f\", operand_layout_constraints={f32[4,6]{0,1}}, "
      "output_to_operand_aliasing={{}: (0, {})}, schedule=SCHEDULE_LATEST, "
      "api_version=API_VERSION_STATUS_RETURNING_UNIFIED, backend_config=\"x\\000y\"",
      "domain(p), domain={kind=\"sharding\", entry={maximal device=1}, exit={replicated}}",
      "all-gather(p), channel_id=1, replica_groups={{0,1}}, constrain_layout=true, dimensions={0}, "
      "use_global_device_ids=true",
      "collective-permute(p), source_target_pairs={}",
      "get-dimension-size(p), dimensions={1}",
      "exponential(p), result_accuracy={mode=highest}",
      "exponential(p), result_accuracy={tolerance={atol=0.25,rtol=0,ulps=2}}",
      "copy-start(p), cross_program_prefetch_index=0",
      "add(p, p), sharding={devices=[2,2]<=[4] metadata={op_name=\"n\"}}, "
      "frontend_attributes={a=\"x\",b={c}}, "
      "control-predecessors={s, i}, metadata={op_type=\"t\" op_name=\"n\" source_file=\"f.py\" "
      "source_line=3 "
      "profile_type={1} stack_frame_id=2}, backend_config={\"k\":\"}\"}",
      "add(p, p), origin={{\"x\"}}",
      "compare(p, p), direction=GE, type=TOTALORDER",
      "reduce-precision(p), exponent_bits=5, mantissa_bits=0",
      "fft(p), fft_type=IRFFT, fft_length={6}",
      "triangular-solve(p, p), left_side=true, unit_diagonal=true, transpose_a=ADJOINT",
      "batch-norm-inference(p, p, p, p, p), epsilon=0, feature_index=0",
      "iota(), iota_dimension=1",
  };
  for (const char *line : lines) {
    std::string text = inModule(parameters + std::string("  ROOT r = f32[4,6]{1,0} ") + line);
    auto module = parseHloText(text);
    ASSERT_TRUE(module.ok()) << line << "\n" << module.status();
    PrintOptions options{/*percent=*/false};
    EXPECT_NE(printHlo(*module, options).find(std::string("} ") + line + "\n"), std::string::npos)
        << line << "\n"
        << printHlo(*module, options);
  }
}

TEST(RoundTripTest, WhatIsLeftOutIsPrintedAndReadAlike) {
  for (const char *line : {"dot(p, p)",
                           "ragged-dot(p, p, i)",
                           "triangular-solve(p, p)",
                           "gather(p, i)",
                           "scatter(p, i, p)",
                           "negate(p), transpose_a=0",
                           "negate(p), lhs_batch_dims={}",
                           "negate(p), frontend_attributes={}",
                           "negate(p), metadata={}",
                           "negate(p), window={}",
                           "negate(p), operand_precision={}",
                           "negate(p), source_target_pairs={}",
                           "negate(p), replica_groups={}",
                           "negate(p), slice={}",
                           "negate(p), control-predecessors={}",
                           "negate(p), output_to_operand_aliasing={}",
                           "negate(p), domain={kind=\"sharding\", entry={}, exit={}}",
                           "negate(p), calls={}",
                           "negate(p), literal={}",
                           "negate(p), statistics={}",
                           "negate(p), outfeed_shape=()"}) {
    std::string text =
        inModule(std::string("  p = f32[4,6] parameter(0)\n  i = s32[4] parameter(1)\n"
                             "  ROOT r = f32[4,6] ") +
                 line);
    auto module = parseHloText(text);
    if (!module.ok())
      continue; // Some must not be empty.
    auto again = parseHloText(printHlo(*module));
    ASSERT_TRUE(again.ok()) << line << "\n" << again.status();
    EXPECT_EQ(again->SerializeAsString(), module->SerializeAsString()) << line;
  }
}

TEST(RoundTripTest, ModuleAttributesAreKept) {
  std::string header =
      ", is_scheduled=true, input_output_alias={ {}: (0, {}, must-alias) }, "
      "buffer_donor={ (0, {}) }, alias_passthrough_params=true, "
      "entry_computation_layout={(f32[?,<=4]{0,1:T(8,128)(2,1)L(4)E(4)S(1)})->f32[?,<=4]{1,0}}, "
      "allow_spmd_sharding_propagation_to_parameters={true,false}, "
      "allow_spmd_sharding_propagation_to_output={true}, replica_count=2, num_partitions=8, "
      "frontend_attributes={x={[1]}}, debug_attributes={a={b}}";
  std::string text =
      "HloModule m" + header +
      "\n\nFileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n"
      "1 {file_name_id=1 function_name_id=1 line=3}\n\nStackFrames\n1 {file_location_id=1}\n\n"
      "%g (a: f32[?,<=4]) -> f32[?,<=4] {\n  ROOT %a = f32[?,<=4]{1,0} parameter(0)\n}, "
      "execution_thread=\"side\"\n\n"
      "ENTRY %main (p: f32[?,<=4]) -> f32[?,<=4] {\n  %p = f32[?,<=4]{1,0} parameter(0)\n"
      "  ROOT %c = f32[?,<=4]{1,0} call(%p), to_apply=%g\n}\n\n";
  auto module = parseHloText(text);
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_TRUE(verify(*module).ok()) << verify(*module);
  EXPECT_EQ(printHlo(*module), text);
}

} // namespace
} // namespace spmd::hlo
