"""Runs a command and prints its seconds of processor and its largest resident bytes, of the whole process tree."""

import resource
import subprocess
import sys

done = subprocess.run(sys.argv[1:], stdout=sys.stderr)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
sys.exit(done.returncode)
