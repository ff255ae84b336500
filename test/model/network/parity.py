"""What transformers and PEFT make of the same folder: texts and ids of dialogues, ids of texts, logits of the ids.

Usage: parity.py FOLDER. Reads FOLDER/request.json, writes FOLDER/answer.json and FOLDER/{base,adapter,merged}-N.bin (float32 [tokens, vocab]).
"""

import json
import sys
from pathlib import Path

import peft
import torch
import transformers
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer

folder = Path(sys.argv[1])
request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
torch.set_num_threads(1)


def load(path):
    return AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).eval()


def write_logits(model, name, sequences):
    with torch.no_grad():
        for i, ids in enumerate(sequences):
            logits = model(input_ids=torch.tensor([ids])).logits[0]
            (folder / f"{name}-{i}.bin").write_bytes(logits.float().contiguous().numpy().tobytes())


tokenizer = AutoTokenizer.from_pretrained(request["model"])
render = lambda d, tokenize: tokenizer.apply_chat_template(
    d["messages"], tools=d["tools"] or None, add_generation_prompt=d["addGenerationPrompt"], tokenize=tokenize, **({"return_dict": False} if tokenize else {})
)
texts = [render(d, False) for d in request["dialogues"]]
ids = [render(d, True) for d in request["dialogues"]]
write_logits(load(request["model"]), "base", ids)

# as the exported README says; the base lies in the export
policy = PeftModel.from_pretrained(load(request["base"]), request["adapter"]).eval()
write_logits(policy, "adapter", ids)
write_logits(policy.merge_and_unload(), "merged", ids)

answer = {
    "texts": texts,
    "ids": ids,
    "textIds": [tokenizer(t, add_special_tokens=False)["input_ids"] for t in request["texts"]],
    "decoded": [tokenizer.decode(i, skip_special_tokens=False) for i in ids],
    "versions": {"transformers": transformers.__version__, "peft": peft.__version__, "torch": torch.__version__},
}
(folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")
print(json.dumps({"done": True}))
