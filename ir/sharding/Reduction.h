// The ways in which partial values combine.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace spmd {

/// How the shares of a partial value, one on each device, combine into the value.
///
/// Shardy writes `sum`, `max` and `min`; the others extend its notation with words of the same
/// form.
enum class ReductionKind : uint8_t { sum, max, min, product, logicalAnd, logicalOr, logicalXor };

/// All kinds, in the order of the enum.
inline constexpr ReductionKind allReductionKinds[] = {
    ReductionKind::sum,       ReductionKind::max,        ReductionKind::min,
    ReductionKind::product,   ReductionKind::logicalAnd, ReductionKind::logicalOr,
    ReductionKind::logicalXor};

/// Returns the word for `kind` in the text form: "sum", "max", "min", "product", "and", "or",
/// "xor".
const char *nameOf(ReductionKind kind);

/// Returns the kind that `name` stands for, or nothing if no kind has that name.
std::optional<ReductionKind> reductionNamed(std::string_view name);

} // namespace spmd
