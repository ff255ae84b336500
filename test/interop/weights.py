"""Logits of exported weights in transformers and PEFT.

Usage: weights.py FOLDER. Reads FOLDER/request.json: {"cases": [{"name", "base", "adapter", "merged", "half"}], "prompts": [[ids]]};
writes FOLDER/CASE-{base,adapter,merged,half}-N.bin (float32 [tokens, vocab]) and prints the versions.
"""

import json
import sys
from pathlib import Path

import peft
import torch
import transformers
from peft import PeftModel
from transformers import AutoModelForCausalLM

folder = Path(sys.argv[1])
request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
torch.set_num_threads(1)


def load(path):
    return AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).eval()


def write(model, name):
    with torch.no_grad():
        for i, ids in enumerate(request["prompts"]):
            logits = model(input_ids=torch.tensor([ids])).logits[0]
            (folder / f"{name}-{i}.bin").write_bytes(logits.float().contiguous().numpy().tobytes())


for case in request["cases"]:
    write(load(case["base"]), f"{case['name']}-base")
    write(PeftModel.from_pretrained(load(case["base"]), case["adapter"]).eval(), f"{case['name']}-adapter")
    write(load(case["merged"]), f"{case['name']}-merged")
    write(load(case["half"]), f"{case['name']}-half")

print(json.dumps({"transformers": transformers.__version__, "peft": peft.__version__, "torch": torch.__version__}))
