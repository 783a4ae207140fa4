#include "spmd/lowering/interpreter/kernels/RandomBits.h"

namespace spmd {

static uint32_t rotated(uint32_t value, int bits) { return value << bits | value >> (32 - bits); }

Block2 threefry(Block2 x, Block2 key) {
  constexpr uint32_t parity = 0x1bd11bda;
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ parity};
  x = {x[0] + keys[0], x[1] + keys[1]};
  for (uint32_t group = 1; group <= 5; ++group) { // Of four rounds each.
    for (int rotation : rotations[(group + 1) % 2]) {
      x[0] += x[1];
      x[1] = rotated(x[1], rotation) ^ x[0];
    }
    x[0] += keys[group % 3];
    x[1] += keys[(group + 1) % 3] + group;
  }
  return x;
}

Block4 philox(Block4 x, Block2 key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t{0xd2511f53} * x[0], b = uint64_t{0xcd9e8d57} * x[2];
    x = {static_cast<uint32_t>(b >> 32) ^ x[1] ^ key[0], static_cast<uint32_t>(b),
         static_cast<uint32_t>(a >> 32) ^ x[3] ^ key[1], static_cast<uint32_t>(a)};
    key = {key[0] + 0x9e3779b9, key[1] + 0xbb67ae85};
  }
  return x;
}

} // namespace spmd
