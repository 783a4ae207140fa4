// No input crashes: what is cut off or changed at random is read or refused, and what is read is
// printed.

#include "Programs.h"

#include "spmd/ir/hlo/Hlo.h"

#include <gtest/gtest.h>

#include <random>

namespace spmd::hlo {
namespace {

/// Returns `text` with a few bytes changed, removed or repeated.
std::string mutated(std::string text, std::mt19937 &random) {
  static const std::string pieces[] = {"{",     "}",      "(",  ")",  "[",  "]",
                                       ",",     "=",      "%",  "\"", "-1", "99999999999999999999",
                                       "1e400", "nan(0x", "/*", "<=", "T(", "9223372036854775807",
                                       "f32",   "..."};
  int changes = 1 + random() % 4;
  for (int i = 0; i < changes && !text.empty(); ++i) {
    size_t at = random() % text.size();
    switch (random() % 4) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text.erase(at, 1 + random() % 8);
      break;
    case 2:
      text.insert(at, pieces[random() % std::size(pieces)]);
      break;
    default:
      text.insert(at, text.substr(random() % text.size(), random() % 40));
    }
  }
  return text;
}

void readAndPrint(const absl::StatusOr<HloModuleProto> &module) {
  if (!module.ok())
    return;
  verify(*module).IgnoreError();
  printHlo(*module);
}

TEST(MutationTest, TextIsReadOrRefused) {
  std::mt19937 random(1);
  for (const char *name :
       {"mlp_tp.hlo.txt", "torch_tp_mlp.hlo.txt", "custom_reducers_partitioned.hlo.txt"}) {
    std::string text = data(name);
    ASSERT_FALSE(text.empty());
    for (size_t length = 0; length < text.size(); length += 7)
      readAndPrint(parseHloText(text.substr(0, length)));
    for (int i = 0; i < 2000; ++i) {
      auto module = parseHloText(mutated(text, random));
      readAndPrint(module);
      // What is well-formed is also read back.
      if (module.ok() && verify(*module).ok())
        EXPECT_TRUE(parseHloText(printHlo(*module)).ok());
    }
  }
}

TEST(MutationTest, BytesAreReadOrRefused) {
  std::mt19937 random(1);
  for (const char *name : {"mlp_tp.hlo.pb", "torch_tp_mlp.hlo.pb"}) {
    std::string bytes = data(name);
    ASSERT_FALSE(bytes.empty());
    for (size_t length = 0; length < bytes.size(); length += 3)
      readAndPrint(parseHloProto(bytes.substr(0, length)));
    for (int i = 0; i < 4000; ++i)
      readAndPrint(parseHloProto(mutated(bytes, random)));
  }
}

TEST(MutationTest, DeepNestingIsRefused) {
  for (const char *open : {"(", "{"}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i)
      deep += open;
    for (const std::string &line :
         {"  x = " + deep, "  x = f32[] parameter(0), sharding=" + deep,
          "  x = f32[1]{0} constant(" + deep, "  x = f32[] custom-call(" + deep})
      EXPECT_FALSE(parseHloText(inModule(line)).ok());
  }
}

TEST(MutationTest, SizesThatNoMachineHasCostNothing) {
  for (const char *line : {"  x = f32[4611686018427387904,4]{1,0} constant({...})",
                           "  x = f32[9223372036854775807]{0} constant({1})",
                           "  x = f32[4]{0} parameter(0), "
                           "sharding={devices=[4611686018427387904]<=[4611686018427387904]}",
                           "  x = f32[4]{0} parameter(9223372036854775807)"}) {
    auto module = parseHloText(inModule(line));
    EXPECT_FALSE(module.ok() && verify(*module).ok()) << line;
  }
}

} // namespace
} // namespace spmd::hlo
