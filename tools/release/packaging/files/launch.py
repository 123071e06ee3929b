"""Starts the program that this package carries, and ends as it does."""

import os
import subprocess
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "mcpcheck.exe" if os.name == "nt" else "mcpcheck")
    arguments = [program] + sys.argv[1:]
    if os.name != "nt":
        # The program takes this process over: signals and the exit code are its own.
        os.execv(program, arguments)
    child = subprocess.Popen(arguments)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            # The console tells the program, too.
            continue
