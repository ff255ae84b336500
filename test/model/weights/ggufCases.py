"""Writes gguf.cases.json: blocks of random bytes of each quantisation, and the values that gguf-py (PyPI gguf 0.17.1) makes of them.

Usage: python ggufCases.py, with gguf and numpy importable. The scales are set to sane halves; all other bytes are random.
"""

import json
from pathlib import Path

import gguf
import numpy
from gguf import GGMLQuantizationType as Type

# where the halves of a block lie
SCALES = {Type.Q8_0: [0], Type.Q4_0: [0], Type.Q4_1: [0, 2], Type.Q5_0: [0], Type.Q5_1: [0, 2], Type.Q4_K: [0, 2], Type.Q5_K: [0, 2], Type.Q6_K: [208]}
random = numpy.random.default_rng(7)
cases = []
for kind, scales in SCALES.items():
    values, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = random.integers(0, 256, (2, size), dtype=numpy.uint8)
    for block in blocks:
        for at in scales:
            block[at : at + 2] = numpy.frombuffer(numpy.float16(random.normal() * 0.1).tobytes(), dtype=numpy.uint8)
    # a subnormal half in the second block's first scale
    blocks[1, scales[0] : scales[0] + 2] = numpy.frombuffer(numpy.uint16(0x0123).tobytes(), dtype=numpy.uint8)
    expected = gguf.dequantize(blocks, kind)
    cases.append({"type": kind.name, "id": int(kind), "blocks": blocks.tobytes().hex(), "values": expected.astype("<f4").tobytes().hex()})
Path(__file__).with_name("gguf.cases.json").write_text(json.dumps(cases) + "\n", encoding="utf-8")
