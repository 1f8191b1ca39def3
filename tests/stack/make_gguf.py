#!/usr/bin/env python3
"""Writes a small GGUF model of the llama architecture with random weights, for llama.cpp.

    make_gguf.py FILE [--type f32|f16|q4_0|q8_0] [--rounded-to TYPE] [--seed N]

Two layers of width 256 with four heads (two for keys and values) and a vocabulary of bytes. The
answers mean nothing; they are to be the same on every back end. The weights of one seed are the
same numbers for each type, rounded to it; `--type f32 --rounded-to q4_0` is the reference for q4_0:
the same weights in a format that computes without further rounding. The format is described in
ggml's docs/gguf.md, the blocks of q4_0 and q8_0 (32 weights with an f16 scale) in its quantisation
reference.
"""
import argparse
import random
import struct

WIDTH, HEADS, KV_HEADS, LAYERS, FORWARD, CONTEXT = 256, 4, 2, 2, 512, 512
ALIGNMENT = 32
BLOCK = 32  # weights of one q4_0 or q8_0 block
# The types' numbers in the file (ggml_type), and the ones of metadata values (gguf_type).
GGML_TYPES = {"f32": 0, "f16": 1, "q4_0": 2, "q8_0": 8}
U32, I32, F32, STRING, ARRAY = 4, 5, 6, 8, 9
# Kinds of tokens (llama_token_type) that the vocabulary has.
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6


def string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


SCALARS = {U32: "<I", I32: "<i", F32: "<f"}


def encode(kind, value):
    return string(value) if kind == STRING else struct.pack(SCALARS[kind], value)


def entry(key, kind, value):
    return string(key) + struct.pack("<I", kind) + encode(kind, value)


def array(key, kind, values):
    head = string(key) + struct.pack("<IIQ", ARRAY, kind, len(values))
    return head + b"".join(encode(kind, value) for value in values)


def vocabulary():
    """The tokens of a SentencePiece vocabulary that knows single bytes and letters."""
    tokens = [("<unk>", 0.0, UNKNOWN), ("<s>", 0.0, CONTROL), ("</s>", 0.0, CONTROL)]
    tokens += [(f"<0x{byte:02X}>", 0.0, BYTE) for byte in range(256)]
    letters = "\u2581abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,!?'"
    tokens += [(letter, -1.0 - index, NORMAL) for index, letter in enumerate(letters)]
    while len(tokens) % BLOCK:  # so that every row of every matrix is whole blocks
        tokens.append((f"<extra{len(tokens)}>", -1000.0, NORMAL))
    return tokens


def metadata(tokens):
    texts, scores, kinds = zip(*tokens)
    return [
        entry("general.architecture", STRING, "llama"),
        entry("general.name", STRING, "random"),
        entry("general.alignment", U32, ALIGNMENT),
        entry("llama.context_length", U32, CONTEXT),
        entry("llama.embedding_length", U32, WIDTH),
        entry("llama.block_count", U32, LAYERS),
        entry("llama.feed_forward_length", U32, FORWARD),
        entry("llama.attention.head_count", U32, HEADS),
        entry("llama.attention.head_count_kv", U32, KV_HEADS),
        entry("llama.attention.layer_norm_rms_epsilon", F32, 1e-5),
        entry("llama.rope.dimension_count", U32, WIDTH // HEADS),
        entry("llama.vocab_size", U32, len(tokens)),
        entry("tokenizer.ggml.model", STRING, "llama"),
        array("tokenizer.ggml.tokens", STRING, texts),
        array("tokenizer.ggml.scores", F32, scores),
        array("tokenizer.ggml.token_type", I32, kinds),
        entry("tokenizer.ggml.unknown_token_id", U32, 0),
        entry("tokenizer.ggml.bos_token_id", U32, 1),
        entry("tokenizer.ggml.eos_token_id", U32, 2),
    ]


def shapes(words):
    """Name, columns (the dimension of a row) and rows of every tensor; 0 rows: a vector."""
    head = WIDTH // HEADS
    yield "token_embd.weight", WIDTH, words
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        yield block + "attn_norm.weight", WIDTH, 0
        yield block + "attn_q.weight", WIDTH, WIDTH
        yield block + "attn_k.weight", WIDTH, KV_HEADS * head
        yield block + "attn_v.weight", WIDTH, KV_HEADS * head
        yield block + "attn_output.weight", WIDTH, WIDTH
        yield block + "ffn_norm.weight", WIDTH, 0
        yield block + "ffn_gate.weight", WIDTH, FORWARD
        yield block + "ffn_up.weight", WIDTH, FORWARD
        yield block + "ffn_down.weight", FORWARD, WIDTH
    yield "output_norm.weight", WIDTH, 0
    yield "output.weight", WIDTH, words


def f16(number):
    return struct.unpack("<e", struct.pack("<e", number))[0]


class Q8_0:
    @staticmethod
    def levels(weights):
        """The scale and a level for each weight."""
        scale = max(map(abs, weights)) / 127
        return f16(scale), [round(weight / scale) if scale else 0 for weight in weights]

    @staticmethod
    def pack(scale, levels):
        return struct.pack(f"<e{BLOCK}b", scale, *levels)


class Q4_0:
    @staticmethod
    def levels(weights):
        """The extreme weight becomes level -8."""
        scale = max(weights, key=abs) / -8
        return f16(scale), [min(7, int(weight / scale + 8.5) - 8) if scale else 0
                            for weight in weights]

    @staticmethod
    def pack(scale, levels):
        """A byte has level i below and level i + 16 above, both without sign."""
        half = BLOCK // 2
        return struct.pack(f"<e{half}B", scale, *(levels[i] + 8 | levels[i + half] + 8 << 4
                                                  for i in range(half)))


QUANTISED = {"q8_0": Q8_0, "q4_0": Q4_0}


def blocks(weights):
    return (weights[i:i + BLOCK] for i in range(0, len(weights), BLOCK))


def pack(weights, kind):
    """The bytes of a tensor in the type `kind`."""
    if kind in QUANTISED:
        form = QUANTISED[kind]
        return b"".join(form.pack(*form.levels(block)) for block in blocks(weights))
    return struct.pack(f"<{len(weights)}{'f' if kind == 'f32' else 'e'}", *weights)


def rounded(weights, kind):
    """The numbers that a tensor of the type `kind` holds for these weights."""
    if kind in QUANTISED:
        pairs = (QUANTISED[kind].levels(block) for block in blocks(weights))
        return [scale * level for scale, levels in pairs for level in levels]
    return [f16(weight) for weight in weights] if kind == "f16" else weights


def padded(data):
    return data + bytes(-len(data) % ALIGNMENT)


def model(kind, rounded_to, seed):
    """The whole file: matrices of the type `kind`, their weights first rounded to another one."""
    generator = random.Random(seed)
    tokens = vocabulary()
    infos, data = [], b""
    for name, columns, rows in shapes(len(tokens)):
        dimensions = [columns, rows] if rows else [columns]
        spread = columns ** -0.5 if rows else 0.1  # keeps the values' size from layer to layer
        centre = 0.0 if rows else 1.0
        stored = kind if rows else "f32"
        weights = [generator.gauss(centre, spread) for _ in range(columns * max(rows, 1))]
        if rows:
            weights = rounded(weights, rounded_to)
        infos.append(string(name) + struct.pack(f"<I{len(dimensions)}QIQ", len(dimensions),
                                                *dimensions, GGML_TYPES[stored], len(data)))
        data += padded(pack(weights, stored))
    entries = metadata(tokens)
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(infos), len(entries))
    return padded(head + b"".join(entries) + b"".join(infos)) + data


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--type", choices=GGML_TYPES, default="f16")
    parser.add_argument("--rounded-to", choices=GGML_TYPES, default="f32")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with open(options.file, "wb") as file:
        file.write(model(options.type, options.rounded_to, options.seed))


if __name__ == "__main__":
    main()
