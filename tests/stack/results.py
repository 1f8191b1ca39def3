"""What became of a suite's cases, and the table of several suites."""
import dataclasses
import json

PASSED, SKIPPED, FAILED = "passed", "skipped", "failed"


@dataclasses.dataclass
class Case:
    name: str
    outcome: str
    reason: str = ""  # the first line that says why, of failed and skipped ones
    seconds: float = 0.0


@dataclasses.dataclass
class Report:
    """One suite's run: what ran, on what, of how many."""
    suite: str
    version: str
    device: str
    available: int  # cases that the filter chose, of which `cases` were taken
    cases: list = dataclasses.field(default_factory=list)
    seconds: float = 0.0

    def count(self, outcome):
        return sum(case.outcome == outcome for case in self.cases)

    def failures(self):
        return [case for case in self.cases if case.outcome == FAILED]


def write(report, path):
    path.write_text(json.dumps(dataclasses.asdict(report), indent=1) + "\n")


def read(path):
    data = json.loads(path.read_text())
    return Report(**{**data, "cases": [Case(**case) for case in data["cases"]]})


COLUMNS = ["suite", "version", "device", "of", "run", "passed", "skipped", "failed", "seconds"]


def table(reports):
    """The lines of a Markdown table, a row for each report."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for report in reports:
        row = [report.suite, report.version, report.device, report.available, len(report.cases),
               report.count(PASSED), report.count(SKIPPED), report.count(FAILED),
               f"{report.seconds:.0f}"]
        lines.append("| " + " | ".join(str(value) for value in row) + " |")
    return lines
