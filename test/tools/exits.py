#!/usr/bin/env python3
"""Runs a command and fails unless it ends with the given exit code: exits.py CODE COMMAND..."""

import subprocess
import sys

wanted, command = int(sys.argv[1]), sys.argv[2:]
found = subprocess.run(command, check=False).returncode
if found != wanted:
    sys.exit(f"exit code {found}, wanted {wanted}: {' '.join(command)}")
