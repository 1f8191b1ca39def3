"""The second opinion: LLVM's constant folding. Each vector becomes a function of constants, and
opt-19 reduces it to the value it returns, or leaves it alone."""
import re
import subprocess

IR_TYPE = {"f16": "half", "f32": "float", "f64": "double", "u16": "i16", "i16": "i16", "u32": "i32",
           "i32": "i32", "u64": "i64", "i64": "i64", "mask": "i1", "pk": "i32",
           "pair": "i64", "u128": "i128"}
WIDTH = {"f16": 16, "f32": 32, "f64": 64, "u16": 16, "i16": 16, "u32": 32, "i32": 32, "u64": 64,
         "i64": 64, "mask": 1, "pk": 32, "pair": 64,
         "u128": 128}


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) and bits > 1 else value


def operand(kind, name, value):
    """Lines that define %name, and what to write for it: floats need a register."""
    bits = WIDTH[kind]
    if kind[0] == "f":
        return [f"  %{name} = bitcast i{bits} {signed(value, bits)} to {IR_TYPE[kind]}"], f"%{name}"
    if kind == "mask":
        return [], "true" if value else "false"
    return [], str(signed(value, bits))


def function(index, kinds, values, result, body, attributes):
    lines, names = [], {}
    for name, kind, value in zip("abcd", kinds, values):
        more, names[name] = operand(kind, name, value)
        lines += more
    lines += ["  " + line.format(**names) for line in body]
    width = WIDTH[result]
    if result[0] == "f":
        lines.append(f"  %bits = bitcast {IR_TYPE[result]} %r to i{width}")
        lines.append(f"  ret i{width} %bits")
    else:
        lines.append(f"  ret i{width} %r")
    return f"define i{width} @f{index}() {attributes} {{\n" + "\n".join(lines) + "\n}\n"


def fold(kinds, vectors, result, body, attributes=""):
    """The results LLVM finds, None where it finds none. `body` computes %r from {a}, {b}, {c};
    `attributes` are the function's, such as its denormal mode."""
    text = "".join(function(i, kinds, v, result, body, attributes) for i, v in enumerate(vectors))
    used = set(re.findall(r"@(llvm[\w.]+)", "\n".join(body)))
    for call in body:
        match = re.search(r"call (<[^>]*>|\w+) @(llvm[\w.]+)\((.*)\)", call)
        if match and match[2] in used:
            arguments = ", ".join("metadata" if a.strip().startswith("metadata")
                                  else a.strip().rsplit(" ", 1)[0] for a in match[3].split(","))
            text += f"declare {match[1]} @{match[2]}({arguments})\n"
            used.discard(match[2])
    run = subprocess.run(["opt-19", "-mtriple=amdgcn", "-mcpu=gfx942", "-S",
                          "-passes=instcombine,instsimplify"],
                         input=text, capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stderr[:2000] + "\n" + text[:600])
    results = [None] * len(vectors)
    for match in re.finditer(r"define \w+ @f(\d+)\(\)[^{]*\{\s*ret i\d+ (-?\d+|true|false)\s*\}",
                             run.stdout):
        value = {"true": 1, "false": 0}.get(match[2])
        results[int(match[1])] = (int(match[2]) if value is None else value) & ((1 << WIDTH[result]) - 1)
    return results
