"""Exported preference files in datasets and TRL, and back.

Usage: data.py FOLDER MODEL. Reads FOLDER/{trl,openai,kto}.jsonl; builds TRL's DPOTrainer and KTOTrainer on them, which check and tokenise
the rows; writes what datasets made of each file to FOLDER/{trl,openai,kto}.back.jsonl.
"""

import json
import sys
from pathlib import Path

import datasets
import torch
import trl
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import DPOConfig, DPOTrainer, KTOConfig, KTOTrainer, SFTConfig, SFTTrainer
from trl.data_utils import is_conversational

folder, model = Path(sys.argv[1]), sys.argv[2]
torch.set_num_threads(1)
tokenizer = AutoTokenizer.from_pretrained(model)
report = {"datasets": datasets.__version__, "trl": trl.__version__}


def rows(name):
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").split("\n") if line]  # splitlines would split at U+2028


def load(name):
    return Dataset.from_list(rows(name), on_mixed_types="use_json")


for name in ["trl", "openai", "kto"]:
    loaded = load(name)
    back = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in loaded)
    (folder / f"{name}.back.jsonl").write_text(back, encoding="utf-8")
    report[name] = len(loaded)

common = {"output_dir": str(folder / "out"), "use_cpu": True, "report_to": [], "per_device_train_batch_size": 2, "bf16": False}
fresh = lambda: AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
report["conversational"] = [all(is_conversational(row) for row in load(name)) for name in ["trl", "kto"]]
dpo = DPOTrainer(fresh(), args=DPOConfig(**common, max_length=1024), train_dataset=load("trl"), processing_class=tokenizer)
report["dpoRows"] = len(dpo.train_dataset)
report["dpoColumns"] = sorted(dpo.train_dataset.column_names)
kto = KTOTrainer(fresh(), args=KTOConfig(**common, max_length=1024), train_dataset=load("kto"), processing_class=tokenizer)
report["ktoRows"] = len(kto.train_dataset)
sft = SFTTrainer(fresh(), args=SFTConfig(**common, max_length=1024), train_dataset=load("sft"), processing_class=tokenizer)
report["sftRows"] = len(sft.train_dataset)
print(json.dumps(report))
