"""What transformers and tokenizers make of the same GGUF: ids of texts by the official tokenizer, ids of prompts, greedy continuations with the gap of the top two logits.

Usage: smollm2.py FOLDER. Reads FOLDER/request.json, tokenizer.json (official) and tokenizer_config.json; prints the answer.
"""

import json
import sys
import warnings
from pathlib import Path

import gguf
import numpy
import tokenizers
import torch
import transformers
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast

warnings.filterwarnings("ignore")
folder = Path(sys.argv[1])
request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
path = Path(request["gguf"])

backend = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
reader = gguf.GGUFReader(path)
tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, chat_template=reader.fields["tokenizer.chat_template"].contents())


def norm(tensor):
    """Sum of squares of a tensor's values, dequantised by gguf-py, in float64."""
    return float((gguf.dequantize(tensor.data, tensor.tensor_type).astype(numpy.float64) ** 2).sum())


model = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32).eval()


def greedy(ids):
    """@returns the new ids, and for each the logit's lead over the second best"""
    out = model.generate(
        torch.tensor([ids]), attention_mask=torch.ones(1, len(ids), dtype=torch.long), do_sample=False, max_new_tokens=request["newTokens"], min_new_tokens=request["newTokens"], pad_token_id=2,
        eos_token_id=None, return_dict_in_generate=True, output_logits=True,
    )
    gaps = []
    for logits in out.logits:
        best = logits[0].topk(2).values
        gaps.append(float(best[0] - best[1]))
    return out.sequences[0, len(ids) :].tolist(), gaps


prompts = [tokenizer.apply_chat_template([{"role": "user", "content": p}], add_generation_prompt=True, tokenize=False) for p in request["prompts"]]
promptIds = [backend.encode(p, add_special_tokens=False).ids for p in prompts]
with torch.no_grad():
    continued = [greedy(ids) for ids in promptIds]

answer = {
    "textIds": [backend.encode(t, add_special_tokens=False).ids for t in request["texts"]],
    "decoded": [backend.decode(backend.encode(t, add_special_tokens=False).ids, skip_special_tokens=False) for t in request["texts"]],
    "prompts": prompts,
    "promptIds": promptIds,
    "ids": [ids for ids, _ in continued],
    "gaps": [gaps for _, gaps in continued],
    "texts": [backend.decode(ids, skip_special_tokens=False) for ids, _ in continued],
    "squares": {t.name: norm(t) for t in reader.tensors},
    "versions": {"transformers": transformers.__version__, "tokenizers": tokenizers.__version__, "torch": torch.__version__},
}
print(json.dumps(answer))
