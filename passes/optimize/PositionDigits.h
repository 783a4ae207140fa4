// Reads offsets that are arithmetic on `partition_id`.
//
// An offset is recognised as a sum of digits of the device number,
//
//     coefficient * ((partition_id / divisor) % modulus) + ..
//
// which covers what this compiler writes for meshes in plain order, and what others write by hand.
#pragma once

#include "mlir/IR/Value.h"

#include <optional>
#include <tuple>
#include <vector>

namespace spmd {

struct PositionDigit {
  int64_t coefficient;
  int64_t divisor;
  int64_t modulus;

  friend bool operator<(const PositionDigit &a, const PositionDigit &b) {
    return std::tie(a.coefficient, a.divisor, a.modulus) <
           std::tie(b.coefficient, b.divisor, b.modulus);
  }
};

/// A sum of digits.
using PositionDigits = std::vector<PositionDigit>;

/// Returns `value`, an integer scalar of a program for `numDevices` devices, as a sum of digits;
/// nothing if it is anything else.
std::optional<PositionDigits> positionDigits(mlir::Value value, int64_t numDevices);

/// Returns what the sum is on device `device`.
int64_t evaluate(const PositionDigits &digits, int64_t device);

} // namespace spmd
