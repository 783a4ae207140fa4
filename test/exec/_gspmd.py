"""Programs in the notation of GSPMD: annotations are tiles over lists of devices, and meshes have no names."""

import itertools
import math
import re

MESH = re.compile(r"^sdy\.mesh @(\w+) = <\[(.*?)\](?:, device_ids=\[(.*?)\])?>\n", re.M)
AXIS = re.compile(r'"(\w+)"(?::\((\d+)\)(\d+))?')
SHARDING = r"<@(\w+), \[((?:\{[^{}]*\}(?:p\d+)?(?:, )?)*)\][^>]*>"
ATTRIBUTE = re.compile(rf"sdy\.sharding = #sdy\.sharding(?:_per_value<\[)?{SHARDING}(?:\]>)?")
CONSTRAINT = re.compile(rf"sdy\.(?:sharding_constraint|reshard) (%[\w#]+) {SHARDING} : (.*)")


class Notation:
    def __init__(self, rng, text):
        self.rng, self.meshes = rng, {}
        for name, axes, ids in MESH.findall(text):
            sizes = {axis: int(size) for axis, size in re.findall(r'"(\w+)"=(\d+)', axes)}
            self.meshes[name] = sizes, [int(each) for each in ids.split(", ")] if ids else None

    def parts(self, mesh, dims):
        """Returns the mesh cut as finely as `dims` name it: pairs of an axis and what comes before the part, and sizes."""
        sizes, cuts = self.meshes[mesh][0], {}
        for axis, before, size in AXIS.findall(dims):
            if before:
                cuts.setdefault(axis, set()).update((int(before), int(before) * int(size)))
        parts = {}
        for axis, size in sizes.items():
            ends = sorted({1, size, *cuts.get(axis, ())})
            for low, high in zip(ends, ends[1:]):
                parts[axis, low] = high // low
        return parts

    def text(self, mesh, dims):
        """Returns what a sharding is as tiles; what is partial is as if it were whole."""
        sizes, ids = self.meshes[mesh]
        if not sizes:
            return "{replicated}"
        parts = self.parts(mesh, dims)
        order, tiles = [], []
        for dim in re.findall(r"\{([^{}]*)\}", dims):
            tile = 1
            for axis, before, size in AXIS.findall(dim):
                low, high = (int(before), int(before) * int(size)) if before else (1, sizes[axis])
                inside = [part for part in parts if part[0] == axis and low <= part[1] < high]
                order += inside
                tile *= math.prod(parts[part] for part in inside)
            tiles.append(tile)
        rest = [part for part in parts if part not in order]
        repeated = math.prod(parts[part] for part in rest)
        if all(tile == 1 for tile in tiles):
            return "{replicated}"
        shape = tiles + [repeated] * (repeated > 1)
        note = " last_tile_dim_replicate" if repeated > 1 else ""
        names = list(parts)
        turn = [names.index(part) for part in order + rest]
        if ids or self.rng.random() < 0.4:
            return f"{{devices=[{self.joined(shape)}]{self.joined(self.devices(list(parts.values()), turn, ids))}{note}}}"
        turned = f"T({self.joined(turn)})" if turn != sorted(turn) else ""
        return f"{{devices=[{self.joined(shape)}]<=[{self.joined(parts.values())}]{turned}{note}}}"

    @staticmethod
    def devices(sizes, turn, ids):
        """Returns the devices of a grid of these sizes whose dims are turned."""
        steps = [math.prod(sizes[i + 1:]) for i in range(len(sizes))]
        numbers = [sum(at * steps[dim] for at, dim in zip(place, turn)) for place in itertools.product(
            *(range(sizes[dim]) for dim in turn))]
        return [ids[number] for number in numbers] if ids else numbers

    @staticmethod
    def joined(numbers):
        return ",".join(map(str, numbers))


def rewritten(rng, text):
    """Returns the program in that notation, or None if it says what the notation has no words for."""
    notation = Notation(rng, text)

    def constraint(match):
        value, mesh, dims, kind = match.groups()
        open_dims = [str(i) for i, dim in enumerate(re.findall(r"\{([^{}]*)\}", dims)) if "?" in dim]
        config = f'backend_config = "unspecified_dims=[{",".join(open_dims)}]", ' if open_dims else ""
        return (f'stablehlo.custom_call @Sharding({value}) {{{config}mhlo.sharding = "{notation.text(mesh, dims)}"}} : ({kind}) -> '
                f"{kind}")

    body = MESH.sub("", text)
    body = CONSTRAINT.sub(constraint, body)
    body = ATTRIBUTE.sub(lambda match: f'mhlo.sharding = "{notation.text(*match.groups())}"', body)
    return None if "sdy." in body or "devices=" not in body else body
