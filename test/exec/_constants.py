"""Which values of a program as text are made of constants alone. They lie wherever they are needed."""

import re

RESULT = re.compile(r'\s+(%\w+)(?::\d+)? = "?([\w.]+)"?(.*)')
SCALAR_ARGUMENT = re.compile(r"(%\w+): tensor<[a-z]\w*>")
FLOW = {"call", "func.call", "stablehlo.while", "stablehlo.case", "stablehlo.if", "sdy.manual_computation"}


def is_constant(text, at):
    """Whether the op on whose line position `at` is takes nothing but constants and scalars."""
    end = text.index("\n", at)
    lines = text[text.rfind("func.func", 0, end):end].splitlines()
    scalars = set(SCALAR_ARGUMENT.findall(lines[0]))
    constants, last = set(), False
    for line in lines:
        result = RESULT.match(line)
        last = bool(result)
        if not result:
            continue
        name, op, rest = result.groups()
        operands = re.findall(r"%\w+", rest.split(" : ")[0])
        if re.search(r"tensor<[a-z]\w*>\)?(?: \(\{)?$", line):
            scalars.add(name)
        last = op not in FLOW and all(operand in constants | scalars for operand in operands)
        if last:
            constants.add(name)
    return last
