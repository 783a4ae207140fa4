"""Finds where a C++ source can be mutated by one token, and writes sources that hold many mutants at once.

A mutant is switched on while the tests run, so that one build serves them all: `a < b` becomes

    (spmdMutant(7) ? (a <= b) : (a < b))

and `spmdMutant(7)` is true if the environment variable SPMD_MUTANT is 7. What cannot be written so, such as a constant
expression, has a text of its own (`plain`). No parser is needed, as clang-format sets blanks around binary operators and none
around the brackets of templates.
"""

import re
from typing import NamedTuple

SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
         "break": "continue", "continue": "break", "true": "false", "false": "true", "min": "max", "max": "min",
         "+ 1": "- 1", "- 1": "+ 1"}

# What is no code: comments, texts, characters, directives of the preprocessor. Then calls that the release build leaves out.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])\''
                     r'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.DOTALL | re.MULTILINE)
NO_EFFECT = re.compile(r"\b(?:static_assert|assert|LLVM_DEBUG)\(|\btemplate <")
OPERATOR = re.compile(r"(?<= )(?:<=|>=|==|!=|<|>|&&|\|\|)(?=[ \n])|(?<= )[+-] 1\b(?![.'\w])")
NOT = re.compile(r"(?<![!\w])!(?=[\w(*:])")
JUMP = re.compile(r"\b(break|continue);")
EXTREME = re.compile(r"\bstd::(min|max)(?:<[\w:]+>)?\(")
TRUTH = re.compile(r"(?<!::)\b(true|false)\b(?!_)")
RETURN = re.compile(r"\breturn\b[^;{}]*;")
WORDS_BEFORE = re.compile(r"\b(?:return|else|do|case)$")
ASSIGNMENT = re.compile(r"(?<![=!<>])=$")

OPEN, CLOSE = "([{", ")]}"


class Site(NamedTuple):
    """One mutant: in the span `start` to `end` of a source, `token` at `at` becomes `instead`."""
    kind: str  # expression, not, jump or return.
    start: int
    end: int
    at: int
    token: str
    instead: str

    @property
    def mutation(self):
        token = " ".join(self.token.split())
        return f"{token} -> {self.instead}" if self.instead else f"no {token}"


def code_of(text):
    """Returns `text` with blanks for all that is no code, and quotes for texts, at the same places."""
    def blank(match):
        return re.sub(r"[^\n]", '"' if match.group()[0] in "\"'R" else " ", match.group())

    code = NO_CODE.sub(blank, text)
    for match in NO_EFFECT.finditer(code):
        end = (template_end if match.group().startswith("template") else closing)(code, match.end() - 1)
        code = code[:match.start()] + re.sub(r"[^\n]", " ", code[match.start():end]) + code[end:]
    return code


def count_lines(text):
    return sum(1 for line in code_of(text).splitlines() if line.strip())


def sites_of(text):
    """Returns the sites of a source, in the order of their tokens."""
    code = code_of(text)
    sites = []
    for match in OPERATOR.finditer(code):
        start, end = operands(code, match.start(), match.end())
        sites.append(Site("expression", start, end, match.start(), match.group(), SWAPS[match.group()]))
    for match in NOT.finditer(code):
        sites.append(Site("not", match.start(), match.end(), match.start(), "!", ""))
    for match in JUMP.finditer(code):
        sites.append(Site("jump", match.start(), match.end(), match.start(), match.group(1), SWAPS[match.group(1)]))
    for match in EXTREME.finditer(code):
        end = closing(code, match.end() - 1)
        sites.append(Site("expression", match.start(), end, match.start(1), match.group(1), SWAPS[match.group(1)]))
    for match in TRUTH.finditer(code):
        sites.append(Site("expression", match.start(), match.end(), match.start(), match.group(), SWAPS[match.group()]))
    for match in RETURN.finditer(code):
        if is_guarded(code, match.start()):
            sites.append(Site("return", match.start(), match.end(), match.start(), text[match.start():match.end()], ""))
    return sorted(sites, key=lambda site: (site.at, site.kind))


def closing(code, opening):
    """Returns the place behind the bracket that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(code)):
        depth += (code[place] in OPEN) - (code[place] in CLOSE)
        if depth == 0:
            return place + 1
    return len(code)


def template_end(code, place):
    """Returns the place behind the parameters of a template, whose bracket is at `place`."""
    depth = 0
    for at in range(place, len(code)):
        depth += (code[at] == "<") - (code[at] == ">" and code[at - 1] != "-")
        if depth == 0:
            return at + 1
    return len(code)


def is_guarded(code, place):
    """Whether the statement at `place` is all that an `if` without braces does."""
    before = code[:place].rstrip()
    if not before.endswith(")"):
        return False
    depth = 0
    for at in range(len(before) - 1, -1, -1):
        depth += (before[at] in CLOSE) - (before[at] in OPEN)
        if depth == 0:
            return re.search(r"\bif(?: constexpr)?\s*$", before[:at]) is not None
    return False


def is_angle(code, place):
    """Whether the sign at `place` is a bracket of a template; an operator has blanks around it."""
    if code[place] == "<":
        return code[place - 1] not in " <\n" and code[place + 1] not in " <=\n"
    return code[place - 1] not in " ->\n" or (code[place - 1] == ">" and code[place - 2] not in " \n")


def operands(code, start, end):
    """Returns the span of the whole expression that the operator at `start` to `end` is part of: up to the brackets, commas,
    signs of a condition, assignments and words around it."""
    depth, left = 0, start
    while left > 0:
        sign = code[left - 1]
        angle = sign in "<>" and is_angle(code, left - 1)
        if sign in CLOSE or (angle and sign == ">"):
            depth += 1
        elif sign in OPEN or (angle and sign == "<"):
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and ends_before(code, left):
            break
        left -= 1
    depth, right = 0, end
    while right < len(code):
        sign = code[right]
        angle = sign in "<>" and is_angle(code, right)
        if sign in OPEN or (angle and sign == "<"):
            depth += 1
        elif sign in CLOSE or (angle and sign == ">"):
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (sign in ",;?" or is_colon(code, right)):
            break
        right += 1
    while code[left] in " \n":
        left += 1
    return left, left + len(code[left:right].rstrip())


def is_colon(code, place):
    return code[place] == ":" and ":" not in (code[place - 1], code[place + 1])


def ends_before(code, left):
    """Whether an expression begins behind the sign that stands before `left`."""
    sign = code[left - 1]
    if sign in ",;?" or is_colon(code, left - 1):
        return True
    if sign == "=":
        return code[left] in " \n" and ASSIGNMENT.search(code[:left][-2:]) is not None
    return code[left] in " \n" and WORDS_BEFORE.search(code[max(0, left - 8):left]) is not None


def plain(text, site):
    """Returns the source with one mutant and no switch."""
    return text[:site.start] + replaced(text, site) + text[site.end:]


def replaced(text, site):
    """Returns what stands in the span of a site where its mutant is on."""
    if site.kind == "return":
        return ";"
    return text[site.start:site.at] + site.instead + text[site.at + len(site.token):site.end]


def switched(text, numbered, header):
    """Returns the source with all mutants of `numbered`, a dictionary from numbers to sites, and those left out that cannot
    stand beside the others. It includes `header`, which defines `spmdMutant`."""
    spans = {}
    for number, site in sorted(numbered.items()):
        spans.setdefault((site.start, -site.end, site.kind), []).append(number)
    nested, left_out = [], []
    ends = []
    for (start, end, _), numbers in sorted(spans.items()):
        while ends and ends[-1] <= start:
            ends.pop()
        if ends and -end > ends[-1]:
            left_out += numbers
            continue
        ends.append(-end)
        nested.append((start, -end, numbers))
    body, _ = render(text, 0, len(text), nested, 0, numbered)
    return f'#include "{header}"\n{body}', left_out


def render(text, start, end, nested, index, numbered):
    """Returns the text of a span with the spans of `nested` from `index` on that lie in it, and the index behind them."""
    out, place = "", start
    while index < len(nested) and nested[index][0] < end:
        inner_start, inner_end, numbers = nested[index]
        inner, index = render(text, inner_start, inner_end, nested, index + 1, numbered)
        out += text[place:inner_start] + with_switches(text, inner, numbers, numbered)
        place = inner_end
    return out + text[place:end], index


def with_switches(text, inner, numbers, numbered):
    kind = numbered[numbers[0]].kind
    for number in numbers:
        switch, other = f"spmdMutant({number})", replaced(text, numbered[number])
        if kind == "not":
            inner = f"{switch} != {inner}"
        elif kind == "jump":
            inner = f"{{ if ({switch}) {other} {inner} }}"
        elif kind == "return":
            inner = f"{{ if (!{switch}) {inner} }}"
        else:
            inner = f"({switch} ? ({other}) : ({inner}))"
    return inner
