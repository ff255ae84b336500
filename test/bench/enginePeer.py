"""PyTorch's side of `npm run bench:engine`: reads one request a line on stdin, answers one line of JSON on stdout.

Usage: enginePeer.py THREADS. Request: {work: lora | full | decode, model: tiny | smol, batch, tokens, reps, isBf16}.
"""

import contextlib
import json
import resource
import statistics
import sys
import time

import torch
import transformers
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

torch.set_num_threads(int(sys.argv[1]))
torch.manual_seed(0)
SIZES = {  # the same numbers stand in engineWork.ts
    "tiny": (2048, 192, 4, 6, 2, 512),
    "smol": (49152, 576, 30, 9, 3, 1536),
}


def make(name):
    vocab, hidden, layers, heads, kv_heads, intermediate = SIZES[name]
    config = LlamaConfig(
        vocab_size=vocab, hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads, num_key_value_heads=kv_heads, intermediate_size=intermediate,
        max_position_embeddings=2048, tie_word_embeddings=True, rms_norm_eps=1e-5, bos_token_id=None, eos_token_id=None, pad_token_id=0,
    )
    return LlamaForCausalLM(config)


def training(request):
    model = make(request["model"]).train()
    vocab = SIZES[request["model"]][0]
    optimiser = None
    if request["work"] == "lora":
        model = get_peft_model(model, LoraConfig(r=8, lora_alpha=16, target_modules=["q_proj", "v_proj"], lora_dropout=0.0, bias="none"))
    else:
        optimiser = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.0)
    autocast = (lambda: torch.autocast("cpu", dtype=torch.bfloat16)) if request.get("isBf16") else contextlib.nullcontext
    count = 0

    def run():
        nonlocal count
        b, t = request["batch"], request["tokens"]
        ids = ((torch.arange(b * t) * 7919 + count * 13) % vocab).reshape(b, t)
        count += 1
        model.zero_grad(set_to_none=True)
        with autocast():
            loss = model(input_ids=ids, labels=ids, use_cache=False).loss
        loss.backward()
        if optimiser is not None:
            optimiser.step()
        return loss.item()

    return run


def decoding(request):
    model = make(request["model"]).eval()
    vocab = SIZES[request["model"]][0]
    prompts = torch.tensor([[(i * 31 + b * 7) % vocab for i in range(64)] for b in range(request["batch"])])

    def run():
        with torch.no_grad():
            out = model.generate(prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=request["tokens"], min_new_tokens=request["tokens"], do_sample=False, use_cache=True)
        assert out.shape[1] == 64 + request["tokens"]

    return run


made = {}
for line in sys.stdin:
    request = json.loads(line)
    key = json.dumps({**request, "reps": 0}, sort_keys=True)
    if key not in made:
        made[key] = decoding(request) if request["work"] == "decode" else training(request)
        made[key]()
        made[key]()
    each, loss = [], None
    for _ in range(request["reps"]):
        start = time.perf_counter()
        loss = made[key]()
        each.append((time.perf_counter() - start) * 1000)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"ms": statistics.median(each), "each": each, "loss": loss, "peakMiB": peak, "versions": {"torch": torch.__version__, "transformers": transformers.__version__}}), flush=True)
