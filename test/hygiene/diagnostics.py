#!/usr/bin/env python3
"""Messages to the user start lower-case and end without a period or an exclamation mark.

Reads the statement around each call below, and in it the first and the last string literal. A name or
an abbreviation (`HLO text ...`) may start a message.
"""

import re

import _tree

CALL = re.compile(r"\b(emit(Op)?Error|emitWarning|emitRemark|attachNote|notifyMatchFailure|fail|"
                  r"(InvalidArgument|NotFound|AlreadyExists|FailedPrecondition|OutOfRange|Unimplemented|"
                  r"ResourceExhausted|Internal|DataLoss|Unavailable)Error)\s*\(")
# In this order: comment, raw string, string, character.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((.*?)\)\1"|"((?:\\.|[^"\\\n])*)"|'
                   r"'(?:\\.|[^'\\\n])+'", re.S)


def without_comments(text):
    """Returns `text` with comments and characters blanked out, and where its string literals lie.

    A literal is (start, end, contents); in the text, only its quotes remain.
    """
    literals = []

    def blank(match):
        token = match.group()
        contents = match.group(2) if match.group(2) is not None else match.group(3)
        if contents is None:
            return re.sub(r"[^\n]", " ", token)
        literals.append((match.start(), match.end(), contents))
        return '"' + re.sub(r"[^\n]", " ", token[1:-1]) + '"'

    return TOKEN.sub(blank, text), literals


def statement_end(text, start):
    """Returns where the statement that holds `start` ends: the `;`, or a bracket closed but not opened."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] in "({[":
            depth += 1
        elif text[index] in ")}]":
            depth -= 1
        if depth < 0 or (text[index] == ";" and depth == 0):
            return index
    return len(text)


def findings(text):
    code, literals = without_comments(text)
    for call in CALL.finditer(code):
        end = statement_end(code, call.start())
        inside = [literal for literal in literals if call.start() < literal[0] < end]
        if not inside:
            continue
        _, _, first = inside[0]
        _, last_end, last = inside[-1]
        line = text.count("\n", 0, inside[0][0]) + 1
        if re.match(r"[A-Z]([a-z ]|$)", first):
            yield line, f'message starts upper-case: "{first}"'
        if re.search(r"[.!]\s*$", last.replace("\\n", "")) and not code[last_end:end].strip(" \n)}"):
            yield line, f'message ends in a period or an exclamation mark: "{last}"'


offenders = []
for path in _tree.files("*.h", "*.cpp", under=_tree.CODE):
    offenders += [(path, line, message) for line, message in findings(_tree.read(path))]
_tree.finish(offenders)
