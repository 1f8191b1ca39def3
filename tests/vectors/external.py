"""Results from references that are not in this repository: an evaluator of AMD's pseudo-code and
AMD's own C++ (README.md, "References outside"). WAVETANK_VECTOR_REFERENCE names a command that reads

    row v_sad_u8 u32 u32 u32 -> u32
    0000000f 00000001 00000002

and answers each line of operands with `source=result` words (`nan`: some NaN), or `-`. With
`--cases` it reads cases of wave.py, one JSON object a line, and answers each with the references that
leave the same state. Without it, what an existing file says of the same operands or case is kept.
"""
import json
import os
import re
import subprocess

RECORDED = ("pseudo-code", "hip")


def ask(command, name, kinds, result, vectors):
    lines = [f"row {name} {' '.join(kinds)} -> {result}"]
    lines += [" ".join(f"{v:x}" for v in vector) for vector in vectors]
    run = subprocess.run(command.split(), input="\n".join(lines) + "\n", capture_output=True, text=True)
    answers = []
    for line in run.stdout.splitlines():
        pairs = [word.split("=") for word in line.split() if "=" in word]
        answers.append({s: v if v == "nan" else int(v, 16) for s, v in pairs})
    if len(answers) != len(vectors):
        raise RuntimeError(run.stderr[-2000:])
    return answers


def recorded(path, vectors):
    known = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        match = re.match(r"\s+([0-9a-f ]+) -> ([0-9a-f]+)\s+(\S+)(.*)", line)
        if not match:
            continue
        said = {s.split(":")[0]: "nan" if s.endswith(":nan") else int(match[2], 16)
                for s in match[3].split(",") if s.split(":")[0] in RECORDED}
        said |= {s: v if v == "nan" else int(v, 16)
                 for s, v in re.findall(r"(pseudo-code|hip) says ([0-9a-f]+|nan)", match[4])}
        known[tuple(int(word, 16) for word in match[1].split())] = said
    return [known.get(tuple(vector), {}) for vector in vectors]


def results(path, name, kinds, result, vectors):
    """For each vector a dictionary from source to result."""
    command = os.environ.get("WAVETANK_VECTOR_REFERENCE")
    if command:
        return ask(command, name, kinds, result, vectors)
    return recorded(path, vectors)


def case_results(path, name, cases, bodies):
    """For each case of wave.py the outside references that agree with all that it changes."""
    command = os.environ.get("WAVETANK_VECTOR_REFERENCE")
    if command:
        lines = [json.dumps({"name": name, **case}) for case in cases]
        run = subprocess.run(command.split() + ["--cases"], input="\n".join(lines) + "\n",
                             capture_output=True, text=True)
        print(run.stderr[-1500:], end="")
        return [line.split() for line in run.stdout.splitlines()]
    known = {}
    for text in path.read_text().split("\ncase ")[1:] if path.exists() else []:
        head, body = text.split("\n", 1)
        known[body.strip()] = [s for s in head.split()[2].split(",") if s in RECORDED]
    return [known.get(body.strip(), []) for body in bodies]
