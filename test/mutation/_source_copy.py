"""A built copy of the project, whose sources hold mutants that an environment variable turns on."""

import json
import os
import pathlib
import re
import shlex
import subprocess

import _source_sites

HEADER = r"""// Turns on the mutant whose number SPMD_MUTANT holds. With SPMD_MUTANTS_REACHED, a folder, each test
// appends the numbers of the mutants that it reaches to a file there.
#pragma once
#pragma clang diagnostic ignored "-Weverything"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
inline void spmdNoteMutant(const char *folder, int number) {
  const char *test = std::getenv("LIT_CURRENT_TESTCASE");
  std::string name = test ? test : "unknown";
  for (char &sign : name)
    sign = sign == '/' ? '@' : sign;
  if (FILE *file = std::fopen((std::string(folder) + "/" + name).c_str(), "a")) {
    std::fprintf(file, "%d\n", number);
    std::fclose(file);
  }
}
inline bool spmdMutant(int number) {
  static const char *const folder = std::getenv("SPMD_MUTANTS_REACHED");
  static const char *const text = std::getenv("SPMD_MUTANT");
  static const int active = text ? std::atoi(text) : -1;
  static std::atomic<bool> reached[COUNT];
  if (folder && !reached[number].exchange(true))
    spmdNoteMutant(folder, number);
  return number == active;
}
"""

# lit passes on few variables of its environment.
LIT_CONFIG = """
for name in ("SPMD_MUTANT", "SPMD_MUTANTS_REACHED"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
"""


class BuildError(Exception):
    pass


class Copy:
    """The copy in `work`, of the project at `root`; `mutants` is a list of pairs of a path in the project and a site."""

    def __init__(self, root, work, jobs, mutants):
        self.root, self.work, self.jobs, self.mutants = root, work, jobs, mutants
        self.source, self.build = work / "source", work / "source/build"
        self.header = work / "mutants.h"

    def prepare(self):
        """Copies what changed and builds it with all mutants switched off. Returns the numbers of the mutants that are not in it,
        as they have no form that can be switched on."""
        numbers, apart = {}, set()
        for number, (path, _) in enumerate(self.mutants):
            numbers.setdefault(path, set()).add(number)
        self.source.mkdir(parents=True, exist_ok=True)
        write(self.header, HEADER.replace("COUNT", str(max(1, len(self.mutants)))))
        while True:
            left_out = self.synchronize({path: among - apart for path, among in numbers.items()})
            self.configure()
            failed = self.failing_sources()
            if left_out <= apart and not failed:
                return apart
            apart |= left_out
            for path in failed:
                among = numbers.get(path, set()) - apart
                if not among:
                    raise BuildError(f"{path} does not compile, and holds no mutant")
                # A file whose mutants only fail together is left without any.
                apart |= {number for number in among if not self.compiles(path, {number})} or among

    def synchronize(self, numbers):
        """Writes the files of the project, with the mutants `numbers` of each file; returns which mutants are left out."""
        paths = self.files()
        kept = self.work / "files.json"
        for path in set(json.loads(kept.read_text()) if kept.exists() else []) - paths:
            (self.source / path).unlink(missing_ok=True)
        write(kept, json.dumps(sorted(paths)))
        left_out = set()
        for path in sorted(paths):
            content = (self.root / path).read_bytes()
            if numbers.get(path):
                text, without = self.switched(path, numbers[path])
                left_out |= set(without)
                content = text.encode()
            elif path == "test/lit.cfg.py":
                content += LIT_CONFIG.encode()
            write(self.source / path, content)
            os.chmod(self.source / path, (self.root / path).stat().st_mode)
        return left_out

    def files(self):
        """Returns the paths of the files of the project; those that git ignores, such as what is built, are none."""
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=self.root, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
        return {path for path in listed if path and (self.root / path).is_file()}

    def switched(self, path, numbers):
        sites = {number: self.mutants[number][1] for number in numbers}
        return _source_sites.switched((self.root / path).read_text(), sites, self.header)

    def configure(self):
        if (self.build / "build.ninja").exists():
            return
        run_or_fail(["cmake", "--preset", "release", "-DSPMD_BUILD_BENCHES=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"], self.source)

    def ninja(self, *options):
        return subprocess.run(["ninja", "-C", self.build, "-j", str(self.jobs), *options], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")

    def failing_sources(self):
        """Builds all; returns the paths of the sources that do not compile."""
        process = self.ninja("-k", "0")
        if process.returncode == 0:
            return set()
        objects = set(re.findall(r"^FAILED: (?:\[code=\d+\] )?(\S+\.o)\b", process.stdout, re.MULTILINE))
        failed = {path for path, command in self.commands().items() if objects & set(shlex.split(command["command"]))}
        if not failed:
            raise BuildError("the copy does not build:\n" + process.stdout[-3000:])
        return failed

    def commands(self):
        """How each source is compiled, by its path in the project."""
        listed = json.loads((self.build / "compile_commands.json").read_text())
        source = f"{self.source}/"
        return {each["file"].removeprefix(source): each for each in listed if each["file"].startswith(source)}

    def compiles(self, path, numbers):
        text, left_out = self.switched(path, numbers)
        if left_out:
            return False
        command = self.commands()[path]
        words = shlex.split(command["command"])
        at = next(i for i, word in enumerate(words) if "clang" in pathlib.Path(word).name)
        words = [word for word in words[at:] if word not in ("-c", "-MD")]
        trial = (self.source / path).with_suffix(".trial.cpp")
        trial.write_text(text)
        words = [str(trial) if word == command["file"] else word for word in words] + ["-fsyntax-only"]
        try:
            return subprocess.run(words, cwd=command["directory"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL).returncode == 0
        finally:
            trial.unlink()

    def build_alone(self, number):
        """Builds the copy with one mutant in place of those of its file; returns whether it compiles."""
        path, site = self.mutants[number]
        kept = (self.source / path).read_bytes()
        write(self.source / path, _source_sites.plain((self.root / path).read_text(), site))
        try:
            return self.ninja().returncode == 0
        finally:
            write(self.source / path, kept)  # Built when the next one is.


def write(path, content):
    """Writes a file unless it holds that already: what is as old as before is not built again."""
    content = content.encode() if isinstance(content, str) else content
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def run_or_fail(command, folder):
    process = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if process.returncode:
        raise BuildError(f"{' '.join(command)} ends with code {process.returncode}:\n{process.stdout[-3000:]}")
