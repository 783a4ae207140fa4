"""Random programs of one op: partitioned must equal whole."""

import sys

import _runner
from _values import Meshes, type_of


class OneOp:
    """The function of one seed. A subclass has a method `draw_..` for each kind of op, which returns the program."""

    def __init__(self, rng):
        self.rng, self.meshes = rng, Meshes(rng)
        self.arguments, self.lines, self.results = [], [], []

    def draw(self):
        return getattr(self, self.rng.choice([name for name in dir(self) if name.startswith("draw_")]))()

    def attribute(self, rank):
        if rank == 0 or self.rng.random() < 0.15:
            return ""
        return f" {{sdy.sharding = #sdy.sharding{self.meshes.sharding(rank)}}}"

    def argument(self, shape, element="i32"):
        """Adds an argument, and returns its name and its type."""
        name, kind = f"%a{len(self.arguments)}", type_of(shape, element)
        self.arguments.append(f"{name}: {kind}{self.attribute(len(shape))}")
        return name, kind

    def returns(self, shape, element="i32"):
        """Adds a result, and returns its type."""
        self.results.append((type_of(shape, element), self.attribute(len(shape))))
        return self.results[-1][0]

    def text(self, op):
        names = ", ".join(f"%r#{i}" for i in range(len(self.results))) if len(self.results) > 1 else "%r"
        kinds = ", ".join(kind for kind, _ in self.results)
        outputs = ", ".join(kind + attribute for kind, attribute in self.results)
        count = f":{len(self.results)}" if len(self.results) > 1 else ""
        body = "".join(f"  {line}\n" for line in self.lines)
        return ("\n".join(self.meshes.text()) + f"\nfunc.func public @main({', '.join(self.arguments)}) -> ({outputs}) {{\n"
                f"{body}  %r{count} = {op}\n  return {names} : {kinds}\n}}\n")


def main(description, case):
    """Runs the program of each seed that the command line asks for, made by subclass `case`; exits."""
    sys.exit(_runner.run_seeds(description, lambda rng, _: case(rng).draw(), length=1))
