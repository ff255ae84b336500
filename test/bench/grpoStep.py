"""The peer of grpoStep.ts: TRL's GRPOTrainer.train with PEFT's LoRA on the same model and prompts. Usage: grpoStep.py PLAN (JSON)."""

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
from trl import GRPOConfig, GRPOTrainer

plan = json.loads(sys.argv[1])
torch.set_num_threads(plan["threads"])
rows = len(plan["prompts"]) * plan["groupSize"]
seen = {"prompt": 0, "completion": set(), "calls": 0}


def spread(prompts, completions, completion_ids, **_):
    """As in grpoStep.ts: by the sampled ids alone."""
    seen["calls"] += 1
    seen["prompt"] = sum(len(tokenizer(p, add_special_tokens=False)["input_ids"]) for p in prompts)
    seen["completion"] |= {len(ids) for ids in completion_ids}
    return [(sum(ids) % 97) / 97 for ids in completion_ids]


class Clock(TrainerCallback):
    """From the end of a step to the end of the next, the first one left out: it warms up."""

    def __init__(self):
        self.marks = []

    def on_step_end(self, args, state, control, **kwargs):
        self.marks.append((time.perf_counter(), time.process_time()))


tokenizer = AutoTokenizer.from_pretrained(plan["model"])
model = AutoModelForCausalLM.from_pretrained(plan["model"], dtype=torch.float32)
clock = Clock()
with tempfile.TemporaryDirectory() as folder:
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=spread,
        train_dataset=Dataset.from_dict({"prompt": plan["prompts"] * (plan["steps"] + 2)}),
        callbacks=[clock],
        peft_config=LoraConfig(r=plan["lora"]["rank"], lora_alpha=plan["lora"]["alpha"], task_type="CAUSAL_LM", target_modules=plan["lora"]["targets"]),
        args=GRPOConfig(
            output_dir=folder,
            max_steps=1 + plan["steps"],
            per_device_train_batch_size=plan["peerRows"],
            gradient_accumulation_steps=rows // plan["peerRows"],
            num_generations=plan["groupSize"],
            max_completion_length=plan["completion"],
            generation_kwargs={"min_new_tokens": plan["completion"]},
            temperature=1.0,
            beta=0.0,
            learning_rate=2e-3,
            max_grad_norm=1.0,
            gradient_checkpointing=plan["asItComes"],
            bf16=plan["asItComes"],
            use_cpu=True,
            shuffle_dataset=False,
            report_to=[],
            save_strategy="no",
            logging_strategy="no",
            disable_tqdm=True,
        ),
    )
    trainer.train()
if seen["completion"] != {plan["completion"]}:
    raise SystemExit(f"grpoStep.py: completions of {sorted(seen['completion'])} tokens, want {plan['completion']}")
steps = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(clock.marks, clock.marks[1:])]
print(
    json.dumps(
        {
            "seconds": [s for s, _ in steps],
            "cpuSeconds": [c for _, c in steps],
            "promptTokens": seen["prompt"],
            "completionTokens": rows * plan["completion"],
            "peakMiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "versions": {"python": platform.python_version(), "torch": torch.__version__, "transformers": transformers.__version__, "trl": trl.__version__, "peft": peft.__version__},
        }
    )
)
