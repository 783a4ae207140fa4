"""Exits 1 if the table of tools/traffic.py says something else than the report of spmd-run: traffic_is.py TABLE JSON."""

import json
import sys

rows = {line.split()[0]: list(map(int, line.split()[1:])) for line in open(sys.argv[1]) if line.split()[-1].isdigit()}
rows.pop("all")
report = {each["kind"]: [each["count"], each["operand_bytes"], each["wire_bytes"]]
          for each in json.load(open(sys.argv[2]))["collectives"]}
for kind in sorted(rows.keys() | report.keys()):
    if rows.get(kind) != report.get(kind):
        sys.exit(f"{kind}: {rows.get(kind)} in the text, {report.get(kind)} in the run")
