"""What the hygiene tests share: the files of the project, and how offenders are told."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Folders that hold the compiler itself.
CODE = ("ir", "dialect", "lowering", "passes", "tools", "bench", "cmake")


def files(*patterns, under=()):
    """Returns the project's files, relative to its root and sorted, whose name matches a pattern.

    `under` restricts them to these folders. Files that git ignores are left out; without git, hidden
    folders and builds are.
    """
    return sorted(path for path in map(pathlib.PurePath, all_files())
                  if (not patterns or any(path.match(pattern) for pattern in patterns))
                  and (not under or path.parts[0] in under) and (ROOT / path).is_file())


def all_files():
    try:
        return subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                              cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")[:-1]
    except (OSError, subprocess.CalledProcessError):
        found = []
        for folder, names, leaves in os.walk(ROOT):
            names[:] = [name for name in names if not re.match(r"\.git$|build|__pycache__$", name)]
            found += [os.path.relpath(os.path.join(folder, leaf), ROOT) for leaf in leaves]
        return found


def read(path):
    """Returns the text of a file, or None if it is not text."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def finish(offenders):
    """Prints every offender, `(path, line, message)`, and ends the script."""
    for path, line, message in offenders:
        print(f"{path}:{line}: {message}")
    sys.exit(1 if offenders else 0)
