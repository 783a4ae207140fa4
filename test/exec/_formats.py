"""Floats of fewer bits: what a number becomes in each."""

import collections
import math

# Bits of exponent and mantissa, the exponent's bias, the largest finite number, and what a larger one becomes.
Format = collections.namedtuple("Format", "mantissa bias largest over")

FORMATS = {
    "f16": Format(10, 15, 65504.0, math.inf),
    "bf16": Format(7, 127, 255 * 2.0**120, math.inf),
    "f8E5M2": Format(2, 15, 57344.0, math.inf),
    "f8E4M3": Format(3, 7, 240.0, math.inf),
    "f8E3M4": Format(4, 3, 15.5, math.inf),
    "f8E4M3FN": Format(3, 7, 448.0, math.nan),
    "f8E4M3FNUZ": Format(3, 8, 240.0, math.nan),
    "f8E5M2FNUZ": Format(2, 16, 57344.0, math.nan),
    "f8E4M3B11FNUZ": Format(3, 11, 30.0, math.nan),
    "f6E2M3FN": Format(3, 1, 7.5, 7.5),
    "f6E3M2FN": Format(2, 3, 28.0, 28.0),
    "f4E2M1FN": Format(1, 1, 6.0, 6.0),
}


def rounded(number, element):
    """Returns the number of `element` that is nearest, of two the even one."""
    form = FORMATS[element]
    if number == 0 or not math.isfinite(number):
        if math.isinf(number):
            return math.copysign(form.over, number)
        return 0.0 if "UZ" in element and number == 0 else number
    exponent = max(math.frexp(number)[1] - 1, 1 - form.bias)
    unit = 2.0**(exponent - form.mantissa)
    result = round(number / unit) * unit  # To even.
    if abs(result) > form.largest:
        return math.copysign(form.over, number)
    return 0.0 if "UZ" in element and result == 0 else math.copysign(result, number)
