#!/usr/bin/env python3
"""Writes what a fuzzer starts from: every program of the tests, and the words it may put together.

    corpus.py DIR [mlir | hlo | plan]

DIR/seeds gets one file a program, DIR/words the dictionary. A test that splits its input is cut where it
splits; comments are left out. Programs longer than LIMIT bytes teach a fuzzer little and cost it much.
"""

import hashlib
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 2500
MAX_WORDS = 3000

# Where a test file ends one program and begins another.
CUT = re.compile(r"^// -----.*$|^#--- .*$|^//--- .*$", re.M)
COMMENT = re.compile(r"^\s*(//|# ).*\n|\s+//.*$", re.M)
# What tells a plan from a program.
PLAN = re.compile(r"^(mesh|entry|rule|policy) {|^{\"", re.M)
# Names of ops, attributes and types; keywords; short pieces of punctuation around them.
WORD = re.compile(r"[#!@%]?[A-Za-z_][\w.$-]*|\"[\w.]+\"|array<i64:|dense<|0x[0-9A-F]+|->|<\[|\]>|<\{|\}>")


def is_hlo(text):
    return text.startswith("HloModule") or "\nENTRY " in text


def hlo_programs(longest=2 * LIMIT):
    for path in sorted(TESTS.rglob("*")):
        if path.suffix != ".test" and not path.name.endswith((".hlo", ".hlo.txt")):
            continue
        for part in CUT.split(path.read_text()):
            text = part.strip() + "\n"
            if is_hlo(text) and len(text) <= longest:
                # Each program starts with its header: the reader of bytes knows text by it.
                yield text if text.startswith("HloModule") else "HloModule m\n" + text


def plans():
    for path in sorted(TESTS.rglob("*.test")):
        for part in CUT.split(path.read_text()):
            if PLAN.search(part):
                yield part.strip() + "\n"


def programs(longest=LIMIT):
    for path in sorted(TESTS.rglob("*")):
        if path.suffix not in (".mlir", ".test"):
            continue
        for part in CUT.split(path.read_text()):
            text = COMMENT.sub("", part).strip() + "\n"
            if is_hlo(text):
                continue
            # Functions are cut apart where they stand alone: small seeds cross better.
            pieces = re.split(r"\n(?=func\.func)", text) if len(text) > longest and "@mesh" not in text else [text]
            yield from (piece for piece in pieces if 20 < len(piece) <= longest and re.search(r"[({]", piece))


def main():
    folder = pathlib.Path(sys.argv[1])
    seeds = folder / "seeds"
    seeds.mkdir(parents=True, exist_ok=True)
    words = {}
    sources = {"mlir": programs, "hlo": hlo_programs, "plan": plans}
    for text in sources[(sys.argv[2:] or ["mlir"])[0]]():
        (seeds / hashlib.sha1(text.encode()).hexdigest()[:16]).write_text(text)
        for word in WORD.findall(text):
            words[word] = words.get(word, 0) + 1
    chosen = sorted(sorted(words, key=lambda word: (-words[word], word))[:MAX_WORDS])
    quoted = (word.replace("\\", "\\\\").replace('"', '\\"') for word in chosen if len(word) <= 60)
    (folder / "words").write_text("".join(f'"{word}"\n' for word in quoted))
    print(f"{len(list(seeds.iterdir()))} seeds, {len(chosen)} words")


if __name__ == "__main__":
    main()
