"""Runs a program and hands over its lines as they come, with a limit on silence."""
import os
import re
import selectors
import subprocess


COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def readable(line):
    return COLOURS.sub("", line.decode(errors="replace")).rstrip()


class Process:
    """A program whose output is read line by line.

    `how` says afterwards how it ended: "exit 0", "signal 11", or "no progress for 60 s", which is
    the end of a program that wrote no line for that long.
    """

    def __init__(self, command, silence_s, log):
        self.command, self.silence_s, self.log = command, silence_s, log
        self.how = ""

    def lines(self):
        process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
        try:
            yield from self._lines_of(process)
        finally:  # also when this script is stopped: nothing stays behind
            process.kill()
            process.wait()

    def _lines_of(self, process):
        selector = selectors.DefaultSelector()
        selector.register(process.stdout, selectors.EVENT_READ)
        rest = b""
        while True:
            if not selector.select(self.silence_s):
                self.how = f"no progress for {self.silence_s} s"
                return
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                break
            self.log.write(piece)
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                yield readable(line)
        if rest:
            yield readable(rest)
        code = process.wait()
        # A shell between us and the program says 128 + N for signal N.
        signal = -code if code < 0 else code - 128 if code > 128 else 0
        self.how = f"signal {signal}" if signal else f"exit {code}"
