"""Exported GGUF adapters in llama.cpp (xllamacpp), on base GGUFs that gguf-py writes from the same safetensors.

Usage: llama.py FOLDER [FORM]. Reads FOLDER/request.json: {"cases": [{"name", "base", "lora"}], "prompts": [[ids]], "newTokens": n}; writes
FOLDER/llama.json: {case: {"base" | "lora": [{"ids": [n], "logprobs": [n][vocab]} per prompt]}}, greedy, log-probabilities in nats.
With a FORM: what FOLDER/CASE-FORM/model.gguf answers, into FOLDER/llama-FORM.json: {case: {FORM: …}}.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import gguf
import numpy as np
import xllamacpp
from safetensors.numpy import load_file

folder = Path(sys.argv[1])
request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
PLAIN_ID = 500  # some ASCII word of the nano tokenizer
ARCHITECTURES = {"llama": gguf.MODEL_ARCH.LLAMA, "qwen2": gguf.MODEL_ARCH.QWEN2, "qwen3": gguf.MODEL_ARCH.QWEN3}


def permute(weights, heads):
    """LlamaModel.permute of llama.cpp's convert_hf_to_gguf.py"""
    return weights.reshape(heads, 2, weights.shape[0] // heads // 2, *weights.shape[1:]).swapaxes(1, 2).reshape(weights.shape)


def write_base(source, target):
    config = json.loads((source / "config.json").read_text())
    tokenizer = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))
    family = config["model_type"]
    writer = gguf.GGUFWriter(target, family)
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config["rope_theta"])
    writer.add_rope_dimension_count(config["head_dim"])
    writer.add_key_length(config["head_dim"])
    writer.add_value_length(config["head_dim"])
    writer.add_vocab_size(config["vocab_size"])
    vocabulary = {i: text for text, i in tokenizer["model"]["vocab"].items()}
    special = {t["id"]: t["content"] for t in tokenizer["added_tokens"]}
    vocabulary.update(special)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([vocabulary.get(i, f"[PAD{i}]") for i in range(config["vocab_size"])])
    writer.add_token_types([gguf.TokenType.CONTROL if i in special else gguf.TokenType.NORMAL for i in range(config["vocab_size"])])
    writer.add_token_merges([m if isinstance(m, str) else " ".join(m) for m in tokenizer["model"]["merges"]])
    writer.add_eos_token_id(config["eos_token_id"])
    names = gguf.get_tensor_name_map(ARCHITECTURES[family], config["num_hidden_layers"])
    for name, data in load_file(source / "model.safetensors").items():
        if family == "llama" and name.endswith("q_proj.weight"):
            data = permute(data, config["num_attention_heads"])
        if family == "llama" and name.endswith("k_proj.weight"):
            data = permute(data, config["num_key_value_heads"])
        writer.add_tensor(names.get_name(name, try_suffixes=(".weight", ".bias")), np.ascontiguousarray(data.astype(np.float32)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def distribution(server, ids):
    """Log-probabilities [vocab] of what follows. The server leaves a token out that ends inside a character, so a plain one is forced; the
    log-probabilities that it reports are of the model, before the bias."""
    reply = server.handle_completions({"prompt": ids, "n_predict": 1, "temperature": 0, "n_probs": request["vocab"], "cache_prompt": False, "logit_bias": [[PLAIN_ID, 1000.0]]})
    reply = json.loads(reply) if isinstance(reply, str) else reply
    row = [None] * request["vocab"]
    for top in reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"]:
        row[top["id"]] = top["logprob"]
    return row


def answers(model, lora=None):
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx = 512
    params.n_parallel = 1
    params.warmup = False
    params.n_gpu_layers = 0
    params.fit_params = False
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.cache_type_k = xllamacpp.ggml_type.GGML_TYPE_F32
    params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    if lora is not None:
        adapter = xllamacpp.CommonAdapterLoraInfo()
        adapter.path = str(lora)
        adapter.scale = 1.0
        params.lora_adapters = [adapter]
    server = xllamacpp.Server(params)
    out = []
    for prompt in request["prompts"]:
        ids, rows = [], []
        for _ in range(request["newTokens"]):
            row = distribution(server, prompt + ids)
            ids.append(int(np.argmax(np.array(row, dtype=float))))
            rows.append(row)
        out.append({"ids": ids, "logprobs": rows})
    del server
    return out


result = {}
form = sys.argv[2] if len(sys.argv) > 2 else None
for case in request["cases"]:
    if form is not None:
        result[case["name"]] = {form: answers(folder / f"{case['name']}-{form}" / "model.gguf")}
        continue
    base = folder / f"{case['name']}.gguf"
    write_base(Path(case["base"]), base)
    result[case["name"]] = {"base": answers(base), "lora": answers(base, Path(case["lora"]) / "adapter.gguf")}
(folder / ("llama.json" if form is None else f"llama-{form}.json")).write_text(json.dumps(result))
print(json.dumps({"xllamacpp": version("xllamacpp"), "gguf": version("gguf")}))
