"""Runs the `// RUN:` lines of the tests; see docs/testing.md."""

import importlib.util
import os

import lit.formats

config.name = "spmd"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.spmd_build, "test")
config.excludes = ["ir", "lowering", "embedding"]

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.spmd_build, "bin"), config.llvm_tools, config.environment["PATH"]])
config.substitutions.append(("%{bin}", os.path.join(config.spmd_build, "bin")))
config.substitutions.append(("%python", config.python + " -B"))
config.environment["SPMD_VERIFY_EACH"] = "1"
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error"

# Runs the test's program on several meshes, with functionalization on and off.
config.substitutions.append(
    ("%{both-modes}", f"{config.python} -B {config.test_source_root}/exec/both_modes.py --opt spmd-opt --run spmd-run"
                      " --work %t %s"))

# For FileCheck: the collectives that a test checks are all that there are.
collectives = ["all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute",
               "reduce_scatter"]
config.substitutions.append(
    ("%{only-collectives-checked}", " ".join(f"--implicit-check-not=stablehlo.{op}" for op in collectives)))

# Sanitizers take more addresses than a limit on them leaves.
if config.sanitizers:
    config.available_features.add("sanitizers")

# A Python that has JAX, for tests against XLA itself: lit's own, or the one that is named.
jax_python = os.environ.get("SPMD_JAX_PYTHON", config.python if importlib.util.find_spec("jaxlib") else "")
if jax_python:
    config.available_features.add("jax")
config.substitutions.append(("%{jax-python}", (jax_python or "false") + " -B"))
