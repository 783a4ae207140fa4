#!/usr/bin/env python3
"""Every `#include` follows the arrows of the layers, and is written from the root: "spmd/...".

The same holds for `include` in TableGen files. Tests may include what lies beside them.
"""

import re

import _tree

# What a folder may include, besides itself and what lies under it. An arrow lets through what lies
# below its target too. The longest entry that matches a file's folder is the one that counts.
ARROWS = {
    "ir": [],
    "lowering/program": ["ir"],
    "lowering/interpreter": ["lowering/program", "lowering/comm"],
    "lowering/equality": ["lowering/program", "lowering/interpreter"],
    "lowering/comm": ["lowering/program", "lowering/interpreter"],
    "dialect": ["ir"],
    "lowering/compile": ["dialect", "lowering/program"],
    "passes": ["dialect"],
    "passes/refine/inputs": ["passes", "lowering"],
    "passes/verify": ["passes", "lowering"],
    "tools": ["ir", "dialect", "lowering", "passes"],
    "bench": ["ir", "dialect", "lowering", "passes", "tools"],
    "test": ["ir", "dialect", "lowering", "passes", "tools"],
}

# Folders that must stand without MLIR and LLVM.
WITHOUT_MLIR = ["ir", "lowering/program", "lowering/interpreter", "lowering/comm", "lowering/equality"]

INCLUDE = re.compile(r'^\s*#?\s*include\s+(["<])([^">]+)[">]')


def is_in(path, folder):
    return path == folder or path.startswith(folder + "/")


def layer_of(path):
    """Returns the entry of ARROWS that holds `path`, or None."""
    return max((folder for folder in ARROWS if is_in(path, folder)), key=len, default=None)


def reachable(layer, seen=None):
    """Returns the folders that `layer` may include: itself, its arrows, and theirs."""
    seen = seen if seen is not None else set()
    if layer not in seen:
        seen.add(layer)
        for target in ARROWS.get(layer, []):
            reachable(target, seen)
    return seen


def is_allowed(layer, header):
    """Returns whether a file of `layer` may include `header`, a path from the root."""
    return any(is_in(header, folder) for folder in reachable(layer))


def finding(path, bracket, header):
    layer = layer_of(str(path))
    if layer is None:
        return None
    if header.startswith("spmd/"):
        target = header[len("spmd/"):]
        if not is_allowed(layer, target):
            return f"{layer}/ may not include {target}"
    elif header.startswith(("mlir/", "mlir-c/", "llvm/", "llvm-c/")):
        if any(is_in(str(path), folder) for folder in WITHOUT_MLIR):
            return f"{layer}/ stands without MLIR and LLVM, and includes {header}"
    elif bracket == '"' and layer != "test" and (_tree.ROOT / path.parent / header).exists():
        return f'write "spmd/{path.parent}/{header}" instead of "{header}"'
    return None


offenders = []
for path in _tree.files("*.h", "*.cpp", "*.inc", "*.td"):
    for number, line in enumerate(_tree.read(path).splitlines(), 1):
        match = INCLUDE.match(line)
        message = match and finding(path, *match.groups())
        if message:
            offenders.append((path, number, message))
_tree.finish(offenders)
