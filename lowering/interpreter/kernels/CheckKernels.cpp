// The custom calls by which a program judges itself:
//
//     check.expect_eq         elements are equal; a NaN never is
//     check.expect_almost_eq  they differ by at most `tolerance` (1e-3); NaNs are equal
//     check.expect_close      they are min_ulp to max_ulp (0 to 3) units in the last place apart;
//     NaNs
//                             are equal, other non-finite numbers must be the same
//     check.eq                as i1: integers are equal, floats differ by at most 1e-4
//
// Limits stand in backend_config, as "min_ulp=0,max_ulp=2". Complex numbers are judged by both
// parts.
#include "spmd/lowering/interpreter/CheckLog.h"
#include "spmd/lowering/interpreter/Dims.h"
#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/SmallFloat.h"
#include "spmd/lowering/interpreter/kernels/Kernels.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace spmd {
namespace {

enum class Kind { equal, almostEqual, close, equalAsResult };

struct Check {
  Kind kind = Kind::equal;
  double tolerance = 1e-3;
  uint64_t minUlp = 0, maxUlp = 3;
  std::string name; ///< For messages, with the place.

  bool passes(const Tensor &a, const Tensor &b, int64_t i) const;
};

/// Returns the bits of real number `part` of element `i`, and the number.
struct Part {
  uint64_t bits = 0;
  int width = 0;
  double value = 0;
};
Part partOf(const Tensor &tensor, int64_t i, int part) {
  ElementType element = tensor.type().element;
  int64_t bytes = storedBytes(element) / (isComplex(element) ? 2 : 1);
  const std::byte *at = tensor.data() + i * storedBytes(element) + part * bytes;
  Part out;
  std::memcpy(&out.bits, at, bytes);
  out.width = bitWidth(element) / (isComplex(element) ? 2 : 1);
  if (isSmallFloat(element)) {
    out.value = decode(formatOf(element), static_cast<uint32_t>(out.bits));
  } else if (bytes == 4) {
    float value;
    std::memcpy(&value, at, sizeof(value));
    out.value = value;
  } else {
    std::memcpy(&out.value, at, sizeof(out.value));
  }
  return out;
}

/// Returns how many steps from number to number lie between: codes of equal sign are consecutive.
/// What is not finite is infinitely far from all else.
uint64_t ulpsBetween(const Part &a, const Part &b) {
  if (a.value == b.value || (std::isnan(a.value) && std::isnan(b.value)))
    return 0;
  if (!std::isfinite(a.value) || !std::isfinite(b.value))
    return std::numeric_limits<uint64_t>::max();
  uint64_t sign = uint64_t{1} << (a.width - 1);
  uint64_t x = a.bits & (sign - 1), y = b.bits & (sign - 1);
  if ((a.bits & sign) != (b.bits & sign))
    return x + y;
  return x > y ? x - y : y - x;
}

bool Check::passes(const Tensor &a, const Tensor &b, int64_t i) const {
  ElementType element = a.type().element;
  int64_t bytes = storedBytes(element);
  if (isInteger(element)) {
    if (kind == Kind::almostEqual) {
      double difference = std::abs(toComplexDouble(a, i).real() - toComplexDouble(b, i).real());
      return difference <= tolerance;
    }
    return std::memcmp(a.data() + i * bytes, b.data() + i * bytes, bytes) == 0;
  }
  for (int part = 0; part < (isComplex(element) ? 2 : 1); ++part) {
    Part x = partOf(a, i, part), y = partOf(b, i, part);
    bool bothNaN = std::isnan(x.value) && std::isnan(y.value);
    bool isClose = false;
    if (kind == Kind::close)
      isClose = ulpsBetween(x, y) >= minUlp && ulpsBetween(x, y) <= maxUlp;
    else if (kind == Kind::equal)
      isClose = x.value == y.value;
    else
      isClose = bothNaN || x.value == y.value || std::abs(x.value - y.value) <= tolerance;
    if (!isClose)
      return false;
  }
  return true;
}

/// Returns what differs, the first few elements, or nothing.
std::string differences(const Check &check, const Tensor &actual, const Tensor &expected) {
  constexpr int64_t maxShown = 3;
  std::vector<std::string> shown;
  int64_t count = 0;
  for (int64_t i = 0; i < actual.numElements(); ++i)
    if (!check.passes(actual, expected, i) && ++count <= maxShown)
      shown.push_back(absl::StrCat(indexText(actual.type().shape, i), " is ",
                                   elementText(actual, i), ", expected ",
                                   elementText(expected, i)));
  if (count == 0)
    return "";
  return absl::StrCat(check.name, ": ", absl::StrJoin(shown, "; "), "; ", count, " of ",
                      actual.numElements(), " elements differ");
}

/// Reads "name=value,name=value" into the limits.
absl::Status readLimits(const std::string &config, Check &check) {
  for (absl::string_view entry : absl::StrSplit(config, ',', absl::SkipEmpty())) {
    std::pair<std::string, std::string> pair = absl::StrSplit(entry, absl::MaxSplits('=', 1));
    bool ok = pair.first == "tolerance" ? absl::SimpleAtod(pair.second, &check.tolerance)
              : pair.first == "min_ulp" ? absl::SimpleAtoi(pair.second, &check.minUlp)
              : pair.first == "max_ulp" ? absl::SimpleAtoi(pair.second, &check.maxUlp)
                                        : false;
    if (!ok)
      return invalid("backend_config has \"", entry,
                     "\"; expected tolerance, min_ulp or max_ulp with a number");
  }
  return absl::OkStatus();
}

absl::StatusOr<Kernel> prepareCheck(const KernelRequest &request, Kind kind, CheckLog *log) {
  bool hasResult = kind == Kind::equalAsResult;
  SPMD_RETURN_IF_ERROR(request.expectCounts(2, hasResult));
  SPMD_RETURN_IF_ERROR(expectType("operand 1", request.operands[1], request.operands[0]));
  if (hasResult)
    SPMD_RETURN_IF_ERROR(expectType("result", request.results[0], {ElementType::i1, {}}));
  Check check;
  check.kind = kind;
  if (hasResult)
    check.tolerance = 1e-4;
  SPMD_ASSIGN_OR_RETURN(check.name, request.attributes().get<std::string>("call_target_name"));
  SPMD_ASSIGN_OR_RETURN(std::string config,
                        request.attributes().getOr<std::string>("backend_config", ""));
  SPMD_RETURN_IF_ERROR(readLimits(config, check));
  if (!request.instruction.location.empty())
    check.name += " at " + request.instruction.location;
  return Kernel{[check, log, hasResult](const KernelCall &call) {
    std::string message = differences(check, call.inputs[0], call.inputs[1]);
    if (hasResult)
      call.outputs[0].mutableAs<bool>()[0] = message.empty();
    if (log)
      log->noteRun();
    if (message.empty())
      return absl::OkStatus();
    if (!log)
      return absl::FailedPreconditionError(message);
    log->noteFailure(std::move(message));
    return absl::OkStatus();
  }};
}

} // namespace

void addCheckCalls(KernelRegistry &registry, CheckLog *log) {
  static constexpr std::pair<const char *, Kind> calls[] = {
      {"check.expect_eq", Kind::equal},
      {"check.expect_almost_eq", Kind::almostEqual},
      {"check.expect_close", Kind::close},
      {"check.eq", Kind::equalAsResult}};
  for (auto [target, kind] : calls)
    registry.addCustomCallKernel(target, [kind = kind, log](const KernelRequest &request) {
      return prepareCheck(request, kind, log);
    });
}

} // namespace spmd
