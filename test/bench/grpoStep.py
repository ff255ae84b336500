"""The peer of grpoStep.ts: TRL's GRPOTrainer, SFTTrainer or DPOTrainer with PEFT's LoRA on the same model and prompts. Usage: grpoStep.py PLAN.json."""

import json
import platform
import resource
import sys
import tempfile
import time

import peft
import torch
import transformers
import trl
from datasets import Dataset
from peft import LoraConfig
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback
from trl import DPOConfig, DPOTrainer, GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

with open(sys.argv[1], encoding="utf8") as file:
    plan = json.load(file)
torch.set_num_threads(plan["threads"])
examples = plan["examples"]
rows = len(plan["prompts"]) * plan["groupSize"] if plan["method"] == "grpo" else len(examples)
seen = {"prompt": sum(len(e["prompt"]) * len(e["answers"]) for e in examples), "completion": {len(a) for e in examples for a in e["answers"]}}


def spread(prompts, completions, completion_ids, **_):
    """As in stepWorkspace.ts: by the sampled ids alone."""
    seen["prompt"] = sum(len(tokenizer(p, add_special_tokens=False)["input_ids"]) for p in prompts)
    seen["completion"] |= {len(ids) for ids in completion_ids}
    return [(sum(ids) % 97) / 97 for ids in completion_ids]


class Clock(TrainerCallback):
    """From the end of a step to the end of the next, the first one left out: it warms up."""

    def __init__(self):
        self.marks = []

    def on_step_end(self, args, state, control, **kwargs):
        self.marks.append((time.perf_counter(), time.process_time()))


class GivenIds(DPOTrainer):
    """The pairs are ids already."""

    def _prepare_dataset(self, dataset, *args, **kwargs):
        return dataset


def grpo(common):
    return GRPOTrainer(
        reward_funcs=spread,
        train_dataset=Dataset.from_dict({"prompt": plan["prompts"] * (plan["steps"] + 2)}),
        args=GRPOConfig(
            num_generations=plan["groupSize"],
            max_completion_length=plan["completion"],
            generation_kwargs={"min_new_tokens": plan["completion"]},
            temperature=1.0,
            beta=0.0,
            shuffle_dataset=False,
            **common,
        ),
        **trainer,
    )


def sft(common):
    """The examples of a step are an epoch."""
    dataset = [
        {"input_ids": e["prompt"] + e["answers"][0], "completion_mask": [0] * len(e["prompt"]) + [1] * len(e["answers"][0])}
        for e in examples
    ]
    return SFTTrainer(train_dataset=Dataset.from_list(dataset), args=SFTConfig(max_length=None, completion_only_loss=True, **common), **trainer)


def dpo(common):
    dataset = [{"prompt_ids": e["prompt"], "chosen_ids": e["answers"][0], "rejected_ids": e["answers"][1]} for e in examples]
    return GivenIds(train_dataset=Dataset.from_list(dataset), args=DPOConfig(max_length=None, **common), **trainer)


tokenizer = AutoTokenizer.from_pretrained(plan["model"])
clock = Clock()
trainer = {
    "model": AutoModelForCausalLM.from_pretrained(plan["model"], dtype=torch.float32),
    "processing_class": tokenizer,
    "callbacks": [clock],
    "peft_config": LoraConfig(r=plan["lora"]["rank"], lora_alpha=plan["lora"]["alpha"], task_type="CAUSAL_LM", target_modules=plan["lora"]["targets"]),
}
with tempfile.TemporaryDirectory() as folder:
    {"grpo": grpo, "sft": sft, "dpo": dpo}[plan["method"]](
        {
            "output_dir": folder,
            "max_steps": 1 + plan["steps"],
            "per_device_train_batch_size": plan["peerRows"],
            "gradient_accumulation_steps": rows // plan["peerRows"],
            "learning_rate": 2e-3,
            "max_grad_norm": 1.0,
            "gradient_checkpointing": plan["asItComes"],
            "bf16": plan["asItComes"],
            "use_cpu": True,
            "report_to": [],
            "save_strategy": "no",
            "logging_strategy": "no",
            "disable_tqdm": True,
        }
    ).train()
if seen["completion"] != {plan["completion"]}:
    raise SystemExit(f"grpoStep.py: completions of {sorted(seen['completion'])} tokens, want {plan['completion']}")
steps = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(clock.marks, clock.marks[1:])]
print(
    json.dumps(
        {
            "seconds": [s for s, _ in steps],
            "cpuSeconds": [c for _, c in steps],
            "promptTokens": seen["prompt"],
            "completionTokens": rows * plan["completion"] * (2 if plan["method"] == "dpo" else 1),
            "peakMiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "versions": {"python": platform.python_version(), "torch": torch.__version__, "transformers": transformers.__version__, "trl": trl.__version__, "peft": peft.__version__},
        }
    )
)
