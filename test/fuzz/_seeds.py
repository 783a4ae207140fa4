"""What mutants are made of: every program and plan of the tests, and random programs."""

import pathlib
import random
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(TESTS / "exec"))

import corpus  # noqa: E402
import random_programs  # noqa: E402
from _mutator import Mutator, mutate_message  # noqa: E402

# Longer programs take longer than they teach.
LONGEST = 12000
LONGEST_MESSAGE = 60000
# How often each kind of file is mutated.
KINDS = {"mlir": 50, "random": 15, "hlo": 15, "proto": 10, "plan": 10}
MESHES = ['<["x"=2, "y"=2]>', '<["x"=3, "y"=2]>', '<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>', '<["x"=8, "y"=1]>']
FUNCTION = re.compile(r"func\.func (?:(?:public|private) )?@([\w.$-]+)(?=\()")
ARGUMENT = re.compile(r"(%\w+: tensor<((?:\d+x)+)[\w<>]+>)(?=[,)])")


class Seeds:
    """All programs and plans, read once."""

    def __init__(self):
        self.mlir = sorted(set(corpus.programs(LONGEST)))
        self.sharded = [text for text in self.mlir if "sdy.sharding" in text and "func.func" in text]
        self.hlo = sorted(set(corpus.hlo_programs(LONGEST)) |
                          {text for path in TESTS.rglob("*.hlo.txt") if len(text := path.read_text()) <= LONGEST})
        self.protos = [path.read_bytes() for path in sorted(TESTS.parent.rglob("test/programs/**/*.hlo.pb"))
                       if path.stat().st_size <= LONGEST_MESSAGE]
        self.plans = sorted(plans_with_programs())
        self.plan_texts = [plan for plan, _ in self.plans]

    def mutant(self, number):
        """Returns the files of a mutant, by name: a program, and a plan if there is one."""
        rng = random.Random(number)
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        return getattr(self, f"mutant_of_{kind}")(rng)

    def mutant_of_mlir(self, rng):
        text = rng.choice(self.sharded if rng.random() < 0.75 else self.mlir)
        return {"program.mlir": Mutator(rng, self.mlir).mutate(runnable(rng, text))}

    def mutant_of_random(self, rng):
        text = random_programs.make_program(rng.randrange(1 << 32), rng.choice([3, 6, 12])).text
        return {"program.mlir": Mutator(rng, self.mlir).mutate(text)}

    def mutant_of_hlo(self, rng):
        return {"program.hlo.txt": Mutator(rng, self.hlo).mutate(rng.choice(self.hlo))}

    def mutant_of_proto(self, rng):
        return {"program.hlo.pb": mutate_message(rng, rng.choice(self.protos))}

    def mutant_of_plan(self, rng):
        plan, program = rng.choice(self.plans)
        files = {"program.mlir": runnable(rng, program, annotated=False), "plan": Mutator(rng, self.plan_texts).mutate(plan)}
        if rng.random() < 0.2:
            files["program.mlir"] = Mutator(rng, self.mlir).mutate(files["program.mlir"])
        return files


def plans_with_programs():
    """Yields pairs of a plan and a program that stand in one file."""
    for path in sorted(TESTS.rglob("*.test")):
        pieces = [corpus.COMMENT.sub("", piece).strip() + "\n" for piece in corpus.CUT.split(path.read_text())]
        programs = [piece for piece in pieces if "func.func" in piece and len(piece) <= LONGEST]
        for plan in pieces:
            if corpus.PLAN.search(plan):
                yield from ((plan, program) for program in programs)
    for path in sorted((TESTS.parent / "examples").glob("*/*.plan")):
        if (program := path.parent / "program.mlir").exists():
            yield path.read_text(), program.read_text()


def runnable(rng, text, annotated=True):
    """Returns a program of the tests with a mesh, a function @main, and mostly some sharding, so that it is run."""
    text = text.replace("= MESH", f"= {rng.choice(MESHES)}")
    functions = FUNCTION.findall(text)
    if "@main" not in text and functions:
        name = rng.choice(functions)
        text = re.sub(rf"@{re.escape(name)}(?![\w.$-])", "@main", text).replace("func.func private @main", "func.func @main")
    return annotate(rng, text) if annotated and "sdy.sharding" not in text and rng.random() < 0.8 else text


def annotate(rng, text):
    """Returns `text` with a mesh if it has none, and shardings of some arguments."""
    if text.startswith("module") or "func.func" not in text:
        return text
    if "sdy.mesh" not in text:
        text = f"sdy.mesh @mesh = {rng.choice(MESHES)}\n{text}"
    mesh = re.search(r"sdy\.mesh @([\w.]+)", text).group(1)
    axes = re.findall(r'("\w+")=\d', text.split("\n")[0]) or ['"x"']

    def with_sharding(match):
        if rng.random() < 0.4:
            return match.group()
        dims = ["{}"] * match.group(2).count("x")
        for axis in axes:
            if rng.random() < 0.6:
                dims[rng.randrange(len(dims))] = f"{{{axis}}}"
        return f"{match.group()} {{sdy.sharding = #sdy.sharding<@{mesh}, [{', '.join(dims)}]>}}"

    return "\n".join(ARGUMENT.sub(with_sharding, line) if "func.func" in line else line for line in text.split("\n"))
