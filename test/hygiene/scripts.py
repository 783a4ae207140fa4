#!/usr/bin/env python3
"""A file that names its interpreter can be run."""

import os

import _tree

offenders = [(path, 1, "names an interpreter, and is not executable") for path in _tree.files("*")
             if (_tree.ROOT / path).read_bytes()[:2] == b"#!" and not os.access(_tree.ROOT / path, os.X_OK)]
_tree.finish(offenders)
