#!/usr/bin/env python3
"""Compares a program in all the forms that it is kept in: one set of shardings, whatever the notation.

    notations.py SPMD_OPT FOLDER...

A FOLDER holds some of `program.mlir` (Shardy's notation), `program.stablehlo.mlir` and `program.gspmd.mlir` (GSPMD's),
`program.hlo.txt` and `program.hlo.pb`. Arguments and results of @main lie alike in each: every device has the same
tile, whatever the axes are called. Text and bytes of HLO give the same IR, letter for letter. Prints what differs,
exits 1 if anything does.
"""

import pathlib
import re
import subprocess
import sys

FORMS = ("program.mlir", "program.stablehlo.mlir", "program.gspmd.mlir", "program.hlo.txt", "program.hlo.pb")
MESH = re.compile(r"sdy\.mesh @(\w+) = <\[(.*?)\](?:, device_ids=\[(.*?)\])?>")
AXIS = re.compile(r'"([^"]+)"=(\d+)')
USE = re.compile(r'"([^"]+)"(?::\((\d+)\)(\d+))?')


def imported(tool, path):
    """Returns the module in `path` as text, its shardings in one notation."""
    command = [tool, str(path), "--spmd-import-shardings"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise ValueError(f"{path}: {run.stderr.strip()[:300]}")
    return run.stdout


class Mesh:
    def __init__(self, axes, ids):
        self.axes = [(name, int(size)) for name, size in AXIS.findall(axes)]
        self.count = 1
        for _, size in self.axes:
            self.count *= size
        self.ids = [int(each) for each in ids.split(",")] if ids else list(range(self.count))

    def coordinate(self, position, uses):
        """Where `position` stands along the axes and parts of axes in `uses`, major first."""
        along, rest = {}, position
        for name, size in reversed(self.axes):
            along[name], rest = rest % size, rest // size
        sizes, result = dict(self.axes), 0
        for name, before, part in uses:
            size = int(part) if part else sizes[name]
            below = sizes[name] // (int(before or 1) * size)
            result = result * size + along[name] // below % size
        return result


def tiles(mesh, dims):
    """Returns the tile of each device, as its coordinates in all dims; None where dims are left open."""
    placed = {}
    for position in range(mesh.count):
        placed[mesh.ids[position]] = tuple(mesh.coordinate(position, USE.findall(dim)) for dim in dims)
    return placed


def boundary(text):
    """Returns the tiles of each argument and result of @main that has a sharding."""
    meshes = {name: Mesh(axes, ids) for name, axes, ids in MESH.findall(text)}
    signature = next(line for line in text.splitlines() if re.search(r"func\.func (public )?@main\(", line))
    arguments, _, results = signature.partition(") -> ")
    found = {}
    for side, part in (("argument", arguments), ("result", results)):
        for number, value in enumerate(re.split(r"(?=tensor<)", part)[1:]):
            sharding = re.search(r"sdy\.sharding = #sdy\.sharding<@(\w+), \[(.*?)\](?:, (.*?))?>[,}]", value)
            if sharding:
                dims = re.findall(r"\{(.*?)\}", sharding.group(2))
                found[f"{side} {number}"] = tiles(meshes[sharding.group(1)], dims)
    return found


def plain(found):
    """Leaves out what lies whole everywhere: some notations say so, in others that is what no word means."""
    return {name: placed for name, placed in found.items() if len(set(placed.values())) > 1}


def compare(tool, folder):
    """Returns what differs, a line each."""
    texts = {}
    for name in FORMS:
        # Text may leave the elements of large constants out; then it is no program.
        if (folder / name).exists() and b"constant({...})" not in (folder / name).read_bytes():
            texts[name] = imported(tool, folder / name)
    if not texts:
        raise ValueError("no program in a form that can be read")
    first, lines = next(iter(texts)), []
    expected = plain(boundary(texts[first]))
    for name, text in texts.items():
        other = plain(boundary(text))
        for value in sorted(expected.keys() | other.keys()):
            if expected.get(value) != other.get(value):
                lines.append(f"{folder.name}/{name}: {value} lies on other devices than in {first}")
    if len({texts[name] for name in texts if ".hlo." in name}) > 1:
        lines.append(f"{folder.name}: program.hlo.txt and program.hlo.pb give different IR")
    return lines, len(texts), len(expected)


def main():
    tool, *folders = sys.argv[1:]
    failed = 0
    for folder in map(pathlib.Path, folders):
        try:
            lines, forms, values = compare(tool, folder)
        except ValueError as error:
            lines, forms, values = [str(error)], 0, 0
        print(f"{folder.name}: {forms} forms, {values} sharded arguments and results,", "differ" if lines else "alike")
        for line in lines:
            print("  " + line)
        failed += bool(lines)
    print(f"{len(folders) - failed} of {len(folders)} programs alike")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
