"""
Goes on with nano's pre-training on a graphics card, by JAX:
`python pretrainGpu.py WEIGHTS ROWS EVALUATION OUT SECONDS`.

ROWS is a folder into which writeRows.ts writes while this runs; a file that was read is deleted. When no fresh row is
there, an earlier one is drawn again. EVALUATION holds rows of other words, by kind. Batches are 32,768 places of
packed rows: each token sees its own dialogue alone (network/packedRows.ts). Loss, weights and choices are those of
pretrain.ts; AdamW, 3e-3, warm-up 150 steps, linear decay over the last 45 % of SECONDS, products in bfloat16. OUT gets
last.safetensors and mean.safetensors (a moving mean of the weights), float32.
"""

import json
import os
import queue
import random
import sys
import threading
import time
from functools import partial

os.environ.setdefault("XLA_FLAGS", "--xla_gpu_enable_triton_gemm=false")
import jax
import jax.numpy as jnp
import numpy as np

STARTED = time.time()
WIDTH, HEADS, KEY_HEADS, HEAD, LAYERS, VOCABULARY = 192, 6, 3, 32, 4, 2048
TOKENS = int(os.environ.get("TOKENS", 32768))
RATE, DECAY, WARM_UP = 3e-3, 0.45, 150
PLACES, SETS = int(TOKENS * 0.58) // 128 * 128, max(256, int(TOKENS * 0.08))
ANY, TEXT = 65535, 0.6
COMPUTE = jnp.bfloat16 if jax.default_backend() == "gpu" else jnp.float32


def log(*parts):
    print(f"[{time.time() - STARTED:6.1f}]", *parts, flush=True)


def read_weights(path):
    with open(path, "rb") as file:
        head = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        body = file.read()
    kinds = {"F16": np.float16, "F32": np.float32}
    return {
        name: np.frombuffer(body[slice(*entry["data_offsets"])], kinds[entry["dtype"]])
        .reshape(entry["shape"])
        .astype(np.float32)
        for name, entry in head.items()
        if name != "__metadata__"
    }


def write_weights(path, weights):
    head, body, at = {}, [], 0
    for name, value in weights.items():
        data = np.asarray(value, np.float32).tobytes()
        head[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
        body.append(data)
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    with open(path + ".new", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + b"".join(body))
    os.replace(path + ".new", path)


def rows_of(path):
    """ids, positions, enter, leave [tokens]; place, target, set, dialogue, weight [choices]; bits [sets, 256]"""
    data, at, rows = open(path, "rb").read(), 0, []

    def take(kind, count):
        nonlocal at
        array = np.frombuffer(data, kind, count, at)
        at += array.nbytes
        return array

    while at < len(data):
        tokens, choices, sets, _ = (int(x) for x in take(np.uint32, 4))
        columns = [take(np.uint16, tokens) for _ in range(4)] + [take(np.uint16, choices) for _ in range(4)]
        rows.append((*columns, take(np.uint8, choices), take(np.uint8, 256 * sets).reshape(sets, 256)))
    return rows


class Packer:
    """Lays rows side by side into TOKENS / length rows of `length`."""

    def __init__(self, length):
        self.shape = (TOKENS // length, length)
        self.clear()

    def clear(self):
        self.free = [self.shape[1]] * self.shape[0]
        self.items, self.sets, self.misses = [], 0, 0

    def add(self, row):
        tokens, sets = len(row[0]), len(row[9])
        if self.sets + sets > SETS - 1:
            self.misses += 4
            return False
        for line, free in enumerate(self.free):
            if free >= tokens:
                self.items.append((line, self.shape[1] - free, row))
                self.free[line] -= tokens
                self.sets += sets
                return True
        self.misses += 1
        return False

    @property
    def is_full(self):
        return self.misses >= 6

    def batch(self):
        """tokens, dialogues, arrays; what is padded sees itself alone and counts nothing"""
        lines, length = self.shape
        ids, positions = np.zeros(self.shape, np.uint16), np.zeros(self.shape, np.uint16)
        enter = np.broadcast_to(np.arange(length, dtype=np.uint16) + 4096, self.shape).copy()
        leave = enter + 1
        columns = {name: [] for name in ("place", "target", "set", "dialogue", "weight")}
        bits = np.zeros((SETS, 256), np.uint8)
        bits[SETS - 1] = 255  # any id
        sets = dialogues = tokens = 0
        for line, at, (own, depth, first, last, place, target, choice, dialogue, weight, own_bits) in self.items:
            span = (line, slice(at, at + len(own)))
            ids[span], positions[span], enter[span], leave[span] = own, depth, first + at, last + at
            columns["place"].append(place.astype(np.int32) + (line * length + at))
            columns["target"].append(target.astype(np.int32))
            columns["set"].append(np.where(choice == ANY, SETS - 1, choice.astype(np.int32) + sets))
            columns["dialogue"].append(dialogue.astype(np.int32) + dialogues)
            columns["weight"].append(weight.astype(np.float32) / 100)
            bits[sets : sets + len(own_bits)] = own_bits
            sets += len(own_bits)
            dialogues += int(dialogue.max()) + 1 if len(dialogue) else 0
            tokens += len(own)
        joined = {name: np.concatenate(parts) for name, parts in columns.items()}
        if len(joined["place"]) > PLACES:  # the user's own words go first
            kept = np.argsort(-joined["weight"], kind="stable")[:PLACES]
            joined = {name: array[kept] for name, array in joined.items()}
        filler = {"place": 0, "target": 0, "set": SETS - 1, "dialogue": -1, "weight": 0}
        arrays = {
            name: np.concatenate([array, np.full(PLACES - len(array), filler[name], array.dtype)])
            for name, array in joined.items()
        }
        return tokens, dialogues, dict(arrays, ids=ids, positions=positions, enter=enter, leave=leave, bits=bits)


def load(folder, batches, counts):
    """Fills the queue for ever: fresh rows first, then earlier ones."""
    choose, pool, fresh, looked = random.Random(1), [], [], 0
    packers, held = {n: Packer(n) for n in (1024, 2048)}, {1024: [], 2048: []}
    while True:
        if time.time() - looked > 0.5:
            looked = time.time()
            for name in os.listdir(folder):
                if name.endswith(".rows"):
                    fresh += rows_of(os.path.join(folder, name))
                    os.remove(os.path.join(folder, name))
        if fresh:
            row = fresh.pop()
            pool.append(row)
            counts["fresh"] += 1
        elif len(pool) > 2000:
            row = choose.choice(pool)
            counts["again"] += 1
        else:
            time.sleep(0.1)
            continue
        length = 1024 if len(row[0]) <= 1024 else 2048
        packer = packers[length]
        if packer.add(row):
            continue
        held[length].append(row)
        if packer.is_full:
            batches.put(packer.batch())
            packer.clear()
            waiting, held[length] = held[length], []
            for row in waiting:
                packer.add(row)


def norm(x, gain):
    x = x.astype(jnp.float32)
    return (x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * gain).astype(COMPUTE)


def hidden(weights, b):
    """network/causalLM.ts' hiddenStates: [rows * length, width]"""
    rows, length = b["ids"].shape
    enter, leave = b["enter"].astype(jnp.int32), b["leave"].astype(jnp.int32)
    sees = (enter[:, None, :] <= enter[:, :, None]) & (enter[:, :, None] < leave[:, None, :])
    turns = 1e6 ** (-jnp.arange(0, HEAD, 2, dtype=jnp.float32) / HEAD)
    angles = b["positions"].astype(jnp.float32)[..., None] * turns
    cosine, sine = (jnp.concatenate([f(angles)] * 2, -1)[:, :, None, :] for f in (jnp.cos, jnp.sin))

    def rotated(x):
        other = jnp.concatenate([-x[..., HEAD // 2 :], x[..., : HEAD // 2]], -1)
        return (x.astype(jnp.float32) * cosine + other.astype(jnp.float32) * sine).astype(COMPUTE)

    x = weights["model.embed_tokens.weight"][b["ids"].astype(jnp.int32)]
    for layer in range(LAYERS):
        of = lambda y, name: y @ weights[f"model.layers.{layer}.{name}.weight"].T.astype(COMPUTE)  # noqa: B023, E731
        y = norm(x, weights[f"model.layers.{layer}.input_layernorm.weight"])
        q = rotated(of(y, "self_attn.q_proj").reshape(rows, length, HEADS, HEAD))
        q = q.reshape(rows, length, KEY_HEADS, HEADS // KEY_HEADS, HEAD)
        k = rotated(of(y, "self_attn.k_proj").reshape(rows, length, KEY_HEADS, HEAD))
        v = of(y, "self_attn.v_proj").reshape(rows, length, KEY_HEADS, HEAD)
        scores = jnp.einsum("btkgd,bskd->bkgts", q, k, preferred_element_type=jnp.float32) / np.sqrt(HEAD)
        share = jax.nn.softmax(jnp.where(sees[:, None, None], scores, -1e9), -1).astype(COMPUTE)
        seen = jnp.einsum("bkgts,bskd->btkgd", share, v).reshape(rows, length, HEADS * HEAD)
        x = x + of(seen, "self_attn.o_proj").astype(jnp.float32)
        y = norm(x, weights[f"model.layers.{layer}.post_attention_layernorm.weight"])
        x = x + of(jax.nn.silu(of(y, "mlp.gate_proj")) * of(y, "mlp.up_proj"), "mlp.down_proj").astype(jnp.float32)
    return norm(x, weights["model.norm.weight"]).reshape(rows * length, WIDTH)


def logits(weights, b):
    """[PLACES, VOCABULARY]: -1e9 where the sampler may not choose"""
    at = hidden(weights, b)[b["place"]]
    head = weights["model.embed_tokens.weight"].astype(COMPUTE)
    z = jnp.einsum("pd,vd->pv", at, head, preferred_element_type=jnp.float32)
    open_ = ((b["bits"][:, :, None] >> jnp.arange(8, dtype=jnp.uint8)) & 1).reshape(SETS, VOCABULARY).astype(bool)
    return jnp.where(open_[b["set"]], z, -1e9)


def logprobs(z, b):
    return jnp.take_along_axis(z, b["target"][:, None], 1)[:, 0] - jax.nn.logsumexp(z, -1)


def loss_of(weights, b):
    return -(logprobs(logits(weights, b), b) * b["weight"]).sum() / b["weight"].sum()


@partial(jax.jit, donate_argnums=(0,))
def update(state, b, rate, step, keep):
    """AdamW, betas 0.9 and 0.98, decay 0.02 of matrices, gradients clipped to 1; and a moving mean of the weights"""
    loss, gradients = jax.value_and_grad(loss_of)(state["weights"], b)
    length = jnp.sqrt(sum((g**2).sum() for g in gradients.values()))
    scale = jnp.minimum(1, 1 / (length + 1e-6))
    out = {"weights": {}, "m": {}, "v": {}, "mean": {}}
    for name, weight in state["weights"].items():
        g = gradients[name] * scale
        m, v = 0.9 * state["m"][name] + 0.1 * g, 0.98 * state["v"][name] + 0.02 * g * g
        move = m / (1 - 0.9**step) / (jnp.sqrt(v / (1 - 0.98**step)) + 1e-8)
        weight = weight - rate * (move + (0.02 * weight if weight.ndim > 1 else 0))
        mean = keep * state["mean"][name] + (1 - keep) * weight
        for key, value in (("weights", weight), ("m", m), ("v", v), ("mean", mean)):
            out[key][name] = value
    return out, loss, length


@jax.jit
def chosen(weights, b):
    z = logits(weights, b)
    return logprobs(z, b), z.argmax(-1) == b["target"]


def evaluate(weights, kinds):
    """By kind: the share of dialogues whose choices but words are all right, after right ones, and nats a choice"""
    report = {}
    for kind, batches in kinds.items():
        nats = choices = right = talks = 0
        for dialogues, b in batches:
            lp, is_right = (np.asarray(x) for x in chosen(weights, b))
            counts = (b["set"] != SETS - 1) & (np.abs(b["weight"] - TEXT) > 0.01) & (b["weight"] > 0)
            nats, choices = nats - lp[counts].sum(), choices + counts.sum()
            has, failed = np.zeros(dialogues, bool), np.zeros(dialogues, bool)
            has[b["dialogue"][counts]] = True
            failed[b["dialogue"][counts & ~is_right]] = True
            right, talks = right + (has & ~failed).sum(), talks + has.sum()
        report[kind] = {"right": round(float(right / talks), 3), "n": int(talks), "nats": round(float(nats / choices), 4)}
    return report


def evaluation(folder):
    kinds, packer = {}, Packer(1024)
    for name in sorted(os.listdir(folder)):
        own = kinds.setdefault(name.split("-")[0], [])
        for row in rows_of(os.path.join(folder, name)):
            if len(row[0]) <= 1024 and not packer.add(row):
                own.append(packer.batch()[1:])
                packer.clear()
                packer.add(row)
        own.append(packer.batch()[1:])
        packer.clear()
    return kinds


def main(weights_file, rows, evaluation_rows, out, seconds):
    weights = {name: jnp.asarray(value) for name, value in read_weights(weights_file).items()}
    batches, counts = queue.Queue(12), {"fresh": 0, "again": 0}
    threading.Thread(target=load, args=(rows, batches, counts), daemon=True).start()
    kinds = evaluation(evaluation_rows)
    log("start", evaluate(weights, kinds))
    nothing = lambda: {name: jnp.zeros_like(value) for name, value in weights.items()}  # noqa: E731
    state = {"weights": weights, "m": nothing(), "v": nothing(), "mean": {n: jnp.array(w) for n, w in weights.items()}}
    step = tokens = 0
    began, told, judged = None, time.time(), time.time()
    while True:
        count, _, batch = batches.get()
        now = time.time() - STARTED
        began = now if began is None and step >= 8 else began  # what comes before is compiling
        share = 0 if began is None else (now - began) / (seconds - began)
        if share >= 1:
            break
        rate = RATE * min(1, (step + 1) / WARM_UP) * max(0.005, min(1, (1 - share) / DECAY))
        step, tokens = step + 1, tokens + count
        state, loss, length = update(state, batch, rate, float(step), 0.999 if step > 1000 else 0.98)
        if step % 20 == 0:
            loss.block_until_ready()
        if time.time() - told > 15:
            told = time.time()
            log(f"step {step} tokens {tokens / 1e6:.1f}M loss {loss:.4f} norm {length:.2f} rate {rate:.1e}", counts)
        if time.time() - judged > 60:
            judged = time.time()
            write_weights(os.path.join(out, "mean.safetensors"), state["mean"])
            log("mean", evaluate(state["mean"], kinds))
    write_weights(os.path.join(out, "last.safetensors"), state["weights"])
    write_weights(os.path.join(out, "mean.safetensors"), state["mean"])
    log("end", step, tokens, {n: evaluate(state[n], kinds) for n in ("weights", "mean")}, counts)


if __name__ == "__main__":
    main(*sys.argv[1:5], float(sys.argv[5]))
