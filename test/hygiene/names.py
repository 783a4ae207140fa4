#!/usr/bin/env python3
"""No two files declare a type of the same qualified name: the linker would take the functions of one for the other's."""

import re

import _tree

NAMESPACE = re.compile(r"(?:inline )?namespace ?([\w:]*) ?\{$")
NAMESPACE_END = re.compile(r"\} // namespace")
TYPE = re.compile(r"(?:template <.*> )?(?:struct|class|enum class|enum) (\w+)(?: final)?(?: :.*)? ?\{")


def types(path):
    """Yields the types that a file declares at namespace scope, `(qualified name, line number)`.

    What stands in an anonymous namespace is the file's own, and is left out.
    """
    scopes = []
    for number, line in enumerate(_tree.read(path).splitlines(), 1):
        if opened := NAMESPACE.match(line):
            scopes.append(opened[1])
        elif NAMESPACE_END.match(line):
            scopes.pop()
        elif (declared := TYPE.match(line)) and "" not in scopes:
            yield "::".join(scopes + [declared[1]]), number


first = {}
offenders = []
for path in _tree.files("*.h", "*.cpp", under=_tree.CODE):
    for name, line in types(path):
        if first.setdefault(name, path) != path:
            offenders.append((path, line, f"{name} is also declared in {first[name]}; rename one of them"))
_tree.finish(offenders)
