#!/usr/bin/env python3
"""A library leaves its host alone: it neither ends the process, nor prints, nor touches global state.

Reads the C++ sources of the library folders, without comments and texts. What is allowed all the same stands in ALLOWED,
with the reason; an entry that nothing needs any more is an offender, too.
"""

import re

import _tree

LIBRARIES = ("ir", "dialect", "lowering", "passes")

FORBIDDEN = [
    (r"\b(?:_?exit|quick_exit|_Exit|abort|terminate|kill|at_quick_exit|atexit)\s*\(",
     "ends the process, or hooks into its end; return an error"),
    (r"\b(?:report_fatal_error|llvm_unreachable|LOG\s*\(\s*FATAL|CHECK|QCHECK)\b",
     "ends the process; return an error, or assert what only this file can break"),
    (r"\bthrow\b|\bstd::sto(?:i|l|ll|ul|ull|f|d|ld)\s*\(|\bstd::thread\b|\bstd::async\b",
     "throws, which ends the process of a host without exceptions; return an error"),
    (r"\b(?:llvm::)?(?:errs|outs|dbgs)\s*\(\)|\bstd::(?:cerr|cout|clog)\b|\bstderr\b|\bstdout\b"
     r"|\b(?:v?printf|v?fprintf|puts|fputs|putchar|perror|psignal)\s*\(",
     "prints; emit a diagnostic, or write to a stream that the caller gives"),
    (r"\b(?:secure_)?getenv\s*\(|\b(?:setenv|putenv|unsetenv|clearenv)\s*\(|\benviron\b",
     "reads or changes the environment of the host; take an option"),
    (r"\b(?:signal|std::raise|sigaction|sigprocmask|pthread_sigmask|alarm|setitimer)\s*\(",
     "changes the signals of the host"),
    (r"\b(?:fe(?:enable|disable)except|fesetround|fesetenv|feholdexcept|feupdateenv)\s*\(|_mm_setcsr|\bmsr fpcr\b",
     "changes how floats are computed on a thread of the host"),
    (r"\b(?:setlocale|uselocale|srand|srandom|chdir|fchdir|umask|setrlimit|mallopt|nice|setpriority|prctl)\s*\("
     r"|\bstd::locale::global\b|\bsched_setaffinity\b|\bset_new_handler\b|\bset_terminate\b|\binstall_\w*error_handler\b"
     r"|\bSetLogHandler\b|\bLogSilencer\b",
     "changes global state of the host"),
    (r"\b(?:openblas|goto|omp|mkl|bli)_set_num_threads\b",
     "changes how many threads a library of the host uses"),
    (r"\bcl::(?:opt|list|bits|alias)\b|\bParseCommandLineOptions\b", "adds an option to the host's command line"),
    (r"^\s*(?:inline\s+|static\s+|thread_local\s+)*(?:static|thread_local)\s+(?!const\b|constexpr\b|inline\s+const|thread_local\s+const|cast\b)"
     r"[\w:<>,&*\s]+?[\w>&*]\s+[&*]?\w+(?:::\w+)?(?:\{[^()]*\})?\s*(?:=.*|;)\s*$",
     "is a variable that outlives a call; hold it in an object of the caller's"),
]

# (file, what its line holds): why. A comment in the code says more.
ALLOWED = {
    ("dialect/stablehlo/InferSizes.cpp", "listener"): "of a thread, null between calls",
    ("lowering/interpreter/Arithmetic.cpp", "positionNow"): "what the scope on this thread asks for",
    ("lowering/interpreter/WorkBudget.cpp", "budgetNow"): "what the scope on this thread asks for",
    ("lowering/interpreter/Denormals.cpp", "_mm_setcsr"): "a scope on a thread, which restores it",
    ("lowering/interpreter/Denormals.cpp", "msr fpcr"): "a scope on a thread, which restores it",
    ("lowering/interpreter/Denormals.cpp", "denormalsNow"): "what the scope on this thread asks for",
    ("lowering/interpreter/Helpers.cpp", "pool"): "threads sleep between runs; to start one takes longer than a program",
    ("lowering/interpreter/Memory.cpp", "isGone"): "whether a thread's free lists are gone",
    ("lowering/interpreter/Memory.cpp", "kept"): "a thread's free lists, at most 256 MB",
    ("lowering/interpreter/Splat.cpp", "mutex"): "guards the tiles below",
    ("lowering/interpreter/Splat.cpp", "kept"): "constant tiles, at most some megabytes",
    ("lowering/interpreter/Tensor.cpp", "table"): "each type once, so that they compare by address",
    ("lowering/interpreter/kernels/OpenBlas.cpp", "openblas_set_num_threads"): "in a copy that nobody else has",
    ("ir/hlo/Wire.cpp", "LogSilencer"): "protobuf prints otherwise; restored before the function returns",
}

TEXT = re.compile(r'"(?:\\.|[^"\\])*"')


def code_of(line, keeps_texts):
    """Returns a line without its comment, and without texts unless the rule is about one."""
    line = line if keeps_texts else TEXT.sub('""', line)
    return re.sub(r"//.*", "", line)


def is_allowed(path, line, used):
    for file, what in ALLOWED:
        if str(path) == file and what in line:
            used.add((file, what))
            return True
    return False


offenders, used = [], set()
for path in _tree.files("*.h", "*.cpp", under=LIBRARIES):
    for number, line in enumerate(_tree.read(path).splitlines(), 1):
        for pattern, message in FORBIDDEN:
            keeps_texts = "openblas" in pattern or "fpcr" in pattern
            match = re.search(pattern, code_of(line, keeps_texts))
            if match and not is_allowed(path, line, used):
                offenders.append((path, number, f"'{match.group().strip()}' {message}"))
for file, what in ALLOWED:
    if (file, what) not in used:
        offenders.append(("test/hygiene/libraries.py", 1, f"nothing in {file} needs the entry '{what}'"))
_tree.finish(offenders)
