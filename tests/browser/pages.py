"""The pages that the browser tests look at, made from profiles of small programs."""
import base64
import json
import pathlib
import subprocess
import zlib

KERNELS = 100
SCALE = pathlib.Path(__file__).parent / "scale.hip"


class NoPage(Exception):
    """Wavetank was built without the page."""


def run(wavetank, folder, *words):
    return subprocess.run([wavetank, *words], cwd=folder, text=True, capture_output=True)


def write_page(wavetank, folder, name, *profiles):
    done = run(wavetank, folder, "report", *profiles, "--html", f"{name}.html")
    if "was built without the page" in done.stderr:
        raise NoPage("this wavetank was built without the page: nodejs or npm were missing")
    if done.returncode != 0:
        raise RuntimeError(done.stderr)


def hundred_kernels(one, to):
    """A run of a hundred kernels: the launches of another one under new names, ever longer."""
    header, *launches = one.read_text().splitlines()
    lines = [header]
    for k in range(KERNELS):
        launch = json.loads(launches[k % len(launches)])
        launch.pop("trace", None)
        launch["kernel_name"] = f"kernel_{k:03d}(double*, int)"
        launch["mangled_name"] = f"_Z10kernel_{k:03d}Pdi"
        launch["cycles"] += 1000 * k
        launch["dispatch_id"] = k + 1
        launch["begin_ns"] = 1000000 * k
        launch["end_ns"] = 1000000 * k + 500000
        lines.append(json.dumps(launch))
    to.write_text("\n".join(lines) + "\n")


def advise(page, to):
    """The page with what a run that was timed again with causes removed would have."""
    html = page.read_text()
    begin = html.index('id="part-page">') + len('id="part-page">')
    end = html.index("<", begin)
    data = json.loads(zlib.decompress(base64.b64decode(html[begin:end])))
    for kernel in data["runs"][0]["kernels"]:
        cycles = kernel["cycles"]
        kernel["what_if"] = [
            {"change": "launch=free", "label": "no time between launches", "cycles": cycles,
             "gain": 0},
            {"change": "lds.conflicts=off", "label": "no conflicts", "cycles": cycles // 10 * 9,
             "gain": 10},
            {"change": "coalescing=perfect", "label": "lanes side by side", "cycles": cycles // 2,
             "gain": 50},
            {"change": "lds.banks=1.1x", "label": "lds.banks is 1.1 times as much",
             "cycles": cycles // 100 * 98, "gain": 2},
            {"change": "barriers=free", "label": "no barriers", "problem": "it did not end"}]
        kernel["findings"] = [{"id": "uncoalesced", "text": "uncoalesced stores",
                               "place": "copy_columns.hip:13", "weight_percent": 80,
                               "remedy": "Let threadIdx.x be the fastest index.",
                               "change": "coalescing=perfect", "gain_percent": 50,
                               "is_estimated": False}]
    packed = base64.b64encode(zlib.compress(json.dumps(data).encode())).decode()
    to.write_text(html[:begin] + packed + html[end:])


def page_of_example(wavetank, program, folder):
    """The path of a page about an example, with what-ifs, of which the last kernel is traced."""
    folder.mkdir(exist_ok=True)
    (folder / "transpose.wt").unlink(missing_ok=True)
    run(wavetank, folder, "cc", "-g", "-O3", "--device", "mi210", program, "-o", "transpose")
    run(wavetank, folder, "profile", "--what-if", "--device", "mi210", "--trace", "tiled<0>", "-o",
        "transpose.wt", "./transpose")
    write_page(wavetank, folder, "transpose", "transpose.wt")
    return folder / "transpose.html"


def make(wavetank, program, folder):
    """traced.html: two kernels, one with a thread trace. compared.html: that run and one on another
    device. hundred.html: a hundred kernels. advised.html: traced.html with advice and what-ifs.
    scale.html: copies, a fill, and a kernel with an array in LDS."""
    folder.mkdir(exist_ok=True)
    compiled = run(wavetank, folder, "cc", "-g", "--device", "mi210", "--device", "mi300x", program,
                   "-o", "copy_columns")
    if compiled.returncode != 0:
        raise RuntimeError(compiled.stderr)
    for device in ("mi210", "mi300x"):
        (folder / f"{device}.wt").unlink(missing_ok=True)
        run(wavetank, folder, "profile", "--device", device, "--trace", "copy", "-o",
            f"{device}.wt", "./copy_columns")
    (folder / "scale.wt").unlink(missing_ok=True)
    run(wavetank, folder, "cc", "-g", "-O3", "--device", "mi210", SCALE, "-o", "scale")
    run(wavetank, folder, "profile", "--device", "mi210", "-o", "scale.wt", "./scale")
    write_page(wavetank, folder, "scale", "scale.wt")
    hundred_kernels(folder / "mi210.wt", folder / "hundred.wt")
    write_page(wavetank, folder, "traced", "mi210.wt")
    write_page(wavetank, folder, "compared", "mi210.wt", "mi300x.wt")
    write_page(wavetank, folder, "hundred", "hundred.wt")
    advise(folder / "traced.html", folder / "advised.html")
