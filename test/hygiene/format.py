#!/usr/bin/env python3
"""The C++ sources are formatted by clang-format 22, where that is installed. `--write` formats them."""

import re
import shutil
import subprocess
import sys

import _tree

# Folders not brought into form yet. An entry goes as its folder is formatted; none is added.
NOT_YET = ()

command = shutil.which("clang-format-22")
if not command:
    print("skipped: clang-format-22 is not installed")
    sys.exit(0)

write = "--write" in sys.argv
sources = [path for path in _tree.files("*.h", "*.cpp") if write or path.parts[0] not in NOT_YET]
options = ["-i"] if write else ["--dry-run"]
process = subprocess.run([command, *options, *map(str, sources)], cwd=_tree.ROOT, check=True,
                         stdin=subprocess.DEVNULL, capture_output=True, text=True)
lines = re.findall(r"^(.+?):(\d+):\d+: warning: ", process.stderr, re.M)
_tree.finish([(path, line, "not formatted; run tools/dev format")
              for path, line in dict(reversed(lines)).items()])
