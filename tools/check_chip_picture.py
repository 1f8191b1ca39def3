#!/usr/bin/env python3
"""Checks that the picture of the chip in ARCHITECTURE.md is made of the cycle model's own names.

    check_chip_picture.py PROJECT_FOLDER

The picture is the indented block below the heading "The chip". Its words in CamelCase must be classes
or structs of src/timing, its dotted ones numbers of device files; and every class of the folders that
are the device must be in it.
"""
import pathlib
import re
import sys

FOLDERS = ("dispatch", "units", "caches", "memory")


def picture(project):
    chip = (project / "ARCHITECTURE.md").read_text().split("\n## The chip\n", 1)[1]
    return re.search(r"(?:^    .*\n)+", chip, re.M).group(0)


def defined(folder, kinds):
    """The names of what the folder's headers define, as opposed to what they mention."""
    return {name for header in folder.rglob("*.hpp")
            for name in re.findall(rf"^(?:{kinds}) (\w+)[^;\n]*\{{", header.read_text(), re.M)}


def main(project):
    timing = project / "src" / "timing"
    drawn = picture(project)
    names = set(re.findall(r"\b[A-Z]\w*[a-z]\w*", drawn))
    numbers = set(re.findall(r"\b[a-z]\w*\.[a-z]\w*", drawn))
    rows = (project / "src" / "target" / "parameter_table.hpp").read_text()
    problems = [f"{name} is no class of src/timing"
                for name in sorted(names - defined(timing, "class|struct"))]
    problems += [f"{number} is no number of a device" for number in sorted(numbers)
                 if f'{{"{number}",' not in rows]
    problems += [f"{name} of src/timing/{folder} is not in the picture" for folder in FOLDERS
                 for name in sorted(defined(timing / folder, "class") - names)]
    print("\n".join(problems))
    return 1 if problems or not names or not numbers else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
