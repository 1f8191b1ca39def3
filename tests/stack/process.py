"""Runs a program and hands over its lines as they come, with a limit on silence."""
import os
import pathlib
import re
import selectors
import subprocess
import time

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
IDLE = 0.01  # share of a processor below which a program only waits; a starved one gets more
LOOKS = 5      # in one limit: how exactly it is kept


def readable(line):
    return COLOURS.sub("", line.decode(errors="replace")).rstrip()


def stat_of(process):
    """The fields of a process in proc(5)'s stat from `state` on, none if it has just ended."""
    try:
        return (process / "stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return []


def processor_s(pid):
    """Processor time of a process, of those it started and of theirs, the ended ones included."""
    parents, ticks = {}, {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        fields = stat_of(process)
        if fields:
            parents[int(process.name)] = int(fields[1])
            ticks[int(process.name)] = sum(map(int, fields[11:15]))

    def descends(child):
        while child not in (pid, 0, None):
            child = parents.get(child)
        return child == pid
    return sum(spent for child, spent in ticks.items() if descends(child)) / TICKS_PER_S


class Process:
    """A program whose output is read line by line, and kept in `log` unless that is None.

    `how` says afterwards how it ended: "exit 0", "signal 11", "no progress in 60 s of work", the
    end of a program that wrote no line for `silence_s` of processor time, whatever else the machine
    does, or "stands still for 60 s" if it did not work meanwhile either.
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
            process.stdout.close()

    def _lines_of(self, process):
        selector = selectors.DefaultSelector()
        selector.register(process.stdout, selectors.EVENT_READ)
        rest = b""
        while True:
            if not self._waits(selector, process.pid):
                return
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                break
            if self.log:
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

    def _waits(self, selector, pid):
        """Waits for output or the end; False, with `how` said, where the limit comes before."""
        first = looked = processor_s(pid)
        since = time.monotonic()
        while not selector.select(self.silence_s / LOOKS):
            worked, now = processor_s(pid), time.monotonic()
            if worked - first >= self.silence_s:
                self.how = f"no progress in {self.silence_s} s of work"
                return False
            if now - since >= self.silence_s:
                if worked - looked < IDLE * (now - since):
                    self.how = f"stands still for {self.silence_s} s"
                    return False
                looked, since = worked, now
        return True
