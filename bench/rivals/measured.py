"""Runs a command for at most a number of seconds, and prints its seconds of processor and its largest resident bytes."""

import resource
import subprocess
import sys

try:
    code = subprocess.run(sys.argv[2:], stdout=sys.stderr, timeout=float(sys.argv[1])).returncode
except subprocess.TimeoutExpired:
    # The command was killed.
    sys.exit(f'stopped after {sys.argv[1]} s')
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
sys.exit(code)
