#!/usr/bin/env python3
"""Asks llama.cpp for the logits of a small random model on Wavetank and on the host.

    compare_logits.py FOLDER [--build B] [--device D]

FOLDER holds the chroot `sid` of make_chroot.py with the suite "llama.cpp operations". The models
are make_gguf.py's. Both back ends round activations to 8 bits for q4_0 and q8_0, so neither is the
judge: that is the host's answer for the same weights in f32. The device may be twice as far from
it as the host is, in the root of the mean square over all prompts, and three times for q4_0: there
it multiplies the activations' rounding errors by levels of 0 to 15 (and subtracts 8 times the exact
sum), the host by levels of -8 to 7, which makes a dot product's error 2.6 times as large for
normally distributed weights (ggml: vec_dot_q4_0_q8_1_impl in vecdotq.cuh, quantize_q8_1 in
quantize.cu).
Exit code 1 when it is further, or when a back end gave no answer.
"""
import argparse
import array
import pathlib
import subprocess
import sys

import make_gguf
import stack
from run import bring_libraries

PROMPTS = ["Hello my name is", "A wave of sixty four lanes, all at once.", "Why?"]
TYPES = {"f16": 2, "q4_0": 3, "q8_0": 2}  # how many times as far from the judge the device may be
INSIDE = "/tmp/logits"  # models and answers, as the chroot sees them


def logits(root, model, prompt, command, variables, build):
    """What follows the prompt: a number for each token."""
    answer = root / INSIDE[1:] / f"llamacpp-{model}.bin"
    answer.unlink(missing_ok=True)
    words = ["llama-debug", "-m", f"{INSIDE}/{model}.gguf", "-p", prompt, "--save-logits",
             "--logits-output-dir", INSIDE]
    environment = {"LD_LIBRARY_PATH": stack.EXTRA, **variables}
    done = subprocess.run(stack.command_in(root, [*command, *words], environment, build),
                          capture_output=True, text=True, timeout=600)
    if done.returncode != 0 or not answer.exists():
        raise SystemExit(f"{model}: no answer\n{done.stdout}{done.stderr}")
    return array.array("f", answer.read_bytes())


def distance(references, answers):
    """Root of the mean square of the differences, as a share of the references'."""
    pairs = [pair for reference, answer in zip(references, answers)
             for pair in zip(reference, answer)]
    error = sum((a - b) ** 2 for a, b in pairs)
    return (error / sum(a ** 2 for a, _ in pairs)) ** 0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=stack.BUILD)
    parser.add_argument("--device", default="mi210")
    options = parser.parse_args()
    root = options.folder / "sid"
    (root / INSIDE[1:]).mkdir(exist_ok=True)
    bring_libraries(root, options.build)
    on_host = [], {"LLAMA_ARG_DEVICE": "none"}
    on_device = ([f"{stack.INSIDE}/bin/wavetank", "run", "--device", options.device, "--"],
                 {"LLAMA_ARG_N_GPU_LAYERS": "99"})

    wrong = False
    print(f"{'weights':8} {'host':>10} {'device':>10}   distance from the same weights in f32")
    for kind, times in TYPES.items():
        exact = f"{kind}_in_f32"
        for name, stored in ((kind, kind), (exact, "f32")):
            file = root / INSIDE[1:] / f"{name}.gguf"
            file.write_bytes(make_gguf.model(stored, kind, seed=1))
        reference, host, device = (
            [logits(root, model, prompt, *where, options.build) for prompt in PROMPTS]
            for model, where in ((exact, on_host), (kind, on_host), (kind, on_device)))
        host_far, device_far = distance(reference, host), distance(reference, device)
        good = device_far <= times * host_far
        wrong = wrong or not good
        print(f"{kind:8} {host_far:10.6f} {device_far:10.6f}   {'ok' if good else 'TOO FAR'}")
    sys.exit(1 if wrong else 0)


main()
