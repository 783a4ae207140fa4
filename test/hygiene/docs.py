#!/usr/bin/env python3
"""What the documentation names exists: paths of the repository, passes and options of the tools, links.

Reads README.md, docs/ and the .md files under examples/. In them

  - a word with a slash that starts with a folder of the project is a path, from the root;
  - an option that starts with `spmd-` is a pass, and what is set behind it with `=` one of its options,
    as passes/*Passes.td and passes/Pipelines.cpp declare them;
  - any other option is one of a tool or of a script;
  - `[text](target)` is a link, from the file it stands in.

And what there is stands in README.md: each pass with all its options, and each option of the tools.
"""

import re

import _tree

PATH = re.compile(r"(?<![\w./<>\"@:$-])((?:[\w.-]+/)+[\w.*-]*)")
PASS = re.compile(r"--(spmd-[a-z-]+)(?:=([\w=, -]+))?")
OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")

# Options of MLIR's pass driver, and of programs that are not ours.
FOREIGN = {"dump-pass-pipeline", "help", "install", "mlir-pass-pipeline-crash-reproducer", "mlir-print-debuginfo",
           "mlir-print-local-scope", "pass-pipeline", "prefix", "preset", "run-reproducer", "split-input-file",
           "verify-diagnostics", "version"}

TOP = {path.parts[0] for path in _tree.files() if len(path.parts) > 1}
FILES = {str(path) for path in _tree.files()}
FOLDERS = {str(parent) for path in _tree.files() for parent in path.parents}


def declared():
    """Returns the options of each pass and pipeline by name, and the options of tools and scripts."""
    passes, common = {}, {}
    records = "".join(_tree.read(f"passes/{name}Passes.td") for name in ("", "Pipeline", "Slices", "Verify"))
    for record in re.split(r"\n(?=def |class )", records):
        name = re.search(r'Pass<"([\w-]+)"', record)
        shared = re.match(r"class (\w+)<.*?Option<\"\w+\", \"([\w-]+)\"", record, re.S)
        options = set(re.findall(r'\b(?:List)?Option<"\w+", "([\w-]+)"', record))
        if name:
            options |= {common[each] for each in common if f"{each}<" in record}
            passes[name.group(1)] = options
        elif shared:
            common[shared.group(1)] = shared.group(2)
    pipelines = _tree.read("passes/Pipelines.cpp")
    passes["spmd-pipeline"] = set(re.findall(r'\*this,\s*"([\w-]+)"', pipelines))
    ours = set()
    for path in _tree.files("*.cpp", under=("tools",)):
        ours |= set(re.findall(r'cl::(?:opt|list)<[^;]*?>\s*\w+\(\s*"([\w-]+)"', _tree.read(path)))
    tools = ours | FOREIGN
    for path in _tree.files("*.cpp", under=("tools",)):
        tools |= set(re.findall(r'clEnumValN\(\s*\w+::\w+,\s*"([\w-]+)"', _tree.read(path)))
    for path in ("tools/dev", "test/run", *_tree.files("*.py", under=("test",))):
        tools |= set(re.findall(r"[\"' ]--([a-z][a-z-]*)", _tree.read(path)))
    return passes, ours, tools


PASSES, OURS, TOOLS = declared()


def missing_path(word):
    """Returns whether `word` looks like a path of the project and names nothing that is there."""
    word = word.rstrip(".-")
    if word.split("/")[0] not in TOP:
        return False
    if "*" in word:
        return not any(re.fullmatch(re.escape(word).replace(r"\*", "[^/]*"), name) for name in FILES)
    return word.rstrip("/") not in FILES | FOLDERS


def findings(path, line):
    for match in PATH.finditer(line):
        if missing_path(match.group(1)):
            yield f"there is no {match.group(1)}"
    for match in LINK.finditer(line):
        target = (_tree.ROOT / path).parent / match.group(1)
        if "://" not in match.group(1) and not target.exists():
            yield f"the link to {match.group(1)} leads nowhere"
    for name, options in PASS.findall(line):
        if name in TOOLS:
            continue  # Of spmd-opt itself.
        if name not in PASSES:
            yield f"there is no pass --{name}"
            continue
        for option in re.findall(r"([\w-]+)=", options):
            if option not in PASSES[name]:
                yield f"--{name} has no option {option}"
    for name in OPTION.findall(line):
        if not name.startswith("spmd-") and name not in TOOLS:
            yield f"no tool or script has an option --{name}"


def untold():
    """Yields what README.md says nothing of."""
    rows = {name: row for row in _tree.read("README.md").splitlines() if row.startswith("|")
            for name in re.findall(r"`--(spmd-[a-z-]+)`", row.split("|")[1])}
    for name, options in sorted(PASSES.items()):
        if name not in rows:
            yield f"--{name} stands in no table"
            continue
        known = rows[name]
        if name == "spmd-pipeline":  # Has those of its stages.
            known += "".join(rows.values())
        for option in sorted(options):
            if f"`{option}=" not in known:
                yield f"--{name} has an option {option}, which its row lacks"
    for name in sorted(OURS):
        if f"--{name}" not in _tree.read("README.md") and f"`-{name}" not in _tree.read("README.md"):
            yield f"--{name} is told of nowhere"


pages = [path for path in _tree.files("*.md")
         if str(path) == "README.md" or path.parts[0] in ("docs", "examples")]
offenders = [("README.md", 1, message) for message in untold()]
for path in pages:
    for number, line in enumerate(_tree.read(path).splitlines(), 1):
        offenders += [(path, number, message) for message in dict.fromkeys(findings(path, line))]
_tree.finish(offenders)
