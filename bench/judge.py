"""How long the judge takes, as a multiple of the unpartitioned run that it judges.

Run `python3 bench/judge.py BUILD FILE...`: each file is run with random arguments three times, and the least ratio
of its times is printed. Programs whose run takes less than a millisecond say little: they are prepared for longer.
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def ratio(run, program, report):
    subprocess.run([run, program, f"--json={report}"], check=False, capture_output=True)
    times = json.loads(report.read_text())["time_ms"]
    return times["judge"] / times["run_whole"], times["run_whole"]


def main():
    build, *programs = sys.argv[1:]
    if not programs:
        sys.exit(__doc__)
    run = pathlib.Path(build) / "bin" / "spmd-run"
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        for program in programs:
            least, whole = min(ratio(run, program, report) for _ in range(3))
            print(f"{least:8.1f} times {whole:10.2f} ms  {program}")


main()
