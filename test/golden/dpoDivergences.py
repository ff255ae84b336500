"""Makes dpoDivergences.json: TRL's own DPOTrainer._compute_loss, with a stub for the model, where the divergence is not reverse KL. Usage: dpoDivergences.py > dpoDivergences.json"""

import json
from collections import defaultdict
from types import SimpleNamespace

import torch
import transformers
import trl
from trl.trainer.dpo_trainer import DPOTrainer

LOSSES = ["ipo", "sigmoid_norm", "sigmoid", "hinge", "robust", "exo_pair", "discopop", "nca_pair", "bco_pair", "sppo_hard", "apo_zero", "apo_down", "aot", "aot_unpaired"]
DIVERGENCES = {"forward_kl": 0.5, "js_divergence": 0.5, "alpha_divergence": 0.3}
#: of each completion, the first token is never one; chosen rows first
LENGTHS = [5, 3, 2, 7]
WIDTH = 9


def case(number, loss_type, divergence, coefficient):
    generator = torch.Generator().manual_seed(number)
    dtype = torch.float32 if divergence == "alpha_divergence" else torch.float64  # TRL has no alpha divergence in float64
    mask = torch.zeros(4, WIDTH, dtype=torch.long)
    for row, length in enumerate(LENGTHS):
        mask[row, 1 : 1 + length] = 1
    logps = (-2 * torch.rand(4, WIDTH - 1, generator=generator, dtype=torch.float64) * mask[:, 1:]).to(dtype).requires_grad_()
    reference = (logps.detach() + 0.4 * torch.randn(4, WIDTH - 1, generator=generator, dtype=torch.float64).to(dtype)) * mask[:, 1:]
    config = {"loss_type": [loss_type], "loss_weights": [1.0], "beta": 0.2, "label_smoothing": 0.1, "f_divergence_type": divergence, "f_alpha_divergence_coef": coefficient, "ld_alpha": None, "use_weighting": False, "discopop_tau": 0.05}
    chosen, rejected = reference.sum(1).chunk(2)
    trainer = SimpleNamespace(
        model=SimpleNamespace(training=True),
        accelerator=SimpleNamespace(device="cpu", gather_for_metrics=lambda x: x, gather=lambda x: x),
        args=SimpleNamespace(discopop_tau=config["discopop_tau"]),
        aux_loss_enabled=False,
        precompute_ref_logps=True,
        ld_alpha=None,
        use_weighting=False,
        beta=config["beta"],
        label_smoothing=config["label_smoothing"],
        f_divergence_type=divergence,
        f_alpha_divergence_coef=coefficient,
        loss_types=config["loss_type"],
        loss_weights=config["loss_weights"],
        _total_train_tokens=0,
        _tp_size=1,
        _metrics={"train": defaultdict(list)},
    )
    ones = torch.ones(4, WIDTH, dtype=torch.long)
    padded = torch.zeros_like(logps)
    outputs = SimpleNamespace(log_probs=logps, entropy=padded, mean_logits=padded, is_top1=padded.bool())
    inputs = {"input_ids": ones, "attention_mask": ones, "completion_mask": mask, "ref_chosen_logps": chosen, "ref_rejected_logps": rejected}
    loss = DPOTrainer._compute_loss(trainer, lambda **_: outputs, inputs, False)
    loss.backward()
    metrics = {name: values[-1] for name, values in trainer._metrics["train"].items() if name.startswith(("rewards/", "logps/"))}
    sums = logps.detach().sum(1).chunk(2)
    return {
        "id": number,
        "dtype": str(dtype).split(".")[1],
        "config": config,
        "inputs": {"per_token_logps": logps.tolist(), "completion_mask": mask.tolist(), "ref_chosen_logps": chosen.tolist(), "ref_rejected_logps": rejected.tolist(), "log_sum_sq_probs": None},
        "outputs": {"loss": loss.item(), "chosen_logps": sums[0].tolist(), "rejected_logps": sums[1].tolist(), "grad_per_token_logps": logps.grad.tolist(), "metrics": metrics},
    }


cases = [(loss, divergence, coefficient) for divergence, coefficient in DIVERGENCES.items() for loss in LOSSES]
head = json.dumps({"source": f"trl {trl.__version__} DPOTrainer._compute_loss", "torch": torch.__version__, "transformers": transformers.__version__})
print(head[:-1] + ', "cases": [')
print(",\n".join(json.dumps(case(number, *each)) for number, each in enumerate(cases)))
print("]}")
