#!/usr/bin/env python3
"""Checks all cards of `wavetank isa` at once.

Every mnemonic that LLVM decodes has a card, of an instruction or of why there is none. Every example
assembles with llvm-mc to the words beside it. Every formula of a matrix layout gives the lane and the
element of each cell of its table.

    check_isa.py PROGRAM LLVM_MC FOLDER-OF-MNEMONICS
"""
import json
import pathlib
import re
import subprocess
import sys

WAVETANK, LLVM_MC, DATA = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
TARGETS = ("gfx90a", "gfx942")


def run(*command, stdin=None):
    return subprocess.run(command, input=stdin, text=True, capture_output=True, check=False)


def mnemonics(target):
    """LLVM's list."""
    lines = (DATA / f"{target}_mnemonics.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def silent_mnemonics(cards):
    """Mnemonics without a card."""
    carded = {card["name"] for card in cards}
    for target in TARGETS:
        for name in mnemonics(target):
            if name in carded:
                continue
            done = run(WAVETANK, "isa", "--json", name)
            if done.returncode != 0 or not json.loads(done.stdout).get("reason"):
                yield f"{name}: no card on {target}"


def wrong_examples(cards):
    """Examples whose words are not what LLVM encodes."""
    for target in TARGETS:
        examples = []
        for card in cards:
            for line in card["sections"]["Encodings"]["rows"]:
                # v_nop and v_clrexcp: LLVM spells no suffix, so the long form cannot be asked for.
                if line["form"] == "e64" and " " not in line["example"]:
                    continue
                if target in line["target"].split() and line["example"]:
                    examples.append((line["example"], line["words"]))
        source = "\n".join(text for text, _ in examples) + "\n"
        done = run(LLVM_MC, "-triple=amdgcn", f"-mcpu={target}", "-show-encoding", stdin=source)
        encodings = re.findall(r"encoding: \[([^\]]*)\]", done.stdout)
        if len(encodings) != len(examples) or len(examples) < 1500:
            yield f"{target}: {len(examples)} examples, {len(encodings)} assembled: {done.stderr}"
            continue
        for (text, words), encoding in zip(examples, encodings):
            octets = bytes(int(octet, 16) for octet in encoding.split(","))
            if octets != b"".join(int(w, 16).to_bytes(4, "little") for w in words.split()):
                yield f"{target}: {text}: {words}, LLVM has {octets.hex(' ')}"


def wrong_layouts(cards):
    """Cells of a layout that its formula puts elsewhere."""
    for card in cards:
        for title, section in card["sections"].items():
            if not title.startswith("Layout"):
                continue
            formula = re.match(r"\w\[(\w)\]\[(\w)\]: lane = (.*?)(?:, element (.*))?$",
                               section["notes"][0])
            lane_of, element_of = (text.replace("/", "//")
                                   for text in (formula[3], formula[4] or "0"))
            for element, row in enumerate(section["rows"]):
                for heading, cell in row.items():
                    lanes = re.match(r"lanes (\d+)-(\d+)", heading)
                    place = re.match(r"\w(\d*)\[(\w+)\]\[(\w+)\]", cell)
                    if not lanes or not place:
                        continue
                    first, last = int(lanes[1]), int(lanes[2])
                    for lane in range(first, last + 1):
                        values = {"block": int(place[1] or 0)}
                        for name, index in ((formula[1], place[2]), (formula[2], place[3])):
                            values[name] = int(index) if index.isdigit() else lane - first
                        found = (eval(lane_of, {}, values), eval(element_of, {}, values))
                        if found != (lane, element):
                            yield f"{card['name']}: {title}: {cell} in lane {lane}: {found}"
                            break


def main():
    done = run(WAVETANK, "isa", "--all", "--json")
    cards = json.loads(done.stdout)
    problems = [*silent_mnemonics(cards), *wrong_examples(cards), *wrong_layouts(cards)]
    print("\n".join(problems[:40]))
    print(f"{len(cards)} cards, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
